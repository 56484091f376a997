package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// startRetreat begins the retreats of the losing side (R11.1).
func (g *game) startRetreat(p *Position, w *flow.Witness) {
	c := &p.Combat
	c.Pending = g.suffering(p, c.AttackerLoses)
	c.Stage, c.Retreater = combatRetreat, noUnit
	if c.Informer && !c.AttackerLoses { // it cannot retreat (R10.11, R-24)
		g.loseInformer(p, w)
	}
}

// nextRetreat implements R11.1 and R11.2: the losers one after another. Those that
// cannot retreat are eliminated.
func (g *game) nextRetreat(p *Position, w *flow.Witness) bool {
	c := &p.Combat
	if c.Retreater == noUnit {
		u := g.firstPending(p)
		if u == noUnit {
			g.afterLosses(p, w)
			return false
		}
		if k := g.kind[u]; k == network || k == cig || p.Units[u].Marks&underground != 0 {
			g.lose(p, w, "R11.1", u)
			return false
		}
		c.Retreater = u
	}
	set := g.retreats(p, c.Retreater)
	if !set.empty() {
		return p.decide(askRetreat, g.owner(p, c.Retreater))
	}
	zones := g.zoneRetreats(p, c.Retreater)
	if zones.empty() {
		g.lose(p, w, "R11.2", c.Retreater)
		c.Retreater = noUnit
		return false
	}
	c.Stage = combatZone
	return false
}

// firstPending returns the next unit to retreat: by hex, then class, then arrival.
func (g *game) firstPending(p *Position) UnitID {
	c := &p.Combat
	pick := UnitID(noUnit)
	for u := c.Pending.next(0); u != noUnit; u = c.Pending.next(u + 1) {
		if pick == noUnit || p.Units[u].Hex < p.Units[pick].Hex ||
			p.Units[u].Hex == p.Units[pick].Hex && g.before(p, u, pick) {
			pick = u
		}
	}
	return pick
}

// before compares two units of a hex by class and arrival.
func (g *game) before(p *Position, u, v UnitID) bool {
	a, b := g.classOf(p, u), g.classOf(p, v)
	if a != b {
		return a < b
	}
	for w := p.Head[p.Units[u].Hex]; w != noUnit; w = p.Units[w].Next {
		if w == u || w == v {
			return w == u
		}
	}
	return false
}

// retreats implements R11.2: the hexes of the best class, vacant ones before those
// with a friend before those with enemies that control nothing. R4.5 applies; an
// Infiltration retreat finds no shelter with friends in a controlled hex (Ruling 20).
func (g *game) retreats(p *Position, u UnitID) hexSet {
	var byClass [3]hexSet
	c := &p.Combat
	h := p.Units[u].Hex
	side := p.team(g.owner(p, u))
	for _, n := range g.hexes[h].near {
		if n == noHex || !g.mayEnter(p, u, n) || g.controlled(p, side.other(), n, h) && (c.Kind == infiltration || !g.shielded(p, side, n)) {
			continue
		}
		best := 2
		if p.vacant(n) {
			best = 0
		}
		for v := p.Head[n]; v != noUnit; v = p.Units[v].Next {
			if p.team(g.owner(p, v)) == side {
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
func (g *game) retreatClass(p *Position, u UnitID) int {
	set := g.retreats(p, u)
	h := set.next(0)
	if h == noHex || p.Head[h] == noUnit {
		return 0
	}
	side := p.team(g.owner(p, u))
	for v := p.Head[h]; v != noUnit; v = p.Units[v].Next {
		if p.team(g.owner(p, v)) == side {
			return 1
		}
	}
	return 2
}

// zoneRetreats implements R11.3 (D49): controlled hexes with room that a Minuteman
// may try before the Revolution.
func (g *game) zoneRetreats(p *Position, u UnitID) hexSet {
	var set hexSet
	if g.kind[u] != minuteman || p.RevTurn > 0 {
		return set
	}
	h := p.Units[u].Hex
	side := p.team(g.owner(p, u))
	for _, n := range g.hexes[h].near {
		if n != noHex && g.controlled(p, side.other(), n, noHex) && g.mayEnter(p, u, n) {
			set.add(n)
		}
	}
	return set
}

func (g *game) offerRetreat(p *Position) {
	set := g.retreats(p, p.Combat.Retreater)
	p.allowHexes(&set)
}

func (g *game) chooseRetreat(p *Position, w *flow.Witness, a engine.Action) {
	g.retreatTo(p, w, "R11.2", HexID(a-actHex))
}

func (g *game) offerRetreatZone(p *Position) {
	set := g.zoneRetreats(p, p.Combat.Retreater)
	p.allowHexes(&set)
	p.allow(actDone)
}

func (g *game) chooseRetreatZone(p *Position, w *flow.Witness, a engine.Action) {
	c := &p.Combat
	if a == actDone {
		g.lose(p, w, "R11.3", c.Retreater)
		c.Retreater, c.Stage = noUnit, combatRetreat
		return
	}
	c.Zone = HexID(a - actHex)
	var price [numHexes]uint8
	g.prices(p, g.owner(p, c.Retreater), &price)
	c.Passages, c.Stage = 0, combatPassage
	if int(price[c.Zone]) <= g.freePrice() {
		g.retreatTo(p, w, "R11.3", c.Zone)
	}
}

// retreatTo moves the unit that retreats; its Pin stays (R11.5).
// Ruling 42: a pinned Army retreats too.
func (g *game) retreatTo(p *Position, w *flow.Witness, rule string, h HexID) {
	c := &p.Combat
	u := c.Retreater
	g.leaves(p, u)
	g.leaveFront(p, w, u)
	g.carry(p, w, "retreated", rule, u, h)
	c.Pending.del(u)
	c.Retreater, c.Stage, c.Zone = noUnit, combatRetreat, noHex
}

// zoneRoll implements R11.3 (C8): only a success saves the Minuteman.
func (g *game) zoneRoll(p *Position, w *flow.Witness, die int) {
	c := &p.Combat
	var price [numHexes]uint8
	g.prices(p, g.owner(p, c.Retreater), &price)
	r := g.journey(p, w, "R11.3", c.Retreater, c.Zone, int(price[c.Zone]), int(c.Passages), die)
	c.Passages = 0
	if r == noResult {
		g.retreatTo(p, w, "R11.3", c.Zone)
		return
	}
	g.lose(p, w, "R11.3", c.Retreater)
	c.Retreater, c.Stage, c.Zone = noUnit, combatRetreat, noHex
}

// advancePart implements R11.4, R28.7 and R25.8: advances of the winners, each owner
// asked until he is done, then what a ruthless attack that failed gives.
func (g *game) advancePart(p *Position) bool {
	c := &p.Combat
	if seat := g.advancingSeat(p); seat != noSeat {
		return p.decide(askAdvance, seat)
	}
	c.Stage, c.Consoled = combatConsole, 2
	if c.Ruthless && !c.Defenders.empty() {
		c.Consoled = 0
	}
	if c.Consoled == 2 {
		g.endCombat(p)
	}
	return false
}

// advancingSeat implements R28.7: the owner who is asked to advance now, the seat that
// declared the attack before the others in seat order; noSeat when all are done.
// the declarer first.
func (g *game) advancingSeat(p *Position) SeatID {
	c := &p.Combat
	for i := -1; i < g.Seats && c.Kind <= infiltration; i++ {
		seat := c.Seat
		if i >= 0 {
			seat = SeatID(i)
		}
		if c.Passed.Has(seat) {
			continue
		}
		if set := g.advancers(p, seat); !set.empty() {
			return seat
		}
		c.Passed |= 1 << seat
		p.LastHex, p.LastClass = 0, 0
	}
	return noSeat
}

// advancers is the set of victorious participants that may advance now: Minutemen,
// Militia, Agents and Army of a seat near a vacated hex, not pinned (R11.5).
func (g *game) advancers(p *Position, seat SeatID) unitSet {
	var set unitSet
	c := &p.Combat
	if c.Vacated == 0 {
		return set
	}
	w := c.winners()
	for u := w.next(0); u != noUnit; u = w.next(u + 1) {
		x := &p.Units[u]
		k := g.kind[u]
		if x.Hex == noHex || k == network || k == cig || x.Marks&(pinned|underground|advanced) != 0 || !g.notBefore(p, u) || g.owner(p, u) != seat {
			continue
		}
		if aims := g.aims(p, u); !aims.empty() {
			set.add(u)
		}
	}
	return set
}

// aims returns the vacated hexes that a unit may advance into.
func (g *game) aims(p *Position, u UnitID) hexSet {
	var set hexSet
	c := &p.Combat
	for i := range 7 {
		h := c.Target
		if i > 0 {
			h = g.hexes[c.Target].near[i-1]
		}
		if h != noHex && c.Vacated>>i&1 != 0 && g.around(h, p.Units[u].Hex) > 0 && g.mayEnter(p, u, h) {
			set.add(h)
		}
	}
	return set
}

func (g *game) offerAdvance(p *Position) {
	set := g.advancers(p, SeatID(p.Actor))
	switch p.Part {
	case 0:
		p.allowHexesOf(&set)
		p.allow(actDone)
	case 1:
		g.allowClasses(p, &set, p.SelHex)
	default:
		aims := g.aims(p, g.find(p, &set, p.SelHex, p.SelClass))
		p.allowHexes(&aims)
	}
}

func (g *game) chooseAdvance(p *Position, w *flow.Witness, a engine.Action) {
	c := &p.Combat
	switch {
	case a == actDone:
		c.Passed |= 1 << p.Actor
		p.Part, p.LastHex, p.LastClass = 0, 0, 0
	case p.Part == 0:
		p.SelHex, p.Part = HexID(a-actHex), 1
	case p.Part == 1:
		p.SelClass, p.Part = class(a-actClass), 2
	default:
		set := g.advancers(p, SeatID(p.Actor))
		u := g.find(p, &set, p.SelHex, p.SelClass)
		p.LastHex, p.LastClass, p.Part = p.SelHex, p.SelClass, 0
		p.Units[u].Marks |= advanced
		g.leaveFront(p, w, u)
		g.carry(p, w, "advanced", "R11.4", u, HexID(a-actHex))
	}
}

// consolations implements R25.8: Population I hexes within two hexes of the target
// with room for the free weak unit and a counter of it left.
func (g *game) consolations(p *Position) hexSet {
	var set hexSet
	c := &p.Combat
	k := network
	if c.Consoled == 1 {
		k = minuteman
	}
	if g.freeUnit(p, k, c.Victim) == noUnit {
		return set
	}
	for _, h := range g.cityHex {
		if g.open.has(h) && g.distance(h, c.Target) <= 2 && g.roomFor(p, k, false, h) > 0 {
			set.add(h)
		}
	}
	return set
}

// console places a unit of R25.8.
func (g *game) console(p *Position, w *flow.Witness, a engine.Action) {
	c := &p.Combat
	k := network
	if c.Consoled == 1 {
		k = minuteman
	}
	g.add(p, w, "R25.8", k, c.Victim, HexID(a-actHex))
	if c.Consoled++; c.Consoled > 1 {
		g.endCombat(p)
	}
}
