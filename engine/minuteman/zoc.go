package minuteman

// controls implements R4.1 to R4.3, R4.2, R20.4 and R25.5: whether a unit controls its hex and
// those around it for the given team. CIGs and Army always do; Militia and Networks after the
// Revolution, and in Partisan Militia and Networks in a Riot.
func (g *game) controls(p *Position, u UnitID, side team) bool {
	switch x := &p.Units[u]; g.kind[u] {
	case network:
		return (p.RevTurn > 0 || g.Scenario == Partisan && g.riotAt(p, x.Hex)) && g.teamOf(p, u) == side
	case militia:
		return (p.RevTurn > 0 || g.Scenario == Partisan) && g.teamOf(p, u) == side
	case army:
		if x.Marks&rebelHeld == 0 {
			return side == governmentTeam
		}
		return p.team(g.owner(p, u)) == side
	case cig:
		return side == governmentTeam
	}
	return false
}

// centres returns the hexes with units that control what is around them for a team.
func (g *game) centres(p *Position, side team) hexSet {
	var set hexSet
	first := UnitID(netFirst)
	if p.RevTurn == 0 && g.Scenario != Partisan {
		first = armyFirst
	}
	for i := int(first) >> 6; i < len(p.OnMap); i++ {
		w := p.OnMap[i]
		if i == int(first)>>6 {
			w &^= 1<<(first&63) - 1
		}
		for ; w != 0; w &= w - 1 {
			if u := UnitID(i<<6 + trailing(w)); g.controls(p, u, side) {
				set.add(p.Units[u].Hex)
			}
		}
	}
	return set
}

// zone returns the hexes that units on the given team control. The zone of units in
// the hex except is left out, apart from that hex itself (R4.5); noHex leaves
// nothing out.
func (g *game) zone(p *Position, side team, except HexID) hexSet {
	var set hexSet
	centres := g.centres(p, side)
	if except != noHex && centres.has(except) {
		centres.del(except)
		set.add(except)
	}
	for i, w := range centres {
		for ; w != 0; w &= w - 1 {
			set.join(&g.hexes[i<<6+trailing(w)].around)
		}
	}
	return set
}

// controlled reports whether zone holds a hex, for which a look at what is around it will do.
func (g *game) controlled(p *Position, side team, h, except HexID) bool {
	x := &g.hexes[h].around
	for i, w := range x.bits {
		i += x.word
		for w &= p.Occupied[i]; w != 0; w &= w - 1 {
			at := HexID(i<<6 + trailing(w))
			if at == except && h != except {
				continue
			}
			for u := p.Head[at]; u != noUnit; u = p.Units[u].Next {
				if g.controls(p, u, side) {
					return true
				}
			}
		}
	}
	return false
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
