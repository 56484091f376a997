package jogu

import "powderkeg/engine/flow"

// scouting returns who draws the next Location Card, noSeat if both have one:
// the start player first. A player without any Location Card left, which only a
// position with missing cards can have, is passed over.
func (g *game) scouting(p *position) uint8 {
	for _, i := range [numSeats]uint8{p.start, 1 - p.start} {
		if s := &p.seats[i]; s.locCard == 0 && s.locationCards() > 0 {
			return i
		}
	}
	return noSeat
}

// locationCards returns how many Location Cards are in the pile and the discard.
func (s *seat) locationCards() int {
	return int(s.locTop) + sum(s.locUnknown[:]) + sum(s.locDiscard[:])
}

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
	s := &p.seats[i]
	s.locCard = s.locFixed[0]
	copy(s.locFixed[:], s.locFixed[1:s.locTop])
	s.locTop--
	s.locFixed[s.locTop] = 0
	s.locTopKnown = false
	if w != nil {
		tellLocationCard(w, "location_card", "R7.1", i, s.locCard)
	}
	return false
}

// topLocation sees to it that the top Location Card of seat i has an identity. It
// returns false after asking chance for it. There must be a card to look at.
// It implements R7.2, Q30 and C5: an empty pile is made anew from the discard when
// a card is needed, not before.
func (g *game) topLocation(p *position, w *flow.Witness, i uint8) bool {
	s := &p.seats[i]
	if s.locTop > 0 {
		return true
	}
	if sum(s.locUnknown[:]) == 0 {
		s.locUnknown, s.locDiscard = s.locDiscard, [numPlaces]uint8{}
		if w != nil {
			w.All("reshuffle", "R7.2", seatArg("seat", i))
		}
	}
	kinds, last := 0, 0
	for place, n := range s.locUnknown {
		if n > 0 {
			kinds, last = kinds+1, place
		}
	}
	if kinds == 1 {
		s.turnUpLocation(uint8(last))
		return true
	}
	p.wait(askLocation)
	return false
}

// turnUpLocation gives the top of the Location pile its identity.
func (s *seat) turnUpLocation(place uint8) {
	s.locFixed[s.locTop] = place + firstLoc
	s.locTop++
	s.locUnknown[place]--
}
