package liarsdice

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// Face is a face of a die, 0 for the lowest.
type Face uint8

// Bid is a quantity of a face, numbered from the lowest bid to the highest; the action
// that makes it has the same number.
type Bid uint8

// actionSet holds the bids and the call.
type actionSet [mostBids/64 + 1]uint64

// Position is the whole situation: a plain value without pointers, copied by assignment.
// The tags say how it stands in JSON (package engine/position), README.md what each field
// means there.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	// how many dice of a seat show each face; zero in another seat's view until the end
	Dice   [maxSeats][maxFaces]uint8 `pos:"dice" by:"seat" many:"face" secret:"R1.1"`
	Rolled uint8                     `pos:"rolled" derived:"true"`      // dice rolled by all seats; also true in views
	Bids   [mostBids]Bid             `pos:"bids" word:"bid" len:"Made"` // rising (R2.2); zero behind the last
	Made   uint8                     `pos:"-" hash:"true"`              // bids made
	Called bool                      `pos:"called"`                     // the last bidder was called a liar, and the game is over
}

// last returns the last bid of a position that has one.
func (p *Position) last() Bid { return p.Bids[p.Made-1] }

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	var faces []string
	for f := range g.faces {
		faces = append(faces, fmt.Sprint(f+1))
	}
	return codec.NewCodec(codec.Config[Position]{
		Seats: g.seats,
		Lists: map[string][]string{"face": faces, "bid": g.spec.Actions[:g.liar]},
	})
}

// Encode implements flow.Rules.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// Load implements engine.Game. A lenient position is a strict one: dice that are left out
// are still to be rolled.
func (g *game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	s := g.state(&Position{})
	given, err := g.codec.Decode(data, &s.P)
	if err != nil {
		return nil, err
	}
	rolled := 0
	for seat := range g.seats {
		rolled += s.P.held(seat)
	}
	s.P.Rolled = uint8(min(rolled, int(g.total))) // of more, Check finds who has too many
	if err := g.Check(&s.P); err != nil {
		return nil, err
	}
	if err := g.codec.Derived(given, &s.P); err != nil {
		return nil, err
	}
	return s, s.Resume(nil)
}

// held returns the number of dice that a seat has rolled.
func (p *Position) held(seat int) int {
	n := 0
	for _, k := range p.Dice[seat] {
		n += int(k)
	}
	return n
}

// Check implements flow.Rules.
func (g *game) Check(p *Position) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
	}
	for seat := range g.seats {
		if due := g.due(p, seat); p.held(seat) != due {
			return wrong("dice of seat %d: %d were rolled, after %d of all seats it is %d (R1.1)", seat, p.held(seat), p.Rolled, due)
		}
	}
	if p.Made > 0 && p.Rolled < g.total {
		return wrong("bids: there are %d before all dice are rolled (R2.1)", p.Made)
	}
	for i := 1; i < int(p.Made); i++ {
		if p.Bids[i] <= p.Bids[i-1] {
			return wrong("bids: %s does not follow %s, each is higher than the last (R2.2)", g.spec.Actions[p.Bids[i]], g.spec.Actions[p.Bids[i-1]])
		}
	}
	if p.Called && p.Made == 0 {
		return wrong("called is true before the first bid (R2.3)")
	}
	return nil
}
