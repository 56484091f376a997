package domination

// Forces are the Forces on the map: as they are, in a Position, or as a player thinks they
// might become. No two sets of Own overlap (R2.1), and Full lies within their union.
type Forces struct {
	Own  [MaxSeats]AreaSet `pos:"areas" form:"areas"` // Areas that hold a Force of the seat
	Full AreaSet           `pos:"-" hash:"true"`      // Areas whose Force is Full
}

// Occupied returns the Areas that hold a Force.
func (f *Forces) Occupied() AreaSet {
	set := AreaSet(0)
	for _, own := range f.Own {
		set |= own
	}
	return set
}

// Owner implements R2.2: the seat whose Force is in an Area, NoSeat if it is
// empty.
func (f *Forces) Owner(a AreaID) SeatID {
	for s, own := range f.Own {
		if own.Has(a) {
			return SeatID(s)
		}
	}
	return NoSeat
}

// Opposing implements R2.11 and Q14: the Areas with a Force of an opponent of seat s,
// which its Reductions may hit.
func (f *Forces) Opposing(s SeatID) AreaSet { return f.Occupied() &^ f.Own[s] }

// Steps implements R2.2 and R2.12: the steps of the Forces in a set of occupied
// Areas, 2 for a Full Force and 1 for a Struggling one.
func (f *Forces) Steps(set AreaSet) int { return set.Size() + (set & f.Full).Size() }

// Buildable implements R2.1 and R2.5: the Areas where seat s may make a Build, empty
// ones, wherever they are (Q13), and those with an own Struggling Force, which the same
// card may have placed (Q33). The supply of Force tokens is no limit (R1.4, Q12).
func (f *Forces) Buildable(s SeatID) AreaSet {
	return allAreas&^f.Occupied() | f.Own[s]&^f.Full
}

// Build implements R2.5: one Build of seat s in a buildable Area.
func (f *Forces) Build(s SeatID, a AreaID) {
	if f.Own[s].Has(a) {
		f.Full |= 1 << a
		return
	}
	f.Own[s] |= 1 << a
}

// Reduce implements R2.6: one Reduction of the Force in an occupied Area.
func (f *Forces) Reduce(a AreaID) {
	if f.Full.Has(a) {
		f.Full &^= 1 << a // it is struggling now (R2.8)
		return
	}
	f.Remove(1 << a)
}

// Remove implements R2.7: the Forces in the Areas leave the map.
func (f *Forces) Remove(set AreaSet) {
	for i := range f.Own {
		f.Own[i] &^= set
	}
	f.Full &^= set
}

// isolated implements R8.3: the Areas with a Force of seat s none of whose
// neighbours holds another one of the same seat.
func (b Board) isolated(s SeatID) AreaSet { return b.Own[s] &^ b.box.Neighbours(b.Own[s]) }

// regionMonopolies implements R2.9 and R2.3: the number of Regions that seat s
// controls whole, with Forces of any strength (Q22).
func (b Board) regionMonopolies(s SeatID) int { return monopolies(&b.box.Regions, b.Own[s]) }

// resourceMonopolies implements R2.9: the number of Resources that seat s controls
// whole.
func (b Board) resourceMonopolies(s SeatID) int {
	return monopolies(&b.box.Resources, b.Own[s])
}

func monopolies(groups *[Regions]Group, own AreaSet) int {
	if own.Size() < LandAreas/Regions { // too few for any
		return 0
	}
	n := 0
	for i := range groups {
		n += bit(own&groups[i].Areas == groups[i].Areas)
	}
	return n
}
