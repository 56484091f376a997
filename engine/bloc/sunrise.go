package bloc

import (
	"powderkeg/engine"
)

// Force is the kind of police that blocs were lost to, while factions may play Medic Kits.
type Force uint8

const (
	byCops Force = iota
	byVan
)

// repairVans implements R9.1 (Repair).
func (b Board) repairVans() bool {
	repaired := CellSet(0)
	for c, v := range b.Van {
		if v > 1 {
			b.Van[c] = 1
			repaired |= at(CellID(c))
		}
	}
	if b.w != nil { // a set takes more than a byte
		b.tell(sunriseBegun, "R9.1", b.Night, repaired)
	}
	b.Step = scanVans
	return false
}

// occupied reports whether a district holds a bloc or an occupation.
func (p *Position) occupied(c CellID) bool { return p.Holder[c] != 0 || p.total(c) > 0 }

// next moves Now.Scan to the next district that fits, by ascending police ID (Ruling 34). It
// returns false if there is none.
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
func (b Board) scanVans() bool {
	if b.next(func(c CellID) bool { return b.Van[c] > 0 && b.occupied(c) }) {
		b.Step = askDoors
	} else {
		b.Step = scanCops
	}
	return false
}

// promptDoors implements R9.2 (i) and D24.
func (b Board) promptDoors() bool {
	c, doors := b.Now.Cell, CardSteelDoors
	if b.Holder[c] == 0 || b.Protected.Has(c) {
		b.vanAttack()
		return false
	}
	f := b.Holder[c].Faction()
	b.mayBeAsked(f)
	if b.Hand[f][doors] == 0 {
		b.vanAttack()
		return false
	}
	b.Now.Who = f
	legal := b.Offer()
	legal.Add(ActDone)
	legal.Add(ActCard + engine.Action(doors))
	return b.decide(f)
}

func (b Board) actDoors(a engine.Action) {
	if a != ActDone {
		b.toDiscard(b.Now.Who, CardSteelDoors)
		b.protect("R9.2")
	}
	b.vanAttack()
}

// vanAttack implements R9.2 (ii): all blocs and an unprotected occupation go to
// their mats (Ruling 29).
func (b Board) vanAttack() {
	if total := b.total(b.Now.Cell); total > 0 || b.unprotected(b.Now.Cell) {
		b.tell(vanAttacked, "R9.2", b.Now.Cell, total)
	}
	for f := range FactionID(Factions) {
		b.defeat("R9.2", f, b.Blocs[f][b.Now.Cell])
	}
	b.evictUnprotected("R9.2")
	b.Now.LostTo, b.Now.Order, b.Now.Who, b.Step = byVan, 0, NoFaction, rescue
}

// defeat removes n blocs of a faction from the district at hand; a Medic Kit may save them.
func (b Board) defeat(rule string, f FactionID, n uint8) {
	if n == 0 {
		return
	}
	b.tell(blocsDefeated, rule, f, n, b.Now.Cell)
	b.remove(f, b.Now.Cell, n)
	b.Now.Lost[f] += n
	b.seenByAll()
}

// unprotected reports whether a district holds an occupation without Steel Doors.
func (p *Position) unprotected(c CellID) bool { return p.Holder[c] != 0 && !p.Protected.Has(c) }

func (b Board) evictUnprotected(rule string) {
	if c := b.Now.Cell; b.unprotected(c) {
		b.evict(rule, c)
		b.seenByAll()
	}
}

// scanCops implements R9.3 (Cops): districts with a cop and a bloc or an occupation.
// The deciding faction is fixed before cards are played.
func (b Board) scanCops() bool {
	if !b.next(func(c CellID) bool { return b.Cops[c] > 0 && b.occupied(c) }) {
		b.Step = scanSound
		return false
	}
	b.Now.Decider = b.strongest(b.Now.Cell)
	b.Step = askMasks
	return false
}

// strongest implements the tie-break of R9.3 and R9.6: it returns the faction with the most
// blocs in a district, in a tie the one whose turn came first this night, and NoFaction if
// there are no blocs.
func (b Board) strongest(c CellID) FactionID {
	most, who := uint8(0), FactionID(NoFaction)
	for i := range b.factions {
		if f := b.order(i); b.Blocs[f][c] > most {
			most, who = b.Blocs[f][c], f
		}
	}
	return who
}

// promptMasks implements R9.3 (i), R13.4 and D24: Gas Masks, then Steel Doors, of each
// faction in turn order.
func (b Board) promptMasks() bool {
	for ; b.Now.Order < b.factions; b.Now.Order++ {
		f := b.order(b.Now.Order)
		masks, doors := b.repressionCards(f)
		if masks || doors {
			b.mayBeAsked(f)
		}
		masks = masks && b.Hand[f][CardGasMasks] > 0
		doors = doors && b.Hand[f][CardSteelDoors] > 0
		if !masks && !doors {
			b.Now.Doors = 0
			continue
		}
		legal := b.Offer()
		legal.Add(ActDone)
		if masks {
			legal.Add(ActCard + engine.Action(CardGasMasks))
		}
		if doors {
			legal.Add(ActCard + engine.Action(CardSteelDoors))
		}
		b.Now.Who = f
		return b.decide(f)
	}
	b.Now.Order, b.Now.Doors, b.Now.Who = 0, 0, NoFaction
	b.copAttack()
	return false
}

// repressionCards reports which cards a faction may play before the cops attack, provided it
// holds them.
func (b Board) repressionCards(f FactionID) (masks, doors bool) {
	c := b.Now.Cell
	masks = b.Blocs[f][c] > 0 && b.Van[c] == 0 && b.Cancelled[c] < b.Cops[c] && b.Now.Doors == 0
	doors = b.owns(f, c) && !b.Protected.Has(c)
	return masks, doors
}

func (b Board) actMasks(a engine.Action) {
	c := b.Now.Cell
	switch a {
	case ActDone:
		b.Now.Order++
		b.Now.Doors = 0
	case ActCard + engine.Action(CardGasMasks):
		b.toDiscard(b.Now.Who, CardGasMasks)
		b.Cancelled[c] += b.box.loot[CardGasMasks].number
		b.tell(attacksCancelled, "R9.3", b.Cancelled[c], c)
	default:
		b.toDiscard(b.Now.Who, CardSteelDoors)
		b.protect("R9.3")
		b.Now.Doors = 1
	}
}

// protect implements Steel Doors in the district at hand.
func (b Board) protect(rule string) {
	b.Protected |= at(b.Now.Cell)
	b.tell(occupationProtected, rule, b.Now.Cell)
}

// Attacks returns how many attacks the cops of a district make at Sunrise (R9.3): those
// not void.
func (p *Position) Attacks(c CellID) uint8 { return p.Cops[c] - min(p.Cops[c], p.Cancelled[c]) }

// copAttack implements R9.3 (ii) and (iii): as many attacks as blocs or more defeat
// them all, more also evict the occupation; otherwise victims are named.
func (b Board) copAttack() {
	c := b.Now.Cell
	attacks, total := b.Attacks(c), b.total(c)
	if min(attacks, total) > 0 || attacks > total && b.unprotected(c) {
		b.tell(copsAttacked, "R9.3", c, attacks, total)
	}
	b.Step = rescue
	b.Now.LostTo = byCops
	if attacks >= total {
		for f := range FactionID(Factions) {
			b.defeat("R9.3", f, b.Blocs[f][c])
		}
		if attacks > total {
			b.evictUnprotected("R9.3")
		}
		b.Now.Decider = NoFaction
		return
	}
	for f := range FactionID(Factions) {
		if b.Blocs[f][c] == total {
			b.defeat("R9.3", f, attacks)
			b.Now.Decider = NoFaction
			return
		}
	}
	b.Now.Victims, b.Step = attacks, nameVictims
}

// promptVictim implements R9.3, R13.4 and D25: the deciding faction names the victims
// one at a time, in the order of the factions.
func (b Board) promptVictim() bool {
	if b.Now.Victims == 0 {
		b.Now.Victim, b.Now.Decider, b.Step = 0, NoFaction, rescue
		return false
	}
	legal := b.Offer()
	behind := uint8(0)
	for f := FactionID(Factions); f > b.Now.Victim; f-- {
		n := b.Blocs[f-1][b.Now.Cell]
		if behind += n; n > 0 && behind >= b.Now.Victims {
			legal.Add(ActFaction + engine.Action(f-1))
		}
	}
	return b.decide(b.Now.Decider)
}

func (b Board) actVictim(a engine.Action) {
	f := FactionID(a - ActFaction)
	b.defeat("R9.3", f, 1)
	b.Now.Victim = f
	b.Now.Victims--
}

// promptMedic implements R9.4 (Medic Kit; Ruling 21) and D26: each faction that lost blocs, in turn
// order, may save three of them for each card.
func (b Board) promptMedic() bool {
	medic := CardMedicKit
	for ; b.Now.Order < b.factions; b.Now.Order++ {
		f := b.order(b.Now.Order)
		if b.Now.Lost[f] == 0 || b.refuges(f) == 0 {
			continue
		}
		b.mayBeAsked(f)
		if b.Hand[f][medic] == 0 {
			continue
		}
		b.Now.Who = f
		legal := b.Offer()
		legal.Add(ActDone)
		legal.Add(ActCard + engine.Action(medic))
		return b.decide(f)
	}
	scan := b.Now.Scan + 1
	b.Step = scanCops
	if b.Now.LostTo == byVan {
		b.Step = scanVans
	}
	b.Now = clearPending
	b.Now.Scan = scan
	return false
}

// refuges returns the districts with an occupation of a faction, except the one at hand.
func (p *Position) refuges(f FactionID) CellSet {
	cells := CellSet(0)
	for _, c := range p.Place[f] {
		if c != NoCell && c != p.Now.Cell {
			cells |= at(c)
		}
	}
	return cells
}

func (b Board) actMedic(a engine.Action) {
	if a == ActDone {
		b.Now.Order++
		return
	}
	b.toDiscard(b.Now.Who, CardMedicKit)
	b.Step = rescueTo
}

// promptMedicCell implements R9.4 and D27.
func (b Board) promptMedicCell() bool {
	return b.decideCell(b.Now.Who, b.refuges(b.Now.Who))
}

func (b Board) actMedicCell(a engine.Action) {
	n := min(b.box.loot[CardMedicKit].number, b.Now.Lost[b.Now.Who])
	b.put(b.Now.Who, CellID(a-ActCell), n)
	b.tell(blocsSaved, "R9.4", b.Now.Who, n, CellID(a-ActCell))
	b.Now.Lost[b.Now.Who] -= n
	b.Step = rescue
}
