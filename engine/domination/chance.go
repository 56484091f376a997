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
			return g.poolWeight(p, uint8(a+1))
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
	if s.p.actor != engine.Chance {
		return dst
	}
	g, p := s.g, &s.p
	from, to := engine.Action(0), g.outFirst
	switch p.ask {
	case askFirst:
		from, to = g.outFirst, g.outDraw
	case askDraw:
		from, to = g.outDraw, engine.Action(len(g.spec.Outcomes))
	}
	for a := from; a < to; a++ {
		if w := g.weight(p, a); w > 0 {
			dst = append(dst, engine.Outcome{Action: a, Weight: w})
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
