package minuteman_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// refDrawn is a counter that has been drawn and not been placed yet.
type refDrawn struct{ group, counter string }

// drawDivisions is C1: n random US Divisions.
func (r *refGame) drawDivisions(n int) (list []refDrawn) {
	for range n {
		g, c := r.drawCounter("C1", refDivisions...)
		list = append(list, refDrawn{g, c})
	}
	return list
}

// byType is the order of D1 (R22.1).
func byType(list []refDrawn) []refDrawn {
	order := []string{"armored", "infantry", "airborne", "marine", "security"}
	slices.SortStableFunc(list, func(a, b refDrawn) int { return slices.Index(order, a.group) - slices.Index(order, b.group) })
	return list
}

// placeDivisions is D1.
func (r *refGame) placeDivisions(list []refDrawn, legal func(h *refHex) bool) {
	for _, d := range byType(list) {
		hexes := r.hexesWhere(func(h *refHex) bool { return r.room(h, "army", r.gov) && legal(h) })
		if len(hexes) == 0 {
			r.did("D1 not placed")
			r.piles[d.group] = append(r.piles[d.group], d.counter)
			continue
		}
		r.placeCounter(d.group, d.counter, r.gov, r.pickPlace(r.gov, "D1", hexes))
	}
}

// spaced demands a distance from every Army on the map.
func (r *refGame) spaced(least int) func(h *refHex) bool {
	return func(h *refHex) bool {
		for _, u := range r.where(refKind("army")) {
			if refDistance(u.hex, h) < least {
				return false
			}
		}
		return true
	}
}

// placeSet lets a seat place n pieces in ascending order, as many as fit (R3.5).
func (r *refGame) placeSet(seat int, question string, n int, fits func(h *refHex) int, place func(h *refHex)) {
	total := 0
	for _, h := range r.hexes {
		total += fits(h)
	}
	if total < n {
		r.did(question + " no room")
	}
	last := 0
	for n = min(n, total); n > 0; n-- {
		var options []*refHex
		behind := 0
		for i := len(r.hexes) - 1; i >= last; i-- {
			behind += fits(r.hexes[i])
			if fits(r.hexes[i]) > 0 && behind >= n {
				options = append(options, r.hexes[i])
			}
		}
		h := r.pickPlace(seat, question, options)
		last = slices.Index(r.hexes, h)
		place(h)
	}
}

// fitsNew is how many new units of a kind a hex takes of those for which a test holds.
func (r *refGame) fitsNew(kind string, owner int, legal func(h *refHex) bool) func(h *refHex) int {
	return func(h *refHex) int {
		if !r.playable(h) || !legal(h) || !r.room(h, kind, owner) {
			return 0
		}
		limit := map[string]int{"network": 1, "cig": 1, "agent": 3, "minuteman": 3}[kind]
		return min(limit-len(h.where(refKind(kind))), 6-len(h.units))
	}
}

// placeNew places n weak units, of step 1 if they are CIGs.
func (r *refGame) placeNew(seat int, question, kind string, n int, legal func(h *refHex) bool) {
	r.placeSet(seat, question, n, r.fitsNew(kind, seat, legal), func(h *refHex) { r.place(kind, seat, h, refFirstStep(kind)) })
}

func refFirstStep(kind string) int {
	if kind == "cig" {
		return 1
	}
	return 0
}

func refAnywhere(*refHex) bool { return true }

func (r *refGame) setUp() {
	r.phase = "setup"
	switch {
	case r.seats > 2:
		r.setUpMultiplayer()
		return
	case r.is("partisan"):
		r.setUpPartisan()
		return
	case r.is("occupation"):
		r.setUpOccupation()
		return
	case r.is("civil_war"):
		list := r.drawDivisions(16)
		for i, id := range r.data.board.CivilWar {
			r.placeCounter(list[i].group, list[i].counter, r.gov, r.hex[id])
		}
	default:
		r.setUpGovernment()
	}
	if r.on("canada_mexico") {
		r.setUpBrigades("Mexico")
		r.setUpBrigades("Canada")
	}
	r.setUpRebel()
	if r.on("canada_mexico") {
		r.setUpMilitiaAbroad()
	}
	switch {
	case r.is("civil_war"):
		r.convert()
	case r.options["rebel"] == "uncoordinated":
		r.uncoordinated()
	case r.options["rebel"] == "organized":
		r.organized()
	}
}

// setUpGovernment is R22.1 with the variants of R23.
func (r *refGame) setUpGovernment() {
	switch r.options["government"] {
	case "unprepared":
		list := r.drawDivisions(12)
		for i, city := range []string{"New York", "Boston", "Washington", "Miami", "Los Angeles", "San Francisco"} {
			r.placeCounter(list[i].group, list[i].counter, r.gov, r.hex[r.data.board.Named[city]])
		}
		r.placeDivisions(list[6:], r.inUS(r.spaced(4)))
	case "prepared":
		r.placeDivisions(r.drawDivisions(18), r.inUS(refAnywhere))
		r.place("cig", r.gov, r.hex[r.data.board.Named["Washington"]], 1)
		r.drawMarker(r.gov)
	default:
		r.placeDivisions(r.drawDivisions(16), r.inUS(r.spaced(2)))
	}
}

func (r *refGame) inUS(legal func(h *refHex) bool) func(h *refHex) bool {
	return func(h *refHex) bool { return h.country == "US" && legal(h) }
}

// drawMarker is C4 for one marker.
func (r *refGame) drawMarker(seat int) {
	weights := map[string]int{}
	for kind, n := range r.pool {
		if n > 0 {
			weights["MARKER_"+strings.ToUpper(kind)] = n
		}
	}
	if len(weights) == 0 {
		r.did("C4 empty pool")
		return
	}
	kind := strings.ToLower(strings.TrimPrefix(r.draw("C4", weights), "MARKER_"))
	r.pool[kind]--
	r.hands[seat][kind]++
}

// setUpRebel is C2 of R22.1, R25.2.
func (r *refGame) setUpRebel() {
	rebel := r.rebels()[0]
	weights := map[string]int{}
	for n := 1; n <= 10; n++ {
		weights[fmt.Sprint("CHIT_", n)] = 2
	}
	chit := func() int {
		name := r.draw("C2", weights)
		if weights[name]--; weights[name] == 0 {
			delete(weights, name)
		}
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "CHIT_"))
		return n
	}
	rows := r.data.tables.Events.Rows
	east := func(id string) bool { return id != "Pick" && (!r.is("partisan") || r.hex[id].col >= 29) }
	a := chit()
	for _, row := range rows {
		if east(row[a-1]) {
			r.place("minuteman", rebel, r.hex[row[a-1]], 0)
		}
	}
	nets := func() int { return len(r.where(refKind("network"))) }
	for drawn := 0; drawn < 2 || r.is("partisan") && nets() < 11; drawn++ {
		b := chit()
		delete(weights, fmt.Sprint("CHIT_", b)) // one row is not drawn twice
		for _, id := range rows[b-1] {
			if drawn >= 2 && nets() == 11 {
				break
			}
			if east(id) && r.hex[id].net() == nil {
				r.place("network", rebel, r.hex[id], 0)
			}
		}
		r.did(fmt.Sprint("R22.1 row ", drawn+1))
	}
}

// uncoordinated is R23.
func (r *refGame) uncoordinated() {
	for _, u := range r.where(refKind("minuteman")) {
		if r.die("C3") >= 5 {
			h := u.hex
			r.eliminate(u)
			h.informer = true
			r.did("R23 informer")
		}
	}
}

// organized is R23: D4 and D4b.
func (r *refGame) organized() {
	rebel := r.rebels()[0]
	last := -1
	moved := map[*refUnit]bool{}
	for range 3 {
		var nets []string
		for i, h := range r.hexes {
			if n := h.net(); n != nil && i > last && !moved[n] {
				nets = append(nets, h.id)
			}
		}
		answer := r.ask(rebel, "D4", append(nets, "DONE")...)
		if answer == "DONE" {
			break
		}
		from := r.hex[answer]
		last = slices.Index(r.hexes, from)
		to := r.pickPlace(rebel, "D4", r.hexesWhere(func(h *refHex) bool {
			return h.country == "US" && h.pop == 1 && r.room(h, "network", rebel)
		}))
		moved[from.net()] = true
		r.move(from.net(), to)
	}
	var weak []*refHex
	for _, u := range r.where(refKind("network")) {
		if u.step == 0 {
			weak = append(weak, u.hex)
		}
	}
	if len(weak) > 0 {
		r.pickPlace(rebel, "D4b", weak).net().step = 1
	}
	r.drawMarker(rebel)
}

// setUpBrigades is D3 (R29.1).
func (r *refGame) setUpBrigades(country string) {
	group := refBrigade(country)
	for range r.pileSize(group) {
		h := r.pickPlace(r.gov, "D3", r.hexesWhere(func(h *refHex) bool { return h.country == country && r.room(h, "army", r.gov) }))
		_, counter := r.drawCounter("C1", group)
		r.placeCounter(group, strings.TrimPrefix(counter, "COUNTER_"), r.gov, h)
	}
}

// setUpMilitiaAbroad is D5 of R29.1: two in all.
func (r *refGame) setUpMilitiaAbroad() {
	rebel := r.rebels()[0]
	lastPile, lastHex := "", ""
	for left := 2; left > 0; left-- {
		fit := func(country string) (list []*refHex) {
			return r.hexesWhere(func(h *refHex) bool {
				return h.country == country && h.vacant() && (country != lastPile || h.id >= lastHex)
			})
		}
		var piles []string
		for _, c := range []string{"Canada", "Mexico"} {
			if c >= lastPile && len(fit(c)) > 0 {
				piles = append(piles, "PILE_"+strings.ToUpper(c))
			}
		}
		country := map[string]string{"PILE_CANADA": "Canada", "PILE_MEXICO": "Mexico"}[r.ask(rebel, "D5", piles...)]
		hexes := fit(country)
		if country == "Mexico" && left == 2 && len(hexes) > 1 {
			hexes = hexes[:len(hexes)-1] // the other must fit behind it
		}
		h := r.pickPlace(rebel, "D5", hexes)
		lastPile, lastHex = country, h.id
		_, counter := r.drawCounter("C7", refAbroadMilitia(country))
		r.placeCounter(refAbroadMilitia(country), counter, rebel, h)
	}
}

// convert is R27.1.
func (r *refGame) convert() {
	rebel := r.rebels()[0]
	for _, u := range r.where(func(u *refUnit) bool { return u.kind == "army" && u.home() == "" }) {
		switch n := r.die("C3"); {
		case n == 6:
			u.pinned = true
		case n >= 4:
			h := u.hex
			if r.pileSize(r.militiaPiles(rebel)...) > 0 && len(h.where(refKind("militia"))) < r.militiaLimit() {
				r.eliminate(u)
				g, c := r.drawCounter("C7", r.militiaPiles(rebel)...)
				r.placeCounter(g, c, rebel, h)
			}
		}
	}
	for _, u := range r.where(refKind("network")) {
		if r.die("C3") >= 5 {
			r.turnInto(u, "cig", 1)
		}
	}
	for _, u := range r.where(refKind("minuteman")) {
		if r.die("C3") >= 5 {
			r.turnInto(u, "agent", 0)
		}
	}
}

// turnInto replaces a Rebel's unit by one of the Government if there is a counter and room.
func (r *refGame) turnInto(u *refUnit, kind string, step int) {
	h := u.hex
	limit := map[string]int{"cig": 1, "agent": 3}[kind]
	if r.freeName(kind, r.gov) == "" || len(h.where(refKind(kind))) >= limit {
		r.did("R27.1 no conversion")
		return
	}
	r.eliminate(u)
	r.place(kind, r.gov, h, step)
}

// setUpPartisan is R25.2.
func (r *refGame) setUpPartisan() {
	front := r.drawDivisions(16)
	for i, id := range r.data.board.FrontLine {
		r.placeCounter(front[i].group, front[i].counter, r.gov, r.hex[id]).frontLine = true
	}
	var security []refDrawn
	for range 4 {
		g, c := r.drawCounter("C1", "security")
		security = append(security, refDrawn{g, c})
	}
	for i, city := range []string{"New York", "Boston", "Norfolk", "Mobile"} {
		r.placeCounter(security[i].group, security[i].counter, r.gov, r.hex[r.data.board.Named[city]])
	}
	r.placeDivisions(r.drawDivisions(8), r.rear)
	r.placeNew(r.gov, "D2", "cig", 1, r.rear)
	r.placeNew(r.gov, "D2", "agent", 1, r.rear)
	r.setUpRebel()
	rebel := r.rebels()[0]
	h := r.pickPlace(rebel, "D5", r.hexesWhere(func(h *refHex) bool { return r.rear(h) && r.room(h, "militia", rebel) }))
	g, c := r.drawCounter("C7", r.militiaPiles(rebel)...)
	r.placeCounter(g, c, rebel, h)
}

// rear is true of the hexes of Partisan east of the Front Line, and elsewhere of all.
func (r *refGame) rear(h *refHex) bool { return !r.is("partisan") || h.col >= 29 }

// setUpOccupation is R26.1.
func (r *refGame) setUpOccupation() {
	list := r.drawDivisions(24)
	for range 4 {
		g, c := r.drawCounter("C1", "security")
		list = append(list, refDrawn{g, c})
	}
	r.placeDivisions(list, r.spaced(2))
	step := r.die("C22")
	r.placeSet(r.gov, "D2", 1, r.fitsNew("cig", r.gov, refAnywhere), func(h *refHex) { r.place("cig", r.gov, h, step) })
	r.placeNew(r.gov, "D2", "agent", 3, refAnywhere)
	r.setUpRebel()
	rebel := r.rebels()[0]
	for _, x := range []struct {
		country, kind string
		n             int
	}{{"Canada", "network", 3}, {"Mexico", "network", 2}, {"Canada", "minuteman", 1}, {"Mexico", "minuteman", 1}} {
		r.placeNew(rebel, "D5", x.kind, x.n, func(h *refHex) bool { return h.country == x.country && h.pop == 1 })
	}
}

// setUpMultiplayer is R28.1.
func (r *refGame) setUpMultiplayer() {
	n, cigs := 16, 1
	if r.on("dispersed") {
		n, cigs = 18, 2
	}
	r.placeDivisions(r.drawDivisions(n), r.spaced(2))
	r.placeNew(r.gov, "D2", "cig", cigs, refAnywhere)
	nets, minutemen := 12, 6
	if r.seats == 4 {
		nets, minutemen = 8, 4
	}
	for range nets {
		for _, i := range r.rebels() {
			r.place("network", i, r.drawHome("network", i), 0)
		}
	}
	for range minutemen {
		for _, i := range r.rebels() {
			r.place("minuteman", i, r.drawHome("minuteman", i), 0)
		}
	}
}

// drawHome draws two chits until they name a hex where the unit may stand.
func (r *refGame) drawHome(kind string, seat int) *refHex {
	for {
		h := r.drawEvent()
		if h == nil || !r.room(h, kind, seat) || !slices.Contains(r.region(seat, h), h.id) {
			r.did("R28.1 drawn again")
			continue
		}
		return h
	}
}

// region are the hexes of a seat's region in the dispersed set-up, else h.
func (r *refGame) region(seat int, h *refHex) []string {
	d := r.data.scenarios["multiplayer"].Dispersed
	switch {
	case !r.on("dispersed"):
		return []string{h.id}
	case r.seats == 3:
		return d.Two[[]string{"", "EAST", "WEST"}[seat]].Hexes
	}
	return d.Three[[]string{"", "NORTHEAST", "MIDWEST", "SOUTH_AND_WEST"}[seat]].Hexes
}

// drawEvent is C12: two chits without replacement; nil for a Pick.
func (r *refGame) drawEvent() *refHex {
	weights := map[string]int{}
	for n := 1; n <= 10; n++ {
		weights[fmt.Sprint("CHIT_", n)] = 2
	}
	first := r.draw("C12", weights)
	weights[first] = 1
	second := r.draw("C12", weights)
	a, _ := strconv.Atoi(strings.TrimPrefix(first, "CHIT_"))
	b, _ := strconv.Atoi(strings.TrimPrefix(second, "CHIT_"))
	cell := r.data.tables.Events.Rows[b-1][a-1]
	if cell == "Pick" {
		r.did("R14.1 Pick")
		return nil
	}
	return r.hex[cell]
}
