package bloc

// The only functions that move pieces: they keep the sums and sets of a
// position, and the attacked counts (R5.5), and tell by which rule it happens.

// form implements the placing of up to n blocs from the mat (R1.2).
func (b Board) form(rule string, f FactionID, c CellID, n uint8) {
	n = min(n, b.Mat[f])
	if n > 0 {
		b.tell(blocsFormed, rule, f, n, c)
	}
	b.put(f, c, n)
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
func (b Board) moveBlocs(f FactionID, from, to CellID, n uint8) {
	b.tell(blocsMoved, "R5.3", f, n, from, to)
	b.remove(f, from, n)
	b.put(f, to, n)
}

// addCops puts up to n cops from staging into a district (R1.2).
func (b Board) addCops(rule string, c CellID, n uint8) {
	n = min(n, b.CopsLeft)
	b.tell(copsDeployed, rule, n, c)
	b.CopsLeft -= n
	b.Cops[c] += n
	b.lookForPolice(c)
}

// takeCops returns n cops of a district to staging.
func (b Board) takeCops(rule string, c CellID, n uint8) {
	if n > 0 {
		b.tell(copsWithdrawn, rule, n, c)
	}
	b.Cops[c] -= n
	b.CopsLeft += n
	b.lookForPolice(c)
}

// shiftCops moves n cops from one district to another.
func (b Board) shiftCops(rule string, from, to CellID, n uint8) {
	if n > 0 {
		b.tell(copsMoved, rule, n, from, to)
	}
	b.Cops[from] -= n
	b.Cops[to] += n
	b.lookForPolice(from)
	b.lookForPolice(to)
}

// setVan puts a van into a district (1 plus its hits) or takes it out (0).
func (p *Position) setVan(c CellID, v uint8) {
	p.Van[c] = v
	p.lookForPolice(c)
}

// deployVan puts a van from staging into a district.
func (b Board) deployVan(rule string, c CellID) {
	b.tell(vanDeployed, rule, c)
	b.VansLeft--
	b.setVan(c, 1)
}

// destroyVan implements R7.4: the van is out of the game.
func (b Board) destroyVan(rule string, c CellID) {
	b.tell(vanDestroyed, rule, c)
	b.Destroyed++
	b.setVan(c, 0)
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
func (b Board) settle(rule string, f FactionID, kind OccID, c CellID) {
	b.tell(occupationBuilt, rule, f, holding(f, kind), c)
	b.Place[f][kind] = c
	b.Holder[c] = holding(f, kind)
}

// evict returns the occupation of a district, if there is one, to its owner's mat.
func (b Board) evict(rule string, c CellID) {
	h := b.Holder[c]
	if h == 0 {
		return
	}
	f, kind := h.Faction(), h.Kind()
	b.tell(occupationEvicted, rule, f, holding(f, kind), c)
	b.Place[f][kind] = NoCell
	b.Holder[c] = 0
}

// buildBarricade implements R3.6 and R5.7.
func (b Board) buildBarricade(e End) {
	b.Barricades[b.slot(e)]++
	b.Pile--
	b.tell(barricadeBuilt, "R5.7", e.Cell(), e, b.barricadesAt(e))
}

// dismantle implements R3.6: all barricades of a connection go to the pile.
func (b Board) dismantle(rule string, e End) {
	n := b.barricadesAt(e)
	if n > 0 {
		b.tell(barricadesGone, rule, e.Cell(), e, n)
	}
	b.Pile += n
	b.Barricades[e], b.Barricades[b.Links[e]] = 0, 0
}

// spend implements R5.2 (Which die is spent; Ruling 11): the lowest that suffices.
func (b Board) spend(need uint8) {
	for v := max(need, 1); v <= Sides; v++ {
		if b.Dice[v-1] > 0 {
			b.Dice[v-1]--
			b.tell(dieSpent, "R5.2", b.Now.Who, v)
			return
		}
	}
	panic("bloc: an action without a die")
}
