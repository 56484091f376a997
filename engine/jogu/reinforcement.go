package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// reinforcement implements R6.1-R6.2 and D1: each player discards any number of
// hand cards, the start player first, and neither sees the other's choice before
// both are done (Q6). One type at a time in ascending order, so that each set of
// cards has one sequence.
func (g *game) reinforcement(p *Position, w *flow.Witness) bool {
	s := &p.Seats[p.Turn]
	if s.HandSize == 0 {
		g.endDiscard(p, w)
		return false
	}
	var types typeSet
	for t := len(s.Hand) - 1; t >= 0; t-- {
		if s.Hand[t] > s.Pending[t] {
			types |= 1 << t
		}
		if s.Pending[t] > 0 {
			break // nothing below the last choice
		}
	}
	return p.decide(DiscardDecision, p.Turn, 1<<ActEnd|g.cardActions(p, p.Turn, types))
}

// discarding reports whether seat s has begun to discard, and the discards of both are not
// public yet.
func (p *Position) discarding(s SeatID) bool {
	return p.Phase == reinforcement && (s == p.Start || s == p.Turn)
}

// chooseDiscard carries out an action of D1.
func (g *game) chooseDiscard(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActEnd {
		g.endDiscard(p, w)
		return
	}
	p.Seats[p.Turn].Pending[g.cardType(p, p.Turn, a)]++
}

// endDiscard goes on to the other player. After both the discards become public
// (R6.1) and are told, each player's as one (R16.10), and only now does the
// opponent's knowledge of the hand change (R16.2).
func (g *game) endDiscard(p *Position, w *flow.Witness) {
	if p.Turn == p.Start {
		p.Turn = 1 - p.Start
		return
	}
	for _, i := range [numSeats]SeatID{p.Start, 1 - p.Start} {
		s := &p.Seats[i]
		if w != nil && s.HandSize > 0 { // without cards it was not asked
			w.All("discard", "R6.1", seatArg("seat", i), flow.Arg("cards", g.deckOf(p, i).list(&s.Pending)))
		}
		for t, n := range s.Pending {
			for range n {
				s.takeFromHand(TypeID(t))
			}
			s.Discard[t] += n
		}
		s.Pending = [Types]uint8{}
	}
	p.Phase, p.Turn = reinforcementDraw, 0
}

// drawer returns who draws next in Reinforcement, NoSeat if nobody does: the
// start player until done, then the other.
func (g *game) drawer(p *Position) SeatID {
	for _, i := range [numSeats]SeatID{p.Start, 1 - p.Start} {
		if s := &p.Seats[i]; s.HandSize < g.box.handSize && s.PileSize() > 0 {
			return i
		}
	}
	return NoSeat
}

// reinforcementDraw implements R6.3 and R1.8: each player draws up to 7 cards in
// hand. An empty pile gives nothing, and the discard never returns (Q28).
func (g *game) reinforcementDraw(p *Position, w *flow.Witness) bool {
	i := g.drawer(p)
	if i == NoSeat {
		p.Phase = scout
		return false
	}
	if !g.topFixed(p, i, 0) {
		return true
	}
	if w != nil {
		g.tellPileCard(p, w, "draw", "R6.3", i, p.Seats[i].Fixed[0])
	}
	p.Seats[i].drawTop()
	return false
}
