package minuteman

import "powderkeg/engine/flow"

// surrounded implements R12.1: every adjacent playable hex over a passable side is
// controlled by the other team. Sea, map edge and prohibited sides are no way out.
// Ruling 16: sea and edge are left out of account.
func (g *game) surrounded(p *Position, u UnitID) bool {
	h := p.Units[u].Hex
	side := p.team(g.owner(p, u))
	for _, n := range g.hexes[h].near {
		if n != noHex && g.playable.has(n) && (!g.controlled(p, side.other(), n, h) || g.shielded(p, side, n)) {
			return false
		}
	}
	return true
}

// isWinter implements the calendar of R2 and R9.
func (p *Position) isWinter() bool { return p.Turn > 0 && (p.Turn-1)%4 == winter }

// outOfSupply implements R12.2 for Militia and R12.3 for Army.
// Ruling 17: an Army in Winter only.
func (g *game) outOfSupply(p *Position, u UnitID) bool {
	x := &g.hexes[p.Units[u].Hex]
	if g.kind[u] == army {
		return p.isWinter() && g.surrounded(p, u)
	}
	if x.pop > 0 {
		return false
	}
	switch x.terrain {
	case roughBrushland:
		return g.surrounded(p, u)
	case northWinterCover:
		return p.isWinter() || g.surrounded(p, u)
	}
	return p.isWinter() && g.surrounded(p, u)
}

// supply implements R12.4: the state of all units is found with all of them on
// the map, then those out of supply are eliminated together. R held Army needs
// none (R30.1), Government Army only after the Revolution (R12.3).
// Ruling 44: losses fall together.
func (g *game) supply(p *Position, w *flow.Witness, first, end UnitID, side team) {
	var lost unitSet
	for u := first; u < end; u++ {
		if p.Units[u].Hex == noHex || p.Units[u].Marks&rebelHeld != 0 || p.team(g.owner(p, u)) != side {
			continue
		}
		if g.outOfSupply(p, u) {
			lost.add(u)
		}
	}
	for u := lost.next(0); u != noUnit; u = lost.next(u + 1) {
		h := p.Units[u].Hex
		g.eliminate(p, w, "R12.4", u)
		if g.kind[u] == army {
			g.expose(p, w, h)
		}
	}
}

// expose implements R20.8: after the Revolution Agents and an Informer in a hex
// with a Rebel unit are lost when no CIG or Government Army is left there. A
// federalized Rebel's units remove nobody (R28.6).
// Ruling 51: a federalized Rebel's units remove nobody.
func (g *game) expose(p *Position, w *flow.Witness, h HexID) {
	if p.RevTurn == 0 {
		return
	}
	c := g.look(p, h)
	if c.govArmy || c.count[cig] > 0 || !g.freeRebelIn(p, h, false) {
		return
	}
	g.dropInformer(p, w, "R20.8", h)
	for u := g.first(p, agent, h); u != noUnit; u = g.first(p, agent, h) {
		g.eliminate(p, w, "R20.8", u)
	}
}

// freeRebelIn implements R28.6 for R8.6 and R20.8: whether a hex holds a unit, or a
// Militia, of a Rebel who is not federalized.
func (g *game) freeRebelIn(p *Position, h HexID, militiaOnly bool) bool {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.isRebel(p, u) && g.owner(p, u) != p.Fed && (!militiaOnly || g.kind[u] == militia) {
			return true
		}
	}
	return false
}
