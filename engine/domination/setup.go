package domination

import "powderkeg/engine"

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
		g.board(&p).layStacks()
	}
	return p
}

// setUp implements R5.4 (C1, Q3), R5.6 (C2) and R-03. The types of the pool are drawn in
// ascending order, one per event: with k still to be drawn a type is the next one
// with as many chances as there are sets of k-1 types above it, so that all pools
// are equally likely and each has one order.
func (b Board) setUp() bool {
	for b.Pool.Size() < PoolSize {
		c, certain := b.onlyNextType()
		if !certain {
			return b.Put(uint8(askPool), engine.Chance)
		}
		b.drawType(c)
	}
	if b.First == NoSeat {
		return b.Put(uint8(askFirst), engine.Chance)
	}
	b.Phase = endOfGameTurn
	return false
}

// onlyNextType returns the next type of the pool if there is no choice left:
// when all types above the last one are needed.
func (b Board) onlyNextType() (CardID, bool) {
	rest := b.typesAbove()
	return rest.First(), rest.Size() == PoolSize-b.Pool.Size()
}

// typesAbove returns the types that can still come into the pool.
func (b Board) typesAbove() CardSet {
	set := b.types
	for pool := b.Pool; pool != 0; pool &= pool - 1 {
		set &= ^CardSet(0) << (pool.First() + 1)
	}
	return set
}

// poolDrawn carries out C1.
func (b Board) poolDrawn(a engine.Action) {
	b.drawType(CardID(a + 1))
}

// firstDrawn carries out C2.
func (b Board) firstDrawn(a engine.Action) {
	b.First = SeatID(a - b.outFirst)
	b.Active = b.First
	b.tell(firstPlayerDrawn, "R5.6", b.First)
}

// poolOdds returns the weight of an outcome of C1, those with type i+1.
func (b Board) poolOdds(i int) uint32 {
	return b.poolWeight(b.typesAbove(), CardID(i+1))
}

// poolWeight returns the number of pools that have c as their next type, if those above
// can still come.
func (b Board) poolWeight(above CardSet, c CardID) uint32 {
	if c >= Cards || !above.Has(c) {
		return 0
	}
	return choose((above & (^CardSet(0) << (c + 1))).Size(), PoolSize-b.Pool.Size()-1)
}

// drawType puts a type into the pool, and its stack on the table once all are
// there.
func (b Board) drawType(c CardID) {
	b.tell(typeDrawn, "R5.4", c)
	if b.Pool |= 1 << c; b.Pool.Size() == PoolSize {
		b.layStacks()
	}
}

// layStacks implements R5.5 and Q4.
func (b Board) layStacks() {
	for c := range b.Stack {
		if b.Pool.Has(CardID(c)) {
			b.Stack[c] = b.copies
		}
	}
	b.InStock = b.Pool
}
