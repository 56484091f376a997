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
	rebels := p.revTurn > 0 || g.partisan
	if rebels {
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
	for u := uint8(cigFirst); u < numUnits; u++ {
		g.addZone(p, u, team, except, &set)
	}
	return set
}

func (g *game) addZone(p *position, u, team uint8, except int16, set *hexSet) {
	h := p.units[u].hex
	if h == noHex || p.team(g.owner(p, u)) != team || !g.hasZone(p, u) {
		return
	}
	set.add(h)
	if h == except {
		return
	}
	for _, n := range g.hexes[h].near {
		if n != noHex {
			set.add(n)
		}
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
