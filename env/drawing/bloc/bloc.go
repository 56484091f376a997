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
	margin   = 18.0
	tile     = 184.0 // side of a tile
	gap      = 26.0  // between tiles, where the streets are
	pitch    = tile + gap
	width    = 2*margin + bloc.Side*pitch - gap
	cityY    = 44.0
	policeY  = cityY + bloc.Side*pitch - gap + 20
	mats     = policeY + 118
	lootRows = 3
)

// table is a drawing in the making. Pieces are those of factions, not of seats: a player may
// have two.
type table struct {
	*sheet.Sheet
	view  *bloc.View
	p     *bloc.Position
	cards *bloc.Cards
	names []string // of the actions
	row   float64  // height of a mat
}

// Draw draws a view. Its spaces are the cells, such as CELL_7; the streets by the cell above
// them or on their left, such as CELL_7/ARM_E; factions, such as FACTION_STUDENTS; their
// occupations, such as students/OCC_HALL; and loot cards, such as CARD_BIKES.
func Draw(g engine.Game, v *bloc.View) []byte {
	cards := bloc.AllCards(g)
	if cards == nil {
		return nil
	}
	t := &table{view: v, p: &v.P, cards: cards, names: g.Spec().Actions}
	if t.row = 72; v.SemiCooperative() {
		t.row += 44 // for the agenda
	}
	lootY := mats + t.row*float64(v.FactionSeats()) + 8
	t.Sheet = sheet.New(v, width, lootY+26+lootRows*50, "Bloc by Bloc", t.meaning)
	t.Colours = colours
	t.head()
	t.city()
	t.police()
	for seat := range v.FactionSeats() {
		t.mat(seat, mats+t.row*float64(seat))
	}
	t.loot(lootY)
	return t.Bytes()
}

// meaning returns the space that an action means.
func (t *table) meaning(a engine.Action) []string {
	name := t.names[a]
	switch {
	case a >= bloc.ActCell && a < bloc.ActArm, a >= bloc.ActFaction && a < bloc.ActFactory:
		return []string{name}
	case a >= bloc.ActArm && a < bloc.ActCount:
		return []string{street(t.p.Now.Cell, bloc.Arm(a-bloc.ActArm))}
	case a >= bloc.ActOcc && a < bloc.ActFaction:
		return []string{t.p.Asked.String() + "/" + name}
	case a >= bloc.ActFactory && a < bloc.ActAny:
		return []string{strings.TrimSuffix(name, "_FACTORY")}
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
	t.Heading(20, text, who, piece)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// police draws what the police has, the dice, and the cards that are to come.
func (t *table) police() {
	figures := []sheet.Figure{
		{Value: t.view.PrintedMorale(), Label: "police morale"},
		{Value: fmt.Sprint(t.p.CopsLeft), Label: "cops in staging"},
		{Value: fmt.Sprint(t.p.VansLeft), Label: "vans in staging"},
		{Value: fmt.Sprint(t.p.Destroyed), Label: "vans destroyed"},
		{Value: fmt.Sprint(t.view.OpsDeckSize()), Label: "ops deck"},
		{Value: fmt.Sprint(t.p.Pile), Label: "barricades left"},
		{Value: fmt.Sprint(t.p.DeckSize), Label: "loot deck"},
	}
	t.Rect(margin, policeY, width-2*margin, 60, 10, "f-panel k-edge w1")
	t.Figures(margin, policeY+6, (width-2*margin)/7, 22, figures)
	x := margin
	t.Text(x, policeY+92, 15, svg.Start, "soft bold", "Dice")
	x += 50
	for value, n := range t.p.Dice {
		for range n {
			t.Rect(x, policeY+70, 34, 34, 6, "f-ground k-ink w2")
			t.Text(x+17, policeY+94, 20, svg.Middle, "bold", fmt.Sprint(value+1))
			x += 40
		}
	}
	if n := int(t.p.PrefixSize); n > 0 {
		left := 560.0
		t.Text(left, policeY+92, 15, svg.Start, "soft bold", "Next ops")
		step := min(180, (width-margin-left-90)/float64(min(n, 4)))
		for i, card := range t.p.Prefix[:min(n, 4)] {
			text := t.cards.Ops[card]
			t.Thing("ops "+text.Key, text.Name+": "+text.Text)
			t.Chip(left+90+float64(i)*step, policeY+68, step-6, 40, sheet.Chip{Name: text.Name, Seat: -1})
			t.Close()
		}
	}
}

// mat draws a faction: its blocs and cards, its agenda, and its occupations that are not in
// the city.
func (t *table) mat(seat int, y float64) {
	f := t.p.Seats[seat]
	if f == bloc.NoFaction {
		t.Slot(margin, y, width-2*margin, t.row-8, "")
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
	t.Rect(margin, y, width-2*margin, t.row-8, 10, "f-panel k-edge w1 aim")
	t.Piece(int(f), margin+28, y+32, 18, "")
	t.Fit(margin+56, y+30, 150, 19, svg.Start, "bold", capital(f.String()))
	t.Fit(margin+56, y+50, 150, 15, svg.Start, "soft", strings.Join(notes, ", "))
	t.Figures(margin+208, y+6, 62, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.inCity(f)), Label: "city"},
		{Value: fmt.Sprint(t.p.Mat[f]), Label: "mat"},
		{Value: fmt.Sprint(t.p.HandSize[f]), Label: "loot"},
		{Value: fmt.Sprint(t.p.BonusDice[f]), Label: "bonus"},
	})
	t.agenda(f, y+80)
	t.Close()
	for kind := range bloc.OccID(bloc.Occupations) {
		t.occupation(f, kind, margin+460+float64(kind)*113, y+8)
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
		t.Block(margin+14, y, width-2*margin-28, 15, 2, svg.Start, "soft", "Agenda "+card.Name+": "+card.Text)
	case a == bloc.HiddenAgenda:
		t.Text(margin+14, y, 15, svg.Start, "soft", "Agenda not seen")
	}
}

// occupation draws an occupation on its mat; a dashed one stands in the city.
func (t *table) occupation(f bloc.FactionID, kind bloc.OccID, x, y float64) {
	o := t.cards.Occupations[f][kind]
	title := o.Name + ": " + o.Text
	chip := sheet.Chip{Name: o.Name, Seat: int(f), Number: " "}
	if c := t.p.Place[f][kind]; c != bloc.NoCell {
		title = fmt.Sprintf("%s, in %s: %s", o.Name, t.view.TileName(c), o.Text)
		chip.Down = true
	}
	space := f.String() + "/" + t.names[bloc.ActOcc+engine.Action(kind)]
	t.CardPart(space, occupationName(f, kind, o), title)
	t.Chip(x, y, 108, 46, chip)
	t.Close()
}

// occupationName names an occupation for Cards: the first three are alike in all factions.
func occupationName(f bloc.FactionID, kind bloc.OccID, o bloc.Printed) string {
	if kind < bloc.OccFirstOwn {
		return o.Key
	}
	return f.String() + " " + o.Key
}

// loot draws the kinds of loot cards: how many each faction holds, as far as the view shows
// it, and how many were discarded.
func (t *table) loot(y float64) {
	t.Text(margin, y+16, 15, svg.Start, "soft bold", "Loot cards in hands that you see, and discards")
	const step = (width - 2*margin + 6) / 5
	for card := range bloc.LootID(bloc.LootCards) {
		x, top := margin+float64(card%5)*step, y+26+float64(card/5)*50
		text := t.cards.Loot[card]
		title := text.Name + ": " + text.Text
		t.CardPart(t.names[bloc.ActCard+engine.Action(card)], text.Key, title)
		t.Rect(x, top, step-6, 44, 6, "f-ground k-edge w1 aim")
		right := x + step - 14
		for f := range bloc.FactionID(bloc.Factions) {
			if n := t.p.Hand[f][card] + t.drawn(f, card); n > 0 {
				t.Piece(int(f), right-12, top+22, 13, fmt.Sprint(n))
				right -= 29
			}
		}
		if n := t.p.Discard[card]; n > 0 {
			note := fmt.Sprintf("−%d", n)
			t.Text(right, top+27, 14, svg.End, "soft", note)
			right -= svg.Width(note, 14, false) + 4
		}
		t.Label(x+8, top+22, right-x-8, 16, 2, svg.Start, "", text.Name)
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
