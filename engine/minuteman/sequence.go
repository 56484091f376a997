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

// advance carries out the next thing and tells whether the game now waits. Called
// on a waiting game it asks the same question again and changes nothing.
func (g *game) advance(p *position, w *flow.Witness) bool {
	switch {
	case p.phase == over:
		p.Ask, p.part, p.Actor = askNothing, 0, engine.Terminal
		p.Choices().Clear()
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
	case p.propose.sent:
		return p.decide(askAnswer, p.propose.to)
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
func (p *position) decide(q ask, seat SeatID) bool {
	p.Ask, p.Actor = q, engine.Player(seat)
	return true
}

// chance asks chance.
func (p *position) chance(q ask) bool {
	p.Ask, p.part, p.Actor = q, 0, engine.Chance
	p.Choices().Clear()
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
		for u := UnitID(agtFirst); u < agtFirst+numAgts; u++ {
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
func (g *game) active(p *position, seat SeatID) bool {
	return seat != p.gov && seat != p.fed && !p.gone.has(seat)
}

// nextRebel returns the first active Rebel seat not below seat, noSeat if there is
// none.
func (g *game) nextRebel(p *position, seat SeatID) SeatID {
	for ; int(seat) < g.seats; seat++ {
		if g.active(p, seat) {
			return seat
		}
	}
	return noSeat
}

// windowSeat returns the seat of the i-th phase window: the Rebels in seat order,
// then the Government (R5.2).
func (g *game) windowSeat(p *position, i uint8) SeatID {
	if int(i) == g.seats-1 {
		return p.gov
	}
	if s := SeatID(i); s < p.gov {
		return s
	}
	return SeatID(i) + 1
}

// phaseWindow implements R5.2 and D30.
// Ruling 24: "at any time" means here.
func (g *game) phaseWindow(p *position) bool {
	seat := g.windowSeat(p, p.window)
	if p.gone.has(seat) {
		p.window++
		p.refused = false
		return false
	}
	return p.decide(askWindow, seat)
}

// offerWindow offers the options of D30.
func (g *game) offerWindow(p *position) {
	seat := SeatID(p.Actor)
	p.allowIf(g.mayDeclare(p, seat), actRevolution)
	p.allowIf(g.canKill(p, seat), actAssassinate)
	p.allowIf(g.mayCallForeign(p, seat), actForeign)
	p.allow(actDone)
}

func (g *game) chooseWindow(p *position, w *flow.Witness, a engine.Action) {
	switch a {
	case actRevolution:
		g.declare(p, w, SeatID(p.Actor))
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

// offerReaction offers the options of D31.
func (g *game) offerReaction(p *position) {
	p.allowIf(g.canKill(p, SeatID(p.Actor)), actAssassinate)
	p.allow(actDone)
}

// chooseReaction carries out D31: an assassination, or the next seat is asked.
func (g *game) chooseReaction(p *position, _ *flow.Witness, a engine.Action) {
	switch {
	case a == actAssassinate:
		g.startKill(p)
	case p.combat.stage != combatNone:
		p.combat.react++
	default:
		p.build.react++
	}
}

// reactor implements R5 D31 and R28.10: the i-th seat that is asked when seat acts
// against target (noSeat if the act has no victim), noSeat when all have been.
func (g *game) reactor(p *position, seat, target SeatID, i uint8) SeatID {
	var list [maxSeats]SeatID
	n := uint8(0)
	switch {
	case p.team(seat) == 0:
		for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
			list[n] = s
			n++
		}
	default:
		if target != noSeat && target != p.gov && target != seat {
			list[n] = target
			n++
		}
		list[n] = p.gov
		n++
	}
	if i >= n {
		return noSeat
	}
	return list[i]
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

func (p *position) allow(a int) { p.Words[a>>6] |= 1 << (a & 63) }

// allowAmounts offers the amounts from low to high, as far as there are tokens.
func (p *position) allowAmounts(low, high int) {
	for n := low; n <= min(high, maxAmount); n++ {
		p.allow(actAmount + n)
	}
}

func (p *position) allowIf(ok bool, a int) {
	if ok {
		p.allow(a)
	}
}

// allowHexes offers a set of hexes.
func (p *position) allowHexes(s *hexSet) {
	const word, shift = actHex >> 6, actHex & 63
	for i, w := range s {
		p.Words[word+i] |= w << shift
		if shift > 0 && word+i+1 < len(p.Words) {
			p.Words[word+i+1] |= w >> (64 - shift)
		}
	}
}

// offered returns the hexes among the legal tokens; a view of a seat that is not
// asked has none.
func (p *position) offered() (set hexSet) {
	const word, shift = actHex >> 6, actHex & 63
	for i := range set {
		set[i] = p.Words[word+i] >> shift
		if shift > 0 && word+i+1 < len(p.Words) {
			set[i] |= p.Words[word+i+1] << (64 - shift)
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
func (g *game) allowClasses(p *position, s *unitSet, h HexID, least class) {
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if s.has(u) {
			if c := g.classOf(p, u); c >= least {
				p.allow(actClass + int(c))
			}
		}
	}
}
