package minuteman_test

import (
	"fmt"
	"slices"
)

// play plays a whole game (R5.1).
func (r *refGame) play() {
	if r.turn == 0 {
		r.setUp()
		r.turn = 1
	}
	phases := []string{"A1", "A2", "A3", "A4", "A5", "B", "G1", "G2", "G3", "G4", "G5", "G6", "N"}
	for ; ; r.turn++ {
		for i, p := range []struct {
			name string
			body func()
		}{
			{"A1", r.phaseA1}, {"A2", r.phaseA2}, {"A3", r.phaseA3}, {"A4", r.phaseA4}, {"A5", r.phaseA5}, {"B", r.phaseB},
			{"G1", r.phaseG1}, {"G2", r.phaseG2}, {"G3", r.phaseG3}, {"G4", r.phaseG4}, {"G5", r.phaseG5}, {"G6", r.phaseG6},
		} {
			r.phase = p.name
			r.did("phase " + p.name)
			r.beginPhase()
			r.windows()
			p.body()
			if r.phase = phases[min(i+1, len(phases)-1)]; r.phase == "N" && r.seats == 2 {
				r.phase = "G6"
			}
			r.checkEnd()
		}
		if r.seats > 2 {
			r.phase = "N"
			r.negotiate()
		}
		r.endTurn()
	}
}

// beginPhase lets the marks of a phase begin anew.
func (r *refGame) beginPhase() {
	for _, u := range r.all() {
		switch r.phase {
		case "A1", "A2", "G2":
			u.toggled, u.acted = false, false
		case "A3", "G3":
			u.moved = false
		case "A4", "G4":
			u.attacked, u.advanced = false, false
		case "G1":
			u.newInCIG = false
		}
	}
	if r.phase == "G3" {
		r.rail = 2 * r.scenario.AirRail
		if r.options["government"] == "prepared" {
			r.rail = 6
		}
		if r.seats > 2 && r.rev > 0 {
			r.rail = 0
		}
		r.assaulted = map[string]bool{}
	}
}

func (r *refGame) winter() bool { return r.data.tables.Season.Order[(r.turn-1)%4] == "Winter" }

// windows is D30 for the Rebels in seat order, then the Government (R5.2), whoever that is
// by then.
func (r *refGame) windows() {
	refused, done := map[int]bool{}, map[int]bool{}
	for {
		seat := r.gov
		for _, rebel := range r.rebels() {
			if !r.out[rebel] && !done[rebel] {
				seat = rebel
				break
			}
		}
		if government := seat == r.gov; r.window(seat, refused) {
			if government {
				return
			}
			done[seat] = true
		}
	}
}

// window asks one seat once; true when it is done.
func (r *refGame) window(seat int, refused map[int]bool) bool {
	options := []string{"DONE"}
	if r.canAssassinate(seat) {
		options = append(options, "ASSASSINATE")
	}
	if !refused[seat] && r.canRevolt(seat) {
		options = append(options, "REVOLUTION")
	}
	if r.canCallForeign(seat) {
		options = append(options, "FOREIGN_INTERVENTION")
	}
	switch r.ask(seat, "D30", options...) {
	case "DONE":
		return true
	case "ASSASSINATE":
		r.assassinate(seat)
	case "REVOLUTION":
		refused[seat] = !r.declare(seat)
	case "FOREIGN_INTERVENTION":
		r.foreign.called, r.foreign.seat, r.foreign.left = true, seat, 2
		if r.phase == "A3" && !r.govSide(seat) || r.phase == "G3" && r.govSide(seat) {
			r.foreign.left = 3 // this Movement Phase does not count
		}
		r.did("R30 called")
	}
	return false
}

// withAssassinate adds R5.3 to the options of a verb node.
func (r *refGame) withAssassinate(seat int, options ...string) []string {
	if r.canAssassinate(seat) {
		options = append(options, "ASSASSINATE")
	}
	return options
}

// targetsOf is R13 and R28.10: what a seat may assassinate.
func (r *refGame) targetsOf(seat int) []*refUnit {
	var list []*refUnit
	for _, h := range r.hexes {
		for _, u := range h.units {
			switch {
			case seat == r.gov:
				if u.kind == "minuteman" && u.owner != r.federalized {
					list = append(list, u)
				}
			case u.kind == "minuteman":
				if u.owner != seat && u.owner != r.gov {
					list = append(list, u)
				}
			case u.kind == "agent":
				if seat != r.federalized {
					list = append(list, u)
				}
			}
		}
		if h.informer && seat != r.gov && seat != r.federalized {
			list = append(list, r.informerOf(h))
		}
	}
	return list
}

// informerOf is the Informer of a hex as a unit.
func (r *refGame) informerOf(h *refHex) *refUnit {
	return &refUnit{kind: "informer", hex: h, owner: r.gov}
}

func (r *refGame) canAssassinate(seat int) bool {
	return r.hands[seat]["assassin"] > 0 && len(r.targetsOf(seat)) > 0
}

// give puts markers that were shown back into the pool (R21).
func (r *refGame) give(seat int, kind string, n int) {
	r.hands[seat][kind] -= n
	r.pool[kind] += n
}

// succeeds is the table of Assassinations, Betrayals and Pins.
func (r *refGame) succeeds(column, die int) bool {
	return slices.Contains(r.data.tables.Success.On[fmt.Sprint(column)], die)
}

// assassinate is D32 and C11 outside of an attack or a build, after which it is tested
// who is left (R24.1).
func (r *refGame) assassinate(seat int) {
	r.kill(seat)
	r.checkEnd()
}

// kill is D32 and C11.
func (r *refGame) kill(seat int) {
	targets := r.targetsOf(seat)
	var owners []string
	byOwner := map[string][]*refUnit{}
	for _, u := range targets {
		name := refPlayer(u.owner)
		if byOwner[name] == nil {
			owners = append(owners, name)
		}
		byOwner[name] = append(byOwner[name], u)
	}
	u := r.pick(seat, "D32", byOwner[r.ask(seat, "D32", owners...)])
	n := r.amount(seat, "D32", 1, min(3, r.hands[seat]["assassin"]))
	success := n == 3
	if n < 3 {
		success = r.succeeds(n, r.die("C11"))
	}
	r.give(seat, "assassin", n)
	r.did(fmt.Sprintf("R13 %d markers, %v", n, success))
	if success {
		r.eliminate(u)
	}
}

func refPlayer(seat int) string { return []string{"P0_GOVERNMENT", "P1", "P2", "P3"}[seat] }

func (r *refGame) amount(seat int, question string, from, to int) int {
	var options []string
	for n := from; n <= to; n++ {
		options = append(options, fmt.Sprint(n))
	}
	var n int
	fmt.Sscan(r.ask(seat, question, options...), &n)
	return n
}

// react is D31 for some seats.
func (r *refGame) react(seats ...int) {
	for _, seat := range seats {
		for !r.out[seat] && r.canAssassinate(seat) && r.ask(seat, "D31", "DONE", "ASSASSINATE") == "ASSASSINATE" {
			r.kill(seat)
		}
	}
}

// phaseA1 is R6.
func (r *refGame) phaseA1() {
	for _, seat := range r.rebels() {
		if r.role(seat) == "rebel" {
			r.underground(seat)
		}
	}
}

// underground is D10.
func (r *refGame) underground(seat int) {
	lastHex, lastClass := "", -1
	for role := r.role(seat); r.role(seat) == role; {
		units := r.where(func(u *refUnit) bool {
			if u.owner != seat || u.toggled || u.kind != "network" && u.kind != "minuteman" || !u.underground && !r.mayHide(u) {
				return false
			}
			return u.hex.id > lastHex || u.hex.id == lastHex && r.tokens[r.token(u)] >= lastClass
		})
		options := r.withAssassinate(seat, "DONE")
		if len(units) > 0 {
			options = append(options, "TOGGLE_UNDERGROUND")
		}
		switch r.ask(seat, "D10", options...) {
		case "DONE":
			return
		case "ASSASSINATE":
			r.assassinate(seat)
		default:
			u := r.pick(seat, "D10", units)
			lastHex, lastClass = u.hex.id, r.tokens[r.token(u)]
			u.underground = !u.underground
			u.toggled = true
			r.did(fmt.Sprintf("R6.1 %s underground %v", u.kind, u.underground))
		}
	}
}

// mayHide is the first half of R6.1.
func (r *refGame) mayHide(u *refUnit) bool {
	return r.rev == 0 && (u.hex.terrain != "rough_brushland" || u.hex.pop > 0)
}

// phaseA5 is R12.2.
func (r *refGame) phaseA5() {
	r.supplyMilitia(func(owner int) bool { return owner != r.federalized })
}

func (r *refGame) supplyMilitia(whose func(owner int) bool) {
	r.starve(r.where(func(u *refUnit) bool {
		if u.kind != "militia" || !whose(u.owner) || u.hex.pop > 0 {
			return false
		}
		switch u.hex.terrain {
		case "rough_brushland":
			return r.surrounded(u)
		case "north_winter_cover":
			return r.winter() || r.surrounded(u)
		}
		return r.winter() && r.surrounded(u)
	}))
}

// starve eliminates all together (R12.4).
func (r *refGame) starve(units []*refUnit) {
	hexes := map[*refHex]bool{}
	for _, u := range units {
		hexes[u.hex] = true
		r.did("R12 starved " + u.kind)
		r.eliminate(u)
	}
	for _, h := range r.hexes {
		if hexes[h] {
			r.exposed(h)
		}
	}
}

// surrounded is R12.1.
func (r *refGame) surrounded(u *refUnit) bool {
	for _, n := range u.hex.next() {
		if r.playable(n) && (!r.controlled(n, u.owner, u.hex) || r.sheltered(n, u.owner)) {
			return false
		}
	}
	return true
}

// exposed is the second half of R20.8: the last CIG or Army of a hex has gone.
func (r *refGame) exposed(h *refHex) {
	if r.rev == 0 || h.has(func(u *refUnit) bool { return r.isG(u) && (u.kind == "army" || u.kind == "cig") }) {
		return
	}
	if !h.has(func(u *refUnit) bool { return r.isR(u) && u.owner != r.federalized }) {
		return
	}
	for _, u := range h.where(refKind("agent")) {
		r.eliminate(u)
		r.did("R20.8 agent")
	}
	if h.informer {
		h.informer = false
		r.did("R20.8 informer")
	}
}

// phaseB is R14.
func (r *refGame) phaseB() {
	extra := map[int]int{}
	first := r.rebels()[0]
	if r.seats > 2 {
		first = -1
		for _, seat := range r.order {
			if first < 0 && !r.out[seat] && seat != r.gov {
				first = seat
			}
		}
	}
	for _, seat := range []int{first, r.gov} {
		if seat < 0 {
			continue
		}
		h := r.drawEvent()
		switch {
		case h == nil:
			extra[seat]++
		case r.rev > 0 || !r.rear(h):
			r.did("R14.2 nothing")
		case seat == r.gov:
			h.informer = true
			r.did("R14.1 informer")
		case h.net() == nil && r.freeName("network", seat) != "" && r.room(h, "network", seat):
			r.place("network", seat, h, 0)
			r.did("R14.1 network")
		}
	}
	for _, seat := range append(r.rebels(), r.gov) {
		if r.out[seat] {
			continue
		}
		for range 1 + extra[seat] {
			r.drawMarker(seat)
		}
	}
}

// phaseG1 is R15.
func (r *refGame) phaseG1() {
	table := &r.data.tables.Reaction
	var column int
	if r.ask(r.gov, "D60", "REACT_RIOTS", "REACT_BUILDS") == "REACT_RIOTS" {
		riots, unrests := 0, 0
		for _, h := range r.hexes {
			riots += refBit(h.riot)
			unrests += refBit(h.unrest)
		}
		column = refColumn(table.Riots, riots+unrests/2)
	} else {
		column = refColumn(table.Builds, r.track)
		if r.is("partisan") || r.is("occupation") {
			column = max(column-1, 0)
		}
	}
	die := r.die("C13")
	cell := table.Cells[fmt.Sprint(die)][column]
	r.did(fmt.Sprintf("R15 row %d column %d", die, column))
	if cell == "none" {
		return
	}
	kind, n := "cig", int(cell[0]-'0')
	if cell[1] == 'A' {
		kind = "agent"
	}
	fit := func(h *refHex) bool { return r.rear(h) && (r.is("occupation") || h.country == "US") }
	r.placeSet(r.gov, "D61", min(n, r.free(kind)), r.fitsNew(kind, r.gov, fit), func(h *refHex) {
		r.place(kind, r.gov, h, refFirstStep(kind)).newInCIG = true
	})
}

// free counts the counters of CIGs or Agents that are not on the map.
func (r *refGame) free(kind string) int {
	all := map[string]int{"cig": len(r.data.units.Cig.Counters), "agent": len(r.data.units.Agent.Counters)}[kind]
	return all - len(r.where(refKind(kind)))
}

func refBit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// refColumn is the column that a number falls into.
func refColumn(columns [][2]*int, n int) int {
	for i, c := range columns {
		if n >= *c[0] && (c[1] == nil || n <= *c[1]) {
			return i
		}
	}
	return 0
}

// phaseG5 is R18.
func (r *refGame) phaseG5() {
	for _, u := range r.where(func(u *refUnit) bool { return u.pinned }) {
		agents := len(u.hex.where(func(a *refUnit) bool { return a.kind == "agent" && !a.attacked }))
		if agents == 0 {
			continue
		}
		if r.succeeds(min(agents, 3), r.die("C14")) {
			u.pinned = false
		}
		r.did(fmt.Sprintf("R18 %d agents, pinned %v", min(agents, 3), u.pinned))
	}
}

// phaseG6 is R12.3.
func (r *refGame) phaseG6() {
	if r.rev > 0 && r.winter() {
		r.starve(r.where(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) && r.surrounded(u) }))
	}
	if r.serving() {
		r.supplyMilitia(func(owner int) bool { return owner == r.federalized })
	}
}

// endTurn is the end of a Game-Turn.
func (r *refGame) endTurn() {
	r.checkEnd()
	forfeits := r.scenario.Revolution && r.firstGov && !r.rose && r.turn >= r.scenario.Deadline
	if !forfeits && r.turn < r.scenario.Turns {
		r.leaveFederation()
	}
	for _, u := range r.all() {
		u.fought, u.rail, u.newInCIG = false, false, false
	}
	r.order = []int{}
	if forfeits {
		r.forfeit()
	}
	if r.turn == r.scenario.Turns {
		r.count()
	}
}
