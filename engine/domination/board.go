package domination

// occupied returns the Areas that hold a Force.
func (p *Position) occupied() AreaSet {
	set := AreaSet(0)
	for _, own := range p.Own {
		set |= own
	}
	return set
}

// ownerOf implements R2.2: the seat whose Force is in an Area, NoSeat if it is
// empty.
func (p *Position) ownerOf(a AreaID) SeatID {
	for s, own := range p.Own {
		if own.has(a) {
			return SeatID(s)
		}
	}
	return NoSeat
}

// opposing implements R2.11 and Q14: the Areas with a Force of an opponent of seat s,
// which its Reductions may hit.
func (p *Position) opposing(s SeatID) AreaSet { return p.occupied() &^ p.Own[s] }

// steps implements R2.2 and R2.12: the steps of the Forces in a set of occupied
// Areas, 2 for a Full Force and 1 for a Struggling one.
func (p *Position) steps(set AreaSet) int { return set.size() + (set & p.Full).size() }

// buildable implements R2.1 and R2.5: the Areas where seat s may make a Build, empty
// ones, wherever they are (Q13), and those with an own Struggling Force, which the same
// card may have placed (Q33). The supply of Force tokens is no limit (R1.4, Q12).
func (p *Position) buildable(s SeatID) AreaSet {
	return allAreas&^p.occupied() | p.Own[s]&^p.Full
}

// build implements R2.5: one Build of seat s in a buildable Area.
func (p *Position) build(s SeatID, a AreaID) {
	if p.Own[s].has(a) {
		p.Full |= 1 << a
		return
	}
	p.Own[s] |= 1 << a
}

// reduce implements R2.6: one Reduction of the Force in an occupied Area.
func (p *Position) reduce(a AreaID) {
	if p.Full.has(a) {
		p.Full &^= 1 << a // it is struggling now (R2.8)
		return
	}
	p.remove(1 << a)
}

// remove implements R2.7: the Forces in the Areas leave the map.
func (p *Position) remove(set AreaSet) {
	for i := range p.Own {
		p.Own[i] &^= set
	}
	p.Full &^= set
}

// isolated implements R8.3: the Areas with a Force of seat s none of whose
// neighbours holds another one of the same seat.
func (b *box) isolated(p *Position, s SeatID) AreaSet { return p.Own[s] &^ b.neighbours(p.Own[s]) }

// regionMonopolies implements R2.9 and R2.3: the number of Regions that seat s
// controls whole, with Forces of any strength (Q22).
func (b *box) regionMonopolies(p *Position, s SeatID) int { return monopolies(&b.Regions, p.Own[s]) }

// resourceMonopolies implements R2.9: the number of Resources that seat s controls
// whole.
func (b *box) resourceMonopolies(p *Position, s SeatID) int {
	return monopolies(&b.Resources, p.Own[s])
}

func monopolies(groups *[Regions]Group, own AreaSet) int {
	if own.size() < LandAreas/Regions { // too few for any
		return 0
	}
	n := 0
	for i := range groups {
		n += bit(own&groups[i].Areas == groups[i].Areas)
	}
	return n
}
