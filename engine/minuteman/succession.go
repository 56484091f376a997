package minuteman

import (
	"math/bits"

	"powderkeg/engine/flow"
)

// seatsLeft is the bit set of seats with a unit on the map; Informers are none.
func (g *game) seatsLeft(p *position) SeatSet {
	set, all := SeatSet(0), SeatSet(1<<g.seats-1)
	for u := p.onMap.next(0); u != noUnit && set != all; u = p.onMap.next(u + 1) {
		set |= 1 << g.owner(p, u)
	}
	return set
}

// endedForMany implements R28.8 and R28.9 where they end the game or change who
// plays the Government.
func (g *game) endedForMany(p *position, w *flow.Witness) bool {
	left := g.seatsLeft(p)
	for s := range SeatID(g.seats) {
		if left>>s&1 == 0 && s != p.gov {
			if w != nil && !p.gone.has(s) {
				w.All("out", "R28.8", seatArg(s))
			}
			p.gone |= 1 << s
			if p.fed == s {
				p.fed, p.fedTurn = noSeat, 0
			}
			if p.pact == s {
				p.pact = noSeat
			}
		}
	}
	switch sides := 1<<p.gov | g.fedBit(p); {
	case left == 0, left>>p.gov&1 != 0 && left&^sides == 0: // nobody is left at all
		g.endMany(p, w, sides, decisive, byElimination)
		return true
	case left>>p.gov&1 == 0:
		return g.succession(p, w)
	}
	return false
}

// succession implements R28.8: the Rebel with most Networks becomes the Government.
func (g *game) succession(p *position, w *flow.Witness) bool {
	var nets [maxSeats]int
	for u := p.onMap.next(netFirst); u < mmFirst; u = p.onMap.next(u + 1) {
		nets[g.owner(p, u)]++
	}
	best := -1
	p.ties = 0
	for s := range SeatID(g.seats) {
		if s == p.gov || p.gone.has(s) {
			continue
		}
		if nets[s] > best {
			best, p.ties = nets[s], 0
		}
		if nets[s] == best {
			p.ties |= 1 << s
		}
	}
	seat := p.lot
	if seat == noSeat {
		if p.ties&(p.ties-1) != 0 {
			p.rising = rising{stage: risingLot, army: noUnit}
			return true
		}
		seat = SeatID(bits.TrailingZeros8(uint8(p.ties)))
	}
	p.lot, p.ties = noSeat, 0
	g.becomeGovernment(p, w, seat)
	return true
}

// becomeGovernment implements R28.8: the units of a seat turn into the
// Government's; what finds no counter or room is removed.
func (g *game) becomeGovernment(p *position, w *flow.Witness, seat SeatID) {
	p.gone |= 1 << p.gov
	p.gov, p.original = seat, false
	if w != nil {
		w.All("government", "R28.8", seatArg(seat))
	}
	p.fed, p.fedTurn, p.pact = noSeat, 0, noSeat
	p.revTurn = 0
	p.due = [maxSeats]uint8{}
	for u := p.onMap.next(armyFirst); u < agtFirst; u = p.onMap.next(u + 1) {
		if p.foreignSeat == seat { // his Foreign Divisions are the Government's now
			if p.units[u].marks&rebelHeld != 0 && w != nil {
				w.All("changed_sides", "R28.8", g.unitArg(u), g.hexArg(p.units[u].hex), flow.Arg("side", "Government"))
			}
			p.units[u].marks &^= rebelHeld
		}
	}
	for h := p.occupied.next(0); h != noHex; h = p.occupied.next(h + 1) {
		for u := p.head[h]; u != noUnit; {
			next := p.units[u].next
			if u < milFirst && g.colour[u] == seat {
				g.turn(p, w, u)
			}
			u = next
		}
	}
	p.rising = rising{stage: risingTurncoat, seat: seat, army: noUnit}
}

// turn turns a Network into a CIG, a Minuteman into an Agent.
func (g *game) turn(p *position, w *flow.Witness, u UnitID) {
	h, step := p.units[u].hex, p.units[u].step
	k := agent
	if g.kind[u] == network {
		k = cig
		step = 1 + 2*step
	}
	g.eliminate(p, w, "R28.8", u)
	if g.roomFor(p, k, false, h) == 0 {
		return
	}
	if v := g.add(p, w, "R28.8", k, p.gov, h); v != noUnit {
		g.strengthen(p, w, "R28.8", v, step)
	}
}

// turncoat turns the new Government's Militia into random Divisions, one at a time
// (C1).
func (g *game) turncoat(p *position, w *flow.Witness) bool {
	for h := p.occupied.next(0); h != noHex; h = p.occupied.next(h + 1) {
		for u := p.head[h]; u != noUnit; u = p.units[u].next {
			if g.kind[u] != militia || g.colour[u] != p.gov {
				continue
			}
			g.eliminate(p, w, "R28.8", u)
			if groups := g.divisionGroups(p); groups != 0 && g.roomFor(p, army, false, h) > 0 {
				p.draw = draw{groups: groups, hex: h, ask: askDivision}
			}
			return false
		}
	}
	p.rising = rising{}
	return false
}

// endMany ends a game of several players (R24.5, R28.9).
func (g *game) endMany(p *position, w *flow.Witness, winners SeatSet, level int, why cause) {
	if level = g.afterForeign(p, winners, level); level == 0 {
		winners = 0 // a draw
	}
	p.end, p.phase = ending{int8(level), why, winners}, over
	g.tellEnd(p, w)
}

// afterForeign implements R28.11: a win of the player who called Foreign Divisions is
// one level lower, and with it that of a federalized Rebel who shares it.
func (g *game) afterForeign(p *position, winners SeatSet, level int) int {
	if p.foreignStage != foreignNone && winners.has(p.foreignSeat) {
		level--
	}
	return level
}

// finishMany implements R28.9 after the last Game-Turn.
func (g *game) finishMany(p *position, w *flow.Witness) {
	winners, level := g.standing(p)
	g.endMany(p, w, winners, level, byCount)
}

// standing returns who would win now, and at what level (R28.9), before foreign
// intervention is counted. Foreign Divisions keep their owner in the game and are not
// counted otherwise (R28.11).
func (g *game) standing(p *position) (winners SeatSet, level int) {
	own, others, alive := 0, 0, 0
	divisions, mil := 0, 0
	for u := p.onMap.next(0); u != noUnit; u = p.onMap.next(u + 1) {
		s := g.owner(p, u)
		if s != p.gov && s != p.fed {
			alive++
		}
		switch stranger := g.kind[u] == army && g.groupOf(p, u) == foreign; {
		case stranger:
		case s == p.gov:
			own++
			if g.kind[u] == army {
				divisions++
			}
		case s != p.fed:
			others++
			if g.kind[u] == militia {
				mil++
			}
		}
	}
	winners = 1<<p.gov | g.fedBit(p)
	switch {
	case alive == 0:
		level = decisive
	case p.original && divisions > mil, !p.original && own > others:
		level = substantive
	default:
		level = marginal
	}
	return winners, level
}
