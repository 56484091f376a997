package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// phase of a Game-Turn (R5.1), with the set-up before and the end after.
type phase uint8

const (
	setUp phase = iota
	phaseA1
	phaseA2
	phaseA3
	phaseA4
	phaseA5
	phaseB
	phaseG1
	phaseG2
	phaseG3
	phaseG4
	phaseG5
	phaseG6
	phaseN
	over
)

var phaseNames = [...]string{"setup", "A1", "A2", "A3", "A4", "A5", "B", "G1", "G2", "G3", "G4", "G5", "G6", "N", "over"}

// settle carries out what needs no choice until the game waits for a decision
// with two options at least, for chance, or is over (R5.4).
// It tells whether that worked: a position that was read may be one that no play
// leads to, where a question has no answer.
func (g *game) settle(p *position, w *flow.Witness) bool {
	for {
		for !g.advance(p, w) {
		}
		if p.actor == engine.Terminal {
			p.legal = [len(p.legal)]uint64{}
			return true
		}
		if p.actor == engine.Chance {
			p.legal = [len(p.legal)]uint64{}
			a, n := g.onlyOutcome(p)
			if n != 1 {
				return n > 1
			}
			g.happen(p, w, a)
			continue
		}
		a, n := g.fillLegal(p)
		if n > 1 {
			return true
		}
		if n == 0 && !mayBeEmpty(p.ask) {
			return false
		}
		g.choose(p, w, a)
	}
}

// mayBeEmpty tells whether a question can come without a legal token: the column
// "nothing legal" of data/decisions.json says what happens then.
func mayBeEmpty(q ask) bool {
	switch q {
	case askArmy, askStarting, askBrigade, askAugment, askExtra, askSpread, askDefender, askLeave:
		return true
	}
	return false
}

// advance carries out the next thing and tells whether the game now waits. Called
// on a waiting game it asks the same question again and changes nothing.
func (g *game) advance(p *position, w *flow.Witness) bool {
	switch {
	case p.phase == over:
		p.ask, p.part, p.actor = askNothing, 0, engine.Terminal
		return true
	case p.draw.groups != 0:
		return p.chance(p.draw.ask)
	case p.kill.stage != killNone:
		return g.advanceKill(p)
	case p.rising.stage != risingNone:
		return g.advanceRising(p, w)
	case p.combat.stage != combatNone:
		return g.advanceCombat(p, w)
	case p.build.stage != buildNone:
		return g.advanceBuild(p, w)
	case p.move.stage != moveNone:
		return g.advanceMove(p)
	case p.propose.stage != 0:
		return g.advanceProposal(p)
	case p.phase == setUp:
		return g.advanceSetUp(p, w)
	case g.ended(p, w):
		return false
	case p.phase != phaseN && int(p.window) < g.seats:
		return g.phaseWindow(p)
	}
	return g.advancePhase(p, w)
}

func (g *game) advancePhase(p *position, w *flow.Witness) bool {
	switch p.phase {
	case phaseA1:
		return g.undergroundPhase(p, w)
	case phaseA2:
		return g.rebelBuildPhase(p, w)
	case phaseA3:
		return g.rebelMovementPhase(p, w)
	case phaseA4:
		return g.rebelCombatPhase(p, w)
	case phaseA5:
		g.supply(p, w, milFirst, armyFirst, 1)
		return g.enter(p, w, phaseB)
	case phaseB:
		return g.eventPhase(p, w)
	case phaseG1:
		return g.reactionPhase(p, w)
	case phaseG2:
		return g.governmentBuildPhase(p, w)
	case phaseG3:
		return g.governmentMovementPhase(p, w)
	case phaseG4:
		return g.governmentCombatPhase(p, w)
	case phaseG5:
		return g.pinPhase(p, w)
	case phaseG6:
		if p.revTurn > 0 {
			g.supply(p, w, armyFirst, agtFirst, 0)
		}
		if p.serving() {
			g.supply(p, w, milFirst, armyFirst, 0)
		}
		return g.enter(p, w, phaseN)
	case phaseN:
		return g.negotiationPhase(p, w)
	}
	panic("minuteman: unknown phase")
}

// decide asks a seat a question, at its first token.
func (p *position) decide(q ask, seat uint8) bool {
	p.ask, p.actor = q, engine.Player(seat)
	return true
}

// chance asks chance.
func (p *position) chance(q ask) bool {
	p.ask, p.part, p.actor = q, 0, engine.Chance
	return true
}

// enter implements R5.1 and R5.2: it opens a phase with its windows and forgets the
// marks that hold for a phase.
func (g *game) enter(p *position, w *flow.Witness, ph phase) bool {
	p.phase, p.step, p.count, p.window, p.part, p.refused = ph, 0, 0, 0, 0, false
	p.lastHex, p.lastClass = 0, 0
	p.seat = g.nextRebel(p, 0)
	if w != nil {
		g.tellPhase(p, w)
	}
	switch ph {
	case phaseA1:
		p.unmark(acted)
	case phaseA2:
		p.unmark(acted)
		p.riotsBefore, p.riotsToDo, p.tried = p.riot, p.riot, citySet{}
	case phaseA3:
		p.unmark(moved)
	case phaseA4:
		p.unmark(attacked | advanced)
	case phaseG2:
		p.unmark(acted)
		p.seat = p.gov
	case phaseG3:
		p.unmark(moved | airRail | noRail)
		p.seat, p.assaults = p.gov, 0
		p.airRail = 2 * g.airRailCapacity(p)
	case phaseG4:
		p.unmark(attacked | advanced)
		for u := uint8(agtFirst); u < agtFirst+numAgts; u++ {
			p.units[u].marks &^= fought
		}
		p.seat = p.gov
	case phaseN:
		p.seat = 0
	}
	return false
}

func (g *game) tellPhase(p *position, w *flow.Witness) {
	turn := number("turn", p.turn)
	if p.phase == phaseA1 {
		w.All("turn", "R5.1", turn, flow.Arg("season", g.seasons[(p.turn-1)%4]), number("year", (p.turn-1)/4+1))
	}
	if p.phase != phaseN || g.seats > 2 {
		w.All("phase", "R5.1", turn, flow.Arg("phase", phaseNames[p.phase]))
	}
}

// unmark takes flags off all units.
func (p *position) unmark(m mark) {
	for u := range p.units {
		p.units[u].marks &^= m
	}
}

// active tells whether a seat is a Rebel that plays in the Rebel phases: not
// eliminated (R28.8), not federalized (R28.6).
func (g *game) active(p *position, seat uint8) bool {
	return seat != p.gov && seat != p.fed && p.gone>>seat&1 == 0
}

// nextRebel returns the first active Rebel seat not below seat, noSeat if there is
// none.
func (g *game) nextRebel(p *position, seat uint8) uint8 {
	for ; int(seat) < g.seats; seat++ {
		if g.active(p, seat) {
			return seat
		}
	}
	return noSeat
}

// windowSeat returns the seat of the i-th phase window: the Rebels in seat order,
// then the Government (R5.2).
func (g *game) windowSeat(p *position, i uint8) uint8 {
	if int(i) == g.seats-1 {
		return p.gov
	}
	if i < p.gov {
		return i
	}
	return i + 1
}

// phaseWindow implements R5.2 and D30.
// Ruling 24: "at any time" means here.
func (g *game) phaseWindow(p *position) bool {
	seat := g.windowSeat(p, p.window)
	if p.gone>>seat&1 != 0 {
		p.window++
		p.refused = false
		return false
	}
	return p.decide(askWindow, seat)
}

func (g *game) chooseWindow(p *position, w *flow.Witness, a int) {
	switch a {
	case actRevolution:
		g.declare(p, w, uint8(p.actor))
	case actAssassinate:
		g.startKill(p)
	case actForeign:
		g.declareForeign(p, w)
	default:
		p.window++
		p.refused = false
		p.part = 0
	}
}

// endTurn implements the end of a Game-Turn (R5.1, R10.2) and R24.2.
func (g *game) endTurn(p *position, w *flow.Witness) {
	p.unmark(fought | placedNow | airRail)
	if p.revTurn == 0 && int(p.turn) == g.sc.Deadline && g.sc.Revolution && p.original {
		g.forfeit(p, w)
		return
	}
	if int(p.turn) == g.sc.Turns {
		g.finish(p, w)
		return
	}
	p.turn++
	g.enter(p, w, phaseA1)
}

// fillLegal writes the legal tokens of the question at rest. It returns the first
// of them, noAction if there is none, and their number.
func (g *game) fillLegal(p *position) (first, n int) {
	p.legal = [len(p.legal)]uint64{}
	g.offer(p)
	first = noAction
	for i, w := range p.legal {
		if w == 0 {
			continue
		}
		if first == noAction {
			first = i<<6 + trailing(w)
		}
		n += popcount(w)
	}
	return first, n
}

// noAction is chosen where nothing is legal.
const noAction = -1

func (p *position) allow(a int) { p.legal[a>>6] |= 1 << (a & 63) }

func (p *position) allowIf(ok bool, a int) {
	if ok {
		p.allow(a)
	}
}

// allowHexes offers a set of hexes.
func (p *position) allowHexes(s *hexSet) {
	const word, shift = actHex >> 6, actHex & 63
	for i, w := range s {
		p.legal[word+i] |= w << shift
		if shift > 0 && word+i+1 < len(p.legal) {
			p.legal[word+i+1] |= w >> (64 - shift)
		}
	}
}

// offered returns the hexes among the legal tokens; a view of a seat that is not
// asked has none.
func (p *position) offered() (set hexSet) {
	const word, shift = actHex >> 6, actHex & 63
	for i := range set {
		set[i] = p.legal[word+i] >> shift
		if shift > 0 && word+i+1 < len(p.legal) {
			set[i] |= p.legal[word+i+1] << (64 - shift)
		}
	}
	return set
}

// hexesOf returns where the units of a set stand.
func (p *position) hexesOf(s *unitSet) hexSet {
	var hexes hexSet
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			hexes.add(p.units[i<<6+trailing(w)].hex)
		}
	}
	return hexes
}

// allowClasses offers the classes of the set's units in a hex, from the least
// one on.
func (g *game) allowClasses(p *position, s *unitSet, h int16, least class) {
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if s.has(u) {
			if c := g.classOf(p, u); c >= least {
				p.allow(actClass + int(c))
			}
		}
	}
}
