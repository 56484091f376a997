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

// advance carries out the next thing and reports whether the game now waits. Called
// on a waiting game it asks the same question again and changes nothing.
func (g *game) advance(p *Position, w *flow.Witness) bool {
	switch {
	case p.Phase == over:
		p.Ask, p.Part, p.Actor = askNothing, 0, engine.Terminal
		p.Choices().Clear()
		return true
	case p.Draw.Groups != 0:
		return p.chance(p.Draw.Ask)
	case p.Kill.Stage != killNone:
		return g.advanceKill(p)
	case p.Rising.Stage != risingNone:
		return g.advanceRising(p, w)
	case p.Combat.Stage != combatNone:
		return g.advanceCombat(p, w)
	case p.Build.Stage != buildNone:
		return g.advanceBuild(p, w)
	case p.Move.Stage != moveNone:
		return g.advanceMove(p)
	case p.Propose.Sent:
		return p.decide(askAnswer, p.Propose.To)
	case p.Phase == setUp:
		return g.advanceSetUp(p, w)
	case g.ended(p, w):
		return false
	case p.Phase != phaseN && int(p.Window) < g.Seats:
		return g.phaseWindow(p)
	}
	return g.advancePhase(p, w)
}

func (g *game) advancePhase(p *Position, w *flow.Witness) bool {
	switch p.Phase {
	case phaseA1:
		return g.undergroundPhase(p, w)
	case phaseA2:
		return g.rebelBuildPhase(p, w)
	case phaseA3:
		return g.rebelMovementPhase(p, w)
	case phaseA4:
		return g.rebelCombatPhase(p, w)
	case phaseA5:
		g.supply(p, w, milFirst, armyFirst, rebelTeam)
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
		if p.RevTurn > 0 {
			g.supply(p, w, armyFirst, agtFirst, governmentTeam)
		}
		if p.serving() {
			g.supply(p, w, milFirst, armyFirst, governmentTeam)
		}
		return g.enter(p, w, phaseN)
	case phaseN:
		return g.negotiationPhase(p, w)
	}
	panic("minuteman: unknown phase")
}

// decide asks a seat a question, at its first token.
func (p *Position) decide(q ask, seat SeatID) bool {
	p.Ask, p.Actor = q, engine.Player(seat)
	return true
}

// chance asks chance.
func (p *Position) chance(q ask) bool {
	p.Ask, p.Part, p.Actor = q, 0, engine.Chance
	p.Choices().Clear()
	return true
}

// enter implements R5.1 and R5.2: it opens a phase with its windows and forgets the
// marks that hold for a phase.
func (g *game) enter(p *Position, w *flow.Witness, ph phase) bool {
	p.Phase, p.Progress, p.Window, p.Part, p.Refused = ph, Progress{}, 0, 0, false
	p.LastHex, p.LastClass = 0, 0
	p.Seat = g.opener(p)
	if w != nil {
		g.tellPhase(p, w)
	}
	switch ph {
	case phaseA1:
		p.unmark(acted)
	case phaseA2:
		p.unmark(acted)
		p.RiotsBefore, p.RiotsToDo, p.Tried = p.Riot, p.Riot, citySet{}
	case phaseA3:
		p.unmark(moved)
	case phaseA4:
		p.unmark(attacked | advanced)
	case phaseG2:
		p.unmark(acted)
	case phaseG3:
		p.unmark(moved | airRail | noRail)
		p.Assaults = 0
		p.AirRail = 2 * g.airRailCapacity(p)
	case phaseG4:
		p.unmark(attacked | advanced)
		for u := UnitID(agtFirst); u < agtFirst+numAgts; u++ {
			p.Units[u].Marks &^= fought
		}
	}
	return false
}

// opener is the seat that a phase begins with when its windows are over.
func (g *game) opener(p *Position) SeatID {
	switch p.Phase {
	case phaseG2, phaseG3, phaseG4:
		return p.Gov
	case phaseN:
		return 0
	}
	return g.nextRebel(p, 0)
}

func (g *game) tellPhase(p *Position, w *flow.Witness) {
	turn := number("turn", p.Turn)
	if p.Phase == phaseA1 {
		w.All("turn", "R5.1", turn, flow.Arg("season", g.Season.Order[(p.Turn-1)%4]), number("year", (p.Turn-1)/4+1))
	}
	if p.Phase != phaseN || g.Seats > 2 {
		w.All("phase", "R5.1", turn, flow.Arg("phase", phaseNames[p.Phase]))
	}
}

// unmark takes flags off all units. Those off the map have none.
func (p *Position) unmark(m mark) {
	for i, w := range p.OnMap {
		for ; w != 0; w &= w - 1 {
			p.Units[i<<6+trailing(w)].Marks &^= m
		}
	}
}

// active reports whether a seat is a Rebel that plays in the Rebel phases: not
// eliminated (R28.8), not federalized (R28.6).
func (g *game) active(p *Position, seat SeatID) bool {
	return seat != p.Gov && seat != p.Fed && !p.Gone.Has(seat)
}

// nextRebel returns the first active Rebel seat not below seat, noSeat if there is
// none.
func (g *game) nextRebel(p *Position, seat SeatID) SeatID {
	for ; int(seat) < g.Seats; seat++ {
		if g.active(p, seat) {
			return seat
		}
	}
	return noSeat
}

// skipOut goes on from a Rebel who has become another's Government, or fell out, in his
// part of a phase (R28.8) to the next one in seat order.
func (g *game) skipOut(p *Position) {
	if p.Seat != noSeat && !g.active(p, p.Seat) {
		p.Seat = g.nextRebel(p, p.Seat+1)
		p.LastHex, p.LastClass, p.Part = 0, 0, 0
	}
}

// windowSeat returns the seat of the i-th phase window: the Rebels in seat order,
// then the Government (R5.2).
func (g *game) windowSeat(p *Position, i uint8) SeatID {
	if int(i) == g.Seats-1 {
		return p.Gov
	}
	if s := SeatID(i); s < p.Gov {
		return s
	}
	return SeatID(i) + 1
}

// phaseWindow implements R5.2 and D30.
// Ruling 24: "at any time" means here.
func (g *game) phaseWindow(p *Position) bool {
	seat := g.windowSeat(p, p.Window)
	if p.Gone.Has(seat) {
		p.Window++
		p.Refused = false
		return false
	}
	return p.decide(askWindow, seat)
}

// offerWindow offers the options of D30.
func (g *game) offerWindow(p *Position) {
	seat := SeatID(p.Actor)
	p.allowIf(g.mayDeclare(p, seat), actRevolution)
	p.allowIf(g.canKill(p, seat), actAssassinate)
	p.allowIf(g.mayCallForeign(p, seat), actForeign)
	p.allow(actDone)
}

func (g *game) chooseWindow(p *Position, w *flow.Witness, a engine.Action) {
	switch a {
	case actRevolution:
		g.declare(p, w, SeatID(p.Actor))
	case actAssassinate:
		g.startKill(p)
	case actForeign:
		g.declareForeign(p, w)
	default:
		p.Window++
		p.Refused = false
		p.Part = 0
	}
}

// offerReaction offers the options of D31.
func (g *game) offerReaction(p *Position) {
	p.allowIf(g.canKill(p, SeatID(p.Actor)), actAssassinate)
	p.allow(actDone)
}

// chooseReaction carries out D31: an assassination, or the next seat is asked.
func (g *game) chooseReaction(p *Position, _ *flow.Witness, a engine.Action) {
	switch {
	case a == actAssassinate:
		g.startKill(p)
	case p.Combat.Stage != combatNone:
		p.Combat.React++
	default:
		p.Build.React++
	}
}

// reactor implements R5 D31 and R28.10: the i-th seat that is asked when seat acts
// against target (noSeat if the act has no victim), noSeat when all have been.
// what a federalized Rebel does a Rebel does.
func (g *game) reactor(p *Position, seat, target SeatID, i uint8) SeatID {
	var list [maxSeats]SeatID
	n := uint8(0)
	switch {
	case seat == p.Gov:
		for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
			list[n] = s
			n++
		}
	default:
		if target != noSeat && target != p.Gov && target != seat {
			list[n] = target
			n++
		}
		list[n] = p.Gov
		n++
	}
	if i >= n {
		return noSeat
	}
	return list[i]
}

// endTurn implements the end of a Game-Turn (R5.1, R10.2) and R24.2.
func (g *game) endTurn(p *Position, w *flow.Witness) {
	p.unmark(fought | placedNow | airRail)
	if g.forfeits(p) {
		g.forfeit(p, w)
		return
	}
	if int(p.Turn) == g.sc.Turns {
		g.finish(p, w)
		return
	}
	p.Turn++
	g.enter(p, w, phaseA1)
}

func (p *Position) allow(a int) { p.Words[a>>6] |= 1 << (a & 63) }

// allowAmounts offers the amounts from low to high, as far as there are tokens.
func (p *Position) allowAmounts(low, high int) {
	for n := low; n <= min(high, maxAmount); n++ {
		p.allow(actAmount + n)
	}
}

func (p *Position) allowIf(ok bool, a int) {
	if ok {
		p.allow(a)
	}
}

// allowHexes offers a set of hexes.
func (p *Position) allowHexes(s *hexSet) {
	for i, w := range s {
		if w != 0 {
			p.Choices().AddBits(engine.Action(actHex+i<<6), w)
		}
	}
}

// offered returns the hexes among the legal tokens; a view of a seat that is not
// asked has none.
func (p *Position) offered() (set hexSet) {
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
func (p *Position) hexesOf(s *unitSet) hexSet {
	var hexes hexSet
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			hexes.add(p.Units[i<<6+trailing(w)].Hex)
		}
	}
	return hexes
}

// allowHexesOf offers the hexes of units.
func (p *Position) allowHexesOf(s *unitSet) {
	hexes := p.hexesOf(s)
	p.allowHexes(&hexes)
}

// allowClasses offers the classes of the set's units in a hex.
func (g *game) allowClasses(p *Position, s *unitSet, h HexID) {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if s.has(u) {
			p.allow(actClass + int(g.classOf(p, u)))
		}
	}
}
