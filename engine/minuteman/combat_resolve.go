package minuteman

// attackStrength implements R10.5, R10.6, R20.6, R25.5 and R30.1: the attack total
// of the attack under way.
func (g *game) attackStrength(p *position) int {
	c := &p.combat
	total := 0
	for i := -1; i < 6; i++ {
		h := c.target
		if i >= 0 {
			h = g.hexes[c.target].near[i]
		}
		if h != noHex {
			total += g.strengthFrom(p, h)
		}
	}
	if p.team(c.seat) == 0 && g.informerAt(p, c.target) && !c.defenders.empty() {
		total *= 2
	}
	if c.betrayed {
		total *= 2
	}
	return total
}

// strengthFrom is what the attackers of one hex add.
func (g *game) strengthFrom(p *position, h int16) int {
	c := &p.combat
	militiaSum, armySum, other := 0, 0, 0
	doubled := false
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == network || g.kind[u] == minuteman {
			doubled = true
		}
		if !c.attackers.has(u) {
			continue
		}
		switch n := g.attackOf(p, u); g.kind[u] {
		case militia:
			militiaSum += n
		case army:
			if c.ruthless && !g.isRebel(p, u) {
				n *= 2
			}
			armySum += n
		case minuteman:
			if g.strongest(p, &c.attackers, h) == u {
				other += n
			}
		default:
			other += n
		}
	}
	if c.kind != military {
		return other
	}
	if doubled && (p.revTurn > 0 || g.sc.MilitiaDoubled) {
		militiaSum *= 2
	}
	if p.revTurn == 0 { // support, summed and halved hex by hex (RU27)
		other /= 2
	}
	return militiaSum + armySum + other
}

// defenceStrength implements R10.4 and R20.6.
func (g *game) defenceStrength(p *position) int {
	c := &p.combat
	main, other := 0, 0
	for u := p.head[c.target]; u != noUnit; u = p.units[u].next {
		if !c.defenders.has(u) {
			continue
		}
		switch n := g.defenceOf(p, u); g.kind[u] {
		case militia, army:
			main += n
		case minuteman:
			if g.strongest(p, &c.defenders, c.target) == u {
				other += n
			}
		default:
			other += n
		}
	}
	whole := c.kind == infiltration || p.revTurn > 0 || c.victim != p.gov && c.exposed
	if !whole {
		other /= 2
	}
	total := main + other
	if c.riot {
		total += g.riotDefence(p)
	}
	if c.informer {
		total += int(g.sc.InformerDefence)
	}
	return total
}

// riotDefence implements R10.4, R20.7, R25.5 and R26.3.
func (g *game) riotDefence(p *position) int {
	const risen = 3 // R20.7
	n := int(g.sc.RiotDefence)
	if p.revTurn > 0 {
		n = max(n, risen)
	}
	return n
}

// dieModifier implements R10.12 and R10.13: 1 is taken off if an Agent or CIG
// stands in the hex.
func (g *game) dieModifier(p *position) int {
	c := &p.combat
	if c.kind < subversion {
		return 0
	}
	if in := g.look(p, c.target); in.count[agent]+in.count[cig] > 0 {
		return -1
	}
	return 0
}

// combatColumn returns the column of the attack under way. R10.14: terrain counts in
// Military combat alone.
func (g *game) combatColumn(p *position) int {
	c := &p.combat
	a := g.attackStrength(p)
	switch c.kind {
	case military:
		side := 0
		if c.victim == p.gov {
			side = 1
		}
		place := int(g.hexes[c.target].terrain)
		if g.hexes[c.target].pop == 1 {
			place = int(numTerrains)
		}
		return oddsColumn(g.militaryOdds[g.militaryLine[side][place]][:], a, g.defenceStrength(p))
	case infiltration:
		return oddsColumn(g.infiltrationOdds[:], a, g.defenceStrength(p))
	case sedition:
		a += int(g.sc.SeditionShift)
	}
	return max(0, min(a, 7)-1)
}

// combatRoll implements R10.10 to R10.13 (C9).
func (g *game) combatRoll(p *position, die int) {
	c := &p.combat
	col := g.combatColumn(p)
	die = max(0, die+g.dieModifier(p))
	switch c.kind {
	case military:
		g.militaryResult(p, g.tables.military[die][col])
	case infiltration:
		g.infiltrationResult(p, g.tables.infiltration[die][col])
	case subversion:
		g.subversionResult(p, g.tables.subversion[die][col])
	case sedition:
		g.seditionResult(p, g.tables.sedition[die][col])
	}
}

// militaryResult implements R10.10.
func (g *game) militaryResult(p *position, r result) {
	c := &p.combat
	if r == rAe && !g.sc.AeStays && g.armyAgainstNoMilitia(p) {
		r = rAr
	}
	if r == rDr || r == rDe {
		if c.riot && g.hexes[c.target].city != noCity {
			p.riot.del(g.hexes[c.target].city)
		}
	}
	c.attackerLoses = r == rAe || r == rAr
	if r == rAe || r == rDe {
		g.eliminateLosers(p)
		g.afterLosses(p)
		return
	}
	g.startRetreat(p)
}

// armyAgainstNoMilitia tells whether Government Army attacked a hex where no
// Militia, nor an Army as one (R30.1), defends.
func (g *game) armyAgainstNoMilitia(p *position) bool {
	c := &p.combat
	if c.seat != p.gov || c.attackers.next(armyFirst) >= agtFirst {
		return false
	}
	return c.defenders.next(milFirst) >= agtFirst
}

// infiltrationResult implements R10.11.
func (g *game) infiltrationResult(p *position, r result) {
	c := &p.combat
	c.attackerLoses = r == rAe || r == rA1
	switch r {
	case rAe, rDe:
		g.eliminateLosers(p)
		if c.informer && r == rDe {
			g.loseInformer(p)
		}
		g.afterLosses(p)
	case rA1, rD1:
		c.stage, p.part, c.retreats = combatLoss, 0, true
	default:
		g.endCombat(p)
	}
}

// loseInformer removes the Informer that defended.
func (g *game) loseInformer(p *position) {
	p.informer.del(g.hexes[p.combat.target].city)
	p.combat.informer = false
}

// subversionResult implements R10.12, R25.6 and R26.3.
func (g *game) subversionResult(p *position, r result) {
	c := &p.combat
	u := c.defenders.next(armyFirst)
	if r == rConvert && g.sc.ConvertIsPin {
		r = rPin
	}
	if r == rPin && p.units[u].marks&pinned != 0 {
		r = rConvert
	}
	switch r {
	case rAe:
		c.attackerLoses = true
		g.eliminateLosers(p)
	case rhAe:
		c.left = uint8(c.attackers.count() / 2)
		if c.left > 0 {
			c.stage, p.part, p.lastHex, p.lastClass = combatHalf, 0, 0, 0
			return
		}
	case rPin:
		p.units[u].marks |= pinned
	case rConvert:
		h := p.units[u].hex
		g.eliminate(p, u)
		if groups := g.militiaGroups(p, c.seat, h); !g.sc.SecondPinKills && groups != 0 && g.roomFor(p, militia, false, h) > 0 {
			p.draw = draw{groups: groups, hex: h, ask: askMilitia}
		}
		g.expose(p, h)
	}
	g.endCombat(p)
}

// seditionResult implements R10.13 and R25.4 (U counts as R).
func (g *game) seditionResult(p *position, r result) {
	c := &p.combat
	if r == rUnrest && g.sc.UnrestIsRiot {
		r = rRiot
	}
	switch r {
	case rA1:
		c.attackerLoses = true
		c.stage, p.part, c.retreats = combatLoss, 0, false
		return
	case rUnrest:
		g.addUnrest(p, c.target)
	case rRiot:
		g.addRiot(p, c.target)
	}
	g.endCombat(p)
}

// loseHalf implements R10.12 (hAe): the owner picks who is eliminated.
func (g *game) loseHalf(p *position, cl class) {
	c := &p.combat
	set := g.halfSet(p)
	u := g.find(p, &set, p.selHex, cl)
	p.lastHex, p.lastClass = p.selHex, uint8(cl)
	c.attackers.del(u)
	g.eliminate(p, u)
	if c.left--; c.left == 0 {
		g.endCombat(p)
	}
}

// loseStep implements R10.11 and R10.13: one step, then the survivors retreat.
func (g *game) loseStep(p *position, cl class) {
	c := &p.combat
	if cl == anInformer {
		g.loseInformer(p)
		g.startRetreat(p)
		return
	}
	set := g.losses(p)
	u := g.find(p, &set, p.selHex, cl)
	low := uint8(0)
	if g.kind[u] == cig {
		low = 1
	}
	if p.units[u].step > low && g.kind[u] != militia && g.kind[u] != army {
		p.units[u].step--
	} else {
		g.lose(p, u)
	}
	if !c.retreats {
		g.endCombat(p)
		return
	}
	g.startRetreat(p)
}

// lose eliminates a participant and notes its hex (R11.4).
func (g *game) lose(p *position, u uint8) {
	c := &p.combat
	c.vacated |= 1 << max(g.around(c.target, p.units[u].hex), 0)
	c.attackers.del(u)
	c.defenders.del(u)
	c.pending.del(u)
	g.eliminate(p, u)
}

// losers is the set of participants of the losing side.
func (c *combat) losers() *unitSet {
	if c.attackerLoses {
		return &c.attackers
	}
	return &c.defenders
}

func (c *combat) winners() *unitSet {
	if c.attackerLoses {
		return &c.defenders
	}
	return &c.attackers
}

func (g *game) eliminateLosers(p *position) {
	set := *p.combat.losers()
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		g.lose(p, u)
	}
}

// afterLosses implements R20.8 and begins the advance (R11.4): hexes that are not
// vacant now are no aim of one.
func (g *game) afterLosses(p *position) {
	c := &p.combat
	for i := range 7 {
		h := c.target
		if i > 0 {
			h = g.hexes[c.target].near[i-1]
		}
		if h == noHex {
			continue
		}
		if c.vacated>>i&1 != 0 {
			g.expose(p, h)
		}
		if p.head[h] != noUnit {
			c.vacated &^= 1 << i
		}
	}
	g.sweep(p)
	c.stage, p.part, p.lastHex, p.lastClass = combatAdvance, 0, 0, 0
}
