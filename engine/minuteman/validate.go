package minuteman

// Check implements flow.Rules. It checks every limit of the rules that holds between any two decisions
// (R1.3 to R1.7, R3.1, R19): counters on the map plus counters in their piles are
// the counter sheet because every unit is a counter and is in one place.
func (g *game) Check(p *Position) error {
	seen := 0
	for h := range HexID(numHexes) {
		var c [numKinds]int
		n, armies := 0, [2]int{}
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			if p.Units[u].Hex != h {
				return wrong("%s is listed in %s and stands elsewhere", g.name[u], g.hexes[h].id)
			}
			if n++; n > hexLimit {
				return wrong("%s holds more than %d units (R1.7)", g.hexes[h].id, hexLimit)
			}
			k := g.kind[u]
			c[k]++
			if k == army {
				armies[b2u(p.Units[u].Marks&rebelHeld != 0)]++
			}
			if err := g.validateUnit(p, u); err != nil {
				return err
			}
		}
		seen += n
		if p.Occupied.has(h) != (n > 0) {
			return wrong("%s is not marked as it is occupied", g.hexes[h].id)
		}
		for k, n := range c {
			limit := g.limit(p, kind(k))
			if kind(k) == militia && !p.Original { // R28.8: a stack may stay
				limit = 3
			}
			if kind(k) == army {
				n, limit = max(armies[0], armies[1]), 1 // of each side (Ruling 23)
			}
			if n > limit {
				return wrong("%s holds %d units of kind %s, at most %d (R1.3, R1.7)", g.hexes[h].id, n, kindNames[k], limit)
			}
		}
		if p.Unrest.has(h) && (g.riotAt(p, h) || !g.playable.has(h)) {
			return wrong("%s can not hold an Unrest: it has a Riot or is off the map (R1.5, R3.1)", g.hexes[h].id)
		}
	}
	for u := range p.Units {
		if p.Units[u].Hex != noHex {
			seen--
		}
		if p.OnMap.has(UnitID(u)) != (p.Units[u].Hex != noHex) {
			return wrong("%s is not marked as it stands on the map", g.name[u])
		}
	}
	if seen != 0 {
		return wrong("units stand in hexes that do not list them")
	}
	for i, set := range [2]*citySet{&p.Riot, &p.Informer} {
		for c := set.next(0); c != noCity; c = set.next(c + 1) {
			if !g.playable.has(g.cityHex[c]) {
				return wrong("%s: %s is off the map of this scenario (R3.1)", [2]string{"riots", "informers"}[i], g.hexes[g.cityHex[c]].id)
			}
		}
	}
	if n := p.Informer.count(); n > numInf {
		return wrong("%d Informers, there are %d (R1.3)", n, numInf)
	}
	return g.validateCounters(p)
}

// validateUnit checks one unit.
func (g *game) validateUnit(p *Position, u UnitID) error {
	x := &p.Units[u]
	h := &g.hexes[x.Hex]
	k := g.kind[u]
	if !g.playable.has(x.Hex) {
		return wrong("%s stands in %s, which is off the map of this scenario (R3.1)", g.name[u], h.id)
	}
	if (k == militia || k == army) && !g.inPlay(g.groupOf(p, u)) {
		return wrong("%s stands in %s, but counters of %s are not in this game (R22.3)", g.name[u], h.id, groupNames[g.groupOf(p, u)])
	}
	if g.Seats > 2 && int(g.colour[u]) >= g.Seats {
		return wrong("%s has the colour of nobody in a game of %d players (R28.1)", g.name[u], g.Seats)
	}
	if k == network && h.pop != 1 {
		return wrong("%s stands in %s, which is no Population I hex (R7.1, R22.1)", g.name[u], h.id)
	}
	if k == network && h.country != us && g.Scenario != Occupation {
		return wrong("%s stands in %s: there are no Networks in Canada and Mexico (R29.5)", g.name[u], h.id)
	}
	if g.Scenario == Partisan && h.front && x.Marks&frontLine == 0 {
		return wrong("%s stands in %s, where only the Divisions of the Front Line are (R25.1, R25.11)", g.name[u], h.id)
	}
	if x.Marks&rebelHeld != 0 && k == army && g.groupOf(p, u) < foreign {
		return wrong("%s is held by the Rebel: only Foreign Divisions and Brigades can be (R29.2, R30.1)", g.name[u])
	}
	if x.Marks&underground != 0 && (k > minuteman || p.RevTurn > 0) {
		return wrong("%s is underground (R6.1, R20.2)", g.name[u])
	}
	if x.Marks&(rebelHeld|pinned|frontLine) != 0 && k != army || x.Marks&untried != 0 && k != army && k != militia {
		return wrong("%s bears a mark that its kind never has (R2)", g.name[u])
	}
	if x.Marks&rebelHeld != 0 && g.Seats > 2 && (p.Foreign.Seat == noSeat || p.Foreign.Seat == p.Gov) {
		return wrong("%s is held by a Rebel, but none has called Foreign Divisions (R28.11)", g.name[u])
	}
	return nil
}

// inPlay implements R22.3, R26.4, R29 and R30: whether a game has counters of a
// group. Security Divisions are no option: any position may hold them.
func (g *game) inPlay(gr group) bool {
	switch gr {
	case canadianMilitia, mexicanMilitia:
		return g.Neighbours || g.Scenario == Occupation
	case canadianBrigade, mexicanBrigade:
		return g.Neighbours
	case foreign:
		return g.Foreign
	}
	return true
}

// validateCounters checks the counters of Militia and Army (R1.6, R19): each in
// one place, of the slot's kind, and among those that an untried unit can be.
func (g *game) validateCounters(p *Position) error {
	var used [numMasked]bool
	take := func(c CounterID) error {
		if int(c) >= numMasked || used[c] {
			return wrong("a counter of Militia or Army is in two places (R1.6)")
		}
		used[c] = true
		return nil
	}
	for i, c := range p.Counter {
		u := UnitID(milFirst + i)
		if p.Units[u].Hex == noHex {
			continue
		}
		if err := take(c); err != nil {
			return err
		}
		gr := g.masked[c].group
		if !g.inBlock(u, gr) {
			return wrong("%s can not be the counter %s (R1.3)", g.name[u], g.masked[c].id)
		}
		hidden := p.Units[u].Marks&untried != 0
		if hidden && p.Cand[i]>>(c-g.groupFirst[gr])&1 == 0 || !hidden && p.Cand[i] != 0 {
			return wrong("%s: can_be does not agree with its counter (R19)", g.name[u])
		}
		if open := g.openCounters(p, gr); p.Cand[i]&open != 0 {
			return wrong("%s: can_be names a counter that lies revealed (R19)", g.name[u])
		}
	}
	for _, c := range p.Queue[:p.Queued] {
		if err := take(c); err != nil {
			return err
		}
		if !queuedGroups.has(g.masked[c].group) {
			return wrong("set_up.queue: %s is no Division of the US, only these are drawn before they are placed (R22.1)", g.masked[c].id)
		}
	}
	return nil
}
