package insurgency

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
)

// allPaths walks every path without a repeated node from a space and returns the
// fewest entries into guarded spaces for each space reached: R4.8 taken literally.
func allPaths(r *roads, from SpaceID, guarded SpaceSet) (best [numSpaces]int) {
	for i := range best {
		best[i] = -1
	}
	best[from] = 0
	var seen [numNodes]bool
	var visit func(n nodeID, cost int)
	visit = func(n nodeID, cost int) {
		if at := r.space[n]; best[at] < 0 || cost < best[at] {
			best[at] = cost
		}
		seen[n] = true
		for m := range nodeID(numNodes) {
			if !r.next[n].has(m) || seen[m] {
				continue
			}
			extra := 0
			if guarded.Has(r.space[m]) {
				extra = 1
			}
			visit(m, cost+extra)
		}
		seen[n] = false
	}
	for n := range nodeID(numNodes) {
		if r.space[n] == from {
			visit(n, 0)
		}
	}
	return best
}

// R4.8, Q10: the search finds what a walk over all paths finds.
func TestRoadsAgreeWithAllPaths(t *testing.T) {
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.NewPCG(8, 8)
	for range 60 {
		half, quarter := SpaceSet(rng.Uint64()), SpaceSet(rng.Uint64())
		guarded := half & quarter & b.us
		from := SpaceID(engine.Uint32N(rng, numUS))
		want := allPaths(&b.roads, from, guarded)
		layers := b.roads.layers(from, guarded)
		for to := range SpaceID(numUS) {
			k := -1
			for i, set := range layers {
				if set.Has(to) {
					k = i
				}
			}
			if k != want[to] || to != from && int(b.roads.entries(from, to, guarded)) != want[to] {
				t.Errorf("from %s to %s past %v: %d entries, all paths say %d", b.ids[from], b.ids[to], (&game{box: b}).names(guarded), k, want[to])
			}
		}
	}
}

// routeCost follows a route that is given as a list of spaces.
func routeCost(t *testing.T, b *Box, guarded SpaceSet, route ...string) int {
	t.Helper()
	var at nodeSet
	cost := 0
	for i, id := range route {
		space, err := b.spaceOf(id)
		if err != nil {
			t.Fatal(err)
		}
		reached := b.roads.nodes[space]
		if i > 0 {
			var next nodeSet
			for ; at != 0; at &= at - 1 {
				next |= b.roads.next[at.first()]
			}
			if reached &= next; reached == 0 {
				t.Fatalf("no road into %s", id)
			}
			if guarded.Has(space) {
				cost++
			}
		}
		at = reached
	}
	return cost
}

// The vectors RB-12-14 to RB-12-17 and RB-1024 walk named routes.
func TestRoutesOfTheExamples(t *testing.T) {
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	set := func(ids ...string) SpaceSet {
		s, err := b.spacesOf(ids)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	south := []string{"san_francisco_city", "san_francisco_suburb", "mesa", "big_sky", "denver_suburb", "big_sky", "mesa", "texas", "dallas_suburb",
		"dallas_city"}
	east := []string{"los_angeles_city", "los_angeles_suburb", "mesa", "phoenix_suburb", "mesa", "texas", "dallas_suburb", "south", "miami_suburb",
		"miami_city"}
	for _, c := range []struct {
		vector  string
		guarded SpaceSet
		route   []string
		want    int
	}{
		{"RB-12-14", set("texas", "south", "appalachia", "chicago_suburb"), south, 1},
		{"RB-12-15", set("texas", "south", "appalachia", "chicago_suburb", "mesa"), south, 3},
		{"RB-12-16", set("denver_city"), []string{"big_sky", "denver_suburb", "big_sky"}, 0},
		{"RB-12-16", set("denver_suburb"), []string{"big_sky", "denver_suburb", "big_sky"}, 1},
		{"RB-12-16", set("denver_city"), []string{"big_sky", "denver_suburb", "denver_city", "denver_suburb", "big_sky"}, 1},
		{"RB-12-17", set("texas", "south", "appalachia", "chicago_suburb"), east, 2},
	} {
		if got := routeCost(t, b, c.guarded, c.route...); got != c.want {
			t.Errorf("%s: the route costs %d, want %d", c.vector, got, c.want)
		}
	}
	for _, c := range []struct {
		from, to string
		guarded  SpaceSet
		want     uint8
	}{
		{"midwest", "chicago_city", set("texas", "south", "appalachia", "chicago_suburb"), 1},
		{"los_angeles_city", "phoenix_suburb", set("mesa", "phoenix_city"), 1},
		{"los_angeles_city", "phoenix_city", set("mesa", "phoenix_city"), 2},
	} {
		if got := b.roads.entries(set(c.from).First(), set(c.to).First(), c.guarded); got != c.want {
			t.Errorf("from %s to %s: %d entries, want %d", c.from, c.to, got, c.want)
		}
	}
}
