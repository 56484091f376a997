package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// scouting returns who draws the next Location Card, noSeat if both have one:
// the start player first. A player without any Location Card left, which only a
// position with missing cards can have, is passed over.
func (g *game) scouting(p *position) SeatID {
	for _, i := range [numSeats]SeatID{p.start, 1 - p.start} {
		if l := &p.locs[i]; l.card == 0 && l.left() > 0 {
			return i
		}
	}
	return noSeat
}

// left returns how many Location Cards are in the pile and the discard.
func (l *locations) left() int { return int(l.top) + sum(l.unknown[:]) + sum(l.discard[:]) }

// scout implements R7.1 (Scout): each player draws the top Location Card, which
// its owner alone sees (R16.3).
func (g *game) scout(p *position, w *flow.Witness) bool {
	i := g.scouting(p)
	if i == noSeat {
		p.phase, p.turn = deployment, p.start
		return false
	}
	if !g.topLocation(p, w, i) {
		return true
	}
	l := &p.locs[i]
	l.card = l.fixed[0]
	copy(l.fixed[:], l.fixed[1:l.top])
	l.top--
	l.fixed[l.top] = 0
	l.topKnown = false
	if w != nil {
		tellLocationCard(w, "location_card", "R7.1", i, l.card)
	}
	return false
}

// topLocation sees to it that the top Location Card of seat i has an identity. It
// returns false after asking chance for it. There must be a card to look at.
// It implements R7.2, Q30 and C5: an empty pile is made anew from the discard when
// a card is needed, not before.
func (g *game) topLocation(p *position, w *flow.Witness, i SeatID) bool {
	l := &p.locs[i]
	if l.top > 0 {
		return true
	}
	if sum(l.unknown[:]) == 0 {
		l.unknown, l.discard = l.discard, [numPlaces]uint8{}
		if w != nil {
			w.All("reshuffle", "R7.2", seatArg("seat", i))
		}
	}
	kinds, last := 0, 0
	for place, n := range l.unknown {
		if n > 0 {
			kinds, last = kinds+1, place
		}
	}
	if kinds == 1 {
		l.turnUp(Place(last))
		return true
	}
	p.Put(askLocation, engine.Chance)
	return false
}

// turnUp gives the top of the Location pile its identity.
func (l *locations) turnUp(place Place) {
	l.fixed[l.top] = uint8(place) + firstLoc
	l.top++
	l.unknown[place]--
}
