package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Draws are lazy: a card of the unknown middle of a pile gets its identity when
// it is needed, drawn without replacement from what is left. That follows from
// the uniform shuffles C1 and C2, in the order of section 15 of the
// specification. A draw whose result is certain is no chance event.

// pileOwner returns whose draw pile the next card of the middle comes from.
func (g *game) pileOwner(p *position) SeatID {
	switch {
	case p.phase == reinforcementDraw:
		return g.drawer(p)
	case g.currentEffect(p).Op == Mill:
		return 1 - p.turn
	}
	return p.turn
}

// locationOwner returns whose Location pile is looked at.
func (g *game) locationOwner(p *position) SeatID {
	if p.phase == scout {
		return g.scouting(p)
	}
	return p.turn
}

// topFixed sees to it that the card at index i from the top of seat s's pile lies
// in its top part. It returns false after asking chance for one. The pile must have
// more than i cards.
func (g *game) topFixed(p *position, s SeatID, i uint8) bool {
	seat := &p.seats[s]
	if i < seat.top {
		return true
	}
	if seat.middle == 0 { // reached from above
		seat.top, seat.bottom = i+1, seat.bottom-(i+1-seat.top)
		return true
	}
	if t, ok := only(&seat.unknown); ok {
		seat.turnUp(t)
		return g.topFixed(p, s, i)
	}
	p.Put(askDraw, engine.Chance)
	return false
}

// turnUp gives the uppermost card of the middle the type t.
func (s *seat) turnUp(t TypeID) {
	n := s.top + s.bottom
	copy(s.fixed[s.top+1:n+1], s.fixed[s.top:n])
	s.fixed[s.top] = newPileCard(t)
	s.top++
	s.middle--
	s.unknown[t]--
}

// middle returns the cards of which the next to be turned up is drawn.
func (g *game) middle(p *position) (*[maxTypes]uint8, *deck) {
	s := g.pileOwner(p)
	return &p.seats[s].unknown, g.deckOf(p, s)
}

// cardTurnedUp gives the card at the top of the middle its identity. What was to be done
// with it is left to Next, here and below.
func (g *game) cardTurnedUp(p *position, _ *flow.Witness, a engine.Action) {
	s := g.pileOwner(p)
	p.seats[s].turnUp(TypeID(int(a-g.outDraw) - int(g.deckOf(p, s).first)))
}

// unknownLocations returns the Location Cards of which the next one is drawn.
func (g *game) unknownLocations(p *position) []uint8 { return p.locs[g.locationOwner(p)].unknown[:] }

func (g *game) locationTurnedUp(p *position, _ *flow.Witness, a engine.Action) {
	p.locs[g.locationOwner(p)].turnUp(Place(a - g.outLocation))
}

// struckHand returns the hand that an Assassin strikes (C4).
func (g *game) struckHand(p *position) (*[maxTypes]uint8, *deck) {
	return &p.seats[1-p.turn].hand, g.deckOf(p, 1-p.turn)
}

func (g *game) cardHit(p *position, w *flow.Witness, a engine.Action) {
	g.hit(p, w, TypeID(int(a-g.outHit)-int(g.deckOf(p, 1-p.turn).first)))
}
