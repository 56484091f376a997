package domination

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game. It implements engine.Teller.
type View struct {
	flow.View[*game, position, *position]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules and R4.1 to R4.8: what is not blanked here is public, such
// as the discard piles (Q24), or known to the seat. It is the one place where secrets
// are told from what may be shown.
func (g *game) Blank(p *position, seat engine.Player) {
	me := seatID(seat)
	g.hideQuestion(p, me)
	for i := range g.seats {
		if i != me {
			p.seats[i].hideHand()
		}
		p.seats[i].hideOrder()
	}
	if p.Actor != seat {
		p.legal = actionSet{} // it tells what is in the hand
	}
}

// hideQuestion implements R4.5, R4.8 and Q19: a question of D14, D15 or D16 is known
// only to the seat that is asked. Everybody else sees the situation in which the
// window opened, or which the last play in it left, with nobody asked. Nothing has
// been carried out since then, so that only the question itself has to go. Of the
// round a seat keeps what it knows by itself: whether it has declined.
func (g *game) hideQuestion(p *position, me seatID) {
	if !p.secretlyAsked() || p.Actor == engine.Player(me) {
		return
	}
	asked := p.window
	p.Ask, p.Actor, p.legal, p.window = askNothing, engine.Nobody, actionSet{}, firstPlace(p.phase)
	own := g.place(me, g.seats-g.windowBase(p))
	if own >= p.window && own < asked && g.reactions(p, me) != 0 {
		p.window = own + 1
	}
}

// secretlyAsked reports whether the game waits in a window (R4.5).
func (p *position) secretlyAsked() bool {
	return p.Actor >= 0 && p.Ask >= askAnytime && p.Ask <= askLogistics
}

// hideHand blanks the hand but for what everybody knows of it. All other cards
// of the player are added up in deck: that sum is public (R4.2).
func (s *seat) hideHand() {
	if s.handSize > 0 {
		for c := range s.hand {
			s.deck[c] += s.hand[c] - s.known[c]
		}
		s.hand = s.known
	}
	s.holds = 0
}

// hideOrder blanks the order of the draw deck, which nobody knows (R4.2).
func (s *seat) hideOrder() {
	if s.tops == 0 {
		return
	}
	for _, c := range s.top[:s.tops] {
		s.deck[c]++
	}
	s.top, s.tops = [maxTop]cardID{}, 0
}

// Redeal implements engine.Hidden and R4.7. In the view of a window in which nobody
// is asked, the rules go on from the new deal: to the question that it calls for, or
// to what comes after the window. Elsewhere deals that contradict the question at
// hand are dealt again: a second discard was possible when the first was made (R7.5).
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G = view.G
	for {
		s.P = view.P
		for i := range s.G.seats {
			if i != seatID(view.Seat) {
				s.P.seats[i].deal(rng)
			}
		}
		if view.P.Actor == engine.Nobody {
			flow.Settle(s.G, &s.P, nil)
			return
		}
		if flow.Rests(s.G, &s.P) && s.P.Ask == view.P.Ask && s.P.Actor == view.P.Actor {
			return
		}
	}
}

// deal fills the hand of another seat: beside what is known of it a random part
// of the cards that may be there, each physical card with the same chance.
func (s *seat) deal(rng *rand.PCG) {
	unknown := s.handSize - uint8(sum(&s.hand))
	rest := s.deckSize + unknown
	for ; unknown > 0; unknown-- {
		x := uint8(engine.Uint32N(rng, uint32(rest)))
		rest--
		c := cardID(0)
		for ; x >= s.deck[c]; c++ {
			x -= s.deck[c]
		}
		s.deck[c]--
		s.hand[c]++
	}
	s.holds = typesOf(&s.hand)
}
