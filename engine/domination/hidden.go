package domination

import (
	"math/bits"
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

// Blank implements flow.Rules and R4.1 to R4.8: what is not blanked here is public, such
// as the discard piles (Q24), or known to the seat. It is the one place where secrets
// are told from what may be shown.
func (g *game) Blank(p *Position, seat engine.Player) {
	me := SeatID(seat)
	g.hideQuestion(p, me)
	for i := range g.seats {
		if i != me {
			p.Seats[i].hideHand()
		}
		p.Seats[i].hideOrder()
	}
	if p.Actor != seat {
		p.Words = actionSet{} // it tells what is in the hand
	}
}

// hideQuestion implements R4.5, R4.8 and Q19: a question of D14, D15 or D16 is known
// only to the seat that is asked. Everybody else sees the situation in which the
// window opened, or which the last play in it left, with nobody asked. Nothing has
// been carried out since then, so that only the question itself has to go. Of the
// round a seat keeps what it knows by itself: whether it has declined.
func (g *game) hideQuestion(p *Position, me SeatID) {
	if !p.secretlyAsked() || p.Actor == engine.Player(me) {
		return
	}
	asked := p.Window
	p.Ask, p.Actor, p.Words, p.Window = uint8(askNothing), engine.Nobody, actionSet{}, firstPlace(p.Phase)
	own := g.place(me, g.seats-g.windowBase(p))
	if own >= p.Window && own < asked && g.board(p).reactions(me) != 0 {
		p.Window = own + 1
	}
}

// secretlyAsked reports whether the game waits in a window (R4.5).
func (p *Position) secretlyAsked() bool {
	return p.Actor >= 0 && p.asked() >= AnytimeDecision && p.asked() <= LogisticsDecision
}

// hideHand blanks the hand but for what everybody knows of it. All other cards
// of the player are added up in deck: that sum is public (R4.2).
func (s *Player) hideHand() {
	for ; s.Holds != 0; s.Holds &= s.Holds - 1 {
		c := bits.TrailingZeros32(uint32(s.Holds))
		s.Deck[c] += s.Hand[c] - s.Known[c]
		s.Hand[c] = s.Known[c]
	}
}

// hideOrder blanks the order of the draw deck, which nobody knows (R4.2).
func (s *Player) hideOrder() {
	if s.Tops == 0 {
		return
	}
	for _, c := range s.Top[:s.Tops] {
		s.Deck[c]++
	}
	s.Top, s.Tops = [maxTop]CardID{}, 0
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
			if i != SeatID(view.Seat) {
				s.P.Seats[i].deal(rng)
			}
		}
		if view.P.Actor == engine.Nobody {
			s.Settle()
			s.Dealt()
			return
		}
		if s.Rests() && s.P.Ask == view.P.Ask && s.P.Actor == view.P.Actor {
			s.Dealt()
			return
		}
	}
}

// deal fills the hand of another seat: beside what is known of it a random part
// of the cards that may be there, each physical card with the same chance.
func (s *Player) deal(rng *rand.PCG) {
	unknown := s.HandSize - uint8(sum(&s.Hand))
	rest := s.DeckSize + unknown
	for ; unknown > 0; unknown-- {
		x := uint8(engine.Uint32N(rng, uint32(rest)))
		rest--
		c := CardID(0)
		for ; x >= s.Deck[c]; c++ {
			x -= s.Deck[c]
		}
		s.Deck[c]--
		s.Hand[c]++
	}
	s.Holds = typesOf(&s.Hand)
}
