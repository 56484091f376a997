package minuteman

import "powderkeg/engine/minuteman"

// scoreHex values a hex token in the decision at hand.
func (t *situation) scoreHex(h int) float32 {
	switch t.state.Decision() {
	case minuteman.DecidesArmy, minuteman.DecidesBrigade, minuteman.DecidesLeave:
		return t.scoreGarrison(h)
	case minuteman.DecidesStarting, minuteman.DecidesReactPlace:
		return t.scoreCordon(h)
	case minuteman.DecidesExtra, minuteman.DecidesAugment, minuteman.DecidesArrival, minuteman.DecidesConsolation:
		return float32(t.dense[h]) + t.w.arrivalKey*t.keysAround(h) - pick(t.armyNear(h), t.w.arrivalArmy, 0)
	case minuteman.DecidesSpread:
		return t.riotGain(h)
	case minuteman.DecidesExtraRiot:
		return t.riotGain(h) + 1 // better than DONE
	case minuteman.DecidesBuild, minuteman.DecidesGovBuild:
		return t.attemptAt(h)
	case minuteman.DecidesMove, minuteman.DecidesGovMove:
		return pick(t.mover >= 0 && t.units[t.mover].Hex == h, 1, 0)
	case minuteman.DecidesDestination, minuteman.DecidesGovDestination:
		return t.scoreDestination(h)
	case minuteman.DecidesTarget:
		return t.scoreTarget(h)
	case minuteman.DecidesAttackers:
		if t.pledged() {
			return 1
		}
		return pick(t.join >= 0 && t.units[t.join].Hex == h, 1, 0)
	case minuteman.DecidesAssassination:
		return t.scoreVictim(h)
	case minuteman.DecidesRetreat, minuteman.DecidesRetreatZone:
		return t.scoreRefuge(h) + 10 // better than DONE, which eliminates
	case minuteman.DecidesReinforce:
		return t.scoreReinforcement(h)
	case minuteman.DecidesLoss, minuteman.DecidesHalf:
		return -t.leastWorth(h)
	}
	return 0
}

// scoreGarrison (D1, D3, D70): Army where cities are close together, and in each city
// that decides.
func (t *situation) scoreGarrison(h int) float32 {
	value := float32(t.dense[h])
	if t.at[h].army < 0 {
		value += t.w.garrisonKey * t.share(h)
	}
	return value
}

// scoreReinforcement (D69): a Division by a CIG that has prey about it, Militia where
// they are strongest together.
func (t *situation) scoreReinforcement(h int) float32 {
	if t.rebel {
		s := &t.at[h]
		return 2 + float32(s.militia) + t.w.reinforceMM*float32(s.minutemen) - pick(t.armyNear(h), t.w.reinforceArmy, 0)
	}
	return 2 + float32(t.dense[h])
}

// scoreRefuge (D48, D49): a retreat goes where friends are and enemies are not.
func (t *situation) scoreRefuge(h int) float32 {
	value := float32(0)
	t.around(h, func(n int) {
		s := &t.at[n]
		if t.rebel {
			value -= pick(s.army >= 0, t.w.refugeArmy, 0) + t.w.refugeAgt*float32(s.agents) + pick(s.cig >= 0, t.w.refugeCIG, 0)
		} else {
			value -= t.w.refugeMilitia*float32(s.militia) + pick(s.net >= 0, t.w.refugeNet, 0)
		}
	})
	return value
}

// scoreVictim (D32): the hex with the best victim.
func (t *situation) scoreVictim(h int) float32 {
	best := t.w.victim
	if t.state.Informer(h) && t.at[h].net >= 0 {
		best = t.w.informer
	}
	t.state.UnitsIn(h, func(u int) {
		if t.rebel == (u >= minuteman.FirstAgent && u < minuteman.FirstCIG) && (t.rebel || u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia) {
			best = max(best, t.worth(u))
		}
	})
	if t.at[h].net >= 0 {
		best += t.w.victimNet
	}
	return best
}

// leastWorth returns what the least of the own units in a hex is worth.
func (t *situation) leastWorth(h int) float32 {
	least := float32(100)
	t.state.UnitsIn(h, func(u int) {
		if t.p.Combat.Attackers.Has(u) {
			least = min(least, t.worth(u))
		}
	})
	return least
}
