package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// builders is the set of units that a seat may begin a build attempt with
// (R7.3, R7.6, R16.2, R29.6).
func (g *game) builders(p *position, seat SeatID) unitSet {
	var set unitSet
	if seat == p.gov {
		for u := p.onMap.next(cigFirst); u != noUnit; u = p.onMap.next(u + 1) {
			if p.units[u].marks&acted == 0 {
				set.add(u)
			}
		}
		return set
	}
	for u := p.onMap.next(netFirst); u < mmFirst; u = p.onMap.next(u + 1) {
		x := &p.units[u]
		if x.marks&(acted|underground) == 0 && g.owner(p, u) == seat && g.coordinated(p, x.hex) {
			set.add(u)
		}
	}
	if g.neighbours {
		g.addBuildersAbroad(p, seat, &set)
	}
	return set
}

// coordinated implements R23 (Uncoordinated): a Network needs a Minuteman above
// ground beside it until the track reads 25.
func (g *game) coordinated(p *position, h HexID) bool {
	if !g.uncoordinated || p.track >= 25 {
		return true
	}
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == minuteman && p.units[u].marks&underground == 0 {
			return true
		}
	}
	return false
}

// addBuildersAbroad implements R29.6: a Minuteman in a Population I hex of Canada
// or Mexico may attempt alone, once a hex and phase.
func (g *game) addBuildersAbroad(p *position, seat SeatID, set *unitSet) {
	for u := p.onMap.next(mmFirst); u < milFirst; u = p.onMap.next(u + 1) {
		x := &p.units[u]
		if x.marks&(acted|underground) != 0 || g.owner(p, u) != seat ||
			g.hexes[x.hex].country == us || g.hexes[x.hex].pop != 1 || p.tried.has(g.hexes[x.hex].city) {
			continue
		}
		set.add(u)
	}
}

func (g *game) offerBuild(p *position) {
	set := g.builders(p, SeatID(p.Actor))
	switch p.part {
	case 0:
		p.allowIf(!set.empty(), actBuild)
		p.allowIf(g.canKill(p, SeatID(p.Actor)), actAssassinate)
		p.allow(actDone)
	case 1:
		hexes := p.hexesOf(&set)
		p.allowHexes(&hexes)
	default:
		g.allowClasses(p, &set, p.selHex, 0)
	}
}

func (g *game) chooseBuild(p *position, _ *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
		g.endBuilding(p)
	case a == actAssassinate:
		g.startKill(p)
	case p.part == 0:
		p.part = 1
	case p.part == 1:
		p.selHex = HexID(a - actHex)
		set := g.builders(p, SeatID(p.Actor))
		for u := p.head[p.selHex]; u != noUnit; u = p.units[u].next {
			if set.has(u) && g.kind[u] != minuteman {
				g.attempt(p, u)
				return
			}
		}
		p.part = 2
	default:
		set := g.builders(p, SeatID(p.Actor))
		u := g.find(p, &set, p.selHex, class(a-actClass))
		p.tried.add(g.hexes[p.selHex].city)
		g.attempt(p, u)
	}
}

// attempt begins a build attempt (D17).
func (g *game) attempt(p *position, u UnitID) {
	p.part = 0
	p.units[u].marks |= acted
	p.build = build{stage: buildCompose, seat: SeatID(p.Actor), builder: u, hex: p.units[u].hex}
}

// endBuilding goes on after a DONE at D16 or D62.
func (g *game) endBuilding(p *position) {
	if p.phase == phaseA2 {
		p.seat = g.nextRebel(p, p.seat+1)
		return
	}
	p.step++
}

// Steps of phase G2.
const (
	stepRaise = iota
	stepGovBuild
	stepFedUnderground
	stepFedBuild
	stepBuildsDone
)

// governmentBuildPhase implements R16 and R16.3 (phase G2; none after the Revolution): CIGs go up a step, then the
// attempts; a federalized Rebel goes underground and builds after them (R28.6).
func (g *game) governmentBuildPhase(p *position, w *flow.Witness) bool {
	if p.fed != noSeat && p.step == stepFedUnderground {
		return p.decide(askToggle, p.fed)
	}
	if p.revTurn > 0 {
		return g.enter(p, w, phaseG3)
	}
	switch p.step {
	case stepRaise:
		return g.raise(p, w)
	case stepGovBuild:
		return p.decide(askGovBuild, p.gov)
	case stepFedBuild:
		if p.fed != noSeat {
			return p.decide(askBuild, p.fed)
		}
	case stepBuildsDone:
		return g.enter(p, w, phaseG3)
	}
	p.step++
	return false
}

// raise implements R16.1: the CIGs in ascending order of hexes; in some scenarios
// each only on a die (C19). p.lastHex is the next hex to look at.
func (g *game) raise(p *position, w *flow.Witness) bool {
	for h := p.occupied.next(p.lastHex); h != noHex; h = p.occupied.next(h + 1) {
		u := g.first(p, cig, h)
		if u == noUnit || p.units[u].marks&placedNow != 0 || p.units[u].step == 6 {
			continue
		}
		p.lastHex = h
		if g.sc.CIGAugment != nil {
			return p.chance(askCIGDie)
		}
		g.strengthen(p, w, "R16.1", u, p.units[u].step+1)
	}
	p.step, p.lastHex = stepGovBuild, 0
	return false
}

// raiseDie implements R25.4, R26.3 and R27.2 (C19).
func (g *game) raiseDie(p *position, w *flow.Witness, die int) {
	if u := g.first(p, cig, p.lastHex); g.sc.CIGAugment.has(die) {
		g.strengthen(p, w, "R16.1", u, p.units[u].step+1)
	} else if w != nil {
		w.All("no_step", "R16.1", g.unitArg(u), g.hexArg(p.lastHex))
	}
	p.lastHex++
}
