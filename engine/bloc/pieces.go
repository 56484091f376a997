package bloc

import "powderkeg/engine/flow"

// The only functions that move pieces: they keep the sums and sets of a
// position, and the attacked counts (R5.5), and tell by which rule it happens.

// form implements the placing of up to n blocs from the mat (R1.2).
func (g *game) form(p *Position, w *flow.Witness, rule string, f FactionID, c CellID, n uint8) {
	n = min(n, p.Mat[f])
	if w != nil && n > 0 {
		w.All("formed", rule, g.faction(f), number("blocs", n), g.district(p, c))
	}
	p.put(f, c, n)
}

// put takes n blocs from the mat to a district.
func (p *Position) put(f FactionID, c CellID, n uint8) {
	p.Mat[f] -= n
	p.Blocs[f][c] += n
	if n > 0 {
		p.With[f] |= at(c)
	}
}

// remove takes n blocs of a faction out of a district, to the mat. Those that
// have attacked go first (R5.4; Ruling 8).
func (p *Position) remove(f FactionID, c CellID, n uint8) {
	p.Blocs[f][c] -= n
	p.Mat[f] += n
	p.Attacked[f][c] -= min(n, p.Attacked[f][c])
	if p.Blocs[f][c] == 0 {
		p.With[f] &^= at(c)
	}
}

// moveBlocs implements R5.3: blocs go together from one district to another. In
// the other one they are fresh (R5.4).
func (g *game) moveBlocs(p *Position, w *flow.Witness, f FactionID, from, to CellID, n uint8) {
	if w != nil {
		w.All("moved", "R5.3", g.faction(f), number("blocs", n), g.cell(p, "from", from), g.cell(p, "to", to))
	}
	p.remove(f, from, n)
	p.put(f, to, n)
}

// addCops puts up to n cops from staging into a district (R1.2).
func (g *game) addCops(p *Position, w *flow.Witness, rule string, c CellID, n uint8) {
	n = min(n, p.CopsLeft)
	if w != nil {
		w.All("cops_deployed", rule, number("cops", n), g.district(p, c))
	}
	p.CopsLeft -= n
	p.Cops[c] += n
	p.lookForPolice(c)
}

// takeCops returns n cops of a district to staging.
func (g *game) takeCops(p *Position, w *flow.Witness, rule string, c CellID, n uint8) {
	if w != nil && n > 0 {
		w.All("cops_withdrawn", rule, number("cops", n), g.district(p, c))
	}
	p.Cops[c] -= n
	p.CopsLeft += n
	p.lookForPolice(c)
}

// shiftCops moves n cops from one district to another.
func (g *game) shiftCops(p *Position, w *flow.Witness, rule string, from, to CellID, n uint8) {
	if w != nil && n > 0 {
		w.All("cops_moved", rule, number("cops", n), g.cell(p, "from", from), g.cell(p, "to", to))
	}
	p.Cops[from] -= n
	p.Cops[to] += n
	p.lookForPolice(from)
	p.lookForPolice(to)
}

// setVan puts a van into a district (1 plus its hits) or takes it out (0).
func (p *Position) setVan(c CellID, v uint8) {
	p.Van[c] = v
	p.lookForPolice(c)
}

// deployVan puts a van from staging into a district.
func (g *game) deployVan(p *Position, w *flow.Witness, rule string, c CellID) {
	if w != nil {
		w.All("van_deployed", rule, g.district(p, c))
	}
	p.VansLeft--
	p.setVan(c, 1)
}

// destroyVan implements R7.4: the van is out of the game.
func (g *game) destroyVan(p *Position, w *flow.Witness, rule string, c CellID) {
	if w != nil {
		w.All("van_destroyed", rule, g.district(p, c))
	}
	p.Destroyed++
	p.setVan(c, 0)
}

// lookForPolice keeps the set of districts with police. When the police are gone,
// the clash is over, and with it what has attacked in it (R3.7, R5.5).
func (p *Position) lookForPolice(c CellID) {
	if p.Cops[c] > 0 || p.Van[c] > 0 {
		p.Police |= at(c)
		return
	}
	p.Police &^= at(c)
	for f := range p.Attacked {
		p.Attacked[f][c] = 0
	}
}

// settle puts an occupation from the mat into a circle (R6.3).
func (g *game) settle(p *Position, w *flow.Witness, rule string, f FactionID, kind OccID, c CellID) {
	if w != nil {
		w.All("built", rule, g.faction(f), g.occupation(f, kind), g.district(p, c))
	}
	p.Place[f][kind] = c
	p.Holder[c] = holding(f, kind)
}

// evict returns the occupation of a district, if there is one, to its owner's mat.
func (g *game) evict(p *Position, w *flow.Witness, rule string, c CellID) {
	h := p.Holder[c]
	if h == 0 {
		return
	}
	f, kind := h.Faction(), h.Kind()
	if w != nil {
		w.All("evicted", rule, g.faction(f), g.occupation(f, kind), g.district(p, c))
	}
	p.Place[f][kind] = NoCell
	p.Holder[c] = 0
}

// buildBarricade implements R3.6 and R5.7.
func (g *game) buildBarricade(p *Position, w *flow.Witness, e End) {
	p.Barricades[p.slot(e)]++
	p.Pile--
	if w != nil {
		w.All("barricade", "R5.7", g.district(p, e.Cell()), arm(e), number("barricades", p.barricadesAt(e)))
	}
}

// dismantle implements R3.6: all barricades of a connection go to the pile.
func (g *game) dismantle(p *Position, w *flow.Witness, rule string, e End) {
	n := p.barricadesAt(e)
	if w != nil && n > 0 {
		w.All("dismantled", rule, g.district(p, e.Cell()), arm(e), number("barricades", n))
	}
	p.Pile += n
	p.Barricades[e], p.Barricades[p.Links[e]] = 0, 0
}

// spend implements R5.2 (Which die is spent; Ruling 11): the lowest that suffices.
func (g *game) spend(p *Position, w *flow.Witness, need uint8) {
	for v := max(need, 1); v <= sides; v++ {
		if p.Dice[v-1] > 0 {
			p.Dice[v-1]--
			if w != nil {
				w.All("spent", "R5.2", g.faction(p.Now.Who), number("value", v))
			}
			return
		}
	}
	panic("bloc: an action without a die")
}
