package minuteman

// hasZone implements R4.2, R20.4 and R25.5.
func (g *game) hasZone(p *position, u uint8) bool {
	switch g.kind[u] {
	case cig, army:
		return true
	case militia:
		return p.revTurn > 0 || g.partisan
	case network:
		return p.revTurn > 0 || g.partisan && g.riotAt(p, p.units[u].hex)
	}
	return false
}

// zone implements R4.1 to R4.3: the hexes that units on the given team control.
// The zone of units in the hex except is left out, apart from that hex itself
// (R4.5); noHex leaves nothing out.
func (g *game) zone(p *position, team uint8, except int16) hexSet {
	var set hexSet
	if (p.revTurn > 0 || g.partisan) && (team == 1 || p.fed != noSeat) {
		for u := uint8(netFirst); u < netFirst+numNets; u++ {
			g.addZone(p, u, team, except, &set)
		}
		for u := uint8(milFirst); u < armyFirst; u++ {
			g.addZone(p, u, team, except, &set)
		}
	}
	for u := uint8(armyFirst); u < agtFirst; u++ {
		g.addZone(p, u, team, except, &set)
	}
	if team == 0 {
		for u := uint8(cigFirst); u < numUnits; u++ {
			g.addZone(p, u, team, except, &set)
		}
	}
	return set
}

func (g *game) addZone(p *position, u, team uint8, except int16, set *hexSet) {
	h := p.units[u].hex
	switch {
	case h == noHex || p.team(g.owner(p, u)) != team || !g.hasZone(p, u):
	case h == except:
		set.add(h)
	default:
		set.join(&g.hexes[h].around)
	}
}

// shielded implements R4.4: a friendly Militia or Army in a controlled hex opens it
// for retreats and supply.
func (g *game) shielded(p *position, team uint8, h int16) bool {
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if (g.kind[u] == militia || g.kind[u] == army) && p.team(g.owner(p, u)) == team {
			return true
		}
	}
	return false
}
