package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// use implements R7.7: seat s uses a card of its hand in one of the five ways; the
// card lies on its discard pile from this moment on.
func (g *game) use(p *position, s seatID, c cardID, w way) {
	p.seats[s].take(c)
	p.seats[s].lay(c)
	p.window = noWindow
	p.frame = frame{card: c, way: w, actor: s, target: noSeat, points: uint8(bit(w == wayDiscard2))}
}

// resolve carries the use one step further. A card resolves completely before
// anything else happens (R7.8).
func (g *game) resolve(p *position, w *flow.Witness) bool {
	f := &p.frame
	switch {
	case f.way == wayDiscard2 && f.points > 0:
		return g.askSecondDiscard(p, f)
	case f.way >= wayDiscard1:
		legal := p.offer()
		legal.AddBits(actBuy, uint64(g.affordable(p, f.actor)))
		return p.ask(askBuy, engine.Player(f.actor))
	}
	if effects := g.box.cards[f.card].ways[f.way]; int(f.effect) < len(effects) {
		return g.carryOut(p, w, f, &effects[f.effect])
	}
	p.frame = frame{target: noSeat}
	p.window = firstPlace(p.phase) // (b) of R6.5; R9.1 and R9.4 begin again
	return false
}

// affordable implements R7.3 and Q34: the types that seat s can buy, none from an empty
// stack.
func (g *game) affordable(p *position, s seatID) cardSet {
	if p.logistics[s] > g.box.minLogistics {
		return p.inStock
	}
	return p.inStock &^ g.box.paid
}

// askSecondDiscard implements R7.5 and D2.
func (g *game) askSecondDiscard(p *position, f *frame) bool {
	legal := p.offer()
	legal.AddBits(actDiscard2Second, uint64(p.seats[f.actor].holds&(^cardSet(0)<<f.card)))
	return p.ask(askSecondDiscard, engine.Player(f.actor))
}

func (g *game) chooseSecondDiscard(p *position, _ *flow.Witness, a engine.Action) {
	c, s := cardID(a-actDiscard2Second), &p.seats[p.frame.actor]
	s.take(c)
	s.lay(c)
	p.frame.points = 0
}

// buy implements R7.3, R7.4, R7.5 and D3. A card bought into the hand was seen by
// everybody (R4.4). Paying changes no hand that is drawn already (Q36). No window follows
// (R6.5).
func (g *game) buy(p *position, w *flow.Witness, a engine.Action) {
	c, me := cardID(a-actBuy), p.frame.actor
	s, cost := &p.seats[me], g.box.cards[c].cost
	p.logistics[me] -= cost
	if w != nil && cost > 0 {
		g.tellLogistics(p, w, me, -int(cost), "R7.3")
	}
	if p.stack[c]--; p.stack[c] == 0 {
		p.inStock &^= 1 << c
	}
	if p.frame.way == wayDiscard1 {
		s.lay(c)
	} else {
		s.give(c)
		s.known[c]++
	}
	p.frame = frame{target: noSeat}
}
