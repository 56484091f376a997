package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// scoreReact (D60): the further column of the Reaction table holds more (R15).
func (t *situation) scoreReact(a engine.Action) float32 {
	if a == minuteman.ReactRiots {
		return float32(t.state.Reactions().Riots)
	}
	return float32(t.state.Reactions().Builds) - t.w.reactBuilds
}

// scoreCordon (D2, D61): CIGs grow by themselves and build Agents, but the higher
// their step the weaker they defend: they come where an Army's Zone makes Minutemen
// risk a die (R8.3), out of reach of Networks, and not into a city, where a failed
// build causes a Riot (R7.4). Agents come to them, help them build and strike from
// there.
func (t *situation) scoreCordon(h int) float32 {
	s := &t.at[h]
	value := float32(t.dense[h]) * t.w.cordonDense
	t.around(h, func(n int) {
		p := &t.at[n]
		value -= pick(p.net >= 0, t.w.cordonNet, 0) + t.w.cordonMM*float32(p.minutemen)
		value += pick(p.army >= 0, t.w.cordonArmy, 0)
		if n != h && p.cig >= 0 {
			value -= t.w.cordonBeside
		}
	})
	if t.city[h] && !t.state.Ruthless() {
		value -= t.w.cordonCity
	}
	if s.army >= 0 {
		value += t.w.cordonDefence
	}
	if s.cig >= 0 {
		value += t.w.cordonCIG + t.w.cordonAgt*float32(s.agents)
	}
	return value
}

// scoreGovResult (D63): Agents in number, then in strength.
func (t *situation) scoreGovResult(a engine.Action) float32 {
	switch a {
	case minuteman.NewDivision:
		return t.w.newDivision
	case minuteman.NewAgent:
		return t.w.newAgt
	case minuteman.AugmentAgent:
		return pick(float32(t.agents) > float32(t.minutemen)+t.w.leadAgts, t.w.leadAugmentAgt, t.w.augmentAgt)
	}
	return 0
}

// scoreMode (D65): the mode that reaches the best post.
func (t *situation) scoreMode(a engine.Action) float32 {
	ground, rail, air, sea := t.bestPosts(t.chain.Moving)
	switch a {
	case minuteman.ModeNormal:
		return ground
	case minuteman.ModeAirRail:
		return rail
	case minuteman.ModeAirRail + 1:
		return air
	}
	return sea
}
