package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// scouting returns who draws the next Location Card, NoSeat if both have one:
// the start player first. A player without any Location Card left, which only a
// position with missing cards can have, is passed over.
func (g *game) scouting(p *Position) SeatID {
	for _, i := range [numSeats]SeatID{p.Start, 1 - p.Start} {
		if l := &p.Locs[i]; l.Card == 0 && l.left() > 0 {
			return i
		}
	}
	return NoSeat
}

// left returns how many Location Cards are in the pile and the discard.
func (l *Locations) left() int { return int(l.Top) + sum(l.Unknown[:]) + sum(l.Discard[:]) }

// scout implements R7.1 (Scout): each player draws the top Location Card, which
// its owner alone sees (R16.3).
func (g *game) scout(p *Position, w *flow.Witness) bool {
	i := g.scouting(p)
	if i == NoSeat {
		p.Phase, p.Turn = deployment, p.Start
		return false
	}
	if !g.topLocation(p, w, i) {
		return true
	}
	l := &p.Locs[i]
	l.Card = l.Fixed[0]
	copy(l.Fixed[:], l.Fixed[1:l.Top])
	l.Top--
	l.Fixed[l.Top] = 0
	l.TopKnown = false
	if w != nil {
		tellLocationCard(w, "location_card", "R7.1", i, l.Card)
	}
	return false
}

// topLocation sees to it that the top Location Card of seat i has an identity. It
// returns false after asking chance for it. There must be a card to look at.
// It implements R7.2, Q30 and C5: an empty pile is made anew from the discard when
// a card is needed, not before.
func (g *game) topLocation(p *Position, w *flow.Witness, i SeatID) bool {
	l := &p.Locs[i]
	if l.Top > 0 {
		return true
	}
	if sum(l.Unknown[:]) == 0 {
		l.Unknown, l.Discard = l.Discard, [Places]uint8{}
		if w != nil {
			w.All("reshuffle", "R7.2", seatArg("seat", i))
		}
	}
	kinds, last := 0, 0
	for place, n := range l.Unknown {
		if n > 0 {
			kinds, last = kinds+1, place
		}
	}
	if kinds == 1 {
		l.turnUp(Place(last))
		return true
	}
	p.wait(askLocation, engine.Chance)
	return false
}

// turnUp gives the top of the Location pile its identity.
func (l *Locations) turnUp(place Place) {
	l.Fixed[l.Top] = uint8(place) + FirstPlace
	l.Top++
	l.Unknown[place]--
}
