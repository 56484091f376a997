package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// reinforcement implements R6.1-R6.2 and D1: each player discards any number of
// hand cards, the start player first, and neither sees the other's choice before
// both are done (Q6). One type at a time in ascending order, so that each set of
// cards has one sequence.
func (g *game) reinforcement(p *position, w *flow.Witness) bool {
	s := &p.seats[p.turn]
	if s.handSize == 0 {
		g.endDiscard(p, w)
		return false
	}
	var types typeSet
	for t := len(s.hand) - 1; t >= 0; t-- {
		if s.hand[t] > s.pending[t] {
			types |= 1 << t
		}
		if s.pending[t] > 0 {
			break // nothing below the last choice
		}
	}
	return p.decide(askDiscard, p.turn, 1<<actEnd|g.cardActions(p, p.turn, types))
}

// discarding reports whether seat s has begun to discard, and the discards of both are not
// public yet.
func (p *position) discarding(s SeatID) bool {
	return p.phase == reinforcement && (s == p.start || s == p.turn)
}

// chooseDiscard carries out an action of D1.
func (g *game) chooseDiscard(p *position, w *flow.Witness, a engine.Action) {
	if a == actEnd {
		g.endDiscard(p, w)
		return
	}
	p.seats[p.turn].pending[g.cardType(p, p.turn, a)]++
}

// endDiscard goes on to the other player. After both the discards become public
// (R6.1) and are told, each player's as one (R16.10), and only now does the
// opponent's knowledge of the hand change (R16.2).
func (g *game) endDiscard(p *position, w *flow.Witness) {
	if p.turn == p.start {
		p.turn = 1 - p.start
		return
	}
	for _, i := range [numSeats]SeatID{p.start, 1 - p.start} {
		s := &p.seats[i]
		if w != nil && s.handSize > 0 { // without cards it was not asked
			w.All("discard", "R6.1", seatArg("seat", i), flow.Arg("cards", g.deckOf(p, i).list(&s.pending)))
		}
		for t, n := range s.pending {
			for range n {
				s.takeFromHand(TypeID(t))
			}
			s.discard[t] += n
		}
		s.pending = [maxTypes]uint8{}
	}
	p.phase, p.turn = reinforcementDraw, 0
}

// drawer returns who draws next in Reinforcement, noSeat if nobody does: the
// start player until done, then the other.
func (g *game) drawer(p *position) SeatID {
	for _, i := range [numSeats]SeatID{p.start, 1 - p.start} {
		if s := &p.seats[i]; s.handSize < g.box.handSize && s.pileSize() > 0 {
			return i
		}
	}
	return noSeat
}

// reinforcementDraw implements R6.3 and R1.8: each player draws up to 7 cards in
// hand. An empty pile gives nothing, and the discard never returns (Q28).
func (g *game) reinforcementDraw(p *position, w *flow.Witness) bool {
	i := g.drawer(p)
	if i == noSeat {
		p.phase = scout
		return false
	}
	if !g.topFixed(p, i, 0) {
		return true
	}
	if w != nil {
		g.tellPileCard(p, w, "draw", "R6.3", i, p.seats[i].fixed[0])
	}
	p.seats[i].drawTop()
	return false
}
