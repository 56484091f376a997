package bloc

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// Load implements engine.Game. What needs no choice is carried out first.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	r := reader{g: g, p: g.start}
	if err := r.read(data); err != nil {
		return nil, err
	}
	if err := g.check(&r.p, how); err != nil {
		return nil, wrong("%v", err)
	}
	if r.doc.Decision != nil && r.named {
		if err := g.rests(&r.p, *r.doc.Decision); err != nil {
			return nil, err
		}
	}
	s := g.state(&r.p)
	s.Settle()
	if s.P.Actor >= 0 && s.P.Choices().Size() == 0 {
		return nil, wrong("step %s: nothing is legal in it (R13.1)", stages[s.P.step].name)
	}
	if r.doc.Decision != nil {
		if got := decisionName(&s.P); got == nil || *got != *r.doc.Decision {
			return nil, wrong("decision is %s, but the rest of the position does not wait for it; leave it out to have it found", *r.doc.Decision)
		}
	}
	return s, nil
}

// rests makes sure that a position which names its step and decision waits for it
// as it is.
func (g *game) rests(p *position, decision string) error {
	q := *p
	if !table[q.step].Ask(g, &q, nil) || q.step != p.step || q.now != p.now || *decisionName(&q) != decision {
		return wrong("step %s with decision %s: the rest of the position does not wait for it; leave both out to have them found", stages[p.step].name, decision)
	}
	return nil
}

// reader turns a document into a position. It checks what the form needs: names,
// ranges of numbers and lengths of lists. The limits of the rules are left to check.
type reader struct {
	g     *game
	doc   document
	p     position
	named bool  // the step is given
	err   error // the first fault
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = wrong(format, args...)
	}
}

// read decodes a position over the initial one.
func (r *reader) read(data []byte) error {
	r.doc.Night, r.doc.NightsLeft = int(r.p.night), int(r.p.nightsLeft)
	if err := format.Decode(data, &r.doc); err != nil {
		return err
	}
	for _, step := range []func(){
		r.readCity, r.readStep, r.readSeats, r.readClock, r.readDistricts, r.readBarricades, r.readPieces,
		r.readHands, r.readLoot, r.readOps, r.readAgendas, r.readTurn, r.readPending, r.readShown, r.readResult,
	} {
		if step(); r.err != nil {
			return r.err
		}
	}
	return nil
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
	if i < 0 || word == "" {
		r.fail("%s %q is unknown; it is one of %s", field, word, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
		return 0
	}
	return uint8(i)
}

// faction reads a faction, noFaction for null.
func (r *reader) faction(field string, key *string) uint8 {
	if key == nil {
		return noFaction
	}
	f := r.name(field, *key, typeNames[:numFactions])
	if r.err == nil && !r.g.inPlay(&r.p, f) {
		r.fail("%s: %s are not in the game", field, *key)
	}
	return f
}

// cell reads a cell, noCell for null.
func (r *reader) cell(field string, n *int) uint8 {
	if n == nil {
		return noCell
	}
	return r.number(field, *n, 0, numCells-1)
}

// byFaction reads an object of numbers by faction.
func (r *reader) byFaction(field string, m map[string]int, most int, set func(f uint8, n uint8)) {
	for _, key := range slices.Sorted(maps.Keys(m)) { // the first fault is reported
		f := r.faction(field, &key)
		n := r.number(field+" "+key, m[key], 0, most)
		if r.err != nil {
			return
		}
		set(f, n)
	}
}

// counted reads an object of cards and numbers.
func (r *reader) counted(field string, m map[string]int, into []uint8, key func(i int) string) {
	words := make([]string, len(into))
	for i := range words {
		words[i] = key(i)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		i := r.name(field, k, words)
		into[i] = r.number(field+" "+k, m[k], 0, numLootCards)
	}
}

// numLootCards is the size of the largest deck.
const numLootCards = 60

func (r *reader) lootKey(i int) string     { return r.g.box.loot[i].Key }
func (r *reader) opsKey(i int) string      { return r.g.box.ops[i].Key }
func (r *reader) manifestKey(i int) string { return r.g.box.manifest[i].Key }

// readCity reads the tiles (R2.2). A city that is not whole yet is being drawn.
func (r *reader) readCity() {
	p, d := &r.p, r.doc.City
	switch {
	case d == nil:
		return
	case d.named:
		r.clearCity()
		r.g.box.build(p, &r.g.box.beginner)
		return
	case len(d.cells) != numCells:
		r.fail("city has %d cells, it has %d (R2.2)", len(d.cells), numCells)
		return
	}
	r.clearCity()
	whole := true
	for c, x := range d.cells {
		p.tile[c], p.rotation[c] = noTile, 0
		if x == nil {
			whole = false
			continue
		}
		t, err := r.g.box.tileOf(x.Tile)
		if err != nil {
			r.fail("city, cell %d: %v (R1.1)", c, err)
			return
		}
		p.tile[c], p.rotation[c] = t, r.number("city: rotation", x.Rotation, 0, numArms-1)
	}
	p.clearSurvey()
	if whole {
		r.g.box.survey(p)
	}
}

// clearCity takes what the initial position has in the city out of it.
func (r *reader) clearCity() {
	p := &r.p
	for c := range uint8(numCells) {
		p.cops[c] = 0
		p.setVan(c, 0)
		for i := range p.centers {
			p.centers[i][c] = 0
		}
	}
	p.liberated = 0
}

// entries say where a phase begins, for positions that name no step.
var entries = [...]stage{
	inSetUp: layTile, inDice: beginTurn, inActions: menu, inOps: drawOps, inSunrise1A: repairVans, inSunrise1B: scanVans,
	inSunrise1C: scanCops, inSunrise2: scanSound, inSunrise3: nextNight, isOver: over,
}

// readStep finds out where the game is: at the step that is named, at the beginning of
// the phase, or at the menu of the active faction.
func (r *reader) readStep() {
	d, p := &r.doc, &r.p
	p.redraws = r.number("redraws", d.Redraws, 0, maxRedraws-1)
	switch {
	case d.Step != nil:
		names := make([]string, numStages)
		for i := range stages {
			names[i] = stages[i].name
		}
		p.step, r.named = stage(r.name("step", *d.Step, names)), true
	case d.Result != nil:
		p.step = over
	case d.Phase != nil:
		p.step = entries[r.name("phase", *d.Phase, phaseNames[:])]
		if p.step == layTile {
			p.step = r.g.start.step
		}
	case d.Districts != nil || d.Active != nil || d.Dice != nil || d.Hands != nil || d.Barricades != nil || d.Turn != nil || d.FirstFaction != nil:
		p.step = menu
	}
	if p.step == turnTile { // the last tile may lie, but it is not turned yet
		p.clearSurvey()
	}
	if stages[p.step].phase != inSetUp && p.districts == 0 {
		r.fail("city is missing; give its 25 tiles or \"beginner_city\"")
	}
}

// readSeats reads the factions in play (R2.7). Past the set-up, those left out sit in
// the order of factions.json.
func (r *reader) readSeats() {
	p, g := &r.p, r.g
	past := stages[p.step].phase != inSetUp || p.step > dealFactions
	if past && r.doc.Seats == nil {
		for s := range g.factions {
			p.seats[s] = s
		}
		return
	}
	if r.doc.Seats == nil {
		return
	}
	if len(r.doc.Seats) != int(g.factions) {
		r.fail("seats has %d entries, there are %d factions (R2.7)", len(r.doc.Seats), g.factions)
		return
	}
	for s := range p.seats {
		p.seats[s] = noFaction
	}
	for s, key := range r.doc.Seats {
		if key == nil {
			if past {
				r.fail("seats: that of %d is empty (R2.7)", s)
			}
			continue
		}
		f := r.name("seats", *key, typeNames[:numFactions])
		if g.inPlay(p, f) || s > 0 && p.seats[s-1] == noFaction {
			r.fail("seats: %s sits twice or behind an empty seat (R2.7)", *key)
			return
		}
		p.seats[s] = f
	}
}

// readClock reads whose turn of which night it is.
func (r *reader) readClock() {
	d, p, g := &r.doc, &r.p, r.g
	p.nightsLeft = r.number("nights_left", d.NightsLeft, 0, 8)
	p.night = r.number("night", d.Night, 0, 8)
	setUp := stages[p.step].phase == inSetUp
	if d.FirstFaction != nil {
		f := r.faction("first_faction", d.FirstFaction)
		for s := range g.factions {
			if p.seats[s] == f {
				p.firstSeat = s
			}
		}
	} else if !setUp {
		p.firstSeat = 0
	}
	if !setUp && p.night == 0 {
		p.night = 1
	}
	if setUp && d.Turn != nil {
		p.turn = r.number("turn", *d.Turn, 0, 0)
	}
	if r.err != nil || setUp {
		return
	}
	if d.Active != nil {
		f := r.faction("active", d.Active)
		for i := range g.factions {
			if g.order(p, i) == f {
				p.turn = i
			}
		}
		if d.Turn != nil && int(p.turn) != *d.Turn {
			r.fail("active is %s, but turn %d is another's", *d.Active, *d.Turn)
		}
	} else if d.Turn != nil {
		p.turn = r.number("turn", *d.Turn, 0, int(g.factions))
	} else if stages[p.step].phase >= inSunrise1A && stages[p.step].phase < isOver {
		p.turn = g.factions
	}
	if inTurn := stages[p.step].phase >= inDice && stages[p.step].phase <= inOps; inTurn && p.turn < g.factions && p.step != beginTurn {
		p.who = g.order(p, p.turn)
	}
}

// readDistricts reads what is in the districts. Those left out are empty; without the
// field, a city that the options fix has its first police.
func (r *reader) readDistricts() {
	p, g := &r.p, r.g
	if p.districts == 0 || stages[p.step].phase == inSetUp && p.step <= placePolice {
		if len(r.doc.Districts) > 0 {
			r.fail("districts: the police are not placed yet (R2.1)")
		}
		return
	}
	if r.doc.Districts == nil && r.doc.City == nil && g.start.districts != 0 {
		return // the city of the initial position, with its police
	}
	r.clearCity()
	for s := p.districts; s != 0; s &= s - 1 {
		t := &g.box.tiles[p.tile[s.first()]]
		p.centers[0][s.first()] = t.Centers
		if t.Free {
			p.liberated |= at(s.first())
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.doc.Districts)) {
		t, err := g.box.tileOf(key)
		c := slices.Index(p.tile[:], t)
		if err != nil || c < 0 || !p.districts.has(uint8(c)) {
			r.fail("districts: %q is no district of the city", key)
			return
		}
		d := r.doc.Districts[key]
		r.readDistrict(key, uint8(c), &d)
	}
}

func (r *reader) readDistrict(key string, c uint8, d *districtDoc) {
	p := &r.p
	r.byFaction(key+": blocs", d.Blocs, blocsEach, func(f, n uint8) {
		if n > p.mat[f] {
			r.fail("%s: %s has %d blocs in all (R1.2)", key, typeNames[f], blocsEach)
			return
		}
		p.put(f, c, n)
	})
	p.cops[c] = r.number(key+": cops", d.Cops, 0, int(r.g.box.pieces.cops))
	if d.Van != nil && !d.Van.none {
		p.van[c] = 1 + r.number(key+": van", d.Van.hits, 0, int(r.g.box.limits.VanHits)-1)
	}
	p.lookForPolice(c)
	r.byFaction(key+": attacked", d.Attacked, blocsEach, func(f, n uint8) { p.attacked[f][c] = n })
	r.readOccupation(key, c, d.Occupation)
	if d.Liberated != nil {
		p.liberated &^= at(c)
		if *d.Liberated {
			p.liberated |= at(c)
		}
	}
	if p.liberated.has(c) {
		p.centers[0][c] = 0
	}
	if d.Centers != nil {
		if len(d.Centers) != len(p.centers) {
			r.fail("%s: shopping_centers are three numbers: unlooted, graffitied, burned", key)
			return
		}
		for i, n := range d.Centers {
			p.centers[i][c] = r.number(key+": shopping_centers", n, 0, int(r.g.box.tiles[p.tile[c]].Centers))
		}
	}
	if d.Protected {
		p.protected |= at(c)
	}
	p.cancelled[c] = r.number(key+": cancelled", d.Cancelled, 0, maxCancelled)
	p.boost[c] = r.number(key+": boost", d.Boost, 0, maxBoost)
}

// readOccupation reads a pair of faction and kind.
func (r *reader) readOccupation(key string, c uint8, pair []string) {
	p := &r.p
	if len(pair) == 0 {
		return
	}
	if len(pair) != 2 {
		r.fail("%s: occupation is a pair of faction and kind", key)
		return
	}
	f := r.faction(key+": occupation", &pair[0])
	if r.err != nil {
		return
	}
	k := r.kind(key+": occupation", pair[1], f)
	if r.err == nil && p.place[f][k] != noCell {
		r.fail("%s: the %s of the %s stands elsewhere already (R1.2)", key, pair[1], pair[0])
	}
	if r.err == nil {
		r.g.settle(p, nil, "R6.3", f, k, c)
	}
}

// kind reads a kind of occupation of a faction.
func (r *reader) kind(field, key string, f uint8) uint8 {
	var words []string
	for _, o := range r.g.box.factions[f].occs {
		words = append(words, o.Key)
	}
	return r.name(field, key, words)
}

// readBarricades reads the barricades by end (R3.6).
func (r *reader) readBarricades() {
	p := &r.p
	for _, b := range r.doc.Barricades {
		c := r.number("barricades: cell", b.Cell, 0, numCells-1)
		arm := r.name("barricades: arm", b.Arm, armNames[:])
		n := r.number("barricades: count", b.Count, 0, int(r.g.box.limits.Barricades))
		if r.err != nil {
			return
		}
		e := 4*c + arm
		if p.districts == 0 || p.links[e] == noLink {
			r.fail("barricades: no connection leaves cell %d by arm %s (R3.3)", c, b.Arm)
			return
		}
		if p.barricadesAt(e)+n > r.g.box.limits.Barricades {
			r.fail("barricades: more than %d on the connection of cell %d, arm %s (R1.2)", r.g.box.limits.Barricades, c, b.Arm)
			return
		}
		p.barricades[p.slot(e)] += n
	}
}

// readPieces reads what is not in the city; left out, it is what is left.
func (r *reader) readPieces() {
	p, b, d := &r.p, r.g.box, &r.doc
	p.destroyed = r.number("vans_destroyed", d.VansDestroyed, 0, int(b.pieces.vans))
	cops, vans := 0, int(p.destroyed)
	for c := range p.cops {
		cops += int(p.cops[c])
		if p.van[c] > 0 {
			vans++
		}
	}
	left := func(name string, have uint8, used int, given *int) uint8 {
		rest := int(have) - used
		if rest < 0 {
			r.fail("there are %d %s, the position has %d (R1.2)", have, name, used)
		}
		if given != nil {
			return r.number(name+" left", *given, 0, max(rest, 0))
		}
		return uint8(max(rest, 0))
	}
	staging := stagingDoc{}
	if d.Staging != nil {
		staging = *d.Staging
	}
	p.copsLeft = left("riot cops", b.pieces.cops, cops, staging.Cops)
	p.vansLeft = left("riot vans", b.pieces.vans, vans, staging.Vans)
	p.pile = left("barricades", b.pieces.barricades, int(sum(p.barricades[:])), d.BarricadePile)
	p.moraleStep = r.number("morale_step", d.MoraleStep, 0, len(b.morale)-1)
	p.lockdown = r.faction("metro_lockdown", d.MetroLockdown)
}
