package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// scoreToggle (D10): a Network goes underground, and stays there, while that saves
// more from Agents and CIGs than its next build may be expected to bring (R6.2).
// Those that gain by it are taken in ascending order of hexes, as the rules have it.
func (t *situation) scoreToggle(a engine.Action) float32 {
	switch {
	case a == minuteman.Done:
		return 0.5
	case a == minuteman.Toggle:
		for u := range minuteman.Nets {
			if t.toggles(u) {
				return 1
			}
		}
	case a >= minuteman.FirstHex:
		h := int(a - minuteman.FirstHex)
		if net := t.at[h].net; net >= 0 && t.toggles(int(net)) {
			return 2 - float32(h)/minuteman.Hexes
		}
	case a >= minuteman.FirstClass: // a Network is the first class
		return -float32(a - minuteman.FirstClass)
	}
	return 0
}

// toggles reports whether an own Network should go down or come up now.
func (t *situation) toggles(u int) bool {
	gain, ok := t.toggleGain(u)
	return ok && (gain > 0 || gain == 0 && t.units[u].Underground)
}

// toggleGain returns what an own Network gains by going down or coming up now; ok is false
// where it is out of the question.
func (t *situation) toggleGain(u int) (gain float32, ok bool) {
	x := &t.units[u]
	if x.Hex == minuteman.NoHex || x.Owner != t.me || x.Acted || t.rise {
		return 0, false
	}
	gain = t.saved(u) - max(0, t.attemptAt(x.Hex))
	if x.Underground {
		gain = -gain
	}
	return gain, true
}

// saved returns how much of a Network's worth its doubled defence saves in the next
// turn: from the Agents and CIGs beside it, and in part from the Agents near enough.
func (t *situation) saved(u int) float32 {
	const near = 5
	x := &t.units[u]
	var attack float32
	for v := minuteman.FirstAgent; v < minuteman.Units; v++ {
		y := &t.units[v]
		if y.Hex == minuteman.NoHex {
			continue
		}
		switch d := t.state.Distance(x.Hex, y.Hex); {
		case d <= 1:
			attack += t.attackOf(int16(v))
		case d <= near && v < minuteman.FirstCIG:
			attack += t.w.nearAgts * t.attackOf(int16(v))
		}
	}
	if attack < t.w.danger {
		return 0
	}
	above := t.defenceOf(int16(u))
	if x.Underground {
		above /= 2
	}
	men := t.at[x.Hex].mmDefence
	up := t.state.AttackChances(t.gov, infiltration, x.Hex, attack, above+men)
	down := t.state.AttackChances(t.gov, infiltration, x.Hex, attack, 2*above+men)
	return t.worth(u) * (up.DefenderOut + up.DefenderBack - down.DefenderOut - down.DefenderBack)
}
