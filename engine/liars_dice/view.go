package liarsdice

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

// Blank implements flow.Rules, R1.1 and R3.1: the dice of the others are hidden until the
// call.
func (g *game) Blank(p *Position, seat engine.Player) {
	if p.Actor != seat {
		p.Offer() // what others may choose stands in their own views
	}
	if p.Called {
		return
	}
	own := p.Dice[seat]
	p.Dice = [maxSeats][maxFaces]uint8{}
	p.Dice[seat] = own
}

// Redeal implements engine.Hidden: the others roll again.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G, s.P = view.G, view.P
	if s.P.Called {
		return
	}
	for seat := range s.G.seats {
		if engine.Player(seat) == view.Seat {
			continue
		}
		for range s.G.due(&s.P, seat) {
			s.P.Dice[seat][engine.Uint32N(rng, uint32(s.G.faces))]++
		}
	}
	s.Settle() // the view lacks what another seat may choose
}

// Shows implements flow.Rules and R1.1: a die is seen by the seat that rolls it.
func (g *game) Shows(p *Position, seat engine.Player, _ engine.Action) bool {
	return p.Ask != askRoll || seat == g.roller(p)
}

// InfoState implements engine.Recaller.
func (s *State) InfoState(dst []byte, seat engine.Player) []byte {
	return s.G.infoState(dst, &s.P, seat)
}

// InfoState implements engine.Recaller.
func (s *View) InfoState(dst []byte, seat engine.Player) []byte {
	return s.G.infoState(dst, &s.P, seat)
}

// infoState appends a key such as "0:35|??:1-3 2-5": the seat, the dice that it sees by
// seat, and the bids. The order in which dice were rolled is no part of a position.
func (g *game) infoState(dst []byte, p *Position, seat engine.Player) []byte {
	dst = append(dst, '0'+byte(seat))
	for other := range g.seats {
		dst = append(dst, ":|"[min(other, 1)])
		if engine.Player(other) == seat || p.Called {
			for f, n := range p.Dice[other] {
				for range n {
					dst = append(dst, '1'+byte(f))
				}
			}
			continue
		}
		for range g.due(p, other) {
			dst = append(dst, '?')
		}
	}
	for i, b := range p.Bids[:p.Made] {
		dst = append(append(dst, ": "[min(i, 1)]), g.spec.Actions[b]...)
	}
	if p.Called {
		dst = append(dst, " Liar"...)
	}
	return dst
}

// Seats returns the number of seats.
func (s *View) Seats() int { return s.G.seats }

// DicePerSeat returns the number of dice that each seat rolls.
func (s *View) DicePerSeat() int { return int(s.G.dice) }

// Faces returns the number of faces of a die.
func (s *View) Faces() int { return int(s.G.faces) }

// Dice returns how many dice of a seat show each face, from the lowest: none of those that
// are hidden. The slice belongs to the view, here and below.
func (s *View) Dice(seat engine.Player) []uint8 { return s.P.Dice[seat][:s.G.faces] }

// Bids returns the bids, the first one first. Seat 0 begins, and the seats bid in turn.
func (s *View) Bids() []Bid { return s.P.Bids[:s.P.Made] }

// Called reports whether the last bidder was called a liar, so that the game is over.
func (s *View) Called() bool { return s.P.Called }

// Unrank returns the quantity and the face that a bid names.
func (s *View) Unrank(b Bid) (quantity int, face Face) {
	n, face := s.G.unrank(b)
	return int(n), face
}

// Counts reports whether a die that shows a face counts for a bid of another.
func (s *View) Counts(die, bid Face) bool { return s.G.counts(die, bid) }

// IsBid reports whether an action is a bid, and not the call.
func (s *View) IsBid(a engine.Action) bool { return a != s.G.liar }
