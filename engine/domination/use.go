package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// use implements R7.7: seat s uses a card of its hand in one of the five ways; the
// card lies on its discard pile from this moment on.
func (g *game) use(p *Position, s SeatID, c CardID, w Way) {
	p.Seats[s].take(c)
	p.Seats[s].lay(c)
	p.Window = noWindow
	p.Frame = Frame{Card: c, Way: w, Actor: s, Target: NoSeat, Points: uint8(bit(w == Discard2Way))}
}

// resolve carries the use one step further. A card resolves completely before
// anything else happens (R7.8).
func (g *game) resolve(p *Position, w *flow.Witness) bool {
	f := &p.Frame
	switch {
	case f.Way == Discard2Way && f.Points > 0:
		return g.askSecondDiscard(p, f)
	case f.Way >= Discard1Way:
		legal := p.Offer()
		legal.AddBits(ActBuy, uint64(g.affordable(p, f.Actor)))
		return p.ask(BuyDecision, f.Actor)
	}
	if effects := g.box.Cards[f.Card].ways[f.Way]; int(f.Effect) < len(effects) {
		return g.carryOut(p, w, f, &effects[f.Effect])
	}
	p.Frame = Frame{Target: NoSeat}
	p.Window = firstPlace(p.Phase) // (b) of R6.5; R9.1 and R9.4 begin again
	return false
}

// affordable implements R7.3 and Q34: the types that seat s can buy, none from an empty
// stack.
func (g *game) affordable(p *Position, s SeatID) CardSet {
	if p.Logistics[s] > g.box.minLogistics {
		return p.InStock
	}
	return p.InStock &^ g.box.paid
}

// askSecondDiscard implements R7.5 and D2.
func (g *game) askSecondDiscard(p *Position, f *Frame) bool {
	legal := p.Offer()
	legal.AddBits(ActDiscard2Second, uint64(p.Seats[f.Actor].Holds&(^CardSet(0)<<f.Card)))
	return p.ask(SecondDiscardDecision, f.Actor)
}

func (g *game) chooseSecondDiscard(p *Position, _ *flow.Witness, a engine.Action) {
	c, s := CardID(a-ActDiscard2Second), &p.Seats[p.Frame.Actor]
	s.take(c)
	s.lay(c)
	p.Frame.Points = 0
}

// buy implements R7.3, R7.4, R7.5 and D3. A card bought into the hand was seen by
// everybody (R4.4). Paying changes no hand that is drawn already (Q36). No window follows
// (R6.5).
func (g *game) buy(p *Position, w *flow.Witness, a engine.Action) {
	c, me := CardID(a-ActBuy), p.Frame.Actor
	s, cost := &p.Seats[me], g.box.Cards[c].Cost
	p.Logistics[me] -= cost
	if w != nil && cost > 0 {
		g.tellLogistics(p, w, me, -int(cost), "R7.3")
	}
	if p.Stack[c]--; p.Stack[c] == 0 {
		p.InStock &^= 1 << c
	}
	if p.Frame.Way == Discard1Way {
		s.lay(c)
	} else {
		s.give(c)
		s.Known[c]++
	}
	p.Frame = Frame{Target: NoSeat}
}
