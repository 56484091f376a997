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
func (g *game) mayDeclare(p *Position, seat SeatID) bool {
	if !g.sc.Revolution || p.RevTurn > 0 || !g.active(p, seat) || p.Refused || p.Original && int(p.Turn) > g.sc.Deadline {
		return false
	}
	return g.Seats == 2 || g.majority(p, seat) || g.nextAsked(p, seat, 0) != noSeat
}

// majority reports whether a seat owns more than half of all Minutemen on the map
// (R28.7).
func (g *game) majority(p *Position, seat SeatID) bool {
	own, all := 0, 0
	for u := p.OnMap.next(mmFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		all++
		if g.owner(p, u) == seat {
			own++
		}
	}
	return 2*own > all
}

// nextAsked returns the next other active Rebel not below from.
func (g *game) nextAsked(p *Position, seat, from SeatID) SeatID {
	s := g.nextRebel(p, from)
	if s == seat {
		s = g.nextRebel(p, s+1)
	}
	return s
}

// declare begins the Revolution, or asks for the consent that it needs.
func (g *game) declare(p *Position, w *flow.Witness, seat SeatID) {
	if g.Seats == 2 || g.majority(p, seat) {
		g.rise(p, w, seat)
		return
	}
	p.Rising = Rising{Stage: risingAsk, Seat: seat, Answers: g.nextAsked(p, seat, 0), Army: noUnit}
}

// rise implements R20.2: the Revolution is declared, all underground markers come
// off, and the Armies that share hexes with Rebels leave.
func (g *game) rise(p *Position, w *flow.Witness, seat SeatID) {
	p.RevTurn = p.Turn
	p.unmark(underground)
	if w != nil {
		w.All("revolution", "R20.1", seatArg(seat))
	}
	p.Rising = Rising{Stage: risingLeave, Seat: seat, Army: noUnit}
}

func (g *game) advanceRising(p *Position, w *flow.Witness) bool {
	r := &p.Rising
	switch r.Stage {
	case risingAsk:
		if r.Answers == noSeat {
			if w != nil {
				w.All("refused", "R28.7", seatArg(r.Seat), flow.Arg("proposal", g.actions[actRevolution]))
			}
			p.Refused = true
			p.Rising = Rising{}
			return false
		}
		return p.decide(askAnswer, r.Answers)
	case risingLeave:
		return g.leave(p)
	case risingGovDie, risingRebelDie:
		return p.chance(askRevDie)
	case risingLot:
		if p.Lot == noSeat {
			return p.chance(askTie)
		}
		p.Rising = Rising{} // the end is tested again, now with the lot
		return false
	}
	return g.turncoat(p, w)
}

// leave implements R20.2 (D70): the Armies that share a hex with a Rebel unit, by
// order of hexes.
func (g *game) leave(p *Position) bool {
	r := &p.Rising
	if r.Army == noUnit {
		for h := p.Occupied.next(0); h != noHex && r.Army == noUnit; h = p.Occupied.next(h + 1) {
			if u := g.armyIn(p, false, h); u != noUnit && g.look(p, h).rebel {
				r.Army = u
			}
		}
		if r.Army == noUnit {
			r.Stage = risingGovDie
			return false
		}
	}
	return p.decide(askLeave, p.Gov)
}

// leavePlaces returns the nearest vacant playable hexes (R20.2).
func (g *game) leavePlaces(p *Position) hexSet {
	var set hexSet
	u := p.Rising.Army
	from := p.Units[u].Hex
	home, tied := g.homeOf(p, u)
	best := numHexes
	for h := g.open.next(0); h != noHex; h = g.open.next(h + 1) {
		if p.Head[h] != noUnit || tied && g.hexes[h].country != home {
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

func (g *game) chooseLeave(p *Position, w *flow.Witness, a engine.Action) {
	u := p.Rising.Army
	p.Rising.Army = noUnit
	if a == noAction {
		g.eliminate(p, w, "R20.2", u)
		return
	}
	g.carry(p, w, "moved", "R20.2", u, HexID(a-actHex))
}

// revolutionDie implements R20.3 (C15): the Government's die, then one of each
// active Rebel.
// each active Rebel rolls.
func (g *game) revolutionDie(p *Position, w *flow.Witness, die int) {
	r := &p.Rising
	if r.Stage == risingGovDie {
		p.Due[p.Gov] = g.Reinforcements.Divisions[die]
		g.tellDue(p, w, p.Gov, "Divisions")
		r.Stage = risingRebelDie
		r.Answers = g.nextRebel(p, 0)
	} else {
		p.Due[r.Answers] = uint8(die)
		g.tellDue(p, w, r.Answers, "Militia")
		r.Answers = g.nextRebel(p, r.Answers+1)
	}
	if r.Answers == noSeat {
		p.Rising = Rising{}
	}
}

func (g *game) tellDue(p *Position, w *flow.Witness, seat SeatID, what string) {
	if w != nil {
		w.All("reinforcements", "R20.3", seatArg(seat), number("number", p.Due[seat]), flow.Arg("what", what))
	}
}

// reinforce implements R20.5, R23 (Unprepared) and R17.1: the units that are due
// are placed before the moves.
func (g *game) reinforce(p *Position, seat SeatID) bool {
	if g.lateArmy(p, seat) {
		if set := g.reinforcementPlaces(p, seat); !set.empty() {
			return p.decide(askReinforce, seat)
		}
		p.Late = true
	}
	if p.Due[seat] > 0 && p.Placed < g.atOnce[b2u(seat != p.Gov)] {
		p.Seat = seat
		if set := g.reinforcementPlaces(p, seat); !set.empty() {
			return p.decide(askReinforce, seat)
		}
	}
	p.Moves.Step, p.Placed, p.Late, p.LastHex = p.Moves.Step+1, 0, false, 0
	return false
}

// lateArmy reports whether the reinforcement of R23 (Unprepared) is to be placed now.
func (g *game) lateArmy(p *Position, seat SeatID) bool {
	return g.Unprepared && seat == p.Gov && !p.Late &&
		int(p.Turn) <= len(g.variants.Government.Unprepared.Reinforce.Turns) && g.divisionGroups(p) != 0
}

// reinforcementPlaces is the set of D69 for a seat.
func (g *game) reinforcementPlaces(p *Position, seat SeatID) hexSet {
	var set hexSet
	switch {
	case p.Foreign.Stage == foreignPlacing && seat == p.Foreign.Seat:
		return g.foreignPlaces(p, seat)
	case seat == p.Gov && g.lateArmy(p, seat):
		set = g.eastSea
		if g.variants.Government.Unprepared.Reinforce.Coast[p.Turn-1] == "west" {
			set = g.westSea
		}
		set.intersect(&g.board.country[us])
		set.remove(&p.Occupied)
	case seat == p.Gov:
		if g.divisionGroups(p) == 0 {
			return set
		}
		for u := UnitID(cigFirst); u < numUnits; u++ {
			if h := p.Units[u].Hex; h != noHex && g.roomFor(p, army, false, h) > 0 {
				set.add(h)
			}
		}
	default:
		var drawn, left [numCountries]bool // whether groups have been looked for, and are left
		for u := p.OnMap.next(netFirst); u < netFirst+numNets; u = p.OnMap.next(u + 1) {
			h := p.Units[u].Hex
			if h < p.LastHex || g.owner(p, u) != seat || g.roomFor(p, militia, false, h) == 0 {
				continue
			}
			c := g.hexes[h].country
			if !drawn[c] {
				drawn[c], left[c] = true, g.militiaGroups(p, seat, h) != 0
			}
			if left[c] {
				set.add(h)
			}
		}
	}
	return set
}

func (g *game) offerReinforce(p *Position) {
	set := g.reinforcementPlaces(p, SeatID(p.Actor))
	p.allowHexes(&set)
	p.allow(actDone)
}

// Ruling 32: those of the Unprepared set-up do not move.
func (g *game) chooseReinforce(p *Position, _ *flow.Witness, a engine.Action) {
	seat := SeatID(p.Actor)
	h := HexID(a - actHex)
	switch {
	case p.Foreign.Stage == foreignPlacing && seat == p.Foreign.Seat:
		g.placeForeign(p, a)
	case g.lateArmy(p, seat):
		p.Late = true
		if a != actDone {
			p.Draw = Draw{Groups: g.divisionGroups(p), Hex: h, Ask: askDivision, Marks: moved}
		}
	case a == actDone:
		p.Placed = g.atOnce[1]
	case seat == p.Gov:
		p.Placed++
		p.Due[seat]--
		p.Draw = Draw{Groups: g.divisionGroups(p), Hex: h, Ask: askDivision}
	default:
		p.Placed++
		p.Due[seat]--
		p.LastHex = h
		p.Draw = Draw{Groups: g.militiaGroups(p, seat, h), Hex: h, Ask: askMilitia}
	}
}
