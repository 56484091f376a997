package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// advanceCombat implements R10.8: the steps of one attack in their order.
func (g *game) advanceCombat(p *Position, w *flow.Witness) bool {
	c := &p.Combat
	switch c.Stage {
	case combatTarget, combatVictim:
		return p.decide(askTarget, c.Seat)
	case combatAttackers:
		if seat := g.attackerSeat(p); seat != noSeat {
			return p.decide(askAttackers, seat)
		}
		g.declared(p, w)
	case combatRuthless:
		return p.decide(askRuthless, c.Seat)
	case combatBetrayal:
		if c.Kind <= infiltration && p.Hand[c.Seat][betrayal] > 0 {
			return p.decide(askBetrayal, c.Seat)
		}
		c.Stage, c.React = combatReact, 0
	case combatBetrayalDie:
		return p.chance(askBetrayalDie)
	case combatReact:
		if seat := g.reactor(p, c.Seat, c.Victim, c.React); seat != noSeat {
			return p.decide(askReaction, seat)
		}
		g.sweep(p)
		if c.Attackers.empty() {
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
		return p.decide(askHalf, c.Seat)
	case combatRetreat:
		return g.nextRetreat(p, w)
	case combatZone:
		return p.decide(askRetreatZone, g.owner(p, c.Retreater))
	case combatPassage:
		return p.decide(askPassage, g.owner(p, c.Retreater))
	case combatZoneDie:
		return p.chance(askMoveDie)
	case combatAdvance:
		return g.advancePart(p)
	case combatConsole:
		if set := g.consolations(p); c.Consoled < 2 && !set.empty() {
			return p.decide(askConsole, c.Victim)
		}
		if c.Consoled++; c.Consoled > 1 {
			g.endCombat(p)
		}
	}
	return false
}

// endCombat forgets the attack under way.
func (g *game) endCombat(p *Position) {
	p.Combat = Combat{}
	p.Part, p.LastHex, p.LastClass = 0, 0, 0
}

// lapse ends an attack without attackers or defenders.
func (g *game) lapse(p *Position, w *flow.Witness) {
	if w != nil {
		w.All("lapsed", "R10.8", flow.Arg("target", g.hexes[p.Combat.Target].id))
	}
	g.endCombat(p)
}

// sweep takes units that have left the map out of the sets.
// who is killed in D31 is not replaced.
func (g *game) sweep(p *Position) {
	c := &p.Combat
	for _, s := range []*unitSet{&c.Attackers, &c.Defenders, &c.Pending} {
		for u := s.next(0); u != noUnit; u = s.next(u + 1) {
			if p.Units[u].Hex == noHex {
				s.del(u)
			}
		}
	}
}

// declared ends D42: the marks are put, and what the target exposes is noted,
// since D31 may change it (Ruling 36).
// a Riot adds its strength against Rebels too.
func (g *game) declared(p *Position, w *flow.Witness) {
	c := &p.Combat
	if w != nil {
		w.All("attack", "R10.1", flow.Arg("attack", attackNames[c.Kind]), seatArg(c.Seat), flow.Arg("victim", int(c.Victim)),
			flow.Arg("target", g.hexes[c.Target].id), g.unitsArg("attackers", &c.Attackers))
	}
	g.markAttackers(p)
	rebels := c.Victim != p.Gov
	c.Riot = c.Kind == military && rebels && g.riotLike(p, c.Target)
	c.Exposed = c.Riot || g.informerAt(p, c.Target)
	c.Stage = combatBetrayal
	if g.sc.Ruthless && c.Kind == military && c.Seat == p.Gov && c.Riot {
		for u := c.Attackers.next(armyFirst); u < agtFirst; u = c.Attackers.next(u + 1) {
			c.Stage = combatRuthless
		}
	}
}

// betrayalRoll implements R10.7 (C10).
func (g *game) betrayalRoll(p *Position, w *flow.Witness, die int) {
	c := &p.Combat
	if c.Betrayed = die <= int(g.success[c.Betrayals]); w != nil {
		w.All("betrayal", "R10.7", seatArg(c.Seat), number("number", c.Betrayals), flow.Arg("succeeded", c.Betrayed))
	}
	g.giveBack(p, w, c.Seat, betrayal, c.Betrayals)
	c.Betrayals, c.Stage, c.React = 0, combatReact, 0
}

// defends reports whether a unit in the target hex belongs to the side under attack
// and can be attacked: it has not advanced in this phase (R10.1, R28.4).
func (g *game) defends(p *Position, u UnitID) bool {
	c := &p.Combat
	o := g.owner(p, u)
	if p.Units[u].Marks&advanced != 0 || c.Attackers.has(u) {
		return false
	}
	if c.Seat == p.Gov {
		return p.team(o) == rebelTeam
	}
	return o == c.Victim
}

// setDefenders implements R10.4 and R20.6: who defends without a choice. What is to
// be chosen is left to D45 and D46.
func (g *game) setDefenders(p *Position, w *flow.Witness) {
	c := &p.Combat
	if c.Stage = combatDie; c.Kind == sedition {
		return
	}
	whole := c.Kind == infiltration || p.RevTurn > 0 || c.Victim != p.Gov && c.Exposed
	minutemen, supporters := false, false
	c.Informer = g.informerDefends(p)
	c.Defenders, minutemen, supporters = g.called(p, whole)
	switch {
	case minutemen && whole:
		c.Stage = combatDefender
	case c.Kind == military && !whole && supporters:
		c.Stage, p.LastHex, p.LastClass = combatSupport, 0, 0
	default:
		g.beforeDie(p, w)
	}
}

// beforeDie implements R10.8 (reveal), and ends an attack that finds nobody.
// Ruling 43: a Division that is subverted is revealed too.
func (g *game) beforeDie(p *Position, w *flow.Witness) {
	c := &p.Combat
	if c.Defenders.empty() && !c.Riot && !c.Informer {
		g.lapse(p, w)
		return
	}
	if w != nil {
		w.All("defence", "R10.4", flow.Arg("target", g.hexes[c.Target].id), g.unitsArg("defenders", &c.Defenders), flow.Arg("riot", c.Riot),
			flow.Arg("informer", c.Informer))
	}
	for _, s := range []*unitSet{&c.Attackers, &c.Defenders} {
		for u := s.next(milFirst); u < agtFirst; u = s.next(u + 1) {
			g.reveal(p, w, u)
		}
	}
	c.Stage = combatDie
}

// defendingSeat returns who chooses for the defence: the victim; of several Rebels
// attacked by the Government the one with most units in the hex (R28.4).
// he chooses for all who defend together.
func (g *game) defendingSeat(p *Position) SeatID {
	c := &p.Combat
	if c.Seat != p.Gov || g.Seats == 2 {
		return c.Victim
	}
	return g.mostUnits(p, 1<<g.Seats-1)
}

// minutemanSeat implements R28.4 and R10.2: whose Minuteman defends. Of several Rebels
// attacked by the Government it is the one with most units in the hex among those with
// a Minuteman there that may.
func (g *game) minutemanSeat(p *Position) SeatID {
	c := &p.Combat
	if c.Seat != p.Gov || g.Seats == 2 {
		return c.Victim
	}
	var seats SeatSet
	for u := p.Head[c.Target]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == minuteman && g.defends(p, u) && g.mayUse(p, u) {
			seats |= 1 << g.owner(p, u)
		}
	}
	return g.mostUnits(p, seats)
}

// mostUnits returns which seat of a set has most defending units in the target hex;
// the first of equals.
func (g *game) mostUnits(p *Position, seats SeatSet) SeatID {
	c := &p.Combat
	var n [maxSeats]int
	for u := p.Head[c.Target]; u != noUnit; u = p.Units[u].Next {
		if g.isRebel(p, u) && g.defends(p, u) {
			n[g.owner(p, u)]++
		}
	}
	best, most := c.Victim, 0
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
func (g *game) losingSeat(p *Position) SeatID {
	if p.Combat.AttackerLoses {
		return p.Combat.Seat
	}
	return g.defendingSeat(p)
}

// losses implements R10.11 and R10.13 (Ruling 35): the participants that may lose the
// step, those above their lowest side if there are any.
func (g *game) losses(p *Position) unitSet {
	c := &p.Combat
	set := c.Defenders
	if c.AttackerLoses {
		set = c.Attackers
	}
	var high unitSet
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if k := g.kind[u]; p.Units[u].Step > 1 || p.Units[u].Step == 1 && k != cig {
			high.add(u)
		}
	}
	if !high.empty() {
		return high
	}
	return set
}

// lowInformer reports whether the Informer may be the loss of D47.
func (g *game) lowInformer(p *Position) bool {
	c := &p.Combat
	set := g.losses(p)
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if k := g.kind[u]; p.Units[u].Step > 1 || p.Units[u].Step == 1 && k != cig {
			return false
		}
	}
	return c.Informer && !c.AttackerLoses && g.informerAt(p, c.Target)
}

// defendingMinutemen is the set of D45 (R10.2, R28.4).
func (g *game) defendingMinutemen(p *Position) unitSet {
	var set unitSet
	seat := g.minutemanSeat(p)
	for u := p.Head[p.Combat.Target]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == minuteman && g.owner(p, u) == seat && g.defends(p, u) && g.mayUse(p, u) {
			set.add(u)
		}
	}
	return set
}

// supportSet is the set of D46: before the Revolution the Network and one
// Minuteman beside a Militia, the Agents and the CIG beside an Army.
func (g *game) supportSet(p *Position) unitSet {
	c := &p.Combat
	var set unitSet
	one, seat := false, g.minutemanSeat(p)
	for u := c.Defenders.next(mmFirst); u < milFirst; u = c.Defenders.next(u + 1) {
		one = true
	}
	for u := p.Head[c.Target]; u != noUnit; u = p.Units[u].Next {
		if !g.defends(p, u) || c.Defenders.has(u) || g.classOf(p, u) < p.LastClass {
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
func (g *game) halfSet(p *Position) unitSet {
	c := &p.Combat
	var set unitSet
	for u := c.Attackers.next(0); u != noUnit; u = c.Attackers.next(u + 1) {
		if !g.notBefore(p, u) {
			continue
		}
		behind := 0
		for v := c.Attackers.next(0); v != noUnit; v = c.Attackers.next(v + 1) {
			a, b := p.Units[u].Hex, p.Units[v].Hex
			if b > a || b == a && g.classOf(p, v) >= g.classOf(p, u) {
				behind++
			}
		}
		if behind >= int(c.Left) {
			set.add(u)
		}
	}
	return set
}

func (g *game) offerDefender(p *Position) {
	set := g.defendingMinutemen(p)
	g.allowClasses(p, &set, p.Combat.Target)
}

func (g *game) chooseDefender(p *Position, w *flow.Witness, a engine.Action) {
	c := &p.Combat
	if a != noAction {
		set := g.defendingMinutemen(p)
		u := g.find(p, &set, c.Target, class(a-actClass))
		p.Units[u].Marks |= fought
		c.Defenders.add(u)
	}
	g.beforeDie(p, w)
}

func (g *game) offerSupport(p *Position) {
	set := g.supportSet(p)
	g.allowClasses(p, &set, p.Combat.Target)
	p.allow(actDone)
}

func (g *game) chooseSupport(p *Position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.LastClass = 0
		g.beforeDie(p, w)
		return
	}
	c := &p.Combat
	set := g.supportSet(p)
	u := g.find(p, &set, c.Target, class(a-actClass))
	p.LastClass = class(a - actClass)
	if g.kind[u] == minuteman {
		p.Units[u].Marks |= fought
	}
	c.Defenders.add(u)
}

// offerLoss offers D47: a hex, then a class there. The Informer may be the loss.
func (g *game) offerLoss(p *Position) {
	set, informer := g.losses(p), g.lowInformer(p)
	if p.Part > 0 {
		g.allowClasses(p, &set, p.SelHex)
		p.allowIf(informer && p.SelHex == p.Combat.Target, actClass+int(anInformer))
		return
	}
	hexes := p.hexesOf(&set)
	hexes.put(p.Combat.Target, informer || hexes.has(p.Combat.Target))
	p.allowHexes(&hexes)
}

func (g *game) chooseLoss(p *Position, w *flow.Witness, a engine.Action) {
	if p.Part == 0 {
		p.SelHex, p.Part = HexID(a-actHex), 1
		return
	}
	p.Part = 0
	g.loseStep(p, w, class(a-actClass))
}
