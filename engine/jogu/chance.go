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
func (g *game) pileOwner(p *Position) SeatID {
	switch {
	case p.Phase == reinforcementDraw:
		return g.drawer(p)
	case g.currentEffect(p).Op == Mill:
		return 1 - p.Turn
	}
	return p.Turn
}

// locationOwner returns whose Location pile is looked at.
func (g *game) locationOwner(p *Position) SeatID {
	if p.Phase == scout {
		return g.scouting(p)
	}
	return p.Turn
}

// topFixed sees to it that the card at index i from the top of seat s's pile lies
// in its top part. It returns false after asking chance for one. The pile must have
// more than i cards.
func (g *game) topFixed(p *Position, s SeatID, i uint8) bool {
	seat := &p.Seats[s]
	if i < seat.Top {
		return true
	}
	if seat.Middle == 0 { // reached from above
		seat.Top, seat.Bottom = i+1, seat.Bottom-(i+1-seat.Top)
		return true
	}
	if t, ok := only(&seat.Unknown); ok {
		seat.turnUp(t)
		return g.topFixed(p, s, i)
	}
	p.wait(askDraw, engine.Chance)
	return false
}

// turnUp gives the uppermost card of the middle the type t.
func (s *Player) turnUp(t TypeID) {
	n := s.Top + s.Bottom
	copy(s.Fixed[s.Top+1:n+1], s.Fixed[s.Top:n])
	s.Fixed[s.Top] = newPileCard(t)
	s.Top++
	s.Middle--
	s.Unknown[t]--
}

// middle returns the cards of which the next to be turned up is drawn.
func (g *game) middle(p *Position) (*[Types]uint8, *deck) {
	s := g.pileOwner(p)
	return &p.Seats[s].Unknown, g.deckOf(p, s)
}

// cardTurnedUp gives the card at the top of the middle its identity. What was to be done
// with it is left to Next, here and below.
func (g *game) cardTurnedUp(p *Position, _ *flow.Witness, a engine.Action) {
	s := g.pileOwner(p)
	p.Seats[s].turnUp(TypeID(int(a-g.outDraw) - int(g.deckOf(p, s).first)))
}

// unknownLocations returns the Location Cards of which the next one is drawn.
func (g *game) unknownLocations(p *Position) []uint8 { return p.Locs[g.locationOwner(p)].Unknown[:] }

func (g *game) locationTurnedUp(p *Position, _ *flow.Witness, a engine.Action) {
	p.Locs[g.locationOwner(p)].turnUp(Place(a - g.outLocation))
}

// struckHand returns the hand that an Assassin strikes (C4).
func (g *game) struckHand(p *Position) (*[Types]uint8, *deck) {
	return &p.Seats[1-p.Turn].Hand, g.deckOf(p, 1-p.Turn)
}

func (g *game) cardHit(p *Position, w *flow.Witness, a engine.Action) {
	g.hit(p, w, TypeID(int(a-g.outHit)-int(g.deckOf(p, 1-p.Turn).first)))
}
