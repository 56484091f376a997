package minuteman

// Margins implements engine.Marginal: what the game would pay if it ended now (R24.5), with
// what a victory level does not tell. In Partisan that is how many cities the Rebel occupies
// or has cut off and how many Divisions are committed (R25.13), also beyond the Decisive
// level; in the other scenarios of two players the balance of the units that the levels
// count (R24.3).
func (s *State) Margins(dst []float32) []float32 {
	g, p := s.G, &s.P
	if g.Seats > 2 {
		return g.marginsOfMany(p, dst)
	}
	rebel := g.marginOfTwo(p)
	return append(dst, -rebel, rebel)
}

// marginOfTwo returns the Rebel's margin in a game of two players.
func (g *game) marginOfTwo(p *Position) float32 {
	if p.Phase == over && p.End.By != byCount {
		return float32(p.End.Level) / decisive
	}
	c := g.partisanCities(p)
	if g.Scenario == Partisan {
		return g.partisanMargin(p, &c)
	}
	t := g.count(p)
	// Below 1, so that a level always outweighs the units.
	units := min(max(float32(t.mil+t.nets+t.mm-t.army-t.cigs-t.agts)/32, -0.9), 0.9)
	return 0.75*float32(g.steps(p, g.level(p, &c)))/decisive + 0.25*units
}

// citiesMargin are the levels of R25.13 by the number of cities that the Rebel occupies or
// has cut off, with steps between them and beyond the last.
var citiesMargin = [...]float32{0, 1, 4. / 3, 5. / 3, 2, 2.5, 3, 3.5, 4}

// partisanMargin counts as partisanLevel and steps do, without their thresholds: an eighth
// is a level.
func (g *game) partisanMargin(p *Position, c *cities) float32 {
	t := g.count(p)
	level := float32(g.partisanLevel(p, &t, c))
	if level >= marginal && c.held != 0 {
		level = citiesMargin[max(onesCount(c.held), onesCount(c.cut))]
	}
	level += float32(p.Commit) / float32(g.sc.CommitStep)
	if p.Foreign.Stage != foreignNone {
		if p.Foreign.Seat == p.Gov {
			level++
		} else {
			level--
		}
	}
	return min(max(level/8, -1), 1)
}

// marginsOfMany are those of three and four players, of whom the Government's side leads as
// long as the game goes on (R28.9).
func (g *game) marginsOfMany(p *Position, dst []float32) []float32 {
	winners, level := p.End.Winners, int(p.End.Level)
	if p.Phase != over {
		winners, level = g.standing(p)
	}
	for seat := range g.Seats {
		m := float32(level) / decisive
		if !winners.Has(SeatID(seat)) {
			m = -m
		}
		dst = append(dst, m)
	}
	return dst
}
