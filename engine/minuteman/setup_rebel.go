package minuteman

import "powderkeg/engine/flow"

// chitStep is what one of the Rebel's chits is for (C2).
type chitStep uint8

const (
	chitMinutemen chitStep = iota
	chitRow
	chitSecondRow
	chitMoreRows
)

const partisanNets = 11 // R25.2

// setUpChits implements R22.1 and R25.2: one chit for the Minutemen, two for rows
// of Networks, and in the Partisan scenario more until there are eleven.
func (g *game) setUpChits(p *Position) bool {
	if p.SetUp.Chits == chitMinutemen && p.Rows == 0 && p.Chits == ([10]uint8{}) {
		for i := range p.Chits {
			p.Chits[i] = 2
		}
	}
	if p.SetUp.Chits == chitMoreRows && (g.Scenario != Partisan || g.counted(p)[network] >= partisanNets || p.Rows == 1<<10-1) {
		p.Chits, p.Rows = [10]uint8{}, 0
		return p.nextSetUp()
	}
	return p.chance(askSetupChit)
}

// chitWeight is the weight of a number in C2: the chits that are left of it,
// without the numbers already drawn for a row.
func (g *game) chitWeight(p *Position, n int) uint32 {
	if p.SetUp.Chits >= chitSecondRow && p.Rows>>n&1 != 0 {
		return 0
	}
	return uint32(p.Chits[n])
}

// setUpChit implements C2 for the number n (from 0).
func (g *game) setUpChit(p *Position, w *flow.Witness, n int) {
	p.Chits[n]--
	step := p.SetUp.Chits
	if p.SetUp.Chits < chitMoreRows {
		p.SetUp.Chits++
	}
	if step == chitMinutemen {
		for i := range 10 {
			if h := g.events[i][n]; h != noHex && g.open.has(h) && g.roomFor(p, minuteman, false, h) > 0 {
				g.add(p, w, g.setUpRule(), minuteman, 1, h)
			}
		}
		return
	}
	p.Rows |= 1 << n
	for _, h := range g.events[n] {
		if h == noHex || !g.open.has(h) || step == chitMoreRows && g.counted(p)[network] >= partisanNets {
			continue
		}
		g.newNetwork(p, w, g.setUpRule(), 1, h) // a hex named twice holds one only (Ruling 7)
	}
}

// convertNext finds the next piece to be diced for (C3): R23 (Uncoordinated) the
// Minutemen, R27.1 Divisions, Networks and Minutemen, each in order of hexes. A
// piece that has been diced for bears a mark.
func (g *game) convertNext(p *Position) bool {
	if u := g.toConvert(p); u != noUnit {
		return p.chance(askConvert)
	}
	if g.setUpOp(p) == opInformers || p.SetUp.Diced == 2 {
		return p.nextSetUp()
	}
	p.SetUp.Diced++
	return false
}

func (g *game) toConvert(p *Position) UnitID {
	k := minuteman
	if g.setUpOp(p) == opCivil {
		k = [3]kind{army, network, minuteman}[p.SetUp.Diced]
	}
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			if g.kind[u] == k && p.Units[u].Marks&acted == 0 && (k != army || g.groupOf(p, u) <= marine) {
				return u
			}
		}
	}
	return noUnit
}

// convert implements C3.
func (g *game) convert(p *Position, w *flow.Witness, die int) {
	u := g.toConvert(p)
	h := p.Units[u].Hex
	p.Units[u].Marks |= acted
	switch k := g.kind[u]; {
	case g.setUpOp(p) == opInformers:
		if die >= 5 {
			g.eliminate(p, w, "R23", u)
			g.addInformer(p, w, "R23", h)
		}
	case k == army && die == 6:
		g.pin(p, w, "R27.1", u)
	case k == army && die >= 4:
		groups := g.militiaGroups(p, 1, h)
		if g.take(p, w, u, func() bool { return groups != 0 && g.roomFor(p, militia, false, h) > 0 }) {
			p.Draw = Draw{Groups: groups, Hex: h, Ask: askMilitia}
		}
	case k == network && die >= 5:
		g.replace(p, w, u, cig)
	case k == minuteman && die >= 5:
		g.replace(p, w, u, agent)
	}
}

// take eliminates a unit if the condition holds without it, and reports whether it
// does; otherwise the unit stays where it was in the order of arrival.
func (g *game) take(p *Position, w *flow.Witness, u UnitID, ok func() bool) bool {
	saved := *p
	g.eliminate(p, nil, "", u)
	fits := ok()
	if *p = saved; fits {
		g.eliminate(p, w, "R27.1", u)
	}
	return fits
}

// replace turns a unit into a new weak one of another kind in its hex, if a counter
// is left and it has room (R27.1).
func (g *game) replace(p *Position, w *flow.Witness, u UnitID, k kind) {
	h := p.Units[u].Hex
	if g.take(p, w, u, func() bool { return g.roomFor(p, k, false, h) > 0 && g.freeUnit(p, k, p.Gov) != noUnit }) {
		g.add(p, w, "R27.1", k, p.Gov, h)
	}
}
