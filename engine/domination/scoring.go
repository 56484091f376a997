package domination

import "powderkeg/engine/flow"

// score implements R9.2 and R9.3: all players score at the same time. In the last
// Game Turn window D16 is left out (R9.4, Q44).
func (g *game) score(p *Position, w *flow.Witness) bool {
	for i := range g.seats {
		forces, monopolies := g.scoreForces(p, i), g.scoreMonopolies(p, i, g.box.regionMonopolies(p, i))
		g.addVP(p, i, forces+monopolies)
		if w != nil {
			w.All("score", "R9.2", flow.Arg("seat", int(i)), flow.Arg("forces", int(forces)), flow.Arg("monopolies", int(monopolies)),
				flow.Arg("vp", int(p.VP[i])))
		}
	}
	p.Fog = 0
	p.Phase, p.Window = logisticsWindow, firstPlace(logisticsWindow)
	if p.Turn == g.turns {
		p.Phase, p.Window = logisticsStep, noWindow
	}
	return false
}

// addVP moves a VP token. The bound of R10.4 stops it nowhere in a game from the
// start; it keeps the VPs in range in positions that were loaded close to it.
func (g *game) addVP(p *Position, s SeatID, n uint16) {
	p.VP[s] = uint16(min(g.maxVP(), int(p.VP[s])+int(n)))
}

// scoreForces implements R9.2.
func (g *game) scoreForces(p *Position, s SeatID) uint16 {
	v, own := &g.box.scores, p.Own[s]
	full, struggling := own&p.Full, own&^p.Full
	return v.fullLand*uint16((full&landAreas).Size()) + v.strugglingLand*uint16((struggling&landAreas).Size()) +
		v.fullSea*uint16((full&seaAreas).Size()) + v.strugglingSea*uint16((struggling&seaAreas).Size())
}

// scoreMonopolies implements R9.3 for a number of Region monopolies, and R8.4 where a Fog
// of War denies them.
func (g *game) scoreMonopolies(p *Position, s SeatID, regions int) uint16 {
	if p.Denied(s) {
		return 0
	}
	return g.box.scores.regionMonopoly * uint16(regions)
}

// Denied implements R8.4: another player's Fog of War is in force.
func (p *Position) Denied(s SeatID) bool { return p.Fog&^(1<<s) != 0 }

// deniable implements R8.4 and Q26: some player other than s controls a Region monopoly
// whose VPs are not denied yet.
func (g *game) deniable(p *Position, s SeatID) bool {
	for i := range g.seats {
		if i != s && !p.Denied(i) && g.box.regionMonopolies(p, i) > 0 {
			return true
		}
	}
	return false
}

// moveLogistics implements R9.5.
func (g *game) moveLogistics(p *Position, w *flow.Witness) bool {
	for i := range g.seats {
		gain := g.box.scores.resourceMonopoly * uint8(g.box.resourceMonopolies(p, i))
		before := p.Logistics[i]
		p.Logistics[i] = min(g.maxLogistics, before+gain)
		if w != nil && gain > 0 {
			g.tellLogistics(p, w, i, int(p.Logistics[i]-before), "R9.5")
		}
	}
	p.Phase = endOfGameTurn
	return false
}

// tellLogistics tells how far the Logistical token of a seat has moved.
func (g *game) tellLogistics(p *Position, w *flow.Witness, s SeatID, change int, rule string) {
	w.All("logistics", rule, flow.Arg("seat", int(s)), flow.Arg("change", change), flow.Arg("logistics", int(p.Logistics[s])))
}

// winners implements R10.2 and Q31: those with the most VPs at the end, none before.
func (g *game) winners(p *Position) SeatSet {
	if p.Phase != over {
		return 0
	}
	set, most := SeatSet(0), uint16(0)
	for i := range g.seats {
		switch vp := p.VP[i]; {
		case set == 0 || vp > most:
			set, most = 1<<i, vp
		case vp == most:
			set |= 1 << i
		}
	}
	return set
}
