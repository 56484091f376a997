package insurgency

import (
	"powderkeg/engine"
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
func (b Board) ownPopulation(side Side) int {
	return b.vp(side) - int(b.OnMap[baseOf(side)])
}

// customLimits returns what the set-up allows a side.
func (g *game) customLimits(side Side) customLimits { return g.box.scenarios[custom].limits[side] }

// openSpaces implements D41: spaces of the United States without an owner that keep
// the own population within its limit.
func (b Board) openSpaces(side Side) SpaceSet {
	room := b.customLimits(side).MaxPopulation - b.ownPopulation(side)
	var set SpaceSet
	for rest := b.withStatus(1<<unmarked) & b.box.us; rest != 0; rest &= rest - 1 {
		if i := rest.First(); int(b.box.spaces[i].population) <= room {
			set |= 1 << i
		}
	}
	return set
}

// owesBase and owesUnit tell whether a side has still to place in D42 and D43.
func (b Board) owesBase(side Side) bool { return b.vp(side) < b.customLimits(side).VP }

func (b Board) owesUnit(side Side) bool {
	return int(b.OnMap[unitOf(side)]) < b.customLimits(side).Units
}

// build carries the custom set-up one step further: the sides take turns, and one
// that is done is skipped.
func (b Board) build() bool {
	if !b.hasTurn() {
		return false
	}
	if b.mode == modeRandom {
		return b.wait(chanceRandom)
	}
	q, spaces, done := b.buildChoices()
	b.decide(q, b.Side)
	b.allowSpaces(spaces)
	if done {
		b.allow(ActDone)
	}
	return true
}

// hasTurn tells whether the side on turn has something to choose in this phase. If
// not, the other side has the turn, or the next phase begins.
func (b Board) hasTurn() bool {
	switch b.Phase {
	case setUpSpaces:
		return b.takesTurn(setUpBases, func(side Side) bool { return !b.Done[side] })
	case setUpBases:
		return b.takesTurn(setUpUnits, b.owesBase)
	default:
		return b.takesTurn(setUpTests, b.owesUnit)
	}
}

// takesTurn passes the turn on if the side on turn has nothing to do.
func (b Board) takesTurn(next phase, busy func(Side) bool) bool {
	switch {
	case busy(b.Side):
		return true
	case busy(1 - b.Side):
		b.Side = 1 - b.Side
	default:
		b.Phase, b.Side, b.Done = next, federal, [numSeats]bool{}
		if next == setUpTests {
			b.Side = rebel
		}
	}
	return false
}

// buildChoices returns the question of the side on turn, the spaces that it may choose, and
// whether it may end.
func (b Board) buildChoices() (q uint8, spaces SpaceSet, done bool) {
	switch b.Phase {
	case setUpSpaces: // DONE is legal from the least population on, and forced when nothing fits
		return AskSetUpSpace, b.openSpaces(b.Side), b.ownPopulation(b.Side) >= b.customLimits(b.Side).MinPopulation
	case setUpBases:
		for i := range SpaceID(numUS) {
			if b.roomForBase(i) {
				spaces |= 1 << i
			}
		}
		return AskSetUpBase, spaces, false
	}
	return AskSetUpUnit, b.withStatus(1<<ownStatus(b.Side)) | b.withBases(b.Side), false // not where the other's base is (Q49)
}

// chooseBuild carries out D41, D42 and D43.
func (b Board) chooseBuild(a engine.Action) {
	switch i := SpaceID(a - ActSpace); {
	case a == ActDone:
		b.Done[b.Side] = true
	case b.Phase == setUpSpaces:
		b.setStatus("R16.4", i, ownStatus(b.Side))
	default:
		before := b.piecesAt(i)
		if b.Phase == setUpBases {
			b.addBase(b.Side, i)
		} else {
			b.addUnit(b.Side, i)
		}
		b.tellPieces("R16.4", i, before)
	}
	b.Side = 1 - b.Side
}

// lots and lotFallen are the choices that chance makes in a random set-up: spaces, and
// behind those of the United States that no more are taken.
func (b Board) lots() CardSet {
	_, spaces, done := b.buildChoices()
	return CardSet{uint64(spaces) | uint64(flag(done))<<numUS}
}

func (b Board) lotFallen(a engine.Action) {
	choice := ActDone
	if a != outSetDone {
		choice = ActSpace + a - outSetUp
	}
	b.tellLot(choice)
	b.chooseBuild(choice)
}

// testSetUp implements the last step of R16.4: unmarked spaces that hold a piece
// are tested in index order (Q36).
func (b Board) testSetUp() bool {
	if b.Testing = b.untested(); b.Testing == noSpace {
		b.Phase, b.Side = dealing, 0
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
