package minuteman

import "powderkeg/engine/flow"

// builders is the set of units that a seat may begin a build attempt with
// (R7.3, R7.6, R16.2, R29.6).
func (g *game) builders(p *Position, seat SeatID) unitSet {
	var set unitSet
	if seat == p.Gov {
		for u := p.OnMap.next(cigFirst); u != noUnit; u = p.OnMap.next(u + 1) {
			if p.Units[u].Marks&acted == 0 {
				set.add(u)
			}
		}
		return set
	}
	for u := p.OnMap.next(netFirst); u < mmFirst; u = p.OnMap.next(u + 1) {
		x := &p.Units[u]
		if x.Marks&(acted|underground) == 0 && g.owner(p, u) == seat && g.coordinated(p, x.Hex) {
			set.add(u)
		}
	}
	if g.Neighbours {
		g.addBuildersAbroad(p, seat, &set)
	}
	return set
}

// coordinated implements R23 (Uncoordinated): a Network needs a Minuteman above
// ground beside it until the track reads 25.
func (g *game) coordinated(p *Position, h HexID) bool {
	if !g.Uncoordinated || p.Track >= 25 {
		return true
	}
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == minuteman && p.Units[u].Marks&underground == 0 {
			return true
		}
	}
	return false
}

// addBuildersAbroad implements R29.6: a Minuteman in a Population I hex of Canada
// or Mexico may attempt alone, once a hex and phase.
func (g *game) addBuildersAbroad(p *Position, seat SeatID, set *unitSet) {
	for u := p.OnMap.next(mmFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		x := &p.Units[u]
		if x.Marks&(acted|underground) != 0 || g.owner(p, u) != seat ||
			g.hexes[x.Hex].country == us || g.hexes[x.Hex].pop != 1 || p.Tried.has(g.hexes[x.Hex].city) {
			continue
		}
		set.add(u)
	}
}

// builds is D16 and D62.
var builds = taking{verb: actBuild, set: (*game).buildersNow, named: (*game).builderIn, take: (*game).attempt, done: (*game).endBuilding}

func (g *game) buildersNow(p *Position) unitSet { return g.builders(p, SeatID(p.Actor)) }

// builderIn returns the builder that a hex names by itself: any but a Minuteman abroad.
func (g *game) builderIn(p *Position, set unitSet, h HexID) UnitID {
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if set.has(u) && g.kind[u] != minuteman {
			return u
		}
	}
	return noUnit
}

// attempt begins a build attempt (D17).
func (g *game) attempt(p *Position, _ *flow.Witness, u UnitID) {
	if g.kind[u] == minuteman {
		p.Tried.add(g.hexes[p.SelHex].city)
	}
	p.Units[u].Marks |= acted
	p.Build = Attempt{Stage: buildCompose, Seat: SeatID(p.Actor), Builder: u, Hex: p.Units[u].Hex}
}

// endBuilding goes on after a DONE at D16 or D62.
func (g *game) endBuilding(p *Position, _ *flow.Witness) {
	if p.Phase == phaseA2 {
		p.Seat = g.nextRebel(p, p.Seat+1)
		return
	}
	p.GovBuilds++
}

// govBuildStep is how far phase G2 has come.
type govBuildStep uint8

const (
	stepRaise govBuildStep = iota
	stepGovBuild
	stepFedUnderground
	stepFedBuild
	stepBuildsDone
)

// governmentBuildPhase implements R16 and R16.3 (phase G2; none after the Revolution): CIGs go up a step, then the
// attempts; a federalized Rebel goes underground and builds after them (R28.6).
func (g *game) governmentBuildPhase(p *Position, w *flow.Witness) bool {
	if p.Fed != noSeat && p.GovBuilds == stepFedUnderground {
		return p.decide(askToggle, p.Fed)
	}
	if p.RevTurn > 0 {
		return g.enter(p, w, phaseG3)
	}
	switch p.GovBuilds {
	case stepRaise:
		return g.raise(p, w)
	case stepGovBuild:
		return p.decide(askGovBuild, p.Gov)
	case stepFedBuild:
		if p.Fed != noSeat {
			return p.decide(askBuild, p.Fed)
		}
	case stepBuildsDone:
		return g.enter(p, w, phaseG3)
	}
	p.GovBuilds++
	return false
}

// raise implements R16.1: the CIGs in ascending order of hexes; in some scenarios
// each only on a die (C19). p.LastHex is the next hex to look at.
func (g *game) raise(p *Position, w *flow.Witness) bool {
	for h := p.Occupied.next(p.LastHex); h != noHex; h = p.Occupied.next(h + 1) {
		u := g.first(p, cig, h)
		if u == noUnit || p.Units[u].Marks&placedNow != 0 || p.Units[u].Step == 6 {
			continue
		}
		p.LastHex = h
		if g.sc.CIGAugment != nil {
			return p.chance(askCIGDie)
		}
		g.strengthen(p, w, "R16.1", u, p.Units[u].Step+1)
	}
	p.GovBuilds, p.LastHex = stepGovBuild, 0
	return false
}

// raiseDie implements R25.4, R26.3 and R27.2 (C19).
func (g *game) raiseDie(p *Position, w *flow.Witness, die int) {
	if u := g.first(p, cig, p.LastHex); g.sc.CIGAugment.has(die) {
		g.strengthen(p, w, "R16.1", u, p.Units[u].Step+1)
	} else if w != nil {
		w.All("no_step", "R16.1", g.unitArg(u), g.hexArg(p.LastHex))
	}
	p.LastHex++
}
