package minuteman

import "powderkeg/engine/flow"

// combatRoll implements R10.10 to R10.13 (C9).
func (g *game) combatRoll(p *Position, w *flow.Witness, die int) {
	c := &p.Combat
	d := g.defenders(p)
	column := g.combatColumn(p, &d, truth)
	table := g.cell(c.Kind, max(0, die+g.dieModifier(p, c.Kind, c.Target)), column)
	u := c.Defenders.next(armyFirst)
	r := g.meaning(c.Kind, table, g.armyAgainstNoMilitia(p), u < agtFirst && p.Units[u].Marks&pinned != 0)
	if w != nil {
		g.tellBattle(p, w, &d, die, column, table, r)
	}
	switch c.Kind {
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
func (g *game) militaryResult(p *Position, w *flow.Witness, r result) {
	c := &p.Combat
	if (r == rDr || r == rDe) && c.Riot && g.riotAt(p, c.Target) {
		g.endRiot(p, w, "R10.10", c.Target)
	}
	c.AttackerLoses = r == rAe || r == rAr
	if r == rAe || r == rDe {
		g.eliminateLosers(p, w, "R10.10")
		g.afterLosses(p, w)
		return
	}
	g.startRetreat(p, w)
}

// armyAgainstNoMilitia reports whether Government Army attacked a hex where no
// Militia, nor an Army as one (R30.1), defends.
func (g *game) armyAgainstNoMilitia(p *Position) bool {
	c := &p.Combat
	if c.Seat != p.Gov || c.Attackers.next(armyFirst) >= agtFirst {
		return false
	}
	return c.Defenders.next(milFirst) >= agtFirst
}

// infiltrationResult implements R10.11.
func (g *game) infiltrationResult(p *Position, w *flow.Witness, r result) {
	c := &p.Combat
	c.AttackerLoses = r == rAe || r == rA1
	switch r {
	case rAe, rDe:
		g.eliminateLosers(p, w, "R10.11")
		if c.Informer && r == rDe {
			g.loseInformer(p, w)
		}
		g.afterLosses(p, w)
	case rA1, rD1:
		c.Stage, p.Part, c.Retreats = combatLoss, 0, true
	default:
		g.endCombat(p)
	}
}

// loseInformer removes the Informer that defended.
func (g *game) loseInformer(p *Position, w *flow.Witness) {
	g.dropInformer(p, w, "R10.11", p.Combat.Target)
	p.Combat.Informer = false
}

// subversionResult implements R10.12, R25.6 and R26.3.
func (g *game) subversionResult(p *Position, w *flow.Witness, r result) {
	c := &p.Combat
	u := c.Defenders.next(armyFirst)
	switch r {
	case rAe:
		c.AttackerLoses = true
		g.eliminateLosers(p, w, "R10.12")
	case rhAe:
		c.Left = uint8(c.Attackers.count() / 2)
		if c.Left > 0 {
			c.Stage, p.Part, p.LastHex, p.LastClass = combatHalf, 0, 0, 0
			return
		}
	case rPin:
		g.pin(p, w, "R10.12", u)
	case rConvert:
		h := p.Units[u].Hex
		g.eliminate(p, w, "R10.12", u)
		if groups := g.militiaGroups(p, c.Seat, h); !g.sc.SecondPinKills && groups != 0 && g.roomFor(p, militia, false, h) > 0 {
			p.Draw = Draw{Groups: groups, Hex: h, Ask: askMilitia}
		}
	}
	g.endCombat(p)
}

// seditionResult implements R10.13 and R25.4 (U counts as R).
// Ruling 19: the loss of a step without a retreat.
func (g *game) seditionResult(p *Position, w *flow.Witness, r result) {
	c := &p.Combat
	switch r {
	case rA1:
		c.AttackerLoses = true
		c.Stage, p.Part, c.Retreats = combatLoss, 0, false
		return
	case rUnrest:
		g.addUnrest(p, w, "R10.13", c.Target)
	case rRiot:
		g.addRiot(p, w, "R10.13", c.Target)
	}
	g.endCombat(p)
}

// loseHalf implements R10.12 (hAe): the owner picks who is eliminated.
func (g *game) loseHalf(p *Position, w *flow.Witness, u UnitID) {
	c := &p.Combat
	p.LastHex, p.LastClass = p.SelHex, g.classOf(p, u)
	c.Attackers.del(u)
	g.eliminate(p, w, "R10.12", u)
	if c.Left--; c.Left == 0 {
		g.endCombat(p)
	}
}

// loseStep implements R10.11 and R10.13: one step, then the survivors retreat.
func (g *game) loseStep(p *Position, w *flow.Witness, cl class) {
	c := &p.Combat
	if cl == anInformer {
		g.loseInformer(p, w)
		g.startRetreat(p, w)
		return
	}
	set, rule := g.losses(p), "R10.11"
	if c.Kind == sedition {
		rule = "R10.13"
	}
	u := g.find(p, &set, p.SelHex, cl)
	low := uint8(0)
	if g.kind[u] == cig {
		low = 1
	}
	if p.Units[u].Step > low && g.kind[u] != militia && g.kind[u] != army {
		g.strengthen(p, w, rule, u, p.Units[u].Step-1)
	} else {
		g.lose(p, w, rule, u)
	}
	if !c.Retreats {
		g.endCombat(p)
		return
	}
	g.startRetreat(p, w)
}

// lose eliminates a participant and notes its hex (R11.4).
func (g *game) lose(p *Position, w *flow.Witness, rule string, u UnitID) {
	c := &p.Combat
	g.leaves(p, u)
	c.Attackers.del(u)
	c.Defenders.del(u)
	c.Pending.del(u)
	g.eliminate(p, w, rule, u)
}

// leaves notes the hex that a unit is about to leave for the advance (R11.4), and
// where it is a CIG or Army of the Government for R20.8.
func (g *game) leaves(p *Position, u UnitID) {
	c := &p.Combat
	at := uint8(1) << max(g.around(c.Target, p.Units[u].Hex), 0)
	c.Vacated |= at
	if g.kind[u] == cig || g.kind[u] == army && !g.isRebel(p, u) {
		c.Bared |= at
	}
}

func (c *Combat) winners() *unitSet {
	if c.AttackerLoses {
		return &c.Defenders
	}
	return &c.Attackers
}

func (g *game) eliminateLosers(p *Position, w *flow.Witness, rule string) {
	set := g.suffering(p, p.Combat.AttackerLoses)
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		g.lose(p, w, rule, u)
	}
}

// afterLosses implements R20.8 and begins the advance (R11.4): hexes that are not
// vacant now are no aim of one. Agents that retreat with the Army have left.
func (g *game) afterLosses(p *Position, w *flow.Witness) {
	c := &p.Combat
	for i := range 7 {
		h := c.Target
		if i > 0 {
			h = g.hexes[c.Target].near[i-1]
		}
		if h == noHex {
			continue
		}
		if c.Bared>>i&1 != 0 {
			g.expose(p, w, h)
		}
		if p.Head[h] != noUnit {
			c.Vacated &^= 1 << i
		}
	}
	g.sweep(p)
	c.Stage, c.Passed, p.Part, p.LastHex, p.LastClass = combatAdvance, 0, 0, 0, 0
}
