package insurgency

// inPlay implements R4.3 (Q22): Canada and Mexico are out of play unless a card
// opens them.
func (g *game) inPlay(p *position) spaceSet {
	if p.has(openBorders) {
		return everywhere
	}
	return g.box.us
}

// has tells whether the event of a momentum key is in play.
func (p *position) has(key momentumKey) bool { return p.momentum>>key&1 != 0 }

// needsTest implements R4.4: it makes the test of an unmarked space due and tells
// whether it did.
func (p *position) needsTest(i uint8) bool {
	if p.status[i] != unmarked {
		return false
	}
	p.testing = i
	return true
}

// rollTest implements C2.
func (g *game) rollTest(p *position, face uint8) {
	p.status[p.testing] = g.box.test[face]
	p.testing = noSpace
}

// shift moves a status marker one level: -1 toward Order, 1 toward Revolt. It is
// clamped; an unmarked space has no status to shift (R4.5, Q8).
func (p *position) shift(i uint8, dir int8) {
	switch s := p.status[i]; {
	case s == unmarked:
	case dir < 0 && s > order:
		p.status[i]--
	case dir > 0 && s < revolt:
		p.status[i]++
	}
}

// addUnrest changes the Unrest of a space within its limits (R1.4). It never shifts a
// space by itself (R11.3.3).
func (g *game) addUnrest(p *position, i uint8, n int8) {
	p.unrest[i] = uint8(min(max(int8(p.unrest[i])+n, 0), int8(g.box.maxUnrest)))
}

// gain and lose implement R1.5: resources stay from 0 to 30. They return what was
// really gained or lost.
func (p *position) gain(side, n uint8) uint8 {
	n = min(n, maxMoney-p.resources[side])
	p.resources[side] += n
	return n
}

func (p *position) lose(side, n uint8) uint8 {
	n = min(n, p.resources[side])
	p.resources[side] -= n
	return n
}

// vp implements R5.1: victory points of a side.
func (g *game) vp(p *position, side uint8) int {
	status, n := order, int(p.onMap[baseOf(side)])
	if side == rebel {
		status = revolt
	}
	for i, s := range p.status {
		if s == status {
			n += int(g.box.spaces[i].population)
		}
	}
	return n
}

// edge implements R13.3.4 (Edge): who wins ties.
func (g *game) edge(p *position) uint8 { return g.box.sm[p.social].edge }
