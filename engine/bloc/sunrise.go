package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// force is which police the blocs were lost to, while Medic Kits are asked about.
type force uint8

const (
	byCops force = iota
	byVan
)

// repairVans implements R9.1 (Repair).
func (g *game) repairVans(p *position, w *flow.Witness) bool {
	repaired := cellSet(0)
	for c, v := range p.van {
		if v > 1 {
			p.van[c] = 1
			repaired |= at(uint8(c))
		}
	}
	if w != nil {
		w.All("sunrise", "R9.1", number("night", p.night), g.districts(p, "repaired", repaired))
	}
	p.step = scanVans
	return false
}

// occupied reports whether a district holds a bloc or an occupation.
func (p *position) occupied(c uint8) bool { return p.holder[c] != 0 || p.total(c) > 0 }

// next finds the next district by ascending police ID (Ruling 34), from now.scan on, that
// fits. It returns false when there is none.
func (p *position) next(fits func(c uint8) bool) bool {
	for ; p.now.scan < p.districts.count(); p.now.scan++ {
		if c := p.byID[p.now.scan]; fits(c) {
			p.now.cell = c
			return true
		}
	}
	p.now = clearPending
	return false
}

// scanVans implements R9.2 (Vans): districts with a van and a bloc or an occupation.
func (g *game) scanVans(p *position, _ *flow.Witness) bool {
	if p.next(func(c uint8) bool { return p.van[c] > 0 && p.occupied(c) }) {
		p.step = askDoors
	} else {
		p.step = scanCops
	}
	return false
}

// promptDoors implements R9.2 (i) and D24.
func (g *game) promptDoors(p *position, w *flow.Witness) bool {
	c, doors := p.now.cell, g.box.steelDoors
	if p.holder[c] == 0 || p.protected.has(c) {
		g.vanAttack(p, w)
		return false
	}
	f := (p.holder[c] - 1) / numOccs
	g.mayBeAsked(p, f)
	if p.hand[f][doors] == 0 {
		g.vanAttack(p, w)
		return false
	}
	p.now.who = f
	legal := p.Offer()
	legal.Add(actDone)
	legal.Add(actCard + engine.Action(doors))
	return g.decide(p, f)
}

func (g *game) actDoors(p *position, w *flow.Witness, a engine.Action) {
	if a != actDone {
		g.toDiscard(p, w, p.now.who, g.box.steelDoors)
		g.protect(p, w, "R9.2")
	}
	g.vanAttack(p, w)
}

// vanAttack implements R9.2 (ii): all blocs and an unprotected occupation go to
// their mats (Ruling 29).
func (g *game) vanAttack(p *position, w *flow.Witness) {
	if total := p.total(p.now.cell); w != nil && (total > 0 || p.unprotected(p.now.cell)) {
		w.All("van_attack", "R9.2", g.district(p, p.now.cell), number("blocs", total))
	}
	for f := range uint8(numFactions) {
		g.defeat(p, w, "R9.2", f, p.blocs[f][p.now.cell])
	}
	g.evictUnprotected(p, w, "R9.2")
	p.now.lostTo, p.now.order, p.now.who, p.step = byVan, 0, noFaction, rescue
}

// defeat takes n blocs of a faction out of the district that is handled; a Medic Kit
// may save them.
func (g *game) defeat(p *position, w *flow.Witness, rule string, f, n uint8) {
	if n == 0 {
		return
	}
	if w != nil {
		w.All("defeated", rule, g.faction(f), number("blocs", n), g.district(p, p.now.cell))
	}
	p.remove(f, p.now.cell, n)
	p.now.lost[f] += n
	p.seenByAll()
}

// unprotected reports whether a district holds an occupation without Steel Doors.
func (p *position) unprotected(c uint8) bool { return p.holder[c] != 0 && !p.protected.has(c) }

func (g *game) evictUnprotected(p *position, w *flow.Witness, rule string) {
	if c := p.now.cell; p.unprotected(c) {
		g.evict(p, w, rule, c)
		p.seenByAll()
	}
}

// scanCops implements R9.3 (Cops): districts with a cop and a bloc or an occupation.
// The deciding faction is fixed before cards are played.
func (g *game) scanCops(p *position, _ *flow.Witness) bool {
	if !p.next(func(c uint8) bool { return p.cops[c] > 0 && p.occupied(c) }) {
		p.step = scanSound
		return false
	}
	p.now.decider = g.strongest(p, p.now.cell)
	p.step = askMasks
	return false
}

// strongest implements the tie-break of R9.3 and R9.6: the faction with most blocs in a district, of
// several the one whose turn came first this night; noFaction without blocs.
func (g *game) strongest(p *position, c uint8) uint8 {
	most, who := uint8(0), uint8(noFaction)
	for i := range g.factions {
		if f := g.order(p, i); p.blocs[f][c] > most {
			most, who = p.blocs[f][c], f
		}
	}
	return who
}

// promptMasks implements R9.3 (i), R13.4 and D24: Gas Masks, then Steel Doors, of each
// faction in turn order.
func (g *game) promptMasks(p *position, w *flow.Witness) bool {
	for ; p.now.order < g.factions; p.now.order++ {
		f := g.order(p, p.now.order)
		masks, doors := g.repressionCards(p, f)
		if masks || doors {
			g.mayBeAsked(p, f)
		}
		masks = masks && p.hand[f][g.box.gasMasks] > 0
		doors = doors && p.hand[f][g.box.steelDoors] > 0
		if !masks && !doors {
			p.now.last = 0
			continue
		}
		legal := p.Offer()
		legal.Add(actDone)
		if masks {
			legal.Add(actCard + engine.Action(g.box.gasMasks))
		}
		if doors {
			legal.Add(actCard + engine.Action(g.box.steelDoors))
		}
		p.now.who = f
		return g.decide(p, f)
	}
	p.now.order, p.now.last, p.now.who = 0, 0, noFaction
	g.copAttack(p, w)
	return false
}

// repressionCards reports which cards a faction may play before the cops attack, if it
// holds them.
func (g *game) repressionCards(p *position, f uint8) (masks, doors bool) {
	c := p.now.cell
	masks = p.blocs[f][c] > 0 && p.van[c] == 0 && p.cancelled[c] < p.cops[c] && p.now.last == 0
	doors = p.owns(f, c) && !p.protected.has(c)
	return masks, doors
}

func (g *game) actMasks(p *position, w *flow.Witness, a engine.Action) {
	c := p.now.cell
	switch a {
	case actDone:
		p.now.order++
		p.now.last = 0
	case actCard + engine.Action(g.box.gasMasks):
		g.toDiscard(p, w, p.now.who, g.box.gasMasks)
		p.cancelled[c] += uint8(g.box.loot[g.box.gasMasks].Effects[0].N)
		if w != nil {
			w.All("cancelled", "R9.3", number("cops", p.cancelled[c]), g.district(p, c))
		}
	default:
		g.toDiscard(p, w, p.now.who, g.box.steelDoors)
		g.protect(p, w, "R9.3")
		p.now.last = 1
	}
}

// protect implements Steel Doors in the district that is handled.
func (g *game) protect(p *position, w *flow.Witness, rule string) {
	p.protected |= at(p.now.cell)
	if w != nil {
		w.All("protected", rule, g.district(p, p.now.cell))
	}
}

// attacks returns how many attacks the cops of a district make: those not void.
func (p *position) attacks(c uint8) uint8 { return p.cops[c] - min(p.cops[c], p.cancelled[c]) }

// copAttack implements R9.3 (ii) and (iii): as many attacks as blocs or more defeat
// them all, more also evict the occupation; otherwise victims are named.
func (g *game) copAttack(p *position, w *flow.Witness) {
	c := p.now.cell
	attacks, total := p.attacks(c), p.total(c)
	if w != nil && (min(attacks, total) > 0 || attacks > total && p.unprotected(c)) {
		w.All("cop_attack", "R9.3", g.district(p, c), number("attacks", attacks), number("blocs", total))
	}
	p.step = rescue
	p.now.lostTo = byCops
	if attacks >= total {
		for f := range uint8(numFactions) {
			g.defeat(p, w, "R9.3", f, p.blocs[f][c])
		}
		if attacks > total {
			g.evictUnprotected(p, w, "R9.3")
		}
		p.now.decider = noFaction
		return
	}
	for f := range uint8(numFactions) {
		if p.blocs[f][c] == total {
			g.defeat(p, w, "R9.3", f, attacks)
			p.now.decider = noFaction
			return
		}
	}
	p.now.left, p.step = attacks, nameVictims
}

// promptVictim implements R9.3, R13.4 and D25: the deciding faction names the victims
// one at a time, in the order of the factions.
func (g *game) promptVictim(p *position, _ *flow.Witness) bool {
	if p.now.left == 0 {
		p.now.last, p.now.decider, p.step = 0, noFaction, rescue
		return false
	}
	legal := p.Offer()
	behind := uint8(0)
	for f := uint8(numFactions); f > p.now.last; f-- {
		n := p.blocs[f-1][p.now.cell]
		if behind += n; n > 0 && behind >= p.now.left {
			legal.Add(actFaction + engine.Action(f-1))
		}
	}
	return g.decide(p, p.now.decider)
}

func (g *game) actVictim(p *position, w *flow.Witness, a engine.Action) {
	f := uint8(a - actFaction)
	g.defeat(p, w, "R9.3", f, 1)
	p.now.last = f
	p.now.left--
}

// promptMedic implements R9.4 (Medic Kit; Ruling 21) and D26: each faction that lost blocs, in turn
// order, may save three of them for each card.
func (g *game) promptMedic(p *position, _ *flow.Witness) bool {
	medic := g.box.medicKit
	for ; p.now.order < g.factions; p.now.order++ {
		f := g.order(p, p.now.order)
		if p.now.lost[f] == 0 || p.refuges(f) == 0 {
			continue
		}
		g.mayBeAsked(p, f)
		if p.hand[f][medic] == 0 {
			continue
		}
		p.now.who = f
		legal := p.Offer()
		legal.Add(actDone)
		legal.Add(actCard + engine.Action(medic))
		return g.decide(p, f)
	}
	scan := p.now.scan + 1
	p.step = scanCops
	if p.now.lostTo == byVan {
		p.step = scanVans
	}
	p.now = clearPending
	p.now.scan = scan
	return false
}

// refuges returns the districts with an occupation of a faction, but for the one that
// is handled.
func (p *position) refuges(f uint8) cellSet {
	cells := cellSet(0)
	for _, c := range p.place[f] {
		if c != noCell && c != p.now.cell {
			cells |= at(c)
		}
	}
	return cells
}

func (g *game) actMedic(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.now.order++
		return
	}
	g.toDiscard(p, w, p.now.who, g.box.medicKit)
	p.step = rescueTo
}

// promptMedicCell implements R9.4 and D27.
func (g *game) promptMedicCell(p *position, _ *flow.Witness) bool {
	return g.decideCell(p, p.now.who, p.refuges(p.now.who))
}

func (g *game) actMedicCell(p *position, w *flow.Witness, a engine.Action) {
	n := min(uint8(g.box.loot[g.box.medicKit].Effects[0].Max), p.now.lost[p.now.who])
	p.put(p.now.who, uint8(a-actCell), n)
	if w != nil {
		w.All("saved", "R9.4", g.faction(p.now.who), number("blocs", n), g.district(p, uint8(a-actCell)))
	}
	p.now.lost[p.now.who] -= n
	p.step = rescue
}
