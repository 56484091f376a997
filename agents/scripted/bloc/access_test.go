package bloc

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// TestRingsAgainstShortestPaths compares the rings around own blocs with distances relaxed
// until nothing changes, where a district with police costs one and any other nothing.
func TestRingsAgainstShortestPaths(t *testing.T) {
	compared := 0
	play(t, "bloc", 4, func(_ engine.Game, s *bloc.State, _ engine.Action) {
		v := open(s)
		if s.ToAct() < 0 || v.Decision() != bloc.AskTurnMenu {
			return
		}
		u := situation{w: &tuned}
		u.read(v)
		stands := bloc.CellSet(0)
		for c := range bloc.CellID(bloc.Cells) {
			if u.own[c] > 0 {
				stands |= 1 << c
			}
		}
		got, want := u.spread(stands&^u.police, stands&u.police), distances(&u, stands)
		for c := range bloc.CellID(bloc.Cells) {
			if d := got.of(1 << c); d != min(want[c], maxRings) {
				t.Fatalf("cell %d is in ring %d, want %d\n%s", c, d, want[c], v.Text(0))
			}
			compared++
		}
	})
	if compared < 1000 {
		t.Errorf("%d districts compared, want at least 1000", compared)
	}
}

func distances(t *situation, stands bloc.CellSet) (d [bloc.Cells]int) {
	cost := func(c bloc.CellID) int { return int(t.police >> c & 1) }
	for c := range bloc.CellID(bloc.Cells) {
		d[c] = 100
		if stands>>c&1 != 0 {
			d[c] = cost(c)
		}
	}
	for changed := true; changed; {
		changed = false
		for c := range bloc.CellID(bloc.Cells) {
			for s := t.s.P.Near[c] | t.next[c]; s != 0; s &= s - 1 {
				if n := s.First(); d[c]+cost(n) < d[n] {
					d[n], changed = d[c]+cost(n), true
				}
			}
		}
	}
	return d
}
