package insurgency

import (
	"powderkeg/engine/insurgency"
)

// netKinds are the types of space of Net Ops, in the order of their actions.
const netKinds = 3

// selection returns what one selection of a space gains in a Net Op (R11.1 to R11.3),
// its dollar apart. For Fundraise it is dollars.
func (t *thought) selection(op, i int) float64 {
	s := t.b.at[i]
	if s.status == insurgency.Unmarked { // it is tested first: Anger or Defiance alike
		s.status = insurgency.Anger
		v := t.selected(op, i, &s)
		s.status = insurgency.Defiance
		return (v + t.selected(op, i, &s)) / 2
	}
	return t.selected(op, i, &s)
}

// selected is selection for a space as given.
func (t *thought) selected(op, i int, old *space) float64 {
	b, p := &t.b, &t.places[i]
	switch op {
	case insurgency.Fundraise:
		if old.status == insurgency.Defiance || old.status == insurgency.Revolt {
			return 2 * p.population
		}
		return 0
	case insurgency.Recruit:
		return max(0, t.recruits(i, old), t.recruitsBase(i, old))
	}
	s := *old
	if s.status != insurgency.Order {
		s.unrest = min(b.game.limits.Unrest, s.unrest+1)
	}
	if s.status != insurgency.Revolt && s.unrest >= b.game.UnrestToShift(s.status) {
		s.status++
		s.unrest = 0
	}
	return b.gain(rebel, p, old, &s)
}

// recruits returns what a militia, and one for each Rebel base, gain in a space
// (R11.2.2), as far as the stock reaches.
func (t *thought) recruits(i int, old *space) float64 {
	if old.status == insurgency.Order || i == t.view.Plague() {
		return 0
	}
	s := *old
	s.sleepers += min(1+s.bases[rebel], t.b.units[rebel])
	return t.b.gain(rebel, &t.places[i], old, &s)
}

// recruitsBase returns what a base for two militia gains (R11.2.4). It is never made
// of a base lifted from elsewhere.
func (t *thought) recruitsBase(i int, old *space) float64 {
	if old.status == insurgency.Order || i == t.view.Plague() || old.militia() < 2 || !t.game.room(old) || t.b.bases[rebel] == 0 {
		return 0
	}
	s := *old
	k := min(2, s.active)
	s.active -= k
	s.sleepers -= 2 - k
	s.bases[rebel]++
	return t.b.gain(rebel, &t.places[i], old, &s)
}

// selections returns how many spaces of a type a Net Op selects, and how many of
// them are chosen.
func (t *thought) selections(op, kind, ops int, free bool) (total, chosen int) {
	dollars := t.b.money[rebel]
	if op == insurgency.Fundraise || free {
		dollars = insurgency.MaxSelected
	}
	return insurgency.Selections(t.b.momenta, kind, ops+t.b.factor, dollars, t.b.edge)
}

// netGain returns what a Net Op on a type of space gains on average. Every space
// of the type is rolled about as often as any other (R18: C4, C5). The same space
// may be selected again, which gains less each time; that is left out.
func (t *thought) netGain(op, kind, ops int, free bool) float64 {
	sum, best, n := 0.0, 0.0, 0.0
	for i := range insurgency.USSpaces {
		if t.places[i].kind != kind {
			continue
		}
		v := t.selection(op, i)
		sum += v
		best = max(best, v)
		n++
	}
	total, chosen := t.selections(op, kind, ops, free)
	v := float64(chosen)*best + float64(total-chosen)*sum/n
	switch {
	case op == insurgency.Fundraise:
		return -t.b.cost(rebel, -int(v+0.5))
	case free:
		return v
	}
	return v - t.b.cost(rebel, total)
}

// netBest returns what the best type gains.
func (t *thought) netBest(op, ops int) float64 {
	best := t.netGain(op, 0, ops, false)
	for kind := 1; kind < netKinds; kind++ {
		best = max(best, t.netGain(op, kind, ops, false))
	}
	return best
}
