package bloc

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// aims say what each success condition wants (R10.2, R16.2).
var aims = [...]string{
	stateOccupied:       "every State district holds an occupation",
	stateLiberated:      "every State district is liberated and holds an occupation",
	entrancesBarricaded: "every entrance of every highway connection has a barricade",
	policeGone:          "all riot vans are destroyed and no riot cop is in the city",
	commercialBurned:    "every shopping centre of every Commercial district is burned",
	ownOccupied:         "each faction has an occupation in each of its own districts",
	stateOrOwn:          "each faction has an occupation in a State district, or in each of its own districts",
	liberatedCount:      "%d districts are liberated, Autonomous Zones not counted",
	aroundZones:         "every district next to an Autonomous Zone that can be is liberated, and no police are in either zone",
}

// writeAim writes what the scenario wants (R16.2).
func (s *View) writeAim(w *strings.Builder) {
	g := s.G
	aim := aims[g.scenario.Success.Op]
	if g.scenario.Success.Op == liberatedCount {
		aim = fmt.Sprintf(aim, g.scenario.Success.N)
	}
	fmt.Fprintf(w, "The insurrection succeeds if at the end of a night %s%s.", aim, map[bool]string{true: " (so now)", false: ""}[s.Succeeds()])
	if g.scenario.Gate != nil {
		names := []string{}
		for _, z := range g.scenario.zones {
			names = append(names, g.box.tiles[z].Name)
		}
		fmt.Fprintf(w, " Nobody wins while police are in %s%s.", strings.Join(names, " or "), map[bool]string{true: "", false: " (so now)"}[s.GateOpen()])
	}
	w.WriteString(" All lose if a faction has no bloc in the city at the end of a night.\n")
}

// holdsNow marks an option of an agenda that is met.
func (s *View) holdsNow(f FactionID, option int) string {
	if s.Meets(f, option) {
		return " (met now)"
	}
	return ""
}

// toldCards lists the cards of a hand that others are certain of.
func (s *View) toldCards(f FactionID) string {
	var parts []string
	for v := range s.G.players {
		if n := s.P.Known[v][f]; n != [LootCards]uint8{} {
			parts = append(parts, fmt.Sprintf("seat %d %s", v, s.G.cardNames(&n, sum(n[:]))))
		}
	}
	return strings.Join(parts, "; ")
}

// writeUnderWay writes what is being carried out (R16.1).
func (s *View) writeUnderWay(w *strings.Builder) {
	g, p, n, m := s.G, &s.P, &s.P.Now, s.Pending()
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case n.Program != NoProgram && n.Program < firstAbility:
		say("card %s", g.box.loot[n.Program].Name)
	case p.manifesting():
		say("manifestation %s", g.box.manifest[n.Program-firstManifest].Name)
	case n.Verb != NoVerb:
		say("%s", verbTexts[n.Verb])
	}
	if n.Cell != NoCell && p.Tile[n.Cell] != noTile {
		say("in %s%s", g.describeCell(p, n.Cell), s.flagsText(n.Cell))
	}
	if m.From != NoCell {
		say("from %s", g.describeCell(p, m.From))
	}
	if n.Occ != NoOcc && p.Now.Who != NoFaction {
		say("to build %s", g.occupationName(p.Now.Who, n.Occ))
	}
	for _, x := range []struct {
		n    uint8
		what string
	}{{m.Count, "%d move"}, {m.Left, "%d still to come"}, {n.Bonus, "bonus %d"}, {n.Roll, "reaction roll %d"}} {
		if x.n > 0 {
			say(x.what, x.n)
		}
	}
	if n.Basic {
		say("as a basic action")
	}
	if n.Partner != NoFaction {
		say("with the %s", n.Partner)
	}
	if n.Liberating != 0 {
		say("liberated by the %s", strings.Join(g.factionList(n.Liberating), ", "))
	}
	if n.Chooser != NoFaction {
		say("the %s choose", n.Chooser)
	}
	for f, lost := range n.Lost {
		if lost > 0 {
			say("the %s have lost %d blocs", FactionID(f), lost)
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "Under way: %s.\n", strings.Join(parts, "; "))
	}
	if flags := s.sunriseText(); flags != "" {
		fmt.Fprintf(w, "This Sunrise: %s.\n", flags)
	}
}

// sunriseText lists the districts with flags of this Sunrise.
func (s *View) sunriseText() string {
	var parts []string
	for c := range CellID(Cells) {
		if text := s.flagsText(c); text != "" {
			parts = append(parts, s.G.box.tiles[s.P.Tile[c]].Name+text)
		}
	}
	return strings.Join(parts, "; ")
}

// flagsText writes the flags of this Sunrise of a district.
func (s *View) flagsText(c CellID) string {
	p, text := &s.P, ""
	if p.Protected.Has(c) {
		text += ", occupation protected"
	}
	if n := p.Cancelled[c]; n > 0 {
		text += fmt.Sprintf(", %d attacks of cops void", n)
	}
	if n := p.Boost[c]; n > 0 {
		text += fmt.Sprintf(", counts as %d blocs more", n)
	}
	return text
}

// writeUnseen writes the cards that may still come, by kind (R16.1).
func (s *View) writeUnseen(w *strings.Builder) {
	g, p := s.G, &s.P
	list := func(counts []uint8, name func(i int) string) string {
		var parts []string
		for i, n := range counts {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, name(i)))
			}
		}
		return orNone(strings.Join(parts, ", "))
	}
	ops := func(i int) string { return g.box.opsName(OpsID(i)) }
	fmt.Fprintf(w, "Loot cards not seen: %s.\n", list(p.Deck[:], func(i int) string { return g.box.loot[i].Name }))
	fmt.Fprintf(w, "Police ops cards of unknown place: %s; discarded: %s.\n", list(p.Ops[:], ops), list(p.OpsDiscard[:], ops))
	fmt.Fprintf(w, "Manifestations not turned up: %s.\n", list(p.Manifest[:], func(i int) string { return g.box.manifest[i].Name }))
}

// writeMeanings writes what the cards that the player has or sees do, and the
// occupations (R16.2).
func (s *View) writeMeanings(w *strings.Builder, me engine.Player) {
	g, p := s.G, &s.P
	w.WriteString("\n")
	own := p.Drawn
	for f := range FactionID(Factions) {
		if g.inPlay(p, f) && g.owner(p, f) == me {
			for t, n := range p.Hand[f] {
				own[t] += n
			}
		}
	}
	for t, n := range own {
		if n > 0 {
			fmt.Fprintf(w, "%s: %s\n", g.box.loot[t].Name, g.box.loot[t].Text)
		}
	}
	if p.manifesting() {
		m := &g.box.manifest[p.Now.Program-firstManifest]
		fmt.Fprintf(w, "%s: %s\n", m.Name, m.Text)
	}
	seen := [OpsCards]bool{}
	for _, card := range p.Prefix[:p.PrefixSize] {
		if !seen[card] {
			seen[card] = true
			fmt.Fprintf(w, "%s: %s\n", g.box.opsName(card), g.box.ops[card].Text)
		}
	}
	told := map[string]bool{}
	for seat := range g.factions {
		if f := p.Seats[seat]; f != NoFaction {
			for k := range g.box.factions[f].occs {
				if o := &g.box.factions[f].occs[k]; !told[o.Key] {
					told[o.Key] = true
					fmt.Fprintf(w, "%s: %s\n", o.Name, o.Text)
				}
			}
		}
	}
}
