package planner

import (
	"slices"
	"testing"

	"powderkeg/agents/scripted/menu"
)

// TestWorthCanBeLeftOut: without the worth of its candidates a planner without a network has no
// opinion.
func TestWorthCanBeLeftOut(t *testing.T) {
	var m menu.Menu
	m.Reset()
	m.Add(7, 0, 0)
	m.Add(8, -2, 0)
	for worthless, want := range map[bool][]float32{false: {0, -2}, true: {0, 0}} {
		p := NewPolicy(nil, nil, 0)
		p.worthless = worthless
		if got := p.Logits(&m); !slices.Equal(got, want) {
			t.Errorf("worth left out: %t: logits %v, want %v", worthless, got, want)
		}
	}
	if !slices.Equal(m.Worth, []float32{0, -2}) {
		t.Errorf("the menu's own worth has become %v", m.Worth)
	}
}
