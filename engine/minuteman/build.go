package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// buildStage is how far a build has come.
type buildStage uint8

const (
	buildNone      buildStage = iota
	buildSpreadDie            // C5, of a Riot hex
	buildSpread               // D11
	buildCompose              // D17
	buildReact                // D31
	buildDie                  // C6
	buildResult               // D12 or D63
	buildRemove               // D13
)

var buildStageNames = []string{"", "spread_die", "spread", "compose", "react", "die", "result", "remove"}

// Steps of phase A2.
const (
	stepRiots = iota
	stepExtra
	stepArrival
	stepAttempts
)

// rebelBuildPhase implements R7 and R7.2 (phase A2): the Riot step, extra Riots, Militia
// of the neighbour countries, and then the attempts of each Rebel.
// Ruling 38: Riot hexes in ascending order.
func (g *game) rebelBuildPhase(p *position, w *flow.Witness) bool {
	switch p.step {
	case stepRiots:
		c := p.riotsToDo.next(0)
		if c == noCity {
			p.step, p.count, p.lastHex = stepExtra, 0, 0
			return false
		}
		p.riotsToDo.del(c)
		return g.riotStep(p, w, g.cityHex[c])
	case stepExtra:
		limit := g.sc.ExtraRiots + g.sc.BesideRiots
		if p.count < limit && p.seat != noSeat {
			if set := g.extraRiots(p); !set.empty() {
				return p.decide(askExtraRiot, p.seat)
			}
		}
		p.step, p.count = stepArrival, 0
	case stepArrival:
		return g.arrival(p)
	default:
		if p.revTurn > 0 || p.seat == noSeat {
			return g.enter(p, w, phaseA3)
		}
		return p.decide(askBuild, p.seat)
	}
	return false
}

// newNetwork places a weak Network if a counter is left and it fits; a Riot in the
// hex stays (Ruling 34).
func (g *game) newNetwork(p *position, w *flow.Witness, rule string, seat SeatID, h HexID) bool {
	return g.roomFor(p, network, false, h) > 0 && g.add(p, w, rule, network, seat, h) != noUnit
}

// spreadPlaces is the set of D11: cities without a Riot beside the one that spreads.
func (g *game) spreadPlaces(p *position) hexSet {
	var set hexSet
	for _, c := range g.adjacentCities(p, p.build.hex) {
		if c != noCity && !p.riot.has(c) && g.cityHex[c] >= p.lastHex {
			set.add(g.cityHex[c])
		}
	}
	return g.leaveRoom(set, int(p.count))
}

func (g *game) offerSpread(p *position) {
	set := g.spreadPlaces(p)
	p.allowHexes(&set)
}

// leaveRoom implements R3.5 for a compulsory set of n different hexes: one is
// masked if the rest would not fit behind it.
func (g *game) leaveRoom(set hexSet, n int) hexSet {
	for extra := n - 1; extra > 0 && set.count() > 0; extra-- {
		last := noHex
		for h := set.next(0); h != noHex; h = set.next(h + 1) {
			last = h
		}
		if set.count() > 1 {
			set.del(last)
		}
	}
	return set
}

func (g *game) chooseSpread(p *position, w *flow.Witness, a engine.Action) {
	if a != noAction {
		h := HexID(a - actHex)
		g.addRiot(p, w, "R7.1", h)
		p.lastHex = h + 1
		p.count--
	}
	if a == noAction || p.count == 0 {
		p.build = build{}
	}
}

func (g *game) offerExtraRiot(p *position) {
	set := g.extraRiots(p)
	p.allowHexes(&set)
	p.allow(actDone)
}

func (g *game) chooseExtraRiot(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.step, p.count = stepArrival, 0
		return
	}
	h := HexID(a - actHex)
	g.addRiot(p, w, g.extraRiotRule(), h)
	p.lastHex = h + 1
	p.count++
}

func (g *game) advanceBuild(p *position, w *flow.Witness) bool {
	b := &p.build
	switch b.stage {
	case buildSpreadDie:
		return p.chance(askSpreadDie)
	case buildSpread:
		return p.decide(askSpread, b.seat)
	case buildCompose:
		return p.decide(askCompose, b.seat)
	case buildReact:
		if seat := g.reactor(p, b.seat, noSeat, b.react); seat != noSeat {
			return p.decide(askReaction, seat)
		}
		b.points = uint8(g.buildPoints(p))
		if b.points == 0 { // the builder alone was there and is gone
			g.endAttempt(p, w)
			return false
		}
		b.stage = buildDie
	case buildDie:
		return p.chance(askBuildDie)
	case buildResult:
		q := askResult
		if b.seat == p.gov {
			q = askGovResult
		}
		return p.decide(q, b.seat)
	case buildRemove:
		return p.decide(askRemoveRiot, b.seat)
	}
	return false
}

// buildPoints implements R7.4 and R16.2: the builder, its helpers that are still
// there, and the organizers.
func (g *game) buildPoints(p *position) int {
	b := &p.build
	n := int(b.markers)
	if b.builder != noUnit && p.units[b.builder].hex == b.hex {
		n += g.buildOf(p, b.builder)
	}
	for u := b.helpers.next(0); u != noUnit; u = b.helpers.next(u + 1) {
		if p.units[u].hex == b.hex {
			n += g.buildOf(p, u)
		}
	}
	return n
}

// helperClass returns the class that an ADD token names.
func helperClass(a int) class {
	switch a {
	case actAddMMWeak:
		return minutemanWeak
	case actAddMMStrong:
		return minutemanStrong
	case actAddAgentWeak:
		return agentWeak
	}
	return agentStrong
}

// helperSet is the set of units that may still join the build.
func (g *game) helperSet(p *position) unitSet {
	var set unitSet
	b := &p.build
	if b.builder == noUnit || g.kind[b.builder] == minuteman { // R29.6: alone
		return set
	}
	want := minuteman
	if b.seat == p.gov {
		want = agent
	}
	for u := p.head[b.hex]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == want && p.units[u].marks&(acted|underground) == 0 && g.owner(p, u) == b.seat && !b.helpers.has(u) {
			set.add(u)
		}
	}
	return set
}

// offerCompose implements R7.4 and R16.2 (D17): helpers in the order of the
// tokens.
func (g *game) offerCompose(p *position) {
	set := g.helperSet(p)
	for a := max(actAddMMWeak, int(p.build.last)); a <= actAddAgentStrong; a++ {
		p.allowIf(g.find(p, &set, p.build.hex, helperClass(a)) != noUnit, a)
	}
	p.allowIf(p.hand[p.build.seat][organizer] > p.build.markers, actAddOrganizer)
	p.allow(actRoll)
}

func (g *game) chooseCompose(p *position, _ *flow.Witness, a engine.Action) {
	b := &p.build
	b.last = uint8(a)
	switch a {
	case actRoll:
		b.stage, b.react = buildReact, 0
	case actAddOrganizer:
		b.markers++
	default:
		set := g.helperSet(p)
		u := g.find(p, &set, b.hex, helperClass(int(a)))
		p.units[u].marks |= acted
		b.helpers.add(u)
	}
}

// endAttempt forgets the build under way.
func (g *game) endAttempt(p *position, w *flow.Witness) {
	g.giveBack(p, w, p.build.seat, organizer, p.build.markers)
	p.build = build{}
}

// buildRoll implements R7.4 and C6.
func (g *game) buildRoll(p *position, w *flow.Witness, die int) {
	b := &p.build
	h, rebel, rule := b.hex, b.seat != p.gov, "R16.2"
	if rebel {
		rule = "R7.4"
	}
	r := g.buildResult(p, int(b.points), rebel, h, die)
	counts := max(0, die+g.buildModifier(p, rebel, h))
	if b.die = uint8(counts); w != nil {
		w.All("build", rule, seatArg(b.seat), g.hexArg(h), number("points", b.points), flow.Arg("column", g.buildColumn(int(b.points), rebel)),
			flow.Arg("die", die), flow.Arg("counts", counts), flow.Arg("result", resultNames[r]))
	}
	switch r {
	case rUnrest:
		g.addUnrest(p, w, rule, h)
	case rRiot:
		g.addRiot(p, w, rule, h)
	case rBuild:
		g.giveBack(p, w, b.seat, organizer, b.markers)
		b.markers = 0
		b.stage = buildResult
		return
	}
	g.endAttempt(p, w)
}

// buildColumn implements R7.4, R16.2, R25.4 and R26.3: the column of the build table,
// from 1 on, for so many points; 0 without any.
func (g *game) buildColumn(points int, rebel bool) int {
	if rebel {
		points += int(g.sc.BuildShift)
	}
	return min(points, BuildColumns)
}

// buildModifier implements R7.4: Agents and CIGs hinder a Rebel's attempt.
func (g *game) buildModifier(p *position, rebel bool, h HexID) int {
	if in := g.look(p, h); rebel && in.count[agent]+in.count[cig] > 0 {
		return -1
	}
	return 0
}

// buildResult returns what an attempt in a hex comes to with a die.
func (g *game) buildResult(p *position, points int, rebel bool, h HexID, die int) result {
	r := g.tables.build[max(0, die+g.buildModifier(p, rebel, h))][max(1, g.buildColumn(points, rebel))-1]
	switch {
	case !rebel && g.sc.QuietBuilds && r != rBuild:
		return noResult
	case r == rUnrest && rebel && (g.sc.UnrestIsRiot || g.hexes[h].country != us):
		return rRiot // R25.4, R26.3, R29.6
	}
	return r
}

// options is the set of D12 and D63 tokens other than OPT_DECLINE, bit 0 for
// OPT_AUGMENT_NETWORK.
func (g *game) options(p *position) uint16 {
	b := &p.build
	if b.seat == p.gov {
		return g.governmentOptions(p)
	}
	var set uint16
	allow := func(ok bool, a int) {
		if ok {
			set |= 1 << (a - actAugmentNetwork)
		}
	}
	abroad := b.builder != noUnit && g.kind[b.builder] == minuteman
	var weakMM bool
	for u := p.head[b.hex]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == minuteman && p.units[u].step == 0 && g.owner(p, u) == b.seat {
			weakMM = true
		}
	}
	net := g.first(p, network, b.hex)
	allow(!abroad && net != noUnit && p.units[net].step == 0 && g.owner(p, net) == b.seat, actAugmentNetwork)
	allow(b.newNet && net == noUnit && g.roomFor(p, network, false, b.hex) > 0 && g.freeUnit(p, network, b.seat) != noUnit, actNewNetwork)
	allow(g.roomFor(p, minuteman, false, b.hex) > 0 && g.freeUnit(p, minuteman, b.seat) != noUnit, actNewMM)
	allow(!abroad && weakMM, actAugmentMM)
	allow(g.roomFor(p, militia, false, b.hex) > 0 && g.militiaGroups(p, b.seat, b.hex) != 0, actNewMilitia)
	return set
}

// militiaGroups returns the groups with a counter left from which a seat draws a
// Militia in a hex: its colour, with one Rebel all three, and in Canada and Mexico
// the country's (R26.4, R29.6).
func (g *game) militiaGroups(p *position, seat SeatID, h HexID) uint16 {
	var set uint16
	for gr := militia1; gr <= mexicanMilitia; gr++ {
		ok := false
		switch g.hexes[h].country {
		case canada:
			ok = gr == canadianMilitia
		case mexico:
			ok = gr == mexicanMilitia
		default:
			ok = gr <= militia3 && (g.seats == 2 || SeatID(gr)+1 == seat)
		}
		if ok && g.groupLeft(p, gr) {
			set |= 1 << gr
		}
	}
	return set
}

// governmentOptions implements R16.2 and R27.2 (D63).
func (g *game) governmentOptions(p *position) uint16 {
	var set uint16
	allow := func(ok bool, a int) {
		if ok {
			set |= 1 << (a - actAugmentNetwork)
		}
	}
	b := &p.build
	weak := false
	for u := p.head[b.hex]; u != noUnit; u = p.units[u].next {
		weak = weak || g.kind[u] == agent && p.units[u].step == 0
	}
	allow(g.roomFor(p, agent, false, b.hex) > 0 && g.freeUnit(p, agent, p.gov) != noUnit, actNewAgent)
	allow(weak, actAugmentAgent)
	allow(g.civilWar && g.hexes[b.hex].pop == 1 && b.points >= 6 && b.die >= 5 &&
		g.roomFor(p, army, false, b.hex) > 0 && g.divisionGroups(p) != 0, actNewDivision)
	return set
}

// divisionGroups returns the types of US Division with a counter left.
func (g *game) divisionGroups(p *position) uint16 {
	var set uint16
	for gr := armored; gr <= marine; gr++ {
		if g.groupLeft(p, gr) {
			set |= 1 << gr
		}
	}
	return set
}

func (g *game) offerResult(p *position) {
	set := g.options(p)
	for a := actAugmentNetwork; a < actDecline; a++ {
		p.allowIf(set>>(a-actAugmentNetwork)&1 != 0, a)
	}
	p.allow(actDecline)
}

// chooseResult implements R7.5: the track moves for a rolled result unless nothing
// could have been built.
// Ruling 9: free builds do not move the track.
func (g *game) chooseResult(p *position, w *flow.Witness, a engine.Action) {
	b := p.build
	if !b.free && b.seat != p.gov && g.options(p) != 0 {
		if p.track++; w != nil {
			w.All("track", "R7.5", flow.Arg("track", int(p.track)))
		}
		if c := g.hexes[b.hex].country; c != us && !g.borderless {
			p.built[c] = true
		}
	}
	switch a {
	case actAugmentNetwork:
		g.strengthen(p, w, "R7.5", g.first(p, network, b.hex), 1)
	case actNewNetwork:
		g.add(p, w, "R7.5", network, b.seat, b.hex)
	case actNewMM:
		g.add(p, w, "R7.5", minuteman, b.seat, b.hex)
	case actAugmentMM:
		g.augmentMinuteman(p, w, b.seat, b.hex)
	case actNewMilitia:
		p.draw = draw{groups: g.militiaGroups(p, b.seat, b.hex), hex: b.hex, ask: askMilitia}
	case actNewAgent:
		g.add(p, w, "R16.2", agent, p.gov, b.hex)
	case actAugmentAgent:
		for u := p.head[b.hex]; u != noUnit; u = p.units[u].next {
			if g.kind[u] == agent && p.units[u].step == 0 {
				g.strengthen(p, w, "R16.2", u, 1)
				break
			}
		}
	case actNewDivision:
		p.draw = draw{groups: g.divisionGroups(p), hex: b.hex, ask: askDivision}
	}
	if b.free && g.sc.RemoveRiot {
		p.build.stage = buildRemove
		return
	}
	g.endAttempt(p, w)
}

// augmentMinuteman turns a weak Minuteman of the hex, one above ground first
// (R7.5).
func (g *game) augmentMinuteman(p *position, w *flow.Witness, seat SeatID, h HexID) {
	pick := UnitID(noUnit)
	for u := p.head[h]; u != noUnit; u = p.units[u].next {
		if g.kind[u] == minuteman && p.units[u].step == 0 && g.owner(p, u) == seat &&
			(pick == noUnit || p.units[pick].marks&underground != 0 && p.units[u].marks&underground == 0) {
			pick = u
		}
	}
	if pick != noUnit {
		g.strengthen(p, w, "R7.5", pick, 1)
	}
}
