package goofspiel

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game. It implements engine.Teller and engine.Recaller.
type View struct {
	flow.View[*game, Position, actionSet]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules, R2.1 and R2.3: the other's bid of this round is face down, and
// so are all its earlier ones where bids are hidden.
func (g *game) Blank(p *Position, seat engine.Player) {
	if p.Actor != seat {
		p.Offer() // what others may choose stands in their own views
	}
	from := 0
	if g.shown {
		from = int(p.Scored)
	}
	clear(p.Seats[1-seat].Cards[from:])
}

// Redeal implements engine.Hidden: the other has bid other cards, in any way in which the same
// rounds are won.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G, s.P = view.G, view.P
	if view.Seat == engine.Everything {
		return
	}
	s.G.redeal(&s.P, int(view.Seat), rng)
	s.Settle() // the view lacks what another seat may choose
}

// Shows implements flow.Rules and R2.1: a bid is seen by the seat that makes it.
func (g *game) Shows(p *Position, seat engine.Player, _ engine.Action) bool {
	return p.Ask != askBid || seat == p.Actor
}

// Veil implements flow.Veiler: everybody sees that there is a bid.
func (g *game) Veil(*Position, engine.Action) string { return "bids a card, face down" }

// InfoState implements engine.Recaller.
func (s *State) InfoState(dst []byte, seat engine.Player) []byte {
	return s.G.infoState(dst, &s.P, seat)
}

// InfoState implements engine.Recaller.
func (s *View) InfoState(dst []byte, seat engine.Player) []byte {
	return s.G.infoState(dst, &s.P, seat)
}

// infoState appends a key such as "0:43:21:1-": the seat, the prizes, its bids, who has won
// each, and where bids are shown those of the other. Cards above 9 are A to D.
func (g *game) infoState(dst []byte, p *Position, seat engine.Player) []byte {
	const digits = "0123456789ABCD"
	dst = append(dst, '0'+byte(seat), ':')
	for _, prize := range p.Prizes[:p.Turned] {
		dst = append(dst, digits[prize])
	}
	dst = append(dst, ':')
	for _, card := range p.Seats[seat].Cards[:p.Seats[seat].Made] {
		dst = append(dst, digits[card])
	}
	dst = append(dst, ':')
	for _, winner := range p.Won[:p.Scored] {
		if winner == tie {
			dst = append(dst, '-')
		} else {
			dst = append(dst, '0'+winner)
		}
	}
	if g.shown {
		dst = append(dst, ':')
		for _, card := range p.Seats[1-seat].Cards[:p.Scored] {
			dst = append(dst, digits[card])
		}
	}
	return dst
}

// Cards returns the number of cards of each seat, and of prizes.
func (s *View) Cards() int { return int(s.G.cards) }

// Prizes returns the prizes that were turned up, the last one being bid for unless its round
// is over. The slice belongs to the view, here and below.
func (s *View) Prizes() []uint8 { return s.P.Prizes[:s.P.Turned] }

// Rounds returns how many rounds are over.
func (s *View) Rounds() int { return int(s.P.Scored) }

// Bids returns the bids of a seat by round, 0 for one that is hidden.
func (s *View) Bids(seat engine.Player) []uint8 { return s.P.Seats[seat].Cards[:s.P.Seats[seat].Made] }

// Winner returns the seat that has won the prize of a round, -1 after a tie.
func (s *View) Winner(round int) int {
	if w := s.P.Won[round]; w != tie {
		return int(w)
	}
	return -1
}

// Points returns what a seat has scored.
func (s *View) Points(seat engine.Player) int { return s.P.points(int(seat)) }

// Holds reports whether a seat holds a card, for all that the view knows: of a seat whose bids
// are hidden it may hold all.
func (s *View) Holds(seat engine.Player, card int) bool {
	return s.G.hand(&s.P, int(seat))>>card&1 != 0
}

// Left reports whether a prize is still to be turned up.
func (s *View) Left(prize int) bool { return s.G.left(&s.P)>>prize&1 != 0 }
