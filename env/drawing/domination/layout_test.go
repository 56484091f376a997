package domination

import (
	"testing"

	"powderkeg/engine/domination"
)

// On our map Areas touch, or have a lane between them, exactly if they are adjacent.
func TestMapShowsBorders(t *testing.T) {
	l, err := loadLayout()
	if err != nil {
		t.Fatal(err)
	}
	var touch [domination.Areas]uint32
	join := func(a, b int) {
		if a >= 0 && b >= 0 && a != b {
			touch[a] |= 1 << b
			touch[b] |= 1 << a
		}
	}
	for y := range l.cells {
		if len(l.cells[y]) != len(l.cells[0]) {
			t.Fatalf("row %d has %d squares", y, len(l.cells[y]))
		}
		for x := range l.cells[y] {
			join(l.at(x, y), l.at(x+1, y))
			join(l.at(x, y), l.at(x, y+1))
		}
	}
	for _, n := range l.lanes {
		if touch[n.from]>>n.to&1 != 0 {
			t.Errorf("%s and %s touch, and have a lane", l.facts.Areas[n.from].ID, l.facts.Areas[n.to].ID)
		}
		join(n.from, n.to)
	}
	for i := range touch {
		if want := l.facts.Areas[i].Adjacent; domination.AreaSet(touch[i]) != want {
			t.Errorf("%s touches %025b, and is adjacent to %025b", l.facts.Areas[i].ID, touch[i], want)
		}
		if b := l.label[i]; b.w*b.h < 4 {
			t.Errorf("%s has no room for its name", l.facts.Areas[i].ID)
		}
	}
}
