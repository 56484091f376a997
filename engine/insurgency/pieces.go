package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// militiaAt returns the militia in a space, in whatever state (R3.1).
func (p *position) militiaAt(i uint8) uint8 { return p.spaces[i].Sleepers + p.spaces[i].Active }

// units returns the agents or militia of a side in a space.
func (p *position) units(side, i uint8) uint8 {
	if side == federal {
		return p.spaces[i].Agents
	}
	return p.militiaAt(i)
}

// bases returns the bases of a side in a space.
func (p *position) bases(side, i uint8) uint8 {
	if side == federal {
		return p.spaces[i].FederalBases
	}
	return p.spaces[i].RebelBases
}

// unitOf and baseOf name the kinds of piece of a side.
func unitOf(side uint8) pieceKind {
	if side == federal {
		return agent
	}
	return militia
}

func baseOf(side uint8) pieceKind {
	if side == federal {
		return federalBase
	}
	return rebelBase
}

// stock returns the pieces of a kind that are not on the map (R1.1).
func (g *game) stock(p *position, k pieceKind) uint8 { return g.box.limits[k] - p.onMap[k] }

// pieces returns all pieces of a side on the map.
func (p *position) pieces(side uint8) uint8 { return p.onMap[unitOf(side)] + p.onMap[baseOf(side)] }

// Control implements R4.6: who has strictly more pieces in the space, Nobody on equal numbers.
func (s *Site) Control() engine.Player {
	f, r := s.Agents+s.FederalBases, s.Sleepers+s.Active+s.RebelBases
	switch {
	case f > r:
		return Federal
	case r > f:
		return Rebel
	}
	return Nobody
}

// addUnit puts a unit of the side on the map; new militia are sleepers (R3.1).
func (p *position) addUnit(side, i uint8) {
	if side == federal {
		p.spaces[i].Agents++
	} else {
		p.spaces[i].Sleepers++
	}
	p.onMap[unitOf(side)]++
}

// addBase puts a base on the map.
func (p *position) addBase(side, i uint8) {
	if side == federal {
		p.spaces[i].FederalBases++
	} else {
		p.spaces[i].RebelBases++
	}
	p.onMap[baseOf(side)]++
}

// removeBase takes a base off the map.
func (p *position) removeBase(side, i uint8) {
	if side == federal {
		p.spaces[i].FederalBases--
	} else {
		p.spaces[i].RebelBases--
	}
	p.onMap[baseOf(side)]--
}

// removeAgents takes n agents off the map.
func (p *position) removeAgents(i, n uint8) {
	p.spaces[i].Agents -= n
	p.onMap[agent] -= n
}

// removeMilitia implements R3.6 (Q14): n militia leave the map; active ones go first if
// the Rebel carries that out, sleepers if the Federal does.
func (p *position) removeMilitia(i, n, by uint8) {
	first, second := &p.spaces[i].Active, &p.spaces[i].Sleepers
	if by == federal {
		first, second = second, first
	}
	k := min(n, *first)
	*first -= k
	*second -= n - k
	p.onMap[militia] -= n
}

// removeUnits takes n units of a side off the map.
func (p *position) removeUnits(side, i, n, by uint8) {
	if side == federal {
		p.removeAgents(i, n)
		return
	}
	p.removeMilitia(i, n, by)
}

// withUnits returns the spaces with units of a side.
func (p *position) withUnits(side uint8) spaceSet {
	var set spaceSet
	if side == federal {
		for i := range p.spaces {
			if p.spaces[i].Agents > 0 {
				set |= 1 << i
			}
		}
		return set
	}
	for i := range p.spaces {
		if p.spaces[i].Sleepers|p.spaces[i].Active > 0 {
			set |= 1 << i
		}
	}
	return set
}

// withBases returns the spaces with bases of a side.
func (p *position) withBases(side uint8) spaceSet {
	var set spaceSet
	for i := range p.spaces {
		if p.bases(side, uint8(i)) > 0 {
			set |= 1 << i
		}
	}
	return set
}

// withStatus returns the spaces whose status is in the set of bits.
func (p *position) withStatus(mask uint8) spaceSet {
	var set spaceSet
	for i := range p.spaces {
		set |= spaceSet(mask>>p.spaces[i].Status&1) << i
	}
	return set
}

// sources returns where a side can lift a unit or base from to place it at a
// space (R3.4, D8, D22). Pieces in a space that is closed stay there (R4.3, Q22, R-13).
func (g *game) sources(p *position, side uint8, base bool, at uint8) spaceSet {
	set := g.inPlay(p) &^ (1 << at)
	if base {
		return set & p.withBases(side)
	}
	return set & p.withUnits(side)
}

// canGet tells whether a side has a unit or base for a space, from stock or
// lifted.
func (g *game) canGet(p *position, side uint8, base bool, at uint8) bool {
	k := unitOf(side)
	if base {
		k = baseOf(side)
	}
	return g.stock(p, k) > 0 || g.sources(p, side, base, at) != 0
}

// roomForBase implements R1.6.
func (g *game) roomForBase(p *position, i uint8) bool {
	return p.spaces[i].FederalBases+p.spaces[i].RebelBases < g.box.maxBases
}

// startPlacing begins n equal placements.
func (p *position) startPlacing(k placingKind, side, at, n uint8) {
	if n > 0 {
		p.placing = placing{kind: k, side: side, at: at, left: n}
	}
}

// place implements R3.4: the next of the pieces that are being placed comes from
// stock, or from another space if its owner wants so (D8, D22), whoever is on turn (Q42).
// Without either it is not placed.
func (g *game) place(p *position, w *flow.Witness) bool {
	f := &p.placing
	base := f.kind == placeBase || f.kind == swapBase
	k, q := unitOf(f.side), uint8(AskLiftUnit)
	if base {
		k, q = baseOf(f.side), AskLiftBase
	}
	if g.stock(p, k) > 0 {
		g.putDown(p, w)
		return false
	}
	from := g.sources(p, f.side, base, f.at)
	if from == 0 {
		g.tellUnplaced(w, f, f.left)
		p.placing = placing{}
		return false
	}
	p.decide(q, f.side)
	p.allowSpaces(from)
	p.allow(actDone)
	return true
}

// chooseLift carries out D8 and D22, for one piece at a time.
func (g *game) chooseLift(p *position, w *flow.Witness, a engine.Action) {
	f := &p.placing
	if a == actDone {
		g.tellUnplaced(w, f, 1)
		if f.left--; f.left == 0 {
			p.placing = placing{}
		}
		return
	}
	from := uint8(a - actSpace)
	before := p.piecesAt(from)
	if p.Ask == AskLiftBase {
		p.removeBase(f.side, from)
	} else {
		p.removeUnits(f.side, from, 1, f.side)
	}
	g.tellPieces(p, w, "R3.4", from, before)
	g.putDown(p, w)
}

// placingRule returns the rule by which pieces are being placed.
func (p *position) placingRule(k placingKind) string {
	switch p.op.kind {
	case recruit:
		return map[placingKind]string{placeUnit: "R11.2.2", swapBase: "R11.2.4"}[k]
	case deploy:
		return map[placingKind]string{placeUnit: "R12.2.2", swapBase: "R12.2.3"}[k]
	case socialMedia:
		return "R13.3.3"
	}
	return "R14.5"
}

// putDown implements R5.2 for placements: the piece comes to its space, and what it
// is swapped for goes, in one.
func (g *game) putDown(p *position, w *flow.Witness) {
	f := p.placing
	if p.placing.left--; p.placing.left == 0 {
		p.placing = placing{}
	}
	before := p.piecesAt(f.at)
	switch f.kind {
	case placeUnit:
		p.addUnit(f.side, f.at)
	case placeBase:
		p.addBase(f.side, f.at)
	case swapBase:
		p.removeUnits(f.side, f.at, 2, f.side)
		p.addBase(f.side, f.at)
	case replaceUnit:
		p.removeUnits(1-f.side, f.at, 1, f.side)
		p.addUnit(f.side, f.at)
	}
	g.tellPieces(p, w, p.placingRule(f.kind), f.at, before)
	g.checkMilitary(p, w)
}
