package insurgency

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"powderkeg/engine/insurgency"
)

// On our map regions and suburbs touch exactly if they are adjacent.
func TestMapShowsBorders(t *testing.T) {
	l, err := loadLayout()
	if err != nil {
		t.Fatal(err)
	}
	space := map[byte]int{'.': -1}
	cities := insurgency.SpaceSet(0)
	for _, r := range l.regions {
		space[l.rows[int(r.outline[0][0].Y)][int(r.outline[0][0].X)]] = r.space
	}
	for _, m := range l.metros {
		space[l.rows[int(m.corner.Y)][int(m.corner.X)]] = m.suburb
		cities |= 1 << m.city
	}
	var touch [insurgency.Spaces]insurgency.SpaceSet
	join := func(a, b int) {
		if a >= 0 && b >= 0 && a != b {
			touch[a] |= 1 << b
			touch[b] |= 1 << a
		}
	}
	for y, row := range l.rows {
		for x := range row {
			if x > 0 {
				join(space[row[x]], space[row[x-1]])
			}
			if y > 0 {
				join(space[row[x]], space[l.rows[y-1][x]])
			}
		}
	}
	for i := range insurgency.Spaces {
		facts := l.box.Space(i)
		if want := facts.Adjacent &^ cities; !cities.Has(insurgency.SpaceID(i)) && touch[i] != want {
			t.Errorf("%s touches %b, and is adjacent to %b", facts.Name, touch[i], want)
		}
	}
}

// The roads on our map are the interstates of the game, but for the streets of the cities.
func TestMapShowsRoads(t *testing.T) {
	l, err := loadLayout()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../../engine/insurgency/data/interstates.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Edges []struct{ A, B string } }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	drawn := map[[2]string]bool{}
	for _, e := range l.edges {
		drawn[e] = true
	}
	n := 0
	for _, e := range file.Edges {
		if strings.HasSuffix(e.B, ":streets") {
			continue
		}
		n++
		if !drawn[[2]string{e.A, e.B}] {
			t.Errorf("the road from %s to %s is not drawn", e.A, e.B)
		}
	}
	if len(l.edges) != n {
		t.Errorf("%d roads are drawn, there are %d", len(l.edges), n)
	}
}
