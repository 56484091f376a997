package bloc

import "powderkeg/engine/flow"

// nextNight implements R9.7 and R10.1 (Order of checks): the game ends, before the countdown
// moves unless time is out, or the first faction marker passes to the left. A Metro Lockdown that lasts into the new night ends in it (R8.9, R-06).
func (g *game) nextNight(p *Position, w *flow.Witness) bool {
	p.Now = clearPending
	if winners, why := g.result(p); why != undecided {
		p.Winners, p.Ending, p.Step = winners, why, over
		if w != nil {
			g.tellEnd(p, w)
		}
	} else {
		p.Night++
		p.Expiring = p.Lockdown != NoFaction
		p.FirstSeat = (p.FirstSeat + 1) % g.factions
		if w != nil {
			w.All("night", "R9.7", number("night", p.Night), number("nights_left", p.NightsLeft-1), g.faction(g.order(p, 0)))
		}
		p.Step = beginTurn
	}
	if p.Ending == undecided || p.Ending == timeOut {
		p.NightsLeft--
	}
	p.seenByAll()
	p.Turn, p.Revealed, p.Protected = 0, 0, 0
	p.Cancelled, p.Boost = [Cells]uint8{}, [Cells]uint8{}
	p.Attacked = [Factions][Cells]uint8{}
	return false
}

// result implements R10.1 (Ruling 13): who wins this night, a bit set of factions,
// and why the game is over, undecided if it is not.
func (g *game) result(p *Position) (winners uint8, why Ending) {
	all := uint8(0)
	for s := range g.factions {
		f := p.Seats[s]
		all |= 1 << f
		if p.Mat[f] == blocsEach {
			return 0, noBlocs
		}
	}
	if g.gateOpen(p) {
		alone, together := g.claims(p)
		switch {
		case alone != 0 && alone&(alone-1) == 0:
			return alone, winAlone
		case alone == 0 && g.succeeds(p):
			if g.mode == cooperative {
				together = all
			}
			return together, succeeded
		}
	}
	if p.NightsLeft == 1 {
		return 0, timeOut
	}
	return 0, undecided
}

// gateOpen implements the second check of R10.1: no police in the zones, where the
// scenario demands it.
func (g *game) gateOpen(p *Position) bool {
	return g.scenario.Gate == nil || g.zones(p)&p.Police == 0
}

// zones returns the cells of the Autonomous Zones that the scenario names.
func (g *game) zones(p *Position) CellSet {
	cells := CellSet(0)
	for c, t := range p.Tile {
		for _, z := range g.scenario.zones {
			if t == z {
				cells |= at(CellID(c))
			}
		}
	}
	return cells
}

// aroundZones implements Ruling 14: the districts adjacent to a zone that can be
// liberated.
func (g *game) aroundZones(p *Position) CellSet {
	cells := CellSet(0)
	for z := g.zones(p); z != 0; z &= z - 1 {
		cells |= p.Near[z.First()]
	}
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); !g.box.tiles[p.Tile[c]].Liberable {
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
func (g *game) liberatedNow(p *Position) CellSet {
	cells := p.Liberated
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); g.box.tiles[p.Tile[c]].Free {
			cells &^= at(c)
		}
	}
	return cells
}

// succeeds implements R10.2 (Success conditions).
func (g *game) succeeds(p *Position) bool {
	switch g.scenario.Success.Op {
	case stateOccupied:
		return p.OfType[TypeState]&^p.heldByAny() == 0
	case stateLiberated:
		return p.OfType[TypeState]&^(p.heldByAny()&p.Liberated) == 0
	case entrancesBarricaded:
		barricaded, all := p.entrances()
		return barricaded == all
	case policeGone:
		return p.Destroyed == g.box.pieces.vans && p.Police == 0
	case commercialBurned:
		for s := p.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); p.Centers[0][c]+p.Centers[1][c] > 0 {
				return false
			}
		}
		return true
	case ownOccupied, stateOrOwn:
		for s := range g.factions {
			f := p.Seats[s]
			own := p.OfType[f]&^p.held(f) == 0
			if !own && (g.scenario.Success.Op == ownOccupied || p.OfType[TypeState]&p.held(f) == 0) {
				return false
			}
		}
		return true
	case liberatedCount:
		return g.liberatedNow(p).Count() >= g.scenario.Success.N
	case aroundZones:
		return g.aroundZones(p)&^p.Liberated == 0 && g.zones(p)&p.Police == 0
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
func (g *game) claims(p *Position) (alone, together uint8) {
	if g.mode == cooperative {
		return 0, 0
	}
	for s := range g.factions {
		f := p.Seats[s]
		if p.Agenda[f] >= Agendas {
			continue // hidden, or a position without agendas
		}
		for _, o := range g.box.agendas[p.Agenda[f]].Options {
			switch {
			case !g.meets(p, f, o.All):
			case o.alone():
				alone |= 1 << f
			default:
				together |= 1 << f
			}
		}
	}
	return alone, together
}

func (g *game) meets(p *Position, f FactionID, all []condition) bool {
	for i := range all {
		if !g.holdsFor(p, f, &all[i]) {
			return false
		}
	}
	return true
}

// holdsFor implements R10.4 (Agenda predicates) for faction f.
func (g *game) holdsFor(p *Position, f FactionID, c *condition) bool {
	typ := c.Type.of(f)
	count := uint8(0)
	switch c.Op {
	case insurrection:
		return g.succeeds(p)
	case mostBlocs:
		for other, n := range p.Mat {
			if other := FactionID(other); other != f && g.inPlay(p, other) && n <= p.Mat[f] {
				return false
			}
		}
		return true
	case noPoliceAtOwn:
		return p.held(f)&p.Police == 0
	case occInType:
		count = (p.OfType[typ] & p.held(f)).Count()
	case anyOccInType:
		count = (p.OfType[typ] & p.heldByAny()).Count()
	case occInCity:
		count = p.held(f).Count()
	case occInLiberated:
		count = (p.held(f) & p.Liberated).Count()
	case ownLiberated:
		count = (p.OfType[f] & g.liberatedNow(p)).Count()
	case typeLiberated:
		count = (p.OfType[typ] & g.liberatedNow(p)).Count()
	case liberatedInCity:
		count = g.liberatedNow(p).Count()
	case blocsInCity:
		count = blocsEach - p.Mat[f]
	case blocsInLiberated:
		for s := p.Liberated; s != 0; s &= s - 1 {
			count += p.Blocs[f][s.First()]
		}
	case barricadesInCity:
		count = sum(p.Barricades[:])
	case lootedCenters:
		count = sum(p.Centers[1][:]) + sum(p.Centers[2][:])
	case burnedCenters:
		count = sum(p.Centers[2][:])
	case fullyBurned:
		for s := p.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); p.Centers[0][c]+p.Centers[1][c] == 0 {
				count++
			}
		}
	case handOf:
		count = p.HandSize[f]
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
