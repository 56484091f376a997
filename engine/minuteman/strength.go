package minuteman

import "math/bits"

// attackOf and defenceOf return the strengths of a unit in parts of a point.
func (g *game) attackOf(p *Position, u UnitID, s sight) int {
	switch g.kind[u] {
	case militia, army:
		attack, _ := g.maskedStrength(p, u, s)
		return attack
	case cig:
		return int(g.cigFace[p.Units[u].Step].attack) * point
	}
	return int(g.faces[g.kind[u]][p.Units[u].Step].attack) * point
}

// defenceOf doubles the strength of underground units (R6.2).
func (g *game) defenceOf(p *Position, u UnitID, s sight) int {
	switch g.kind[u] {
	case militia, army:
		_, defence := g.maskedStrength(p, u, s)
		return defence
	case cig:
		return int(g.cigFace[p.Units[u].Step].defence) * point
	}
	d := int(g.faces[g.kind[u]][p.Units[u].Step].defence) * point
	if p.Units[u].Marks&underground != 0 {
		d *= 2
	}
	return d
}

// shares are the parts of a point that one of so many counters has in their mean.
var shares = func() (s [17]uint16) {
	for n := range s {
		s[n] = uint16(point / max(1, n))
	}
	return s
}()

// maskedStrength returns the strengths of a Militia or Army. In a view the counter of
// an untried one is a blank, so that nothing there may ask for the truth.
func (g *game) maskedStrength(p *Position, u UnitID, s sight) (attack, defence int) {
	i := u - milFirst
	if s == truth || p.Units[u].Marks&untried == 0 {
		m := &g.masked[p.Counter[i]]
		return int(m.attack) * point, int(m.defence) * point
	}
	if s == known {
		return 0, 0
	}
	sum := g.sums[g.groupOf(p, u)][p.Cand[i]]
	each := int(shares[bits.OnesCount16(p.Cand[i])])
	return int(sum.attack) * each, int(sum.defence) * each
}

// buildOf returns the build strength of a Network, Minuteman, Agent or CIG.
func (g *game) buildOf(p *Position, u UnitID) int {
	if g.kind[u] == cig {
		return int(g.cigFace[p.Units[u].Step].build)
	}
	return int(g.faces[g.kind[u]][p.Units[u].Step].build)
}
