package scripted

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/goofspiel"
)

// goofspielPlayer plays Goofspiel by the rank of the prize: for the best prize that is left it
// bids its best card, for the worst its worst. Whoever knows that bids one more, so that now
// and then it does so itself.
type goofspielPlayer struct{}

// raise is how often it bids the next higher card.
const raise = 0.25

// Choose implements agents.Policy.
func (goofspielPlayer) Choose(view engine.View, _ engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	s := view.(*goofspiel.View)
	prizes := s.Prizes()
	rank := 0 // of the prize among those that are not won yet, from the lowest
	for prize := 1; prize < int(prizes[len(prizes)-1]); prize++ {
		if s.Left(prize) {
			rank++
		}
	}
	if engine.Unit(rng) < raise {
		rank++
	}
	return legal[min(rank, len(legal)-1)]
}
