package insurgency_test

import (
	"fmt"
	"slices"
	"testing"
)

// moves is D9 to D12.
func (a *atlas) moves(v *table) []string {
	o := v.Operation
	last := -1
	if n := len(o.Groups); n > 0 {
		last = slices.Index(a.ids, o.Groups[n-1].From)
	}
	switch v.Decision {
	case "D9":
		list := []string{"DONE"}
		for i, id := range a.ids {
			if i >= last && len(a.destinations(v, o.Side, id, o.Free, o.NoArrest, o.Groups)) > 0 {
				list = append(list, "SPACE_"+id)
			}
		}
		return list
	case "D10":
		return spaces(a.destinations(v, o.Side, *o.From, o.Free, o.NoArrest, o.Groups))
	}
	units, active := v.unchosen(o.Side, *o.From, o.Groups)
	k := 0
	if !slices.Contains(a.near[*o.From], *o.To) && !o.NoArrest && o.Side == "rebel" {
		k = a.entries(v, o.Side, *o.From)[*o.To]
	}
	low, high := 1, units
	switch {
	case v.Decision == "D12":
		low, high = max(0, k+1-o.Sleepers), active
	case o.Side == "rebel":
		low = max(0, k+1-active)
	}
	var list []string
	for n := low; n <= high; n++ {
		list = append(list, fmt.Sprintf("AMOUNT_%d", n))
	}
	return list
}

type groups = []struct {
	From, To      string
	Units, Active int
}

// unchosen returns the units of a space that are in no group yet.
func (v *table) unchosen(side, id string, chosen groups) (units, active int) {
	s := v.Space[id]
	if side == "federal" {
		units = s.Agents
	} else {
		units, active = s.Sleepers, s.Active
	}
	for _, g := range chosen {
		if g.From == id {
			units -= g.Units
			active -= g.Active
		}
	}
	return units, active
}

// entries returns the fewest entries into spaces with enemy units by road to every
// space, by relaxing all roads until nothing changes.
func (a *atlas) entries(v *table, side, from string) map[string]int {
	node := map[string]int{}
	for n, at := range a.place {
		if at == from {
			node[n] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for n, cost := range node {
			for _, m := range a.roads[n] {
				s := v.Space[a.place[m]]
				c := cost
				if side == "federal" && s.militia() > 0 || side == "rebel" && s.Agents > 0 {
					c++
				}
				if old, ok := node[m]; !ok || c < old {
					node[m], changed = c, true
				}
			}
		}
	}
	best := map[string]int{}
	for n, cost := range node {
		if old, ok := best[a.place[n]]; !ok || cost < old {
			best[a.place[n]] = cost
		}
	}
	return best
}

// cost is R11.4.2 and R12.3.2: what a group pays to come to a space.
func (a *atlas) cost(v *table, side, from, to string) int {
	cost := 0
	if a.terrain[to] == "mountain" && (side == "rebel" || !v.has("highway_patrol")) {
		cost++
	}
	if v.has("oil_shock") {
		cost++
	}
	if side == "federal" && !slices.Contains(a.near[from], to) && !v.has("highway_patrol") {
		rate := 1
		if v.has("truckers") {
			rate = 2
		}
		cost += rate * a.entries(v, side, from)[to]
	}
	return cost
}

// destinations is R11.4.3 and R12.3.2.
func (a *atlas) destinations(v *table, side, from string, free, noArrest bool, chosen groups) []string {
	units, active := v.unchosen(side, from, chosen)
	money := v.money(side)
	for _, g := range chosen {
		money -= a.cost(v, side, g.From, g.To)
	}
	if units+active == 0 || !a.open(v, from) {
		return nil
	}
	roads := a.entries(v, side, from)
	return a.where(v, func(to string, s *site) bool {
		if to == from || to == v.plague() || v.has("blizzard") && (a.terrain[to] == "mountain" || a.terrain[to] == "forest") {
			return false
		}
		if n := len(chosen); n > 0 && chosen[n-1].From == from && slices.Index(a.ids, to) <= slices.Index(a.ids, chosen[n-1].To) {
			return false
		}
		if !slices.Contains(a.near[from], to) {
			k, ok := roads[to]
			if !ok || side == "rebel" && (v.has("no_travel") || !noArrest && k >= units+active) {
				return false
			}
		}
		return free || a.cost(v, side, from, to) <= money
	})
}

// compare predicts what a move does where that needs no further choice or die.
func (a *atlas) compare(t *testing.T, v, after *table, move string, checked map[string]int) {
	t.Helper()
	o := v.Operation
	a.administration(t, v, after, move, checked)
	if o != nil && v.Card.Mode != nil && *v.Card.Mode != "ops_then_event" && after.Decision == "D1" {
		a.netOps(t, v, after, move, checked)
	}
	if o == nil || v.Card.Mode == nil || *v.Card.Mode == "ops_then_event" || *v.Card.Mode == "event" ||
		!slices.Contains([]string{"D1", "C2"}, after.Decision) {
		return // an event, or the end of the round, may have changed more
	}
	switch {
	case v.Decision == "D21":
		id := move[len("SPACE_"):]
		down := map[string]string{"anger": "order", "defiance": "anger", "revolt": "defiance"}
		a.expect(t, checked, "secure", after.Space[id].Status, down[v.Space[id].Status])
		if !o.Free {
			a.expect(t, checked, "secure", after.Federal, v.Federal-2-factors[v.Space[id].Status])
		}
	case v.Decision == "D14":
		id := move[len("SPACE_"):]
		a.expect(t, checked, "surge", after.Space[id].Status, "anger")
		a.expect(t, checked, "surge", after.Rebel, v.Rebel-3)
	case o.Kind == "move" && after.Operation == nil && (move == "DONE" || v.Decision == "D12" || v.Decision == "D11" && o.Side == "federal"):
		a.march(t, v, after, move, checked)
	case after.Operation == nil && (v.Decision == "D15" || v.Decision == "D19" || v.Decision == "D20"):
		picks := o.Picks
		if move != "DONE" {
			picks = append(slices.Clone(picks), move[len("SPACE_"):])
		}
		a.carry(t, v, after, picks, checked)
	}
}

// march predicts a Move from its last choice on, where no destination has to be tested.
func (a *atlas) march(t *testing.T, v, after *table, move string, checked map[string]int) {
	t.Helper()
	o, all := v.Operation, slices.Clone(v.Operation.Groups)
	var n int
	if _, err := fmt.Sscanf(move, "AMOUNT_%d", &n); err == nil {
		last := groups{{From: *o.From, To: *o.To, Units: n}}
		if v.Decision == "D12" {
			last[0].Units, last[0].Active = o.Sleepers, n
		}
		all = append(all, last...)
	}
	money, space := v.money(o.Side), map[string]site{}
	for id, s := range v.Space {
		space[id] = *s
	}
	for _, g := range all {
		if !o.Free {
			money -= a.cost(v, o.Side, g.From, g.To)
		}
		from := space[g.From]
		if o.Side == "federal" {
			from.Agents -= g.Units
			space[g.From] = from
			to := space[g.To]
			to.Agents += g.Units
			space[g.To] = to
			continue
		}
		k := 0
		if !slices.Contains(a.near[g.From], g.To) && !o.NoArrest {
			k = a.entries(v, o.Side, g.From)[g.To]
		}
		from.Sleepers -= g.Units
		from.Active -= g.Active
		space[g.From] = from
		to := space[g.To]
		to.Active += g.Active - min(k, g.Active)
		to.Sleepers += g.Units - max(0, k-g.Active)
		space[g.To] = to
	}
	for id, s := range space {
		a.expect(t, checked, "move", *after.Space[id], s)
	}
	a.expect(t, checked, "move", after.money(o.Side), money)
}

// carry predicts Tax, Hunt and Pacify.
func (a *atlas) carry(t *testing.T, v, after *table, picks []string, checked map[string]int) {
	t.Helper()
	o := v.Operation
	money := v.Federal
	if !o.Free {
		for _, id := range picks {
			money -= a.price(v, o.Kind, id)
		}
	}
	for _, id := range picks {
		s, now := v.Space[id], after.Space[id]
		switch o.Kind {
		case "tax":
			rate := 2
			if v.has("tax_revolt") {
				rate = 1
			}
			money = min(30, money+rate*a.pop[id])
			if s.Agents == 0 && !o.Free {
				a.expect(t, checked, "tax", now.Unrest, min(3, s.Unrest+1))
			}
		case "hunt":
			n := a.effects(v, id)
			gone := min(n, s.Active)
			turned := min(n-gone, s.Sleepers)
			a.expect(t, checked, "hunt", *now, site{s.Status, s.Unrest, s.Agents, s.Sleepers - turned, s.Active - gone + turned, s.Federal,
				s.Rebel - min(n-gone-turned, s.Rebel)})
		case "pacify":
			a.expect(t, checked, "pacify", now.Unrest, max(0, s.Unrest-o.Ops))
		}
	}
	a.expect(t, checked, o.Kind, after.Federal, money)
}

// expect compares and counts.
func (a *atlas) expect(t *testing.T, checked map[string]int, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, the reference %v", what, got, want)
	}
	checked[what]++
}
