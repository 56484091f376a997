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

// leave notes that a unit of the loser is no longer where it was.
func (a *refAttack) leave(r *refGame, u *refUnit) {
	if u.kind != "informer" {
		a.vacated = append(a.vacated, u.hex)
	}
	if r.isG(u) && (u.kind == "army" || u.kind == "cig") {
		a.bared = append(a.bared, u.hex)
	}
}

func (r *refGame) lose(a *refAttack, u *refUnit) {
	if u.hex == nil {
		return
	}
	a.leave(r, u)
	r.eliminate(u)
}

// lowest reports whether a unit shows its lowest side.
func (u *refUnit) lowest() bool { return u.step == 0 || u.kind == "cig" && u.step == 1 }

// loseStep is D47 (R10.11).
func (r *refGame) loseStep(a *refAttack, units []*refUnit, attackers bool) {
	above := slices.DeleteFunc(slices.Clone(units), func(u *refUnit) bool { return u.lowest() })
	if len(above) == 0 {
		above = units
	}
	seat := a.seat
	if !attackers {
		if seat = r.gov; a.victim != r.gov {
			seat = r.most(a, a.foes(r, a.target))
		}
	}
	u := r.pick(seat, "D47", r.byArrival(above))
	r.did(fmt.Sprintf("R10.11 step of %s, lowest %v", u.kind, u.lowest()))
	if u.lowest() {
		r.lose(a, u)
	} else {
		u.step--
	}
}

// byArrival puts units in order of hexes and arrival, Informers last.
func (r *refGame) byArrival(units []*refUnit) (list []*refUnit) {
	for _, u := range r.all() {
		if slices.Contains(units, u) {
			list = append(list, u)
		}
	}
	for _, u := range units {
		if u.kind == "informer" {
			list = append(list, u)
		}
	}
	return list
}

// retreat is R11.1 and R11.2.
func (r *refGame) retreat(a *refAttack, units []*refUnit) {
	units = slices.DeleteFunc(units, func(u *refUnit) bool { return u.hex == nil })
	order := r.byArrival(units)
	rank := map[*refUnit]int{}
	for _, u := range order {
		rank[u] = 100*slices.Index(r.hexes, u.hex) + slices.Index(r.data.classes, r.token(u))
	}
	slices.SortStableFunc(order, func(x, y *refUnit) int { return rank[x] - rank[y] })
	for _, u := range order {
		if u.kind == "network" || u.kind == "cig" || u.kind == "informer" || u.underground {
			r.did("R11.1 cannot retreat")
			r.lose(a, u)
			continue
		}
		r.retreatOne(a, u)
	}
}

func (r *refGame) retreatOne(a *refAttack, u *refUnit) {
	classes := [3][]*refHex{}
	var zones []*refHex
	for _, n := range r.hexes {
		if n == u.hex || !u.hex.near(n) || !r.mayEnter(u, n) || !r.room(n, u.kind, u.owner) {
			continue
		}
		free := !r.controlled(n, u.owner, u.hex) || a.kind != "INFILTRATION" && r.sheltered(n, u.owner)
		switch {
		case !free:
			zones = append(zones, n)
		case n.vacant():
			classes[0] = append(classes[0], n)
		case n.has(func(x *refUnit) bool { return !r.enemies(x.owner, u.owner) }):
			classes[1] = append(classes[1], n)
		default:
			classes[2] = append(classes[2], n)
		}
	}
	for i, hexes := range classes {
		if len(hexes) > 0 {
			to := r.pickPlace(u.owner, "D48", hexes)
			r.did(fmt.Sprintf("R11.2 %s class %d", u.kind, i+1))
			a.leave(r, u)
			r.move(u, to)
			return
		}
	}
	if u.kind == "minuteman" && r.rev == 0 && len(zones) > 0 {
		if to := r.pickPlace(u.owner, "D49", zones, "DONE"); to != nil && r.travel(u, r.price(to, u.owner)) == "none" {
			r.did("R11.3 into a Zone")
			a.leave(r, u)
			r.move(u, to)
			return
		}
	}
	r.did("R11.2 no hex for " + u.kind)
	r.lose(a, u)
}

// console is R25.8: what a ruthless attack that failed gives the Rebel.
func (r *refGame) console(a *refAttack) {
	if !a.ruthless || !slices.ContainsFunc(a.defenders, func(u *refUnit) bool { return u.hex != nil && r.isR(u) }) {
		return
	}
	seat := r.rebels()[0]
	for _, kind := range []string{"network", "minuteman"} {
		hexes := r.hexesWhere(func(h *refHex) bool {
			return h.pop == 1 && r.rear(h) && refDistance(h, a.target) <= 2 && r.freeName(kind, seat) != "" && r.room(h, kind, seat)
		})
		if len(hexes) > 0 {
			r.place(kind, seat, r.pickPlace(seat, "D14b", hexes), 0)
			r.did("R25.8 " + kind)
		}
	}
}

// advance is R11.4.
func (r *refGame) advance(a *refAttack, winners []*refUnit) {
	var open []*refHex
	for _, h := range r.hexes {
		if slices.Contains(a.vacated, h) && h.vacant() {
			open = append(open, h)
		}
	}
	if len(open) == 0 {
		return
	}
	var owners []int
	for seat := range r.seats {
		if seat != a.seat {
			owners = append(owners, seat)
		}
	}
	for _, seat := range append([]int{a.seat}, owners...) {
		r.advanceOf(winners, open, seat)
	}
}

// advanceOf is D50 for one owner.
func (r *refGame) advanceOf(winners []*refUnit, open []*refHex, seat int) {
	lastHex, lastClass := "", -1
	for {
		goals := func(u *refUnit) (list []*refHex) {
			for _, h := range open {
				if h != u.hex && u.hex.near(h) && r.mayEnter(u, h) && r.room(h, u.kind, u.owner) {
					list = append(list, h)
				}
			}
			return list
		}
		units := r.where(func(u *refUnit) bool {
			if u.owner != seat || !slices.Contains(winners, u) || u.advanced || u.pinned || u.underground || u.kind == "network" || u.kind == "cig" || len(goals(u)) == 0 {
				return false
			}
			return u.hex.id > lastHex || u.hex.id == lastHex && r.tokens[r.token(u)] >= lastClass
		})
		if len(units) == 0 {
			return
		}
		h := r.pickHexOf(seat, "D50", units, "DONE")
		if h == nil {
			return
		}
		u := r.pickClass(seat, "D50", units, h)
		lastHex, lastClass = h.id, r.tokens[r.token(u)]
		to := r.pickPlace(seat, "D50", goals(u))
		r.did("R11.4 " + u.kind + " advances")
		r.move(u, to)
		u.advanced = true
	}
}

// die0 is the modified die of Subversion and Sedition.
func (r *refGame) modified(h *refHex) int {
	n := r.die("C9")
	if h.has(func(u *refUnit) bool { return u.kind == "agent" || u.kind == "cig" }) {
		return n - 1
	}
	return n
}

// subvert is R10.12.
func (r *refGame) subvert(a *refAttack) {
	army := a.target.where(func(u *refUnit) bool { return u.kind == "army" && r.isG(u) })[0]
	r.reveal(army)
	column := 0
	for _, u := range a.attackers {
		column += r.strength(u).Attack
	}
	column = min(column, 7)
	die := r.modified(a.target)
	result := r.data.tables.Subversion.Cells[fmt.Sprint(die)][column-1]
	r.did(fmt.Sprintf("subversion row %d column %d", die, column))
	harsh := r.is("partisan") || r.is("occupation")
	if result == "M" && harsh {
		result = "P"
	}
	switch {
	case result == "Ae":
		for _, u := range a.attackers {
			r.eliminate(u)
		}
	case result == "hAe":
		r.loseHalf(a)
	case result == "P" && army.pinned && harsh:
		r.did("R25.6 second Pin")
		r.eliminate(army)
	case result == "M" || result == "P" && army.pinned:
		r.turnArmy(army, a.seat)
	case result == "P":
		army.pinned = true
	}
}

// turnArmy turns a Division into Militia.
func (r *refGame) turnArmy(army *refUnit, seat int) {
	h := army.hex
	r.eliminate(army)
	r.did("R10.12 converted")
	if r.pileSize(r.militiaPiles(seat)...) > 0 && r.room(h, "militia", seat) {
		g, c := r.drawCounter("C7", r.militiaPiles(seat)...)
		r.placeCounter(g, c, seat, h)
	}
}

// loseHalf is D51.
func (r *refGame) loseHalf(a *refAttack) {
	lastHex, lastClass := "", -1
	gone := []*refUnit{}
	for left := len(a.attackers) / 2; left > 0; left-- {
		all := r.where(func(u *refUnit) bool { return slices.Contains(a.attackers, u) && !slices.Contains(gone, u) })
		key := func(u *refUnit) int {
			return 100*slices.Index(r.hexes, u.hex) + slices.Index(r.data.classes, r.token(u))
		}
		units := slices.DeleteFunc(slices.Clone(all), func(u *refUnit) bool {
			if u.hex.id < lastHex || u.hex.id == lastHex && r.tokens[r.token(u)] < lastClass {
				return true
			}
			behind := 0
			for _, x := range all {
				behind += refBit(key(x) >= key(u))
			}
			return behind < left
		})
		u := r.pick(a.seat, "D51", units)
		lastHex, lastClass = u.hex.id, r.tokens[r.token(u)]
		gone = append(gone, u)
		r.eliminate(u)
	}
	r.did("R10.12 half")
}

// sedition is R10.13.
func (r *refGame) sedition(a *refAttack) {
	column := 0
	for _, u := range a.attackers {
		column += r.strength(u).Attack
	}
	harsh := r.is("partisan") || r.is("occupation")
	column = min(column+refBit(harsh), 7)
	die := r.modified(a.target)
	result := r.data.tables.Sedition.Cells[fmt.Sprint(die)][column-1]
	r.did(fmt.Sprintf("sedition row %d column %d", die, column))
	switch {
	case result == "A1":
		r.loseStep(a, slices.Clone(a.attackers), true)
	case result == "R" || result == "U" && harsh:
		r.riotIn(a.target)
	case result == "U":
		r.unrestIn(a.target)
	}
}
