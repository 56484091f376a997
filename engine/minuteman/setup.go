package minuteman

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// nextSetUp goes on to the next step.
func (p *Position) nextSetUp() bool {
	p.SetUp = SettingUp{Step: p.SetUp.Step + 1, CigStep: p.SetUp.CigStep}
	p.Part, p.LastHex = 0, 0
	return false
}

// advanceSetUp carries out the set-up (R22 to R29).
func (g *game) advanceSetUp(p *Position, w *flow.Witness) bool {
	if int(p.SetUp.Step) == len(g.plan) {
		for p.Queued > 0 { // nobody asked for them: they are not placed
			g.unplaced(p, w)
		}
		p.unmark(acted | moved)
		p.Turn = 1
		return g.enter(p, w, phaseA1)
	}
	s := &g.plan[p.SetUp.Step]
	switch s.op {
	case opDraw:
		p.Draw = Draw{Groups: s.group, Hex: noHex, Ask: askDivision}
		if int(p.SetUp.Done) == s.n || p.Queued == numArmyQueue || g.drawable(p) == (counterSet{}) {
			p.Draw = Draw{Hex: noHex}
			return p.nextSetUp()
		}
		p.SetUp.Done++
	case opFixed:
		for _, h := range s.hexes {
			if p.Queued == 0 || g.roomFor(p, army, false, h) == 0 {
				continue // in a position that was laid out otherwise
			}
			m := mark(0)
			if g.Scenario == Partisan && g.hexes[h].front {
				m = frontLine
			}
			g.placeQueued(p, w, h, m)
		}
		return p.nextSetUp()
	case opCIGAt:
		if g.roomFor(p, cig, false, s.hexes[0]) > 0 {
			g.add(p, w, "R23", cig, p.Gov, s.hexes[0])
		}
		return p.nextSetUp()
	case opStepDie:
		if p.SetUp.CigStep == 0 {
			return p.chance(askStepDie)
		}
		return p.nextSetUp()
	case opMarker:
		if p.SetUp.Done > 0 {
			return p.nextSetUp()
		}
		p.Seat = s.seat
		return p.chance(askMarker)
	case opChits:
		return g.setUpChits(p)
	case opEvents:
		return g.setUpEvents(p, s)
	case opInformers, opCivil:
		return g.convertNext(p)
	default:
		return g.askSetUp(p, s)
	}
	return false
}

// askSetUp asks the decisions of the set-up.
func (g *game) askSetUp(p *Position, s *setUpStep) bool {
	if s.op == opArmies {
		if p.Queued == 0 {
			return p.nextSetUp()
		}
		g.sortQueue(p)
		return p.decide(askArmy, p.Gov)
	}
	if int(p.SetUp.Done) == s.n {
		return p.nextSetUp()
	}
	switch s.op {
	case opCIGs, opAgents:
		return p.decide(askStarting, p.Gov)
	case opBrigades:
		return p.decide(askBrigade, p.Gov)
	case opMoveNets:
		return p.decide(askMoveNet, 1)
	case opAugment:
		return p.decide(askAugment, 1)
	}
	return p.decide(askExtra, 1)
}

// stepDie implements C22.
func (g *game) stepDie(p *Position, _ *flow.Witness, die int) { p.SetUp.CigStep = uint8(die) }

// sortQueue implements R22.1: what D1 places comes by type. Counters of one type stay
// in the order in which they were drawn, which says nothing of what they are.
// Ruling 48: by type.
func (g *game) sortQueue(p *Position) {
	for i := 1; i < int(p.Queued); i++ {
		for k := i; k > 0 && g.queuedGroup(p, k) < g.queuedGroup(p, k-1); k-- {
			p.Queue[k], p.Queue[k-1] = p.Queue[k-1], p.Queue[k]
		}
	}
}

// queuedGroup returns the type of a counter that has been drawn, which all see.
func (g *game) queuedGroup(p *Position, i int) group {
	return g.masked[p.Queue[i]&^hiddenCounter].group
}

// placeQueued places the first counter of the queue.
func (g *game) placeQueued(p *Position, w *flow.Witness, h HexID, m mark) {
	c := p.Queue[0]
	g.dropQueued(p)
	g.addMasked(p, w, g.setUpRule(), c, h, m)
}

// setUpRule is the rule by which the scenario is set up.
func (g *game) setUpRule() string {
	switch {
	case g.Scenario == Partisan:
		return "R25.2"
	case g.Scenario == Occupation:
		return "R26.1"
	case g.Scenario == CivilWar:
		return "R27.1"
	case g.Seats > 2:
		return "R28.1"
	}
	return "R22.1"
}

// unplaced drops the first counter of the queue, which has no place.
func (g *game) unplaced(p *Position, w *flow.Witness) {
	if w != nil {
		w.All("unplaced", g.setUpRule(), flow.Arg("type", groupNames[g.queuedGroup(p, 0)]))
	}
	g.dropQueued(p)
}

// dropQueued takes the first counter off the queue.
func (g *game) dropQueued(p *Position) {
	copy(p.Queue[:], p.Queue[1:p.Queued])
	p.Queued--
	p.Queue[p.Queued] = 0
}

// area is where the scenario's set-up places units: all land of Occupation, the
// hexes open to movement elsewhere, the US only with Canada and Mexico in play.
func (g *game) area() hexSet {
	set := g.open
	if g.Scenario != Occupation {
		set.intersect(&g.board.country[us])
	}
	return set
}

// setUpPlaces returns the hexes of a set-up decision that names a place for a new
// unit.
func (g *game) setUpPlaces(p *Position) hexSet {
	s := &g.plan[p.SetUp.Step]
	set := g.area()
	left := s.n - int(p.SetUp.Done)
	switch s.op {
	case opArmies:
		for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
			if p.Units[u].Marks&rebelHeld == 0 {
				g.dropWithin(&set, p.Units[u].Hex, max(s.n, 1))
			}
		}
	case opCIGs:
		set = g.fitBehind(p, set.from(p.LastHex), cig, left)
	case opAgents:
		set = g.fitBehind(p, set.from(p.LastHex), agent, left)
	case opBrigades:
		if set = g.board.country[s.place]; !g.groupLeft(p, group(bits.TrailingZeros16(uint16(s.group)))) {
			return hexSet{}
		}
		for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
			if g.armyIn(p, false, h) != noUnit {
				set.del(h)
			}
		}
	case opNets, opMinutemen:
		set = g.board.country[s.place]
		set.intersect(&g.pop1)
		k := network
		if s.op == opMinutemen {
			k = minuteman
		}
		set = g.fitBehind(p, set.from(p.LastHex), k, left)
	case opMilitia:
		full := g.crowded(p, militia)
		set.remove(&full)
	case opAbroad:
		if set = g.board.country[p.Pile]; !g.groupLeft(p, militiaOf(p.Pile)) {
			return hexSet{}
		}
		set.remove(&p.Occupied)
		if p.SetUp.LastPile == p.Pile {
			set = set.from(p.LastHex)
		}
		if p.Pile == mexico {
			set = g.leaveRoom(set, left)
		}
	case opMoveNets:
		set.intersect(&g.pop1)
		full := g.crowded(p, network)
		set.remove(&full)
	}
	return set
}

// fitBehind implements R3.5 for a compulsory set of n units of a kind that may
// share hexes: hexes where the kind fits, masked if the rest would not fit behind.
func (g *game) fitBehind(p *Position, set hexSet, k kind, n int) hexSet {
	var fits hexSet
	room := 0
	for i := len(set) - 1; i >= 0; i-- {
		for w := set[i]; w != 0; {
			bit := bits.Len64(w) - 1
			w &^= 1 << bit
			h := HexID(i<<6 + bit)
			r := g.roomFor(p, k, false, h)
			if room += r; r > 0 && room >= n {
				fits.add(h)
			}
		}
	}
	if n > 1 && fits.empty() && room > 0 { // some are lost; the others fit
		return g.fitBehind(p, set, k, room)
	}
	return fits
}

// offerAugment offers D4b: the hexes of weak Networks.
func (g *game) offerAugment(p *Position) {
	for u := UnitID(netFirst); u < netFirst+numNets; u++ {
		if p.Units[u].Hex != noHex && p.Units[u].Step == 0 && g.owner(p, u) == 1 {
			p.allow(actHex + int(p.Units[u].Hex))
		}
	}
}

// offerExtra offers D5: abroad the pile comes first (R29.1).
func (g *game) offerExtra(p *Position) {
	if g.plan[p.SetUp.Step].op == opAbroad && p.Part == 0 {
		p.allowIf(p.SetUp.LastPile <= canada, actPileCanada)
		p.allow(actPileMexico)
		return
	}
	set := g.setUpPlaces(p)
	p.allowHexes(&set)
}

// offerMoveNet offers D4: a Network that has not moved, origins ascending, while
// there is a hex to move it to; then the hex.
func (g *game) offerMoveNet(p *Position) {
	set := g.setUpPlaces(p)
	if p.Part == 1 {
		p.allowHexes(&set)
		return
	}
	p.allow(actDone)
	if set.empty() {
		return
	}
	for u := UnitID(netFirst); u < netFirst+numNets; u++ {
		if x := &p.Units[u]; x.Hex >= p.LastHex && x.Marks&moved == 0 && g.owner(p, u) == 1 {
			p.allow(actHex + int(x.Hex))
		}
	}
}

func (g *game) chooseSetUp(p *Position, w *flow.Witness, a engine.Action) {
	s := &g.plan[p.SetUp.Step]
	h := HexID(a - actHex)
	if a == noAction { // nothing legal: the piece is not placed
		if s.op == opArmies {
			g.unplaced(p, w)
			return
		}
		p.nextSetUp()
		return
	}
	switch s.op {
	case opArmies:
		g.placeQueued(p, w, h, 0)
		return
	case opCIGs:
		u := g.add(p, w, g.setUpRule(), cig, p.Gov, h)
		if g.Scenario == Occupation {
			g.strengthen(p, w, "R26.1", u, p.SetUp.CigStep)
		}
		p.LastHex = h + 1
	case opAgents:
		g.add(p, w, g.setUpRule(), agent, p.Gov, h)
		p.LastHex = h
	case opBrigades:
		p.Draw = Draw{Groups: s.group, Hex: h, Ask: askDivision}
	case opNets:
		g.add(p, w, g.setUpRule(), network, 1, h)
		p.LastHex = h + 1
	case opMinutemen:
		g.add(p, w, g.setUpRule(), minuteman, 1, h)
		p.LastHex = h
	case opMilitia:
		p.Draw = Draw{Groups: g.militiaGroups(p, 1, h), Hex: h, Ask: askMilitia}
	case opAbroad:
		g.chooseAbroad(p, a)
		return
	case opMoveNets:
		g.chooseMoveNet(p, w, a)
		return
	case opAugment:
		g.strengthen(p, w, "R23", g.first(p, network, h), 1)
	}
	p.SetUp.Done++
}

// militiaOf returns the group of the Militia of a country abroad.
func militiaOf(c country) group { return canadianMilitia + group(c-canada) }

// chooseAbroad implements R29.1: the pile, then a vacant hex of its country.
func (g *game) chooseAbroad(p *Position, a engine.Action) {
	if p.Part == 0 {
		p.Pile, p.Part = canada+country(a-actPileCanada), 1
		return
	}
	h := HexID(a - actHex)
	p.Draw = Draw{Groups: 1 << militiaOf(p.Pile), Hex: h, Ask: askMilitia}
	p.LastHex, p.SetUp.LastPile, p.Pile, p.Part = h+1, p.Pile, 0, 0
	p.SetUp.Done++
}

// chooseMoveNet implements R23 (Organized).
func (g *game) chooseMoveNet(p *Position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
		p.nextSetUp()
	case p.Part == 0:
		p.SelHex, p.Part = HexID(a-actHex), 1
	default:
		u := g.first(p, network, p.SelHex)
		p.Units[u].Marks |= moved
		g.carry(p, w, "moved", "R23", u, HexID(a-actHex))
		p.LastHex, p.Part = p.SelHex+1, 0
		p.SetUp.Done++
	}
}
