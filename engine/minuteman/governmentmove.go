package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// governmentMovementPhase implements R17 (phase G3): reinforcements first (R17.1),
// moves, the same for the federalized Rebel (R28.6), Unrest (R17.4).
func (g *game) governmentMovementPhase(p *Position, w *flow.Witness) bool {
	switch p.Moves.Step {
	case stepForeign:
		for u := UnitID(armyFirst); u < numUnits; u++ {
			if h := p.Units[u].Hex; h != noHex && (g.hexes[h].pop == 0 || g.look(p, h).rebel) {
				p.Units[u].Marks |= noRail
			}
		}
		return g.foreignArrival(p, p.Gov)
	case stepReinforce:
		return g.reinforce(p, p.Gov)
	case stepMove:
		return p.decide(askGovMove, p.Gov)
	case stepFedForeign, stepFedReinforce, stepFedMove:
		if p.Fed == noSeat {
			p.Moves.Step, p.LastHex = stepUnrest, 0
			return false
		}
		return g.federalizedMovement(p)
	}
	for h := p.Unrest.next(p.LastHex); h != noHex; h = p.Unrest.next(h + 1) {
		if g.armyIn(p, false, h) != noUnit {
			p.LastHex = h
			return p.decide(askUnrest, p.Gov)
		}
	}
	return g.enter(p, w, phaseG4)
}

// federalizedMovement implements R28.6 for G3: what R8.1 and R8.2 give the federalized
// Rebel.
func (g *game) federalizedMovement(p *Position) bool {
	switch p.Moves.Step {
	case stepFedForeign:
		return g.foreignArrival(p, p.Fed)
	case stepFedReinforce:
		return g.reinforce(p, p.Fed)
	}
	return p.decide(askMove, p.Fed)
}

// chooseUnrest implements R17.4 (D68).
func (g *game) chooseUnrest(p *Position, w *flow.Witness, a engine.Action) {
	if a == actYes {
		if p.Unrest.del(p.LastHex); w != nil {
			w.All("unrest_removed", "R17.4", g.hexArg(p.LastHex))
		}
	}
	p.LastHex++
}

// airRailCapacity implements R22.2, R23, R25.3, R27.2 and R28.7: points of a
// Game-Turn.
func (g *game) airRailCapacity(p *Position) uint8 {
	if g.Seats > 2 && p.RevTurn > 0 {
		return 0
	}
	return g.railPoints
}

// railPossible implements R17.2 for SHOW_PASSAGE: whether Air/Rail movement is
// possible at all.
// Ruling 31: none in Partisan.
func (g *game) railPossible(p *Position) bool {
	return g.Scenario != Partisan && (g.Seats == 2 || p.RevTurn == 0)
}

// modes returns the modes in which a Government unit can move (D65), bit 0 for
// MODE_NORMAL (R17.2, R31).
// Ruling 12: after the Revolution Air/Rail is for CIGs.
func (g *game) modes(p *Position, u UnitID) uint8 {
	x := &p.Units[u]
	var set uint8
	if x.Marks&pinned != 0 {
		return 0
	}
	k := g.kind[u]
	if k != cig && g.canStep(p, u) {
		set |= 1
	}
	if p.AirRail >= railHalves(k) && g.takenByRail(p, u) && g.hasFlight(p, u, actAirRail) {
		set |= 1 << (actAirRail - actNormal)
	}
	switch air, sea := g.assaultsOf(p, u); {
	case air && g.hasFlight(p, u, actAirAssault):
		set |= 1 << (actAirAssault - actNormal)
	case sea && g.hasFlight(p, u, actAmphibious):
		set |= 1 << (actAmphibious - actNormal)
	}
	return set
}

// takenByRail implements R17.2: whether Air/Rail takes a unit up where it stands, points
// apart.
func (g *game) takenByRail(p *Position, u UnitID) bool {
	x := &p.Units[u]
	return x.Marks&noRail == 0 && g.railPossible(p) && (p.RevTurn == 0 || g.kind[u] == cig) && g.hexes[x.Hex].pop > 0
}

// assaultsOf implements R31: whether a unit may still come from the air or from the sea.
func (g *game) assaultsOf(p *Position, u UnitID) (air, sea bool) {
	if g.kind[u] != army || p.RevTurn == 0 {
		return false, false
	}
	gr, h := g.groupOf(p, u), &g.hexes[p.Units[u].Hex]
	return gr == airborne && g.AirAssault && p.Assaults&1 == 0, gr == marine && g.Amphibious && p.Assaults&2 == 0 && h.coast && h.pop > 0
}

// railHalves is the price of Air/Rail movement in half points (R17.2).
func railHalves(k kind) uint8 {
	if k == agent {
		return 1
	}
	return 2
}

// hasFlight reports whether flights would not be empty.
func (g *game) hasFlight(p *Position, u UnitID, mode verb) bool {
	if mode == actAirRail { // nearly every hex is open: look at a few first
		for h := g.open.next(0); h != noHex; h = g.open.next(h + 1) {
			if h != p.Units[u].Hex && g.mayEnter(p, u, h) {
				return true
			}
		}
		return false
	}
	set := g.flights(p, u, mode)
	return !set.empty()
}

// flights returns the destinations of a unit that moves by Air/Rail (R17.2) or
// makes an assault (R31).
func (g *game) flights(p *Position, u UnitID, mode verb) hexSet {
	set := g.open
	if mode == actAmphibious {
		set.intersect(&g.coast)
	}
	full := g.crowded(p, g.kind[u])
	set.remove(&full)
	set.del(p.Units[u].Hex)
	if home, tied := g.homeOf(p, u); tied {
		set.intersect(&g.board.country[home])
	}
	if mode == actAirAssault {
		set.intersect(&p.Occupied)
		for h := set.next(0); h != noHex; h = set.next(h + 1) {
			if !g.look(p, h).rebel {
				set.del(h)
			}
		}
	}
	return set
}

func (g *game) offerModes(p *Position) {
	set := g.modes(p, p.Move.Unit)
	for i := range 4 {
		p.allowIf(set>>i&1 != 0, actNormal+i)
	}
}

func (g *game) chooseMode(p *Position, _ *flow.Witness, a engine.Action) {
	p.Move.Mode, p.Move.Stage = verb(a), moveDest
}

// startRail pays for Air/Rail movement; in some scenarios it is checked first
// (R26.6).
func (g *game) startRail(p *Position, w *flow.Witness) {
	p.AirRail -= railHalves(g.kind[p.Move.Unit])
	if g.sc.AirRailFails != nil {
		p.Move.Stage = moveAirDie
		return
	}
	g.fly(p, w)
}

// airRoll implements R26.6 (C18): on a failure the point is spent and the unit
// stays.
func (g *game) airRoll(p *Position, w *flow.Witness, die int) {
	fails := g.sc.AirRailFails.has(die)
	if w != nil {
		w.All("flight", "R26.6", g.unitArg(p.Move.Unit), flow.Arg("to", g.hexes[p.Move.Dest].id), flow.Arg("succeeded", !fails))
	}
	if fails {
		p.Units[p.Move.Unit].Marks |= moved
		p.Move = Movement{}
		return
	}
	g.fly(p, w)
}

// fly implements R17.2: an Army so moved does not fight this turn, a CIG loses one
// step for each hex of distance.
func (g *game) fly(p *Position, w *flow.Witness) {
	u, dest := p.Move.Unit, p.Move.Dest
	x := &p.Units[u]
	switch g.kind[u] {
	case army:
		x.Marks |= airRail
	case cig:
		if step := uint8(max(1, int(x.Step)-g.distance(x.Hex, dest))); step < x.Step {
			g.strengthen(p, w, "R17.2", u, step)
		}
	}
	g.arriveAt(p, w, u, dest)
}

// pinPhase implements R18 (phase G5): pinned Armies with Agents that did not fight
// are rolled for, in order of hexes.
// Ruling 28: rolled for unasked.
func (g *game) pinPhase(p *Position, w *flow.Witness) bool {
	for h := p.Occupied.next(p.LastHex); h != noHex; h = p.Occupied.next(h + 1) {
		if g.helpers(p, h) > 0 {
			p.LastHex = h
			return p.chance(askPinDie)
		}
	}
	return g.enter(p, w, phaseG6)
}

// helpers returns the number of Agents that help to remove a Pin in a hex, 0 if
// there is none to remove.
func (g *game) helpers(p *Position, h HexID) int {
	u := g.armyIn(p, false, h)
	if u == noUnit || p.Units[u].Marks&pinned == 0 {
		return 0
	}
	n := 0
	for v := p.Head[h]; v != noUnit; v = p.Units[v].Next {
		if g.kind[v] == agent && p.Units[v].Marks&fought == 0 {
			n++
		}
	}
	return min(n, 3)
}

// pinDie implements C14.
func (g *game) pinDie(p *Position, w *flow.Witness, die int) {
	u, n := g.armyIn(p, false, p.LastHex), g.helpers(p, p.LastHex)
	freed := die <= int(g.success[n])
	if freed {
		p.Units[u].Marks &^= pinned
	}
	if w != nil {
		w.All("pin_removal", "R18", g.unitArg(u), g.hexArg(p.LastHex), flow.Arg("agents", n), flow.Arg("succeeded", freed))
	}
	p.LastHex++
}
