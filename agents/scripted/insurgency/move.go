package insurgency

import (
	"powderkeg/engine/insurgency"
)

// maxGroup is the largest group that is thought of.
const maxGroup = 8

// march is a group of a Move.
type march struct {
	from, to, units int
	gain            float64
}

// less returns a space without n units of the player: sleepers go before active
// militia.
func (t *thought) less(s space, n int) space {
	if t.me == federal {
		s.agents -= n
		return s
	}
	k := min(n, s.sleepers)
	s.sleepers -= k
	s.active -= n - k
	return s
}

// more returns a space with n more units of the player.
func (t *thought) more(s space, n int) space {
	if t.me == federal {
		s.agents += n
	} else {
		s.sleepers += n
	}
	return s
}

// own returns the player's units in a space.
func (t *thought) own(s *space) int {
	if t.me == federal {
		return s.agents
	}
	return s.militia()
}

// readIdle takes all own units for free to move.
func (t *thought) readIdle() {
	for i := range t.b.at {
		t.idle[i] = t.own(&t.b.at[i])
	}
}

// readGroups puts the groups that have been chosen in the running Move where they will
// be, those arrested apart, and pays for them: they move after the last choice (R7.2). What
// is in a group can be in no other.
func (t *thought) readGroups() {
	t.readIdle()
	t.b.money[t.me] -= t.view.Progress().Cost
	op := &t.view.P.Op.Move
	for _, gr := range op.Groups[:op.NumGroups] {
		n := int(gr.Units + gr.Active)
		t.idle[gr.From] -= n
		t.b.at[gr.From] = t.less(t.b.at[gr.From], n)
		if t.me == rebel {
			n = max(0, n-t.entries(int(gr.From), int(gr.To)))
		}
		t.b.at[gr.To] = t.more(t.b.at[gr.To], n)
	}
}

// weighMoves reckons for every space what n units gain there by leaving and by
// arriving.
func (t *thought) weighMoves() {
	plague := t.view.Plague()
	for i := range t.b.at {
		p, old := &t.places[i], &t.b.at[i]
		t.leave[i][0], t.arrive[i][0] = 0, 0
		for n := 1; n <= maxGroup; n++ {
			t.leave[i][n], t.arrive[i][n] = never, never
			if n <= t.idle[i] {
				s := t.less(*old, n)
				t.leave[i][n] = t.b.gain(t.me, p, old, &s)
			}
			if p.us && i != plague {
				t.arrive[i][n] = t.arrival(i, n)
			}
		}
	}
}

// arrival returns what n units gain by arriving. An unmarked space is tested then.
func (t *thought) arrival(i, n int) float64 {
	p, old := &t.places[i], &t.b.at[i]
	s := t.more(*old, n)
	if old.status != insurgency.Unmarked {
		return t.b.gain(t.me, p, old, &s)
	}
	s.status = insurgency.Anger
	v := t.b.gain(t.me, p, old, &s)
	s.status = insurgency.Defiance
	return (v + t.b.gain(t.me, p, old, &s)) / 2
}

// group returns what a group gains, prices and arrests included. entries is what
// stands on the road; -1 lets it be looked up.
func (t *thought) group(from, to, n, entries int) float64 {
	if entries < 0 {
		entries = t.entries(from, to)
	}
	arrived := n
	if t.me == rebel {
		if arrived -= entries; arrived <= 0 {
			return never
		}
	}
	dollars := t.game.GroupPrice(t.b.momenta, t.me, to, entries)
	if arrived > maxGroup || n > maxGroup {
		return never
	}
	return t.leave[from][n] + t.arrive[to][arrived] - t.price(dollars, t.free())
}

// free tells whether an event has granted what is going on.
func (t *thought) free() bool { return t.view.EventOwner() != insurgency.Nobody }

// entries returns how many spaces with enemy units lie on the way.
func (t *thought) entries(from, to int) int {
	if t.places[from].adjacent.Has(insurgency.SpaceID(to)) {
		return 0
	}
	if !t.game.HasRoad(t.b.momenta, t.me, from, to) {
		return maxGroup + insurgency.MaxMoney
	}
	return t.view.RoadEntries(t.me, from, to)
}

// bestGroup returns the best group that leaves from the origins allowed. A group
// is not looked at closely unless it would be the best without a price.
func (t *thought) bestGroup(origins insurgency.SpaceSet) march {
	var best march
	for from := range t.b.at {
		if !origins.Has(insurgency.SpaceID(from)) || t.idle[from] == 0 {
			continue
		}
		for to := range t.b.at {
			if from == to {
				continue
			}
			if m := t.bestUnits(from, to, best.gain); m.gain > best.gain {
				best = m
			}
		}
	}
	return best
}

// bestUnits returns the best group from one space to another, if it gains more than
// the bar.
func (t *thought) bestUnits(from, to int, bar float64) (best march) {
	best.gain = bar
	entries := -1
	for n := 1; n <= maxGroup; n++ {
		if t.leave[from][n]+t.arrive[to][n] <= best.gain {
			continue
		}
		if entries < 0 {
			entries = t.entries(from, to)
		}
		if v := t.group(from, to, n, entries); v > best.gain {
			best = march{from, to, n, v}
		}
	}
	return best
}

// all is every space.
const all insurgency.SpaceSet = 1<<spaces - 1

// movesGain returns what a Move gains: the best groups, one after another.
func (t *thought) movesGain(groups int) float64 {
	t.weighMoves()
	var taken [insurgency.MaxOps]march
	sum := never
	origins := all
	for k := range min(groups, len(taken)) {
		m := t.bestGroup(origins)
		if m.gain <= 0 {
			break
		}
		taken[k] = m
		sum = max(sum, 0) + m.gain
		// Leaving or arriving twice is worth less than the sum; the next groups are
		// looked for elsewhere.
		origins &^= 1 << m.from
		t.block(m.to)
	}
	return sum
}

// block takes a space out of what groups may go to.
func (t *thought) block(to int) {
	for n := range t.arrive[to] {
		t.arrive[to][n] = never
	}
}
