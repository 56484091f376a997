package bloc

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
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
func (b Board) writeAim(w *strings.Builder) {
	aim := aims[b.scenario.Success.Op]
	if b.scenario.Success.Op == liberatedCount {
		aim = fmt.Sprintf(aim, b.scenario.Success.N)
	}
	fmt.Fprintf(w, "The insurrection succeeds if at the end of a night %s%s.", aim, map[bool]string{true: " (so now)", false: ""}[b.Succeeds()])
	if b.scenario.Gate != nil {
		names := []string{}
		for _, z := range b.scenario.zones {
			names = append(names, b.box.tiles[z].Name)
		}
		fmt.Fprintf(w, " Nobody wins while police are in %s%s.", strings.Join(names, " or "), map[bool]string{true: "", false: " (so now)"}[b.GateOpen()])
	}
	w.WriteString(" All lose if a faction has no bloc in the city at the end of a night.\n")
}

// holdsNow marks an option of an agenda that is met.
func (b Board) holdsNow(f FactionID, option int) string {
	if b.Meets(f, option) {
		return " (met now)"
	}
	return ""
}

// toldCards lists the cards of a hand that others are certain of.
func (b Board) toldCards(f FactionID) string {
	var parts []string
	for v := range b.players {
		if n := b.Known[v][f]; n != [LootCards]uint8{} {
			parts = append(parts, fmt.Sprintf("seat %d %s", v, b.cardNames(&n, sum(n[:]))))
		}
	}
	return strings.Join(parts, "; ")
}

// writeUnderWay writes what is being carried out (R16.1).
func (b Board) writeUnderWay(w *strings.Builder) {
	n, m := &b.Now, b.Pending()
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case n.Program != NoProgram && n.Program < firstAbility:
		say("card %s", b.box.loot[n.Program].Name)
	case b.manifesting():
		say("manifestation %s", b.box.manifest[n.Program-firstManifest].Name)
	case n.Verb != NoVerb:
		say("%s", verbTexts[n.Verb])
	}
	if n.Cell != NoCell && b.Tile[n.Cell] != noTile {
		say("in %s%s", b.describeCell(n.Cell), b.flagsText(n.Cell))
	}
	if m.From != NoCell {
		say("from %s", b.describeCell(m.From))
	}
	if n.Occ != NoOcc && b.Now.Who != NoFaction {
		say("to build %s", b.occupationName(b.Now.Who, n.Occ))
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
		say("liberated by the %s", strings.Join(factionList(factionSet(n.Liberating)), ", "))
	}
	if n.Chooser != NoFaction {
		say("the %s choose", n.Chooser)
	}
	for f, lost := range n.Lost {
		if lost > 0 {
			say("the %s have lost %s", FactionID(f), flow.Count(lost, "bloc"))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "Under way: %s.\n", strings.Join(parts, "; "))
	}
	if flags := b.sunriseText(); flags != "" {
		fmt.Fprintf(w, "This Sunrise: %s.\n", flags)
	}
}

// sunriseText lists the districts with flags of this Sunrise.
func (b Board) sunriseText() string {
	var parts []string
	for c := range CellID(Cells) {
		if text := b.flagsText(c); text != "" {
			parts = append(parts, b.box.tiles[b.Tile[c]].Name+text)
		}
	}
	return strings.Join(parts, "; ")
}

// flagsText writes the flags of this Sunrise of a district.
func (b Board) flagsText(c CellID) string {
	text := ""
	if b.Protected.Has(c) {
		text += ", occupation protected"
	}
	if n := b.Cancelled[c]; n > 0 {
		text += fmt.Sprintf(", %d attacks of cops void", n)
	}
	if n := b.Boost[c]; n > 0 {
		text += ", counts as " + flow.Count(n, "more bloc")
	}
	return text
}

// writeUnseen writes the cards that may still come, by kind (R16.1).
func (b Board) writeUnseen(w *strings.Builder) {
	list := func(counts []uint8, name func(i int) string) string {
		var parts []string
		for i, n := range counts {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, name(i)))
			}
		}
		return orNone(strings.Join(parts, ", "))
	}
	ops := func(i int) string { return b.box.opsName(OpsID(i)) }
	fmt.Fprintf(w, "Loot cards not seen: %s.\n", list(b.Deck[:], func(i int) string { return b.box.loot[i].Name }))
	fmt.Fprintf(w, "Police ops cards of unknown place: %s; discarded: %s.\n", list(b.Ops[:], ops), list(b.OpsDiscard[:], ops))
	fmt.Fprintf(w, "Manifestations not turned up: %s.\n", list(b.Manifest[:], func(i int) string { return b.box.manifest[i].Name }))
}

// writeMeanings writes what the cards that the player has or sees do, and the
// occupations (R16.2).
func (b Board) writeMeanings(w *strings.Builder, me engine.Player) {
	w.WriteString("\n")
	own := b.Drawn
	for f := range FactionID(Factions) {
		if b.inPlay(f) && b.owner(f) == me {
			for t, n := range b.Hand[f] {
				own[t] += n
			}
		}
	}
	for t, n := range own {
		if n > 0 {
			fmt.Fprintf(w, "%s: %s\n", b.box.loot[t].Name, b.box.loot[t].Text)
		}
	}
	if b.manifesting() {
		m := &b.box.manifest[b.Now.Program-firstManifest]
		fmt.Fprintf(w, "%s: %s\n", m.Name, m.Text)
	}
	seen := [OpsCards]bool{}
	for _, card := range b.Prefix[:b.PrefixSize] {
		if !seen[card] {
			seen[card] = true
			fmt.Fprintf(w, "%s: %s\n", b.box.opsName(card), b.box.ops[card].Text)
		}
	}
	told := map[string]bool{}
	for seat := range b.factions {
		if f := b.Seats[seat]; f != NoFaction {
			for k := range b.box.factions[f].occs {
				if o := &b.box.factions[f].occs[k]; !told[o.Key] {
					told[o.Key] = true
					fmt.Fprintf(w, "%s: %s\n", o.Name, o.Text)
				}
			}
		}
	}
}
