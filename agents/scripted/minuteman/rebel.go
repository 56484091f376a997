package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// What the Rebel wants of a build attempt, in the worth of a weak Minuteman.
const (
	buildGain = 1.6
	riotCost  = 0.3 // a Riot exposes his Network to Army (R10.3); its free builds make up for some of it
)

// urgent reports whether the time has come for Militia: the Revolution is near or has
// been declared, or there will be none.
func (t *situation) urgent() bool {
	const ahead = 5
	return t.rise || t.deadline > 0 && t.turn >= t.deadline-ahead
}

// riotGain returns what a Riot in a city is worth to the Rebel: a Network where he
// has none, free builds where he has one, less what an Army beside it does to it.
func (t *situation) riotGain(h int) float32 {
	s := &t.at[h]
	value := float32(riotWorth)
	switch {
	case s.net < 0 && t.nets < 35:
		value += 0.6
	case s.net >= 0:
		value += 0.4
	}
	if t.armyNear(h) {
		value -= pick(s.rebels(), 1.2, 0.5)
	}
	if t.state.Options().Scenario == minuteman.Partisan {
		value += 0.5 * float32(t.keysAround(h)) // a Network in a Riot has a Zone (R25.5)
	}
	return value
}

// scoreResult (D12): a strong Network first, since it builds surely; then men; Militia
// when they are about to count, and where they cut off a deciding city.
func (t *situation) scoreResult(a engine.Action) float32 {
	h := t.chain.Hex
	switch a {
	case minuteman.AugmentNetwork:
		return pick(t.urgent(), 2.5, 3)
	case minuteman.NewNetwork:
		return 3.5
	case minuteman.NewMinuteman:
		return pick(t.minutemen <= t.nets || t.minutemen <= t.agents, 2, 1.2)
	case minuteman.AugmentMinuteman:
		return 1.3
	case minuteman.NewMilitia:
		if t.state.Options().Scenario == minuteman.Partisan {
			return 2.2 + float32(t.keysAround(h))
		}
		return pick(t.urgent() || t.bold && t.minutemen > 12, 4, 0.5)
	}
	return 0
}

// attemptGain returns the mean worth of a build attempt in a hex with so many points.
func (t *situation) attemptGain(h, points int) float32 {
	built, unrest, riot := t.state.BuildChances(points, t.rebel, h)
	if !t.rebel {
		cost := pick(t.city[h], 1.2, 0)
		return built*weakAgtWorth - cost*riot - 0.3*cost*unrest
	}
	cost := float32(riotCost)
	if net := t.at[h].net; net >= 0 && t.armyNear(h) {
		cost += t.worth(int(net)) * 0.6
	}
	return built*buildGain - riot*cost - unrest*cost*0.3
}

// pointsAt returns the build points that a hex can bring together without markers.
func (t *situation) pointsAt(h int) int {
	points := 0
	t.state.UnitsIn(h, func(u int) {
		x := &t.units[u]
		switch helper := u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia || u >= minuteman.FirstAgent && u < minuteman.FirstCIG; {
		case x.Owner != t.me || x.Underground && t.state.Decision() != minuteman.DecidesToggle || x.Acted:
		case helper, u < minuteman.FirstMinuteman, u >= minuteman.FirstCIG:
			points += t.state.BuildStrength(u)
		}
	})
	return points
}

// attemptAt returns the worth of the attempt that a hex can make, markers included.
func (t *situation) attemptAt(h int) float32 {
	markers := min(1, int(t.p.Hand[t.me][minuteman.Organizer]))
	if t.rebel && t.at[h].net < 0 { // abroad a Minuteman tries alone (R29.6)
		return t.attemptGain(h, 1+markers)
	}
	return t.attemptGain(h, t.pointsAt(h)+markers)
}

// abroad reports whether a Minuteman in a hex may build alone (R29.6).
func (t *situation) abroad(h int) bool {
	return t.state.Options().Neighbours && t.city[h] && t.state.Facts(h).Country != 0 && t.at[h].net < 0
}

// scoreBuild (D16, D62): attempt wherever that is worth it.
func (t *situation) scoreBuild(a engine.Action) float32 {
	switch a {
	case minuteman.Build:
		best := float32(-1)
		builders := t.state.Builders(t.me)
		for u := builders.Next(0); u >= 0; u = builders.Next(u + 1) {
			best = max(best, t.attemptAt(t.units[u].Hex))
		}
		return best
	case minuteman.Done:
		return 0
	}
	return -10
}

// scoreCompose (D17): everybody helps as long as a column can still be won.
func (t *situation) scoreCompose(a engine.Action) float32 {
	switch {
	case a == minuteman.Roll:
		return 0
	case t.chain.BuildColumn >= minuteman.BuildColumns:
		return -1
	case a == minuteman.AddOrganizer:
		return 0.5
	}
	return 1
}

// scorePassage (D20): markers are shown as long as they open a better column.
func (t *situation) scorePassage(n int) float32 {
	if n == 0 {
		return 0.5
	}
	if t.chain.Lost+t.chain.Stop == 0 {
		return -float32(n)
	}
	return 1 - 0.1*float32(n)
}

// scoreWindow (D30, D31): markers are used when they come; the Revolution when it is
// time. Foreign help costs a victory level (R30), which is nothing to a side that
// would be wiped out without it.
func (t *situation) scoreWindow(a engine.Action) float32 {
	switch a {
	case minuteman.Revolution:
		return pick(t.timeToRise(), 2, -1)
	case minuteman.Assassinate:
		return 1
	case minuteman.ForeignHelp:
		return pick(t.desperate(), 2, -1)
	}
	return 0
}

// desperate reports whether the own side is about to be eliminated in a war (R24.1).
func (t *situation) desperate() bool {
	const few = 4
	left := t.army + t.agents + t.cigs
	if t.rebel {
		left = t.nets + t.minutemen + t.militia
	}
	return t.rise && left <= few
}

// timeToRise reports whether to declare the Revolution: at the latest in the last turn
// in which it is possible; before that the passive plan waits until all counts of the
// victory are won with something to spare and the end is near, the violent one until
// it is stronger than the Army.
func (t *situation) timeToRise() bool {
	const reinforcements = 2 // the mean of the Militia that come, less that of the Divisions (R20.3)
	switch {
	case t.turn >= t.deadline:
		return true
	case t.bold:
		return 4*t.militia > 5*t.army && t.nets > t.cigs+6 && t.minutemen > 12
	}
	return t.militia+reinforcements > t.army+2 && t.nets > t.cigs+2 && t.minutemen > t.agents+2 && t.turn >= t.turns-8
}

// takesUpArms reports whether a Rebel follows the violent plan, which is the better one
// in every scenario (experiments/reports/0009-minuteman.md).
func (t *situation) takesUpArms() bool {
	switch {
	case t.plan != Auto:
		return t.plan == Violent
	case t.rise: // until the war is lost; then what is left had better live on
		return 3*t.militia >= 2*t.army
	}
	return true
}
