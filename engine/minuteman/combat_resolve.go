package minuteman

// combatRoll implements R10.10 to R10.13 (C9).
func (g *game) combatRoll(p *position, die int) {
	c := &p.combat
	d := g.defenders(p)
	r := g.cell(c.kind, max(0, die+g.dieModifier(p, c.kind, c.target)), g.combatColumn(p, &d, truth))
	switch c.kind {
	case military:
		g.militaryResult(p, r)
	case infiltration:
		g.infiltrationResult(p, r)
	case subversion:
		g.subversionResult(p, r)
	case sedition:
		g.seditionResult(p, r)
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
	}
	g.endCombat(p)
}

// seditionResult implements R10.13 and R25.4 (U counts as R).
// Ruling 19: the loss of a step without a retreat.
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
	g.leaves(p, u)
	c.attackers.del(u)
	c.defenders.del(u)
	c.pending.del(u)
	g.eliminate(p, u)
}

// leaves notes the hex that a unit is about to leave for the advance (R11.4), and
// where it is a CIG or Army of the Government for R20.8.
func (g *game) leaves(p *position, u uint8) {
	c := &p.combat
	at := uint8(1) << max(g.around(c.target, p.units[u].hex), 0)
	c.vacated |= at
	if g.kind[u] == cig || g.kind[u] == army && !g.isRebel(p, u) {
		c.bared |= at
	}
}

func (c *combat) winners() *unitSet {
	if c.attackerLoses {
		return &c.defenders
	}
	return &c.attackers
}

func (g *game) eliminateLosers(p *position) {
	set := g.suffering(p, p.combat.attackerLoses)
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		g.lose(p, u)
	}
}

// afterLosses implements R20.8 and begins the advance (R11.4): hexes that are not
// vacant now are no aim of one. Agents that retreat with the Army have left.
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
		if c.bared>>i&1 != 0 {
			g.expose(p, h)
		}
		if p.head[h] != noUnit {
			c.vacated &^= 1 << i
		}
	}
	g.sweep(p)
	c.stage, c.passed, p.part, p.lastHex, p.lastClass = combatAdvance, 0, 0, 0, 0
}
