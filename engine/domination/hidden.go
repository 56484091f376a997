package domination

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// Redact implements engine.Hidden and R4.1 to R4.7: what is not blanked here is
// public, or known to the seat. It is the one place where secrets are told from
// what may be shown.
func (s *State) Redact(seat engine.Player) {
	me := uint8(seat)
	s.g.keepSilent(&s.p, me)
	for i := range s.g.seats {
		if i != me {
			s.p.seats[i].hideHand()
		}
		s.p.seats[i].hideOrder()
	}
	if s.p.actor != seat {
		s.p.legal = actionSet{} // it tells what is in the hand
	}
}

// keepSilent implements R4.5 and Q19: a question of D14, D15 or D16 is known only to
// the seat that is asked. For everybody else the table looks as it would if nobody
// reacted: so that the question leaves no trace, a view shows what follows when the
// asked seats decline, up to the next question that the seat may know of.
func (g *game) keepSilent(p *position, me uint8) {
	for p.actor >= 0 && p.actor != engine.Player(me) && p.ask >= askAnytime && p.ask <= askLogistics {
		g.choose(p, actDecline)
		g.settle(p)
	}
}

// hideHand blanks the hand but for what everybody knows of it. All other cards
// of the player are added up in deck: that sum is public (R4.2).
func (s *seat) hideHand() {
	for c := range s.hand {
		s.deck[c] += s.hand[c] - s.known[c]
	}
	s.hand, s.holds = s.known, 0
}

// hideOrder blanks the order of the draw deck, which nobody knows (R4.2).
func (s *seat) hideOrder() {
	for _, c := range s.top[:s.tops] {
		s.deck[c]++
	}
	s.top, s.tops = [maxTop]uint8{}, 0
}

// Redeal implements engine.Hidden and R4.7. Deals that contradict the question at
// hand are dealt again: where another player is asked, its hand offers a choice,
// and where a card is awaited from chance, more than one is possible.
func (s *State) Redeal(seat engine.Player, rng *rand.PCG) {
	view, me := s.p, uint8(seat)
	for {
		for i := range s.g.seats {
			if i != me {
				s.p.seats[i].deal(rng)
			}
		}
		asked := s.p
		if s.g.advance(&asked) && asked.ask == view.ask && asked.actor == view.actor && s.g.open(&asked) {
			s.p = asked
			return
		}
		s.p = view
	}
}

// open tells whether the question is one that the game would wait at.
func (g *game) open(p *position) bool {
	if p.actor < 0 {
		return true
	}
	n := p.legal.size()
	return n > 1 || n == 1 && !g.autoForced
}

// deal fills the hand of another seat: beside what is known of it a random part
// of the cards that may be there, each physical card with the same chance.
func (s *seat) deal(rng *rand.PCG) {
	unknown := s.handSize - uint8(sum(&s.hand))
	rest := s.deckSize + unknown
	for ; unknown > 0; unknown-- {
		x := uint8(engine.Uint32N(rng, uint32(rest)))
		rest--
		c := uint8(0)
		for ; x >= s.deck[c]; c++ {
			x -= s.deck[c]
		}
		s.deck[c]--
		s.hand[c]++
	}
	s.holds = typesOf(&s.hand)
}
