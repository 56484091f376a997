package minuteman_test

import (
	"fmt"
	"slices"
)

// phaseA2 is R7.
func (r *refGame) phaseA2() {
	r.riotStep()
	r.checkEnd()
	r.arrivals()
	for _, seat := range r.rebels() {
		if r.rev == 0 && r.role(seat) == "rebel" {
			r.builds(seat)
		}
	}
}

// riotStep is R7.1, R20.9, R25.7 and R26.5.
func (r *refGame) riotStep() {
	var riots []*refHex
	for _, h := range r.hexes {
		if h.riot && r.playable(h) {
			riots = append(riots, h)
		}
	}
	for _, h := range riots {
		switch {
		case r.on("canada_mexico") && h.country != "US" && h.net() == nil:
			r.did("R29.5 nothing")
		case r.rev > 0:
			r.freeBuild(h, r.riotOwner(h), h.net() == nil)
		case r.is("partisan"):
			r.freeBuild(h, r.rebels()[0], !h.has(r.isR))
			if r.ask(r.rebels()[0], "D13", "YES", "NO") == "YES" {
				h.riot = false
			}
		case h.net() == nil:
			seat := r.riotOwner(h)
			if r.freeName("network", seat) != "" && r.room(h, "network", seat) {
				r.place("network", seat, h, 0)
				r.did("R7.1 network")
			}
		default:
			r.spread(h, riots)
		}
	}
	switch {
	case r.is("partisan"):
		r.extraRiots(1, func(h *refHex) bool { return r.rear(h) })
	case r.is("occupation"):
		r.extraRiots(2, r.besideNetworkAndMinuteman)
	}
}

// riotOwner is the Rebel who decides in a Riot hex (R28.2).
func (r *refGame) riotOwner(h *refHex) int {
	if n := h.net(); n != nil {
		return n.owner
	}
	best, nearest := []int{}, 1000
	for _, seat := range r.rebels() {
		if r.out[seat] {
			continue
		}
		for _, u := range r.where(func(u *refUnit) bool { return u.owner == seat }) {
			d := refDistance(u.hex, h)
			if d < nearest {
				best, nearest = nil, d
			}
			if d == nearest && !slices.Contains(best, seat) {
				best = append(best, seat)
			}
		}
	}
	if len(best) == 0 {
		return r.rebels()[0]
	}
	return r.lot(best)
}

// lot is C21.
func (r *refGame) lot(seats []int) int {
	weights := map[string]int{}
	for _, s := range seats {
		weights[fmt.Sprint("SEAT_", s)] = 1
	}
	var seat int
	fmt.Sscanf(r.draw("C21", weights), "SEAT_%d", &seat)
	return seat
}

// spread is R7.1 for a Riot hex with a Network.
func (r *refGame) spread(h *refHex, before []*refHex) {
	var near, quiet []*refHex
	wasQuiet := false
	for _, n := range h.next() {
		if r.playable(n) && n.pop == 1 && (n.country == "US" || r.is("occupation")) {
			near = append(near, n)
			wasQuiet = wasQuiet || !slices.Contains(before, n)
			if !n.riot {
				quiet = append(quiet, n)
			}
		}
	}
	seat := h.net().owner
	switch {
	case !wasQuiet:
		r.freeBuild(h, seat, false)
	case len(quiet) == 0:
		r.did("R7.1 filled meanwhile")
	default:
		n := r.data.tables.RiotSpread.Cells[fmt.Sprint(r.die("C5"))]
		r.did(fmt.Sprintf("R7.1 spreads %d of %d", n, len(near)))
		legal := func(x *refHex) int { return refBit(slices.Contains(quiet, x) && !x.riot) }
		r.placeSet(seat, "D11", min(n, len(quiet)), legal, func(x *refHex) { r.setRiot(x) })
	}
}

func (r *refGame) setRiot(h *refHex) {
	h.riot, h.unrest = true, false
	r.did("riot")
}

// extraRiots is D14.
func (r *refGame) extraRiots(n int, legal func(h *refHex) bool) {
	last := ""
	for range n {
		hexes := r.hexesWhere(func(h *refHex) bool {
			return h.pop == 1 && !h.riot && h.id > last && legal(h) && (r.rev == 0 || h.net() == nil)
		})
		var ids []string
		for _, h := range hexes {
			ids = append(ids, h.id)
		}
		answer := r.ask(r.rebels()[0], "D14", append(ids, "DONE")...)
		if answer == "DONE" {
			return
		}
		r.setRiot(r.hex[answer])
		last = answer
	}
}

func (r *refGame) besideNetworkAndMinuteman(h *refHex) bool {
	for _, n := range h.next() {
		if n.net() != nil && n.has(refKind("minuteman")) {
			return true
		}
	}
	return false
}

// buildOptions are those of D12 but for OPT_DECLINE.
func (r *refGame) buildOptions(h *refHex, seat int, newNetwork bool) (list []string) {
	abroad := r.on("canada_mexico") && h.country != "US"
	if n := h.net(); n != nil && n.step == 0 && n.owner == seat && !abroad {
		list = append(list, "OPT_AUGMENT_NETWORK")
	}
	if newNetwork && h.net() == nil && r.freeName("network", seat) != "" && r.room(h, "network", seat) {
		list = append(list, "OPT_NEW_NETWORK")
	}
	if r.freeName("minuteman", seat) != "" && r.room(h, "minuteman", seat) {
		list = append(list, "OPT_NEW_MINUTEMAN")
	}
	if r.weakMinuteman(h, seat) != nil && !abroad {
		list = append(list, "OPT_AUGMENT_MINUTEMAN")
	}
	if r.pileSize(r.militiaBuilt(h, seat)...) > 0 && r.room(h, "militia", seat) {
		list = append(list, "OPT_NEW_MILITIA")
	}
	return list
}

// militiaBuilt are the piles of Militia built in a hex (R26.4, R29.6).
func (r *refGame) militiaBuilt(h *refHex, seat int) []string {
	if h.country != "US" {
		return []string{refAbroadMilitia(h.country)}
	}
	return r.militiaPiles(seat)
}

// weakMinuteman is the one that OPT_AUGMENT_MINUTEMAN turns: above ground first.
func (r *refGame) weakMinuteman(h *refHex, seat int) *refUnit {
	for _, below := range []bool{false, true} {
		for _, u := range h.units {
			if u.kind == "minuteman" && u.owner == seat && u.step == 0 && u.underground == below {
				return u
			}
		}
	}
	return nil
}

// freeBuild is D12 without an attempt; it does not count on the track.
func (r *refGame) freeBuild(h *refHex, seat int, newNetwork bool) {
	r.did("free build")
	if list := r.buildOptions(h, seat, newNetwork); len(list) > 0 {
		r.carryOut(h, seat, r.ask(seat, "D12", append(list, "OPT_DECLINE")...))
	}
}

// carryOut is what R7.5 says of each option.
func (r *refGame) carryOut(h *refHex, seat int, option string) {
	switch option {
	case "OPT_AUGMENT_NETWORK":
		h.net().step = 1
	case "OPT_NEW_NETWORK":
		r.place("network", seat, h, 0)
	case "OPT_NEW_MINUTEMAN":
		r.place("minuteman", seat, h, 0)
	case "OPT_AUGMENT_MINUTEMAN":
		r.weakMinuteman(h, seat).step = 1
	case "OPT_NEW_MILITIA":
		g, c := r.drawCounter("C7", r.militiaBuilt(h, seat)...)
		r.placeCounter(g, c, seat, h)
	}
}

// arrivals is R7.2 and R29.4.
func (r *refGame) arrivals() {
	if !r.on("canada_mexico") {
		return
	}
	rebel := r.rebels()[0]
	for _, country := range []string{"Canada", "Mexico"} {
		group := refAbroadMilitia(country)
		if len(r.where(func(u *refUnit) bool { return u.group == group && u.hex.country == country })) == 0 || r.pileSize(group) == 0 {
			continue
		}
		hexes := r.hexesWhere(func(h *refHex) bool { return h.country == country && h.pop != 1 && h.vacant() })
		if len(hexes) == 0 {
			continue
		}
		h := r.pickPlace(rebel, "D15", hexes)
		_, c := r.drawCounter("C7", group)
		r.placeCounter(group, c, rebel, h)
	}
}

// builds is D16.
func (r *refGame) builds(seat int) {
	tried := map[*refHex]bool{}
	for role := r.role(seat); r.role(seat) == role; {
		var hexes []*refHex
		for _, h := range r.hexes {
			if !tried[h] && (r.mayBuild(h, seat) || len(r.buildersAbroad(h, seat)) > 0) {
				hexes = append(hexes, h)
			}
		}
		options := r.withAssassinate(seat, "DONE")
		if len(hexes) > 0 {
			options = append(options, "BUILD_ATTEMPT")
		}
		switch r.ask(seat, "D16", options...) {
		case "DONE":
			return
		case "ASSASSINATE":
			r.assassinate(seat)
		default:
			h := r.pickPlace(seat, "D16", hexes)
			tried[h] = true
			if r.mayBuild(h, seat) {
				r.attempt(seat, h, h.net())
			} else {
				r.did("R29.6 builds abroad")
				r.attempt(seat, h, r.pickClass(seat, "D16", r.buildersAbroad(h, seat), h))
			}
			r.checkEnd()
		}
	}
}

// mayBuild is R7.3.
func (r *refGame) mayBuild(h *refHex, seat int) bool {
	n := h.net()
	if n == nil || n.owner != seat || n.underground || r.on("canada_mexico") && h.country != "US" {
		return false
	}
	if r.options["rebel"] == "uncoordinated" && r.track < 25 {
		return h.has(func(u *refUnit) bool { return u.kind == "minuteman" && u.owner == seat && !u.underground })
	}
	return true
}

// buildersAbroad are the Minutemen of R29.6.
func (r *refGame) buildersAbroad(h *refHex, seat int) []*refUnit {
	if !r.on("canada_mexico") || h.country == "US" || h.pop != 1 {
		return nil
	}
	return h.where(func(u *refUnit) bool { return u.kind == "minuteman" && u.owner == seat && !u.underground && !u.acted })
}

// strength is the side of a unit that is up.
func (r *refGame) strength(u *refUnit) refStep {
	d := &r.data.units
	sides := map[string]refSided{"network": d.Network, "minuteman": d.Minuteman, "agent": d.Agent}
	switch u.kind {
	case "cig":
		return d.Cig.Steps[u.step-1]
	case "informer":
		if r.is("partisan") || r.is("occupation") {
			return refStep{Defense: 1}
		}
		return refStep{Defense: 10}
	case "army", "militia":
		c := r.data.printed(u.group, u.counter)
		return refStep{Attack: c.Attack, Defense: c.Defense}
	}
	if u.step > 0 {
		return sides[u.kind].Strong
	}
	return sides[u.kind].Weak
}

// attempt is R7.4 for a Network, or a Minuteman abroad, and R16.2 for a CIG.
func (r *refGame) attempt(seat int, h *refHex, builder *refUnit) {
	builder.acted = true
	helper, helpers, organizers := "minuteman", []*refUnit{}, 0
	if seat == r.gov {
		helper = "agent"
	}
	last := -1
	for answer := ""; answer != "ROLL"; {
		options := []string{"ROLL"}
		of := map[string]*refUnit{}
		for _, u := range h.units {
			class := "ADD_" + r.token(u)
			if u.kind != helper || u.owner != seat || u.acted || u.underground || of[class] != nil || r.tokens[class] < last || builder.kind == "minuteman" {
				continue
			}
			of[class] = u
			options = append(options, class)
		}
		if r.hands[seat]["organizer"] > organizers {
			options = append(options, "ADD_ORGANIZER")
		}
		switch answer = r.ask(seat, "D17", options...); answer {
		case "ROLL":
		case "ADD_ORGANIZER":
			organizers++
			last = r.tokens[answer]
		default:
			of[answer].acted = true
			helpers = append(helpers, of[answer])
			last = r.tokens[answer]
		}
	}
	if seat == r.gov {
		r.react(r.opponents()...)
	} else {
		r.react(r.gov)
	}
	points := organizers
	for _, u := range append(helpers, builder) {
		if u.hex != nil {
			points += r.strength(u).Build
		}
	}
	if points == 0 {
		r.give(seat, "organizer", organizers)
		r.did("R7.4 nothing left to build with")
		return
	}
	die := r.die("C6")
	r.give(seat, "organizer", organizers)
	r.buildResult(seat, h, points, die)
}

// buildResult reads the Unit Build Table.
func (r *refGame) buildResult(seat int, h *refHex, points, die int) {
	column, counts := min(points, 6), die
	harsh := r.is("partisan") || r.is("occupation")
	if seat != r.gov {
		if harsh {
			column = min(column+1, 6)
		}
		if h.has(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" }) {
			counts--
		}
	}
	result := r.data.tables.Build.Cells[fmt.Sprint(counts)][column-1]
	r.did(fmt.Sprintf("build table row %d column %d", counts, column))
	abroad := r.on("canada_mexico") && h.country != "US"
	switch {
	case result == "B" && seat == r.gov:
		r.builtByGovernment(h, points, die)
	case result == "B":
		if list := r.buildOptions(h, seat, false); len(list) > 0 {
			option := r.ask(seat, "D12", append(list, "OPT_DECLINE")...)
			r.track++
			if abroad {
				r.abroadBuilt[h.country] = true
			}
			r.carryOut(h, seat, option)
		}
	case result == "none" || seat == r.gov && harsh:
	case result == "R" || harsh || abroad && seat != r.gov:
		r.riotIn(h)
	default:
		r.unrestIn(h)
	}
}

// riotIn and unrestIn are the results R and U (R7.4).
func (r *refGame) riotIn(h *refHex) {
	if h.pop == 1 && !h.riot && (r.rev == 0 || h.net() == nil) {
		r.setRiot(h)
	}
}

func (r *refGame) unrestIn(h *refHex) {
	switch {
	case h.riot || r.rev > 0 && h.net() != nil:
	case h.unrest:
		r.riotIn(h)
	default:
		h.unrest = true
		r.did("unrest")
	}
}

// phaseG2 is R16.
func (r *refGame) phaseG2() {
	if r.rev > 0 { // R16.3
		return
	}
	for _, u := range r.where(func(u *refUnit) bool { return u.kind == "cig" && !u.newInCIG && u.step < 6 }) {
		if on := r.scenario.CIGSteps; len(on) > 0 && !slices.Contains(on, r.die("C19")) {
			r.did("R16.1 no step")
			continue
		}
		u.step++
	}
	tried := map[*refHex]bool{}
	for {
		var hexes []*refHex
		for _, h := range r.hexes {
			if !tried[h] && h.has(refKind("cig")) {
				hexes = append(hexes, h)
			}
		}
		options := r.withAssassinate(r.gov, "DONE")
		if len(hexes) > 0 {
			options = append(options, "BUILD_ATTEMPT")
		}
		answer := r.ask(r.gov, "D62", options...)
		if answer == "DONE" {
			break
		}
		if answer == "ASSASSINATE" {
			r.assassinate(r.gov)
			continue
		}
		h := r.pickPlace(r.gov, "D62", hexes)
		tried[h] = true
		r.attempt(r.gov, h, h.where(refKind("cig"))[0])
		r.checkEnd()
	}
	if r.serving() {
		r.underground(r.federalized)
		r.builds(r.federalized)
	}
}

// builtByGovernment is D63.
func (r *refGame) builtByGovernment(h *refHex, points, die int) {
	var options []string
	weak := h.where(func(u *refUnit) bool { return u.kind == "agent" && u.step == 0 })
	if r.free("agent") > 0 && r.room(h, "agent", r.gov) {
		options = append(options, "OPT_NEW_AGENT")
	}
	if len(weak) > 0 {
		options = append(options, "OPT_AUGMENT_AGENT")
	}
	if r.is("civil_war") && h.pop == 1 && points >= 6 && die >= 5 && r.room(h, "army", r.gov) && r.pileSize(refDivisions...) > 0 {
		options = append(options, "OPT_NEW_DIVISION")
	}
	if len(options) == 0 {
		return
	}
	switch r.ask(r.gov, "D63", append(options, "OPT_DECLINE")...) {
	case "OPT_NEW_AGENT":
		r.place("agent", r.gov, h, 0)
	case "OPT_AUGMENT_AGENT":
		weak[0].step = 1
	case "OPT_NEW_DIVISION":
		g, c := r.drawCounter("C1", refDivisions...)
		r.placeCounter(g, c, r.gov, h)
	}
}
