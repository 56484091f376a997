package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

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
func (g *game) build(p *position) bool {
	if !g.hasTurn(p) {
		return false
	}
	if g.mode == modeRandom {
		return p.wait(chanceRandom)
	}
	q, spaces, done := g.buildChoices(p)
	p.decide(q, p.side)
	p.allowSpaces(spaces)
	if done {
		p.allow(actDone)
	}
	return true
}

// hasTurn tells whether the side on turn has something to choose in this phase. If
// not, the other side has the turn, or the next phase begins.
func (g *game) hasTurn(p *position) bool {
	switch p.phase {
	case setUpSpaces:
		return g.takesTurn(p, setUpBases, func(p *position, side uint8) bool { return !p.done[side] })
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
		p.phase, p.side, p.done = next, federal, [numSeats]bool{}
		if next == setUpTests {
			p.side = rebel
		}
	}
	return false
}

// buildChoices returns the question of the side on turn, the spaces that it may choose, and
// whether it may end.
func (g *game) buildChoices(p *position) (q uint8, spaces spaceSet, done bool) {
	switch p.phase {
	case setUpSpaces: // DONE is legal from the least population on, and forced when nothing fits
		return AskSetUpSpace, g.openSpaces(p, p.side), g.ownPopulation(p, p.side) >= g.customLimits(p.side).MinPopulation
	case setUpBases:
		for i := range uint8(numUS) {
			if g.roomForBase(p, i) {
				spaces |= 1 << i
			}
		}
		return AskSetUpBase, spaces, false
	}
	return AskSetUpUnit, p.withStatus(1<<ownStatus(p.side)) | p.withBases(p.side), false // not where the other's base is (Q49)
}

// chooseBuild carries out D41, D42 and D43.
func (g *game) chooseBuild(p *position, w *flow.Witness, a engine.Action) {
	switch i := uint8(a - actSpace); {
	case a == actDone:
		p.done[p.side] = true
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

// lots and lotFallen are the choices that chance makes in a random set-up: spaces, and
// behind those of the United States that no more are taken.
func (g *game) lots(p *position) cardSet {
	_, spaces, done := g.buildChoices(p)
	return cardSet{uint64(spaces) | uint64(flag(done))<<numUS}
}

func (g *game) lotFallen(p *position, w *flow.Witness, a engine.Action) {
	choice := engine.Action(actDone)
	if a != outSetDone {
		choice = actSpace + a - outSetUp
	}
	g.tellLot(p, w, choice)
	g.chooseBuild(p, w, choice)
}

// testSetUp implements the last step of R16.4: unmarked spaces that hold a piece
// are tested in index order (Q36).
func (g *game) testSetUp(p *position) bool {
	held := p.withUnits(rebel) | p.withUnits(federal) | p.withBases(rebel) | p.withBases(federal)
	if rest := held & p.withStatus(1<<unmarked); rest != 0 {
		p.needsTest(rest.first())
		return false
	}
	p.phase, p.side = dealing, 0
	return false
}
