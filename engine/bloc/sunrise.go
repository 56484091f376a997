package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Force is which police the blocs were lost to, while Medic Kits are asked about.
type Force uint8

const (
	byCops Force = iota
	byVan
)

// repairVans implements R9.1 (Repair).
func (g *game) repairVans(p *Position, w *flow.Witness) bool {
	repaired := CellSet(0)
	for c, v := range p.Van {
		if v > 1 {
			p.Van[c] = 1
			repaired |= at(CellID(c))
		}
	}
	if w != nil {
		w.All("sunrise", "R9.1", number("night", p.Night), g.districts(p, "repaired", repaired))
	}
	p.Step = scanVans
	return false
}

// occupied reports whether a district holds a bloc or an occupation.
func (p *Position) occupied(c CellID) bool { return p.Holder[c] != 0 || p.total(c) > 0 }

// next finds the next district by ascending police ID (Ruling 34), from Now.Scan on, that
// fits. It returns false when there is none.
func (p *Position) next(fits func(c CellID) bool) bool {
	for ; p.Now.Scan < p.Districts.Count(); p.Now.Scan++ {
		if c := p.ByID[p.Now.Scan]; fits(c) {
			p.Now.Cell = c
			return true
		}
	}
	p.Now = clearPending
	return false
}

// scanVans implements R9.2 (Vans): districts with a van and a bloc or an occupation.
func (g *game) scanVans(p *Position, _ *flow.Witness) bool {
	if p.next(func(c CellID) bool { return p.Van[c] > 0 && p.occupied(c) }) {
		p.Step = askDoors
	} else {
		p.Step = scanCops
	}
	return false
}

// promptDoors implements R9.2 (i) and D24.
func (g *game) promptDoors(p *Position, w *flow.Witness) bool {
	c, doors := p.Now.Cell, CardSteelDoors
	if p.Holder[c] == 0 || p.Protected.Has(c) {
		g.vanAttack(p, w)
		return false
	}
	f := p.Holder[c].Faction()
	g.mayBeAsked(p, f)
	if p.Hand[f][doors] == 0 {
		g.vanAttack(p, w)
		return false
	}
	p.Now.Who = f
	legal := p.Offer()
	legal.Add(ActDone)
	legal.Add(ActCard + engine.Action(doors))
	return g.decide(p, f)
}

func (g *game) actDoors(p *Position, w *flow.Witness, a engine.Action) {
	if a != ActDone {
		g.toDiscard(p, w, p.Now.Who, CardSteelDoors)
		g.protect(p, w, "R9.2")
	}
	g.vanAttack(p, w)
}

// vanAttack implements R9.2 (ii): all blocs and an unprotected occupation go to
// their mats (Ruling 29).
func (g *game) vanAttack(p *Position, w *flow.Witness) {
	if total := p.total(p.Now.Cell); w != nil && (total > 0 || p.unprotected(p.Now.Cell)) {
		w.All("van_attack", "R9.2", g.district(p, p.Now.Cell), number("blocs", total))
	}
	for f := range FactionID(Factions) {
		g.defeat(p, w, "R9.2", f, p.Blocs[f][p.Now.Cell])
	}
	g.evictUnprotected(p, w, "R9.2")
	p.Now.LostTo, p.Now.Order, p.Now.Who, p.Step = byVan, 0, NoFaction, rescue
}

// defeat takes n blocs of a faction out of the district that is handled; a Medic Kit
// may save them.
func (g *game) defeat(p *Position, w *flow.Witness, rule string, f FactionID, n uint8) {
	if n == 0 {
		return
	}
	if w != nil {
		w.All("defeated", rule, g.faction(f), number("blocs", n), g.district(p, p.Now.Cell))
	}
	p.remove(f, p.Now.Cell, n)
	p.Now.Lost[f] += n
	p.seenByAll()
}

// unprotected reports whether a district holds an occupation without Steel Doors.
func (p *Position) unprotected(c CellID) bool { return p.Holder[c] != 0 && !p.Protected.Has(c) }

func (g *game) evictUnprotected(p *Position, w *flow.Witness, rule string) {
	if c := p.Now.Cell; p.unprotected(c) {
		g.evict(p, w, rule, c)
		p.seenByAll()
	}
}

// scanCops implements R9.3 (Cops): districts with a cop and a bloc or an occupation.
// The deciding faction is fixed before cards are played.
func (g *game) scanCops(p *Position, _ *flow.Witness) bool {
	if !p.next(func(c CellID) bool { return p.Cops[c] > 0 && p.occupied(c) }) {
		p.Step = scanSound
		return false
	}
	p.Now.Decider = g.strongest(p, p.Now.Cell)
	p.Step = askMasks
	return false
}

// strongest implements the tie-break of R9.3 and R9.6: the faction with most blocs in a district, of
// several the one whose turn came first this night; NoFaction without blocs.
func (g *game) strongest(p *Position, c CellID) FactionID {
	most, who := uint8(0), FactionID(NoFaction)
	for i := range g.factions {
		if f := g.order(p, i); p.Blocs[f][c] > most {
			most, who = p.Blocs[f][c], f
		}
	}
	return who
}

// promptMasks implements R9.3 (i), R13.4 and D24: Gas Masks, then Steel Doors, of each
// faction in turn order.
func (g *game) promptMasks(p *Position, w *flow.Witness) bool {
	for ; p.Now.Order < g.factions; p.Now.Order++ {
		f := g.order(p, p.Now.Order)
		masks, doors := g.repressionCards(p, f)
		if masks || doors {
			g.mayBeAsked(p, f)
		}
		masks = masks && p.Hand[f][CardGasMasks] > 0
		doors = doors && p.Hand[f][CardSteelDoors] > 0
		if !masks && !doors {
			p.Now.Doors = 0
			continue
		}
		legal := p.Offer()
		legal.Add(ActDone)
		if masks {
			legal.Add(ActCard + engine.Action(CardGasMasks))
		}
		if doors {
			legal.Add(ActCard + engine.Action(CardSteelDoors))
		}
		p.Now.Who = f
		return g.decide(p, f)
	}
	p.Now.Order, p.Now.Doors, p.Now.Who = 0, 0, NoFaction
	g.copAttack(p, w)
	return false
}

// repressionCards reports which cards a faction may play before the cops attack, if it
// holds them.
func (g *game) repressionCards(p *Position, f FactionID) (masks, doors bool) {
	c := p.Now.Cell
	masks = p.Blocs[f][c] > 0 && p.Van[c] == 0 && p.Cancelled[c] < p.Cops[c] && p.Now.Doors == 0
	doors = p.owns(f, c) && !p.Protected.Has(c)
	return masks, doors
}

func (g *game) actMasks(p *Position, w *flow.Witness, a engine.Action) {
	c := p.Now.Cell
	switch a {
	case ActDone:
		p.Now.Order++
		p.Now.Doors = 0
	case ActCard + engine.Action(CardGasMasks):
		g.toDiscard(p, w, p.Now.Who, CardGasMasks)
		p.Cancelled[c] += uint8(g.box.loot[CardGasMasks].Effects[0].N)
		if w != nil {
			w.All("cancelled", "R9.3", number("cops", p.Cancelled[c]), g.district(p, c))
		}
	default:
		g.toDiscard(p, w, p.Now.Who, CardSteelDoors)
		g.protect(p, w, "R9.3")
		p.Now.Doors = 1
	}
}

// protect implements Steel Doors in the district that is handled.
func (g *game) protect(p *Position, w *flow.Witness, rule string) {
	p.Protected |= at(p.Now.Cell)
	if w != nil {
		w.All("protected", rule, g.district(p, p.Now.Cell))
	}
}

// attacks returns how many attacks the cops of a district make: those not void.
func (p *Position) attacks(c CellID) uint8 { return p.Cops[c] - min(p.Cops[c], p.Cancelled[c]) }

// copAttack implements R9.3 (ii) and (iii): as many attacks as blocs or more defeat
// them all, more also evict the occupation; otherwise victims are named.
func (g *game) copAttack(p *Position, w *flow.Witness) {
	c := p.Now.Cell
	attacks, total := p.attacks(c), p.total(c)
	if w != nil && (min(attacks, total) > 0 || attacks > total && p.unprotected(c)) {
		w.All("cop_attack", "R9.3", g.district(p, c), number("attacks", attacks), number("blocs", total))
	}
	p.Step = rescue
	p.Now.LostTo = byCops
	if attacks >= total {
		for f := range FactionID(Factions) {
			g.defeat(p, w, "R9.3", f, p.Blocs[f][c])
		}
		if attacks > total {
			g.evictUnprotected(p, w, "R9.3")
		}
		p.Now.Decider = NoFaction
		return
	}
	for f := range FactionID(Factions) {
		if p.Blocs[f][c] == total {
			g.defeat(p, w, "R9.3", f, attacks)
			p.Now.Decider = NoFaction
			return
		}
	}
	p.Now.Victims, p.Step = attacks, nameVictims
}

// promptVictim implements R9.3, R13.4 and D25: the deciding faction names the victims
// one at a time, in the order of the factions.
func (g *game) promptVictim(p *Position, _ *flow.Witness) bool {
	if p.Now.Victims == 0 {
		p.Now.Victim, p.Now.Decider, p.Step = 0, NoFaction, rescue
		return false
	}
	legal := p.Offer()
	behind := uint8(0)
	for f := FactionID(Factions); f > p.Now.Victim; f-- {
		n := p.Blocs[f-1][p.Now.Cell]
		if behind += n; n > 0 && behind >= p.Now.Victims {
			legal.Add(ActFaction + engine.Action(f-1))
		}
	}
	return g.decide(p, p.Now.Decider)
}

func (g *game) actVictim(p *Position, w *flow.Witness, a engine.Action) {
	f := FactionID(a - ActFaction)
	g.defeat(p, w, "R9.3", f, 1)
	p.Now.Victim = f
	p.Now.Victims--
}

// promptMedic implements R9.4 (Medic Kit; Ruling 21) and D26: each faction that lost blocs, in turn
// order, may save three of them for each card.
func (g *game) promptMedic(p *Position, _ *flow.Witness) bool {
	medic := CardMedicKit
	for ; p.Now.Order < g.factions; p.Now.Order++ {
		f := g.order(p, p.Now.Order)
		if p.Now.Lost[f] == 0 || p.refuges(f) == 0 {
			continue
		}
		g.mayBeAsked(p, f)
		if p.Hand[f][medic] == 0 {
			continue
		}
		p.Now.Who = f
		legal := p.Offer()
		legal.Add(ActDone)
		legal.Add(ActCard + engine.Action(medic))
		return g.decide(p, f)
	}
	scan := p.Now.Scan + 1
	p.Step = scanCops
	if p.Now.LostTo == byVan {
		p.Step = scanVans
	}
	p.Now = clearPending
	p.Now.Scan = scan
	return false
}

// refuges returns the districts with an occupation of a faction, but for the one that
// is handled.
func (p *Position) refuges(f FactionID) CellSet {
	cells := CellSet(0)
	for _, c := range p.Place[f] {
		if c != NoCell && c != p.Now.Cell {
			cells |= at(c)
		}
	}
	return cells
}

func (g *game) actMedic(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Now.Order++
		return
	}
	g.toDiscard(p, w, p.Now.Who, CardMedicKit)
	p.Step = rescueTo
}

// promptMedicCell implements R9.4 and D27.
func (g *game) promptMedicCell(p *Position, _ *flow.Witness) bool {
	return g.decideCell(p, p.Now.Who, p.refuges(p.Now.Who))
}

func (g *game) actMedicCell(p *Position, w *flow.Witness, a engine.Action) {
	n := min(uint8(g.box.loot[CardMedicKit].Effects[0].Max), p.Now.Lost[p.Now.Who])
	p.put(p.Now.Who, CellID(a-ActCell), n)
	if w != nil {
		w.All("saved", "R9.4", g.faction(p.Now.Who), number("blocs", n), g.district(p, CellID(a-ActCell)))
	}
	p.Now.Lost[p.Now.Who] -= n
	p.Step = rescue
}
