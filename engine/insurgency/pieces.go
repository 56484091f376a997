package insurgency

import (
	"powderkeg/engine"
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
func (b Board) stock(k pieceKind) uint8 { return b.box.limits[k] - b.OnMap[k] }

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
func (b Board) sources(side Side, base bool, at SpaceID) SpaceSet {
	set := b.inPlay() &^ (1 << at)
	if base {
		return set & b.withBases(side)
	}
	return set & b.withUnits(side)
}

// canGet tells whether a side has a unit or base for a space, from stock or
// lifted.
func (b Board) canGet(side Side, base bool, at SpaceID) bool {
	k := unitOf(side)
	if base {
		k = baseOf(side)
	}
	return b.stock(k) > 0 || b.sources(side, base, at) != 0
}

// roomForBase implements R1.6.
func (b Board) roomForBase(i SpaceID) bool {
	return b.Spaces[i].FederalBases+b.Spaces[i].RebelBases < b.box.maxBases
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
func (b Board) place() bool {
	f := &b.Placing
	base := f.Kind == placeBase || f.Kind == swapBase
	k, q := unitOf(f.Side), uint8(AskLiftUnit)
	if base {
		k, q = baseOf(f.Side), AskLiftBase
	}
	if b.stock(k) > 0 {
		b.putDown()
		return false
	}
	from := b.sources(f.Side, base, f.At)
	if from == 0 {
		b.tell(piecesUnplaced, "R3.4", f.Side, f.Left, f.At)
		b.Placing = PlacingFrame{}
		return false
	}
	b.decide(q, f.Side)
	b.allowSpaces(from)
	b.allow(ActDone)
	return true
}

// chooseLift carries out D8 and D22, for one piece at a time.
func (b Board) chooseLift(a engine.Action) {
	f := &b.Placing
	if a == ActDone {
		b.tell(piecesUnplaced, "R3.4", f.Side, 1, f.At)
		if f.Left--; f.Left == 0 {
			b.Placing = PlacingFrame{}
		}
		return
	}
	from := SpaceID(a - ActSpace)
	before := b.piecesAt(from)
	if b.Ask == AskLiftBase {
		b.removeBase(f.Side, from)
	} else {
		b.removeUnits(f.Side, from, 1, f.Side)
	}
	b.tellPieces("R3.4", from, before)
	b.putDown()
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
func (b Board) putDown() {
	f := b.Placing
	if b.Placing.Left--; b.Placing.Left == 0 {
		b.Placing = PlacingFrame{}
	}
	before := b.piecesAt(f.At)
	switch f.Kind {
	case placeUnit:
		b.addUnit(f.Side, f.At)
	case placeBase:
		b.addBase(f.Side, f.At)
	case swapBase:
		b.removeUnits(f.Side, f.At, 2, f.Side)
		b.addBase(f.Side, f.At)
	case replaceUnit:
		b.removeUnits(1-f.Side, f.At, 1, f.Side)
		b.addUnit(f.Side, f.At)
	}
	b.tellPieces(b.placingRule(f.Kind), f.At, before)
	b.checkMilitary()
}
