package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// moveStage is how far the movement of a unit has come.
type moveStage uint8

const (
	moveNone    moveStage = iota
	moveMode              // D65
	moveDest              // D19, D66
	movePassage           // D20
	moveDie               // C8
	moveAirDie            // C18
)

var moveStageNames = []string{"", "mode", "destination", "passage", "die", "air_die"}

// moveStep is how far a Movement Phase has come. In G3 a federalized Rebel's follow those of the
// Government (R28.6).
type moveStep uint8

const (
	stepForeign moveStep = iota
	stepReinforce
	stepMove
	stepMoveEnd
	stepFedForeign   = stepMoveEnd
	stepFedReinforce = stepFedForeign + 1
	stepFedMove      = stepFedForeign + 2
	stepUnrest       = stepFedForeign + 3
)

// rebelMovementPhase implements R8 (phase A3): reinforcements (R8.1), then moves
// of each Rebel; with several in the order of the dice (R28.2).
func (g *game) rebelMovementPhase(p *Position, w *flow.Witness) bool {
	if g.Seats > 2 && p.Order[0] == noSeat {
		return g.orderOfMovement(p, w)
	}
	seat, place := g.inOrder(p, p.Moves.Moved)
	if place != p.Moves.Moved { // who moved has fallen out (R28.8)
		p.Moves = Moves{Moved: place}
	}
	switch {
	case p.Moves.Step == stepMoveEnd || seat == noSeat:
		g.endRebelMovement(p, w)
		return g.enter(p, w, phaseA4)
	case p.Moves.Step == stepForeign:
		return g.foreignArrival(p, seat)
	case p.Moves.Step == stepReinforce:
		return g.reinforce(p, seat)
	}
	p.Seat = seat
	return p.decide(askMove, seat)
}

// endRebelMovement implements R8.6: before the Revolution an Informer is removed
// where a Militia stands and no Government unit; after it R20.8. A federalized Rebel's
// Militia removes none (R28.6).
// Ruling 15: a Militia before the Revolution, any Rebel unit after it.
func (g *game) endRebelMovement(p *Position, w *flow.Witness) {
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		if p.RevTurn > 0 {
			g.expose(p, w, h)
			continue
		}
		if g.informerAt(p, h) && g.freeRebelIn(p, h, true) && !g.look(p, h).govern {
			g.dropInformer(p, w, "R8.6", h)
		}
	}
}

// movable is the set of units that a seat may move now (R8.2, R17.2): each has a
// destination (R3.6). With any set it stops at the first.
func (g *game) movable(p *Position, seat SeatID, any bool) unitSet {
	var set unitSet
	first, end := UnitID(mmFirst), UnitID(agtFirst) // an Army may be held by a Rebel
	if seat == p.Gov {
		end = numUnits
		if g.Seats == 2 { // else a Rebel may have become the Government
			first = armyFirst
		}
	}
	for u := p.OnMap.next(first); u < end; u = p.OnMap.next(u + 1) {
		if g.canMove(p, seat, u) {
			set.add(u)
			if any {
				return set
			}
		}
	}
	return set
}

// canMove reports whether a seat may move a unit now.
func (g *game) canMove(p *Position, seat SeatID, u UnitID) bool {
	switch {
	case p.Units[u].Marks&(moved|underground) != 0 || g.owner(p, u) != seat || g.kind[u] == network:
		return false
	case seat == p.Gov:
		return g.modes(p, u) != 0
	}
	return g.rebelCanMove(p, u)
}

func (g *game) rebelCanMove(p *Position, u UnitID) bool {
	if g.kind[u] != minuteman || p.RevTurn > 0 {
		return g.canStep(p, u)
	}
	for _, n := range g.hexes[p.Units[u].Hex].near {
		if n != noHex && g.mayEnter(p, u, n) { // the usual case
			return true
		}
	}
	set := g.mmTargets(p, u)
	return !set.empty()
}

// moves is D18, governmentMoves D64.
var (
	moves           = taking{verb: actMove, set: (*game).movableNow, take: (*game).beginMove, done: (*game).movesDone}
	governmentMoves = taking{verb: actMove, set: (*game).movableNow, take: (*game).beginMove, done: (*game).movesDone,
		offer: (*game).offerRail, other: (*game).showPassage}
)

// movableNow is what may move: something of it before the verb is chosen, all of it then, and once
// a hex is chosen what stands there.
func (g *game) movableNow(p *Position) unitSet {
	seat := SeatID(p.Actor)
	if p.Part < 2 {
		return g.movable(p, seat, p.Part == 0)
	}
	var set unitSet
	for u := p.Head[p.SelHex]; u != noUnit; u = p.Units[u].Next {
		if g.canMove(p, seat, u) {
			set.add(u)
		}
	}
	return set
}

func (g *game) beginMove(p *Position, _ *flow.Witness, u UnitID) {
	p.Move = Movement{Stage: moveDest, Unit: u, Dest: noHex, Mode: actNormal}
	if SeatID(p.Actor) == p.Gov {
		p.Move.Stage = moveMode
	}
}

func (g *game) movesDone(p *Position, _ *flow.Witness) {
	if p.Phase != phaseA3 {
		p.Moves.Step++
		return
	}
	p.Moves.Moved++
	p.Moves.Step = stepForeign
}

// offerRail implements R17.2: a Passage marker that is shown gives an Air/Rail point.
func (g *game) offerRail(p *Position) {
	p.allowIf(p.Hand[p.Actor][passage] > 0 && g.railPossible(p), actShowPassage)
}

func (g *game) showPassage(p *Position, w *flow.Witness, _ engine.Action) {
	g.giveBack(p, w, SeatID(p.Actor), passage, 1)
	p.AirRail += 2
}

func (g *game) advanceMove(p *Position) bool {
	m := &p.Move
	seat := g.owner(p, m.Unit)
	switch m.Stage {
	case moveMode:
		return p.decide(askMode, seat)
	case moveDest:
		if seat == p.Gov {
			return p.decide(askGovDestination, seat)
		}
		return p.decide(askDestination, seat)
	case movePassage:
		return p.decide(askPassage, seat)
	case moveDie:
		return p.chance(askMoveDie)
	}
	return p.chance(askAirDie)
}

// destinations is the set of D19 and D66.
func (g *game) destinations(p *Position) hexSet {
	u := p.Move.Unit
	switch {
	case p.Ask == askDestination && g.kind[u] == minuteman && p.RevTurn == 0:
		return g.mmTargets(p, u)
	case p.Move.Mode == actNormal:
		return g.reach(p, u)
	}
	return g.flights(p, u, p.Move.Mode)
}

func (g *game) chooseDestination(p *Position, w *flow.Witness, a engine.Action) {
	m := &p.Move
	m.Dest = HexID(a - actHex)
	u := m.Unit
	switch {
	case m.Mode == actAirRail:
		g.startRail(p, w)
	case g.kind[u] == minuteman && p.RevTurn == 0:
		var hexes [numHexes]HexID
		_, price := g.path(p, u, m.Dest, &hexes)
		m.Price = uint16(price)
		if price <= g.freePrice() {
			g.arriveAt(p, w, u, m.Dest)
			return
		}
		m.Stage = movePassage
	default:
		switch m.Mode {
		case actAirAssault:
			p.Assaults |= 1
		case actAmphibious:
			p.Assaults |= 2
		}
		g.arriveAt(p, w, u, m.Dest)
	}
}

// freePrice is the highest price without a die (R8.3): the end of the first
// column.
func (g *game) freePrice() int { return int(g.Minutemen.Columns[0]) }

// arriveAt ends a move; R25.11: a Division that leaves the Front Line is committed.
func (g *game) arriveAt(p *Position, w *flow.Witness, u UnitID, h HexID) {
	p.Units[u].Marks |= moved
	g.leaveFront(p, w, u)
	g.carry(p, w, "moved", g.moveRule(p, u), u, h)
	p.Move = Movement{}
}

// moveRule is the rule by which a unit moves as it does.
func (g *game) moveRule(p *Position, u UnitID) string {
	switch {
	case p.Move.Mode > actAirRail:
		return "R31"
	case g.kind[u] == minuteman && p.RevTurn == 0:
		return "R8.3"
	case g.kind[u] == minuteman:
		return "R8.5"
	case g.kind[u] == militia:
		return "R8.4"
	}
	return "R17.2"
}

// leaveFront implements R25.11 (commitment).
func (g *game) leaveFront(p *Position, w *flow.Witness, u UnitID) {
	if p.Units[u].Marks&frontLine != 0 {
		p.Units[u].Marks &^= frontLine
		if p.Commit++; w != nil {
			w.All("committed", "R25.11", g.unitArg(u), number("committed", p.Commit))
		}
	}
}

func (g *game) offerPassage(p *Position) { p.allowAmounts(0, int(p.Hand[p.Actor][passage])) }

// choosePassage implements D20, for a move or for a retreat (R11.3).
func (g *game) choosePassage(p *Position, _ *flow.Witness, a engine.Action) {
	n := uint8(a - actAmount)
	if p.Combat.Stage == combatPassage {
		p.Combat.Passages = n
		p.Combat.Stage = combatZoneDie
		return
	}
	p.Move.Shown = n
	p.Move.Stage = moveDie
}

// minutemanResult implements R8.3: the column by price, one to the left for each
// Passage marker shown.
func (g *game) minutemanResult(price, shown, die int) result {
	return g.Minutemen.Cells[die][g.minutemanColumn(price, shown)]
}

func (g *game) minutemanColumn(price, shown int) int {
	return max(0, column(g.Minutemen.Columns[:], price)-shown)
}

// journey casts the die for a Minuteman's way to a hex (C8).
func (g *game) journey(p *Position, w *flow.Witness, rule string, u UnitID, to HexID, price, shown, die int) result {
	r := g.minutemanResult(price, shown, die)
	if w != nil {
		w.All("journey", rule, g.unitArg(u), flow.Arg("to", g.hexes[to].id), flow.Arg("price", price), flow.Arg("passage", shown),
			flow.Arg("column", g.minutemanColumn(price, shown)+1), flow.Arg("die", die), flow.Arg("outcome", resultNames[r]))
	}
	g.giveBack(p, w, g.owner(p, u), passage, uint8(shown))
	return r
}

// moveDie implements C8, for a move or for a retreat.
func (g *game) moveDie(p *Position, w *flow.Witness, die int) {
	if p.Combat.Stage == combatZoneDie {
		g.zoneRoll(p, w, die)
		return
	}
	g.moveRoll(p, w, die)
}

// moveRoll implements R8.3.
func (g *game) moveRoll(p *Position, w *flow.Witness, die int) {
	m := p.Move
	u := m.Unit
	switch g.journey(p, w, "R8.3", u, m.Dest, int(m.Price), int(m.Shown), die) {
	case rLost:
		g.eliminate(p, w, "R8.3", u)
		p.Move = Movement{}
	case rStop:
		g.stop(p, w, u, m.Dest)
	default:
		g.arriveAt(p, w, u, m.Dest)
	}
}

// stop implements St of R8.3: the Minuteman stays if an enemy is where it begins or
// next on its path; else it comes to the first hex of its path that the enemy
// controls or occupies, or half way. Without room there it stays.
func (g *game) stop(p *Position, w *flow.Witness, u UnitID, dest HexID) {
	var hexes [numHexes]HexID
	n, _ := g.path(p, u, dest, &hexes)
	side := p.team(g.owner(p, u))
	enemy := g.zone(p, side.other(), noHex)
	from := p.Units[u].Hex
	at := from
	if !g.enemyIn(p, side, from) {
		if n > 1 {
			at = hexes[n/2-1]
		}
		for i, h := range hexes[:n] {
			if enemy.has(h) || g.enemyIn(p, side, h) {
				at = h
				if i == 0 {
					at = from
				}
				break
			}
		}
	}
	p.Units[u].Marks |= moved
	p.Move = Movement{}
	if at != from && g.fits(p, u, at) {
		g.carry(p, w, "moved", "R8.3", u, at)
	}
}

// enemyIn reports whether a Government unit or an Informer is in a hex (R8.3): no enemies
// of a federalized Rebel (R28.6).
func (g *game) enemyIn(p *Position, side team, h HexID) bool {
	return side == rebelTeam && (g.informerAt(p, h) || g.look(p, h).govern)
}
