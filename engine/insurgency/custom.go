package insurgency

import "powderkeg/engine/flow"

// The choices of an alternating set-up (R16.4, Q28). In a random one chance makes
// them, each legal choice with the same probability.

// ownStatus is the status of a side's spaces in a custom set-up.
func ownStatus(side uint8) uint8 {
	if side == federal {
		return order
	}
	return revolt
}

// ownPopulation returns the population of a side's spaces.
func (g *game) ownPopulation(p *position, side uint8) int {
	return g.vp(p, side) - int(p.onMap[baseOf(side)])
}

// customLimits returns what the set-up allows a side.
func (g *game) customLimits(side uint8) customLimits { return g.box.scenarios[custom].limits[side] }

// openSpaces implements D41: spaces of the United States without an owner that keep
// the own population within its limit.
func (g *game) openSpaces(p *position, side uint8) spaceSet {
	room := g.customLimits(side).MaxPopulation - g.ownPopulation(p, side)
	var set spaceSet
	for rest := p.withStatus(1<<unmarked) & g.box.us; rest != 0; rest &= rest - 1 {
		if i := rest.first(); int(g.box.spaces[i].population) <= room {
			set |= 1 << i
		}
	}
	return set
}

// owesBase and owesUnit tell whether a side has still to place in D42 and D43.
func (g *game) owesBase(p *position, side uint8) bool { return g.vp(p, side) < g.customLimits(side).VP }

func (g *game) owesUnit(p *position, side uint8) bool {
	return int(p.onMap[unitOf(side)]) < g.customLimits(side).Units
}

// build carries the custom set-up one step further: the sides take turns, and one
// that is done is skipped.
func (g *game) build(p *position, w *flow.Witness) bool {
	if !g.hasTurn(p) {
		return false
	}
	if g.mode == modeRandom {
		return p.wait(chanceRandom)
	}
	q, choices := g.buildChoices(p)
	p.decide(q, p.side)
	p.legal = choices
	return true
}

// hasTurn tells whether the side on turn has something to choose in this phase. If
// not, the other side has the turn, or the next phase begins.
func (g *game) hasTurn(p *position) bool {
	switch p.phase {
	case setUpSpaces:
		return g.takesTurn(p, setUpBases, func(p *position, side uint8) bool { return !p.setUp.done[side] })
	case setUpBases:
		return g.takesTurn(p, setUpUnits, g.owesBase)
	default:
		return g.takesTurn(p, setUpTests, g.owesUnit)
	}
}

// takesTurn passes the turn on if the side on turn has nothing to do.
func (g *game) takesTurn(p *position, next phase, busy func(*position, uint8) bool) bool {
	switch {
	case busy(p, p.side):
		return true
	case busy(p, 1-p.side):
		p.side = 1 - p.side
	default:
		p.phase, p.side, p.setUp = next, federal, setUpFrame{}
		if next == setUpTests {
			p.side = rebel
		}
	}
	return false
}

// buildChoices returns the question of the side on turn and what it may choose.
func (g *game) buildChoices(p *position) (q ask, choices actionSet) {
	var set spaceSet
	switch p.phase {
	case setUpSpaces: // DONE is legal from the least population on, and forced when nothing fits
		q, set = AskSetUpSpace, g.openSpaces(p, p.side)
		if g.ownPopulation(p, p.side) >= g.customLimits(p.side).MinPopulation {
			choices.add(actDone)
		}
	case setUpBases:
		q = AskSetUpBase
		for i := range uint8(numUS) {
			if g.roomForBase(p, i) {
				set |= 1 << i
			}
		}
	default:
		q, set = AskSetUpUnit, p.withStatus(1<<ownStatus(p.side))|p.withBases(p.side) // not where the other's base is (Q49)
	}
	choices[actSpace>>6] |= uint64(set) << (actSpace & 63)
	return q, choices
}

// chooseBuild carries out D41, D42 and D43.
func (g *game) chooseBuild(p *position, w *flow.Witness, a uint8) {
	switch i := a - actSpace; {
	case a == actDone:
		p.setUp.done[p.side] = true
	case p.phase == setUpSpaces:
		g.setStatus(p, w, "R16.4", i, ownStatus(p.side))
	default:
		before := p.piecesAt(i)
		if p.phase == setUpBases {
			p.addBase(p.side, i)
		} else {
			p.addUnit(p.side, i)
		}
		g.tellPieces(p, w, "R16.4", i, before)
	}
	p.side = 1 - p.side
}

// testSetUp implements the last step of R16.4: unmarked spaces that hold a piece
// are tested in index order (Q36).
func (g *game) testSetUp(p *position, w *flow.Witness) bool {
	held := p.withUnits(rebel) | p.withUnits(federal) | p.withBases(rebel) | p.withBases(federal)
	if rest := held & p.withStatus(1<<unmarked); rest != 0 {
		p.needsTest(rest.first())
		return false
	}
	p.phase, p.side = dealing, 0
	return false
}
