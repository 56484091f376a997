package bloc

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// Size of a cell of the drawing, without the streets between cells.
const (
	cellWidth = 20
	cellLines = 5
)

// Text implements engine.Teller and R16.2: the table as player p sees it. The city is a grid of
// 25 cells. A street between two cells is drawn as = or | with the number of
// barricades on it; a highway as the two pairs of arms that it joins.
func (s *View) Text(p engine.Player) string {
	w := &strings.Builder{}
	s.writeHead(w)
	for _, line := range s.drawMap() {
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	s.writeHighways(w)
	s.writeFactions(w, p)
	s.writePolice(w)
	s.writeUnseen(w)
	s.writeMeanings(w, p)
	return w.String()
}

// writeHead writes the night and what is asked.
func (s *View) writeHead(w *strings.Builder) {
	g, p := s.G, &s.P
	fmt.Fprintf(w, "%s, %s, %d players. ", g.scenario.Name, strings.ReplaceAll(modeNames[g.mode], "_", "-"), g.players)
	switch {
	case p.Step == over:
		s.writeWinners(w)
		return
	case p.FirstSeat == noSeat:
		w.WriteString("Set-up.")
	default:
		fmt.Fprintf(w, "Night %d, %d left, order:", p.Night, p.NightsLeft)
		for i := range g.factions {
			fmt.Fprintf(w, " %s", g.order(p, i))
		}
		w.WriteString(".")
	}
	switch {
	case p.Actor >= 0:
		fmt.Fprintf(w, " %s (seat %d): %s.", capital(p.Asked.String()), p.Actor, stages[p.Ask].question)
	case p.Actor == engine.Nobody:
		w.WriteString(" The game goes on.")
	default:
		w.WriteString(" Chance decides.")
	}
	w.WriteString("\n")
	s.writeAim(w)
	s.writeUnderWay(w)
}

// capital writes a word with a capital.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// drawMap draws the grid.
func (s *View) drawMap() []string {
	var lines []string
	for row := range CellID(Side) {
		if row > 0 {
			between := ""
			for col := range CellID(Side) {
				between += center(s.street(Side*row+col, north, '|'), cellWidth) + "   "
			}
			lines = append(lines, between)
		}
		var cells [Side][cellLines]string
		for col := range CellID(Side) {
			cells[col] = s.cellText(Side*row + col)
		}
		for i := range cellLines {
			line := ""
			for col := range CellID(Side) {
				way := "   "
				if i == cellLines/2 {
					way = center(s.street(Side*row+col, east, '='), 3)
				}
				line += fmt.Sprintf("%-*s", cellWidth, cut(cells[col][i])) + way
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// street draws what lies between a cell and the next one in the direction of an arm:
// blank where the way is closed, else the sign, with the number of barricades for a
// street between two districts.
func (s *View) street(c CellID, arm Arm, sign byte) string {
	p, b := &s.P, s.G.box
	far := step(c, arm)
	if far == NoCell || p.Tile[c] == noTile || p.Tile[far] == noTile {
		return " "
	}
	here, there := b.tiles[p.Tile[c]].Type == TypeHighway, b.tiles[p.Tile[far]].Type == TypeHighway
	if !here && !b.open(p, c, arm) || !there && !b.open(p, far, arm^2) {
		return " "
	}
	if !here && !there && p.Districts != 0 {
		if n := p.barricadesAt(EndOf(c, arm)); n > 0 {
			return fmt.Sprintf("%c%d%c", sign, n, sign)
		}
	}
	return string(sign)
}

func center(text string, width int) string {
	left := (width - len(text)) / 2
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", width-left-len(text))
}

func cut(text string) string {
	if len(text) > cellWidth {
		return text[:cellWidth]
	}
	return text
}

// cellText writes the lines of one cell: number and name; type, police ID and
// difficulty; pieces of the police; blocs and centres; occupation.
func (s *View) cellText(c CellID) (lines [cellLines]string) {
	g, p := s.G, &s.P
	if p.Tile[c] == noTile {
		lines[0] = fmt.Sprintf("%2d ...", c)
		return lines
	}
	t := &g.box.tiles[p.Tile[c]]
	lines[0] = fmt.Sprintf("%2d %s", c, short(t.Name))
	if t.Type == TypeHighway {
		pair := "NE SW"
		switch {
		case t.Roads == straight:
			pair = "NS WE"
		case p.Rotation[c]&1 == 1:
			pair = "NW SE"
		}
		lines[1] = "   joins " + pair
		return lines
	}
	lines[1] = fmt.Sprintf("   %s #%d d%d", typeNames[t.Type], t.ID, g.difficulty(p, c))
	if t.Metro {
		lines[1] += " M"
	}
	if p.Liberated.Has(c) {
		lines[1] += " free"
	}
	if n := p.Centers; n[0][c]+n[1][c]+n[2][c] > 0 {
		lines[2] = fmt.Sprintf("   shops %d/%d/%d", n[0][c], n[1][c], n[2][c])
	}
	lines[3] = "  " + s.piecesText(c)
	if h := p.Holder[c]; h > 0 {
		f, k := h.Faction(), h.Kind()
		lines[4] = fmt.Sprintf("   [%c] %s", f.String()[0]-32, g.box.factions[f].occs[k].Name)
	}
	return lines
}

// piecesText writes blocs by faction and police.
func (s *View) piecesText(c CellID) string {
	p, text := &s.P, ""
	for f := range FactionID(Factions) {
		if n := p.Blocs[f][c]; n > 0 {
			text += fmt.Sprintf(" %c%d", typeNames[f][0]-32, n) + strings.Repeat("'", int(p.Attacked[f][c]))
		}
	}
	if n := p.Cops[c]; n > 0 {
		text += fmt.Sprintf(" cop%d", n)
	}
	if v := p.Van[c]; v > 0 {
		text += " VAN" + strings.Repeat("*", int(v-1))
	}
	return text
}

// short makes a tile's name fit its cell.
func short(name string) string {
	name = strings.TrimPrefix(name, "Autonomous Zone: ")
	name = strings.TrimPrefix(name, "The ")
	for _, x := range [][2]string{
		{"Commercial District", "Commercial"}, {"Residential Zone", "Zone"}, {"Shipping and Receiving Center", "Shipping"},
		{"Immigrant Detention", "Detention"}, {"Underfunded High", "High"}, {"Privatized University", "Privatized Univ."},
		{"International Airport", "Airport"}, {"Telecom Network Hub", "Telecom Hub"}, {"Community Defense HQ", "Defense HQ"},
		{"Smartphone Factory", "Smartphone Fact."},
	} {
		name = strings.Replace(name, x[0], x[1], 1)
	}
	return name
}

// writeHighways lists the connections over highways, which the grid shows in pieces.
func (s *View) writeHighways(w *strings.Builder) {
	p := &s.P
	if p.Highways > 0 {
		w.WriteString("Highways:")
		for e, far := range p.Links {
			if far == NoEnd || int(far) < e || p.Over[e/Arms]>>(e%Arms)&1 == 0 {
				continue
			}
			fmt.Fprintf(w, " %d%s-%d%s", e/Arms, armNames[e%Arms], far.Cell(), armNames[far.Arm()])
			if p.barricadesAt(End(e)) > 0 {
				fmt.Fprintf(w, " (barricades %d+%d)", p.Barricades[e], p.Barricades[far])
			}
			w.WriteString(";")
		}
		w.WriteString("\n")
	}
	w.WriteString("W workers, S students, N neighbors, P prisoners; shops: unlooted/graffitied/burned; d difficulty, # police ID, M metro, ' blocs that have attacked, * hits on a van.\n\n")
}

// writeFactions writes the mats and hands.
func (s *View) writeFactions(w *strings.Builder, me engine.Player) {
	g, p := s.G, &s.P
	for seat := range g.factions {
		f := p.Seats[seat]
		if f == NoFaction {
			fmt.Fprintf(w, "Seat %d: not dealt\n", seat)
			continue
		}
		whose := fmt.Sprintf("seat %d", g.owner(p, f))
		if g.owner(p, f) == me {
			whose = "you"
		}
		fmt.Fprintf(w, "%s (%s): %d blocs in the city, %d on the mat; on the mat:", capital(f.String()), whose, blocsEach-p.Mat[f], p.Mat[f])
		for k, c := range p.Place[f] {
			if c == NoCell {
				fmt.Fprintf(w, " %s;", g.box.factions[f].occs[k].Name)
			}
		}
		if p.BonusDice[f] > 0 {
			fmt.Fprintf(w, " %d bonus dice;", p.BonusDice[f])
		}
		fmt.Fprintf(w, "\n    hand (%d): %s", p.HandSize[f], g.cardNames(&p.Hand[f], p.HandSize[f]))
		switch a := p.Agenda[f]; a {
		case NoAgenda:
		case HiddenAgenda:
			w.WriteString("; agenda hidden")
		default:
			fmt.Fprintf(w, "; agenda %s:\n    %s%s\n    or: %s%s", g.box.agendas[a].Name,
				g.box.agendas[a].Options[0].Text, s.holdsNow(f, 0), g.box.agendas[a].Options[1].Text, s.holdsNow(f, 1))
		}
		w.WriteString("\n")
		if told := s.toldCards(f); g.owner(p, f) == me && told != "" {
			fmt.Fprintf(w, "    of this hand others know: %s\n", told)
		}
	}
	if p.DrawnSize > 0 {
		fmt.Fprintf(w, "Drawn: %s\n", g.cardNames(&p.Drawn, p.DrawnSize))
	}
	if p.Now.Give != 0 {
		fmt.Fprintf(w, "Proposal to the %s: gives %s, wants %s\n", p.Now.Partner, s.offerText(p.Now.Give), s.offerText(p.Now.Want))
	}
	s.writeTurn(w)
}

func (s *View) offerText(offer Offer) string {
	switch offer {
	case 0:
		return "..."
	case HiddenOffer:
		return "something hidden"
	}
	return s.G.box.cardText(int(offerAction(offer)))
}

// cardNames lists cards; those that a view hides are counted.
func (g *game) cardNames(counts *[LootCards]uint8, size uint8) string {
	var parts []string
	for t, n := range counts {
		size -= n
		switch {
		case n == 1:
			parts = append(parts, g.box.loot[t].Name)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, g.box.loot[t].Name))
		}
	}
	if size > 0 {
		parts = append(parts, fmt.Sprintf("%d unknown", size))
	}
	return orNone(strings.Join(parts, ", "))
}

// writeTurn writes dice and counters of the turn.
func (s *View) writeTurn(w *strings.Builder) {
	p := &s.P
	if ph := p.phaseOf(); ph != inActions && ph != inDice {
		return
	}
	w.WriteString("Dice:")
	for v, n := range p.Dice {
		w.WriteString(strings.Repeat(fmt.Sprintf(" %d", v+1), int(n)))
	}
	if p.numDice() == 0 {
		w.WriteString(" none")
	}
	if p.ExtraDice > 0 {
		fmt.Fprintf(w, "; %d extra dice rolled", p.ExtraDice)
	}
	if p.Bolt > 0 {
		fmt.Fprintf(w, "; Bolt Cutters ready (%d less for the next advanced action)", p.Bolt)
	}
	if p.Jammers > 0 {
		fmt.Fprintf(w, "; %d Signal Jammers", p.Jammers)
	}
	for i, n := range p.Uses {
		if n > 0 {
			fmt.Fprintf(w, "; %s used %d times", strings.ReplaceAll(useNames[i], "_", " "), n)
		}
	}
	for i, cells := range p.Barred {
		if cells != 0 {
			fmt.Fprintf(w, "; %s stopped in cells %s", barNames[i], strings.Trim(fmt.Sprint(cells.list()), "[]"))
		}
	}
	fmt.Fprintf(w, "; %d proposals made\n", p.Trades)
}

// writePolice writes what the police have outside the city, and the decks.
func (s *View) writePolice(w *strings.Builder) {
	g, p := s.G, &s.P
	fmt.Fprintf(w, "Police: morale %s (%d ops cards a turn); staging %d cops, %d vans; %d vans destroyed", g.box.morale[p.MoraleStep].Name,
		g.opsCards(p), p.CopsLeft, p.VansLeft, p.Destroyed)
	if p.Lockdown != NoFaction {
		night := "the next night"
		if p.Expiring {
			night = "this night"
		}
		fmt.Fprintf(w, "; metro locked until the %s have had their turn of %s", p.Lockdown, night)
	}
	fmt.Fprintf(w, "; ops deck %d cards", s.OpsDeckSize())
	if p.PrefixSize > 0 {
		fmt.Fprintf(w, ", the next %d:", p.PrefixSize)
		for _, card := range p.Prefix[:p.PrefixSize] {
			fmt.Fprintf(w, " %s;", g.box.opsName(card))
		}
	}
	if p.Revealed > 0 {
		fmt.Fprintf(w, "; %d ops cards to be shown this Sunrise", p.Revealed)
	}
	fmt.Fprintf(w, "\nBarricades left: %d. Loot deck: %d cards; discard: %s\n", p.Pile, p.DeckSize, g.cardNames(&p.Discard, sum(p.Discard[:])))
}
