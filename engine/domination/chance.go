package domination

import "powderkeg/engine"

// Draws are lazy: a reshuffle (C4) only moves the discard pile into the draw deck,
// and a card gets its identity when it is drawn, without replacement from what is
// left. That follows from the uniform permutation. A draw of which
// everybody knows that no lot is needed is no chance event.

// weight returns the weight of a chance outcome, 0 if it is impossible here.
func (g *game) weight(p *position, a engine.Action) uint32 {
	switch p.ask {
	case askPool:
		if a >= 0 && a < g.outFirst {
			return g.poolWeight(p, g.typesAbove(p), uint8(a+1))
		}
	case askFirst:
		if a >= g.outFirst && a < g.outDraw {
			return 1
		}
	case askDraw:
		if c := a - g.outDraw; c >= 0 && int(a) < len(g.spec.Outcomes) {
			return uint32(p.seats[g.drawer(p)].deck[c])
		}
	}
	return 0
}

// Outcomes implements engine.Stochastic. The weights are numbers of pools, of
// seats and of physical cards.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	g, p := s.g, &s.p
	if p.actor != engine.Chance {
		return dst
	}
	switch p.ask {
	case askPool:
		above := g.typesAbove(p)
		for set := above; set != 0; set &= set - 1 {
			c := set.first()
			if w := g.poolWeight(p, above, c); w > 0 {
				dst = append(dst, engine.Outcome{Action: engine.Action(c) - 1, Weight: w})
			}
		}
	case askFirst:
		for i := range g.seats {
			dst = append(dst, engine.Outcome{Action: g.outFirst + engine.Action(i), Weight: 1})
		}
	case askDraw:
		for c, n := range &p.seats[g.drawer(p)].deck {
			if n > 0 {
				dst = append(dst, engine.Outcome{Action: g.outDraw + engine.Action(c), Weight: uint32(n)})
			}
		}
	}
	return dst
}

// happen carries out a possible chance outcome.
func (g *game) happen(p *position, a engine.Action) {
	switch p.ask {
	case askPool:
		g.drawType(p, uint8(a+1))
	case askFirst:
		p.first = uint8(a - g.outFirst)
		p.active = p.first
	case askDraw:
		s := &p.seats[g.drawer(p)]
		c := uint8(a - g.outDraw)
		s.deck[c]--
		g.drawCard(p, s, c)
	default:
		panic("domination: a chance outcome where none is awaited")
	}
}
