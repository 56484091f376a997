package minuteman_test

import (
	"fmt"
	"math"
	"slices"

	"powderkeg/engine"
)

// declare is R20.1 and R28.7; false if the others refuse.
func (r *refGame) declare(seat int) bool {
	if r.seats > 2 && !r.majority(seat) {
		agreed := false
		for _, other := range r.freeRebels() {
			if other != seat && !agreed {
				agreed = r.ask(other, "D82", "ACCEPT", "REJECT") == "ACCEPT"
			}
		}
		if !agreed {
			r.did("R-06 refused")
			return false
		}
	}
	r.revolt()
	return true
}

// majority is true of the owner of more than half of all Minutemen.
func (r *refGame) majority(seat int) bool {
	own := r.where(func(u *refUnit) bool { return u.kind == "minuteman" && u.owner == seat })
	return 2*len(own) > len(r.where(refKind("minuteman")))
}

// canRevolt is R20.1 and R28.7.
func (r *refGame) canRevolt(seat int) bool {
	if seat == r.gov || r.rev > 0 || !r.scenario.Revolution || seat == r.federalized {
		return false
	}
	if r.firstGov && r.turn > r.scenario.Deadline {
		return false
	}
	return r.seats == 2 || r.majority(seat) || len(r.freeRebels()) > 1
}

// revolt is R20.2 and R20.3.
func (r *refGame) revolt() {
	r.rev, r.rose = r.turn, true
	r.did("R20 revolution in " + r.phase)
	for _, u := range r.all() {
		u.underground = false
	}
	for _, u := range r.where(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) && u.hex.has(r.isR) }) {
		if u.hex != nil && r.isG(u) {
			r.leaveAtOnce(u)
		}
	}
	r.due[r.gov] += r.data.tables.Revolution.Divisions[fmt.Sprint(r.die("C15"))]
	for _, seat := range r.freeRebels() {
		r.due[seat] += r.die("C15")
	}
	r.checkEnd()
}

// leaveAtOnce is D70.
func (r *refGame) leaveAtOnce(u *refUnit) {
	nearest := math.MaxInt
	var hexes []*refHex
	for _, h := range r.hexesWhere(func(h *refHex) bool { return h.vacant() && r.mayEnter(u, h) }) {
		d := refDistance(u.hex, h)
		if d < nearest {
			nearest, hexes = d, nil
		}
		if d == nearest {
			hexes = append(hexes, h)
		}
	}
	if len(hexes) == 0 {
		r.did("R20.2 eliminated")
		r.eliminate(u)
		return
	}
	r.did("R20.2 leaves")
	r.move(u, r.pickPlace(r.gov, "D70", hexes))
}

func (r *refGame) canCallForeign(seat int) bool {
	return r.on("foreign_intervention") && !r.foreign.called && (seat == r.gov || r.rev > 0 && seat != r.federalized)
}

// end ends the game.
func (r *refGame) end(level int, by string, winners ...int) {
	r.did(fmt.Sprintf("end by %s, level %d", by, level))
	r.result = &refResult{level, by, winners}
	panic(refOver{})
}

// endTwo ends a game of two players on the ladder (R24.4, R25.13).
func (r *refGame) endTwo(level int, by string) {
	if r.is("partisan") {
		level += r.committed / 4
	}
	if r.foreign.called {
		if r.foreign.seat == r.gov {
			level++
		} else {
			level--
		}
	}
	level = max(min(level, 3), -3)
	switch {
	case level > 0:
		r.end(level, by, r.rebels()[0])
	case level < 0:
		r.end(level, by, r.gov)
	}
	r.end(0, by)
}

// checkEnd is what is tested after every combat, build, event and phase (R24.1).
func (r *refGame) checkEnd() {
	if r.seats > 2 {
		r.checkPlayers()
		return
	}
	rebels := len(r.where(r.isR))
	government := len(r.where(func(u *refUnit) bool { return r.isG(u) && !(u.kind == "cig" && u.step == 1) }))
	switch {
	case rebels == 0:
		r.endTwo(-3, "elimination")
	case r.rev > 0 && government == 0:
		r.endTwo(3, "elimination")
	}
}

// forfeit is R24.2: no Revolution in time.
func (r *refGame) forfeit() {
	if r.seats == 2 {
		r.endTwo(-3, "forfeit")
	}
	r.endMany(3, "forfeit", r.winnersWithGovernment()...)
}

func (r *refGame) countKind(kind string) int { return len(r.where(refKind(kind))) }

// divisions counts US and Security Divisions (R24.3).
func (r *refGame) divisions() int {
	return len(r.where(func(u *refUnit) bool { return slices.Contains(refDivisions, u.group) || u.group == "security" }))
}

// count is R24.3 after the last Game-Turn.
func (r *refGame) count() {
	switch {
	case r.seats > 2:
		r.countMany()
	case r.is("partisan"):
		r.endTwo(r.countPartisan(), "count")
	}
	army, rose := r.divisions(), r.rev > 0
	militia := len(r.where(func(u *refUnit) bool { return u.kind == "militia" && (u.home() == "" || r.is("occupation")) }))
	nets, minutemen, agents, cigs := r.countKind("network"), r.countKind("minuteman"), r.countKind("agent"), r.countKind("cig")
	substantiveR, substantiveG := rose && army == 0, militia == 0 && nets < 5
	switch {
	case substantiveR && substantiveG:
		r.endTwo(0, "count")
	case substantiveR:
		r.endTwo(2, "count")
	case substantiveG:
		r.endTwo(-2, "count")
	case rose && militia > army && nets > cigs && minutemen > agents:
		r.endTwo(1, "count")
	case army > militia && agents > minutemen && cigs >= 3:
		r.endTwo(-1, "count")
	}
	r.endTwo(0, "count")
}

// countPartisan is R25.13 before the steps of the committed Divisions.
func (r *refGame) countPartisan() int {
	held, cut, open := 0, 0, 0
	for _, id := range r.data.board.Cities {
		h := r.hex[id]
		held += refBit(r.rebelsHold(h))
		reached, line := r.lines(h)
		cut += refBit(reached == 0)
		open += refBit(line > 0 && reached == line)
	}
	r.did(fmt.Sprintf("R25.13 held %d cut %d open %d", held, cut, open))
	switch n := max(held, cut); {
	case n >= 6 && held > 0:
		return 3
	case n >= 4 && held > 0:
		return 2
	case n >= 1:
		return 1
	}
	if held > 0 && open < 8 {
		return 0
	}
	east := len(r.where(func(u *refUnit) bool { return u.kind == "army" && u.hex.col >= 29 }))
	if east > r.countKind("militia") && r.countKind("agent") > r.countKind("minuteman") {
		return -2
	}
	return -1
}

// rebelsHold is the first half of R25.12.
func (r *refGame) rebelsHold(h *refHex) bool {
	return h.has(r.isR) && !h.has(r.isG) || h.has(refKind("militia")) && !h.has(refKind("army"))
}

// lines counts the uncommitted Divisions of the Front Line that have a Line of
// Communication to a city, and all of them.
func (r *refGame) lines(city *refHex) (reached, all int) {
	passes := func(h *refHex) bool {
		if !r.playable(h) || r.controlled(h, r.gov, nil) {
			return false
		}
		return h.has(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) }) || !h.has(refCivil)
	}
	seen := map[*refHex]bool{}
	if passes(city) {
		seen[city] = true
		for todo := []*refHex{city}; len(todo) > 0; {
			h := todo[0]
			todo = todo[1:]
			for _, n := range h.next() {
				if !seen[n] && passes(n) {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
	}
	for _, u := range r.where(func(u *refUnit) bool { return u.frontLine }) {
		all++
		reached += refBit(seen[u.hex])
	}
	return reached, all
}

// compareEnd compares the engine's end with the reference's.
func (r *refGame) compareEnd() {
	r.t.Helper()
	r.question = "the end"
	if r.fast.ToAct() != engine.Terminal {
		asks, _ := r.fast.(interface{ Asks() (string, string) }).Asks()
		r.fail("the engine asks %s of seat %d, the game should have ended by %s with level %d", asks, r.fast.ToAct(), r.result.by, r.result.level)
	}
	want := make([]float32, r.seats)
	if r.seats == 2 {
		want[r.rebels()[0]] = float32(r.result.level) / 3
		want[r.gov] = -float32(r.result.level) / 3
	} else {
		for i := range want {
			if slices.Contains(r.result.winners, i) {
				want[i] = float32(r.result.level) / 3
			} else {
				want[i] = -float32(r.result.level) / 3
			}
		}
	}
	got := r.fast.Returns(nil)
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-6 {
			r.fail("returns are %v, want %v (%s, level %d)", got, want, r.result.by, r.result.level)
		}
	}
	r.phase = "over"
	r.comparePosition(-1)
	r.compareResult()
}
