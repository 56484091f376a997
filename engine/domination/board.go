package domination

// occupied returns the Areas that hold a Force.
func (p *position) occupied() areaSet {
	set := areaSet(0)
	for _, own := range p.own {
		set |= own
	}
	return set
}

// ownerOf implements R2.2: the seat whose Force is in an Area, noSeat if it is
// empty.
func (p *position) ownerOf(a areaID) seatID {
	for s, own := range p.own {
		if own.has(a) {
			return seatID(s)
		}
	}
	return noSeat
}

// opposing implements R2.11 and Q14: the Areas with a Force of an opponent of seat s,
// which its Reductions may hit.
func (p *position) opposing(s seatID) areaSet { return p.occupied() &^ p.own[s] }

// steps implements R2.2 and R2.12: the steps of the Forces in a set of occupied
// Areas, 2 for a Full Force and 1 for a Struggling one.
func (p *position) steps(set areaSet) int { return set.size() + (set & p.full).size() }

// buildable implements R2.1 and R2.5: the Areas where seat s may make a Build, empty
// ones, wherever they are (Q13), and those with an own Struggling Force, which the same
// card may have placed (Q33). The supply of Force tokens is no limit (R1.4, Q12).
func (p *position) buildable(s seatID) areaSet {
	return allAreas&^p.occupied() | p.own[s]&^p.full
}

// build implements R2.5: one Build of seat s in a buildable Area.
func (p *position) build(s seatID, a areaID) {
	if p.own[s].has(a) {
		p.full |= 1 << a
		return
	}
	p.own[s] |= 1 << a
}

// reduce implements R2.6: one Reduction of the Force in an occupied Area.
func (p *position) reduce(a areaID) {
	if p.full.has(a) {
		p.full &^= 1 << a // it is struggling now (R2.8)
		return
	}
	p.remove(1 << a)
}

// remove implements R2.7: the Forces in the Areas leave the map.
func (p *position) remove(set areaSet) {
	for i := range p.own {
		p.own[i] &^= set
	}
	p.full &^= set
}

// isolated implements R8.3: the Areas with a Force of seat s none of whose
// neighbours holds another one of the same seat.
func (b *box) isolated(p *position, s seatID) areaSet { return p.own[s] &^ b.neighbours(p.own[s]) }

// regionMonopolies implements R2.9 and R2.3: the number of Regions that seat s
// controls whole, with Forces of any strength (Q22).
func (b *box) regionMonopolies(p *position, s seatID) int { return monopolies(&b.regions, p.own[s]) }

// resourceMonopolies implements R2.9: the number of Resources that seat s controls
// whole.
func (b *box) resourceMonopolies(p *position, s seatID) int {
	return monopolies(&b.resources, p.own[s])
}

func monopolies(groups *[numRegions]group, own areaSet) int {
	if own.size() < numLand/numRegions { // too few for any
		return 0
	}
	n := 0
	for i := range groups {
		n += bit(own&groups[i].areas == groups[i].areas)
	}
	return n
}
