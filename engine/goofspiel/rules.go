package goofspiel

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// due implements R1.2: the prize of a round where the order is agreed, 0 where it is drawn.
func (g *game) due(round int) uint8 {
	switch g.order {
	case "descending":
		return g.cards - uint8(round)
	case "ascending":
		return uint8(round) + 1
	}
	return 0
}

// left implements R1.1: the prizes that are not turned up yet, bit n for prize n.
func (g *game) left(p *Position) uint16 {
	set := g.all
	for _, prize := range p.Prizes[:p.Turned] {
		set &^= 1 << prize
	}
	return set
}

// hand implements R1.1 and R2.1: the cards that a seat still holds, bit n for card n.
func (g *game) hand(p *Position, seat int) uint16 {
	set := g.all
	for _, card := range p.Seats[seat].Cards[:p.Seats[seat].Made] {
		set &^= 1 << card
	}
	return set
}

// prizeOdds implements R1.2: each prize that is left is as likely.
func (g *game) prizeOdds(p *Position, i int) uint32 { return uint32(g.left(p)>>(i+1)) & 1 }

// draw implements R1.2.
func (g *game) draw(p *Position, w *flow.Witness, a engine.Action) { p.begin(w, uint8(a)+1) }

// turnUp implements R1.2 and R-01 where there is nothing to draw: the order is agreed, or one
// prize is left.
func (g *game) turnUp(p *Position, w *flow.Witness) {
	prize := g.due(int(p.Turned))
	if prize == 0 {
		prize = uint8(bits.TrailingZeros16(g.left(p)))
	}
	p.begin(w, prize)
}

// begin implements R1.2: a round begins with its prize.
func (p *Position) begin(w *flow.Witness, prize uint8) {
	p.Prizes[p.Turned] = prize
	p.Turned++
	if w != nil {
		w.All("round", "R1.2", flow.Arg("round", int(p.Turned)), flow.Arg("prize", int(prize)))
	}
}

// bidder implements R2.1: the seat that has not bid in this round.
func (p *Position) bidder() int { return int(p.Seats[0].Made - p.Scored) }

// bid implements R2.1.
func (g *game) bid(p *Position, w *flow.Witness, a engine.Action) {
	own := &p.Seats[p.bidder()]
	own.Cards[own.Made] = uint8(a) + 1
	own.Made++
	if p.Seats[1].Made == p.Scored {
		return // seat 1 is still to bid
	}
	p.score()
	if w != nil {
		g.tellRound(p, w)
	}
}

// score implements R2.2: it ends a round in which both have bid.
func (p *Position) score() {
	i := p.Scored
	first, second := p.Seats[0].Cards[i], p.Seats[1].Cards[i]
	switch {
	case first > second:
		p.Won[i] = 0
	case second > first:
		p.Won[i] = 1
	default:
		p.Won[i] = tie
	}
	p.Scored++
}

// points implements R2.2: what a seat has scored.
func (p *Position) points(seat int) int {
	sum := 0
	for i, winner := range p.Won[:p.Scored] {
		if int(winner) == seat {
			sum += int(p.Prizes[i])
		}
	}
	return sum
}

// State is one game in progress.
type State struct {
	flow.State[*game, Position, actionSet]
}

// Returns implements engine.State and R3.1.
func (s *State) Returns(dst []float32) []float32 {
	if s.P.Scored < s.G.cards {
		return append(dst, 0, 0)
	}
	lead := float32(s.P.points(0)-s.P.points(1)) / 2
	if !s.G.difference {
		lead = min(max(2*lead, -1), 1)
	}
	return append(dst, lead, -lead)
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
