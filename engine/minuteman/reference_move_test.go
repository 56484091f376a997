package minuteman_test

import (
	"fmt"
	"slices"
)

// mayEnter is what bars a unit from a hex beside stacking: the map, borders (R29.2),
// the Front Line (R25.1) and the Militia of a federalized Rebel (R28.6).
func (r *refGame) mayEnter(u *refUnit, h *refHex) bool {
	switch {
	case !r.playable(h) || !r.rear(h):
		return false
	case u.home() != "" && r.on("canada_mexico") && !r.abroadRebel[u.home()] && h.country != u.home():
		return false
	case !r.govSide(u.owner) && h.has(func(x *refUnit) bool { return x.kind == "militia" && x.owner == r.federalized }):
		return false
	}
	return true
}

// terrainCost is R9.
func (r *refGame) terrainCost(h *refHex) int {
	switch {
	case h.terrain == "clear":
		return 1
	case h.winterCover() && r.winter():
		return 3
	}
	return 2
}

// refStand is how far a unit has come: a hex, and how many hexes abroad it has entered.
type refStand struct {
	h      *refHex
	abroad int
}

// reach are the hexes that a legal path of a unit on the ground ends in (R4.3, R8.4,
// R8.5, R17.2, R29.3), in ascending order; with anyOne at least one of them, if there is one.
func (r *refGame) reach(u *refUnit, anyOne bool) []*refHex {
	mp, terrain := 10, u.kind == "army" || u.kind == "militia"
	if u.kind == "militia" {
		mp = 8
	}
	limited := u.kind == "militia" && u.home() == "" && r.on("canada_mexico")
	flat := limited && u.hex.country != "US"
	if flat {
		mp = 2
	}
	left := map[refStand]int{{u.hex, 0}: mp}
	todo := []refStand{{u.hex, 0}}
	bound := r.controlled(u.hex, u.owner, nil)
	zone := map[*refHex]bool{}
	known := map[*refHex]bool{}
	inZone := func(h *refHex) bool {
		if !known[h] {
			known[h], zone[h] = true, r.controlled(h, u.owner, nil)
		}
		return zone[h]
	}
	for len(todo) > 0 && (!anyOne || len(left) == 1) {
		at := todo[0]
		todo = todo[1:]
		if at.h != u.hex && inZone(at.h) {
			continue
		}
		for _, n := range at.h.next() {
			if !r.mayEnter(u, n) || !r.room(n, u.kind, u.owner) || n == u.hex || at.h == u.hex && bound && inZone(n) {
				continue
			}
			cost, to := 1, refStand{n, at.abroad}
			switch {
			case flat:
			case limited && n.country != "US":
				if to.abroad++; to.abroad > 2 {
					continue
				}
			case terrain:
				cost = r.terrainCost(n)
			}
			rest := left[at] - cost
			if old, ok := left[to]; rest >= 0 && (!ok || rest > old) {
				left[to] = rest
				todo = append(todo, to)
			}
		}
	}
	var list []*refHex
	for _, h := range r.hexes {
		for k := range 3 {
			if _, ok := left[refStand{h, k}]; ok && h != u.hex {
				list = append(list, h)
				break
			}
		}
	}
	return list
}

// wander are the hexes that a Minuteman may try to come to before the Revolution (R8.3).
func (r *refGame) wander(u *refUnit) []*refHex {
	seen := map[*refHex]bool{u.hex: true}
	for todo := []*refHex{u.hex}; len(todo) > 0; {
		h := todo[0]
		todo = todo[1:]
		for _, n := range h.next() {
			if !seen[n] && r.mayEnter(u, n) {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return r.hexesWhere(func(h *refHex) bool { return seen[h] && h != u.hex && r.room(h, u.kind, u.owner) })
}

// price is what a Minuteman pays for entering a hex (R8.3, R25.9, R26.7).
func (r *refGame) price(h *refHex, seat int) int {
	table := &r.data.tables.Move
	cost := table.Costs
	switch {
	case r.is("partisan"):
		cost = table.Partisan
	case r.is("occupation"):
		cost = table.Occupation
	}
	n := cost.Other
	if h.has(refKind("agent")) {
		n = max(n, cost.Agent)
	}
	for _, x := range append(h.next(), h) {
		for _, u := range x.units {
			switch {
			case !r.enemies(u.owner, seat):
			case u.kind == "army":
				n = max(n, cost.Army)
			case u.kind == "cig":
				n = max(n, cost.CIG)
			}
		}
	}
	return n
}

// path is the way of a Minuteman: the cheapest, then the shortest, then the one with
// the lowest numbers (R8.3). The origin is not in it.
func (r *refGame) path(u *refUnit, to *refHex) (path []*refHex, price int) {
	type way struct{ cost, hexes int }
	prices := map[*refHex]int{}
	ways := map[*refHex]way{to: {}}
	entered := func(h *refHex) int {
		if _, ok := prices[h]; !ok {
			prices[h] = r.price(h, u.owner)
		}
		return prices[h]
	}
	for todo := []*refHex{to}; len(todo) > 0; {
		h := todo[0]
		todo = todo[1:]
		w := way{ways[h].cost + entered(h), ways[h].hexes + 1}
		for _, n := range h.next() {
			if n != u.hex && !r.mayEnter(u, n) {
				continue
			}
			old, ok := ways[n]
			if !ok || w.cost < old.cost || w.cost == old.cost && w.hexes < old.hexes {
				ways[n] = w
				todo = append(todo, n)
			}
		}
	}
	for at := u.hex; at != to; {
		var best *refHex
		for _, n := range at.next() {
			w, ok := ways[n]
			if ok && r.mayEnter(u, n) && w.cost+entered(n) == ways[at].cost && w.hexes+1 == ways[at].hexes && (best == nil || n.id < best.id) {
				best = n
			}
		}
		path = append(path, best)
		at = best
	}
	return path, ways[u.hex].cost
}

// travel casts the die of R8.3 for a price and returns what becomes of the Minuteman.
func (r *refGame) travel(u *refUnit, price int) string {
	table := &r.data.tables.Move
	column := refColumn(table.Columns, price)
	if column == 0 {
		r.did("R8.3 no roll")
		return "none"
	}
	shown := r.amount(u.owner, "D20", 0, r.hands[u.owner]["passage"])
	column = max(column-shown, 0)
	die := r.die("C8")
	r.give(u.owner, "passage", shown)
	result := table.Cells[fmt.Sprint(die)][column]
	r.did(fmt.Sprintf("R8.3 row %d column %d", die, column))
	return result
}

// occupied is true of a hex with a unit of the Government or an Informer (R8.3), unless
// they are no enemies (R28.6, R-20).
func (r *refGame) occupied(h *refHex, seat int) bool {
	return seat != r.federalized && (h.informer || h.has(r.isG))
}

// sneak moves a Minuteman before the Revolution (R8.3).
func (r *refGame) sneak(u *refUnit, to *refHex) {
	path, price := r.path(u, to)
	switch r.travel(u, price) {
	case "none":
		r.move(u, to)
	case "Me":
		r.eliminate(u)
	default:
		watched := func(h *refHex) bool { return r.controlled(h, u.owner, nil) || r.occupied(h, u.owner) }
		if r.occupied(u.hex, u.owner) || watched(path[0]) {
			r.did("R8.3 stays")
			return
		}
		at := slices.IndexFunc(path, watched)
		stop := u.hex
		if at >= 0 {
			stop = path[at]
		} else if n := len(path) / 2; n > 0 {
			stop = path[n-1]
			r.did("R8.3 half way")
		}
		if stop != u.hex && r.room(stop, u.kind, u.owner) {
			r.did("R8.3 stopped")
			r.move(u, stop)
		}
	}
}

// destinations are those of a Rebel's unit (D19).
func (r *refGame) destinations(u *refUnit) []*refHex {
	if u.kind == "minuteman" && r.rev == 0 {
		return r.wander(u)
	}
	return r.reach(u, false)
}

// hasDestination reports whether a Rebel's unit can move at all.
func (r *refGame) hasDestination(u *refUnit) bool {
	switch {
	case u.kind == "network":
		return false
	case u.kind == "minuteman" && r.rev == 0:
		return len(r.wander(u)) > 0
	}
	return len(r.reach(u, true)) > 0
}

// phaseA3 is R8.
func (r *refGame) phaseA3() {
	if r.seats > 2 {
		r.order = r.rollOrder(r.freeRebels())
		r.did("R28.2 order")
	} else {
		r.order = r.rebels()
	}
	for _, seat := range r.order {
		if r.role(seat) == "rebel" {
			r.moveUnits(seat)
		}
	}
	for _, h := range r.hexes {
		if r.rev > 0 {
			r.exposed(h)
			continue
		}
		militia := h.has(func(u *refUnit) bool { return u.kind == "militia" && u.owner != r.federalized })
		if h.informer && militia && !h.has(r.isG) {
			h.informer = false
			r.did("R8.6 informer")
		}
	}
}

// rollOrder is C20: the highest first, ties rolled again among the tied.
func (r *refGame) rollOrder(seats []int) []int {
	if len(seats) < 2 {
		return seats
	}
	byDie := map[int][]int{}
	for _, s := range seats {
		n := r.die("C20")
		byDie[n] = append(byDie[n], s)
	}
	var order []int
	for n := 6; n >= 1; n-- {
		order = append(order, r.rollOrder(byDie[n])...)
	}
	return order
}

// moveUnits is the Movement Phase of one Rebel: D69, D18, D19.
func (r *refGame) moveUnits(seat int) {
	r.foreignPhase(seat)
	r.reinforceRebel(seat)
	for role := r.role(seat); r.role(seat) == role; {
		movable := r.where(func(u *refUnit) bool {
			return u.owner == seat && !u.moved && !u.underground && !u.pinned && r.hasDestination(u)
		})
		options := r.withAssassinate(seat, "DONE")
		if len(movable) > 0 {
			options = append(options, "MOVE_UNIT")
		}
		switch r.ask(seat, "D18", options...) {
		case "DONE":
			return
		case "ASSASSINATE":
			r.assassinate(seat)
		default:
			u := r.pick(seat, "D18", movable)
			to := r.pickPlace(seat, "D19", r.destinations(u))
			u.moved = true
			r.did("R8 moved " + u.kind)
			if u.kind == "minuteman" && r.rev == 0 {
				r.sneak(u, to)
			} else {
				r.move(u, to)
			}
			r.checkEnd()
		}
	}
}

// reinforceRebel is R20.5 for a Rebel: up to two Militia, where he has a Network.
func (r *refGame) reinforceRebel(seat int) {
	last := ""
	for range 2 {
		if r.due[seat] == 0 {
			return
		}
		h := r.placeOne(seat, func(h *refHex) bool {
			return h.id >= last && h.net() != nil && h.net().owner == seat && r.room(h, "militia", seat) && r.pileSize(r.militiaBuilt(h, seat)...) > 0
		})
		if h == nil {
			return
		}
		last = h.id
		r.due[seat]--
		g, c := r.drawCounter("C7", r.militiaBuilt(h, seat)...)
		r.placeCounter(g, c, seat, h)
	}
}

// placeOne is D69 for one unit; nil for DONE.
func (r *refGame) placeOne(seat int, legal func(h *refHex) bool) *refHex {
	hexes := r.hexesWhere(legal)
	if len(hexes) == 0 {
		return nil
	}
	return r.pickPlace(seat, "D69", hexes, "DONE")
}

// foreignPhase is R30: the declarer's second own Movement Phase.
func (r *refGame) foreignPhase(seat int) {
	f := &r.foreign
	if !f.called || f.seat != seat || f.left == 0 {
		return
	}
	if f.left--; f.left > 0 {
		return
	}
	n := min(r.die("C16"), r.pileSize("foreign"))
	place := r.foreignPlace()
	r.did(fmt.Sprint("R30 place ", place))
	coast := func(h *refHex) bool {
		switch place {
		case 5:
			return h.country == "Mexico" && h.sea
		case 6:
			return h.country == "Canada" && h.sea
		}
		return h.country == "US" && (place <= 2 && h.east || place >= 3 && h.west)
	}
	last := ""
	for range n {
		h := r.placeOne(seat, func(h *refHex) bool { return coast(h) && h.id >= last && r.room(h, "army", seat) })
		if h == nil {
			return
		}
		last = h.id
		g, c := r.drawCounter("C17", "foreign")
		r.placeCounter(g, c, seat, h).moved = true
	}
}

// foreignPlace is the second die of C16, again while it names a place off the map (RU46).
func (r *refGame) foreignPlace() (place int) {
	weights := map[string]int{"DIE_1": 1, "DIE_2": 1, "DIE_3": 1, "DIE_4": 1}
	if r.on("canada_mexico") || r.is("occupation") {
		weights["DIE_5"], weights["DIE_6"] = 1, 1
	}
	fmt.Sscanf(r.draw("C16", weights), "DIE_%d", &place)
	return place
}
