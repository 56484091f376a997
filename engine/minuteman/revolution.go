package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// risingStage is how far the declaration of the Revolution has come.
type risingStage uint8

const (
	risingNone     risingStage = iota
	risingAsk                  // D82: several Rebels must agree (R28.7)
	risingLeave                // D70
	risingGovDie               // C15, Government
	risingRebelDie             // C15, each Rebel
	risingLot                  // R28.8: a lot among equals decides who becomes the Government (C21)
	risingTurncoat             // R28.8: the new Government's Militia become Divisions
)

var risingStageNames = []string{"", "ask", "leave", "government_die", "rebel_die", "lot", "turncoat"}

// mayDeclare implements R20.1, R24.2 and R28.7.
// not again in the window in which it was refused.
func (g *game) mayDeclare(p *position, seat SeatID) bool {
	if !g.sc.Revolution || p.revTurn > 0 || !g.active(p, seat) || p.refused || p.original && int(p.turn) > g.sc.Deadline {
		return false
	}
	return g.seats == 2 || g.majority(p, seat) || g.nextAsked(p, seat, 0) != noSeat
}

// majority tells whether a seat owns more than half of all Minutemen on the map
// (R28.7).
func (g *game) majority(p *position, seat SeatID) bool {
	own, all := 0, 0
	for u := p.onMap.next(mmFirst); u < milFirst; u = p.onMap.next(u + 1) {
		all++
		if g.owner(p, u) == seat {
			own++
		}
	}
	return 2*own > all
}

// nextAsked returns the next other active Rebel not below from.
func (g *game) nextAsked(p *position, seat, from SeatID) SeatID {
	s := g.nextRebel(p, from)
	if s == seat {
		s = g.nextRebel(p, s+1)
	}
	return s
}

// declare begins the Revolution, or asks for the consent that it needs.
func (g *game) declare(p *position, w *flow.Witness, seat SeatID) {
	if g.seats == 2 || g.majority(p, seat) {
		g.rise(p, w, seat)
		return
	}
	p.rising = rising{stage: risingAsk, seat: seat, answers: g.nextAsked(p, seat, 0), army: noUnit}
}

// rise implements R20.2: the Revolution is declared, all underground markers come
// off, and the Armies that share hexes with Rebels leave.
func (g *game) rise(p *position, w *flow.Witness, seat SeatID) {
	p.revTurn = p.turn
	p.unmark(underground)
	if w != nil {
		w.All("revolution", "R20.1", seatArg(seat))
	}
	p.rising = rising{stage: risingLeave, seat: seat, army: noUnit}
}

func (g *game) advanceRising(p *position, w *flow.Witness) bool {
	r := &p.rising
	switch r.stage {
	case risingAsk:
		if r.answers == noSeat {
			if w != nil {
				w.All("refused", "R28.7", seatArg(r.seat), flow.Arg("proposal", g.actions[actRevolution]))
			}
			p.refused = true
			p.rising = rising{}
			return false
		}
		return p.decide(askAnswer, r.answers)
	case risingLeave:
		return g.leave(p)
	case risingGovDie, risingRebelDie:
		return p.chance(askRevDie)
	case risingLot:
		if p.lot == noSeat {
			return p.chance(askTie)
		}
		p.rising = rising{} // the end is tested again, now with the lot
		return false
	}
	return g.turncoat(p, w)
}

// leave implements R20.2 (D70): the Armies that share a hex with a Rebel unit, by
// order of hexes.
func (g *game) leave(p *position) bool {
	r := &p.rising
	if r.army == noUnit {
		for h := p.occupied.next(0); h != noHex && r.army == noUnit; h = p.occupied.next(h + 1) {
			if u := g.armyIn(p, false, h); u != noUnit && g.look(p, h).rebel {
				r.army = u
			}
		}
		if r.army == noUnit {
			r.stage = risingGovDie
			return false
		}
	}
	return p.decide(askLeave, p.gov)
}

// leavePlaces returns the nearest vacant playable hexes (R20.2).
func (g *game) leavePlaces(p *position) hexSet {
	var set hexSet
	u := p.rising.army
	from := p.units[u].hex
	home, tied := g.homeOf(p, u)
	best := numHexes
	for h := g.open.next(0); h != noHex; h = g.open.next(h + 1) {
		if p.head[h] != noUnit || tied && g.hexes[h].country != home {
			continue
		}
		d := g.distance(from, h)
		if d < best {
			best, set = d, hexSet{}
		}
		if d == best {
			set.add(h)
		}
	}
	return set
}

func (g *game) offerLeave(p *position) {
	set := g.leavePlaces(p)
	p.allowHexes(&set)
}

func (g *game) chooseLeave(p *position, w *flow.Witness, a engine.Action) {
	u := p.rising.army
	p.rising.army = noUnit
	if a == noAction {
		g.eliminate(p, w, "R20.2", u)
		return
	}
	g.carry(p, w, "moved", "R20.2", u, HexID(a-actHex))
}

// revolutionDie implements R20.3 (C15): the Government's die, then one of each
// active Rebel.
// each active Rebel rolls.
func (g *game) revolutionDie(p *position, w *flow.Witness, die int) {
	r := &p.rising
	if r.stage == risingGovDie {
		p.due[p.gov] = g.divisions[die]
		g.tellDue(p, w, p.gov, "Divisions")
		r.stage = risingRebelDie
		r.answers = g.nextRebel(p, 0)
	} else {
		p.due[r.answers] = uint8(die)
		g.tellDue(p, w, r.answers, "Militia")
		r.answers = g.nextRebel(p, r.answers+1)
	}
	if r.answers == noSeat {
		p.rising = rising{}
	}
}

func (g *game) tellDue(p *position, w *flow.Witness, seat SeatID, what string) {
	if w != nil {
		w.All("reinforcements", "R20.3", seatArg(seat), number("number", p.due[seat]), flow.Arg("what", what))
	}
}

// reinforce implements R20.5, R23 (Unprepared) and R17.1: the units that are due
// are placed before the moves.
func (g *game) reinforce(p *position, seat SeatID) bool {
	if g.lateArmy(p, seat) {
		if set := g.reinforcementPlaces(p, seat); !set.empty() {
			return p.decide(askReinforce, seat)
		}
		p.late = true
	}
	if p.due[seat] > 0 && p.placed < g.atOnce[b2u(seat != p.gov)] {
		p.seat = seat
		if set := g.reinforcementPlaces(p, seat); !set.empty() {
			return p.decide(askReinforce, seat)
		}
	}
	p.step, p.placed, p.late, p.lastHex = p.step+1, 0, false, 0
	return false
}

// lateArmy tells whether the reinforcement of R23 (Unprepared) is to be placed now.
func (g *game) lateArmy(p *position, seat SeatID) bool {
	return g.governmentSetUp == "unprepared" && seat == p.gov && !p.late &&
		int(p.turn) <= len(g.variants.Government.Unprepared.Reinforce.Turns) && g.divisionGroups(p) != 0
}

// reinforcementPlaces is the set of D69 for a seat.
func (g *game) reinforcementPlaces(p *position, seat SeatID) hexSet {
	var set hexSet
	switch {
	case p.foreignStage == foreignPlacing && seat == p.foreignSeat:
		return g.foreignPlaces(p, seat)
	case seat == p.gov && g.lateArmy(p, seat):
		set = g.eastSea
		if g.variants.Government.Unprepared.Reinforce.Coast[p.turn-1] == "west" {
			set = g.westSea
		}
		set.intersect(&g.board.country[us])
		set.remove(&p.occupied)
	case seat == p.gov:
		if g.divisionGroups(p) == 0 {
			return set
		}
		for u := UnitID(cigFirst); u < numUnits; u++ {
			if h := p.units[u].hex; h != noHex && g.roomFor(p, army, false, h) > 0 {
				set.add(h)
			}
		}
	default:
		for u := UnitID(netFirst); u < netFirst+numNets; u++ {
			h := p.units[u].hex
			if h >= p.lastHex && g.owner(p, u) == seat && g.roomFor(p, militia, false, h) > 0 && g.militiaGroups(p, seat, h) != 0 {
				set.add(h)
			}
		}
	}
	return set
}

func (g *game) offerReinforce(p *position) {
	set := g.reinforcementPlaces(p, SeatID(p.Actor))
	p.allowHexes(&set)
	p.allow(actDone)
}

// Ruling 32: those of the Unprepared set-up do not move.
func (g *game) chooseReinforce(p *position, _ *flow.Witness, a engine.Action) {
	seat := SeatID(p.Actor)
	h := HexID(a - actHex)
	switch {
	case p.foreignStage == foreignPlacing && seat == p.foreignSeat:
		g.placeForeign(p, a)
	case g.lateArmy(p, seat):
		p.late = true
		if a != actDone {
			p.draw = draw{groups: g.divisionGroups(p), hex: h, ask: askDivision, marks: moved}
		}
	case a == actDone:
		p.placed = g.atOnce[1]
	case seat == p.gov:
		p.placed++
		p.due[seat]--
		p.draw = draw{groups: g.divisionGroups(p), hex: h, ask: askDivision}
	default:
		p.placed++
		p.due[seat]--
		p.lastHex = h
		p.draw = draw{groups: g.militiaGroups(p, seat, h), hex: h, ask: askMilitia}
	}
}
