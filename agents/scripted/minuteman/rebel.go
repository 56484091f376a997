package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// urgent reports whether the time has come for Militia: the Revolution is near or has
// been declared, or there will be none.
func (t *situation) urgent() bool {
	return t.rise || t.deadline > 0 && float32(t.turn) >= float32(t.deadline)-t.w.ahead
}

// riotGain returns what a Riot in a city is worth to the Rebel: a Network where he
// has none, free builds where he has one, less what an Army beside it does to it.
func (t *situation) riotGain(h int) float32 {
	s := &t.at[h]
	value := t.w.riot
	switch {
	case s.net < 0 && float32(t.nets) < t.w.manyNets:
		value += t.w.riotNet
	case s.net >= 0:
		value += t.w.riotBuilds
	}
	if t.armyNear(h) {
		value -= pick(s.rebels(), t.w.riotStruck, t.w.riotWatched)
	}
	if t.state.Options().Scenario == minuteman.Partisan {
		value += t.w.riotKey * t.keysAround(h) // a Network in a Riot has a Zone (R25.5)
	}
	return value
}

// scoreResult (D12): a strong Network first, since it builds surely; then men; Militia
// when they are about to count, and where they cut off a deciding city.
func (t *situation) scoreResult(a engine.Action) float32 {
	h := t.chain.Hex
	switch a {
	case minuteman.AugmentNetwork:
		return pick(t.urgent(), t.w.urgentAugmentNet, t.w.augmentNet)
	case minuteman.NewNetwork:
		return t.w.newNet
	case minuteman.NewMinuteman:
		return pick(t.minutemen <= t.nets || t.minutemen <= t.agents, t.w.fewMM, t.w.moreMM)
	case minuteman.AugmentMinuteman:
		return t.w.augmentMM
	case minuteman.NewMilitia:
		if t.state.Options().Scenario == minuteman.Partisan {
			return t.w.partisanMilitia + t.w.keyMilitia*t.keysAround(h)
		}
		return pick(t.urgent() || t.bold && float32(t.minutemen) > t.w.armsMM, t.w.urgentMilitia, t.w.earlyMilitia)
	}
	return 0
}

// attemptGain returns the mean worth of a build attempt in a hex with so many points.
func (t *situation) attemptGain(h, points int) float32 {
	built, unrest, riot := t.state.BuildChances(points, t.rebel, h)
	if !t.rebel {
		cost := pick(t.city[h], t.w.cityRiot, 0)
		return built*t.w.weakAgt - cost*riot - t.w.unrest*cost*unrest
	}
	cost := t.w.riotCost
	if net := t.at[h].net; net >= 0 && t.armyNear(h) {
		cost += t.worth(int(net)) * t.w.exposedNet
	}
	return built*t.w.buildGain - riot*cost - unrest*cost*t.w.unrest
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
func (t *situation) attemptAt(h int) float32 { return t.attemptGain(h, t.attemptPoints(h)) }

// attemptPoints returns the build points of the attempt that a hex can make, markers included.
func (t *situation) attemptPoints(h int) int {
	markers := min(1, int(t.p.Hand[t.me][minuteman.Organizer]))
	if t.rebel && t.at[h].net < 0 { // abroad a Minuteman tries alone (R29.6)
		return 1 + markers
	}
	return t.pointsAt(h) + markers
}

// abroad reports whether a Minuteman in a hex may build alone (R29.6).
func (t *situation) abroad(h int) bool {
	return t.state.Options().Neighbours && t.city[h] && t.state.Facts(h).Country != 0 && t.at[h].net < 0
}

// scoreBuild (D16, D62): attempt wherever that is worth it.
func (t *situation) scoreBuild(a engine.Action) float32 {
	switch a {
	case minuteman.Build:
		best, tried := float32(-1), minuteman.NoHex
		t.left = 0
		builders := t.state.Builders(t.me)
		for u := builders.Next(0); u >= 0; u = builders.Next(u + 1) {
			h := t.units[u].Hex
			if h == tried {
				continue
			}
			v := t.attemptAt(h)
			t.left += max(0, v)
			if tried = h; v > best {
				best, t.site = v, h
			}
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
	left := t.army + t.agents + t.cigs
	if t.rebel {
		left = t.nets + t.minutemen + t.militia
	}
	return t.rise && float32(left) <= t.w.few
}

// timeToRise reports whether to declare the Revolution: at the latest in the last turn
// in which it is possible; before that the passive plan waits until all counts of the
// victory are won with something to spare and the end is near, the violent one until
// it is stronger than the Army.
func (t *situation) timeToRise() bool {
	nets, minutemen, militia, army := float32(t.nets), float32(t.minutemen), float32(t.militia), float32(t.army)
	switch {
	case t.turn >= t.deadline:
		return true
	case t.bold:
		return militia > t.w.boldArms*army && nets > float32(t.cigs)+t.w.boldNets && minutemen > t.w.boldMM
	}
	return militia+t.w.reinforcements > army+t.w.spareMilitia && nets > float32(t.cigs)+t.w.spareNets &&
		minutemen > float32(t.agents)+t.w.spareMM && float32(t.turn) >= float32(t.turns)-t.w.lastTurns
}

// takesUpArms reports whether a Rebel follows the violent plan, which is the better one
// in every scenario (experiments/reports/0009-minuteman.md).
func (t *situation) takesUpArms() bool {
	switch {
	case t.plan != Auto:
		return t.plan == Violent
	case t.rise: // until the war is lost; then what is left had better live on
		return t.w.fightOn*float32(t.militia) >= float32(t.army)
	}
	return true
}
