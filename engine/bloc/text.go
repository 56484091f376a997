package bloc

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Size of a cell of the drawing, without the streets between cells.
const (
	cellWidth = 20
	cellLines = 5
)

// Text implements engine.Teller and R16.2: the table as player p sees it. The city is a grid of
// 25 cells. A street between two cells is drawn as = or | with the number of
// barricades on it; a highway as the two pairs of arms that it joins.
func (b Board) Text(p engine.Player) string {
	w := &strings.Builder{}
	b.writeHead(w)
	for _, line := range b.drawMap() {
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.writeHighways(w)
	b.writeFactions(w, p)
	b.writePolice(w)
	b.writeUnseen(w)
	b.writeMeanings(w, p)
	return w.String()
}

// writeHead writes the night and what is asked.
func (b Board) writeHead(w *strings.Builder) {
	fmt.Fprintf(w, "%s, %s, %d players. ", b.scenario.Name, strings.ReplaceAll(modeNames[b.mode], "_", "-"), b.players)
	switch {
	case b.Step == over:
		b.writeWinners(w)
		return
	case b.FirstSeat == noSeat:
		w.WriteString("Set-up.")
	default:
		fmt.Fprintf(w, "Night %d, %d left, order:", b.Night, b.NightsLeft)
		for i := range b.factions {
			fmt.Fprintf(w, " %s", b.order(i))
		}
		w.WriteString(".")
	}
	switch {
	case b.Actor >= 0:
		fmt.Fprintf(w, " The %s (seat %d) are asked: %s", b.Asked, b.Actor, flow.Closed(b.says()))
	case b.Actor == engine.Nobody:
		w.WriteString(" The game goes on.")
	default:
		w.WriteString(" Chance decides.")
	}
	w.WriteString("\n")
	b.writeAim(w)
	b.writeUnderWay(w)
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
func (b Board) drawMap() []string {
	var lines []string
	for row := range CellID(Side) {
		if row > 0 {
			between := ""
			for col := range CellID(Side) {
				between += center(b.street(Side*row+col, North, '|'), cellWidth) + "   "
			}
			lines = append(lines, between)
		}
		var cells [Side][cellLines]string
		for col := range CellID(Side) {
			cells[col] = b.cellText(Side*row + col)
		}
		for i := range cellLines {
			line := ""
			for col := range CellID(Side) {
				way := "   "
				if i == cellLines/2 {
					way = center(b.street(Side*row+col, East, '='), 3)
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
func (b Board) street(c CellID, arm Arm, sign byte) string {
	far := step(c, arm)
	if far == NoCell || b.Tile[c] == noTile || b.Tile[far] == noTile {
		return " "
	}
	here, there := b.box.tiles[b.Tile[c]].Type == TypeHighway, b.box.tiles[b.Tile[far]].Type == TypeHighway
	if !here && !b.box.open(b.Position, c, arm) || !there && !b.box.open(b.Position, far, arm.Opposite()) {
		return " "
	}
	if !here && !there && b.Districts != 0 {
		if n := b.barricadesAt(EndOf(c, arm)); n > 0 {
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
func (b Board) cellText(c CellID) (lines [cellLines]string) {
	if b.Tile[c] == noTile {
		lines[0] = fmt.Sprintf("%2d ...", c)
		return lines
	}
	t := &b.box.tiles[b.Tile[c]]
	lines[0] = fmt.Sprintf("%2d %s", c, short(t.Name))
	if t.Type == TypeHighway {
		pair := "NE SW"
		switch {
		case t.Roads == straight:
			pair = "NS WE"
		case b.Rotation[c]&1 == 1:
			pair = "NW SE"
		}
		lines[1] = "   joins " + pair
		return lines
	}
	lines[1] = fmt.Sprintf("   %s #%d d%d", typeNames[t.Type], t.ID, b.difficulty(c))
	if t.Metro {
		lines[1] += " M"
	}
	if b.Liberated.Has(c) {
		lines[1] += " free"
	}
	if n := b.Centers; n[0][c]+n[1][c]+n[2][c] > 0 {
		lines[2] = fmt.Sprintf("   shops %d/%d/%d", n[0][c], n[1][c], n[2][c])
	}
	lines[3] = "  " + b.piecesText(c)
	if h := b.Holder[c]; h > 0 {
		f, k := h.Faction(), h.Kind()
		lines[4] = fmt.Sprintf("   [%c] %s", f.String()[0]-32, b.box.factions[f].occs[k].Name)
	}
	return lines
}

// piecesText writes blocs by faction and police.
func (b Board) piecesText(c CellID) string {
	text := ""
	for f := range FactionID(Factions) {
		if n := b.Blocs[f][c]; n > 0 {
			text += fmt.Sprintf(" %c%d", typeNames[f][0]-32, n) + strings.Repeat("'", int(b.Attacked[f][c]))
		}
	}
	if n := b.Cops[c]; n > 0 {
		text += fmt.Sprintf(" cop%d", n)
	}
	if v := b.Van[c]; v > 0 {
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
func (b Board) writeHighways(w *strings.Builder) {
	if b.Highways > 0 {
		w.WriteString("Highways:")
		for e, far := range b.Links {
			if far == NoEnd || int(far) < e || b.Over[e/Arms]>>(e%Arms)&1 == 0 {
				continue
			}
			fmt.Fprintf(w, " %d%s-%d%s", e/Arms, End(e).Arm(), far.Cell(), far.Arm())
			if b.barricadesAt(End(e)) > 0 {
				fmt.Fprintf(w, " (barricades %d+%d)", b.Barricades[e], b.Barricades[far])
			}
			w.WriteString(";")
		}
		w.WriteString("\n")
	}
	w.WriteString("W workers, S students, N neighbors, P prisoners; shops: unlooted/graffitied/burned; d difficulty, # police ID, M metro, " +
		"' blocs that have attacked, * hits on a van.\n\n")
}

// writeFactions writes the mats and hands.
func (b Board) writeFactions(w *strings.Builder, me engine.Player) {
	for seat := range b.factions {
		f := b.Seats[seat]
		if f == NoFaction {
			fmt.Fprintf(w, "Seat %d: not dealt\n", seat)
			continue
		}
		whose := fmt.Sprintf("seat %d", b.owner(f))
		if b.owner(f) == me {
			whose = "you"
		}
		fmt.Fprintf(w, "%s (%s): %s in the city, %d on the mat; on the mat:", capital(f.String()), whose, flow.Count(blocsEach-b.Mat[f], "bloc"), b.Mat[f])
		for k, c := range b.Place[f] {
			if c == NoCell {
				fmt.Fprintf(w, " %s;", b.box.factions[f].occs[k].Name)
			}
		}
		if b.BonusDice[f] > 0 {
			fmt.Fprintf(w, " %d bonus dice;", b.BonusDice[f])
		}
		fmt.Fprintf(w, "\n    hand (%d): %s", b.HandSize[f], b.cardNames(&b.Hand[f], b.HandSize[f]))
		switch a := b.Agenda[f]; a {
		case NoAgenda:
		case HiddenAgenda:
			w.WriteString("; agenda hidden")
		default:
			fmt.Fprintf(w, "; agenda %s:\n    %s%s\n    or: %s%s", b.box.agendas[a].Name,
				b.box.agendas[a].Options[0].Text, b.holdsNow(f, 0), b.box.agendas[a].Options[1].Text, b.holdsNow(f, 1))
		}
		w.WriteString("\n")
		if told := b.toldCards(f); b.owner(f) == me && told != "" {
			fmt.Fprintf(w, "    of this hand others know: %s\n", told)
		}
	}
	if b.DrawnSize > 0 {
		fmt.Fprintf(w, "Drawn: %s\n", b.cardNames(&b.Drawn, b.DrawnSize))
	}
	if b.Now.Give != 0 {
		fmt.Fprintf(w, "Proposal to the %s: gives %s, wants %s\n", b.Now.Partner, b.offerText(b.Now.Give), b.offerText(b.Now.Want))
	}
	b.writeTurn(w)
}

func (b Board) offerText(offer Offer) string {
	switch offer {
	case 0:
		return "..."
	case HiddenOffer:
		return "something hidden"
	}
	return b.box.cardText(int(offerAction(offer)))
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
func (b Board) writeTurn(w *strings.Builder) {
	if ph := b.phaseOf(); ph != inActions && ph != inDice {
		return
	}
	w.WriteString("Dice:")
	for v, n := range b.Dice {
		w.WriteString(strings.Repeat(fmt.Sprintf(" %d", v+1), int(n)))
	}
	if b.numDice() == 0 {
		w.WriteString(" none")
	}
	if b.ExtraDice > 0 {
		fmt.Fprintf(w, "; %d extra dice rolled", b.ExtraDice)
	}
	if b.Bolt > 0 {
		fmt.Fprintf(w, "; Bolt Cutters ready (%d less for the next advanced action)", b.Bolt)
	}
	if b.Jammers > 0 {
		fmt.Fprintf(w, "; %d Signal Jammers", b.Jammers)
	}
	for i, n := range b.Uses {
		if n > 0 {
			fmt.Fprintf(w, "; %s used %d times", strings.ReplaceAll(useNames[i], "_", " "), n)
		}
	}
	for i, cells := range b.Barred {
		if cells != 0 {
			fmt.Fprintf(w, "; %s stopped in cells %s", barNames[i], strings.Trim(fmt.Sprint(cells.list()), "[]"))
		}
	}
	fmt.Fprintf(w, "; %d proposals made\n", b.Trades)
}

// writePolice writes what the police have outside the city, and the decks.
func (b Board) writePolice(w *strings.Builder) {
	fmt.Fprintf(w, "Police: morale %s (%s a turn); staging %s, %s; %s destroyed", b.box.morale[b.MoraleStep].Name,
		flow.Count(b.OpsCards(), "ops card"), flow.Count(b.CopsLeft, "cop"), flow.Count(b.VansLeft, "van"), flow.Count(b.Destroyed, "van"))
	if b.Lockdown != NoFaction {
		night := "the next night"
		if b.Expiring {
			night = "this night"
		}
		fmt.Fprintf(w, "; metro locked until the %s have had their turn of %s", b.Lockdown, night)
	}
	fmt.Fprintf(w, "; ops deck %s", flow.Count(b.OpsDeckSize(), "card"))
	if b.PrefixSize > 0 {
		fmt.Fprintf(w, ", the next %d:", b.PrefixSize)
		for _, card := range b.Prefix[:b.PrefixSize] {
			fmt.Fprintf(w, " %s;", b.box.opsName(card))
		}
	}
	if b.Revealed > 0 {
		fmt.Fprintf(w, "; %d ops cards to be shown this Sunrise", b.Revealed)
	}
	fmt.Fprintf(w, "\nBarricades left: %d. Loot deck: %s; discard: %s\n", b.Pile,
		flow.Count(b.DeckSize, "card"), b.cardNames(&b.Discard, sum(b.Discard[:])))
}
