package minuteman

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// reader turns a document into a position. It checks what the form needs: names,
// ranges of numbers and lengths of lists. The limits of the rules are left to
// validate.
type reader struct {
	g   *game
	doc document
	p   position
	err error // the first fault
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = wrong(format, args...)
	}
}

// read decodes a position. decision is the field of that name, nil if it is left
// out.
func (g *game) read(data []byte, how engine.Strictness) (position, *string, error) {
	r := reader{g: g, p: g.newPosition()}
	if err := format.Decode(data, &r.doc); err != nil {
		return r.p, nil, err
	}
	for _, step := range []func(){r.readPhase, r.readUnits, r.readMarkers, r.readGlobals, r.readPlayers, r.readFlow, r.readSetUp, r.readDraw, r.readMachines, r.readCombat, r.readResult} {
		if step(); r.err != nil {
			return r.p, nil, r.err
		}
	}
	if n := sum(&r.p); how == engine.Strict && n != r.total() {
		return r.p, nil, wrong("%d special markers in hands and pool, there are %d (R1.4)", n, r.total())
	}
	return r.p, r.doc.Decision, nil
}

// sum counts the special markers in hands and pool.
func sum(p *position) int {
	n := int(p.poolSize)
	for _, h := range p.handSize {
		n += int(h)
	}
	return n
}

func (r *reader) total() int {
	n := 0
	for _, m := range r.g.markers {
		n += int(m)
	}
	return n
}

// number checks that n lies from low to high.
func (r *reader) number(name string, n, low, high int) uint8 {
	if n < low || n > high {
		r.fail("%s is %d, it must be %d to %d", name, n, low, high)
		return uint8(low)
	}
	return uint8(n)
}

// name looks a word up in a list.
func (r *reader) name(field, word string, words []string) uint8 {
	i := slices.Index(words, word)
	if i < 0 {
		r.fail("%s %q is unknown; it is one of %s", field, word, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
		return 0
	}
	return uint8(i)
}

// hex reads a hex number.
func (r *reader) hex(field, id string) int16 {
	h, ok := r.g.index[id]
	if !ok {
		r.fail("%s: there is no hex %q on the map (R1.2)", field, id)
	}
	return h
}

func (r *reader) hexOr(field string, id *string) int16 {
	if id == nil {
		return noHex
	}
	return r.hex(field, *id)
}

func (r *reader) city(field, id string) int8 {
	h := r.hex(field, id)
	if r.err == nil && r.g.hexes[h].city == noCity {
		r.fail("%s: %s is no Population I hex (R7.4, R14.1)", field, id)
	}
	return max(r.g.hexes[h].city, 0)
}

func (r *reader) cities(field string, ids []string, into *citySet) {
	for _, id := range ids {
		c := r.city(field, id)
		if into.has(c) {
			r.fail("%s: %s is named twice (R1.5)", field, id)
		}
		into.add(c)
	}
}

// seat reads an optional seat.
func (r *reader) seat(field string, n *int) uint8 {
	if n == nil {
		return noSeat
	}
	return r.number(field, *n, 0, r.g.seats-1)
}

func (r *reader) seats(field string, list []int) uint8 {
	var set uint8
	for _, n := range list {
		set |= 1 << r.number(field, n, 0, r.g.seats-1)
	}
	return set
}

func (r *reader) unit(field, name string) uint8 {
	i := slices.Index(r.g.name[:], name)
	if i < 0 {
		r.fail("%s: there is no unit %q", field, name)
		return 0
	}
	if r.p.units[i].hex == noHex {
		r.fail("%s: %s is not on the map", field, name)
	}
	return uint8(i)
}

func (r *reader) unitOr(field string, name *string) uint8 {
	if name == nil {
		return noUnit
	}
	return r.unit(field, *name)
}

func (r *reader) unitSet(field string, names []string) unitSet {
	var set unitSet
	for _, n := range names {
		set.add(r.unit(field, n))
	}
	return set
}

func (r *reader) marks(field string, names []string) mark {
	var m mark
	for _, n := range names {
		m |= 1 << r.name(field, n, markNames)
	}
	return m
}

// counter finds a counter by its id.
func (r *reader) counter(field, id string) uint8 {
	for c := range r.g.masked {
		if r.g.masked[c].id == id {
			return uint8(c)
		}
	}
	r.fail("%s: there is no counter %q (R1.3)", field, id)
	return 0
}

// readPhase finds the phase and opens it, so that fields left out have the values
// of its beginning.
func (r *reader) readPhase() {
	d, p := &r.doc, &r.p
	r.cities("riots", d.Riots, &p.riot)
	r.cities("informers", d.Informers, &p.informer)
	for _, id := range d.Unrest {
		p.unrest.add(r.hex("unrest", id))
	}
	p.revTurn = r.number("revolution_turn", d.Revolution, 0, r.g.sc.Turns)
	ph := setUp
	if d.Phase != nil {
		ph = phase(r.name("phase", *d.Phase, phaseNames[:]))
	}
	low := 1
	if ph == setUp {
		low = 0
	} else if d.Turn == 0 {
		d.Turn = 1
	}
	p.turn = r.number("turn", d.Turn, low, r.g.sc.Turns)
	if ph == setUp && p.turn > 0 {
		r.fail("turn is %d in the set-up, it must be 0", d.Turn)
	}
	p.gov = r.number("players.government", d.Players.Government, 0, r.g.seats-1)
	p.phase = ph
	if ph != setUp && ph != over {
		r.g.enter(p, nil, ph)
	}
}

// readUnits places the units in the order of the list.
func (r *reader) readUnits() {
	for _, e := range r.doc.Units {
		h := r.hex("units: hex", e.Hex)
		if r.err != nil {
			return
		}
		u := r.slot(e)
		if r.err != nil {
			return
		}
		x := &r.p.units[u]
		x.marks = r.marks("units: marks", e.Marks)
		low, high, otherwise := 0, 1, 0
		switch r.g.kind[u] {
		case cig:
			low, high, otherwise = 1, 6, 1
		case militia, army:
			high = 0
			r.p.counter[u-milFirst] = r.counter("units", e.Counter)
			r.p.cand[u-milFirst] = 0
			for _, id := range e.CanBe {
				c := r.counter("can_be", id)
				gr := r.g.masked[c].group
				if r.err == nil && gr != r.g.masked[r.p.counter[u-milFirst]].group {
					r.fail("%s can not be %s: it is of another type (R19)", e.Unit, id)
				}
				r.p.cand[u-milFirst] |= 1 << (c - r.g.groupFirst[gr])
			}
		}
		if e.Step != nil {
			otherwise = *e.Step
		}
		x.step = r.number("units: step of "+e.Unit, otherwise, low, high)
		r.p.put(u, h)
	}
	for i := range r.p.counter { // an untried unit can be whatever is not revealed
		if u := milFirst + i; r.p.units[u].hex != noHex && r.p.units[u].marks&untried != 0 && r.p.cand[i] == 0 {
			gr := r.g.groupOf(&r.p, uint8(u))
			r.p.cand[i] = r.g.fullSet(gr) &^ r.g.openCounters(&r.p, gr)
		}
	}
}

// slot finds the unit that an entry names: a slot, or the lowest free one of a kind
// ("minuteman", "network", "agent", "cig"), of a colour ("minuteman 2") or of a
// counter ("militia", "army" with "counter").
func (r *reader) slot(e unitEntryDoc) uint8 {
	if i := slices.Index(r.g.name[:], e.Unit); i >= 0 {
		if r.p.units[i].hex != noHex {
			r.fail("units: %s is named twice (R1.3)", e.Unit)
		}
		return uint8(i)
	}
	word, colour, _ := strings.Cut(e.Unit, " ")
	k := kind(r.name("unit", word, kindNames[:]))
	if r.err != nil {
		return 0
	}
	if k != militia && k != army && (e.Counter != "" || len(e.CanBe) > 0) {
		r.fail("units: %q has no counter to be hidden: counter and can_be are for militia and army (R19)", e.Unit)
		return 0
	}
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if r.p.units[u].hex != noHex || colour != "" && fmt.Sprint(r.g.colour[u]) != colour {
			continue
		}
		if k == militia || k == army {
			c := r.counter("units: counter", e.Counter)
			if r.err != nil {
				return 0
			}
			gr := r.g.masked[c].group
			if (gr <= mexicanMilitia) != (k == militia) {
				r.fail("units: %q can not be the counter %s (R1.3)", e.Unit, e.Counter)
				return 0
			}
			if !r.g.inBlock(u, gr) {
				continue
			}
		}
		return u
	}
	r.fail("units: no counter is left for %q (R1.6)", e.Unit)
	return 0
}

// inBlock tells whether a slot belongs to the block that units of a group take.
func (g *game) inBlock(u uint8, gr group) bool {
	first, n := uint8(milFirst)+g.groupFirst[gr], g.groupSize[gr]
	if gr >= armored && gr <= marine {
		first, n = armyFirst, 24
	}
	return u >= first && u < first+n
}

func (r *reader) hand(field string, d handDoc) [numMarkers]uint8 {
	var n [numMarkers]uint8
	for m, v := range [numMarkers]int{d.Assassin, d.Betrayal, d.Organizer, d.Passage} {
		n[m] = r.number(field+" "+markerNames[m], v, 0, int(r.g.markers[m]))
	}
	return n
}

// readMarkers reads hands and pool; a pool left out is what the hands leave.
func (r *reader) readMarkers() {
	d, p := &r.doc, &r.p
	if len(d.Hands) > r.g.seats || len(d.HandSizes) > r.g.seats {
		r.fail("hands has %d entries for %d seats", max(len(d.Hands), len(d.HandSizes)), r.g.seats)
		return
	}
	for i, h := range d.Hands {
		p.hand[i] = r.hand("hands", h)
		for m, n := range p.hand[i] {
			p.handSize[i] += n
			if p.pool[m] < n {
				r.fail("hands hold more than %d %s markers (R1.4)", r.g.markers[m], markerNames[m])
				return
			}
			p.pool[m] -= n
		}
	}
	for i, n := range d.HandSizes {
		if n != int(p.handSize[i]) {
			r.fail("hand_sizes of seat %d is %d, its hand holds %d markers", i, n, p.handSize[i])
		}
	}
	rest := p.pool
	if d.Pool != nil {
		p.pool = r.hand("pool", *d.Pool)
	}
	p.poolSize = 0
	for m, n := range p.pool {
		if n > rest[m] {
			r.fail("hands and pool hold more than %d %s markers (R1.4)", r.g.markers[m], markerNames[m])
		}
		p.poolSize += n
	}
}

// readGlobals reads what holds for the whole game.
func (r *reader) readGlobals() {
	d, p := &r.doc, &r.p
	if d.Track < 0 || d.Track > 0xFFFF {
		r.fail("build_track is %d, it must be 0 to %d", d.Track, 0xFFFF)
	}
	p.track = uint16(d.Track)
	p.commit = r.number("committed", d.Committed, 0, 16)
	p.assaults = r.number("assaults_done", d.Assaults, 0, 3)
	if d.AirRail != nil {
		p.airRail = r.number("air_rail_halves", *d.AirRail, 0, 40)
	}
	if len(d.Due) > r.g.seats || len(d.Sides) > int(numCountries) || len(d.Built) > int(numCountries) {
		r.fail("reinforcements_due, country_sides or country_built has too many entries")
		return
	}
	for i, n := range d.Due {
		p.due[i] = r.number("reinforcements_due", n, 0, 24)
	}
	for i, n := range d.Sides {
		p.sides[i] = r.number("country_sides", n, 0, 1)
	}
	copy(p.built[:], d.Built)
	f := &d.Foreign
	p.foreignSeat = r.seat("foreign.seat", f.Seat)
	p.foreignStage = foreignStage(r.name("foreign.stage", f.Stage, foreignStageNames))
	p.foreignLeft = r.number("foreign.movement_phases_left", f.Left, 0, 3)
	p.foreignCount = r.number("foreign.divisions", f.Count, 0, 6)
	p.foreignPlace = r.number("foreign.place", f.Place, 0, 6)
	if (p.foreignStage == foreignNone) != (p.foreignSeat == noSeat) || p.foreignStage != foreignNone && !r.g.foreignHelp || p.foreignStage == foreignWaits && p.foreignLeft == 0 {
		r.fail("foreign: seat and stage do not agree with each other or with the options (R30)")
	}
}

// readPlayers reads what a game of several players keeps.
func (r *reader) readPlayers() {
	d, p := &r.doc.Players, &r.p
	if len(d.Order) > len(p.order) || len(d.Ranks) > r.g.seats || len(d.Rolls) > r.g.seats {
		r.fail("players: order, ranks or rolls has too many entries")
		return
	}
	for i, n := range d.Order {
		p.order[i] = r.number("players.order", n, 0, r.g.seats-1)
		if slices.Contains(p.order[:i], p.order[i]) {
			r.fail("players.order names seat %d twice (R28.2)", n)
		}
	}
	p.fed, p.pact = r.seat("players.federalized", d.Federalized), r.seat("players.pact", d.Pact)
	if (p.fed != noSeat || p.pact != noSeat) && r.g.seats < 4 {
		r.fail("players.federalized: only with four players (R28.5)")
	}
	if p.fed != noSeat && p.pact != noSeat {
		r.fail("players: seat %d is federalized, so that seat %d can have no pact (R28.5)", p.fed, p.pact)
	}
	if p.fed == p.gov || p.pact == p.gov {
		r.fail("players: seat %d is the Government and can not be federalized (R28.6)", p.gov)
	}
	p.fedTurn = r.number("players.federalized_turn", d.FedTurn, 0, r.g.sc.Turns)
	p.gone = r.seats("players.eliminated", d.Eliminated)
	p.lot = r.seat("players.lot", d.Lot)
	r.readTalk()
	p.ties = r.seats("players.ties", d.Ties)
	for i, n := range d.Ranks {
		p.rank[i] = r.number("players.ranks", n, 0, maxSeats)
	}
	for i, n := range d.Rolls {
		p.roll[i] = r.number("players.rolls", n, 0, 6)
	}
	if d.Original != nil {
		p.original = *d.Original
	}
	if p.gov != 0 && r.g.seats == 2 || p.gone>>p.gov&1 != 0 {
		r.fail("players.government is %d, who is eliminated or plays the Rebel", p.gov)
	}
}

// readTalk reads what is on display from the last N (R28.5).
func (r *reader) readTalk() {
	d, p := &r.doc.Players, &r.p
	for _, pair := range d.Truces {
		if len(pair) != 2 || pair[0] == pair[1] {
			r.fail("players.truces: %v is no pair of seats (R28.5)", pair)
			return
		}
		p.truces |= 1 << pairOf(r.number("players.truces", pair[0], 0, r.g.seats-1), r.number("players.truces", pair[1], 0, r.g.seats-1))
	}
	for _, x := range d.Targets {
		by, seat := r.number("players.targets", x.By, 0, r.g.seats-1), r.number("players.targets", x.Seat, 0, r.g.seats-1)
		if p.named[by] != noSeat || by == seat {
			r.fail("players.targets: seat %d names one other seat at most (R28.5)", by)
			return
		}
		p.named[by] = seat
	}
	if (p.truces != 0 || len(d.Targets) > 0) && r.g.seats == 2 {
		r.fail("players.truces and targets: only with three and four players (R28.5)")
	}
}

// readFlow reads how far the phase has come.
func (r *reader) readFlow() {
	d, p := r.doc.Flow, &r.p
	if d == nil {
		return
	}
	p.step, p.count = r.number("flow.step", d.Step, 0, 40), r.number("flow.count", d.Count, 0, 60)
	p.window, p.part = r.number("flow.window", d.Window, 0, 2*r.g.seats), r.number("flow.part", d.Part, 0, 2)
	p.seat, p.die = r.seat("flow.seat", d.Seat), r.number("flow.die", d.Die, 0, 9)
	p.selHex = r.hexOr("flow.hex", d.Hex)
	p.selClass = class(r.number("flow.class", d.Class, 0, numClasses-1))
	p.selPlayer = r.number("flow.country", d.Country, 0, int(mexico))
	if d.LastHex < 0 || d.LastHex > numHexes {
		r.fail("flow.last_hex is %d, it must be 0 to %d", d.LastHex, numHexes)
	}
	p.lastHex, p.lastClass = int16(d.LastHex), r.number("flow.last_class", d.LastClass, 0, actPlayer)
	p.placed, p.late, p.refused = r.number("flow.placed", d.Placed, 0, int(r.g.atOnce[1])), d.Late, d.Refused
	p.picks = r.seats("flow.picks", d.Picks)
	p.riotsBefore, p.riotsToDo, p.tried = citySet{}, citySet{}, citySet{}
	r.cities("flow.riots_before", d.Before, &p.riotsBefore)
	r.cities("flow.riots_to_do", d.ToDo, &p.riotsToDo)
	r.cities("flow.tried_abroad", d.Tried, &p.tried)
}

// readSetUp reads what only the set-up knows.
func (r *reader) readSetUp() {
	d, p := &r.doc.Set, &r.p
	if len(d.Queue) > numArmyQueue || len(d.Chits) > len(p.chits) {
		r.fail("set_up has %d counters and %d chits, at most %d and %d", len(d.Queue), len(d.Chits), numArmyQueue, len(p.chits))
		return
	}
	for i, id := range d.Queue {
		p.queue[i] = r.counter("set_up.queue", id)
		p.queued++
	}
	for i, n := range d.Chits {
		p.chits[i] = r.number("set_up.chits", n, 0, 2)
	}
	if d.Rows < 0 || d.Rows >= 1<<10 {
		r.fail("set_up.rows is %d, it must be 0 to %d", d.Rows, 1<<10-1)
		return
	}
	p.rows = uint16(d.Rows)
}
