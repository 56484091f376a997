package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// newPosition implements R5.1, R5.2, R5.3 and R5.7: an empty map, tokens at their
// starts, and the same cards for everybody, which need no shuffle (C3). But for the
// First Player all seats are alike (R11.4). Nobody has Forces (Q11) or VPs (Q9). What the
// options leave to the lot follows in setUp.
func (g *game) newPosition(pool cardSet, first seatID) position {
	p := position{
		pool: pool, first: first, active: first, window: noWindow,
		frame: frame{target: noSeat},
	}
	for i := range p.seats[:g.seats] {
		s := &p.seats[i]
		p.logistics[i] = g.box.startLogistics
		s.deck[domination], s.deckSize = g.box.starters, g.box.starters
	}
	if pool.size() == poolSize {
		g.layStacks(&p)
	}
	return p
}

// setUp implements R5.4 (C1, Q3), R5.6 (C2) and R-03. The types of the pool are drawn in
// ascending order, one per event: with k still to be drawn a type is the next one
// with as many chances as there are sets of k-1 types above it, so that all pools
// are equally likely and each has one order.
func (g *game) setUp(p *position, w *flow.Witness) bool {
	for p.pool.size() < poolSize {
		c, certain := g.onlyNextType(p)
		if !certain {
			return p.ask(askPool, engine.Chance)
		}
		g.drawType(p, w, c)
	}
	if p.first == noSeat {
		return p.ask(askFirst, engine.Chance)
	}
	p.phase = endOfGameTurn
	return false
}

// onlyNextType returns the next type of the pool if there is no choice left:
// when all types above the last one are needed.
func (g *game) onlyNextType(p *position) (cardID, bool) {
	rest := g.typesAbove(p)
	return rest.first(), rest.size() == poolSize-p.pool.size()
}

// typesAbove returns the types that can still come into the pool.
func (g *game) typesAbove(p *position) cardSet {
	set := g.types
	for pool := p.pool; pool != 0; pool &= pool - 1 {
		set &= ^cardSet(0) << (pool.first() + 1)
	}
	return set
}

// poolDrawn carries out C1.
func (g *game) poolDrawn(p *position, w *flow.Witness, a engine.Action) {
	g.drawType(p, w, cardID(a+1))
}

// firstDrawn carries out C2.
func (g *game) firstDrawn(p *position, w *flow.Witness, a engine.Action) {
	p.first = seatID(a - g.outFirst)
	p.active = p.first
	if w != nil {
		w.All("first_player", "R5.6", flow.Arg("seat", int(p.first)))
	}
}

// poolOdds returns the weight of an outcome of C1, those with type i+1.
func (g *game) poolOdds(p *position, i int) uint32 {
	return g.poolWeight(p, g.typesAbove(p), cardID(i+1))
}

// poolWeight returns the number of pools that have c as their next type, if those above
// can still come.
func (g *game) poolWeight(p *position, above cardSet, c cardID) uint32 {
	if c >= numCards || !above.has(c) {
		return 0
	}
	return choose((above & (^cardSet(0) << (c + 1))).size(), poolSize-p.pool.size()-1)
}

// drawType puts a type into the pool, and its stack on the table once all are
// there.
func (g *game) drawType(p *position, w *flow.Witness, c cardID) {
	if w != nil {
		w.All("pool", "R5.4", flow.Arg("card", g.box.cards[c].name))
	}
	if p.pool |= 1 << c; p.pool.size() == poolSize {
		g.layStacks(p)
	}
}

// layStacks implements R5.5 and Q4.
func (g *game) layStacks(p *position) {
	for c := range p.stack {
		if p.pool.has(cardID(c)) {
			p.stack[c] = g.copies
		}
	}
	p.inStock = p.pool
}
