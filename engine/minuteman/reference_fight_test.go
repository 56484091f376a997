package minuteman_test

import (
	"fmt"
	"slices"
	"strings"
)

// defend finds who defends (R10.4, R20.6); false if nobody is left.
func (r *refGame) defend(a *refAttack) bool {
	foes := a.foes(r, a.target)
	add := func(test func(u *refUnit) bool) {
		for _, u := range foes {
			if test(u) {
				a.defenders = append(a.defenders, u)
			}
		}
	}
	switch {
	case a.kind == "INFILTRATION" && a.victim == r.gov:
		add(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" })
		if a.target.informer {
			a.defenders = append(a.defenders, r.informerOf(a.target))
		}
	case a.kind == "INFILTRATION":
		add(refKind("network"))
		r.defendingMinuteman(a)
	case a.victim == r.gov:
		add(refKind("army"))
		if r.rev > 0 {
			add(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" })
		} else {
			r.support(a, r.gov, foes, func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" })
		}
	case a.exposed || r.rev > 0:
		add(func(u *refUnit) bool { return refFighter(u) || u.kind == "network" })
		r.defendingMinuteman(a)
	default:
		add(refFighter)
		r.supportRebel(a, foes)
	}
	return len(a.defenders) > 0 || a.kind == "MILITARY" && a.victim != r.gov && r.riotHex(a.target)
}

// most is the owner of most units in the target among those who have a unit for which a
// test holds (R28.4, R-08, R-16); -1 for none.
func (r *refGame) most(a *refAttack, units []*refUnit) int {
	best, n := -1, 0
	for _, seat := range r.rebels() {
		own := len(a.target.where(func(u *refUnit) bool { return u.owner == seat }))
		if own > n && slices.ContainsFunc(units, func(u *refUnit) bool { return u.owner == seat }) {
			best, n = seat, own
		}
	}
	return best
}

// minutemenFor are those of the target that may defend.
func (r *refGame) minutemenFor(a *refAttack, foes []*refUnit) (list []*refUnit) {
	var all []*refUnit
	for _, u := range foes {
		if u.kind == "minuteman" && u.mayUse() {
			all = append(all, u)
		}
	}
	owner := r.most(a, all)
	for _, u := range all {
		if u.owner == owner {
			list = append(list, u)
		}
	}
	return list
}

// defendingMinuteman is D45.
func (r *refGame) defendingMinuteman(a *refAttack) {
	units := r.minutemenFor(a, a.foes(r, a.target))
	if len(units) == 0 {
		return
	}
	u := r.pickClass(units[0].owner, "D45", units, a.target)
	u.fought = true
	r.did("R10.4 minuteman defends")
	a.defenders = append(a.defenders, u)
}

// supportRebel is D46 for a Network and one Minuteman beside Militia.
func (r *refGame) supportRebel(a *refAttack, foes []*refUnit) {
	minutemen := r.minutemenFor(a, foes)
	r.support(a, r.most(a, foes), foes, func(u *refUnit) bool {
		return u.kind == "network" || slices.Contains(minutemen, u) && u.mayUse()
	})
}

// support is D46: one at a time, ascending.
func (r *refGame) support(a *refAttack, seat int, foes []*refUnit, may func(u *refUnit) bool) {
	last := -1
	for {
		of := map[string]*refUnit{}
		options := []string{"DONE"}
		for _, u := range foes {
			class := r.token(u)
			if may(u) && !slices.Contains(a.defenders, u) && of[class] == nil && r.tokens[class] >= last {
				of[class] = u
				options = append(options, class)
			}
		}
		answer := r.ask(seat, "D46", options...)
		if answer == "DONE" {
			return
		}
		u := of[answer]
		if u.kind == "minuteman" {
			u.fought = true
			for _, x := range foes { // only one of the hex
				if x != u && x.kind == "minuteman" {
					of[r.token(x)] = nil
				}
			}
		}
		last = r.tokens[answer]
		a.half[u] = true
		a.defenders = append(a.defenders, u)
	}
}

// attackStrength is R10.5, R10.6 and R20.6.
func (r *refGame) attackStrength(a *refAttack) int {
	total := 0
	for _, h := range r.hexes {
		full, half := 0, 0
		for _, u := range a.attackers {
			if u.hex != h {
				continue
			}
			n := r.strength(u).Attack
			switch {
			case u.kind == "militia" && (r.rev > 0 || r.is("partisan")) && h.has(func(x *refUnit) bool { return refCivil(x) && !r.enemies(x.owner, u.owner) }):
				full += 2 * n
				r.did("R20.6 doubled")
			case refFighter(u) && u.kind == "army" && a.ruthless && r.isG(u):
				full += 2 * n
			case a.kind == "MILITARY" && !refFighter(u) && r.rev == 0:
				half += n
			default:
				full += n
			}
		}
		total += full + half/2
	}
	rebels := slices.ContainsFunc(a.defenders, r.isR)
	if a.seat == r.gov && a.target.informer && rebels {
		total *= 2
		r.did("R10.6 informer")
	}
	if a.betrayed {
		total *= 2
	}
	return total
}

// defenceStrength is R10.4.
func (r *refGame) defenceStrength(a *refAttack) int {
	full, half := 0, 0
	for _, u := range a.defenders {
		n := r.strength(u).Defense
		if u.underground {
			n *= 2
		}
		if a.half[u] {
			half += n
		} else {
			full += n
		}
	}
	if a.kind == "MILITARY" && a.victim != r.gov && r.riotHex(a.target) {
		switch {
		case r.is("partisan"):
			full += 6
		case r.is("occupation"):
			full += 5
		case r.rev > 0:
			full += 3
		default:
			full += 2
		}
	}
	return full + half/2
}

// odds is R10.9 as a number: 0 for 1-1, 1 for 2-1, -1 for 1-2.
func refOdds(attack, defence int) int {
	switch {
	case attack == 0:
		return -1000
	case defence == 0:
		return 1000
	case attack >= defence:
		return attack/defence - 1
	}
	return 1 - (defence+attack-1)/attack
}

// refOddsColumn is the column of a table whose headings are given.
func refOddsColumn(headings []string, odds int) int {
	var a, b int
	fmt.Sscanf(headings[0], "%d-%d", &a, &b)
	return min(max(odds-refOdds(a, b), 0), len(headings)-1)
}

var refInfiltrationOdds = []string{"1-2", "1-1", "2-1", "3-1", "4-1", "5-1"}

// column is that of the Military or Infiltration table.
func (r *refGame) column(a *refAttack, odds int) int {
	if a.kind == "INFILTRATION" {
		return refOddsColumn(refInfiltrationOdds, odds)
	}
	ground := a.target.terrain
	if a.target.pop == 1 {
		ground = "pop1"
	}
	for _, line := range r.data.tables.Military.Lines {
		in := line.Rebel
		if a.victim == r.gov {
			in = line.Government
		}
		if slices.Contains(in, ground) {
			return refOddsColumn(line.Odds, odds)
		}
	}
	panic("no line for " + ground)
}

// fight resolves Military combat and Infiltration (R10.8 to R10.11).
func (r *refGame) fight(a *refAttack) {
	for _, u := range append(slices.Clone(a.attackers), a.defenders...) {
		r.reveal(u)
	}
	odds := refOdds(r.attackStrength(a), r.defenceStrength(a))
	column := r.column(a, odds)
	die := r.die("C9")
	table := r.data.tables.Military
	if a.kind == "INFILTRATION" {
		table = r.data.tables.Infil
	}
	result := table.Cells[fmt.Sprint(die)][column]
	r.did(fmt.Sprintf("%s row %d column %d", strings.ToLower(a.kind), die, column+1))
	army := slices.ContainsFunc(a.attackers, func(u *refUnit) bool { return u.kind == "army" && r.isG(u) })
	if result == "Ae" && a.kind == "MILITARY" && army && !slices.ContainsFunc(a.defenders, refFighter) && !r.is("partisan") && !r.is("occupation") {
		result = "Ar"
		r.did("R10.10 Ae is Ar")
	}
	if result == "none" {
		r.console(a)
		return
	}
	attackerLoses := result[0] == 'A'
	losers := r.sufferers(a, attackerLoses)
	if !attackerLoses && a.kind == "MILITARY" && a.victim != r.gov && a.target.riot {
		a.target.riot = false
		r.did("R10.10 riot removed")
	}
	switch result[1] {
	case 'e':
		for _, u := range losers {
			r.lose(a, u)
		}
	case '1':
		r.loseStep(a, losers, attackerLoses)
		r.retreat(a, losers)
	case 'r':
		r.retreat(a, losers)
	}
	for _, h := range a.bared {
		r.exposed(h)
	}
	winners := a.attackers
	if attackerLoses {
		winners = r.sufferers(a, false) // all of a hex take part (R20.6)
	}
	r.advance(a, winners)
	r.console(a)
}

// sufferers are those who suffer a result: all who take part, and after the Revolution
// all of the side in a hex of its Army or Militia (R20.6).
func (r *refGame) sufferers(a *refAttack, attackers bool) []*refUnit {
	units := slices.Clone(a.defenders)
	if attackers {
		units = slices.Clone(a.attackers)
	}
	if r.rev == 0 || a.kind != "MILITARY" {
		return units
	}
	for _, u := range slices.Clone(units) {
		if !refFighter(u) {
			continue
		}
		for _, x := range u.hex.units {
			if slices.Contains(units, x) || r.isG(x) != r.isG(u) || !attackers && x.advanced {
				continue
			}
			if attackers && !r.sameSide(a, x) || !attackers && !slices.Contains(a.foes(r, u.hex), x) {
				continue
			}
			r.did("R20.6 suffers")
			units = append(units, x)
		}
	}
	return units
}
