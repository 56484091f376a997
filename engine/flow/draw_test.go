package flow

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
)

// TestDrawsAreThoseOfTheList holds draws from a set against its list, and Single against its size.
func TestDrawsAreThoseOfTheList(t *testing.T) {
	r := rand.NewPCG(1, 1)
	for n := range 3000 {
		set := make(Set, 1+n%5)
		for i := range set {
			switch engine.Uint32N(r, 4) {
			case 0:
				set[i] = r.Uint64()
			case 1:
				for range 8 {
					set[i] |= 1 << engine.Uint32N(r, 64)
				}
			case 2:
				set[i] = 1 << engine.Uint32N(r, 64)
			}
		}
		if n%7 == 0 {
			set[0] = ^uint64(0)
		}
		list := set.Append(nil)
		if got := set.Single(); got != (len(list) == 1) {
			t.Fatalf("%x: Single is %t of %d actions", []uint64(set), got, len(list))
		}
		for k, want := range list {
			if got := set.at(k); got != want {
				t.Fatalf("%x: action %d is %d, want %d", []uint64(set), k, got, want)
			}
		}
		if len(list) == 0 {
			continue
		}
		rng, other := *r, *r
		want := list[0]
		if len(list) > 1 {
			want = list[engine.Uint32N(&other, uint32(len(list)))]
		}
		if got := set.Any(&rng); got != want || rng != other {
			t.Fatalf("%x: %d is drawn, want %d", []uint64(set), got, want)
		}
	}
}
