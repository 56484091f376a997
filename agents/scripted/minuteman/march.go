package minuteman

import "powderkeg/engine/minuteman"

// Marches: what is beyond a unit's reach draws it, or units would stand for years
// where nothing is left to do while the war goes on elsewhere.

// findGoal finds the prey beyond a unit's reach that draws it most.
func (t *situation) findGoal(u int) {
	t.goal, t.goalGain = minuteman.NoHex, 0
	if u < minuteman.FirstMilitia || t.state.Options().Scenario == minuteman.Partisan && t.state.FrontLine(u) {
		return
	}
	strength, _, _ := t.strike(u, kindOf(u))
	from := t.units[u].Hex
	for i := range t.prey {
		p := &t.prey[i]
		d := t.state.Distance(from, p.hex)
		if d <= 2 {
			continue
		}
		if gain := t.w.drawn * t.expect(p, strength*t.w.massed, 0, 0) / (1 + t.w.perHex*float32(d)); gain > t.goalGain {
			t.goal, t.goalGain = p.hex, gain
		}
	}
}

// marched returns what it is worth to have come nearer to the goal.
func (t *situation) marched(u, h int) float32 {
	if t.goal == minuteman.NoHex {
		return 0
	}
	from := t.state.Distance(t.units[u].Hex, t.goal)
	return t.goalGain * float32(from-t.state.Distance(h, t.goal)) / float32(from)
}
