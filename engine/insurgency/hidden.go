package insurgency

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game. It implements engine.Teller.
type View struct {
	flow.View[*game, Position, actionSet]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules and R19.1 to R19.3: the other hand but for the cards that
// were seen. All else is public: the map, the tracks, the stories, the discards and, by
// subtraction, what the decks and the other hand hold together. Nobody knows the order of
// a deck, since a card gets its identity when it is drawn. It is the one place where
// secrets are told from what may be shown.
func (g *game) Blank(p *Position, seat engine.Player) {
	o := 1 - seat
	p.Hand[o] = p.Known[o]
	if p.Actor == o {
		p.Words = actionSet{} // it may tell what is in the hand
	}
}

// Redeal implements engine.Hidden: the hidden cards of the other hand are drawn from
// those that the seat has not seen, each set with the same probability.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G, s.P = view.G, view.P
	p, o := &s.P, 1-uint8(view.Seat)
	unseen := p.deck()
	for left := p.HandSize[o] - uint8(p.Hand[o].Count()); left > 0; left-- {
		n := nth(unseen, engine.Uint32N(rng, uint32(unseen.Count())))
		unseen.remove(n)
		p.Hand[o].add(n)
	}
	s.G.Next(p, nil) // asks the same question again
	s.Dealt()
}

// nth returns the card at place i of a set, counted from 0.
func nth(set CardSet, i uint32) CardID {
	n := set.Next(0)
	for ; i > 0; i-- {
		n = set.Next(n)
	}
	return n
}

// Side implements engine.Sided.
func (s *View) Side(seat engine.Player) string { return [numSeats]string{"Rebel", "Federal"}[seat] }
