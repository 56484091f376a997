package minuteman

// zone implements R4.1 to R4.3, R4.2, R20.4 and R25.5: the hexes that units on the
// given team control. CIGs and Army always do; Militia and Networks after the
// Revolution, and in Partisan Militia and Networks in a Riot. The zone of units in
// the hex except is left out, apart from that hex itself (R4.5); noHex leaves
// nothing out.
func (g *game) zone(p *Position, side team, except HexID) hexSet {
	var set hexSet
	add := func(h HexID) {
		if h == except {
			set.add(h)
		} else {
			set.join(&g.hexes[h].around)
		}
	}
	if p.RevTurn > 0 || g.Scenario == Partisan {
		for u := p.OnMap.next(netFirst); u < mmFirst; u = p.OnMap.next(u + 1) {
			if h := p.Units[u].Hex; g.teamOf(p, u) == side && (p.RevTurn > 0 || g.riotAt(p, h)) {
				add(h)
			}
		}
		for u := p.OnMap.next(milFirst); u < armyFirst; u = p.OnMap.next(u + 1) {
			if g.teamOf(p, u) == side {
				add(p.Units[u].Hex)
			}
		}
	}
	for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if x := &p.Units[u]; x.Marks&rebelHeld == 0 && side == governmentTeam || x.Marks&rebelHeld != 0 && p.team(g.owner(p, u)) == side {
			add(x.Hex)
		}
	}
	if side == governmentTeam {
		for u := p.OnMap.next(cigFirst); u < numUnits; u = p.OnMap.next(u + 1) {
			add(p.Units[u].Hex)
		}
	}
	return set
}

// shielded implements R4.4: a friendly Militia or Army in a controlled hex opens it
// for retreats and supply.
func (g *game) shielded(p *Position, side team, h HexID) bool {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if (g.kind[u] == militia || g.kind[u] == army) && p.team(g.owner(p, u)) == side {
			return true
		}
	}
	return false
}
