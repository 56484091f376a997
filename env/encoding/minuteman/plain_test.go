package minuteman_test

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

// encodePlain is the compact view as the specification tells it, field by field and
// hex by hex. It shares no code with the encoder, which must write the same numbers:
// it knows the places of fields by their names alone.
func encodePlain(layout *encoding.Layout, dst []float32, view engine.View, p engine.Player) {
	s := view.(*minuteman.View)
	clear(dst)
	e := plain{layout: layout, dst: dst, s: s, me: int(p), p: &s.P, o: s.Options(), chain: s.Chain()}
	e.government, e.rebels = s.Zones()
	e.regions()
	e.units()
	e.cities()
	e.elsewhere()
	e.near()
	e.globals()
	e.piles()
	e.affairs()
	e.balance()
	e.talk()
	e.decision()
	for _, f := range layout.Fields { // what play can drive beyond its scale: the track, sums of strengths
		if f.Name == "cities" { // in which no unit counts twice
			continue
		}
		for i := range f.Size {
			dst[f.Offset+i] = max(-1, min(1, dst[f.Offset+i]))
		}
	}
}

// plain is one observation on its way.
type plain struct {
	layout             *encoding.Layout
	dst                []float32
	s                  *minuteman.View
	me                 int
	p                  *minuteman.Position
	o                  *minuteman.Options
	chain              minuteman.Chain
	government, rebels minuteman.HexSet
	count              [7]int // units by kind and Informers
	mmOf               [4]int // Minutemen by seat
}

// field returns the numbers of a field.
func (e *plain) field(name string) []float32 {
	for _, f := range e.layout.Fields {
		if f.Name == name {
			return e.dst[f.Offset : f.Offset+f.Size]
		}
	}
	panic("no field " + name)
}

// row returns the numbers of one row of a field.
func (e *plain) row(name string, i int) []float32 {
	for _, f := range e.layout.Fields {
		if f.Name == name {
			n := f.Shape[len(f.Shape)-1]
			return e.field(name)[i*n : (i+1)*n]
		}
	}
	panic("no field " + name)
}

// set writes all numbers of a field.
func (e *plain) set(name string, values ...float32) {
	if dst := e.field(name); len(values) != len(dst) {
		panic("values of " + name)
	} else {
		copy(dst, values)
	}
}

// one writes a 1 in a place of a field, if there is that place.
func (e *plain) one(name string, i int) {
	if dst := e.field(name); i >= 0 && i < len(dst) {
		dst[i] = 1
	}
}

func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func bits(list ...bool) (values []float32) {
	for _, b := range list {
		values = append(values, bit(b))
	}
	return values
}

// after returns the seat so many places after the observer's, -1 if there is none.
func (e *plain) after(i int) int {
	if i >= e.o.Seats {
		return -1
	}
	return (e.me + i) % e.o.Seats
}

// share scales the owner of a Rebel unit: 1 mine, then the next seats.
func (e *plain) share(owner int) float32 {
	if e.o.Seats == 2 {
		return bit(owner == e.me)
	}
	for i := range e.o.Seats {
		if e.after(i) == owner {
			return 1 - float32(i)/3
		}
	}
	return 0
}

// colour returns which colour stands in place i, so that the observer's comes
// first.
func (e *plain) colour(i int) int {
	if e.o.Seats == 2 || e.me == 0 {
		return i
	}
	return (i + e.me - 1) % 3
}

// place writes that a unit is on the map and where.
func (e *plain) place(dst []float32, h int) {
	f := e.s.Facts(h)
	dst[0], dst[1], dst[2] = 1, float32(f.Column)/50, float32(f.Row)/33
}

// spent writes that a unit is done, or has advanced.
func spent(done, advanced bool) float32 {
	if advanced {
		return 1
	}
	return bit(done) / 2
}

// done reports whether a unit has acted, as the phase is.
func (e *plain) done(u *minuteman.Unit) bool {
	const a3, g3, a4, g4 = 3, 9, 4, 10
	switch e.p.Phase {
	case a3, g3:
		return u.Moved
	case a4, g4:
		return u.Attacked
	}
	return u.Acted
}

// units writes the blocks of Minutemen, Militia, Army, Agents and CIGs.
func (e *plain) units() {
	const perColour, militiaPerColour, coloured = 12, 8, 24
	for i := range minuteman.Minutemen {
		slot := minuteman.FirstMinuteman + e.colour(i/perColour)*perColour + i%perColour
		u := e.s.Unit(slot)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(slot, &u)
		row := e.row("minutemen", i)
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = float32(u.Step), bit(u.Underground), bit(e.done(&u)), bit(u.Fought), e.share(u.Owner)
		e.count[1]++
		e.mmOf[u.Owner]++
	}
	for i := range minuteman.Militias {
		slot := i
		if i < coloured {
			slot = e.colour(i/militiaPerColour)*militiaPerColour + i%militiaPerColour
		}
		u := e.s.Unit(minuteman.FirstMilitia + slot)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstMilitia+slot, &u)
		row := e.row("militia", i)
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = bit(u.Untried), u.Attack/8, u.Defence/8, spent(e.done(&u), u.Advanced), e.share(u.Owner)
		row[8] = bit(e.s.Surrounded(minuteman.FirstMilitia+slot, e.against(&u)))
		e.count[2]++
	}
	for i := range minuteman.Armies {
		u := e.s.Unit(minuteman.FirstArmy + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstArmy+i, &u)
		row := e.row("army", i)
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6], row[7] = bit(!u.Rebel), bit(u.Airborne)/2+bit(u.Marine), bit(u.Untried), u.Attack/14, u.Defence/12
		row[8], row[9], row[10] = bit(u.Pinned), bit(u.AirRail), spent(e.done(&u), u.Advanced)
		e.count[3]++
	}
	for i := range minuteman.Agents {
		u := e.s.Unit(minuteman.FirstAgent + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstAgent+i, &u)
		row := e.row("agents", i)
		e.place(row, u.Hex)
		row[3], row[4], row[5] = float32(u.Step), bit(e.done(&u)), bit(u.Fought)
		e.count[4]++
	}
	for i := range minuteman.CIGs {
		u := e.s.Unit(minuteman.FirstCIG + i)
		if u.Hex == minuteman.NoHex {
			continue
		}
		e.inRegion(minuteman.FirstCIG+i, &u)
		row := e.row("cigs", i)
		e.place(row, u.Hex)
		row[3], row[4], row[5], row[6] = float32(u.Step)/6, bit(u.PlacedNow), bit(u.Acted || u.Moved), bit(u.Attacked)
		e.count[5]++
	}
}

// against returns the zone of the other team than the unit's.
func (e *plain) against(u *minuteman.Unit) *minuteman.HexSet {
	if !u.Rebel || u.Owner == int(e.p.Fed) {
		return &e.rebels
	}
	return &e.government
}

// cities writes the Population I hexes.
func (e *plain) cities() {
	var prices [minuteman.Cities]float32
	e.s.CityPrices(&prices)
	playable := e.s.Playable()
	for c := range minuteman.Cities {
		h := e.s.CityHex(c)
		if !playable.Has(h) {
			continue
		}
		row := e.row("cities", c)
		row[0], row[1], row[2] = bit(e.s.Riot(h)), bit(e.p.Unrest.Has(h)), bit(e.s.Informer(h))
		if row[2] > 0 {
			e.count[6]++
		}
		row[13], row[14], row[15], row[16] = bit(e.government.Has(h)), bit(e.rebels.Has(h)), 1, prices[c]
		e.s.UnitsIn(h, func(slot int) { e.cityUnit(row, slot) })
	}
}

func (e *plain) cityUnit(row []float32, slot int) {
	u := e.s.Unit(slot)
	row[15] -= 1. / 6
	switch {
	case slot < minuteman.FirstMinuteman:
		row[3+u.Step] = 1
		row[5], row[6], row[7] = bit(u.Underground), e.share(u.Owner), bit(u.Acted || u.Attacked)
		e.count[0]++
		e.inRegion(slot, &u)
	case slot < minuteman.FirstMilitia:
		row[8] += 1. / 3
		row[9] += float32(u.Step) / 3
	case slot >= minuteman.FirstCIG:
		row[11] = float32(u.Step) / 6
	case slot >= minuteman.FirstAgent:
		row[10] += 1. / 3
	case slot >= minuteman.FirstArmy && !u.Rebel:
		row[12] = 1
	}
}

// elsewhere writes the Unrests outside the cities.
func (e *plain) elsewhere() {
	set := &e.p.Unrest
	n := 0
	for h := set.Next(0); h != minuteman.NoHex && n < 12; h = set.Next(h + 1) {
		if f := e.s.Facts(h); f.City < 0 {
			copy(e.row("unrest_elsewhere", n), []float32{float32(f.Column) / 50, float32(f.Row) / 33})
			n++
		}
	}
}

// globals writes what is not on the map. The counts of units are those that the
// other blocks have found.
func (e *plain) globals() {
	p := e.p
	_, deadline := e.s.Turns()
	r := e.s.Reactions()
	e.one("phase", int(p.Phase))
	e.one("decision", e.s.Decision())
	e.set("government", bit(e.me == int(p.Gov)))
	e.set("turn", float32(p.Turn)/24)
	e.set("turns_to_deadline", float32(max(0, deadline-int(p.Turn)))/24)
	e.one("season", e.s.Season())
	e.set("revolution", bit(p.RevTurn > 0))
	if p.RevTurn > 0 {
		e.set("turns_of_revolution", float32(p.Turn-p.RevTurn)/24)
	}
	var due [3]int
	for s, n := range p.Due {
		switch s {
		case int(p.Gov):
			due[0] += int(n)
		case e.me:
			due[1] += int(n)
		default:
			due[2] += int(n)
		}
	}
	e.set("due", float32(due[0])/4, float32(due[1])/6, float32(due[2])/12)
	e.set("build_track", float32(p.Track)/100)
	e.set("builds_to_next_column", float32(r.BuildsToColumn)/19)
	e.set("riot_index", float32(r.RiotIndex)/15)
	e.set("reaction_column", float32(r.Riots)/8, float32(r.Builds)/8)
	hand := p.Hand[e.me]
	e.set("own_markers", float32(hand[0])/16, float32(hand[1])/10, float32(hand[2])/8, float32(hand[3])/6)
	for i := range 3 {
		if seat := e.after(i + 1); seat >= 0 {
			e.field("other_hands")[i] = float32(p.HandSize[seat]) / 40
		}
	}
	e.set("pool", float32(p.PoolSize)/40)
	e.one("scenario", int(e.o.Scenario))
	e.set("set_up", bits(e.o.Unprepared, e.o.Prepared, e.o.Uncoordinated, e.o.Organized, e.o.Dispersed)...)
	e.one("players", e.o.Seats-2)
	e.set("options", bits(e.o.Neighbours, e.o.Foreign, e.o.AirAssault, e.o.Amphibious, e.o.Elite)...)
}

// piles writes the share of each kind's counters that are off the map.
func (e *plain) piles() {
	all, drawn := e.s.Counters()
	left := *all
	for i, n := range drawn {
		left[i] -= n
	}
	for slot := range minuteman.Units {
		if u := e.s.Unit(slot); u.Hex != minuteman.NoHex {
			left[u.Pile]--
		}
	}
	for i := range left {
		k := i
		if i < 9 {
			k = i/3*3 + e.colour(i%3)
		}
		e.field("piles")[i] = float32(left[k]) / float32(all[k])
	}
}

// affairs writes Air/Rail, foreign affairs, the Partisan cities and the players.
func (e *plain) affairs() {
	p := e.p
	e.set("air_rail", float32(p.AirRail)/20)
	e.set("foreign", bit(int(p.Foreign.Seat) == e.me), bit(p.Foreign.Seat != minuteman.NoSeat && int(p.Foreign.Seat) != e.me), float32(p.Foreign.Left)/3)
	e.set("abroad", float32(p.Sides[1]), bit(p.Built[1]), float32(p.Sides[2]), bit(p.Built[2]))
	e.set("committed", float32(p.Commit)/16)
	_, held, cut := e.s.Standing()
	for i := range 8 {
		e.field("cities_held")[i] = bit(held>>i&1 != 0)
		e.field("cities_cut")[i] = bit(cut>>i&1 != 0)
	}
	for place, seat := range p.Order {
		for i := range e.o.Seats {
			if int(seat) == e.after(i) {
				e.field("order")[place] = float32(i) / 3
			}
		}
	}
	for i := range 4 {
		if seat := e.after(i); seat >= 0 && int(p.Fed) == seat {
			e.one("federalized", i)
		}
		if seat := e.after(i); i > 0 && seat >= 0 && p.Gone.Has(minuteman.SeatID(seat)) {
			e.one("eliminated", i-1)
		}
	}
}

// balance writes the counts of units and what the position is worth.
func (e *plain) balance() {
	for i := range 4 {
		if seat := e.after(i); seat >= 0 && 2*e.mmOf[seat] > e.count[1] {
			e.one("most_minutemen", i)
		}
	}
	limits := [7]float32{minuteman.Nets, minuteman.Minutemen, minuteman.Militias, minuteman.Armies, minuteman.Agents, minuteman.CIGs,
		minuteman.Informers}
	for i, n := range e.count {
		e.field("units")[i] = float32(n) / limits[i]
	}
	e.set("balance", float32(e.count[2]-e.count[3])/minuteman.Armies, float32(e.count[0]-e.count[5])/minuteman.Nets,
		float32(e.count[1]-e.count[4])/minuteman.Minutemen)
	level, _, _ := e.s.Standing()
	e.one("level", level+3)
}

// talk writes what was said in the last negotiation, seat by seat.
func (e *plain) talk() {
	p := e.p
	var seats, rebels []int
	for i := range e.o.Seats {
		seats = append(seats, e.after(i))
		if e.after(i) != int(p.Gov) {
			rebels = append(rebels, e.after(i))
		}
	}
	for i, pair := range [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}} {
		if pair[1] < len(seats) && p.Truces.Has(minuteman.SeatID(seats[pair[0]]), minuteman.SeatID(seats[pair[1]])) {
			e.one("truces", i)
		}
	}
	for k, rebel := range rebels {
		for i, seat := range seats {
			if int(p.Named[seat]) == rebel {
				e.one("targets", 3*i+k)
			}
		}
		if int(p.Pact) == rebel {
			e.one("pact", k)
		}
	}
}

// decision writes the chain of choices under way.
func (e *plain) decision() {
	v := &e.chain
	e.one("attack", v.Attack)
	e.one("chosen_class", v.Class)
	if v.Hex == minuteman.NoHex {
		e.set("chosen_hex", bit(v.Begun), 0, bit(v.Mexico)/33)
	} else {
		e.place(e.field("chosen_hex"), v.Hex)
	}
	if v.Target != minuteman.NoHex {
		e.place(e.field("target_hex"), v.Target)
	}
	e.set("strengths", v.AttackSum/40, v.Known/40, v.Defence/40)
	e.one("odds_column", v.Column)
	e.set("die_modifier", float32(v.Modifier))
	e.set("multipliers", bits(v.Doubled, v.Ruthless, v.Tried, v.Betrayed)...)
	e.set("build", float32(v.Points)/9, float32(v.BuildColumn)/6, float32(v.Organizers)/8, float32(v.Helpers)/3)
	e.set("pieces_left", float32(v.Left)/6)
	e.set("price", float32(v.Price)/60)
	e.set("chances", v.Success, v.Stop, v.Lost)
	e.set("passage", float32(v.Shown)/6)
	e.one("retreat", v.RetreatClass)
	e.set("second_half", bit(v.Second))
	e.one("placing", v.Placing)
	e.one("proposal", v.Proposal)
	for i := range 4 {
		if seat := e.after(i); seat >= 0 && seat == v.Maker {
			e.one("maker", i)
		}
	}
}

// near writes the chosen hex and the two rings around it.
func (e *plain) near() {
	focus := e.chain.Hex
	if focus == minuteman.NoHex {
		focus = e.chain.Target
	}
	if focus == minuteman.NoHex {
		return
	}
	f := e.s.Facts(focus)
	e.nearHex(0, focus, true)
	for i, h := range f.Beside {
		if h == minuteman.NoHex {
			continue
		}
		e.nearHex(1+i, h, f.Near[i] != minuteman.NoHex)
		// Of the ring of 12, place 2i lies straight on, place 2i+1 one further clockwise.
		r := e.s.Facts(h)
		for k := range 2 {
			if x := r.Beside[(i+k)%6]; x != minuteman.NoHex {
				e.nearHex(7+2*i+k, x, r.Near[(i+k)%6] != minuteman.NoHex && f.Near[i] != minuteman.NoHex)
			}
		}
	}
}

func (e *plain) nearHex(i, h int, passable bool) {
	f := e.s.Facts(h)
	row := e.row("near_hexes", i)
	row[0], row[1], row[2+f.Terrain] = bit(e.s.Playable().Has(h)), bit(passable), 1
	if f.Population > 0 {
		row[5+f.Population] = 1
	}
	var costs minuteman.EntryCosts
	costs.SetUnit(e.s, e.chain.Moving)
	row[8], row[9] = bit(f.Coast), float32(costs.Of(e.s, h))/3
	row[10], row[11], row[12], row[17] = bit(e.government.Has(h)), bit(e.rebels.Has(h)), bit(e.s.Riot(h)), bit(h == e.chain.Target)
	e.s.UnitsIn(h, func(slot int) {
		side := row[13:15]
		if !e.s.Unit(slot).Rebel {
			side = row[15:17]
		}
		a, d := e.s.Strengths(slot)
		side[0] += d
		side[1] += a
	})
	for i := 13; i < 17; i++ {
		row[i] /= 20
	}
}

// region returns which of the twelve regions a hex belongs to.
func region(f *minuteman.HexFacts) int {
	if f.Country != 0 {
		return f.Country - 1
	}
	ends, cuts := [5]int{13, 22, 29, 36, 50}, [5]int{11, 14, 14, 15, 14}
	for i, end := range ends {
		if f.Column <= end {
			if f.Row <= cuts[i] {
				return 2 + 2*i
			}
			return 3 + 2*i
		}
	}
	return 11
}

// regions adds up the markers in each part of the map; the units are added as they
// are met.
func (e *plain) regions() {
	at := func(h int) []float32 {
		return e.row("regions", region(e.s.Facts(h)))
	}
	for c := range minuteman.Cities {
		h := e.s.CityHex(c)
		if e.s.Riot(h) {
			at(h)[0] += 1. / minuteman.Cities
		}
		if e.s.Informer(h) {
			at(h)[11] += 1. / minuteman.Informers
		}
	}
	set := &e.p.Unrest
	for h := set.Next(0); h != minuteman.NoHex; h = set.Next(h + 1) {
		at(h)[1] += 1. / minuteman.Cities
	}
}

// inRegion adds a unit to its part of the map.
func (e *plain) inRegion(slot int, u *minuteman.Unit) {
	row := e.row("regions", region(e.s.Facts(u.Hex)))
	switch {
	case slot < minuteman.FirstMinuteman:
		row[2] += 1. / minuteman.Nets
		row[3] += float32(u.Step) / minuteman.Nets
	case slot < minuteman.FirstMilitia:
		row[4] += 1. / minuteman.Minutemen
	case slot < minuteman.FirstArmy:
		row[5] += 1. / minuteman.Militias
		row[6] += u.Attack / (8 * minuteman.Militias)
	case slot < minuteman.FirstAgent:
		row[7] += 1. / minuteman.Armies
		row[8] += u.Attack / (14 * minuteman.Armies)
	case slot < minuteman.FirstCIG:
		row[9] += 1. / minuteman.Agents
	default:
		row[10] += float32(u.Step) / (6 * minuteman.CIGs)
	}
}
