package insurgency

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
	room := g.customLimits(side).maxPopulation - g.ownPopulation(p, side)
	var set spaceSet
	for rest := p.withStatus(1<<unmarked) & g.box.us; rest != 0; rest &= rest - 1 {
		if i := rest.first(); int(g.box.spaces[i].population) <= room {
			set |= 1 << i
		}
	}
	return set
}

// basesOwed and unitsOwed return what a side has still to place in D42 and D43.
func (g *game) basesOwed(p *position, side uint8) int { return g.customLimits(side).vp - g.vp(p, side) }

func (g *game) unitsOwed(p *position, side uint8) int {
	return g.customLimits(side).units - int(p.onMap[unitOf(side)])
}

// build carries the custom set-up one step further: the sides take turns, and one
// that is done is skipped.
func (g *game) build(p *position) bool {
	switch p.phase {
	case setUpSpaces:
		return g.buildSpaces(p)
	case setUpBases:
		if !g.takesTurn(p, setUpUnits, g.basesOwed) {
			return false
		}
		var room spaceSet
		for i := range uint8(numUS) {
			if g.roomForBase(p, i) {
				room |= 1 << i
			}
		}
		return g.askBuild(p, askSetUpBase, room, false)
	default:
		if !g.takesTurn(p, setUpTests, g.unitsOwed) {
			return false
		}
		spots := p.withStatus(1<<ownStatus(p.side)) | p.withBases(rebel) | p.withBases(federal)
		return g.askBuild(p, askSetUpUnit, spots, false)
	}
}

// buildSpaces implements D41: DONE is legal from the least population on, and
// forced when nothing fits.
func (g *game) buildSpaces(p *position) bool {
	f := &p.setUp
	if f.done[rebel] && f.done[federal] {
		f.done = [numSeats]bool{}
		p.phase, p.side = setUpBases, federal
		return false
	}
	if f.done[p.side] {
		p.side = 1 - p.side
		return false
	}
	enough := g.ownPopulation(p, p.side) >= g.customLimits(p.side).minPopulation
	return g.askBuild(p, askSetUpSpace, g.openSpaces(p, p.side), enough)
}

// takesTurn tells whether the side still owes pieces; if not, the other one has
// the turn, and if that owes none either, the next phase begins.
func (g *game) takesTurn(p *position, next phase, owed func(*position, uint8) int) bool {
	switch {
	case owed(p, p.side) > 0:
		return true
	case owed(p, 1-p.side) > 0:
		p.side = 1 - p.side
	default:
		p.phase, p.side = next, federal
		if next == setUpTests {
			p.side = rebel
		}
	}
	return false
}

// askBuild asks the side on turn, or chance in its place.
func (g *game) askBuild(p *position, q ask, spaces spaceSet, done bool) bool {
	p.decide(q, p.side)
	p.allowSpaces(spaces)
	if done {
		p.legal.add(actDone)
	}
	if g.mode == modeRandom {
		return p.wait(chanceRandom)
	}
	return true
}

// randomChoices returns the choices of a random set-up as actions.
func (g *game) randomChoices(p *position) actionSet {
	c := *p
	c.phase = p.phase
	player := *g
	player.mode = modeAlternating
	player.build(&c)
	return c.legal
}

// chooseBuild carries out D41, D42 and D43.
func (g *game) chooseBuild(p *position, a uint8) {
	switch i := a - actSpace; {
	case a == actDone:
		p.setUp.done[p.side] = true
	case p.phase == setUpSpaces:
		p.status[i] = ownStatus(p.side)
	case p.phase == setUpBases:
		p.addBase(p.side, i)
	default:
		p.addUnit(p.side, i)
	}
	p.side = 1 - p.side
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
