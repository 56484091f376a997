package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The choices of an alternating set-up (R16.4, Q28). In a random one chance makes
// them, each legal choice with the same probability.

// ownStatus is the status of a side's spaces in a custom set-up.
func ownStatus(side Side) Status {
	if side == federal {
		return order
	}
	return revolt
}

// ownPopulation returns the population of a side's spaces.
func (g *game) ownPopulation(p *Position, side Side) int {
	return g.vp(p, side) - int(p.OnMap[baseOf(side)])
}

// customLimits returns what the set-up allows a side.
func (g *game) customLimits(side Side) customLimits { return g.box.scenarios[custom].limits[side] }

// openSpaces implements D41: spaces of the United States without an owner that keep
// the own population within its limit.
func (g *game) openSpaces(p *Position, side Side) SpaceSet {
	room := g.customLimits(side).MaxPopulation - g.ownPopulation(p, side)
	var set SpaceSet
	for rest := p.withStatus(1<<unmarked) & g.box.us; rest != 0; rest &= rest - 1 {
		if i := rest.First(); int(g.box.spaces[i].population) <= room {
			set |= 1 << i
		}
	}
	return set
}

// owesBase and owesUnit tell whether a side has still to place in D42 and D43.
func (g *game) owesBase(p *Position, side Side) bool { return g.vp(p, side) < g.customLimits(side).VP }

func (g *game) owesUnit(p *Position, side Side) bool {
	return int(p.OnMap[unitOf(side)]) < g.customLimits(side).Units
}

// build carries the custom set-up one step further: the sides take turns, and one
// that is done is skipped.
func (g *game) build(p *Position) bool {
	if !g.hasTurn(p) {
		return false
	}
	if g.mode == modeRandom {
		return p.wait(chanceRandom)
	}
	q, spaces, done := g.buildChoices(p)
	p.decide(q, p.Side)
	p.allowSpaces(spaces)
	if done {
		p.allow(ActDone)
	}
	return true
}

// hasTurn tells whether the side on turn has something to choose in this phase. If
// not, the other side has the turn, or the next phase begins.
func (g *game) hasTurn(p *Position) bool {
	switch p.Phase {
	case setUpSpaces:
		return g.takesTurn(p, setUpBases, func(p *Position, side Side) bool { return !p.Done[side] })
	case setUpBases:
		return g.takesTurn(p, setUpUnits, g.owesBase)
	default:
		return g.takesTurn(p, setUpTests, g.owesUnit)
	}
}

// takesTurn passes the turn on if the side on turn has nothing to do.
func (g *game) takesTurn(p *Position, next phase, busy func(*Position, Side) bool) bool {
	switch {
	case busy(p, p.Side):
		return true
	case busy(p, 1-p.Side):
		p.Side = 1 - p.Side
	default:
		p.Phase, p.Side, p.Done = next, federal, [numSeats]bool{}
		if next == setUpTests {
			p.Side = rebel
		}
	}
	return false
}

// buildChoices returns the question of the side on turn, the spaces that it may choose, and
// whether it may end.
func (g *game) buildChoices(p *Position) (q uint8, spaces SpaceSet, done bool) {
	switch p.Phase {
	case setUpSpaces: // DONE is legal from the least population on, and forced when nothing fits
		return AskSetUpSpace, g.openSpaces(p, p.Side), g.ownPopulation(p, p.Side) >= g.customLimits(p.Side).MinPopulation
	case setUpBases:
		for i := range SpaceID(numUS) {
			if g.roomForBase(p, i) {
				spaces |= 1 << i
			}
		}
		return AskSetUpBase, spaces, false
	}
	return AskSetUpUnit, p.withStatus(1<<ownStatus(p.Side)) | p.withBases(p.Side), false // not where the other's base is (Q49)
}

// chooseBuild carries out D41, D42 and D43.
func (g *game) chooseBuild(p *Position, w *flow.Witness, a engine.Action) {
	switch i := SpaceID(a - ActSpace); {
	case a == ActDone:
		p.Done[p.Side] = true
	case p.Phase == setUpSpaces:
		g.setStatus(p, w, "R16.4", i, ownStatus(p.Side))
	default:
		before := p.piecesAt(i)
		if p.Phase == setUpBases {
			p.addBase(p.Side, i)
		} else {
			p.addUnit(p.Side, i)
		}
		g.tellPieces(p, w, "R16.4", i, before)
	}
	p.Side = 1 - p.Side
}

// lots and lotFallen are the choices that chance makes in a random set-up: spaces, and
// behind those of the United States that no more are taken.
func (g *game) lots(p *Position) CardSet {
	_, spaces, done := g.buildChoices(p)
	return CardSet{uint64(spaces) | uint64(flag(done))<<numUS}
}

func (g *game) lotFallen(p *Position, w *flow.Witness, a engine.Action) {
	choice := ActDone
	if a != outSetDone {
		choice = ActSpace + a - outSetUp
	}
	g.tellLot(p, w, choice)
	g.chooseBuild(p, w, choice)
}

// testSetUp implements the last step of R16.4: unmarked spaces that hold a piece
// are tested in index order (Q36).
func (g *game) testSetUp(p *Position) bool {
	if p.Testing = p.untested(); p.Testing == noSpace {
		p.Phase, p.Side = dealing, 0
	}
	return false
}

// untested returns the first unmarked space that holds a piece, noSpace without one.
func (p *Position) untested() SpaceID {
	held := p.withUnits(rebel) | p.withUnits(federal) | p.withBases(rebel) | p.withBases(federal)
	if rest := held & p.withStatus(1<<unmarked); rest != 0 {
		return rest.First()
	}
	return noSpace
}
