package minuteman

import (
	"math/bits"

	"powderkeg/engine/flow"
)

// seatsLeft is the bit set of seats with a unit on the map; Informers are none.
func (g *game) seatsLeft(p *Position) SeatSet {
	set, all := SeatSet(0), SeatSet(1<<g.Seats-1)
	for u := p.OnMap.next(0); u != noUnit && set != all; u = p.OnMap.next(u + 1) {
		set |= 1 << g.owner(p, u)
	}
	return set
}

// endedForMany implements R28.8 and R28.9 where they end the game or change who
// plays the Government.
func (g *game) endedForMany(p *Position, w *flow.Witness) bool {
	left := g.seatsLeft(p)
	for s := range SeatID(g.Seats) {
		if left>>s&1 == 0 && s != p.Gov {
			if w != nil && !p.Gone.Has(s) {
				w.All("out", "R28.8", seatArg(s))
			}
			p.Gone |= 1 << s
			if p.Fed == s {
				p.Fed, p.FedTurn = noSeat, 0
			}
			if p.Pact == s {
				p.Pact = noSeat
			}
		}
	}
	switch sides := 1<<p.Gov | g.fedBit(p); {
	case left == 0, left>>p.Gov&1 != 0 && left&^sides == 0: // nobody is left at all
		g.endMany(p, w, sides, decisive, byElimination)
		return true
	case left>>p.Gov&1 == 0:
		return g.succession(p, w)
	}
	return false
}

// succession implements R28.8: the Rebel with most Networks becomes the Government.
func (g *game) succession(p *Position, w *flow.Witness) bool {
	var nets [maxSeats]int
	for u := p.OnMap.next(netFirst); u < mmFirst; u = p.OnMap.next(u + 1) {
		nets[g.owner(p, u)]++
	}
	best := -1
	p.Ties = 0
	for s := range SeatID(g.Seats) {
		if s == p.Gov || p.Gone.Has(s) {
			continue
		}
		if nets[s] > best {
			best, p.Ties = nets[s], 0
		}
		if nets[s] == best {
			p.Ties |= 1 << s
		}
	}
	seat := p.Lot
	if seat == noSeat {
		if p.Ties&(p.Ties-1) != 0 {
			p.Rising = Rising{Stage: risingLot, Army: noUnit}
			return true
		}
		seat = SeatID(bits.TrailingZeros8(uint8(p.Ties)))
	}
	p.Lot, p.Ties = noSeat, 0
	g.becomeGovernment(p, w, seat)
	return true
}

// becomeGovernment implements R28.8: the units of a seat turn into the
// Government's; what finds no counter or room is removed.
func (g *game) becomeGovernment(p *Position, w *flow.Witness, seat SeatID) {
	open := g.keepWindow(p, seat)
	p.Gone |= 1 << p.Gov
	p.Gov, p.Original = seat, false
	if w != nil {
		w.All("government", "R28.8", seatArg(seat))
	}
	if p.Fed, p.FedTurn, p.Pact = noSeat, 0, noSeat; open {
		p.Seat = g.opener(p)
	}
	p.RevTurn = 0
	p.Due = [maxSeats]uint8{}
	for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if p.Foreign.Seat == seat { // his Foreign Divisions are the Government's now
			if p.Units[u].Marks&rebelHeld != 0 && w != nil {
				w.All("changed_sides", "R28.8", g.unitArg(u), g.hexArg(p.Units[u].Hex), flow.Arg("side", "Government"))
			}
			p.Units[u].Marks &^= rebelHeld
		}
	}
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		for u := p.Head[h]; u != noUnit; {
			next := p.Units[u].Next
			if u < milFirst && g.colour[u] == seat {
				g.turn(p, w, u)
			}
			u = next
		}
	}
	p.Rising = Rising{Stage: risingTurncoat, Seat: seat, Army: noUnit}
}

// keepWindow leaves no window of a phase out and gives nobody two (R5.2) when a seat
// becomes the Government in another's, or in his own. It reports whether windows are open.
func (g *game) keepWindow(p *Position, heir SeatID) bool {
	if p.Phase == phaseN || int(p.Window) >= g.Seats-1 {
		return p.Phase != phaseN && int(p.Window) < g.Seats
	}
	at := g.windowSeat(p, p.Window)
	p.Window = uint8(at)
	if at > heir {
		p.Window--
	}
	p.Refused = p.Refused && at != heir
	return true
}

// turn turns a Network into a CIG, a Minuteman into an Agent.
func (g *game) turn(p *Position, w *flow.Witness, u UnitID) {
	h, step := p.Units[u].Hex, p.Units[u].Step
	k := agent
	if g.kind[u] == network {
		k = cig
		step = 1 + 2*step
	}
	g.eliminate(p, w, "R28.8", u)
	if g.roomFor(p, k, false, h) == 0 {
		return
	}
	if v := g.add(p, w, "R28.8", k, p.Gov, h); v != noUnit {
		g.strengthen(p, w, "R28.8", v, step)
	}
}

// turncoat turns the new Government's Militia into random Divisions, one at a time
// (C1).
func (g *game) turncoat(p *Position, w *flow.Witness) bool {
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			if g.kind[u] != militia || g.colour[u] != p.Gov {
				continue
			}
			g.eliminate(p, w, "R28.8", u)
			if groups := g.divisionGroups(p); groups != 0 && g.roomFor(p, army, false, h) > 0 {
				p.Draw = Draw{Groups: groups, Hex: h, Ask: askDivision}
			}
			return false
		}
	}
	p.Rising = Rising{}
	return false
}

// endMany ends a game of several players (R24.5, R28.9).
func (g *game) endMany(p *Position, w *flow.Witness, winners SeatSet, level int, why cause) {
	if level = g.afterForeign(p, winners, level); level == 0 {
		winners = 0 // a draw
	}
	p.End = Ending{int8(level), why, winners}
	g.close(p)
	g.tellEnd(p, w)
}

// afterForeign implements R28.11: a win of the player who called Foreign Divisions is
// one level lower, and with it that of a federalized Rebel who shares it.
func (g *game) afterForeign(p *Position, winners SeatSet, level int) int {
	if p.Foreign.Stage != foreignNone && winners.Has(p.Foreign.Seat) {
		level--
	}
	return level
}

// finishMany implements R28.9 after the last Game-Turn.
func (g *game) finishMany(p *Position, w *flow.Witness) {
	winners, level := g.standing(p)
	g.endMany(p, w, winners, level, byCount)
}

// standing returns who would win now, and at what level (R28.9), before foreign
// intervention is counted. Foreign Divisions keep their owner in the game and are not
// counted otherwise (R28.11).
// nor are the units of a federalized Rebel.
func (g *game) standing(p *Position) (winners SeatSet, level int) {
	own, others, alive := 0, 0, 0
	divisions, mil := 0, 0
	for u := p.OnMap.next(0); u != noUnit; u = p.OnMap.next(u + 1) {
		s := g.owner(p, u)
		if s != p.Gov && s != p.Fed {
			alive++
		}
		switch stranger := g.kind[u] == army && g.groupOf(p, u) == foreign; {
		case stranger:
		case s == p.Gov:
			own++
			if g.kind[u] == army {
				divisions++
			}
		case s != p.Fed:
			others++
			if g.kind[u] == militia {
				mil++
			}
		}
	}
	winners = 1<<p.Gov | g.fedBit(p)
	switch {
	case alive == 0:
		level = decisive
	case p.Original && divisions > mil, !p.Original && own > others:
		level = substantive
	default:
		level = marginal
	}
	return winners, level
}
