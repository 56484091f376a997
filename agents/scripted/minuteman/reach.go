package minuteman

import "powderkeg/engine/minuteman"

// Where a unit can get. The plan asks before it moves a unit, since there is no way
// back once one is chosen: a Front Line Division that cannot reach what it was meant
// for would be committed for nothing.

// beyond is the cost of a hex out of reach.
const beyond = 255

// dearest is the price up to which a Minuteman before the Revolution risks no more than
// one face of the die (R8.3).
const dearest = 14

// secret reports whether a unit moves in secret, by a price and a die (R8.3).
func (t *situation) secret(u int) bool {
	return u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia && !t.rise
}

// explore finds where a unit can get by land: t.cost is the price of its way, and beyond
// where it cannot get.
func (t *situation) explore(u int) {
	for _, h := range t.reached {
		t.cost[h] = beyond
	}
	t.reached = t.reached[:0]
	if t.secret(u) {
		t.state.WayPrices(u, &t.prices)
		for h, price := range t.prices {
			if price <= dearest {
				t.cost[h] = uint8(price)
				t.reached = append(t.reached, int16(h))
			}
		}
		return
	}
	ends := t.state.Reach(u)
	for h := ends.Next(0); h != minuteman.NoHex; h = ends.Next(h + 1) {
		t.cost[h] = 0
		t.reached = append(t.reached, int16(h))
	}
}

// radius is as far as a unit can get at most.
func (t *situation) radius(u int) int {
	if t.secret(u) {
		return dearest
	}
	return t.state.Allowance(u)
}

// learnZones finds the Zones of both sides, once a decision.
func (t *situation) learnZones() {
	if t.zonesKnown {
		return
	}
	t.zonesKnown = true
	government, rebels := t.state.Zones()
	t.hostile, t.own = rebels, government
	if t.rebel && t.me != int(t.p.Fed) {
		t.hostile, t.own = government, rebels
	}
}

// lost returns the chance that a Minuteman does not get through for a price (R8.3).
func (t *situation) lost(price uint8) float32 {
	success, _, _ := t.state.JourneyChances(int(price))
	return 1 - success
}

// flies reports whether an Agent may use Air or Rail (R17.2), with a Passage marker if
// need be. Army would not fight after it and stays on the ground.
func (t *situation) flies(u int) bool {
	if t.rebel || u < minuteman.FirstAgent || u >= minuteman.FirstCIG {
		return false
	}
	return (t.p.AirRail > 0 || t.p.Hand[t.me][minuteman.Passage] > 0) && t.state.TakenByRail(u)
}

// assaults reports in which modes of R31 an own Division may come now.
func (t *situation) assaults(u int) (air, sea bool) {
	if t.rebel {
		return false, false
	}
	return t.state.Assaults(u)
}
