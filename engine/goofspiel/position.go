package goofspiel

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// tie stands for a seat where nobody wins.
const tie = 0xFF

// Position is the whole situation: a plain value without pointers, copied by assignment.
// The tags say how it stands in JSON (package engine/position), README.md what each field
// means there.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	Prizes [maxCards]uint8 `pos:"prizes" len:"Turned" min:"1" max:"cards"` // in the order in which they were turned up
	Turned uint8           `pos:"-" hash:"true"`                           // how many
	Seats  [seats]bids     `by:"seat"`
	Won    [maxCards]uint8 `pos:"won" word:"seat" none:"true" len:"Scored" derived:"true"` // by round; also true in views
	Scored uint8           `pos:"-" hash:"true"`                                           // rounds that are over
}

// bids are what a seat has played.
type bids struct {
	Cards [maxCards]uint8 `pos:"bids.*" len:"Made" max:"cards" secret:"R2.1"` // by round; 0 where a view hides it
	Made  uint8           `pos:"-" hash:"true"`
}

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	return codec.NewCodec(codec.Config[Position]{Seats: seats, Limits: map[string]int{"cards": int(g.cards)}})
}

// Encode implements flow.Rules.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// Load implements engine.Game. A lenient position is a strict one.
func (g *game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	s := g.state(&Position{})
	given, err := g.codec.Decode(data, &s.P)
	if err != nil {
		return nil, err
	}
	s.P.Scored = 0
	s.P.Won = [maxCards]uint8{}
	for s.P.Scored < min(s.P.Seats[0].Made, s.P.Seats[1].Made) {
		s.P.score()
	}
	if err := g.Check(&s.P); err != nil {
		return nil, err
	}
	if err := g.codec.Derived(given, &s.P); err != nil {
		return nil, err
	}
	return s, s.Resume(nil)
}

// Check implements flow.Rules.
func (g *game) Check(p *Position) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
	}
	if p.Turned > g.cards || p.Turned > p.Scored+1 || p.Turned < p.Scored {
		return wrong("prizes: %d are turned up in round %d, it is one a round (R1.2)", p.Turned, p.Scored+1)
	}
	seen := uint16(0)
	for i, prize := range p.Prizes[:p.Turned] {
		if due := g.due(i); due > 0 && prize != due {
			return wrong("prizes[%d] is %d, in this order it is %d (R1.2)", i, prize, due)
		}
		if prize < 1 || seen>>prize&1 != 0 {
			return wrong("prizes[%d] is %d, each is turned up once (R1.1)", i, prize)
		}
		seen |= 1 << prize
	}
	first, second := p.Seats[0].Made, p.Seats[1].Made
	if second > first || first > second+1 || first > p.Turned {
		return wrong("bids: seat 0 has made %d and seat 1 %d in round %d, each bids once a round and seat 0 first (R2.1)", first, second, p.Turned)
	}
	for seat := range p.Seats {
		seen := uint16(0)
		for i, card := range p.Seats[seat].Cards[:p.Seats[seat].Made] {
			if card < 1 || seen>>card&1 != 0 {
				return wrong("bids of seat %d: %d in round %d, each card is played once (R2.1)", seat, card, i+1)
			}
			seen |= 1 << card
		}
	}
	return nil
}
