package minuteman_test

import (
	"fmt"
	"slices"
)

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

// retreat is R11.1 and R11.2. An Informer is a marker and no unit (R1.3): it goes like the
// Riot, before the units retreat.
func (r *refGame) retreat(a *refAttack, units []*refUnit) {
	for _, u := range units {
		if u.kind == "informer" && u.hex != nil {
			r.did("R11.1 informer")
			r.lose(a, u)
		}
	}
	units = slices.DeleteFunc(units, func(u *refUnit) bool { return u.hex == nil })
	order := r.byArrival(units)
	rank := map[*refUnit]int{}
	for _, u := range order {
		rank[u] = 100*slices.Index(r.hexes, u.hex) + slices.Index(r.data.classes, r.token(u))
	}
	slices.SortStableFunc(order, func(x, y *refUnit) int { return rank[x] - rank[y] })
	for _, u := range order {
		if u.kind == "network" || u.kind == "cig" || u.underground {
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
			if u.owner != seat || !slices.Contains(winners, u) || u.kind == "network" || u.kind == "cig" {
				return false
			}
			if u.advanced || u.pinned || u.underground || len(goals(u)) == 0 {
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
