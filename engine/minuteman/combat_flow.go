package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// advanceCombat implements R10.8: the steps of one attack in their order.
func (g *game) advanceCombat(p *position, w *flow.Witness) bool {
	c := &p.combat
	switch c.stage {
	case combatTarget, combatVictim:
		return p.decide(askTarget, c.seat)
	case combatAttackers:
		if seat := g.attackerSeat(p); seat != noSeat {
			return p.decide(askAttackers, seat)
		}
		g.declared(p, w)
	case combatRuthless:
		return p.decide(askRuthless, c.seat)
	case combatBetrayal:
		if c.kind <= infiltration && p.hand[c.seat][betrayal] > 0 {
			return p.decide(askBetrayal, c.seat)
		}
		c.stage, c.react = combatReact, 0
	case combatBetrayalDie:
		return p.chance(askBetrayalDie)
	case combatReact:
		if seat := g.reactor(p, c.seat, c.victim, c.react); seat != noSeat {
			return p.decide(askReaction, seat)
		}
		g.sweep(p)
		if c.attackers.empty() {
			g.lapse(p, w)
			return false
		}
		g.setDefenders(p, w)
	case combatDefender:
		return p.decide(askDefender, g.minutemanSeat(p))
	case combatSupport:
		return p.decide(askSupport, g.defendingSeat(p))
	case combatDie:
		return p.chance(askCombatDie)
	case combatLoss:
		return p.decide(askLoss, g.losingSeat(p))
	case combatHalf:
		return p.decide(askHalf, c.seat)
	case combatRetreat:
		return g.nextRetreat(p, w)
	case combatZone:
		return p.decide(askRetreatZone, g.owner(p, c.retreater))
	case combatPassage:
		return p.decide(askPassage, g.owner(p, c.retreater))
	case combatZoneDie:
		return p.chance(askMoveDie)
	case combatAdvance:
		return g.advancePart(p)
	case combatConsole:
		if set := g.consolations(p); c.consoled < 2 && !set.empty() {
			return p.decide(askConsole, c.victim)
		}
		if c.consoled++; c.consoled > 1 {
			g.endCombat(p)
		}
	}
	return false
}

// endCombat forgets the attack under way.
func (g *game) endCombat(p *position) {
	p.combat = combat{}
	p.part, p.lastHex, p.lastClass = 0, 0, 0
}

// lapse ends an attack without attackers or defenders.
func (g *game) lapse(p *position, w *flow.Witness) {
	if w != nil {
		w.All("lapsed", "R10.8", flow.Arg("target", g.hexes[p.combat.target].id))
	}
	g.endCombat(p)
}

// sweep takes units that have left the map out of the sets.
// who is killed in D31 is not replaced.
func (g *game) sweep(p *position) {
	c := &p.combat
	for _, s := range []*unitSet{&c.attackers, &c.defenders, &c.pending} {
		for u := s.next(0); u != noUnit; u = s.next(u + 1) {
			if p.units[u].hex == noHex {
				s.del(u)
			}
		}
	}
}

// declared ends D42: the marks are put, and what the target exposes is noted,
// since D31 may change it (Ruling 36).
// a Riot adds its strength against Rebels too.
func (g *game) declared(p *position, w *flow.Witness) {
	c := &p.combat
	if w != nil {
		w.All("attack", "R10.1", flow.Arg("attack", attackNames[c.kind]), seatArg(c.seat), flow.Arg("victim", int(c.victim)),
			flow.Arg("target", g.hexes[c.target].id), g.unitsArg("attackers", &c.attackers))
	}
	g.markAttackers(p)
	rebels := c.victim != p.gov
	c.riot = c.kind == military && rebels && g.riotLike(p, c.target)
	c.exposed = c.riot || g.informerAt(p, c.target)
	c.stage = combatBetrayal
	if g.sc.Ruthless && c.kind == military && c.seat == p.gov && c.riot {
		for u := c.attackers.next(armyFirst); u < agtFirst; u = c.attackers.next(u + 1) {
			c.stage = combatRuthless
		}
	}
}

// betrayalRoll implements R10.7 (C10).
func (g *game) betrayalRoll(p *position, w *flow.Witness, die int) {
	c := &p.combat
	if c.betrayed = die <= int(g.success[c.betrayals]); w != nil {
		w.All("betrayal", "R10.7", seatArg(c.seat), number("number", c.betrayals), flow.Arg("succeeded", c.betrayed))
	}
	g.giveBack(p, w, c.seat, betrayal, c.betrayals)
	c.betrayals, c.stage, c.react = 0, combatReact, 0
}

// defends tells whether a unit in the target hex belongs to the side under attack
// and can be attacked: it has not advanced in this phase (R10.1, R28.4).
func (g *game) defends(p *position, u UnitID) bool {
	c := &p.combat
	o := g.owner(p, u)
	if p.units[u].marks&advanced != 0 || c.attackers.has(u) {
		return false
	}
	if c.seat == p.gov {
		return p.team(o) == 1
	}
	return o == c.victim
}

// setDefenders implements R10.4 and R20.6: who defends without a choice. What is to
// be chosen is left to D45 and D46.
func (g *game) setDefenders(p *position, w *flow.Witness) {
	c := &p.combat
	if c.stage = combatDie; c.kind == sedition {
		return
	}
	whole := c.kind == infiltration || p.revTurn > 0 || c.victim != p.gov && c.exposed
	minutemen, supporters := false, false
	c.informer = g.informerDefends(p)
	c.defenders, minutemen, supporters = g.called(p, whole)
	switch {
	case minutemen && whole:
		c.stage = combatDefender
	case c.kind == military && !whole && supporters:
		c.stage, p.lastHex, p.lastClass = combatSupport, 0, 0
	default:
		g.beforeDie(p, w)
	}
}

// beforeDie implements R10.8 (reveal), and ends an attack that finds nobody.
// Ruling 43: a Division that is subverted is revealed too.
func (g *game) beforeDie(p *position, w *flow.Witness) {
	c := &p.combat
	if c.defenders.empty() && !c.riot && !c.informer {
		g.lapse(p, w)
		return
	}
	if w != nil {
		w.All("defence", "R10.4", flow.Arg("target", g.hexes[c.target].id), g.unitsArg("defenders", &c.defenders), flow.Arg("riot", c.riot), flow.Arg("informer", c.informer))
	}
	for _, s := range []*unitSet{&c.attackers, &c.defenders} {
		for u := s.next(milFirst); u < agtFirst; u = s.next(u + 1) {
			g.reveal(p, w, u)
		}
	}
	c.stage = combatDie
}

// defendingSeat returns who chooses for the defence: the victim; of several Rebels
// attacked by the Government the one with most units in the hex (R28.4).
// he chooses for all who defend together.
func (g *game) defendingSeat(p *position) SeatID {
	c := &p.combat
	if c.seat != p.gov || g.seats == 2 {
		return c.victim
	}
	return g.mostUnits(p, 1<<g.seats-1)
}

// minutemanSeat implements R28.4 and R10.2: whose Minuteman defends. Of several Rebels
// attacked by the Government it is the one with most units in the hex among those with
// a Minuteman there that may.
func (g *game) minutemanSeat(p *position) SeatID {
	c := &p.combat
	if c.seat != p.gov || g.seats == 2 {
		return c.victim
	}
	var seats SeatSet
	for u := p.head[c.target]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == minuteman && g.defends(p, u) && g.mayUse(p, u) {
			seats |= 1 << g.owner(p, u)
		}
	}
	return g.mostUnits(p, seats)
}

// mostUnits returns which seat of a set has most defending units in the target hex;
// the first of equals.
func (g *game) mostUnits(p *position, seats SeatSet) SeatID {
	c := &p.combat
	var n [maxSeats]int
	for u := p.head[c.target]; u != noUnit; u = p.units[u].next {
		if g.isRebel(p, u) && g.defends(p, u) {
			n[g.owner(p, u)]++
		}
	}
	best, most := c.victim, 0
	for s := range n {
		if seats>>s&1 != 0 && n[s] > most {
			best, most = SeatID(s), n[s]
		}
	}
	return best
}

// losingSeat returns who picks the loss of a step (D47): the seat that declared the
// attack among all that were pooled (R28.7), and for the defence whoever chooses for
// it.
func (g *game) losingSeat(p *position) SeatID {
	if p.combat.attackerLoses {
		return p.combat.seat
	}
	return g.defendingSeat(p)
}

// losses implements R10.11 and R10.13 (Ruling 35): the participants that may lose the
// step, those above their lowest side if there are any.
func (g *game) losses(p *position) unitSet {
	c := &p.combat
	set := c.defenders
	if c.attackerLoses {
		set = c.attackers
	}
	var high unitSet
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if k := g.kind[u]; p.units[u].step > 1 || p.units[u].step == 1 && k != cig {
			high.add(u)
		}
	}
	if !high.empty() {
		return high
	}
	return set
}

// lowInformer tells whether the Informer may be the loss of D47.
func (g *game) lowInformer(p *position) bool {
	c := &p.combat
	set := g.losses(p)
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if k := g.kind[u]; p.units[u].step > 1 || p.units[u].step == 1 && k != cig {
			return false
		}
	}
	return c.informer && !c.attackerLoses && g.informerAt(p, c.target)
}

// defendingMinutemen is the set of D45 (R10.2, R28.4).
func (g *game) defendingMinutemen(p *position) unitSet {
	var set unitSet
	seat := g.minutemanSeat(p)
	for u := p.head[p.combat.target]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == minuteman && g.owner(p, u) == seat && g.defends(p, u) && g.mayUse(p, u) {
			set.add(u)
		}
	}
	return set
}

// supportSet is the set of D46: before the Revolution the Network and one
// Minuteman beside a Militia, the Agents and the CIG beside an Army.
func (g *game) supportSet(p *position) unitSet {
	c := &p.combat
	var set unitSet
	one, seat := false, g.minutemanSeat(p)
	for u := c.defenders.next(mmFirst); u < milFirst; u = c.defenders.next(u + 1) {
		one = true
	}
	for u := p.head[c.target]; u != noUnit; u = p.units[u].next {
		if !g.defends(p, u) || c.defenders.has(u) || g.classOf(p, u) < p.lastClass {
			continue
		}
		switch g.kind[u] {
		case network, cig, agent:
			set.add(u)
		case minuteman:
			if !one && g.owner(p, u) == seat && g.mayUse(p, u) {
				set.add(u)
			}
		}
	}
	return set
}

// halfSet is the set of D51: the attackers that are left, ascending, so that the
// rest fits behind (R3.5).
func (g *game) halfSet(p *position) unitSet {
	c := &p.combat
	var set unitSet
	for u := c.attackers.next(0); u != noUnit; u = c.attackers.next(u + 1) {
		if !g.notBefore(p, u) {
			continue
		}
		behind := 0
		for v := c.attackers.next(0); v != noUnit; v = c.attackers.next(v + 1) {
			a, b := p.units[u].hex, p.units[v].hex
			if b > a || b == a && g.classOf(p, v) >= g.classOf(p, u) {
				behind++
			}
		}
		if behind >= int(c.left) {
			set.add(u)
		}
	}
	return set
}

func (g *game) offerDefender(p *position) {
	set := g.defendingMinutemen(p)
	g.allowClasses(p, &set, p.combat.target, 0)
}

func (g *game) chooseDefender(p *position, w *flow.Witness, a engine.Action) {
	c := &p.combat
	if a != noAction {
		set := g.defendingMinutemen(p)
		u := g.find(p, &set, c.target, class(a-actClass))
		p.units[u].marks |= fought
		c.defenders.add(u)
	}
	g.beforeDie(p, w)
}

func (g *game) offerSupport(p *position) {
	set := g.supportSet(p)
	g.allowClasses(p, &set, p.combat.target, 0)
	p.allow(actDone)
}

func (g *game) chooseSupport(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.lastClass = 0
		g.beforeDie(p, w)
		return
	}
	c := &p.combat
	set := g.supportSet(p)
	u := g.find(p, &set, c.target, class(a-actClass))
	p.lastClass = class(a - actClass)
	if g.kind[u] == minuteman {
		p.units[u].marks |= fought
	}
	c.defenders.add(u)
}

// offerLoss offers D47: a hex, then a class there. The Informer may be the loss.
func (g *game) offerLoss(p *position) {
	set, informer := g.losses(p), g.lowInformer(p)
	if p.part > 0 {
		g.allowClasses(p, &set, p.selHex, 0)
		p.allowIf(informer && p.selHex == p.combat.target, actClass+int(anInformer))
		return
	}
	hexes := p.hexesOf(&set)
	hexes.put(p.combat.target, informer || hexes.has(p.combat.target))
	p.allowHexes(&hexes)
}

func (g *game) chooseLoss(p *position, w *flow.Witness, a engine.Action) {
	if p.part == 0 {
		p.selHex, p.part = HexID(a-actHex), 1
		return
	}
	p.part = 0
	g.loseStep(p, w, class(a-actClass))
}

// offerHalf offers D51: a hex, then a class there.
func (g *game) offerHalf(p *position) {
	set := g.halfSet(p)
	if p.part > 0 {
		g.allowClasses(p, &set, p.selHex, 0)
		return
	}
	hexes := p.hexesOf(&set)
	p.allowHexes(&hexes)
}

func (g *game) chooseHalf(p *position, w *flow.Witness, a engine.Action) {
	if p.part == 0 {
		p.selHex, p.part = HexID(a-actHex), 1
		return
	}
	p.part = 0
	g.loseHalf(p, w, class(a-actClass))
}
