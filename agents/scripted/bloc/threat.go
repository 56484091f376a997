package bloc

import "powderkeg/engine/bloc"

// loss returns the chance that the occupation of a district, with so many more blocs
// beside it, is evicted at the next Sunrise: by a van always, by cops that outnumber
// the blocs (R9.3), as they stand or after what the police may do till then.
func (t *situation) loss(c bloc.CellID, more int) float64 {
	switch {
	case t.hits[c] > 0:
		return 0.95
	case t.cops[c] > t.total[c]+more:
		return 0.95
	}
	margin := t.total[c] + more - t.cops[c]
	p := 1.0
	for _, r := range t.raids[c].all() {
		if r.cops > margin {
			p *= 1 - r.p
		}
	}
	return 1 - p
}

// raided returns the chance that a group is ordered from one district to another tonight.
func (t *situation) raided(from, to bloc.CellID) float64 {
	return min(0.9, t.w.orders*t.sent[from][to])
}

// coming returns how many cops of the group in a district would get through to the
// next one (R8.4).
func (t *situation) coming(from, to bloc.CellID) int {
	return t.s.Arriving(from, to, int(t.s.UnderOrders(from)))
}

// needed returns how many own blocs had best stay in a district: guards of its
// occupation, as many as lower the chance that it is evicted by what they are worth
// elsewhere.
func (t *situation) needed(c bloc.CellID) int {
	if t.own[c] == 0 || t.police>>c&1 != 0 || t.holder[c] == none {
		return 0
	}
	n := t.own[c]
	risk := t.risk(c, 0)
	for n > 0 {
		r := t.risk(c, n-1-t.own[c])
		if t.goals.keep[c]*(r-risk) > t.w.guard {
			break
		}
		n--
	}
	return n
}

// risk returns the chance of loss, and what too few guards add to it for what may come in
// later nights.
func (t *situation) risk(c bloc.CellID, more int) float64 {
	p := t.loss(c, more)
	want := 1
	if t.goals.keep[c] >= t.w.part/2 {
		want = int(t.w.partGuards + 0.5)
	}
	if lack := want - t.total[c] - more; lack > 0 {
		p = max(p, t.w.lack*float64(lack))
	}
	return p
}

// worst returns the most cops of one group that may come into a district.
func (t *situation) worst(c bloc.CellID) int {
	most := 0
	for _, r := range t.raids[c].all() {
		most = max(most, r.cops)
	}
	return most
}

// planGuard looks at bringing blocs to an occupation that may be evicted.
func (t *situation) planGuard(c bloc.CellID) {
	if t.holder[c] == none || t.goals.keep[c] < 2 {
		return
	}
	now := t.risk(c, 0)
	if now < 0.02 {
		return
	}
	n := max(1, 3-t.total[c])
	if t.police>>c&1 == 0 {
		n = max(n, t.worst(c)-t.total[c])
	}
	by := t.bring(c, 0, n, 0)
	if !by.ok {
		return
	}
	after := t.risk(c, by.step.count)
	t.offer((now-after)*t.goals.keep[c]-t.w.guardMoved*float64(by.step.count)+by.gain, by.cost, by.step)
}

// refuge scores a district to move to for want of a plan: away from the police, near
// shops.
func (t *situation) refuge(c bloc.CellID) float64 {
	v := 0.0
	if t.police>>c&1 != 0 {
		v -= 5
	}
	v -= 0.3 * float64((t.s.P.Near[c] & t.police).Count())
	if t.holder[c] != none {
		v += 0.2 * t.goals.keep[c]
	}
	return v + 0.1*float64(t.s.P.Centers[bloc.Unlooted][c]) + 0.3*float64(min(t.total[c], 4))
}

// planBarricades looks at barricades against groups next to occupations that matter,
// and at the entrances of highways where they are the goal.
func (t *situation) planBarricades() {
	w, ok := t.die(1)
	if !ok {
		return
	}
	if t.goals.bar > 0 {
		t.planEntrances(w)
	}
	for s := t.calm; s != 0; s &= s - 1 {
		c := s.First()
		for arm := range bloc.Arm(bloc.Arms) {
			if !t.s.Room(c, arm) || t.asked.restricted && t.asked.cell != c && t.asked.cell != none {
				continue
			}
			way, _ := t.s.Connection(c, arm)
			far := way.Far.Cell()
			value := t.goals.anyBar
			if t.holder[c] != none && t.anyone>>far&1 == 0 && t.cops[far] > 1 {
				value += t.w.barricade * t.goals.keep[c] * t.raided(far, c)
			}
			t.offer(value, w, plan{verb: bloc.VerbBarricade, card: none, cell: c, arm: arm})
		}
	}
}

// planEntrances looks at the highway entrances without a barricade, with a bloc
// brought there first if need be.
func (t *situation) planEntrances(w float64) {
	for c := range bloc.CellID(bloc.Cells) {
		for arm := range bloc.Arm(bloc.Arms) {
			if way, _ := t.s.Connection(c, arm); !t.s.Room(c, arm) || !way.OverHighway || way.Here > 0 {
				continue
			}
			if t.calm>>c&1 != 0 {
				t.offer(t.goals.bar, w, plan{verb: bloc.VerbBarricade, card: none, cell: c, arm: arm})
			} else if t.police>>c&1 == 0 {
				if by := t.bring(c, 0, 1, 1); by.ok {
					t.offer(t.goals.bar+by.gain, w+by.cost, by.step)
				}
			} else {
				t.goals.clear[c] = max(t.goals.clear[c], t.w.toward/2)
			}
		}
	}
}
