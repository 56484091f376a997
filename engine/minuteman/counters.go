package minuteman

import "powderkeg/engine/flow"

// blockSlot returns the lowest free slot for the counter. Militia of the three
// colours have eight slots each.
func (g *game) blockSlot(p *Position, c CounterID) UnitID {
	first, n := g.block(g.masked[c].group)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex {
			return u
		}
	}
	panic("minuteman: more units than counters")
}

// block returns the slots that units of a group take.
func (g *game) block(gr group) (first, n UnitID) {
	if gr >= armored && gr <= marine {
		return armyFirst, 24
	}
	return milFirst + UnitID(g.groupFirst[gr]), UnitID(g.groupSize[gr])
}

// groupOf returns the visible type of a Militia or Army on the map.
func (g *game) groupOf(p *Position, u UnitID) group {
	return g.masked[p.Counter[u-milFirst]&^hiddenCounter].group
}

// fullSet is the set of all counters of a group.
func (g *game) fullSet(gr group) uint16 { return 1<<g.groupSize[gr] - 1 }

// openCounters is the set of counters of a group that lie revealed on the map.
func (g *game) openCounters(p *Position, gr group) uint16 {
	var set uint16
	for i := range p.Counter {
		u := UnitID(milFirst + i)
		if p.Units[u].Hex != noHex && p.Units[u].Marks&untried == 0 && g.masked[p.Counter[i]].group == gr {
			set |= 1 << (p.Counter[i] - g.groupFirst[gr])
		}
	}
	return set
}

// pile is the set of counters of Militia and Army that are in their piles: neither
// on the map nor drawn.
func (g *game) pile(p *Position) counterSet {
	set := g.allCounters
	for i, c := range p.Counter {
		if p.Units[milFirst+i].Hex != noHex {
			set.del(c)
		}
	}
	for _, c := range p.Queue[:p.Queued] {
		set.del(c)
	}
	return set
}

// drawable is the set of counters that may be drawn now (C1, C7, C17).
func (g *game) drawable(p *Position) counterSet {
	set := g.pile(p)
	for gr := range numGroups {
		if !p.Draw.Groups.has(gr) {
			set.remove(&g.groupSet[gr])
		}
	}
	return set
}

// onMap returns how many units of a group stand on the map.
func (g *game) groupCount(p *Position, gr group) int {
	n := 0
	for u := p.OnMap.next(milFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if g.groupOf(p, u) == gr {
			n++
		}
	}
	return n
}

// groupLeft reports whether a group has a counter off the map; it needs no look at
// hidden counters.
func (g *game) groupLeft(p *Position, gr group) bool {
	return g.groupCount(p, gr) < int(g.groupSize[gr])
}

// reveal implements R19: an untried unit shows its counter for good, and no
// other unit can be it.
func (g *game) reveal(p *Position, w *flow.Witness, u UnitID) {
	if p.Units[u].Marks&untried == 0 {
		return
	}
	p.Units[u].Marks &^= untried
	c := p.Counter[u-milFirst]
	gr := g.masked[c].group
	bit := uint16(1) << (c - g.groupFirst[gr])
	for i := range p.Cand {
		if v := UnitID(milFirst + i); p.Units[v].Hex != noHex && p.Units[v].Marks&untried != 0 && g.groupOf(p, v) == gr {
			p.Cand[i] &^= bit
		}
	}
	p.Cand[u-milFirst] = 0
	if w != nil {
		m := &g.masked[c]
		w.All("revealed", "R19", g.unitArg(u), g.hexArg(p.Units[u].Hex), flow.Arg("counter", m.id), number("attack", m.attack),
			number("defence", m.defence))
	}
}
