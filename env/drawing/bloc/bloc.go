// Package bloc draws a table of Bloc by Bloc: the city of five by five tiles with its
// streets, the factions with their mats, the police, and the loot cards.
package bloc

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/flow"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	width   = 1506.0
	height  = 1128.0
	margin  = 14.0
	tileW   = 184.0
	tileH   = 164.0
	gapW    = 26.0 // between tiles, where the streets are
	gapH    = 22.0
	cityY   = 44.0
	boardW  = 2*margin + bloc.Side*(tileW+gapW) - gapW
	boardH  = cityY + bloc.Side*(tileH+gapH) - gapH + 8
	columnX = boardW + 4 // of what stands beside the city
	columnW = width - margin - columnX
	policeY = 8.0
	diceY   = 124.0
	opsY    = 172.0
	matsY   = 290.0
	matH    = (boardH - matsY) / 4
	handY   = boardH + 8
	handW   = 930.0
	lootX   = handW + margin + 16
	cardW   = 176.0
	cardH   = height - handY - 30
)

// table is a drawing in the making. Pieces are those of factions, not of seats: a player may
// have two.
type table struct {
	*sheet.Sheet
	view  *bloc.View
	p     *bloc.Position
	cards *bloc.Cards
	names []string // of the actions
}

// Draw draws a view. Its spaces are the cells, such as CELL_7; the streets by the cell above
// them or on their left, such as CELL_7/ARM_E; factions, such as FACTION_STUDENTS; their
// occupations, such as students/OCC_HALL; and loot cards, such as CARD_BIKES and, in the own hand,
// hand/CARD_BIKES.
func Draw(g engine.Game, v *bloc.View) []byte {
	cards := bloc.AllCards(g)
	if cards == nil {
		return nil
	}
	t := &table{view: v, p: &v.P, cards: cards, names: g.Spec().Actions}
	t.Sheet = sheet.New(v, width, height, "Bloc by Bloc", t.meaning)
	t.Colours, t.Game = colours, "bloc"
	t.Panel(sheet.BoardPanel, "City", 0, 0, boardW, boardH)
	t.head()
	t.city()
	t.Close()
	t.Panel("police", "Police and dice", columnX, policeY-4, columnW+margin, matsY-policeY)
	t.police()
	t.Close()
	t.Panel("factions", "Factions", columnX, matsY-2, columnW+margin, boardH-matsY+2)
	for seat := range v.FactionSeats() {
		t.mat(seat, matsY+matH*float64(seat))
	}
	t.Close()
	t.Panel(sheet.HandPanel, "Loot cards", 0, handY-4, handW+margin, height-handY+4)
	t.hand()
	t.Close()
	t.Panel("loot", "Loot and discards", lootX-4, handY-4, width-lootX+4, height-handY+4)
	t.loot()
	t.Close()
	return t.Bytes()
}

// meaning returns the space that an action means.
func (t *table) meaning(a engine.Action) []string {
	name := t.names[a]
	switch {
	case a >= bloc.ActCell && a < bloc.ActArm, a >= bloc.ActFaction && a < bloc.ActCard:
		return []string{name}
	case a >= bloc.ActCard && a < bloc.ActAny:
		card := strings.TrimSuffix(name, "_FACTORY")
		return []string{card, "hand/" + card}
	case a >= bloc.ActArm && a < bloc.ActCount:
		return []string{street(t.p.Now.Cell, bloc.Arm(a-bloc.ActArm))}
	case a >= bloc.ActOcc && a < bloc.ActFaction:
		return []string{t.p.Asked.String() + "/" + name}
	}
	return nil
}

// street names the way out of a cell by an arm: by the cell above it or on its left.
func street(c bloc.CellID, arm bloc.Arm) string {
	switch arm {
	case bloc.North:
		c, arm = c-bloc.Side, bloc.South
	case bloc.West:
		c, arm = c-1, bloc.East
	}
	return fmt.Sprintf("CELL_%d/ARM_%s", c, arm)
}

// head says which night it is, and which faction is asked.
func (t *table) head() {
	text := t.view.ScenarioName()
	if t.p.Night > 0 {
		text += fmt.Sprintf(": night %d, %d left", t.p.Night, t.p.NightsLeft)
	}
	who, piece := sheet.Who(t.view.ToAct()), -1
	if t.p.Asked != bloc.NoFaction && t.view.ToAct() >= 0 {
		who, piece = capital(t.p.Asked.String())+" to act", int(t.p.Asked)
	}
	t.Heading(boardW, 20, text, who, piece)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// police draws what the police has, the dice, and the cards that are to come.
func (t *table) police() {
	t.Rect(columnX, policeY, columnW, 106, 10, "f-panel k-edge w1")
	t.Figures(columnX, policeY+4, columnW/4, 22, []sheet.Figure{
		{Value: t.view.PrintedMorale(), Label: "police morale"},
		{Value: fmt.Sprint(t.p.CopsLeft), Label: "cops in staging"},
		{Value: fmt.Sprint(t.p.VansLeft), Label: "vans in staging"},
		{Value: fmt.Sprint(t.p.Destroyed), Label: "vans destroyed"},
	})
	t.Figures(columnX, policeY+54, columnW/4, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.view.OpsDeckSize()), Label: "ops deck"},
		{Value: fmt.Sprint(t.p.Pile), Label: "barricades left"},
		{Value: fmt.Sprint(t.p.DeckSize), Label: "loot deck"},
	})
	x := columnX
	t.Text(x, diceY+23, 16, svg.Start, "soft bold", "Dice")
	x += 54
	for value, n := range t.p.Dice {
		for range n {
			t.Token(fmt.Sprintf("die/%d", value+1), 1)
			t.Rect(x, diceY, 34, 34, 6, "f-ground k-ink w2")
			t.Text(x+17, diceY+24, 20, svg.Middle, "bold", fmt.Sprint(value+1))
			t.Close()
			x += 40
		}
	}
	if n := int(t.p.PrefixSize); n > 0 {
		t.Text(columnX, opsY+15, 16, svg.Start, "soft bold", "Next ops")
		for i, card := range t.p.Prefix[:min(n, 4)] {
			text := t.cards.Ops[card]
			t.Thing("ops "+text.Key, text.Name+": "+text.Text)
			t.Chip(columnX+float64(i%2)*columnW/2, opsY+22+float64(i/2)*44, columnW/2-6, 40, sheet.Chip{Name: text.Name, Card: "ops " + text.Key, Seat: -1})
			t.Close()
		}
	}
}

// mat draws a faction: its blocs and cards, its agenda, and its occupations that are not in
// the city.
func (t *table) mat(seat int, y float64) {
	f := t.p.Seats[seat]
	if f == bloc.NoFaction {
		t.Slot(columnX, y, columnW, matH-8, "")
		return
	}
	var notes []string
	if t.view.Owner(f) == t.view.Seat {
		notes = append(notes, "you")
	}
	if t.view.Active() == f {
		notes = append(notes, "its turn")
	}
	about := slices.Concat([]string{f.String()}, notes, []string{flow.Count(t.inCity(f), "bloc") + " in the city"})
	t.Part(t.names[bloc.ActFaction+engine.Action(f)], strings.Join(about, ", "))
	t.Rect(columnX, y, columnW, matH-8, 10, "f-panel k-edge w1 aim")
	t.Piece(int(f), columnX+26, y+28, 17, "")
	t.Fit(columnX+52, y+26, 120, 20, svg.Start, "bold", capital(f.String()))
	t.Fit(columnX+52, y+46, 120, 15, svg.Start, "soft", strings.Join(notes, ", "))
	t.Figures(columnX+176, y+4, (columnW-180)/4, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.inCity(f)), Label: "city"},
		{Value: fmt.Sprint(t.p.Mat[f]), Label: "mat"},
		{Value: fmt.Sprint(t.p.HandSize[f]), Label: "loot"},
		{Value: fmt.Sprint(t.p.BonusDice[f]), Label: "bonus"},
	})
	t.agenda(f, y+112)
	t.Close()
	// In two rows, but for an agenda.
	columns, chipH := 3, 44.0
	if t.view.SemiCooperative() {
		columns, chipH = bloc.Occupations, 38
	}
	step := (columnW - 10) / float64(columns)
	for kind := range bloc.OccID(bloc.Occupations) {
		x, row := columnX+8+float64(int(kind)%columns)*step, float64(int(kind)/columns)
		t.occupation(f, kind, x, y+54+row*(chipH+4), step-6, chipH)
	}
}

func (t *table) inCity(f bloc.FactionID) int {
	n := 0
	for _, k := range t.p.Blocs[f] {
		n += int(k)
	}
	return n
}

// agenda writes the agenda of a faction, where the view knows it.
func (t *table) agenda(f bloc.FactionID, y float64) {
	switch a := t.p.Agenda[f]; {
	case a < bloc.Agendas:
		card := t.cards.Agendas[a]
		t.Block(columnX+12, y, columnW-24, 15, 2, svg.Start, "soft", "Agenda "+card.Name+": "+card.Text)
	case a == bloc.HiddenAgenda:
		t.Text(columnX+12, y, 15, svg.Start, "soft", "Agenda not seen")
	}
}

// occupation draws an occupation on its mat; a dashed one stands in the city.
func (t *table) occupation(f bloc.FactionID, kind bloc.OccID, x, y, w, h float64) {
	o := t.cards.Occupations[f][kind]
	title := o.Name + ": " + o.Text
	chip := sheet.Chip{Name: o.Name, Card: occupationName(f, kind, o), Seat: int(f), Piece: occupationPiece(f, kind)}
	if c := t.p.Place[f][kind]; c != bloc.NoCell {
		title = fmt.Sprintf("%s, in %s: %s", o.Name, t.view.TileName(c), o.Text)
		chip.Down, chip.Piece = true, ""
	}
	space := f.String() + "/" + t.names[bloc.ActOcc+engine.Action(kind)]
	t.CardPart(space, occupationName(f, kind, o), title)
	t.Chip(x, y, w, h, chip)
	t.Close()
}

// occupationPiece is the kind of piece that an occupation is, on its mat or in the city.
func occupationPiece(f bloc.FactionID, kind bloc.OccID) string {
	return fmt.Sprintf("occupation/%d/%d", f, kind)
}

// occupationName names an occupation for Cards: the first three are alike in all factions.
func occupationName(f bloc.FactionID, kind bloc.OccID, o bloc.Printed) string {
	if kind < bloc.OccFirstOwn {
		return o.Key
	}
	return f.String() + " " + o.Key
}

// hand draws the loot cards of the factions of the seat whose view it is, a card for all of a kind.
func (t *table) hand() {
	var own [bloc.LootCards]int
	kinds := 0
	for card := range own {
		for f := range bloc.FactionID(bloc.Factions) {
			if t.view.Owner(f) == t.view.Seat {
				own[card] += int(t.p.Hand[f][card] + t.drawn(f, bloc.LootID(card)))
			}
		}
		kinds += min(own[card], 1)
	}
	t.Text(margin, handY+15, 16, svg.Start, "soft bold", "Loot cards in your hand")
	if kinds == 0 {
		t.Slot(margin, handY+24, cardW, cardH, "no loot cards")
	}
	step := min(cardW+8, (handW-margin)/float64(max(kinds, 1)))
	x := margin
	for card, n := range own {
		if n == 0 {
			continue
		}
		text := t.cards.Loot[card]
		t.CardPart("hand/"+t.names[bloc.ActCard+engine.Action(card)], text.Key, text.Name+": "+text.Text)
		t.Face(x, handY+24, step-8, cardH, sheet.Face{
			Name: text.Name, Card: text.Key, Text: text.Text, Seat: -1, Count: n,
			Piece: sheet.CardPiece(text.Key),
		})
		t.Close()
		x += step
	}
}

// loot draws the kinds of loot cards: how many each faction holds, as far as the view shows
// it, and how many were discarded.
func (t *table) loot() {
	t.Text(lootX, handY+15, 16, svg.Start, "soft bold", "Loot in hands that you see, and discards")
	const step, row = (width - margin - lootX + 5) / 3, (height - handY - 26) / 5
	for card := range bloc.LootID(bloc.LootCards) {
		x, top := lootX+float64(card%3)*step, handY+22+float64(card/3)*row
		text := t.cards.Loot[card]
		title := text.Name + ": " + text.Text
		t.CardPart(t.names[bloc.ActCard+engine.Action(card)], text.Key, title)
		t.Rect(x, top, step-5, row-4, 5, "f-ground k-edge w1 aim")
		right := x + step - 9
		for f := range bloc.FactionID(bloc.Factions) {
			if n := t.p.Hand[f][card] + t.drawn(f, card); n > 0 {
				t.Piece(int(f), right-10, top+row/2-2, 10, fmt.Sprint(n))
				right -= 23
			}
		}
		if n := t.p.Discard[card]; n > 0 {
			note := fmt.Sprintf("−%d", n)
			t.Text(right, top+row/2+3, 14, svg.End, "soft", note)
			right -= svg.Width(note, 14, false) + 4
		}
		t.Pictogram(text.Key, x+15, top+row/2-2, row-10, "f-ink")
		t.Label(x+30, top+row/2-2, right-x-30, 15, 1, svg.Start, "", text.Name)
		t.Close()
	}
}

// drawn returns how many copies of a card the faction is drawing now.
func (t *table) drawn(f bloc.FactionID, card bloc.LootID) uint8 {
	if t.p.Now.Who != f {
		return 0
	}
	return t.p.Drawn[card]
}

// Cards tells about all cards, occupations and pieces.
func Cards(g engine.Game) []sheet.Card {
	list := []sheet.Card{
		{Kind: "unit", Name: "bloc", Title: "Bloc", Text: "A piece of a faction with how many of its blocs are there."},
		{Kind: "unit", Name: "cop", Title: "Riot cops", Text: "A dark shield with their number."},
		{Kind: "unit", Name: "van", Title: "Riot van", Text: "Each cross is a hit; a third one destroys it."},
		{Kind: "marker", Name: "barricade", Title: "Barricades", Text: "Bars across a street with their number."},
		{Kind: "marker", Name: "shops", Title: "Shopping centres", Text: "Open: not looted. Struck through: graffitied. Filled: burned."},
	}
	all := bloc.AllCards(g)
	if all == nil {
		return list
	}
	add := func(kind, name string, p bloc.Printed) {
		list = append(list, sheet.Card{Kind: kind, Name: name, Title: p.Name, Text: p.Text})
	}
	for _, c := range all.Loot {
		add("card", c.Key, c)
	}
	for _, c := range all.Ops {
		add("card", "ops "+c.Key, c)
	}
	for _, c := range all.Agendas {
		add("card", "agenda "+c.Key, c)
	}
	for f := range all.Occupations {
		for kind, o := range all.Occupations[f] {
			if f == 0 || bloc.OccID(kind) >= bloc.OccFirstOwn {
				add("occupation", occupationName(bloc.FactionID(f), bloc.OccID(kind), o), o)
			}
		}
	}
	return list
}

// colours are those of the factions, as in the box: yellow, purple, green, orange.
var colours = [svg.Seats]int{4, 3, 2, 1, 0, 5}

// Colour returns the number of a seat's colour in the palette: that of its first faction, and grey before it has one.
func Colour(v engine.View, seat engine.Player) int {
	if own, ok := v.(*bloc.View); ok && own.P.Seats[seat] != bloc.NoFaction {
		return colours[own.P.Seats[seat]]
	}
	return svg.Seats - 1
}
