package weigh

import (
	"math"
	"strings"
	"testing"
)

type units struct{ army, fleet float64 }

// TestCourse has an army that doubles from the first turn to the middle and again to the last,
// and one that halves from side to side.
func TestCourse(t *testing.T) {
	c := NewCourse(units{army: 3, fleet: 5}, "late", "side")
	l := c.List()
	want := []string{"army", "fleet", "late.army", "late.fleet", "side.army", "side.fleet"}
	for i, name := range want {
		if l.Len() != len(want) || l.Name(i) != name {
			t.Fatalf("weight %d of %d is %s, want %s", i, l.Len(), l.Name(i), name)
		}
	}
	if w := c.At(0.5, -1); *w != (units{3, 5}) {
		t.Errorf("a course that nobody has changed is at %+v, want the player's own", *w)
	}
	if err := c.List().Change(map[string]float64{"late.army": 2, "side.army": 0.5}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ late, side, army float64 }{{0, 0, 3}, {1, 0, 6}, {-1, 0, 1.5}, {0, 1, 1.5}, {1, 1, 3}, {-1, -1, 3},
		{0.5, 0, 3 * math.Sqrt2}} {
		if w := c.At(x.late, x.side); math.Abs(w.army-x.army) > 1e-12 || w.fleet != 5 {
			t.Errorf("at %v, %v: %+v, want an army of %v", x.late, x.side, *w, x.army)
		}
	}
	for _, v := range []float64{0, -1, math.NaN()} {
		if err := c.List().Change(map[string]float64{"army": 9, "side.fleet": v}); err == nil ||
			!strings.Contains(err.Error(), "a factor must be above 0") || c.List().Value(0) != 3 {
			t.Errorf("a factor of %v: error %v, army %v; want it refused and nothing changed", v, err, c.List().Value(0))
		}
	}
	c.At(0, 0)
	c.List().Set(0, 7)
	if w := c.At(0, 0); w.army != 7 {
		t.Errorf("after writing to the list an army is %v, want 7", w.army)
	}
}
