package minuteman

import "powderkeg/engine/minuteman"

// mapBlocks writes what lies on the map beside units: in the cities, the Unrests
// elsewhere, and their sums by region.
func (e *encoder) mapBlocks(dst []float32) {
	s := e.s
	city := func(h int) []float32 { return dst[citiesAt+s.Facts(h).City*citySize:][:citySize] }
	region := func(h int) []float32 { return dst[regionsAt+s.Facts(h).Region*regionSize:][:regionSize] }
	for c := range minuteman.Cities {
		h := s.CityHex(c)
		if !s.Playable().Has(h) {
			continue
		}
		row := dst[citiesAt+c*citySize:][:citySize]
		row[13], row[14], row[15] = flag(e.government.Has(h)), flag(e.rebels.Has(h)), 1
	}
	if e.chain.Moving >= 0 {
		var prices [minuteman.Cities]float32
		s.CityPrices(&prices)
		for c, x := range prices {
			dst[citiesAt+c*citySize+16] = x
		}
	}
	for c := e.p.Riot.Next(0); c >= 0; c = e.p.Riot.Next(c + 1) {
		h := s.CityHex(c)
		city(h)[0] = 1
		region(h)[0] += 1. / minuteman.Cities
	}
	for c := e.p.Informer.Next(0); c >= 0; c = e.p.Informer.Next(c + 1) {
		h := s.CityHex(c)
		city(h)[2] = 1
		region(h)[11] += 1. / minuteman.Informers
		e.count[6]++
	}
	n := 0
	for h := e.p.Unrest.Next(0); h != minuteman.NoHex; h = e.p.Unrest.Next(h + 1) {
		f := s.Facts(h)
		region(h)[1] += 1. / minuteman.Cities
		if f.City >= 0 {
			city(h)[1] = 1
		} else if n < unrestRows {
			row := dst[unrestAt+2*n:]
			row[0], row[1] = columnAt[f.Column], rowAt[f.Row]
			n++
		}
	}
}

// units writes the blocks of Minutemen, Militia, Army, Agents and CIGs, and what
// units add to cities and regions.
func (e *encoder) units(dst []float32) {
	const mmPerColour, militiaPerColour, coloured = 12, 8, 24
	for i := range minuteman.Nets {
		if e.p.OnMap.Has(i) {
			e.network(dst, i)
		}
	}
	for i := range minuteman.Minutemen {
		slot := minuteman.FirstMinuteman + e.colour(i/mmPerColour)*mmPerColour + i%mmPerColour
		if e.p.OnMap.Has(slot) {
			e.minuteman(dst, i, slot)
		}
	}
	for i := range minuteman.Militias {
		slot := minuteman.FirstMilitia + i
		if i < coloured {
			slot = minuteman.FirstMilitia + e.colour(i/militiaPerColour)*militiaPerColour + i%militiaPerColour
		}
		if e.p.OnMap.Has(slot) {
			e.militia(dst, i, slot)
		}
	}
	for i := range minuteman.Armies {
		if e.p.OnMap.Has(minuteman.FirstArmy + i) {
			e.army(dst, i)
		}
	}
	for i := range minuteman.Agents {
		if e.p.OnMap.Has(minuteman.FirstAgent + i) {
			e.agent(dst, i)
		}
	}
	for i := range minuteman.CIGs {
		if e.p.OnMap.Has(minuteman.FirstCIG + i) {
			e.cig(dst, i)
		}
	}
}

// met counts a unit and returns what is printed on its hex, its region's row and its
// city's, nil elsewhere, where it takes room.
func (e *encoder) met(dst []float32, u *minuteman.Unit) (f *minuteman.HexFacts, region, city []float32) {
	e.out[u.Pile]++
	f = e.s.Facts(u.Hex)
	region = dst[regionsAt+f.Region*regionSize:][:regionSize]
	if f.City >= 0 {
		city = dst[citiesAt+f.City*citySize:][:citySize]
		city[15] -= 1. / 6
	}
	return f, region, city
}

func (e *encoder) network(dst []float32, slot int) {
	u := e.s.Unit(slot)
	_, region, city := e.met(dst, &u)
	e.count[0]++
	city[3+u.Step] = 1
	city[5], city[6], city[7] = flag(u.Underground), e.ownerShare[u.Owner], flag(u.Acted || u.Attacked)
	region[2] += 1. / minuteman.Nets
	region[3] += float32(u.Step) / minuteman.Nets
}

func (e *encoder) minuteman(dst []float32, i, slot int) {
	u := e.s.Unit(slot)
	f, region, city := e.met(dst, &u)
	e.count[1]++
	e.mmOf[u.Owner]++
	row := dst[mmAt+i*mmSize:][:mmSize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = float32(u.Step), flag(u.Underground), flag(e.done.did(&u)), flag(u.Fought), e.ownerShare[u.Owner]
	region[4] += 1. / minuteman.Minutemen
	if city != nil {
		city[8] += 1. / 3
		city[9] += float32(u.Step) / 3
	}
}

func (e *encoder) militia(dst []float32, i, slot int) {
	u := e.s.Unit(slot)
	f, region, _ := e.met(dst, &u)
	e.count[2]++
	against := &e.government
	if minuteman.SeatID(u.Owner) == e.p.Fed {
		against = &e.rebels
	}
	row := dst[militiaAt+i*militiaSize:][:militiaSize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = flag(u.Untried), u.Attack/8, u.Defence/8, half(e.done.did(&u), u.Advanced), e.ownerShare[u.Owner]
	row[8] = flag(e.s.Surrounded(slot, against))
	region[5] += 1. / minuteman.Militias
	region[6] += u.Attack / (8 * minuteman.Militias)
}

func (e *encoder) army(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstArmy + i)
	f, region, city := e.met(dst, &u)
	e.count[3]++
	row := dst[armyAt+i*armySize:][:armySize]
	place(row, f)
	row[3], row[4], row[5], row[6], row[7] = flag(!u.Rebel), flag(u.Airborne)/2+flag(u.Marine), flag(u.Untried), u.Attack/14, u.Defence/12
	row[8], row[9], row[10] = flag(u.Pinned), flag(u.AirRail), half(e.done.did(&u), u.Advanced)
	region[7] += 1. / minuteman.Armies
	region[8] += u.Attack / (14 * minuteman.Armies)
	if city != nil && !u.Rebel {
		city[12] = 1
	}
}

func (e *encoder) agent(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstAgent + i)
	f, region, city := e.met(dst, &u)
	e.count[4]++
	row := dst[agentsAt+i*agentSize:][:agentSize]
	place(row, f)
	row[3], row[4], row[5] = float32(u.Step), flag(e.done.did(&u)), flag(u.Fought)
	region[9] += 1. / minuteman.Agents
	if city != nil {
		city[10] += 1. / 3
	}
}

func (e *encoder) cig(dst []float32, i int) {
	u := e.s.Unit(minuteman.FirstCIG + i)
	f, region, city := e.met(dst, &u)
	e.count[5]++
	row := dst[cigsAt+i*cigSize:][:cigSize]
	place(row, f)
	row[3], row[4], row[5], row[6] = float32(u.Step)/6, flag(u.PlacedNow), flag(u.Acted || u.Moved), flag(u.Attacked)
	region[10] += float32(u.Step) / (6 * minuteman.CIGs)
	if city != nil {
		city[11] = float32(u.Step) / 6
	}
}
