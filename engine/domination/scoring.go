package domination

// score implements R9.2 and R9.3: all players score at the same time. In the last
// Game Turn window D16 is left out (R9.4, Q44).
func (b Board) score() bool {
	for i := range b.seats {
		forces, monopolies := b.scoreForces(i), b.scoreMonopolies(i, b.regionMonopolies(i))
		b.addVP(i, forces+monopolies)
		if b.w != nil {
			b.tell(seatScored, "R9.2", i, forces, monopolies, b.VP[i])
		}
	}
	b.Fog = 0
	b.Phase, b.Window = logisticsWindow, firstPlace(logisticsWindow)
	if b.Turn == b.turns {
		b.Phase, b.Window = logisticsStep, noWindow
	}
	return false
}

// addVP moves a VP token. The bound of R10.4 stops it nowhere in a game from the
// start; it keeps the VPs in range in positions that were loaded close to it.
func (b Board) addVP(s SeatID, n uint16) {
	b.VP[s] = uint16(min(b.maxVP(), int(b.VP[s])+int(n)))
}

// scoreForces implements R9.2.
func (b Board) scoreForces(s SeatID) uint16 {
	v, own := &b.box.Scores, b.Own[s]
	full, struggling := own&b.Full, own&^b.Full
	return v.FullLand*uint16((full&landAreas).Size()) + v.StrugglingLand*uint16((struggling&landAreas).Size()) +
		v.FullSea*uint16((full&seaAreas).Size()) + v.StrugglingSea*uint16((struggling&seaAreas).Size())
}

// scoreMonopolies implements R9.3 for a number of Region monopolies, and R8.4 where a Fog
// of War denies them.
func (b Board) scoreMonopolies(s SeatID, regions int) uint16 {
	if b.Denied(s) {
		return 0
	}
	return b.box.Scores.RegionMonopoly * uint16(regions)
}

// Denied implements R8.4: another player's Fog of War is in force.
func (p *Position) Denied(s SeatID) bool { return p.Fog&^(1<<s) != 0 }

// deniable implements R8.4 and Q26: some player other than s controls a Region monopoly
// whose VPs are not denied yet.
func (b Board) deniable(s SeatID) bool {
	for i := range b.seats {
		if i != s && !b.Denied(i) && b.regionMonopolies(i) > 0 {
			return true
		}
	}
	return false
}

// moveLogistics implements R9.5.
func (b Board) moveLogistics() bool {
	for i := range b.seats {
		gain := b.box.Scores.ResourceMonopoly * uint8(b.resourceMonopolies(i))
		before := b.Logistics[i]
		b.Logistics[i] = min(b.maxLogistics, before+gain)
		if gain > 0 {
			b.tellLogistics(i, int(b.Logistics[i]-before), "R9.5")
		}
	}
	b.Phase = endOfGameTurn
	return false
}

// tellLogistics tells how far the Logistical token of a seat has moved.
func (b Board) tellLogistics(s SeatID, change int, rule string) {
	if b.w != nil {
		b.tell(logisticsMoved, rule, s, change, b.Logistics[s])
	}
}

// winners implements R10.2 and Q31: those with the most VPs at the end, none before.
func (b Board) winners() SeatSet {
	if b.Phase != over {
		return 0
	}
	set, most := SeatSet(0), uint16(0)
	for i := range b.seats {
		switch vp := b.VP[i]; {
		case set == 0 || vp > most:
			set, most = 1<<i, vp
		case vp == most:
			set |= 1 << i
		}
	}
	return set
}
