package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine/flow"
)

// What text tells beside the map: affairs of the whole game, the players of a game of
// several, and what is under way.

// writeAffairs tells what is due, and what the options and scenarios add.
func (s *View) writeAffairs(b *strings.Builder) {
	g, p := s.G, &s.P
	for seat, n := range p.Due[:g.Seats] {
		if n > 0 {
			fmt.Fprintf(b, "Player %d is due %s. ", seat, flow.Count(n, "unit"))
		}
	}
	if p.AirRail > 0 {
		fmt.Fprintf(b, "Air/Rail points left: %g. ", float32(p.AirRail)/2)
	}
	if p.Assaults > 0 {
		fmt.Fprintf(b, "Assaults made in this turn: %s. ", [...]string{"", "air", "amphibious", "air and amphibious"}[p.Assaults])
	}
	if p.Foreign.Stage != foreignNone {
		fmt.Fprintf(b, "Foreign intervention: called by player %d, %s, Movement Phases left %d, Divisions to place %d, place %d. ",
			p.Foreign.Seat, strings.ReplaceAll(foreignStageNames[p.Foreign.Stage], "_", " "), p.Foreign.Left, p.Foreign.Count, p.Foreign.Place)
	}
	for c, name := range [...]string{canada: "Canada", mexico: "Mexico"} {
		if p.Sides[c] != 0 {
			fmt.Fprintf(b, "The Brigades of %s are the Rebel's. ", name)
		}
		if p.Built[c] {
			fmt.Fprintf(b, "A Minuteman has built in %s. ", name)
		}
	}
	if g.Scenario == Partisan {
		_, held, cut := s.Standing()
		fmt.Fprintf(b, "Divisions committed: %d. Cities that the Rebel occupies:%s; cut:%s. ", p.Commit, s.citiesText(held), s.citiesText(cut))
	}
	if p.Phase == phaseA2 && !p.RiotsToDo.empty() {
		fmt.Fprintf(b, "Riots still to come:")
		for c := p.RiotsToDo.next(0); c != noCity; c = p.RiotsToDo.next(c + 1) {
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
	if p.Queued == 0 {
		return
	}
	var n [numGroups]int
	for i := range p.Queue[:p.Queued] {
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
	if g.Seats == 2 {
		return
	}
	if p.Order[0] != noSeat {
		b.WriteString("Order of movement:")
		for _, seat := range p.Order {
			if seat != noSeat {
				fmt.Fprintf(b, " %d", seat)
			}
		}
		b.WriteString(". ")
	}
	if p.Gone != 0 {
		fmt.Fprintf(b, "Eliminated: %v. ", seatsOf(p.Gone))
	}
	if p.Fed != noSeat {
		fmt.Fprintf(b, "Player %d is federalized since turn %d. ", p.Fed, p.FedTurn)
	}
	if p.Pact != noSeat {
		fmt.Fprintf(b, "Player %d has a pact of federalization. ", p.Pact)
	}
	for a := range SeatID(maxSeats) {
		for o := a + 1; o < maxSeats; o++ {
			if p.Truces.Has(a, o) {
				fmt.Fprintf(b, "Truce of players %d and %d. ", a, o)
			}
		}
		if p.Named[a] != noSeat {
			fmt.Fprintf(b, "Player %d names player %d as TARGET. ", a, p.Named[a])
		}
	}
	switch {
	case p.Rising.Stage == risingAsk:
		fmt.Fprintf(b, "Player %d declares the Revolution and asks for consent. ", p.Rising.Seat)
	case p.Propose.Sent:
		fmt.Fprintf(b, "Player %d proposes %s to player %d. ", p.Seat, proposalTexts[p.Propose.Kind-actTruce], p.Propose.To)
	case p.Propose.Kind != 0:
		fmt.Fprintf(b, "Player %d proposes %s. ", p.Seat, proposalTexts[p.Propose.Kind-actTruce])
	}
	b.WriteByte('\n')
}

var proposalTexts = [...]string{"a truce", "a TARGET", "a joint Revolution", "federalization"}

// writeChain tells what is under way.
func (s *View) writeChain(b *strings.Builder) {
	g, p := s.G, &s.P
	s.writeAttack(b)
	if m := &p.Move; m.Stage != moveNone {
		fmt.Fprintf(b, "Moving: %s in %s", g.name[m.Unit], g.hexes[p.Units[m.Unit].Hex].id)
		if m.Dest != noHex {
			fmt.Fprintf(b, " to %s, price %d, Passage shown %d", g.hexes[m.Dest].id, m.Price, m.Shown)
		}
		b.WriteString(".\n")
	}
	if p.Build.Stage != buildNone {
		v := s.Chain()
		fmt.Fprintf(b, "Building in %s: player %d", g.hexes[p.Build.Hex].id, p.Build.Seat)
		if !p.Build.Free {
			fmt.Fprintf(b, ", %d points, column %d, helpers %d, Organizers %d", v.Points, v.BuildColumn, v.Helpers, v.Organizers)
		}
		b.WriteString(".\n")
	}
	if k := &p.Kill; k.Stage != killNone {
		fmt.Fprintf(b, "Assassination by player %d", k.Seat)
		if k.Hex != noHex {
			fmt.Fprintf(b, " in %s", g.hexes[k.Hex].id)
		}
		if k.Stage > killClass {
			fmt.Fprintf(b, " of %s, markers %d", g.actions[actClass+int(k.Class)], k.N)
		}
		b.WriteString(".\n")
	}
}

// writeAttack tells of the attack under way: its units, and the totals as they count
// for what is known of them.
func (s *View) writeAttack(b *strings.Builder) {
	g, p := s.G, &s.P
	c := &p.Combat
	if c.Stage == combatNone || c.Target == noHex {
		return
	}
	fmt.Fprintf(b, "Attack: %s on %s by player %d", attackNames[c.Kind], g.hexes[c.Target].id, c.Seat)
	if c.Victim != noSeat && c.Stage > combatVictim {
		fmt.Fprintf(b, " against player %d", c.Victim)
	}
	s.writeUnits(b, "; attackers", &c.Attackers)
	s.writeUnits(b, "; defenders", &c.Defenders)
	if v := s.Chain(); v.Column >= 0 {
		fmt.Fprintf(b, "; attack %.3g", v.AttackSum)
		if c.Kind <= infiltration {
			fmt.Fprintf(b, " and defence %.3g known, defence %.3g with means", v.Known, v.Defence)
		}
		fmt.Fprintf(b, ", column %d, die %+d", v.Column+1, v.Modifier)
		for _, x := range []struct {
			on   bool
			name string
		}{{v.Doubled, "the Informer doubles"}, {v.Ruthless, "ruthless"}, {v.Betrayed, "Betrayal succeeded"}, {v.Tried && !v.Betrayed,
			"Betrayal is tried"}} {
			if x.on {
				b.WriteString(", " + x.name)
			}
		}
	}
	s.writeUnits(b, "; still to retreat", &c.Pending)
	if c.Retreater != noUnit {
		fmt.Fprintf(b, "; %s retreats", g.name[c.Retreater])
	}
	if c.Zone != noHex {
		fmt.Fprintf(b, " into the Zone in %s, Passage shown %d", g.hexes[c.Zone].id, c.Passages)
	}
	if c.Stage == combatHalf {
		fmt.Fprintf(b, "; still to lose %d", c.Left)
	}
	b.WriteString(".\n")
}

// writeUnits names the units of a set.
func (s *View) writeUnits(b *strings.Builder, what string, set *unitSet) {
	for u := set.next(0); u != noUnit; u = set.next(u + 1) {
		if s.P.Units[u].Hex == noHex {
			continue
		}
		fmt.Fprintf(b, "%s %s", what, s.G.name[u])
		what = ","
	}
}
