package domination

import "powderkeg/engine/domination"

// scope is how the points of a card may be spent.
type scope struct {
	builds, reduces bool
	areas           areaSet
	// chained: only in Land Areas adjacent to one with an own Force, which Builds may
	// make more of (Attack Helicopters).
	chained bool
}

// spending is what came of planning a card's points.
type spending struct {
	gain          float64
	builds, kills areaSet // Areas in which a Build or a Reduction is planned
	first         int     // the Area of the first point, -1 if there is none
}

// open returns the Areas in which seat me may spend a point now.
func (c scope) open(t *situation, b *board, me int) areaSet {
	if c.chained {
		return c.areas & t.world.atlas.Neighbours(b.Own[me]&onLand)
	}
	return c.areas
}

// move is a way to spend some points: Reductions and Builds in a set of Areas.
type move struct {
	gain          float64
	cost          int
	builds, kills areaSet // Areas where a Force is placed or made Full, and where one loses all its steps
	wounds        areaSet // Areas where a Full Force becomes Struggling
}

// better reports whether m gains more for each point than o.
func (m *move) better(o *move) bool { return m.gain*float64(o.cost) > o.gain*float64(m.cost) }

// spend plans n points on the board and carries them out there: again and again
// what gains most for a point, single points as well as whole Regions and
// Resources, as long as there is a gain.
func (t *situation) spend(b *board, c scope, n int) spending {
	plan := spending{first: -1}
	for n > 0 {
		best := move{cost: 1, gain: 1e-9}
		open := c.open(t, b, t.me)
		if c.builds {
			t.tryBuilds(b, open, &best)
		}
		if c.reduces {
			t.tryReductions(b, c, open, n, &best)
		}
		if c.builds {
			t.tryGroups(b, c, open, n, &best)
		}
		if best.builds|best.kills|best.wounds == 0 {
			break
		}
		if plan.first < 0 {
			plan.first = int((best.builds | best.kills | best.wounds).First())
		}
		t.carryOut(b, &best)
		plan.gain += best.gain
		plan.builds |= best.builds
		plan.kills |= best.kills | best.wounds
		n -= best.cost
	}
	return plan
}

// carryOut makes a move on the board.
func (t *situation) carryOut(b *board, m *move) {
	for set := m.kills | m.wounds; set != 0; set &= set - 1 {
		if a := int(set.First()); has(m.kills, a) {
			b.Remove(1 << a)
		} else {
			b.reduce(a)
		}
	}
	for set := m.builds; set != 0; set &= set - 1 {
		b.build(t.me, int(set.First()))
	}
}

// tryBuilds looks for the best single Build.
func (t *situation) tryBuilds(b *board, open areaSet, best *move) {
	own := b.Own[t.me]
	for set := open & b.Buildable(domination.SeatID(t.me)); set != 0; set &= set - 1 {
		a := int(set.First())
		m := move{gain: t.stakes.step[t.me] * t.unit(a), cost: 1, builds: 1 << a}
		if !has(own, a) {
			m.gain += t.holding(own, t.me, a)
		}
		if m.better(best) {
			*best = m
		}
	}
}

// tryReductions looks for the best way to reduce or remove a Force, or to take its
// Area over.
func (t *situation) tryReductions(b *board, c scope, open areaSet, n int, best *move) {
	for s := range t.seats {
		if s == t.me {
			continue
		}
		for set := open & b.Own[s]; set != 0; set &= set - 1 {
			a := int(set.First())
			steps := b.steps(a)
			if steps == 2 {
				if m := (move{gain: -t.stakes.step[s] * t.unit(a), cost: 1, wounds: 1 << a}); m.better(best) {
					*best = m
				}
			}
			m := move{gain: -t.force(b, s, a), cost: steps, kills: 1 << a}
			if m.cost <= n && m.better(best) {
				*best = m
			}
			if !c.builds {
				continue
			}
			m.builds, m.cost = 1<<a, steps+1
			m.gain += t.stakes.step[t.me]*t.unit(a) + t.holding(b.Own[t.me], t.me, a)
			if m.cost <= n && m.better(best) {
				*best = m
			}
		}
	}
}

// tryGroups looks for a monopoly that can be completed with n points at a better
// rate.
func (t *situation) tryGroups(b *board, c scope, open areaSet, n int, best *move) {
	own, occupied := b.Own[t.me], b.Occupied()
	for g := range groups {
		missing := t.world.atlas.groups[g] &^ own
		if missing.Size() < 2 || missing&^open != 0 || missing&occupied != 0 && !c.reduces {
			continue
		}
		m := move{cost: missing.Size() + b.Steps(missing&occupied), builds: missing, kills: missing & occupied}
		if m.cost > n {
			continue
		}
		after := *b
		for set := missing; set != 0; set &= set - 1 {
			a := int(set.First())
			if has(occupied, a) {
				s := after.owner(a)
				m.gain -= t.force(&after, s, a)
				after.Remove(1 << a)
			}
			m.gain += t.stakes.step[t.me]*t.unit(a) + t.holding(after.Own[t.me], t.me, a)
			after.build(t.me, a)
		}
		if m.better(best) {
			*best = m
		}
	}
}
