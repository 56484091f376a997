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
func (g *game) pileOwner(p *position) uint8 {
	switch {
	case p.phase == reinforcementDraw:
		return g.drawer(p)
	case g.currentEffect(p).Op == Mill:
		return 1 - p.turn
	}
	return p.turn
}

// locationOwner returns whose Location pile is looked at.
func (g *game) locationOwner(p *position) uint8 {
	if p.phase == scout {
		return g.scouting(p)
	}
	return p.turn
}

// topFixed sees to it that the card at index i from the top of seat s's pile lies
// in its top part. It returns false after asking chance for one. The pile must have
// more than i cards.
func (g *game) topFixed(p *position, s, i uint8) bool {
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
	p.wait(askDraw)
	return false
}

// turnUp gives the uppermost card of the middle the type t.
func (s *seat) turnUp(t uint8) {
	n := s.top + s.bottom
	copy(s.fixed[s.top+1:n+1], s.fixed[s.top:n])
	s.fixed[s.top] = newPileCard(t)
	s.top++
	s.middle--
	s.unknown[t]--
}

// weight returns the weight of a chance outcome, 0 if it is impossible here.
func (g *game) weight(p *position, a engine.Action) uint32 {
	switch p.ask {
	case askFaction:
		if a >= 0 && int(a) < g.decks {
			return 1
		}
	case askStart:
		if a == g.outStart || a == g.outStart+1 {
			return 1
		}
	case askDraw:
		s := g.pileOwner(p)
		return countOf(&p.seats[s].unknown, a-g.outDraw, g.deckOf(p, s))
	case askLocation:
		s := g.locationOwner(p)
		if i := a - g.outLocation; i >= 0 && i < numPlaces {
			return uint32(p.seats[s].locUnknown[i])
		}
	case askHit:
		s := 1 - p.turn
		return countOf(&p.seats[s].hand, a-g.outHit, g.deckOf(p, s))
	}
	return 0
}

// countOf returns the count of the card type with global id i, 0 if it belongs
// to another deck.
func countOf(counts *[maxTypes]uint8, i engine.Action, d *deck) uint32 {
	t := int(i) - d.first
	if t < 0 || t >= len(d.cards) {
		return 0
	}
	return uint32(counts[t])
}

// Outcomes implements engine.Stochastic. The weights are the numbers of physical
// cards.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.p.actor != engine.Chance {
		return dst
	}
	g, p := s.g, &s.p
	switch p.ask {
	case askFaction:
		for i := range g.decks {
			dst = append(dst, engine.Outcome{Action: engine.Action(i), Weight: 1})
		}
	case askStart:
		dst = append(dst, engine.Outcome{Action: g.outStart, Weight: 1}, engine.Outcome{Action: g.outStart + 1, Weight: 1})
	case askDraw:
		o := g.pileOwner(p)
		dst = appendCounts(dst, &p.seats[o].unknown, g.outDraw+engine.Action(g.deckOf(p, o).first))
	case askLocation:
		for i, n := range p.seats[g.locationOwner(p)].locUnknown {
			if n > 0 {
				dst = append(dst, engine.Outcome{Action: g.outLocation + engine.Action(i), Weight: uint32(n)})
			}
		}
	case askHit:
		o := 1 - p.turn
		dst = appendCounts(dst, &p.seats[o].hand, g.outHit+engine.Action(g.deckOf(p, o).first))
	}
	return dst
}

func appendCounts(dst []engine.Outcome, counts *[maxTypes]uint8, first engine.Action) []engine.Outcome {
	for t, n := range counts {
		if n > 0 {
			dst = append(dst, engine.Outcome{Action: first + engine.Action(t), Weight: uint32(n)})
		}
	}
	return dst
}

// happen carries out a possible chance outcome. A card that is turned up lies
// at a fixed place afterwards; what was to be done with it is left to settle.
func (g *game) happen(p *position, w *flow.Witness, a engine.Action) {
	switch p.ask {
	case askFaction:
		s := p.undrawn()
		g.takeDeck(&p.seats[s], uint8(a))
		if w != nil {
			w.All("faction", "R4.1", seatArg("seat", s), flow.Arg("faction", g.deckOf(p, s).ID))
		}
	case askStart:
		p.start = uint8(a - g.outStart)
		if w != nil {
			w.All("start_player", "R4.4", seatArg("seat", p.start))
		}
	case askDraw:
		s := g.pileOwner(p)
		p.seats[s].turnUp(uint8(int(a-g.outDraw) - g.deckOf(p, s).first))
	case askLocation:
		s := &p.seats[g.locationOwner(p)]
		s.turnUpLocation(uint8(a - g.outLocation))
	case askHit:
		s := 1 - p.turn
		g.hit(p, w, uint8(int(a-g.outHit)-g.deckOf(p, s).first))
	default:
		panic("jogu: a chance outcome where none is awaited")
	}
}
