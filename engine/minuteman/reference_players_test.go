package minuteman_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// role is what a seat plays.
func (r *refGame) role(seat int) string {
	switch {
	case seat == r.gov:
		return "government"
	case r.out[seat]:
		return "out"
	case seat == r.federalized:
		return "federalized"
	}
	return "rebel"
}

// serving reports whether a federalized Rebel has his phases behind the Government's:
// from the Game-Turn after his first joint attack.
func (r *refGame) serving() bool { return r.federalized >= 0 && r.fedTurn < r.turn }

// partners are those who may add units to an attack (R28.3, R28.6, R28.7).
func (r *refGame) partners(a *refAttack) (list []int) {
	if a.seat == r.gov {
		for _, seat := range []int{r.pact, r.federalized} {
			if seat >= 0 && !r.out[seat] && r.fightsOther(a, seat) && a.kind != "SEDITION" {
				list = append(list, seat)
			}
		}
		return list
	}
	joint := r.rev > 0 && a.kind != "SUBVERSION" || a.victim >= 0 && a.victim == r.federalized
	if !joint || a.seat == r.federalized {
		return nil
	}
	for _, seat := range r.freeRebels() {
		if seat != a.seat && seat != a.victim {
			list = append(list, seat)
		}
	}
	return list
}

// fightsOther reports whether an attack of the Government would be one on another Rebel
// than seat, without the units of seat and the Riot (R28.6).
func (r *refGame) fightsOther(a *refAttack, seat int) bool {
	exposed := a.kind == "MILITARY" && r.exposes(a.target)
	return slices.ContainsFunc(a.foes(r, a.target), func(u *refUnit) bool {
		return u.owner != seat && (exposed || refFighter(u) == (a.kind == "MILITARY"))
	})
}

// federalize is R28.6: with the first unit that he adds.
func (r *refGame) federalize(seat int) {
	r.federalized, r.fedTurn, r.pact = seat, r.turn, -1
	r.did("R28.6 federalized")
}

// leaveFederation is D83, before a Game-Turn.
func (r *refGame) leaveFederation() {
	if r.federalized < 0 {
		return
	}
	if r.ask(r.federalized, "D83", "UNFEDERALIZE", "DONE") == "UNFEDERALIZE" {
		r.federalized = -1
		r.fedTurn = 0
		r.did("R28.6 left")
	}
}

// negotiate is R28.5.
func (r *refGame) negotiate() {
	r.truces, r.targets, r.pact = nil, nil, -1
	for seat := range r.seats {
		if r.out[seat] {
			continue
		}
		to := map[string][]int{}
		for other := range r.seats {
			if other == seat || r.out[other] || !r.mayPropose(seat, other) {
				continue
			}
			to["PROPOSE_TRUCE"] = append(to["PROPOSE_TRUCE"], other)
			if other != r.gov {
				to["PROPOSE_TARGET"] = append(to["PROPOSE_TARGET"], other)
			}
			if seat != r.gov && other != r.gov && r.canRevolt(seat) {
				to["PROPOSE_JOINT_REVOLUTION"] = append(to["PROPOSE_JOINT_REVOLUTION"], other)
			}
			if r.seats == 4 && r.federalized < 0 && r.pact < 0 && (seat == r.gov || other == r.gov) {
				to["PROPOSE_FEDERALIZE"] = append(to["PROPOSE_FEDERALIZE"], other)
			}
		}
		options := []string{"DONE"}
		for verb := range to {
			options = append(options, verb)
		}
		verb := r.ask(seat, "D81", options...)
		if verb == "DONE" {
			continue
		}
		other := r.pickPlayer(seat, "D81", to[verb])
		if verb == "PROPOSE_TARGET" {
			r.targets = append(r.targets, [2]int{seat, other})
			continue
		}
		if r.ask(other, "D82", "ACCEPT", "REJECT") == "REJECT" {
			continue
		}
		r.did("R28.5 accepted " + verb)
		switch verb {
		case "PROPOSE_TRUCE":
			r.truces = append(r.truces, [2]int{seat, other})
		case "PROPOSE_JOINT_REVOLUTION":
			r.revolt()
		case "PROPOSE_FEDERALIZE":
			r.pact = seat + other - r.gov
		}
	}
}

// mayPropose is R28.6: a federalized Rebel sends and gets no proposals from Rebels.
func (r *refGame) mayPropose(seat, other int) bool {
	return seat != r.federalized && other != r.federalized || seat == r.gov || other == r.gov
}

func (r *refGame) pickPlayer(seat int, question string, seats []int) int {
	var names []string
	for _, s := range seats {
		names = append(names, refPlayer(s))
	}
	return slices.Index([]string{"P0_GOVERNMENT", "P1", "P2", "P3"}, r.ask(seat, question, names...))
}

// unitsOf are the units of a seat.
func (r *refGame) unitsOf(seat int) []*refUnit {
	return r.where(func(u *refUnit) bool { return u.owner == seat })
}

// checkPlayers is R28.8 and the ends of R28.9 that come at once.
func (r *refGame) checkPlayers() {
	for seat := range r.seats {
		if seat != r.gov && !r.out[seat] && len(r.unitsOf(seat)) == 0 {
			r.did("R28.8 out")
			r.out[seat] = true
			if seat == r.federalized {
				r.federalized, r.fedTurn = -1, 0
			}
			if seat == r.pact {
				r.pact = -1
			}
		}
	}
	if len(r.unitsOf(r.gov)) == 0 {
		r.succeed()
	}
	if len(r.freeRebels()) == 0 {
		r.endMany(3, "elimination", r.winnersWithGovernment()...)
	}
}

func (r *refGame) winnersWithGovernment() []int {
	list := []int{r.gov}
	if r.federalized >= 0 {
		list = append(list, r.federalized)
	}
	slices.Sort(list)
	return list
}

// succeed is R28.8: the Rebel with most Networks becomes the Government.
func (r *refGame) succeed() {
	best, most := []int{}, -1
	for _, seat := range r.rebels() {
		if r.out[seat] {
			continue
		}
		n := len(r.where(func(u *refUnit) bool { return u.kind == "network" && u.owner == seat }))
		if n > most {
			best, most = nil, n
		}
		if n == most {
			best = append(best, seat)
		}
	}
	if len(best) == 0 {
		return
	}
	heir := r.lot(best)
	r.did("R28.8 succession")
	r.out[r.gov] = true
	r.gov, r.firstGov = heir, false
	r.federalized, r.fedTurn, r.pact = -1, 0, -1 // that was with another Government
	r.rev = 0
	for i := range r.due {
		r.due[i] = 0
	}
	units := r.unitsOf(heir)
	slices.SortStableFunc(units, func(a, b *refUnit) int { return refBit(a.kind == "militia") - refBit(b.kind == "militia") })
	for _, u := range units {
		r.turnOver(u, heir)
	}
}

// turnOver makes a unit of the heir one of the Government.
func (r *refGame) turnOver(u *refUnit, heir int) {
	h := u.hex
	switch u.kind {
	case "militia":
		u.lift()
		r.piles[u.group] = append(r.piles[u.group], u.counter)
		u.hex = nil
		if r.pileSize(refDivisions...) > 0 && r.room(h, "army", heir) {
			g, c := r.drawCounter("C1", refDivisions...)
			r.placeCounter(g, c, heir, h)
		}
	case "minuteman":
		r.eliminate(u)
		if r.freeName("agent", heir) != "" && r.room(h, "agent", heir) {
			r.place("agent", heir, h, u.step)
		}
	case "network":
		r.eliminate(u)
		if r.freeName("cig", heir) != "" && r.room(h, "cig", heir) {
			r.place("cig", heir, h, 1+2*u.step)
		}
	}
}

// endMany ends a game of several players (R28.9, R28.11).
func (r *refGame) endMany(level int, by string, winners ...int) {
	if r.foreign.called && slices.Contains(winners, r.foreign.seat) {
		if level--; level == 0 {
			winners = nil
		}
	}
	r.end(level, by, winners...)
}

// countMany is R28.9.
func (r *refGame) countMany() {
	if r.firstGov {
		militia := len(r.where(func(u *refUnit) bool { return u.kind == "militia" && u.owner != r.federalized }))
		level := 1
		if r.divisions() > militia {
			level = 2
		}
		r.endMany(level, "count", r.winnersWithGovernment()...)
	}
	own, others := 0, 0
	for _, u := range r.all() {
		switch {
		case u.group == "foreign" || u.owner == r.federalized:
		case r.isG(u):
			own++
		default:
			others++
		}
	}
	level := 1
	if own > others {
		level = 2
	}
	r.endMany(level, "count", r.winnersWithGovernment()...)
}

// compareResult compares the result in the engine's position.
func (r *refGame) compareResult() {
	r.t.Helper()
	text, err := r.fast.MarshalJSON()
	if err != nil {
		r.fail("%v", err)
	}
	var doc struct {
		Result struct {
			Level   int
			By      string
			Winners []int
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		r.fail("%v", err)
	}
	got, want := doc.Result, r.result
	if got.Level != want.level || got.By != want.by || fmt.Sprint(got.Winners) != fmt.Sprint(want.winners) {
		r.fail("the result is %+v, want %+v", got, *want)
	}
}

// refGames are the games that are compared: every scenario, every alternative set-up,
// every option, three and four players.
func refGames() []string {
	plain := []string{
		"", "government=unprepared", "government=prepared", "rebel=uncoordinated", "rebel=organized",
		"government=prepared,rebel=organized", "government=unprepared,rebel=uncoordinated",
		"canada_mexico=true", "foreign_intervention=true",
		"canada_mexico=true,foreign_intervention=true,air_assault=true,amphibious_assault=true,elite_units=true",
		"scenario=partisan", "scenario=partisan,elite_units=true",
		"scenario=occupation", "scenario=occupation,foreign_intervention=true,air_assault=true,amphibious_assault=true,elite_units=true",
		"scenario=civil_war", "scenario=civil_war,canada_mexico=true,foreign_intervention=true,air_assault=true,amphibious_assault=true,elite_units=true",
		"players=3", "players=3,dispersed=true,foreign_intervention=true",
		"players=4", "players=4,dispersed=true", "players=4,foreign_intervention=true,air_assault=true,amphibious_assault=true",
	}
	for i, options := range plain {
		plain[i] = strings.TrimSuffix("minuteman("+options+")", "()")
	}
	return plain
}
