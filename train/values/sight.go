package values

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// Sight is what a network of values sees of a state.
type Sight string

const (
	// First is the observation of the first seat.
	First Sight = "first"
	// All are the observations of all seats, one behind the other: what is hidden from each too.
	// Values are no policy, so that they may.
	All Sight = "all"
)

// SightOf is what values of the game see by default: all seats' observations, or the first
// seat's where nothing is hidden or all seats are one team.
func SightOf(g engine.Game) Sight {
	if _, hidden := g.New().(engine.Hidden); hidden && g.Spec().Payoff != engine.Cooperative {
		return All
	}
	return First
}

// eyes encode states. They belong to one goroutine.
type eyes struct {
	encoder encoding.Encoder
	seats   int // that are looked through
	size    int // of each observation
	views   []engine.View
}

func newEyes(g engine.Game, s Sight) (*eyes, error) {
	e, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	seats := 1
	switch s {
	case First:
	case All:
		seats = g.Spec().Seats
	default:
		return nil, fmt.Errorf("values: sight is %q, it must be %s or %s", s, First, All)
	}
	return &eyes{e, seats, e.Layout().Size, make([]engine.View, seats)}, nil
}

// inputs is how many numbers they write.
func (e *eyes) inputs() int { return e.seats * e.size }

// encode writes what they see of s.
func (e *eyes) encode(dst []float32, s engine.State) {
	hidden, ok := s.(engine.Hidden)
	for p := range e.seats {
		var view engine.View = s
		if ok {
			if e.views[p] == nil {
				e.views[p] = hidden.NewView()
			}
			hidden.See(engine.Player(p), e.views[p])
			view = e.views[p]
		}
		e.encoder.Encode(dst[p*e.size:][:e.size], view, engine.Player(p))
	}
}
