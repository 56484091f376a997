package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// riotStep implements R7.1, R20.9, R25.7 and R29.5 for one Riot hex.
// Ruling 8: an underground Network takes part.
// Ruling 13: after the Revolution only real Riots give free builds.
func (g *game) riotStep(p *Position, w *flow.Witness, h HexID) bool {
	net := g.first(p, network, h)
	seat := g.riotSeat(p, h, net)
	if seat == noSeat {
		return false
	}
	if seat == tied {
		p.RiotsToDo.add(g.hexes[h].city) // asked again when the lot is cast
		return p.chance(askTie)
	}
	b := Attempt{Seat: seat, Builder: net, Hex: h, Free: true}
	rule := "R7.1"
	switch {
	case g.hexes[h].country != us && g.Scenario != Occupation:
		return false
	case p.RevTurn > 0:
		rule = "R20.9"
	case g.Scenario == Partisan:
		rule = "R25.7"
	case net == noUnit:
		g.newNetwork(p, w, rule, seat, h)
		return false
	default:
		near := g.adjacentCities(p, h)
		var open citySet
		spread := false
		for _, n := range near {
			if n != noCity {
				spread = spread || !p.RiotsBefore.has(n)
				if !p.Riot.has(n) {
					open.add(n)
				}
			}
		}
		if spread {
			if open.empty() {
				return false
			}
			b.Stage = buildSpreadDie
			p.Build = b
			return false
		}
	}
	b.Stage, b.NewNet = buildResult, g.newNetworkFree(p, h)
	if p.Build = b; w != nil {
		w.All("free_build", rule, seatArg(seat), g.hexArg(h))
	}
	return false
}

// newNetworkFree implements R20.9 and R25.7: whether a free build in a hex can be a
// Network; before the Revolution it can be one in Partisan only.
func (g *game) newNetworkFree(p *Position, h HexID) bool {
	in := g.look(p, h)
	if g.Scenario == Partisan {
		return !in.rebel
	}
	return p.RevTurn > 0 && in.count[network] == 0
}

// adjacentCities returns the adjacent Population I hexes to which Riots spread
// (R7.1, R26.4, R29.5), noCity in the other places.
func (g *game) adjacentCities(p *Position, h HexID) (near [6]CityID) {
	for i, n := range g.hexes[h].near {
		near[i] = noCity
		if n != noHex && g.hexes[n].pop == 1 && g.open.has(n) && (g.Scenario == Occupation || g.hexes[n].country == us) {
			near[i] = g.hexes[n].city
		}
	}
	return near
}

// extraRiotRule is the rule by which a scenario has extra Riots.
func (g *game) extraRiotRule() string {
	if g.Scenario == Partisan {
		return "R25.7"
	}
	return "R26.5"
}

// extraRiots implements R25.7 and R26.5 (D14).
func (g *game) extraRiots(p *Position) hexSet {
	var set hexSet
	for c := range CityID(numCities) {
		h := g.cityHex[c]
		if p.Riot.has(c) || !g.open.has(h) || h < p.LastHex || p.RevTurn > 0 && g.first(p, network, h) != noUnit {
			continue
		}
		ok := g.sc.ExtraRiots > 0
		for _, n := range g.hexes[h].near {
			if !ok && n != noHex && g.sc.BesideRiots > 0 {
				c := g.look(p, n)
				ok = c.count[network] > 0 && c.count[minuteman] > 0
			}
		}
		set.put(h, ok)
	}
	return set
}

// spreadDie implements C5 and R7.1: as many Riots as the die gives, no more than
// there are hexes.
func (g *game) spreadDie(p *Position, w *flow.Witness, die int) {
	n := 0
	for _, c := range g.adjacentCities(p, p.Build.Hex) {
		if c != noCity && !p.Riot.has(c) {
			n++
		}
	}
	p.Build.Spread = uint8(min(int(g.Spread.Cells[die]), n))
	if w != nil {
		w.All("spread", "R7.1", g.hexArg(p.Build.Hex), number("number", p.Build.Spread))
	}
	p.LastHex = 0
	p.Build.Stage = buildSpread
	if p.Build.Spread == 0 {
		p.Build = Attempt{}
	}
}

// chooseRemoveRiot implements R25.7 (D13).
func (g *game) chooseRemoveRiot(p *Position, w *flow.Witness, a engine.Action) {
	if a == actYes {
		g.endRiot(p, w, "R25.7", p.Build.Hex)
	}
	g.endAttempt(p, w)
}
