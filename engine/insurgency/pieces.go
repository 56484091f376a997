package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// militiaAt returns the militia in a space, in whatever state (R3.1).
func (p *Position) militiaAt(i SpaceID) uint8 { return p.Spaces[i].Sleepers + p.Spaces[i].Active }

// units returns the agents or militia of a side in a space.
func (p *Position) units(side Side, i SpaceID) uint8 {
	if side == federal {
		return p.Spaces[i].Agents
	}
	return p.militiaAt(i)
}

// bases returns the bases of a side in a space.
func (p *Position) bases(side Side, i SpaceID) uint8 {
	if side == federal {
		return p.Spaces[i].FederalBases
	}
	return p.Spaces[i].RebelBases
}

// unitOf and baseOf name the kinds of piece of a side.
func unitOf(side Side) pieceKind {
	if side == federal {
		return agent
	}
	return militia
}

func baseOf(side Side) pieceKind {
	if side == federal {
		return federalBase
	}
	return rebelBase
}

// stock returns the pieces of a kind that are not on the map (R1.1).
func (g *game) stock(p *Position, k pieceKind) uint8 { return g.box.limits[k] - p.OnMap[k] }

// pieces returns all pieces of a side on the map.
func (p *Position) pieces(side Side) uint8 { return p.OnMap[unitOf(side)] + p.OnMap[baseOf(side)] }

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
func (p *Position) addUnit(side Side, i SpaceID) {
	if side == federal {
		p.Spaces[i].Agents++
	} else {
		p.Spaces[i].Sleepers++
	}
	p.OnMap[unitOf(side)]++
}

// addBase puts a base on the map.
func (p *Position) addBase(side Side, i SpaceID) {
	if side == federal {
		p.Spaces[i].FederalBases++
	} else {
		p.Spaces[i].RebelBases++
	}
	p.OnMap[baseOf(side)]++
}

// removeBase takes a base off the map.
func (p *Position) removeBase(side Side, i SpaceID) {
	if side == federal {
		p.Spaces[i].FederalBases--
	} else {
		p.Spaces[i].RebelBases--
	}
	p.OnMap[baseOf(side)]--
}

// removeAgents takes n agents off the map.
func (p *Position) removeAgents(i SpaceID, n uint8) {
	p.Spaces[i].Agents -= n
	p.OnMap[agent] -= n
}

// removeMilitia implements R3.6 (Q14): n militia leave the map; active ones go first if
// the Rebel carries that out, sleepers if the Federal does.
func (p *Position) removeMilitia(i SpaceID, n uint8, by Side) {
	first, second := &p.Spaces[i].Active, &p.Spaces[i].Sleepers
	if by == federal {
		first, second = second, first
	}
	k := min(n, *first)
	*first -= k
	*second -= n - k
	p.OnMap[militia] -= n
}

// removeUnits takes n units of a side off the map.
func (p *Position) removeUnits(side Side, i SpaceID, n uint8, by Side) {
	if side == federal {
		p.removeAgents(i, n)
		return
	}
	p.removeMilitia(i, n, by)
}

// withUnits returns the spaces with units of a side.
func (p *Position) withUnits(side Side) SpaceSet {
	var set SpaceSet
	if side == federal {
		for i := range p.Spaces {
			if p.Spaces[i].Agents > 0 {
				set |= 1 << i
			}
		}
		return set
	}
	for i := range p.Spaces {
		if p.Spaces[i].Sleepers|p.Spaces[i].Active > 0 {
			set |= 1 << i
		}
	}
	return set
}

// withBases returns the spaces with bases of a side.
func (p *Position) withBases(side Side) SpaceSet {
	var set SpaceSet
	for i := range p.Spaces {
		if p.bases(side, SpaceID(i)) > 0 {
			set |= 1 << i
		}
	}
	return set
}

// withStatus returns the spaces whose status is in the set of bits.
func (p *Position) withStatus(in statusSet) SpaceSet {
	var set SpaceSet
	for i := range p.Spaces {
		set |= SpaceSet(in>>p.Spaces[i].Status&1) << i
	}
	return set
}

// sources returns where a side can lift a unit or base from to place it at a
// space (R3.4, D8, D22). Pieces in a space that is closed stay there (R4.3, Q22, R-13).
func (g *game) sources(p *Position, side Side, base bool, at SpaceID) SpaceSet {
	set := g.inPlay(p) &^ (1 << at)
	if base {
		return set & p.withBases(side)
	}
	return set & p.withUnits(side)
}

// canGet tells whether a side has a unit or base for a space, from stock or
// lifted.
func (g *game) canGet(p *Position, side Side, base bool, at SpaceID) bool {
	k := unitOf(side)
	if base {
		k = baseOf(side)
	}
	return g.stock(p, k) > 0 || g.sources(p, side, base, at) != 0
}

// roomForBase implements R1.6.
func (g *game) roomForBase(p *Position, i SpaceID) bool {
	return p.Spaces[i].FederalBases+p.Spaces[i].RebelBases < g.box.maxBases
}

// startPlacing begins n equal placements.
func (p *Position) startPlacing(k placingKind, side Side, at SpaceID, n uint8) {
	if n > 0 {
		p.Placing = PlacingFrame{Kind: k, Side: side, At: at, Left: n}
	}
}

// place implements R3.4: the next of the pieces that are being placed comes from
// stock, or from another space if its owner wants so (D8, D22), whoever is on turn (Q42).
// Without either it is not placed.
func (g *game) place(p *Position, w *flow.Witness) bool {
	f := &p.Placing
	base := f.Kind == placeBase || f.Kind == swapBase
	k, q := unitOf(f.Side), uint8(AskLiftUnit)
	if base {
		k, q = baseOf(f.Side), AskLiftBase
	}
	if g.stock(p, k) > 0 {
		g.putDown(p, w)
		return false
	}
	from := g.sources(p, f.Side, base, f.At)
	if from == 0 {
		g.tellUnplaced(w, f, f.Left)
		p.Placing = PlacingFrame{}
		return false
	}
	p.decide(q, f.Side)
	p.allowSpaces(from)
	p.allow(ActDone)
	return true
}

// chooseLift carries out D8 and D22, for one piece at a time.
func (g *game) chooseLift(p *Position, w *flow.Witness, a engine.Action) {
	f := &p.Placing
	if a == ActDone {
		g.tellUnplaced(w, f, 1)
		if f.Left--; f.Left == 0 {
			p.Placing = PlacingFrame{}
		}
		return
	}
	from := SpaceID(a - ActSpace)
	before := p.piecesAt(from)
	if p.Ask == AskLiftBase {
		p.removeBase(f.Side, from)
	} else {
		p.removeUnits(f.Side, from, 1, f.Side)
	}
	g.tellPieces(p, w, "R3.4", from, before)
	g.putDown(p, w)
}

// placingRule returns the rule by which pieces are being placed.
func (p *Position) placingRule(k placingKind) string {
	switch p.Op.Kind {
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
func (g *game) putDown(p *Position, w *flow.Witness) {
	f := p.Placing
	if p.Placing.Left--; p.Placing.Left == 0 {
		p.Placing = PlacingFrame{}
	}
	before := p.piecesAt(f.At)
	switch f.Kind {
	case placeUnit:
		p.addUnit(f.Side, f.At)
	case placeBase:
		p.addBase(f.Side, f.At)
	case swapBase:
		p.removeUnits(f.Side, f.At, 2, f.Side)
		p.addBase(f.Side, f.At)
	case replaceUnit:
		p.removeUnits(1-f.Side, f.At, 1, f.Side)
		p.addUnit(f.Side, f.At)
	}
	g.tellPieces(p, w, p.placingRule(f.Kind), f.At, before)
	g.checkMilitary(p, w)
}
