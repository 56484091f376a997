package bloc

// nextNight implements R9.7 and R10.1 (Order of checks). If the game ends, the countdown moves
// only if time has run out. Otherwise the first faction marker passes to the left, and a Metro
// Lockdown that is still in force ends in the new night (R8.9, R-06).
func (b Board) nextNight() bool {
	b.Now = clearPending
	if winners, why := b.result(); why != undecided {
		b.Winners, b.Ending, b.Step = winners, why, over
		b.tellEnd()
	} else {
		b.Night++
		b.Expiring = b.Lockdown != NoFaction
		b.FirstSeat = (b.FirstSeat + 1) % b.factions
		b.tell(nightBegun, "R9.7", b.Night, b.NightsLeft-1, b.order(0))
		b.Step = beginTurn
	}
	if b.Ending == undecided || b.Ending == timeOut {
		b.NightsLeft--
	}
	b.seenByAll()
	b.Turn, b.Revealed, b.Protected = 0, 0, 0
	b.Cancelled, b.Boost = [Cells]uint8{}, [Cells]uint8{}
	b.Attacked = [Factions][Cells]uint8{}
	return false
}

// result implements R10.1 (Ruling 13): it returns the winners of this night, a bit set of
// factions, and why the game is over; undecided if it is not.
func (b Board) result() (winners uint8, why Ending) {
	all := uint8(0)
	for s := range b.factions {
		f := b.Seats[s]
		all |= 1 << f
		if b.Mat[f] == blocsEach {
			return 0, noBlocs
		}
	}
	if b.gateOpen() {
		alone, together := b.claims()
		switch {
		case alone != 0 && alone&(alone-1) == 0:
			return alone, winAlone
		case alone == 0 && b.succeeds():
			if b.mode == cooperative {
				together = all
			}
			return together, succeeded
		}
	}
	if b.NightsLeft == 1 {
		return 0, timeOut
	}
	return 0, undecided
}

// gateOpen implements the second check of R10.1: there are no police in the zones, if the
// scenario requires that.
func (b Board) gateOpen() bool {
	return b.scenario.Gate == nil || b.zones()&b.Police == 0
}

// zones returns the cells of the Autonomous Zones that the scenario names.
func (b Board) zones() CellSet {
	cells := CellSet(0)
	for c, t := range b.Tile {
		for _, z := range b.scenario.zones {
			if t == z {
				cells |= at(CellID(c))
			}
		}
	}
	return cells
}

// aroundZones implements Ruling 14: the districts adjacent to a zone that can be
// liberated.
func (b Board) aroundZones() CellSet {
	cells := CellSet(0)
	for z := b.zones(); z != 0; z &= z - 1 {
		cells |= b.Near[z.First()]
	}
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); !b.box.tiles[b.Tile[c]].Liberable {
			cells &^= at(c)
		}
	}
	return cells
}

// held returns the cells that hold an occupation of a faction.
func (p *Position) held(f FactionID) CellSet {
	cells := CellSet(0)
	for _, c := range p.Place[f] {
		if c != NoCell {
			cells |= at(c)
		}
	}
	return cells
}

// heldByAny returns the cells that hold an occupation.
func (p *Position) heldByAny() CellSet { return p.held(0) | p.held(1) | p.held(2) | p.held(3) }

// liberatedNow returns the districts that were liberated: without the Autonomous
// Zones, which began so (R10.2, R10.4).
func (b Board) liberatedNow() CellSet {
	cells := b.Liberated
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); b.box.tiles[b.Tile[c]].Free {
			cells &^= at(c)
		}
	}
	return cells
}

// succeeds implements R10.2 (Success conditions).
func (b Board) succeeds() bool {
	switch b.scenario.Success.Op {
	case stateOccupied:
		return b.OfType[TypeState]&^b.heldByAny() == 0
	case stateLiberated:
		return b.OfType[TypeState]&^(b.heldByAny()&b.Liberated) == 0
	case entrancesBarricaded:
		barricaded, all := b.entrances()
		return barricaded == all
	case policeGone:
		return b.Destroyed == b.box.pieces.vans && b.Police == 0
	case commercialBurned:
		for s := b.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); b.Centers[0][c]+b.Centers[1][c] > 0 {
				return false
			}
		}
		return true
	case ownOccupied, stateOrOwn:
		for s := range b.factions {
			f := b.Seats[s]
			own := b.OfType[f]&^b.held(f) == 0
			if !own && (b.scenario.Success.Op == ownOccupied || b.OfType[TypeState]&b.held(f) == 0) {
				return false
			}
		}
		return true
	case liberatedCount:
		return b.liberatedNow().Count() >= b.scenario.Success.N
	case aroundZones:
		return b.aroundZones()&^b.Liberated == 0 && b.zones()&b.Police == 0
	}
	panic("bloc: unknown success condition")
}

// entrances counts the highway entrances of the city, and those of them that are barricaded
// (Ruling 4).
func (p *Position) entrances() (barricaded, all uint8) {
	for e, far := range p.Links {
		if far != NoEnd && p.Over[e/Arms]>>(e%Arms)&1 != 0 {
			all++
			if p.Barricades[e] != 0 {
				barricaded++
			}
		}
	}
	return barricaded, all
}

// claims implements the third and fourth checks of R10.1: the factions that meet an option
// to win alone, and those that meet one to win together with the others.
func (b Board) claims() (alone, together uint8) {
	if b.mode == cooperative {
		return 0, 0
	}
	for s := range b.factions {
		f := b.Seats[s]
		if b.Agenda[f] >= Agendas {
			continue // hidden, or a position without agendas
		}
		for _, o := range b.box.agendas[b.Agenda[f]].Options {
			switch {
			case !b.meets(f, o.All):
			case o.alone():
				alone |= 1 << f
			default:
				together |= 1 << f
			}
		}
	}
	return alone, together
}

func (b Board) meets(f FactionID, all []condition) bool {
	for i := range all {
		if !b.holdsFor(f, &all[i]) {
			return false
		}
	}
	return true
}

// holdsFor implements R10.4 (Agenda predicates) for faction f.
func (b Board) holdsFor(f FactionID, c *condition) bool {
	typ := c.Type.of(f)
	count := uint8(0)
	switch c.Op {
	case insurrection:
		return b.succeeds()
	case mostBlocs:
		for other, n := range b.Mat {
			if other := FactionID(other); other != f && b.inPlay(other) && n <= b.Mat[f] {
				return false
			}
		}
		return true
	case noPoliceAtOwn:
		return b.held(f)&b.Police == 0
	case occInType:
		count = (b.OfType[typ] & b.held(f)).Count()
	case anyOccInType:
		count = (b.OfType[typ] & b.heldByAny()).Count()
	case occInCity:
		count = b.held(f).Count()
	case occInLiberated:
		count = (b.held(f) & b.Liberated).Count()
	case ownLiberated:
		count = (b.OfType[f] & b.liberatedNow()).Count()
	case typeLiberated:
		count = (b.OfType[typ] & b.liberatedNow()).Count()
	case liberatedInCity:
		count = b.liberatedNow().Count()
	case blocsInCity:
		count = blocsEach - b.Mat[f]
	case blocsInLiberated:
		for s := b.Liberated; s != 0; s &= s - 1 {
			count += b.Blocs[f][s.First()]
		}
	case barricadesInCity:
		count = sum(b.Barricades[:])
	case lootedCenters:
		count = sum(b.Centers[1][:]) + sum(b.Centers[2][:])
	case burnedCenters:
		count = sum(b.Centers[2][:])
	case fullyBurned:
		for s := b.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); b.Centers[0][c]+b.Centers[1][c] == 0 {
				count++
			}
		}
	case handOf:
		count = b.HandSize[f]
	}
	return count >= c.N
}

// sum adds up counts of pieces.
func sum(counts []uint8) uint8 {
	n := uint8(0)
	for _, c := range counts {
		n += c
	}
	return n
}
