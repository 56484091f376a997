package bloc

import "powderkeg/engine/bloc"

// deadly returns the chance that no bloc of a district is left after the next Sunrise,
// with so many blocs and cops there, and hits that a van takes.
func (t *situation) deadly(c bloc.CellID, blocs, cops, hits int) float64 {
	switch {
	case hits > 0 || cops >= blocs:
		return 0.96
	}
	p := 0.97
	if blocs-cops == 1 {
		p = 0.94 // a reaction roll may bring one more
	}
	for _, r := range t.raids[c].all() {
		if cops+r.cops >= blocs {
			p *= 1 - r.p
		}
	}
	return 1 - p
}

// readDoom works out, for each faction, the chance that Sunrise leaves it without a
// bloc.
func (t *situation) readDoom() {
	for c := range bloc.CellID(bloc.Cells) {
		if t.total[c] > 0 {
			t.dead[c] = t.deadly(c, t.total[c], t.cops[c], t.hits[c])
		}
	}
	for f := range bloc.FactionID(bloc.Factions) {
		if t.s.Owner(f) < 0 {
			continue
		}
		t.doom[f] = 1
		for c, n := range t.s.P.Blocs[f] {
			if n > 0 {
				t.doom[f] *= t.dead[c]
			}
		}
	}
}

// relief returns what it is worth that the chance that no bloc of a district is left
// becomes another one.
func (t *situation) relief(c bloc.CellID, dead float64) float64 {
	if t.total[c] == 0 {
		return 0
	}
	sum := 0.0
	for f := range bloc.FactionID(bloc.Factions) {
		if t.s.P.Blocs[f][c] > 0 {
			sum += t.doom[f] * (1 - dead/t.dead[c])
		}
	}
	return t.w.stake * sum
}

// shift returns what it is worth for the safety of the own faction, and of those beside
// it, to move own blocs from one district to another.
func (t *situation) shift(from, to bloc.CellID, n int) float64 {
	after := t.deadly(to, t.total[to]+n, t.cops[to], t.hits[to])
	d := t.doom[t.f]
	if t.own[from] == n {
		d /= t.dead[from]
	} else {
		d *= t.deadly(from, t.total[from]-n, t.cops[from], t.hits[from]) / t.dead[from]
	}
	if t.own[to] > 0 {
		d *= after / t.dead[to]
	} else {
		d *= after
	}
	return t.w.stake*(t.doom[t.f]-d) + t.w.blocSaved*t.spared(from, to, n)
}

// spared returns how many blocs fewer the next Sunrise is expected to take if n blocs
// move. Police where they go is not counted: they go there to attack it.
func (t *situation) spared(from, to bloc.CellID, n int) float64 {
	d := t.toll(from, t.total[from]) - t.toll(from, t.total[from]-n)
	if t.police>>to&1 == 0 {
		d += t.toll(to, t.total[to]) - t.toll(to, t.total[to]+n)
	}
	return d
}

// toll returns how many of so many blocs in a district Sunrise is expected to take: as
// many as there are cops, all where there is a van.
func (t *situation) toll(c bloc.CellID, blocs int) float64 {
	if t.hits[c] > 0 {
		return float64(blocs)
	}
	now := min(blocs, t.cops[c])
	sum := float64(now)
	for _, r := range t.raids[c].all() {
		sum += r.p * float64(min(blocs, t.cops[c]+r.cops)-now)
	}
	return min(sum, float64(blocs))
}

// exposed returns what a reaction roll in a district costs: one in six puts a cop
// beside the blocs, one in six draws an ops card.
func (t *situation) exposed(c bloc.CellID) float64 {
	if t.total[c] == 0 {
		return t.w.reaction
	}
	return t.w.reaction - t.relief(c, t.deadly(c, t.total[c], t.cops[c]+1, t.hits[c]))/bloc.Sides
}

// planSafety looks at moving own blocs for their safety alone.
func (t *situation) planSafety() {
	verb, card, cost, ok := t.vehicle(0)
	if !ok {
		return
	}
	for s := t.calm; s != 0; s &= s - 1 {
		from := s.First()
		if t.doom[t.f] < 0.02 && !t.asked.restricted && t.toll(from, t.total[from]) < 0.3 {
			continue
		}
		for r := t.reach(from); r != 0; r &= r - 1 {
			to := r.First()
			for n := t.own[from]; n > 0; n-- {
				p := plan{verb: verb, card: card, cell: from, count: n, to: to}
				t.offer(t.shift(from, to, n)-t.w.shelter, cost, p)
			}
		}
	}
}
