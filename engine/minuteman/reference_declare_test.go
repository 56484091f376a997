package minuteman_test

import (
	"fmt"
	"slices"
)

// refAttack is one attack, from its verb to its end.
type refAttack struct {
	kind      string // MILITARY, INFILTRATION, SUBVERSION, SEDITION
	seat      int    // who declares it
	victim    int    // whose units are attacked; -1 for those of all Rebels, by the Government
	target    *refHex
	attackers []*refUnit
	defenders []*refUnit
	half      map[*refUnit]bool // defenders of D46, who bring half
	exposed   bool              // R10.4: a Riot or Informer when it was declared
	ruthless  bool
	betrayed  bool
	vacated   []*refHex // hexes that units of the loser left or were lost in
	bared     []*refHex // hexes that a CIG or Army of the Government left (R20.8)
}

// attacked are the units of a hex that may be hit: R10.1.
func (a *refAttack) foes(r *refGame, h *refHex) []*refUnit {
	return h.where(func(u *refUnit) bool {
		if u.advanced {
			return false
		}
		if a.victim >= 0 {
			return u.owner == a.victim
		}
		return r.isR(u) && u.owner != r.federalized
	})
}

func refFighter(u *refUnit) bool { return u.kind == "militia" || u.kind == "army" }

func refCivil(u *refUnit) bool { return u.kind == "network" || u.kind == "minuteman" }

// exposes reports whether a hex is one with a Riot or an Informer (R10.4, R20.7).
func (r *refGame) exposes(h *refHex) bool { return r.riotHex(h) || h.informer }

// riotHex is true of a Riot marker and, after the Revolution, of a Network.
func (r *refGame) riotHex(h *refHex) bool { return h.riot || r.rev > 0 && h.net() != nil }

// isTarget is R10.3 and R20.7 for the attack's kind, seat and victim.
func (a *refAttack) isTarget(r *refGame, h *refHex) bool {
	if !r.playable(h) {
		return false
	}
	foes := a.foes(r, h)
	has := func(test func(u *refUnit) bool) bool { return slices.ContainsFunc(foes, test) }
	switch a.kind {
	case "SEDITION":
		return h.pop == 1 && !h.riot && (r.rev == 0 || h.net() == nil) && r.rear(h)
	case "SUBVERSION":
		return r.rev == 0 && has(func(u *refUnit) bool {
			return u.kind == "army" && !(r.on("elite_units") && (u.group == "airborne" || u.group == "marine"))
		})
	case "INFILTRATION":
		if a.victim == r.gov {
			return has(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" }) || h.informer
		}
		return has(refCivil)
	}
	if a.victim == r.gov {
		return has(refKind("army"))
	}
	if a.seat == r.gov && r.riotHex(h) && (h.riot || len(foes) > 0) {
		return true
	}
	return has(refFighter) || r.exposes(h) && len(foes) > 0
}

// marked is the Minuteman of a hex that has used its strength (R10.2), nil for none.
func (h *refHex) marked() *refUnit {
	for _, u := range h.units {
		if u.kind == "minuteman" && u.fought {
			return u
		}
	}
	return nil
}

// mayUse is R10.2 for one Minuteman.
func (u *refUnit) mayUse() bool { return u.hex.marked() == nil || u.fought }

// hasMinutemanOf reports whether a Minuteman of a hex is among the attackers.
func (a *refAttack) hasMinutemanOf(h *refHex) bool {
	return slices.ContainsFunc(a.attackers, func(u *refUnit) bool { return u.hex == h && u.kind == "minuteman" })
}

// fighterBeside reports whether a Militia or Army that stands with a unit is among the
// attackers: one of the same side, since those who pool support each other (R10.5, R28.3).
func (a *refAttack) fighterBeside(r *refGame, u *refUnit) bool {
	return slices.ContainsFunc(a.attackers, func(x *refUnit) bool {
		ally := a.seat == r.gov && r.isG(x) && r.isR(u) && r.rev == 0 // a partner of the Government supports its Army
		return x.hex == u.hex && refFighter(x) && (x.owner == u.owner || ally || r.isR(x) && r.isR(u))
	})
}

// may reports whether a unit of a seat may be chosen for the attack as it stands (R10.3,
// R10.5, R10.15, R20.7).
func (a *refAttack) may(r *refGame, u *refUnit, seat int) bool {
	if u.owner != seat || u.attacked || u.advanced || u.underground || !u.hex.near(a.target) {
		return false
	}
	if u.kind == "minuteman" && (!u.mayUse() || a.hasMinutemanOf(u.hex)) {
		return false
	}
	switch a.kind {
	case "SUBVERSION", "SEDITION":
		return u.kind == "minuteman"
	case "INFILTRATION":
		return refCivil(u) || u.kind == "agent" || u.kind == "cig"
	}
	switch u.kind {
	case "army":
		if u.owner == r.gov && u.home() != "" && a.target.country != u.home() {
			return false
		}
		return !u.pinned && !u.rail
	case "militia":
		return true
	case "network", "cig":
		return a.fighterBeside(r, u) == (r.rev == 0)
	}
	return r.rev == 0 && a.fighterBeside(r, u)
}

// refRank is the order of D42 within a hex (R10.15).
func refRank(u *refUnit) int {
	return map[string]int{"militia": 0, "army": 0, "network": 1, "minuteman": 2, "cig": 3, "agent": 4}[u.kind]
}

// candidates are the units that a seat may add behind the last one that it added.
func (a *refAttack) candidates(r *refGame, seat int, last *refUnit, lastToken int) []*refUnit {
	return r.where(func(u *refUnit) bool {
		if slices.Contains(a.attackers, u) || !a.may(r, u, seat) {
			return false
		}
		if last == nil || u.hex.id != last.hex.id {
			return last == nil || u.hex.id > last.hex.id
		}
		if refRank(u) != refRank(last) {
			return refRank(u) > refRank(last)
		}
		return r.tokens[r.token(u)] >= lastToken
	})
}

// targetHexes are the hexes that a seat can attack in a way, with those whom it can attack there.
func (r *refGame) targetHexes(seat int, kind string) map[*refHex][]int {
	found := map[*refHex][]int{}
	victims := []int{-1}
	if seat != r.gov {
		victims = nil
		for v := range r.seats {
			if r.mayFight(seat, v, kind) {
				victims = append(victims, v)
			}
		}
	}
	for _, h := range r.hexes {
		for _, v := range victims {
			a := &refAttack{kind: kind, seat: seat, victim: v, target: h}
			if a.isTarget(r, h) && len(a.candidates(r, seat, nil, 0)) > 0 {
				found[h] = append(found[h], v)
			}
		}
	}
	return found
}

// mayFight reports whether a Rebel may attack the units of a seat in a way (R28.3, R28.6).
func (r *refGame) mayFight(seat, victim int, kind string) bool {
	switch {
	case victim == seat:
		return false
	case victim == r.gov:
		return seat != r.federalized
	case kind == "SUBVERSION" || kind == "SEDITION":
		return false
	}
	return r.rev == 0 || r.enemies(seat, victim)
}

// phaseA4 is the Combat Phase of the Rebels.
func (r *refGame) phaseA4() {
	for _, seat := range r.order {
		if !r.out[seat] && seat != r.federalized && seat != r.gov {
			r.attacks(seat)
		}
	}
}

// phaseG4 is that of the Government, and of a federalized Rebel.
func (r *refGame) phaseG4() {
	r.attacks(r.gov)
	if r.serving() {
		r.attacks(r.federalized)
	}
}

// attacks is D40.
func (r *refGame) attacks(seat int) {
	for role := r.role(seat); ; {
		if role == "government" {
			seat = r.gov // there may be a new one
		}
		if r.role(seat) != role {
			return
		}
		options := r.withAssassinate(seat, "DONE")
		targets := map[string]map[*refHex][]int{}
		for _, kind := range []string{"MILITARY", "INFILTRATION", "SUBVERSION", "SEDITION"} {
			if seat == r.gov && (kind == "SUBVERSION" || kind == "SEDITION") {
				continue
			}
			if found := r.targetHexes(seat, kind); len(found) > 0 {
				targets["ATTACK_"+kind] = found
				options = append(options, "ATTACK_"+kind)
			}
		}
		answer := r.ask(seat, "D40", options...)
		switch answer {
		case "DONE":
			return
		case "ASSASSINATE":
			r.assassinate(seat)
			continue
		}
		var hexes []*refHex
		for _, h := range r.hexes {
			if targets[answer][h] != nil {
				hexes = append(hexes, h)
			}
		}
		a := &refAttack{kind: answer[len("ATTACK_"):], seat: seat, half: map[*refUnit]bool{}}
		a.target = r.pickPlace(seat, "D41", hexes)
		a.victim = -1
		if seat != r.gov {
			a.victim = r.pickVictim(seat, targets[answer][a.target])
		}
		r.did(fmt.Sprintf("attack %s by Government %v on Government %v, after the Revolution %v", a.kind, seat == r.gov, a.victim == r.gov, r.rev > 0))
		r.attack(a)
		r.checkEnd()
	}
}

// pickVictim names one of several players whose units stand in the target (R28.3).
func (r *refGame) pickVictim(seat int, victims []int) int {
	var names []string
	for _, v := range victims {
		names = append(names, refPlayer(v))
	}
	return slices.Index([]string{"P0_GOVERNMENT", "P1", "P2", "P3"}, r.ask(seat, "D41", names...))
}

// attack is R10.8: from D42 to the end of the attack.
func (r *refGame) attack(a *refAttack) {
	a.exposed, r.attacking = r.exposes(a.target), a
	r.commit(a, a.seat)
	for _, partner := range r.partners(a) {
		r.commit(a, partner)
	}
	r.joinUnasked(a)
	for _, u := range a.attackers {
		u.attacked = true
		if u.kind == "minuteman" {
			u.fought = true
		}
	}
	army := slices.ContainsFunc(a.attackers, func(u *refUnit) bool { return u.kind == "army" })
	if (r.is("partisan") || r.is("occupation")) && a.kind == "MILITARY" && a.seat == r.gov && army && r.riotHex(a.target) {
		a.ruthless = r.ask(a.seat, "D43", "YES", "NO") == "YES"
	}
	if a.kind == "MILITARY" || a.kind == "INFILTRATION" {
		r.betray(a)
	}
	r.react(r.reactors(a)...)
	a.attackers = slices.DeleteFunc(a.attackers, func(u *refUnit) bool { return u.hex == nil })
	if len(a.attackers) == 0 {
		r.did("R5 lapsed without attackers")
		return
	}
	switch a.kind {
	case "SUBVERSION":
		r.subvert(a)
	case "SEDITION":
		r.sedition(a)
	default:
		if !r.defend(a) {
			r.did("R5 lapsed without defenders")
			return
		}
		r.fight(a)
	}
}

// commit is D42 for one owner.
func (r *refGame) commit(a *refAttack, seat int) {
	var last *refUnit
	lastToken := 0
	for {
		units := a.candidates(r, seat, last, lastToken)
		var more []string
		if last != nil || seat != a.seat {
			more = []string{"DONE"}
		}
		if len(units) == 0 {
			return
		}
		h := r.pickHexOf(seat, "D42", units, more...)
		if h == nil {
			return
		}
		u := r.pickClass(seat, "D42", units, h)
		last, lastToken = u, r.tokens[r.token(u)]
		a.attackers = append(a.attackers, u)
		if seat != a.seat && a.seat == r.gov && r.federalized < 0 {
			r.federalize(seat)
		}
	}
}

// joinUnasked is R20.6 for attackers.
func (r *refGame) joinUnasked(a *refAttack) {
	if r.rev == 0 || a.kind != "MILITARY" {
		return
	}
	for _, h := range r.hexes {
		for _, u := range slices.Clone(h.units) {
			if u.attacked || u.advanced || slices.Contains(a.attackers, u) || !a.fighterBeside(r, u) || !r.sameSide(a, u) {
				continue
			}
			switch u.kind {
			case "agent", "cig", "network":
			case "minuteman":
				if !u.mayUse() || a.hasMinutemanOf(h) {
					continue
				}
			default:
				continue
			}
			r.did("R20.6 joins")
			a.attackers = append(a.attackers, u)
		}
	}
}

// sameSide reports whether a unit belongs to those who attack together.
func (r *refGame) sameSide(a *refAttack, u *refUnit) bool {
	switch {
	case r.isG(u):
		return a.seat == r.gov
	case a.seat == r.gov:
		return u.owner == r.federalized
	}
	return u.owner != a.victim && !r.enemies(u.owner, a.seat)
}

// betray is D44 and C10 (R10.7).
func (r *refGame) betray(a *refAttack) {
	n := r.amount(a.seat, "D44", 0, min(3, r.hands[a.seat]["betrayal"]))
	if n == 0 {
		return
	}
	a.betrayed = n == 3 || r.succeeds(n, r.die("C10"))
	r.give(a.seat, "betrayal", n)
	r.did(fmt.Sprintf("R10.7 %d markers, %v", n, a.betrayed))
}

// opponents are the Rebels who are not on the Government's side.
func (r *refGame) opponents() []int {
	return slices.DeleteFunc(r.rebels(), func(seat int) bool { return seat == r.federalized })
}

// reactors are those who are asked D31 (R28.10).
func (r *refGame) reactors(a *refAttack) []int {
	switch {
	case a.seat == r.gov:
		return r.opponents()
	case a.victim >= 0 && a.victim != r.gov:
		return []int{a.victim, r.gov}
	}
	return []int{r.gov}
}
