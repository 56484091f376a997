package insurgency

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// Spaces of one operation or selection are picked in ascending order (R7.2), so the
// player thinks of the whole set and picks the lowest of it.

// mostLeft returns how many picks of the running operation are still to come, as
// far as Ops, money and stock go.
func (t *thought) mostLeft() int {
	pr := t.view.Progress()
	n := spaces
	switch t.view.Operation() {
	case insurgency.Tax, insurgency.Hunt:
		n = pr.Selections
	case insurgency.Deploy: // with deploy=each
		ops := max(1, t.view.Ops())
		picked := 0
		if !t.free() {
			picked = pr.Cost
		}
		n = (t.b.units[federal]+ops-1)/ops - picked
	}
	return n
}

// choosePick returns the lowest space of the best set, or DONE when nothing is to
// be gained any more.
func (t *thought) choosePick(legal []engine.Action, most int) engine.Action {
	t.order = t.order[:0]
	done := false
	for _, a := range legal {
		if a == insurgency.ActDone {
			done = true
			continue
		}
		t.order = append(t.order, int(a-insurgency.ActSpace))
	}
	return t.lowest(t.order, t.picks[:], done, 0, most)
}

// lowest returns the lowest of the best candidates: those that gain more than the
// bar, not more than most of them. With none of them it stops if it may, and
// otherwise takes the best one.
func (t *thought) lowest(candidates []int, gains []float64, done bool, bar float64, most int) engine.Action {
	slices.SortFunc(candidates, func(i, j int) int {
		switch {
		case gains[i] > gains[j]:
			return -1
		case gains[i] < gains[j]:
			return 1
		}
		return i - j
	})
	n := 0
	for n < min(most, len(candidates)) && gains[candidates[n]] > bar {
		n++
	}
	if n == 0 {
		if done {
			return insurgency.ActDone
		}
		n = 1
	}
	return insurgency.ActSpace + engine.Action(slices.Min(candidates[:n]))
}

// chooseOrigin (D9): the best groups, of which the one that leaves from the lowest
// space comes first.
func (t *thought) chooseOrigin(legal []engine.Action) engine.Action {
	t.weighMoves()
	var origins insurgency.SpaceSet
	for _, a := range legal {
		if a != insurgency.ActDone {
			origins |= 1 << (a - insurgency.ActSpace)
		}
	}
	first := insurgency.ActDone
	for range t.view.Progress().Selections {
		m := t.bestGroup(origins)
		if m.gain <= 0 {
			break
		}
		if a := insurgency.ActSpace + engine.Action(m.from); first == insurgency.ActDone || a < first {
			first = a
		}
		origins &^= 1 << m.from
		t.block(m.to)
	}
	return first
}

// chooseSpace (D34): what an event does in a space is seen by trying each alone.
func (t *thought) chooseSpace(legal []engine.Action) engine.Action {
	bar, done := never, false
	t.order = t.order[:0]
	for _, a := range legal {
		v := t.try(a)
		if a == insurgency.ActDone {
			bar, done = v, true
			continue
		}
		i := int(a - insurgency.ActSpace)
		t.picks[i] = v
		t.order = append(t.order, i)
	}
	return t.lowest(t.order, t.picks[:], done, bar+1e-9, max(1, t.view.Progress().Selections))
}
