package minuteman

import "powderkeg/engine/flow"

// combatRoll implements R10.10 to R10.13 (C9).
func (g *game) combatRoll(p *position, w *flow.Witness, die int) {
	c := &p.combat
	d := g.defenders(p)
	column := g.combatColumn(p, &d, truth)
	table := g.cell(c.kind, max(0, die+g.dieModifier(p, c.kind, c.target)), column)
	u := c.defenders.next(armyFirst)
	r := g.meaning(c.kind, table, g.armyAgainstNoMilitia(p), u < agtFirst && p.units[u].marks&pinned != 0)
	if w != nil {
		g.tellBattle(p, w, &d, die, column, table, r)
	}
	switch c.kind {
	case military:
		g.militaryResult(p, w, r)
	case infiltration:
		g.infiltrationResult(p, w, r)
	case subversion:
		g.subversionResult(p, w, r)
	case sedition:
		g.seditionResult(p, w, r)
	}
}

// meaning implements R10.10, R10.12, R25.4, R25.6 and R26.3: what a result of a table
// means in an attack of Army where no Militia defends (armyAlone), and on a Division
// that is pinned already.
func (g *game) meaning(k attackKind, r result, armyAlone, pinned bool) result {
	switch {
	case r == rAe && k == military && !g.sc.AeStays && armyAlone:
		return rAr
	case r == rPin || r == rConvert && g.sc.ConvertIsPin:
		if pinned {
			return rConvert
		}
		return rPin
	case r == rUnrest && g.sc.UnrestIsRiot:
		return rRiot
	}
	return r
}

// militaryResult implements R10.10.
func (g *game) militaryResult(p *position, w *flow.Witness, r result) {
	c := &p.combat
	if (r == rDr || r == rDe) && c.riot && g.riotAt(p, c.target) {
		g.endRiot(p, w, "R10.10", c.target)
	}
	c.attackerLoses = r == rAe || r == rAr
	if r == rAe || r == rDe {
		g.eliminateLosers(p, w, "R10.10")
		g.afterLosses(p, w)
		return
	}
	g.startRetreat(p, w)
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
func (g *game) infiltrationResult(p *position, w *flow.Witness, r result) {
	c := &p.combat
	c.attackerLoses = r == rAe || r == rA1
	switch r {
	case rAe, rDe:
		g.eliminateLosers(p, w, "R10.11")
		if c.informer && r == rDe {
			g.loseInformer(p, w)
		}
		g.afterLosses(p, w)
	case rA1, rD1:
		c.stage, p.part, c.retreats = combatLoss, 0, true
	default:
		g.endCombat(p)
	}
}

// loseInformer removes the Informer that defended.
func (g *game) loseInformer(p *position, w *flow.Witness) {
	g.dropInformer(p, w, "R10.11", p.combat.target)
	p.combat.informer = false
}

// subversionResult implements R10.12, R25.6 and R26.3.
func (g *game) subversionResult(p *position, w *flow.Witness, r result) {
	c := &p.combat
	u := c.defenders.next(armyFirst)
	switch r {
	case rAe:
		c.attackerLoses = true
		g.eliminateLosers(p, w, "R10.12")
	case rhAe:
		c.left = uint8(c.attackers.count() / 2)
		if c.left > 0 {
			c.stage, p.part, p.lastHex, p.lastClass = combatHalf, 0, 0, 0
			return
		}
	case rPin:
		g.pin(p, w, "R10.12", u)
	case rConvert:
		h := p.units[u].hex
		g.eliminate(p, w, "R10.12", u)
		if groups := g.militiaGroups(p, c.seat, h); !g.sc.SecondPinKills && groups != 0 && g.roomFor(p, militia, false, h) > 0 {
			p.draw = draw{groups: groups, hex: h, ask: askMilitia}
		}
	}
	g.endCombat(p)
}

// seditionResult implements R10.13 and R25.4 (U counts as R).
// Ruling 19: the loss of a step without a retreat.
func (g *game) seditionResult(p *position, w *flow.Witness, r result) {
	c := &p.combat
	switch r {
	case rA1:
		c.attackerLoses = true
		c.stage, p.part, c.retreats = combatLoss, 0, false
		return
	case rUnrest:
		g.addUnrest(p, w, "R10.13", c.target)
	case rRiot:
		g.addRiot(p, w, "R10.13", c.target)
	}
	g.endCombat(p)
}

// loseHalf implements R10.12 (hAe): the owner picks who is eliminated.
func (g *game) loseHalf(p *position, w *flow.Witness, cl class) {
	c := &p.combat
	set := g.halfSet(p)
	u := g.find(p, &set, p.selHex, cl)
	p.lastHex, p.lastClass = p.selHex, cl
	c.attackers.del(u)
	g.eliminate(p, w, "R10.12", u)
	if c.left--; c.left == 0 {
		g.endCombat(p)
	}
}

// loseStep implements R10.11 and R10.13: one step, then the survivors retreat.
func (g *game) loseStep(p *position, w *flow.Witness, cl class) {
	c := &p.combat
	if cl == anInformer {
		g.loseInformer(p, w)
		g.startRetreat(p, w)
		return
	}
	set, rule := g.losses(p), "R10.11"
	if c.kind == sedition {
		rule = "R10.13"
	}
	u := g.find(p, &set, p.selHex, cl)
	low := uint8(0)
	if g.kind[u] == cig {
		low = 1
	}
	if p.units[u].step > low && g.kind[u] != militia && g.kind[u] != army {
		g.strengthen(p, w, rule, u, p.units[u].step-1)
	} else {
		g.lose(p, w, rule, u)
	}
	if !c.retreats {
		g.endCombat(p)
		return
	}
	g.startRetreat(p, w)
}

// lose eliminates a participant and notes its hex (R11.4).
func (g *game) lose(p *position, w *flow.Witness, rule string, u UnitID) {
	c := &p.combat
	g.leaves(p, u)
	c.attackers.del(u)
	c.defenders.del(u)
	c.pending.del(u)
	g.eliminate(p, w, rule, u)
}

// leaves notes the hex that a unit is about to leave for the advance (R11.4), and
// where it is a CIG or Army of the Government for R20.8.
func (g *game) leaves(p *position, u UnitID) {
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

func (g *game) eliminateLosers(p *position, w *flow.Witness, rule string) {
	set := g.suffering(p, p.combat.attackerLoses)
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		g.lose(p, w, rule, u)
	}
}

// afterLosses implements R20.8 and begins the advance (R11.4): hexes that are not
// vacant now are no aim of one. Agents that retreat with the Army have left.
func (g *game) afterLosses(p *position, w *flow.Witness) {
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
			g.expose(p, w, h)
		}
		if p.head[h] != noUnit {
			c.vacated &^= 1 << i
		}
	}
	g.sweep(p)
	c.stage, c.passed, p.part, p.lastHex, p.lastClass = combatAdvance, 0, 0, 0, 0
}
