package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// newPosition implements R5.1, R5.2, R5.3 and R5.7: an empty map, tokens at their
// starts, and the same cards for everybody, which need no shuffle (C3). But for the
// First Player all seats are alike (R11.4). Nobody has Forces (Q11) or VPs (Q9). What the
// options leave to the lot follows in setUp.
func (g *game) newPosition(pool CardSet, first SeatID) Position {
	p := Position{
		Pool: pool, First: first, Active: first, Window: noWindow,
		Frame: Frame{Target: NoSeat},
	}
	for i := range p.Seats[:g.seats] {
		s := &p.Seats[i]
		p.Logistics[i] = g.box.startLogistics
		s.Deck[domination], s.DeckSize = g.box.starters, g.box.starters
	}
	if pool.Size() == PoolSize {
		g.layStacks(&p)
	}
	return p
}

// setUp implements R5.4 (C1, Q3), R5.6 (C2) and R-03. The types of the pool are drawn in
// ascending order, one per event: with k still to be drawn a type is the next one
// with as many chances as there are sets of k-1 types above it, so that all pools
// are equally likely and each has one order.
func (g *game) setUp(p *Position, w *flow.Witness) bool {
	for p.Pool.Size() < PoolSize {
		c, certain := g.onlyNextType(p)
		if !certain {
			return p.Put(uint8(askPool), engine.Chance)
		}
		g.drawType(p, w, c)
	}
	if p.First == NoSeat {
		return p.Put(uint8(askFirst), engine.Chance)
	}
	p.Phase = endOfGameTurn
	return false
}

// onlyNextType returns the next type of the pool if there is no choice left:
// when all types above the last one are needed.
func (g *game) onlyNextType(p *Position) (CardID, bool) {
	rest := g.typesAbove(p)
	return rest.First(), rest.Size() == PoolSize-p.Pool.Size()
}

// typesAbove returns the types that can still come into the pool.
func (g *game) typesAbove(p *Position) CardSet {
	set := g.types
	for pool := p.Pool; pool != 0; pool &= pool - 1 {
		set &= ^CardSet(0) << (pool.First() + 1)
	}
	return set
}

// poolDrawn carries out C1.
func (g *game) poolDrawn(p *Position, w *flow.Witness, a engine.Action) {
	g.drawType(p, w, CardID(a+1))
}

// firstDrawn carries out C2.
func (g *game) firstDrawn(p *Position, w *flow.Witness, a engine.Action) {
	p.First = SeatID(a - g.outFirst)
	p.Active = p.First
	if w != nil {
		w.All("first_player", "R5.6", flow.Arg("seat", int(p.First)))
	}
}

// poolOdds returns the weight of an outcome of C1, those with type i+1.
func (g *game) poolOdds(p *Position, i int) uint32 {
	return g.poolWeight(p, g.typesAbove(p), CardID(i+1))
}

// poolWeight returns the number of pools that have c as their next type, if those above
// can still come.
func (g *game) poolWeight(p *Position, above CardSet, c CardID) uint32 {
	if c >= Cards || !above.Has(c) {
		return 0
	}
	return choose((above & (^CardSet(0) << (c + 1))).Size(), PoolSize-p.Pool.Size()-1)
}

// drawType puts a type into the pool, and its stack on the table once all are
// there.
func (g *game) drawType(p *Position, w *flow.Witness, c CardID) {
	if w != nil {
		w.All("pool", "R5.4", flow.Arg("card", g.box.Cards[c].Name))
	}
	if p.Pool |= 1 << c; p.Pool.Size() == PoolSize {
		g.layStacks(p)
	}
}

// layStacks implements R5.5 and Q4.
func (g *game) layStacks(p *Position) {
	for c := range p.Stack {
		if p.Pool.Has(CardID(c)) {
			p.Stack[c] = g.copies
		}
	}
	p.InStock = p.Pool
}
