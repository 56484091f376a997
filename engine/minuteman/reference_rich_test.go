package minuteman_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/soak"
)

// below returns a number from 0 and below n.
func (r *refGame) below(n int) int { return int(engine.Uint32N(r.rng, uint32(n))) }

func (r *refGame) chance(percent int) bool { return r.below(100) < percent }

// enrich lays out a crowded situation at the start of a Game-Turn, in which rules come up
// that a game from its set-up seldom gets to, and loads it into the engine.
func (r *refGame) enrich() {
	r.turn, r.phase = 1+r.below(min(r.scenario.Turns, 20)), "A1"
	if r.scenario.Revolution && r.chance(50) {
		r.turn = max(r.turn, 2)
		r.rev, r.rose = 1+r.below(min(r.turn, r.scenario.Deadline)), true
	}
	if r.scenario.Revolution && r.rev == 0 {
		r.turn = min(r.turn, r.scenario.Deadline)
	}
	r.track = r.below(80)
	if r.seats == 4 && r.turn > 2 && r.chance(50) {
		r.federalized, r.fedTurn = 1+r.below(3), r.turn-1
	} else if r.seats == 4 && r.chance(30) {
		r.pact = 1 + r.below(3)
	}
	if r.on("canada_mexico") {
		r.abroadRebel["Canada"], r.abroadRebel["Mexico"] = r.chance(30), r.chance(30)
		r.abroadBuilt["Canada"], r.abroadBuilt["Mexico"] = r.chance(30), r.chance(30)
	}
	for i := range r.seats {
		for _, kind := range []string{"assassin", "betrayal", "organizer", "passage"} {
			if n := r.below(4); n <= r.pool[kind] {
				r.hands[i][kind] = n
				r.pool[kind] -= n
			}
		}
		if r.rev > 0 && r.chance(40) && i != r.federalized {
			r.due[i] = r.below(4)
		}
	}
	r.enrichMap()
	state, err := r.engine.Load(r.document(), engine.Lenient)
	if err != nil {
		r.fail("%v: %s", err, r.document())
	}
	r.fast = state
}

// enrichMap puts units and markers around a few cities.
func (r *refGame) enrichMap() {
	cities := r.hexesWhere(func(h *refHex) bool { return h.pop == 1 && r.rear(h) })
	var around []*refHex
	for range 1 + r.below(3) {
		city := cities[r.below(len(cities))]
		around = append(around, r.hexesWhere(func(h *refHex) bool { return r.rear(h) && refDistance(h, city) <= 1+r.below(3) })...)
	}
	somewhere := func(legal func(h *refHex) bool) *refHex {
		for range 40 {
			if h := around[r.below(len(around))]; legal(h) {
				return h
			}
		}
		return nil
	}
	cityHere := func(h *refHex) bool { return h.pop == 1 && (h.country == "US" || !r.on("canada_mexico")) }
	for range 3 + r.below(8) {
		if h := somewhere(cityHere); h != nil {
			switch r.below(4) {
			case 0:
				h.riot, h.unrest = true, false
			case 1:
				h.unrest = !h.riot
			case 2:
				h.informer = true
			}
		}
	}
	r.enrichRebels(somewhere, cityHere)
	r.enrichGovernment(somewhere)
	if r.is("partisan") {
		for _, id := range r.data.board.FrontLine {
			if h := r.hex[id]; r.chance(60) {
				r.putCounter(h, r.gov, refDivisions...).frontLine = true
			}
		}
		r.committed = r.below(6)
	}
}

func (r *refGame) enrichRebels(somewhere func(func(h *refHex) bool) *refHex, city func(h *refHex) bool) {
	for _, seat := range r.rebels() {
		few := r.seats > 2 && r.chance(25) // he may fall out
		if h := somewhere(func(h *refHex) bool { return r.room(h, "minuteman", seat) }); h != nil {
			r.place("minuteman", seat, h, r.below(2))
		}
		for range r.below(14/(r.seats-1)) * refBit(!few) {
			if h := somewhere(func(h *refHex) bool { return city(h) && r.room(h, "network", seat) }); h != nil && r.freeName("network", seat) != "" {
				r.hide(r.place("network", seat, h, r.below(2)))
			}
			if h := somewhere(func(h *refHex) bool { return r.room(h, "minuteman", seat) }); h != nil && r.freeName("minuteman", seat) != "" {
				r.hide(r.place("minuteman", seat, h, r.below(2)))
			}
		}
		for range r.below(8/(r.seats-1)) * refBit(!few) {
			if h := somewhere(func(h *refHex) bool { return r.room(h, "militia", seat) }); h != nil {
				piles := r.militiaPiles(seat)
				if h.country != "US" {
					piles = []string{refAbroadMilitia(h.country)}
				}
				r.putCounter(h, seat, piles...)
			}
		}
	}
}

func (r *refGame) hide(u *refUnit) { u.underground = r.chance(25) && r.mayHide(u) }

func (r *refGame) enrichGovernment(somewhere func(func(h *refHex) bool) *refHex) {
	if h := somewhere(func(h *refHex) bool { return r.room(h, "agent", r.gov) }); h != nil {
		r.place("agent", r.gov, h, r.below(2))
	}
	for range r.below(7) * (1 - refBit(r.chance(20))) {
		if h := somewhere(func(h *refHex) bool { return r.room(h, "cig", r.gov) }); h != nil && r.free("cig") > 0 {
			r.place("cig", r.gov, h, 1+r.below(6))
		}
		if h := somewhere(func(h *refHex) bool { return r.room(h, "agent", r.gov) }); h != nil {
			r.place("agent", r.gov, h, r.below(2))
		}
		for range 2 {
			if h := somewhere(func(h *refHex) bool { return r.room(h, "army", r.gov) }); h != nil {
				u := r.putCounter(h, r.gov, refDivisions...)
				u.pinned = r.chance(30)
			}
		}
	}
	if !r.on("canada_mexico") {
		return
	}
	for _, country := range []string{"Canada", "Mexico"} {
		for range r.below(5) {
			h := r.hexes[r.below(len(r.hexes))]
			owner := r.gov
			if r.abroadRebel[country] {
				owner = r.rebels()[0]
			}
			if h.country == country && r.room(h, "army", owner) {
				r.putCounter(h, owner, refBrigade(country))
			}
		}
		us := func(u *refUnit) bool {
			return r.isG(u) && u.hex.country == country &&
				(u.kind == "cig" || u.kind == "agent" && !r.abroadBuilt[country] || slices.Contains(refDivisions, u.group))
		}
		for _, u := range r.where(us) { // they would have turned the Brigades
			if !r.abroadRebel[country] {
				r.eliminate(u)
			}
		}
	}
}

// putCounter places a random counter of some piles, tried or not.
func (r *refGame) putCounter(h *refHex, owner int, groups ...string) *refUnit {
	var all []refDrawn
	for _, g := range groups {
		for _, c := range r.piles[g] {
			all = append(all, refDrawn{g, c})
		}
	}
	if len(all) == 0 {
		return &refUnit{}
	}
	d := all[r.below(len(all))]
	r.piles[d.group] = refMinus(r.piles[d.group], []string{d.counter})
	u := r.placeCounter(d.group, d.counter, owner, h)
	if r.chance(50) {
		r.reveal(u)
	}
	return u
}

// document is the situation as a JSON position.
func (r *refGame) document() []byte {
	doc := r.facts()
	delete(doc, "hand_sizes")
	delete(doc, "foreign")
	var units []map[string]any
	for _, u := range r.all() {
		x := map[string]any{"unit": u.name, "hex": u.hex.id}
		if u.counter == "" {
			x["step"] = u.step
		} else {
			x["counter"] = u.counter
		}
		var marks []string
		for mark, on := range map[string]bool{
			"untried": u.untried, "underground": u.underground, "pinned": u.pinned, "front_line": u.frontLine, "rebel_held": u.kind == "army" &&
				u.owner != r.gov,
		} {
			if on {
				marks = append(marks, mark)
			}
		}
		if u.untried {
			x["can_be"] = slices.Sorted(maps.Keys(u.canBe))
		}
		if marks != nil {
			slices.Sort(marks)
			x["marks"] = marks
		}
		units = append(units, x)
	}
	doc["units"] = units
	players := r.playersDocument()
	if r.federalized >= 0 {
		players["federalized_turn"] = r.fedTurn
	}
	doc["players"] = players
	text, err := json.Marshal(doc)
	if err != nil {
		r.fail("%v", err)
	}
	return text
}

// TestAgreesWithReferenceInCrowds plays on from crowded situations beside the slow reference.
func TestAgreesWithReferenceInCrowds(t *testing.T) {
	data := readRefData(t)
	reach := map[string]int{}
	decisions := 0
	for i, text := range refGames() {
		t.Run(fmt.Sprint(i, " ", text), func(t *testing.T) {
			for round := range soak.Times(2) {
				r := newRefGame(t, data, text, uint64(1000*round+i))
				r.limit = 60
				if soak.On() {
					r.limit = 250
				}
				if round%3 == 2 {
					r.choose = refScripted(r.engine, 30, r.choose)
				}
				r.enrich()
				r.run()
				decisions += r.decisions
				for k, n := range r.tally {
					reach[k] += n
				}
			}
		})
	}
	refReport(t, decisions, reach)
}
