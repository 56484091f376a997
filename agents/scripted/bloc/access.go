package bloc

import (
	"math"

	"powderkeg/engine/bloc"
)

// Police districts cut the city into parts: blocs may enter one but not pass through it
// (R5.3). Most nights a State District that is wanted lies open and nobody who rolls a
// six can get there, so that ways are worth something by themselves.

// maxRings is how many rings are looked at: what lies behind more police is out of reach.
const maxRings = 5

// rings are the districts that take at most so many police districts to be cleared to
// get there, the district itself included.
type rings [maxRings]bloc.CellSet

// spread works out the rings around districts that are reached already (from) and
// police districts that blocs stand in (caught).
func (t *situation) spread(from, caught bloc.CellSet) (r rings) {
	open := ^t.police | from
	reached, near := t.flow(from, from, 0, open)
	for k := range r {
		if r[k] = reached; k == maxRings-1 {
			break
		}
		edge := near | caught
		caught = 0
		entered := edge & t.police &^ reached
		reached, near = t.flow(reached|entered, entered, near, open|edge)
	}
	return r
}

// flow adds to a set of districts what lies open next to it, and returns with it all districts next to
// one of its own. Near are those next to all of the set but the fresh ones.
func (t *situation) flow(set, fresh, near, open bloc.CellSet) (all, nearAll bloc.CellSet) {
	for {
		for ; fresh != 0; fresh &= fresh - 1 {
			near |= t.next[fresh.First()]
		}
		if fresh = near & open &^ set; fresh == 0 {
			return set, near
		}
		set |= fresh
	}
}

// of returns the number of the first ring that has one of some districts.
func (r *rings) of(set bloc.CellSet) int {
	for k := range r {
		if r[k]&set != 0 {
			return k
		}
	}
	return maxRings
}

// readAccess works out what it is worth to clear a district for the ways that it opens
// to districts in which occupations are wanted.
func (t *situation) readAccess() {
	wanted := bloc.CellSet(0)
	for c := range bloc.CellID(bloc.Cells) {
		if t.goals.build[c] > 0 {
			wanted |= 1 << c
		}
	}
	if wanted == 0 {
		return
	}
	for c := range bloc.CellID(bloc.Cells) {
		t.next[c] = t.s.Steps(c) &^ (1 << c)
	}
	var stands [bloc.Factions]bloc.CellSet
	for f := range bloc.FactionID(bloc.Factions) {
		for c, n := range t.s.P.Blocs[f] {
			if n > 0 {
				stands[f] |= 1 << c
			}
		}
	}
	// Most factions need no ring around them: they have a free way, or none.
	var around [bloc.Factions]rings
	known := [bloc.Factions]bool{}
	for s := wanted; s != 0; s &= s - 1 {
		target := s.First()
		to := t.spread(1<<target, 0)
		for f := range bloc.FactionID(bloc.Factions) {
			w := t.w.wayOthers
			if f == t.f {
				w = t.w.way
				if t.police>>target&1 == 0 && t.dice[t.s.DieFor(t.f, bloc.VerbBuild, target)] > 0 && t.dice[1] > 2 {
					w = t.w.wayNow
				}
			} else if t.tile[target].Type < bloc.TypeState {
				continue
			}
			dist := to.of(stands[f])
			if dist == 0 || dist == maxRings {
				continue
			}
			if !known[f] {
				known[f], around[f] = true, t.spread(stands[f]&^t.police, stands[f]&t.police)
			}
			w *= t.goals.build[target] * math.Exp(-t.w.wayFar*float64(dist-1))
			for u := t.police &^ (1 << target); u != 0; u &= u - 1 {
				if d := u & -u; around[f].of(d)+to.of(d)-1 == dist {
					t.goals.clear[u.First()] += w
				}
			}
		}
	}
}
