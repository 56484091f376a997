package minuteman

import "powderkeg/engine/minuteman"

// Where a unit can get. The plan asks before it moves a unit, since there is no way
// back once one is chosen: a Front Line Division that cannot reach what it was meant
// for would be committed for nothing.

// beyond is the cost of a hex out of reach.
const beyond = 255

// Movement points (R8.4, R8.5, R17.2), and the price up to which a Minuteman risks
// no more than one face of the die (R8.3).
const (
	armyPoints    = 10
	agentPoints   = 10
	risenPoints   = 10
	militiaPoints = 8
	secretPoints  = 14
	freePrice     = 4
)

// explore finds what each hex costs a unit that moves by land, in t.cost.
func (t *situation) explore(u int) {
	t.learnZones()
	for _, h := range t.reached {
		t.cost[h] = beyond
	}
	from := t.units[u].Hex
	t.cost[from] = 0
	t.reached = append(t.reached[:0], int16(from))
	secret := u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia && !t.rise
	budget, terrain := pointsOf(u, secret)
	held := !secret && t.hostile.Has(from)
	var queue [4096]int16
	queue[0] = int16(from)
	for head, tail := 0, 1; head < tail; head++ {
		h := int(queue[head&4095])
		if h != from && !secret && t.hostile.Has(h) {
			continue // the Zone stops it (R4.3)
		}
		for _, x := range t.near[h] {
			n := int(x)
			if n == minuteman.NoHex || h == from && held && t.hostile.Has(n) || !t.isOpen.Has(n) {
				continue
			}
			step := 1
			switch {
			case secret:
				step = int(t.price[n])
			case terrain:
				step = t.state.MovePoints(n)
			}
			c := int(t.cost[h]) + step
			if c > budget || c >= int(t.cost[n]) || !secret && !t.room(u, n) {
				continue
			}
			if t.cost[n] == beyond {
				t.reached = append(t.reached, x)
			}
			t.cost[n] = uint8(c)
			queue[tail&4095] = x
			tail++
		}
	}
}

func pointsOf(u int, secret bool) (points int, terrain bool) {
	switch {
	case secret:
		return secretPoints, false
	case u < minuteman.FirstMilitia:
		return risenPoints, false
	case u < minuteman.FirstArmy:
		return militiaPoints, true
	case u < minuteman.FirstAgent:
		return armyPoints, true
	}
	return agentPoints, false
}

// room tells whether a unit may stand in a hex (R1.3, R1.7).
func (t *situation) room(u, h int) bool {
	s := &t.at[h]
	if s.total >= 6 {
		return false
	}
	switch {
	case u < minuteman.FirstMilitia:
		return s.minutemen < 3
	case u < minuteman.FirstArmy:
		return s.militia < 1 || s.militia < 3 && (t.rise || t.g.Scenario == partisan)
	case u < minuteman.FirstAgent:
		return s.army < 0 || t.units[u].Rebel
	}
	return s.agents < 3
}

// learnZones finds the enemy's Zones and the prices of Minutemen, once a decision.
func (t *situation) learnZones() {
	if t.zonesKnown {
		return
	}
	t.zonesKnown = true
	government, rebels := t.state.Zones()
	t.hostile, t.own = rebels, government
	if t.rebel && t.me != t.g.Federalized {
		t.hostile, t.own = government, rebels
	}
	if !t.rebel || t.rise {
		return
	}
	zone := [4]uint8{5, 3, 2, 1} // of Army, CIG, Agent, none (R8.3)
	switch t.g.Scenario {
	case partisan: // R25.9
		zone = [4]uint8{15, 10, 10, 0}
	case occupation: // R26.7
		zone = [4]uint8{10, 5, 5, 0}
	}
	for h := range t.price {
		t.price[h] = zone[3]
	}
	for _, x := range t.used {
		h := int(x)
		s := &t.at[h]
		price := uint8(0)
		switch {
		case s.army >= 0:
			price = zone[0]
		case s.cig >= 0:
			price = zone[1]
		case s.agents > 0:
			t.price[h] = max(t.price[h], zone[2])
		}
		if price > 0 {
			t.around(h, func(n int) { t.price[n] = max(t.price[n], price) })
		}
	}
}

// lost returns the chance that a Minuteman does not get through for a price within
// secretPoints (R8.3).
func lost(price uint8) float32 {
	if price <= freePrice {
		return 0
	}
	return 1. / 6
}

// flies tells whether an Agent may use Air or Rail (R17.2), with a Passage marker if
// need be. Army would not fight after it and stays on the ground.
func (t *situation) flies(u int) bool {
	if t.rebel || t.rise || u < minuteman.FirstAgent || u >= minuteman.FirstCIG || t.g.Scenario == partisan {
		return false
	}
	const passage = 3
	h := t.units[u].Hex
	return (t.g.AirRailHalves > 0 || t.g.Hand[t.me][passage] > 0) && t.state.Facts(h).Population > 0 && !t.at[h].rebels()
}

// assaults tells in which mode of R31 a Division may come from the air or from the
// sea; 0 if in none. Each is possible once a turn.
func (t *situation) assaults(u int) (air, sea bool) {
	if t.rebel || !t.rise || u < minuteman.FirstArmy || u >= minuteman.FirstAgent {
		return false, false
	}
	x := &t.units[u]
	f := t.state.Facts(x.Hex)
	air = t.g.AirAssault && x.Airborne
	sea = t.g.Amphibious && x.Marine && f.Coast && f.Population > 0
	for v := minuteman.FirstArmy; v < minuteman.FirstAgent && (air || sea); v++ {
		if y := &t.units[v]; y.Hex != minuteman.NoHex && y.Moved {
			air, sea = air && !y.Airborne, sea && !y.Marine
		}
	}
	return air, sea
}
