package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// startRetreat begins the retreats of the losing side (R11.1).
func (g *game) startRetreat(p *position, w *flow.Witness) {
	c := &p.combat
	c.pending = g.suffering(p, c.attackerLoses)
	c.stage, c.retreater = combatRetreat, noUnit
	if c.informer && !c.attackerLoses { // it cannot retreat (R10.11)
		g.loseInformer(p, w)
	}
}

// nextRetreat implements R11.1 and R11.2: the losers one after another. Those that
// cannot retreat are eliminated.
func (g *game) nextRetreat(p *position, w *flow.Witness) bool {
	c := &p.combat
	if c.retreater == noUnit {
		u := g.firstPending(p)
		if u == noUnit {
			g.afterLosses(p, w)
			return false
		}
		if k := g.kind[u]; k == network || k == cig || p.units[u].marks&underground != 0 {
			g.lose(p, w, "R11.1", u)
			return false
		}
		c.retreater = u
	}
	set := g.retreats(p, c.retreater)
	if !set.empty() {
		return p.decide(askRetreat, g.owner(p, c.retreater))
	}
	zones := g.zoneRetreats(p, c.retreater)
	if zones.empty() {
		g.lose(p, w, "R11.2", c.retreater)
		c.retreater = noUnit
		return false
	}
	c.stage = combatZone
	return false
}

// firstPending returns the next unit to retreat: by hex, then class, then arrival.
func (g *game) firstPending(p *position) UnitID {
	c := &p.combat
	pick := UnitID(noUnit)
	for u := c.pending.next(0); u != noUnit; u = c.pending.next(u + 1) {
		if pick == noUnit || p.units[u].hex < p.units[pick].hex ||
			p.units[u].hex == p.units[pick].hex && g.before(p, u, pick) {
			pick = u
		}
	}
	return pick
}

// before compares two units of a hex by class and arrival.
func (g *game) before(p *position, u, v UnitID) bool {
	a, b := g.classOf(p, u), g.classOf(p, v)
	if a != b {
		return a < b
	}
	for w := p.head[p.units[u].hex]; w != noUnit; w = p.units[w].next {
		if w == u || w == v {
			return w == u
		}
	}
	return false
}

// retreats implements R11.2: the hexes of the best class, vacant ones before those
// with a friend before those with enemies that control nothing. R4.5 applies; an
// Infiltration retreat finds no shelter with friends in a controlled hex (Ruling 20).
func (g *game) retreats(p *position, u UnitID) hexSet {
	var byClass [3]hexSet
	c := &p.combat
	h := p.units[u].hex
	team := p.team(g.owner(p, u))
	enemy := g.zone(p, 1-team, h)
	for _, n := range g.hexes[h].near {
		if n == noHex || !g.mayEnter(p, u, n) || enemy.has(n) && (c.kind == infiltration || !g.shielded(p, team, n)) {
			continue
		}
		best := 2
		if p.vacant(n) {
			best = 0
		}
		for v := p.head[n]; v != noUnit; v = p.units[v].next {
			if p.team(g.owner(p, v)) == team {
				best = 1
			}
		}
		byClass[best].add(n)
	}
	for i := range byClass {
		if !byClass[i].empty() {
			return byClass[i]
		}
	}
	return hexSet{}
}

// retreatClass returns the class of R11.2 that the unit's retreat has, 0 to 2.
func (g *game) retreatClass(p *position, u UnitID) int {
	set := g.retreats(p, u)
	h := set.next(0)
	if h == noHex || p.head[h] == noUnit {
		return 0
	}
	team := p.team(g.owner(p, u))
	for v := p.head[h]; v != noUnit; v = p.units[v].next {
		if p.team(g.owner(p, v)) == team {
			return 1
		}
	}
	return 2
}

// zoneRetreats implements R11.3 (D49): controlled hexes with room that a Minuteman
// may try before the Revolution.
func (g *game) zoneRetreats(p *position, u UnitID) hexSet {
	var set hexSet
	if g.kind[u] != minuteman || p.revTurn > 0 {
		return set
	}
	h := p.units[u].hex
	enemy := g.zone(p, 1-p.team(g.owner(p, u)), noHex)
	for _, n := range g.hexes[h].near {
		if n != noHex && enemy.has(n) && g.mayEnter(p, u, n) {
			set.add(n)
		}
	}
	return set
}

func (g *game) offerRetreat(p *position) {
	set := g.retreats(p, p.combat.retreater)
	p.allowHexes(&set)
}

func (g *game) chooseRetreat(p *position, w *flow.Witness, a engine.Action) {
	g.retreatTo(p, w, "R11.2", HexID(a-actHex))
}

func (g *game) offerRetreatZone(p *position) {
	set := g.zoneRetreats(p, p.combat.retreater)
	p.allowHexes(&set)
	p.allow(actDone)
}

func (g *game) chooseRetreatZone(p *position, w *flow.Witness, a engine.Action) {
	c := &p.combat
	if a == actDone {
		g.lose(p, w, "R11.3", c.retreater)
		c.retreater, c.stage = noUnit, combatRetreat
		return
	}
	c.zone = HexID(a - actHex)
	var price [numHexes]uint8
	g.prices(p, &price)
	c.passages, c.stage = 0, combatPassage
	if int(price[c.zone]) <= g.freePrice() {
		g.retreatTo(p, w, "R11.3", c.zone)
	}
}

// retreatTo moves the unit that retreats; its Pin stays (R11.5).
// Ruling 42: a pinned Army retreats too.
func (g *game) retreatTo(p *position, w *flow.Witness, rule string, h HexID) {
	c := &p.combat
	u := c.retreater
	g.leaves(p, u)
	g.leaveFront(p, w, u)
	g.carry(p, w, "retreated", rule, u, h)
	c.pending.del(u)
	c.retreater, c.stage, c.zone = noUnit, combatRetreat, noHex
}

// zoneRoll implements R11.3 (C8): only a success saves the Minuteman.
func (g *game) zoneRoll(p *position, w *flow.Witness, die int) {
	c := &p.combat
	var price [numHexes]uint8
	g.prices(p, &price)
	r := g.journey(p, w, "R11.3", c.retreater, c.zone, int(price[c.zone]), int(c.passages), die)
	c.passages = 0
	if r == noResult {
		g.retreatTo(p, w, "R11.3", c.zone)
		return
	}
	g.lose(p, w, "R11.3", c.retreater)
	c.retreater, c.stage, c.zone = noUnit, combatRetreat, noHex
}

// advancePart implements R11.4, R28.7 and R25.8: advances of the winners, each owner
// asked until he is done, then what a ruthless attack that failed gives.
func (g *game) advancePart(p *position) bool {
	c := &p.combat
	if seat := g.advancingSeat(p); seat != noSeat {
		return p.decide(askAdvance, seat)
	}
	c.stage, c.consoled = combatConsole, 2
	if c.ruthless && !c.defenders.empty() {
		c.consoled = 0
	}
	if c.consoled == 2 {
		g.endCombat(p)
	}
	return false
}

// advancingSeat implements R28.7: the owner who is asked to advance now, the seat that
// declared the attack before the others in seat order; noSeat when all are done.
// the declarer first.
func (g *game) advancingSeat(p *position) SeatID {
	c := &p.combat
	for i := -1; i < g.seats && c.kind <= infiltration; i++ {
		seat := c.seat
		if i >= 0 {
			seat = SeatID(i)
		}
		if c.passed.has(seat) {
			continue
		}
		if set := g.advancers(p, seat); !set.empty() {
			return seat
		}
		c.passed |= 1 << seat
		p.lastHex, p.lastClass = 0, 0
	}
	return noSeat
}

// advancers is the set of victorious participants that may advance now: Minutemen,
// Militia, Agents and Army of a seat near a vacated hex, not pinned (R11.5).
func (g *game) advancers(p *position, seat SeatID) unitSet {
	var set unitSet
	c := &p.combat
	if c.vacated == 0 {
		return set
	}
	w := c.winners()
	for u := w.next(0); u != noUnit; u = w.next(u + 1) {
		x := &p.units[u]
		k := g.kind[u]
		if x.hex == noHex || k == network || k == cig || x.marks&(pinned|underground|advanced) != 0 || !g.notBefore(p, u) || g.owner(p, u) != seat {
			continue
		}
		if aims := g.aims(p, u); !aims.empty() {
			set.add(u)
		}
	}
	return set
}

// aims returns the vacated hexes that a unit may advance into.
func (g *game) aims(p *position, u UnitID) hexSet {
	var set hexSet
	c := &p.combat
	for i := range 7 {
		h := c.target
		if i > 0 {
			h = g.hexes[c.target].near[i-1]
		}
		if h != noHex && c.vacated>>i&1 != 0 && g.around(h, p.units[u].hex) > 0 && g.mayEnter(p, u, h) {
			set.add(h)
		}
	}
	return set
}

func (g *game) offerAdvance(p *position) {
	set := g.advancers(p, SeatID(p.Actor))
	switch p.part {
	case 0:
		hexes := p.hexesOf(&set)
		p.allowHexes(&hexes)
		p.allow(actDone)
	case 1:
		g.allowClasses(p, &set, p.selHex, 0)
	default:
		aims := g.aims(p, g.find(p, &set, p.selHex, p.selClass))
		p.allowHexes(&aims)
	}
}

func (g *game) chooseAdvance(p *position, w *flow.Witness, a engine.Action) {
	c := &p.combat
	switch {
	case a == actDone:
		c.passed |= 1 << p.Actor
		p.part, p.lastHex, p.lastClass = 0, 0, 0
	case p.part == 0:
		p.selHex, p.part = HexID(a-actHex), 1
	case p.part == 1:
		p.selClass, p.part = class(a-actClass), 2
	default:
		set := g.advancers(p, SeatID(p.Actor))
		u := g.find(p, &set, p.selHex, p.selClass)
		p.lastHex, p.lastClass, p.part = p.selHex, p.selClass, 0
		p.units[u].marks |= advanced
		g.leaveFront(p, w, u)
		g.carry(p, w, "advanced", "R11.4", u, HexID(a-actHex))
	}
}

// consolations implements R25.8: Population I hexes within two hexes of the target
// with room for the free weak unit and a counter of it left.
func (g *game) consolations(p *position) hexSet {
	var set hexSet
	c := &p.combat
	k := network
	if c.consoled == 1 {
		k = minuteman
	}
	if c.victim == noSeat || g.freeUnit(p, k, c.victim) == noUnit {
		return set
	}
	for _, h := range g.cityHex {
		if g.open.has(h) && g.distance(h, c.target) <= 2 && g.roomFor(p, k, false, h) > 0 {
			set.add(h)
		}
	}
	return set
}

func (g *game) offerConsolation(p *position) {
	set := g.consolations(p)
	p.allowHexes(&set)
}

// console places a unit of R25.8.
func (g *game) console(p *position, w *flow.Witness, a engine.Action) {
	c := &p.combat
	k := network
	if c.consoled == 1 {
		k = minuteman
	}
	g.add(p, w, "R25.8", k, c.victim, HexID(a-actHex))
	if c.consoled++; c.consoled > 1 {
		g.endCombat(p)
	}
}
