package insurgency

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.View.
type View struct {
	g    *game
	p    position
	seat engine.Player // whose view it is
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) {
	view := v.(*View)
	view.g, view.seat = s.g, seat
	view.p = s.p
	if seat != engine.Everything {
		view.blank()
	}
}

// ToAct implements engine.View.
func (s *View) ToAct() engine.Player { return s.p.actor }

// Legal implements engine.View.
func (s *View) Legal(dst []engine.Action) []engine.Action { return s.p.choices(dst) }

// Hash implements engine.View.
func (s *View) Hash() uint64 { return s.p.hash() }

// MarshalJSON implements engine.View.
func (s *View) MarshalJSON() ([]byte, error) { return s.g.encode(&s.p) }

// blank implements R19.1 to R19.3: the other hand but for the
// cards that were seen. All else is public: the map, the tracks, the stories, the
// discards and, by subtraction, what the decks and the other hand hold together.
// Nobody knows the order of a deck, since a card gets its identity when it is
// drawn. It is the one place where secrets are told from what may be shown.
func (s *View) blank() {
	p := &s.p
	o := 1 - uint8(s.seat)
	p.hand[o] = p.known[o]
	if p.actor == engine.Player(o) {
		p.legal = actionSet{} // it may tell what is in the hand
	}
}

// Redeal implements engine.Hidden: the hidden cards of the other hand are drawn from
// those that the seat has not seen, each set with the same probability.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.g = view.g
	s.p = view.p
	p, o := &s.p, 1-uint8(view.seat)
	unseen := p.deck()
	for left := p.handSize[o] - uint8(p.hand[o].count()); left > 0; left-- {
		n := nth(unseen, engine.Uint32N(rng, uint32(unseen.count())))
		unseen.remove(n)
		p.hand[o].add(n)
	}
	s.g.advance(p, nil) // asks the same question again
}

// nth returns the card at place i of a set, counted from 0.
func nth(set cardSet, i uint32) uint8 {
	n := set.next(0)
	for ; i > 0; i-- {
		n = set.next(n)
	}
	return n
}
