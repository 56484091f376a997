package minuteman

import (
	"math/bits"

	"powderkeg/engine/flow"
)

func trailing(w uint64) int { return bits.TrailingZeros64(w) }

// put places a unit in a hex, behind the units that are there (R3.4).
func (p *Position) put(u UnitID, h HexID) {
	x := &p.Units[u]
	x.Hex, x.Next = h, noUnit
	p.OnMap.add(u)
	if p.Head[h] == noUnit {
		p.Head[h] = u
		p.Occupied.add(h)
		return
	}
	last := p.Head[h]
	for p.Units[last].Next != noUnit {
		last = p.Units[last].Next
	}
	p.Units[last].Next = u
}

// take lifts a unit off its hex. Its marks and step stay.
func (p *Position) take(u UnitID) {
	x := &p.Units[u]
	h := x.Hex
	if p.Head[h] == u {
		p.Head[h] = x.Next
		if x.Next == noUnit {
			p.Occupied.del(h)
		}
	} else {
		before := p.Head[h]
		for p.Units[before].Next != u {
			before = p.Units[before].Next
		}
		p.Units[before].Next = x.Next
	}
	x.Hex, x.Next = noHex, noUnit
	p.OnMap.del(u)
}

// carry moves a unit to another hex. R10.2: what a Minuteman has used up in its
// hex is forgotten when it leaves. kind and rule tell how it goes.
func (g *game) carry(p *Position, w *flow.Witness, kind, rule string, u UnitID, h HexID) {
	if w != nil {
		w.All(kind, rule, g.unitArg(u), flow.Arg("from", g.hexes[p.Units[u].Hex].id), flow.Arg("to", g.hexes[h].id))
	}
	p.take(u)
	if g.kind[u] == minuteman {
		p.Units[u].Marks &^= fought
	}
	p.put(u, h)
	g.enterCountry(p, w, u, h)
}

// eliminate implements R1.6: the counter goes back to its pile at once.
func (g *game) eliminate(p *Position, w *flow.Witness, rule string, u UnitID) {
	if w != nil {
		w.All("eliminated", rule, g.unitArg(u), g.hexArg(p.Units[u].Hex))
	}
	p.take(u)
	p.Units[u].Marks, p.Units[u].Step = 0, 0
	if i := int(u) - milFirst; i >= 0 && i < numMasked {
		p.Counter[i], p.Cand[i] = 0, 0
	}
}

// add places a new unit of the kind for a seat: the lowest free counter. It
// returns noUnit if none is left (R1.6).
func (g *game) add(p *Position, w *flow.Witness, rule string, k kind, seat SeatID, h HexID) UnitID {
	u := g.freeUnit(p, k, seat)
	if u == noUnit {
		return noUnit
	}
	p.Units[u].Marks, p.Units[u].Step = 0, 0
	if k == cig {
		p.Units[u].Step = 1
	}
	g.appear(p, w, rule, u, h)
	return u
}

// appear puts a new unit on the map.
func (g *game) appear(p *Position, w *flow.Witness, rule string, u UnitID, h HexID) {
	p.put(u, h)
	if w != nil {
		g.tellPlaced(p, w, rule, u)
	}
	g.enterCountry(p, w, u, h)
}

// freeUnit returns the lowest free counter of the kind that the seat may use.
func (g *game) freeUnit(p *Position, k kind, seat SeatID) UnitID {
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex && (g.colour[u] == 0 || g.Seats == 2 || g.colour[u] == seat) {
			return u
		}
	}
	return noUnit
}

// kindRange returns the slots of a kind; Militia and Army of all countries.
// Ruling 21: ten CIGs.
func kindRange(k kind) (first, n UnitID) {
	switch k {
	case network:
		return netFirst, numNets
	case minuteman:
		return mmFirst, numMM
	case militia:
		return milFirst, numMil
	case army:
		return armyFirst, numArmy
	case agent:
		return agtFirst, numAgts
	default:
		return cigFirst, numCIGs
	}
}

// addMasked places counter c untried in the lowest free slot of its block, which
// has one since the counter was in its pile (R19).
func (g *game) addMasked(p *Position, w *flow.Witness, rule string, c CounterID, h HexID, m mark) UnitID {
	gr := g.masked[c].group
	u := g.blockSlot(p, c)
	i := u - milFirst
	p.Counter[i] = c
	p.Cand[i] = g.fullSet(gr) &^ g.openCounters(p, gr)
	p.Units[u].Marks, p.Units[u].Step = untried|m, 0
	g.appear(p, w, rule, u, h)
	return u
}

// strengthen sets the step of a unit.
func (g *game) strengthen(p *Position, w *flow.Witness, rule string, u UnitID, step uint8) {
	if p.Units[u].Step = step; w != nil {
		w.All("step", rule, g.unitArg(u), g.hexArg(p.Units[u].Hex), flow.Arg("step", g.stepWord(u, step)))
	}
}

// pin pins an Army.
func (g *game) pin(p *Position, w *flow.Witness, rule string, u UnitID) {
	if p.Units[u].Marks |= pinned; w != nil {
		w.All("pinned", rule, g.unitArg(u), g.hexArg(p.Units[u].Hex))
	}
}

// isRebel reports whether a unit is on the Rebels' side of the counter sheet or held
// by a Rebel (R30.1).
func (g *game) isRebel(p *Position, u UnitID) bool {
	return u < armyFirst || u < agtFirst && p.Units[u].Marks&rebelHeld != 0
}

// owner returns the seat of a unit.
func (g *game) owner(p *Position, u UnitID) SeatID {
	if !g.isRebel(p, u) {
		return p.Gov
	}
	switch {
	case g.Seats == 2:
		return 1
	case g.colour[u] > 0:
		return g.colour[u]
	}
	return p.Foreign.Seat // a Foreign Division of his (R28.11)
}

// team implements R28.6 (a federalized Rebel is on the Government's side).
func (p *Position) team(seat SeatID) team {
	if seat == p.Gov || seat == p.Fed {
		return governmentTeam
	}
	return rebelTeam
}

// teamOf is the team of a Network, Minuteman or Militia.
func (g *game) teamOf(p *Position, u UnitID) team {
	if p.Fed != noSeat && g.colour[u] == p.Fed {
		return governmentTeam
	}
	return rebelTeam
}

// limit implements the per-hex limits of R1.3, R20.4 and R25.5.
func (g *game) limit(p *Position, k kind) int {
	switch k {
	case minuteman, agent:
		return 3
	case militia:
		if p.RevTurn > 0 {
			return 3
		}
		return int(g.sc.MilitiaStack)
	}
	return 1
}

const hexLimit = 6 // R1.7

// roomFor implements R1.7: how many more units of the kind fit into a hex. held
// tells for an Army whether a Rebel holds it: each side may have one (Ruling 23).
func (g *game) roomFor(p *Position, k kind, held bool, h HexID) int {
	total, same := 0, 0
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		total++
		if g.kind[u] == k && (k != army || (p.Units[u].Marks&rebelHeld != 0) == held) {
			same++
		}
	}
	return max(0, min(hexLimit-total, g.limit(p, k)-same))
}

// fits reports whether a unit that stands elsewhere may stand in the hex.
func (g *game) fits(p *Position, u UnitID, h HexID) bool {
	if p.Head[h] == noUnit {
		return true
	}
	return g.roomFor(p, g.kind[u], p.Units[u].Marks&rebelHeld != 0, h) > 0
}

// classOf implements R3.4.
func (g *game) classOf(p *Position, u UnitID) class {
	x := &p.Units[u]
	hid := x.Marks&underground != 0
	switch g.kind[u] {
	case network:
		if hid {
			return networkUnderground
		}
		return networkWeak + class(x.Step)
	case minuteman:
		c := minutemanWeak + class(x.Step)
		if hid {
			c += 2
		}
		return c
	case militia:
		c := militiaOne
		for v := p.Head[x.Hex]; v != u; v = p.Units[v].Next {
			if g.kind[v] == militia {
				c++
			}
		}
		return c
	case army:
		return anArmy
	case cig:
		return aCIG
	}
	return agentWeak + class(x.Step)
}

// find returns the first unit of a class in the hex that the set holds, noUnit if
// there is none.
func (g *game) find(p *Position, set *unitSet, h HexID, c class) UnitID {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if set.has(u) && g.classOf(p, u) == c {
			return u
		}
	}
	return noUnit
}

// first returns the first unit of a kind in a hex, noUnit if there is none.
func (g *game) first(p *Position, k kind, h HexID) UnitID {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == k {
			return u
		}
	}
	return noUnit
}

// vacant implements R3.3: no unit of either side is in the hex; markers do not count.
func (p *Position) vacant(h HexID) bool { return p.Head[h] == noUnit }

// armyIn returns the Army of a side in a hex, noUnit if there is none.
func (g *game) armyIn(p *Position, held bool, h HexID) UnitID {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == army && (p.Units[u].Marks&rebelHeld != 0) == held {
			return u
		}
	}
	return noUnit
}

// contents is what stands in a hex, seen from one pass over its units.
type contents struct {
	count                            [numKinds]uint8
	govArmy, heldArmy, rebel, govern bool
}

func (g *game) look(p *Position, h HexID) contents {
	var c contents
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		c.count[g.kind[u]]++
		switch {
		case g.kind[u] == army && g.isRebel(p, u):
			c.heldArmy, c.rebel = true, true
		case g.kind[u] == army:
			c.govArmy, c.govern = true, true
		case u < armyFirst:
			c.rebel = true
		default:
			c.govern = true
		}
	}
	return c
}

// counted returns how many units of each kind are on the map, Army of both sides
// together.
func (g *game) counted(p *Position) (n [numKinds]int) {
	for u := p.OnMap.next(0); u != noUnit; u = p.OnMap.next(u + 1) {
		n[g.kind[u]]++
	}
	return n
}
