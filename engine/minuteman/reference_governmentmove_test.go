package minuteman_test

// phaseG3 is R17.
func (r *refGame) phaseG3() {
	r.reinforceUnprepared()
	r.foreignPhase(r.gov)
	r.reinforceGovernment()
	for _, u := range r.where(r.isG) {
		u.noRail = u.hex.pop == 0 || u.hex.has(r.isR)
	}
	for r.governmentMove() {
	}
	if r.serving() {
		r.moveUnits(r.federalized)
	}
	for _, h := range r.hexes {
		if h.unrest && h.has(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) }) && r.ask(r.gov, "D68", "YES", "NO") == "YES" {
			h.unrest = false
		}
	}
}

// reinforceGovernment is R20.5.
func (r *refGame) reinforceGovernment() {
	if r.due[r.gov] > 0 && r.pileSize(refDivisions...) > 0 {
		if h := r.placeOne(r.gov, func(h *refHex) bool { return h.has(refKind("cig")) && r.room(h, "army", r.gov) }); h != nil {
			r.due[r.gov]--
			g, c := r.drawCounter("C1", refDivisions...)
			r.placeCounter(g, c, r.gov, h)
			r.did("R20.5 division")
		}
	}
}

// reinforceUnprepared is R23.
func (r *refGame) reinforceUnprepared() {
	if r.options["government"] == "unprepared" && r.turn <= 4 && r.pileSize(refDivisions...) > 0 {
		west := r.turn%2 == 1
		if h := r.placeOne(r.gov, func(h *refHex) bool { return h.country == "US" && h.vacant() && (west && h.west || !west && h.east) }); h != nil {
			g, c := r.drawCounter("C1", refDivisions...)
			r.placeCounter(g, c, r.gov, h).moved = true
			r.did("R23 division")
		}
	}
}

// railPossible is R17.2 as a whole: RU12, RU31.
func (r *refGame) railPossible() bool { return !r.is("partisan") && (r.rev == 0 || r.seats == 2) }

// modes are the ways in which a unit of the Government may move, with where to (D65).
func (r *refGame) modes(u *refUnit, anyOne bool) map[string][]*refHex {
	modes := map[string][]*refHex{}
	add := func(mode string, hexes []*refHex) {
		if len(hexes) > 0 {
			modes[mode] = hexes
		}
	}
	fly := func(legal func(h *refHex) bool) []*refHex {
		return r.hexesWhere(func(h *refHex) bool { return h != u.hex && r.mayEnter(u, h) && r.room(h, u.kind, u.owner) && legal(h) })
	}
	if u.kind != "cig" {
		add("MODE_NORMAL", r.reach(u, anyOne))
	}
	if r.railPossible() && !u.noRail && r.rail >= r.railCost(u) && (r.rev == 0 || u.kind == "cig") {
		add("MODE_AIR_RAIL", fly(refAnywhere))
	}
	if r.rev > 0 && r.on("air_assault") && u.group == "airborne" && !r.assaulted["air"] {
		add("MODE_AIR_ASSAULT", fly(func(h *refHex) bool { return h.has(r.isR) }))
	}
	if r.rev > 0 && r.on("amphibious_assault") && u.group == "marine" && u.hex.sea && u.hex.pop > 0 && !r.assaulted["sea"] {
		add("MODE_AMPHIBIOUS", fly(func(h *refHex) bool { return h.sea }))
	}
	return modes
}

func (r *refGame) railCost(u *refUnit) int {
	if u.kind == "agent" {
		return 1
	}
	return 2
}

// governmentMove is D64 to D66 once; false after DONE.
func (r *refGame) governmentMove() bool {
	movable := r.where(func(u *refUnit) bool { return r.isG(u) && !u.moved && !u.pinned && len(r.modes(u, true)) > 0 })
	options := r.withAssassinate(r.gov, "DONE")
	if len(movable) > 0 {
		options = append(options, "MOVE_UNIT")
	}
	if r.railPossible() && r.hands[r.gov]["passage"] > 0 {
		options = append(options, "SHOW_PASSAGE")
	}
	switch r.ask(r.gov, "D64", options...) {
	case "DONE":
		return false
	case "ASSASSINATE":
		r.assassinate(r.gov)
		return true
	case "SHOW_PASSAGE":
		r.give(r.gov, "passage", 1)
		r.rail += 2
		return true
	}
	u := r.pick(r.gov, "D64", movable)
	modes := r.modes(u, false)
	var names []string
	for mode := range modes {
		names = append(names, mode)
	}
	mode := r.ask(r.gov, "D65", names...)
	to := r.pickPlace(r.gov, "D66", modes[mode])
	u.moved = true
	r.did("R17 " + u.kind + " " + mode)
	switch mode {
	case "MODE_AIR_RAIL":
		r.byRail(u, to)
		return true
	case "MODE_AIR_ASSAULT":
		r.assaulted["air"] = true
	case "MODE_AMPHIBIOUS":
		r.assaulted["sea"] = true
	}
	r.move(u, to)
	return true
}

// byRail is Air/Rail movement (R17.2, R26.6).
func (r *refGame) byRail(u *refUnit, to *refHex) {
	r.rail -= r.railCost(u)
	if r.is("occupation") && r.die("C18") <= 2 {
		r.did("R26.6 fails")
		return
	}
	if u.kind == "cig" {
		u.step = max(u.step-refDistance(u.hex, to), 1)
	}
	u.rail = u.kind == "army"
	r.move(u, to)
}
