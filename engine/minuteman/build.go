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

// rebelBuildStep is how far phase A2 has come.
type rebelBuildStep uint8

const (
	stepRiots rebelBuildStep = iota
	stepExtra
	stepArrival
	stepAttempts
)

// rebelBuildPhase implements R7 and R7.2 (phase A2): the Riot step, extra Riots, Militia
// of the neighbour countries, and then the attempts of each Rebel.
// Ruling 38: Riot hexes in ascending order.
func (g *game) rebelBuildPhase(p *Position, w *flow.Witness) bool {
	switch p.Builds.Step {
	case stepRiots:
		c := p.RiotsToDo.next(0)
		if c == noCity {
			p.Builds.Step, p.LastHex = stepExtra, 0
			return false
		}
		p.RiotsToDo.del(c)
		return g.riotStep(p, w, g.cityHex[c])
	case stepExtra:
		limit := g.sc.ExtraRiots + g.sc.BesideRiots
		if p.Builds.Extra < limit && p.Seat != noSeat {
			if set := g.extraRiots(p); !set.empty() {
				return p.decide(askExtraRiot, p.Seat)
			}
		}
		p.Builds = RebelBuilds{Step: stepArrival}
	case stepArrival:
		return g.arrival(p)
	default:
		if g.skipOut(p); p.RevTurn > 0 || p.Seat == noSeat {
			return g.enter(p, w, phaseA3)
		}
		return p.decide(askBuild, p.Seat)
	}
	return false
}

// newNetwork places a weak Network if a counter is left and it fits; a Riot in the
// hex stays (Ruling 34).
func (g *game) newNetwork(p *Position, w *flow.Witness, rule string, seat SeatID, h HexID) bool {
	return g.roomFor(p, network, false, h) > 0 && g.add(p, w, rule, network, seat, h) != noUnit
}

func (g *game) advanceBuild(p *Position, w *flow.Witness) bool {
	b := &p.Build
	switch b.Stage {
	case buildSpreadDie:
		return p.chance(askSpreadDie)
	case buildSpread:
		return p.decide(askSpread, b.Seat)
	case buildCompose:
		return p.decide(askCompose, b.Seat)
	case buildReact:
		if seat := g.reactor(p, b.Seat, noSeat, b.React); seat != noSeat {
			return p.decide(askReaction, seat)
		}
		b.Points = uint8(g.buildPoints(p))
		if b.Points == 0 { // the builder alone was there and is gone
			g.endAttempt(p, w)
			return false
		}
		b.Stage = buildDie
	case buildDie:
		return p.chance(askBuildDie)
	case buildResult:
		q := askResult
		if b.Seat == p.Gov {
			q = askGovResult
		}
		return p.decide(q, b.Seat)
	case buildRemove:
		return p.decide(askRemoveRiot, b.Seat)
	}
	return false
}

// buildPoints implements R7.4 and R16.2: the builder, its helpers that are still
// there, and the organizers.
func (g *game) buildPoints(p *Position) int {
	b := &p.Build
	n := int(b.Markers)
	if b.Builder != noUnit && p.Units[b.Builder].Hex == b.Hex {
		n += g.buildOf(p, b.Builder)
	}
	for u := b.Helpers.next(0); u != noUnit; u = b.Helpers.next(u + 1) {
		if p.Units[u].Hex == b.Hex {
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
func (g *game) helperSet(p *Position) unitSet {
	var set unitSet
	b := &p.Build
	if b.Builder == noUnit || g.kind[b.Builder] == minuteman { // R29.6: alone
		return set
	}
	want := minuteman
	if b.Seat == p.Gov {
		want = agent
	}
	for u := p.Head[b.Hex]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == want && p.Units[u].Marks&(acted|underground) == 0 && g.owner(p, u) == b.Seat && !b.Helpers.has(u) {
			set.add(u)
		}
	}
	return set
}

// offerCompose implements R7.4 and R16.2 (D17): helpers in the order of the
// tokens.
func (g *game) offerCompose(p *Position) {
	set := g.helperSet(p)
	for a := max(actAddMMWeak, int(p.Build.Last)); a <= actAddAgentStrong; a++ {
		p.allowIf(g.find(p, &set, p.Build.Hex, helperClass(a)) != noUnit, a)
	}
	p.allowIf(p.Hand[p.Build.Seat][organizer] > p.Build.Markers, actAddOrganizer)
	p.allow(actRoll)
}

func (g *game) chooseCompose(p *Position, _ *flow.Witness, a engine.Action) {
	b := &p.Build
	b.Last = uint8(a)
	switch a {
	case actRoll:
		b.Stage, b.React = buildReact, 0
	case actAddOrganizer:
		b.Markers++
	default:
		set := g.helperSet(p)
		u := g.find(p, &set, b.Hex, helperClass(int(a)))
		p.Units[u].Marks |= acted
		b.Helpers.add(u)
	}
}

// endAttempt forgets the build under way.
func (g *game) endAttempt(p *Position, w *flow.Witness) {
	g.giveBack(p, w, p.Build.Seat, organizer, p.Build.Markers)
	p.Build = Attempt{}
}

// buildRoll implements R7.4 and C6.
func (g *game) buildRoll(p *Position, w *flow.Witness, die int) {
	b := &p.Build
	h, rebel, rule := b.Hex, b.Seat != p.Gov, "R16.2"
	if rebel {
		rule = "R7.4"
	}
	counts := max(0, die+g.buildModifier(p, rebel, h))
	r := g.buildResult(int(b.Points), rebel, h, counts)
	if b.Die = uint8(counts); w != nil {
		w.All("build", rule, seatArg(b.Seat), g.hexArg(h), number("points", b.Points), flow.Arg("column", g.buildColumn(int(b.Points), rebel)),
			flow.Arg("die", die), flow.Arg("counts", counts), flow.Arg("result", resultNames[r]))
	}
	switch r {
	case rUnrest:
		g.addUnrest(p, w, rule, h)
	case rRiot:
		g.addRiot(p, w, rule, h)
	case rBuild:
		g.giveBack(p, w, b.Seat, organizer, b.Markers)
		b.Markers = 0
		b.Stage = buildResult
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
func (g *game) buildModifier(p *Position, rebel bool, h HexID) int {
	if in := g.look(p, h); rebel && in.count[agent]+in.count[cig] > 0 {
		return -1
	}
	return 0
}

// buildResult returns what an attempt in a hex comes to with a die as it counts.
func (g *game) buildResult(points int, rebel bool, h HexID, die int) result {
	r := g.Build.Cells[die][max(1, g.buildColumn(points, rebel))-1]
	switch {
	case !rebel && g.sc.QuietBuilds && r != rBuild:
		return noResult
	case r == rUnrest && rebel && (g.sc.UnrestIsRiot || g.hexes[h].country != us):
		return rRiot // R25.4, R26.3, R29.6
	}
	return r
}

// optionSet is a set of D12 and D63 tokens other than OPT_DECLINE, bit 0 for
// OPT_AUGMENT_NETWORK.
type optionSet uint16

func (s *optionSet) addIf(ok bool, a int) { *s |= optionSet(b2u(ok)) << (a - actAugmentNetwork) }

// options returns what a result can be used for.
func (g *game) options(p *Position) optionSet {
	b := &p.Build
	if b.Seat == p.Gov {
		return g.governmentOptions(p)
	}
	var set optionSet
	abroad := b.Builder != noUnit && g.kind[b.Builder] == minuteman
	var weakMM bool
	for u := p.Head[b.Hex]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == minuteman && p.Units[u].Step == 0 && g.owner(p, u) == b.Seat {
			weakMM = true
		}
	}
	net := g.first(p, network, b.Hex)
	set.addIf(!abroad && net != noUnit && p.Units[net].Step == 0 && g.owner(p, net) == b.Seat, actAugmentNetwork)
	set.addIf(b.NewNet && net == noUnit && g.roomFor(p, network, false, b.Hex) > 0 && g.freeUnit(p, network, b.Seat) != noUnit, actNewNetwork)
	set.addIf(g.roomFor(p, minuteman, false, b.Hex) > 0 && g.freeUnit(p, minuteman, b.Seat) != noUnit, actNewMM)
	set.addIf(!abroad && weakMM, actAugmentMM)
	set.addIf(g.roomFor(p, militia, false, b.Hex) > 0 && g.militiaGroups(p, b.Seat, b.Hex) != 0, actNewMilitia)
	return set
}

// militiaGroups returns the groups with a counter left from which a seat draws a
// Militia in a hex: its colour, with one Rebel all three, and in Canada and Mexico
// the country's (R26.4, R29.6).
func (g *game) militiaGroups(p *Position, seat SeatID, h HexID) groupSet {
	var set groupSet
	for gr := militia1; gr <= mexicanMilitia; gr++ {
		ok := false
		switch g.hexes[h].country {
		case canada:
			ok = gr == canadianMilitia
		case mexico:
			ok = gr == mexicanMilitia
		default:
			ok = gr <= militia3 && (g.Seats == 2 || SeatID(gr)+1 == seat)
		}
		if ok && g.groupLeft(p, gr) {
			set |= 1 << gr
		}
	}
	return set
}

// governmentOptions implements R16.2 and R27.2 (D63).
func (g *game) governmentOptions(p *Position) optionSet {
	var set optionSet
	b := &p.Build
	weak := false
	for u := p.Head[b.Hex]; u != noUnit; u = p.Units[u].Next {
		weak = weak || g.kind[u] == agent && p.Units[u].Step == 0
	}
	set.addIf(g.roomFor(p, agent, false, b.Hex) > 0 && g.freeUnit(p, agent, p.Gov) != noUnit, actNewAgent)
	set.addIf(weak, actAugmentAgent)
	set.addIf(g.Scenario == CivilWar && g.hexes[b.Hex].pop == 1 && b.Points >= 6 && b.Die >= 5 &&
		g.roomFor(p, army, false, b.Hex) > 0 && g.divisionGroups(p) != 0, actNewDivision)
	return set
}

// divisionGroups returns the types of US Division with a counter left.
func (g *game) divisionGroups(p *Position) groupSet {
	var set groupSet
	for gr := armored; gr <= marine; gr++ {
		if g.groupLeft(p, gr) {
			set |= 1 << gr
		}
	}
	return set
}

func (g *game) offerResult(p *Position) {
	set := g.options(p)
	for a := actAugmentNetwork; a < actDecline; a++ {
		p.allowIf(set>>(a-actAugmentNetwork)&1 != 0, a)
	}
	p.allow(actDecline)
}

// chooseResult implements R7.5: the track moves for a rolled result unless nothing
// could have been built.
// Ruling 9: free builds do not move the track.
func (g *game) chooseResult(p *Position, w *flow.Witness, a engine.Action) {
	b := p.Build
	if !b.Free && b.Seat != p.Gov && g.options(p) != 0 {
		if p.Track++; w != nil {
			w.All("track", "R7.5", flow.Arg("track", int(p.Track)))
		}
		if c := g.hexes[b.Hex].country; c != us && g.Scenario != Occupation {
			p.Built[c] = true
		}
	}
	switch a {
	case actAugmentNetwork:
		g.strengthen(p, w, "R7.5", g.first(p, network, b.Hex), 1)
	case actNewNetwork:
		g.add(p, w, "R7.5", network, b.Seat, b.Hex)
	case actNewMM:
		g.add(p, w, "R7.5", minuteman, b.Seat, b.Hex)
	case actAugmentMM:
		g.augmentMinuteman(p, w, b.Seat, b.Hex)
	case actNewMilitia:
		p.Draw = Draw{Groups: g.militiaGroups(p, b.Seat, b.Hex), Hex: b.Hex, Ask: askMilitia}
	case actNewAgent:
		g.add(p, w, "R16.2", agent, p.Gov, b.Hex)
	case actAugmentAgent:
		for u := p.Head[b.Hex]; u != noUnit; u = p.Units[u].Next {
			if g.kind[u] == agent && p.Units[u].Step == 0 {
				g.strengthen(p, w, "R16.2", u, 1)
				break
			}
		}
	case actNewDivision:
		p.Draw = Draw{Groups: g.divisionGroups(p), Hex: b.Hex, Ask: askDivision}
	}
	if b.Free && g.sc.RemoveRiot {
		p.Build.Stage = buildRemove
		return
	}
	g.endAttempt(p, w)
}

// augmentMinuteman turns a weak Minuteman of the hex, one above ground first
// (R7.5).
func (g *game) augmentMinuteman(p *Position, w *flow.Witness, seat SeatID, h HexID) {
	pick := UnitID(noUnit)
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.kind[u] == minuteman && p.Units[u].Step == 0 && g.owner(p, u) == seat &&
			(pick == noUnit || p.Units[pick].Marks&underground != 0 && p.Units[u].Marks&underground == 0) {
			pick = u
		}
	}
	if pick != noUnit {
		g.strengthen(p, w, "R7.5", pick, 1)
	}
}
