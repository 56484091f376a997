package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// scoreReact (D60): the further column of the Reaction table holds more (R15).
func (t *situation) scoreReact(a engine.Action) float32 {
	if a == minuteman.ReactRiots {
		return float32(t.g.RiotColumn)
	}
	return float32(t.g.BuildColumn) - 0.5
}

// scoreCordon (D2, D61): CIGs and Agents come where Networks and Minutemen are in
// reach; best into a hex without a population centre of its own, where the
// Government's failed builds cause no Riot (R7.4).
func (t *situation) scoreCordon(h int) float32 {
	value := float32(t.dense[h]) * 0.15
	t.around(h, func(n int) {
		s := &t.at[n]
		if s.net >= 0 {
			value += 0.5 * t.worth(int(s.net))
		}
		value += 0.4 * float32(s.minutemen)
		value += 0.15 * float32(s.agents)
		if n != h && s.cig >= 0 {
			value -= 0.6
		}
	})
	s := &t.at[h]
	if t.city[h] && !t.state.Ruthless() {
		value -= 1.5
	}
	if s.cig >= 0 || s.army >= 0 {
		value += 0.5 // Agents help the CIG to build
	}
	if s.net >= 0 {
		value -= 0.3
	}
	return value
}

// scoreGovResult (D63): Agents in number, then in strength.
func (t *situation) scoreGovResult(a engine.Action) float32 {
	switch a {
	case minuteman.NewDivision:
		return 4
	case minuteman.NewAgent:
		return 2
	case minuteman.AugmentAgent:
		return pick(t.agents > t.minutemen+3, 3, 1.5)
	}
	return 0
}

// scoreMode (D65): on the ground what is near, by air or rail only what is far.
func (t *situation) scoreMode(a engine.Action) float32 {
	switch a {
	case minuteman.ModeNormal:
		return 1
	case minuteman.ModeAirRail:
		return 0.5
	}
	return 0.8
}
