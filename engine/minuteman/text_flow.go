package minuteman

import (
	"fmt"
	"strings"
)

// What text tells beside the map: affairs of the whole game, the players of a game of
// several, and what is under way.

// writeAffairs tells what is due, and what the options and scenarios add.
func (s *View) writeAffairs(b *strings.Builder) {
	g, p := s.G, &s.P
	for seat, n := range p.due[:g.seats] {
		if n > 0 {
			fmt.Fprintf(b, "Player %d is due %d units. ", seat, n)
		}
	}
	if p.airRail > 0 {
		fmt.Fprintf(b, "Air/Rail points left: %g. ", float32(p.airRail)/2)
	}
	if p.assaults > 0 {
		fmt.Fprintf(b, "Assaults made in this turn: %s. ", [...]string{"", "air", "amphibious", "air and amphibious"}[p.assaults])
	}
	if p.foreignStage != foreignNone {
		fmt.Fprintf(b, "Foreign intervention: called by player %d, %s, Movement Phases left %d, Divisions to place %d, place %d. ",
			p.foreignSeat, strings.ReplaceAll(foreignStageNames[p.foreignStage], "_", " "), p.foreignLeft, p.foreignCount, p.foreignPlace)
	}
	for c, name := range [...]string{canada: "Canada", mexico: "Mexico"} {
		if p.sides[c] != 0 {
			fmt.Fprintf(b, "The Brigades of %s are the Rebel's. ", name)
		}
		if p.built[c] {
			fmt.Fprintf(b, "A Minuteman has built in %s. ", name)
		}
	}
	if g.partisan {
		_, held, cut := s.Standing()
		fmt.Fprintf(b, "Divisions committed: %d. Cities that the Rebel occupies:%s; cut:%s. ", p.commit, s.citiesText(held), s.citiesText(cut))
	}
	if p.phase == phaseA2 && !p.riotsToDo.empty() {
		fmt.Fprintf(b, "Riots still to come:")
		for c := p.riotsToDo.next(0); c != noCity; c = p.riotsToDo.next(c + 1) {
			fmt.Fprintf(b, " %s", g.hexes[g.cityHex[c]].id)
		}
		b.WriteString(". ")
	}
	s.writeQueue(b)
	fmt.Fprintf(b, "Reaction columns: %d by Riots, %d by builds.\n", g.reactionColumn(p, false)+1, g.reactionColumn(p, true)+1)
}

// citiesText names some of the cities that decide the Partisan scenario.
func (s *View) citiesText(set uint8) string {
	if set == 0 {
		return " none"
	}
	var b strings.Builder
	for i, h := range s.G.board.partisan {
		if set>>i&1 != 0 {
			b.WriteString(" " + s.G.hexes[h].id)
		}
	}
	return b.String()
}

// writeQueue tells which Army counters the set-up has still to place, by type (R22.1).
func (s *View) writeQueue(b *strings.Builder) {
	p := &s.P
	if p.queued == 0 {
		return
	}
	var n [numGroups]int
	for i := range p.queue[:p.queued] {
		n[s.G.queuedGroup(p, i)]++
	}
	b.WriteString("Still to be placed:")
	for gr, k := range n {
		if k > 0 {
			fmt.Fprintf(b, " %d %s", k, groupNames[gr])
		}
	}
	if b.WriteString(". "); p.Ask == askArmy {
		fmt.Fprintf(b, "Placing now: %s. ", groupNames[s.G.queuedGroup(p, 0)])
	}
}

// writePlayers tells of a game of several players who moves when, who serves whom, and
// what was said in the last negotiation (R28).
func (s *View) writePlayers(b *strings.Builder) {
	g, p := s.G, &s.P
	if g.seats == 2 {
		return
	}
	if p.order[0] != noSeat {
		b.WriteString("Order of movement:")
		for _, seat := range p.order {
			if seat != noSeat {
				fmt.Fprintf(b, " %d", seat)
			}
		}
		b.WriteString(". ")
	}
	if p.gone != 0 {
		fmt.Fprintf(b, "Eliminated: %v. ", seatsOf(p.gone))
	}
	if p.fed != noSeat {
		fmt.Fprintf(b, "Player %d is federalized since turn %d. ", p.fed, p.fedTurn)
	}
	if p.pact != noSeat {
		fmt.Fprintf(b, "Player %d has a pact of federalization. ", p.pact)
	}
	for a := range SeatID(maxSeats) {
		for o := a + 1; o < maxSeats; o++ {
			if p.truces>>pairOf(a, o)&1 != 0 {
				fmt.Fprintf(b, "Truce of players %d and %d. ", a, o)
			}
		}
		if p.named[a] != noSeat {
			fmt.Fprintf(b, "Player %d names player %d as TARGET. ", a, p.named[a])
		}
	}
	switch {
	case p.rising.stage == risingAsk:
		fmt.Fprintf(b, "Player %d declares the Revolution and asks for consent. ", p.rising.seat)
	case p.propose.sent:
		fmt.Fprintf(b, "Player %d proposes %s to player %d. ", p.seat, proposalTexts[p.propose.kind-actTruce], p.propose.to)
	case p.propose.kind != 0:
		fmt.Fprintf(b, "Player %d proposes %s. ", p.seat, proposalTexts[p.propose.kind-actTruce])
	}
	b.WriteByte('\n')
}

var proposalTexts = [...]string{"a truce", "a TARGET", "a joint Revolution", "federalization"}

// writeChain tells what is under way.
func (s *View) writeChain(b *strings.Builder) {
	g, p := s.G, &s.P
	s.writeAttack(b)
	if m := &p.move; m.stage != moveNone {
		fmt.Fprintf(b, "Moving: %s in %s", g.name[m.unit], g.hexes[p.units[m.unit].hex].id)
		if m.dest != noHex {
			fmt.Fprintf(b, " to %s, price %d, Passage shown %d", g.hexes[m.dest].id, m.price, m.shown)
		}
		b.WriteString(".\n")
	}
	if p.build.stage != buildNone {
		v := s.Chain()
		fmt.Fprintf(b, "Building in %s: player %d", g.hexes[p.build.hex].id, p.build.seat)
		if !p.build.free {
			fmt.Fprintf(b, ", %d points, column %d, helpers %d, Organizers %d", v.Points, v.BuildColumn, v.Helpers, v.Organizers)
		}
		b.WriteString(".\n")
	}
	if k := &p.kill; k.stage != killNone {
		fmt.Fprintf(b, "Assassination by player %d", k.seat)
		if k.hex != noHex {
			fmt.Fprintf(b, " in %s", g.hexes[k.hex].id)
		}
		if k.stage > killClass {
			fmt.Fprintf(b, " of %s, markers %d", g.actions[actClass+int(k.class)], k.n)
		}
		b.WriteString(".\n")
	}
}

// writeAttack tells of the attack under way: its units, and the totals as they count
// for what is known of them.
func (s *View) writeAttack(b *strings.Builder) {
	g, p := s.G, &s.P
	c := &p.combat
	if c.stage == combatNone || c.target == noHex {
		return
	}
	fmt.Fprintf(b, "Attack: %s on %s by player %d", attackNames[c.kind], g.hexes[c.target].id, c.seat)
	if c.victim != noSeat && c.stage > combatVictim {
		fmt.Fprintf(b, " against player %d", c.victim)
	}
	s.writeUnits(b, "; attackers", &c.attackers)
	s.writeUnits(b, "; defenders", &c.defenders)
	if v := s.Chain(); v.Column >= 0 {
		fmt.Fprintf(b, "; attack %.3g", v.AttackSum)
		if c.kind <= infiltration {
			fmt.Fprintf(b, " and defence %.3g known, defence %.3g with means", v.Known, v.Defence)
		}
		fmt.Fprintf(b, ", column %d, die %+d", v.Column+1, v.Modifier)
		for _, x := range []struct {
			on   bool
			name string
		}{{v.Doubled, "the Informer doubles"}, {v.Ruthless, "ruthless"}, {v.Betrayed, "Betrayal succeeded"}, {v.Tried && !v.Betrayed, "Betrayal is tried"}} {
			if x.on {
				b.WriteString(", " + x.name)
			}
		}
	}
	s.writeUnits(b, "; still to retreat", &c.pending)
	if c.retreater != noUnit {
		fmt.Fprintf(b, "; %s retreats", g.name[c.retreater])
	}
	if c.zone != noHex {
		fmt.Fprintf(b, " into the Zone in %s, Passage shown %d", g.hexes[c.zone].id, c.passages)
	}
	if c.stage == combatHalf {
		fmt.Fprintf(b, "; still to lose %d", c.left)
	}
	b.WriteString(".\n")
}

// writeUnits names the units of a set.
func (s *View) writeUnits(b *strings.Builder, what string, set *unitSet) {
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if s.P.units[u].hex == noHex {
			continue
		}
		fmt.Fprintf(b, "%s %s", what, s.G.name[u])
		what = ","
	}
}
