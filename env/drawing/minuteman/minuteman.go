// Package minuteman draws a table of Minuteman: the map of hexes with what stands on it, the
// Game-Turns, what the players have, and the classes of units.
package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	margin = 12.0
	mapY   = 56.0
	radius = 24.0 // of a hex, from its centre to a corner
	across = 36.0 // from column to column
	down   = 42.0 // from row to row

	// Width and height of a map for which the sizes beside the map are meant.
	usual, usualHeight = 1440.0, 980.0
	beside             = 420.0 // width of what stands beside such a map
)

// table is a drawing in the making.
type table struct {
	*sheet.Sheet
	view  *minuteman.View
	p     *minuteman.Position
	seats int
	last  int      // Game-Turn
	names []string // of the actions
	// The map: the first column and row in play, and its extent.
	column, row   int
	width, height float64
	scale         float64 // of what stands beside it
	left          float64 // where that begins
	chosen        [2]int  // the hexes that the question is about
}

// Draw draws a view. Its spaces are the hexes by their names as actions have them, the
// classes of units, such as NETWORK_WEAK, and the seats, such as P1.
func Draw(g engine.Game, v *minuteman.View) []byte {
	t := &table{view: v, p: &v.P, seats: g.Spec().Seats, names: g.Spec().Actions}
	t.last, _ = v.Turns()
	chain := v.Chain()
	t.chosen = [2]int{chain.Hex, chain.Target}
	t.measure()
	t.scale = max(t.width/usual, (mapY+t.height)/usualHeight)
	u := t.scale
	board := svg.Point{X: t.width + 2*margin, Y: mapY + t.height + margin}
	t.left = board.X + 4*u
	rows := t.turnRows()
	numbers := 16*u + float64(rows)*turnRow*u
	seats := numbers + 136*u
	classes := seats + float64(t.seats)*seatRow*u
	height := max(board.Y, classes+classRows*classRow*u+margin)
	width := t.left + beside*u + margin
	t.Sheet = sheet.New(v, width, height, "Minuteman", t.meaning)
	t.Game = "minuteman"
	t.Panel(sheet.BoardPanel, "Map", 0, 0, board.X, board.Y)
	t.HeadWithin(board.X, 28*min(board.X/1000, 1), t.head(), v.ToAct())
	for _, class := range [...]string{"f-water", t.Terrain(svg.Wave)} {
		t.Rect(margin, mapY, t.width, t.height, 8, class)
	}
	t.ground()
	for _, legal := range [2]bool{false, true} { // what can be chosen lies over its neighbours
		for h := t.view.Playable().Next(0); h != minuteman.NoHex; h = t.view.Playable().Next(h + 1) {
			if t.Can(t.space(h)) == legal {
				t.hex(h)
			}
		}
	}
	t.borders()
	t.Close()
	t.Panel("turns", "Turns and tracks", t.left-2*u, 0, beside*u+margin, seats)
	t.turns(8 * u)
	t.numbers(numbers)
	t.Close()
	t.Panel("seats", "Players and markers", t.left-2*u, seats, beside*u+margin, classes-seats)
	for seat := range t.seats {
		t.seat(seat, seats+float64(seat)*seatRow*u)
	}
	t.Close()
	t.Panel("units", "Units", t.left-2*u, classes, beside*u+margin, classRows*classRow*u+2)
	t.classes(classes)
	t.Close()
	return t.Bytes()
}

// Heights of the rows beside a map of the usual width, and how many units stand in one.
const (
	turnRow      = 44.0
	seatRow      = 112.0
	classRow     = 48.0
	classColumns = 2
	classRows    = float64((len(looks) + classColumns - 1) / classColumns)
)

// turnRows returns how many years the track has: a row of four seasons each.
func (t *table) turnRows() int { return (t.last + 3) / 4 }

// measure finds how much of the map is in play.
func (t *table) measure() {
	t.column, t.row = 99, 99
	lastColumn, lastRow := 0, 0
	for h := t.view.Playable().Next(0); h != minuteman.NoHex; h = t.view.Playable().Next(h + 1) {
		f := t.view.Facts(h)
		t.column, lastColumn = min(t.column, f.Column), max(lastColumn, f.Column)
		t.row, lastRow = min(t.row, f.Row), max(lastRow, f.Row)
	}
	t.width = float64(lastColumn-t.column)*across + 2*radius + 16
	t.height = float64(lastRow-t.row)*down + 1.5*down + 16
}

// space names a hex as its action is named.
func (t *table) space(h int) string { return t.names[int(minuteman.FirstHex)+h] }

// meaning returns the space that an action means: one of a hex, a class of units, or a seat.
func (t *table) meaning(a engine.Action) []string {
	if a >= minuteman.FirstPlayer || a >= minuteman.FirstClass && a < minuteman.FirstAmount {
		return t.names[a : a+1]
	}
	return nil
}

// head says which Game-Turn and phase it is.
func (t *table) head() string {
	phase := "set-up"
	if names := minuteman.PhaseNames(); int(t.p.Phase) < len(names) {
		phase = "phase " + names[t.p.Phase]
	}
	if t.p.Turn == 0 {
		return "Set-up"
	}
	text := fmt.Sprintf("Turn %d of %d, %s, %s", t.p.Turn, t.last, t.season(int(t.p.Turn)), phase)
	if t.p.RevTurn > 0 {
		text += fmt.Sprintf("; Revolution since turn %d", t.p.RevTurn)
	}
	return text
}

func (t *table) season(turn int) string { return t.view.Seasons()[(turn-1)%4] }

// turns draws the track of the Game-Turns, a year to a row.
func (t *table) turns(y float64) {
	t.Thing("turns", fmt.Sprintf("Game-Turn %d of %d", t.p.Turn, t.last))
	u := t.scale
	step := beside * u / 4
	for turn := 1; turn <= t.last; turn++ {
		x, top := t.left+float64((turn-1)%4)*step, y+float64((turn-1)/4)*turnRow*u
		class := "f-panel k-edge w2"
		if turn == int(t.p.Turn) {
			class = "f-mark k-ink w5"
		}
		t.Rect(x+u, top+2*u, step-6*u, (turnRow-6)*u, 8*u, class)
		label := fmt.Sprint(turn)
		if turn == int(t.p.RevTurn) {
			label += " R"
		}
		t.Fit(x+8*u, top+30*u, 44*u, 24*u, svg.Start, "bold", label)
		t.Pictogram(t.season(turn), x+step-24*u, top+22*u, 26*u, "f-soft")
	}
	t.Close()
}

// numbers draws what is counted on tracks.
func (t *table) numbers(y float64) {
	riots, unrests := 0, 0
	for h := t.view.Playable().Next(0); h != minuteman.NoHex; h = t.view.Playable().Next(h + 1) {
		if t.view.Riot(h) {
			riots++
		}
		if t.p.Unrest.Has(h) {
			unrests++
		}
	}
	next, columns := "last", t.view.Reactions()
	if columns.BuildsToColumn > 0 {
		next = fmt.Sprint(columns.BuildsToColumn)
	}
	list := []sheet.Figure{
		{Value: fmt.Sprint(t.p.Track), Label: "builds"},
		{Value: next, Label: "to next column"},
		{Value: fmt.Sprint(riots), Label: "Riots"},
		{Value: fmt.Sprint(unrests), Label: "Unrests"},
		{Value: fmt.Sprint(columns.RiotIndex), Label: "Riot index"},
		{Value: fmt.Sprintf("%.1f", float64(t.p.AirRail)/2), Label: "Air/Rail"},
		{Value: fmt.Sprint(t.p.Commit), Label: "committed"},
		{Value: fmt.Sprint(t.p.PoolSize), Label: "marker pool"},
	}
	const row = 4
	for i := 0; i < len(list); i += row {
		t.Figures(t.left, y+float64(i/row)*64*t.scale, beside*t.scale/row, 29*t.scale, list[i:i+row])
	}
}

// seat draws a player: its part, its markers, what is due to it.
func (t *table) seat(seat int, y float64) {
	name := t.view.Side(engine.Player(seat))
	if int(t.view.Seat) == seat {
		name += " (you)"
	}
	space, u := t.names[int(minuteman.FirstPlayer)+seat], t.scale
	t.Part(space, name)
	t.Rect(t.left, y, beside*u, (seatRow-8)*u, 10*u, "f-panel k-edge w2 aim")
	t.Piece(seat, t.left+28*u, y+26*u, 17*u, t.Initial(engine.Player(seat)))
	t.Fit(t.left+58*u, y+35*u, (beside-70)*u, 25*u, svg.Start, "bold", name)
	t.Block(t.left+14*u, y+64*u, (beside-28)*u, 19*u, 2, svg.Start, "", t.holdings(seat))
	t.Close()
}

// holdings says what a seat has beside its units.
func (t *table) holdings(seat int) string {
	parts := []string{fmt.Sprintf("special markers: %d", t.p.HandSize[seat])}
	for m, n := range t.p.Hand[seat] {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, minuteman.MarkerNames()[m]))
		}
	}
	if n := t.p.Due[seat]; n > 0 {
		parts = append(parts, fmt.Sprintf("units due: %d", n))
	}
	if int(t.p.Fed) == seat {
		parts = append(parts, "federalized")
	}
	if t.p.Gone>>seat&1 != 0 {
		parts = append(parts, "eliminated")
	}
	if int(t.p.Foreign.Seat) == seat {
		parts = append(parts, "has called foreign powers")
	}
	return strings.Join(parts, ", ")
}

// class is a class of units: its pictograms, with its strength and without.
type class struct {
	name, picture, plain string
	hollow               bool
	rebel                bool
}

// looks are the classes in the order of the actions. Those underground are open.
var looks = [...]class{
	{"weak Network", "NETWORK_WEAK", "network", false, true}, {"strong Network", "NETWORK_STRONG", "network", false, true},
	{"Network underground", "NETWORK_UNDERGROUND", "network", true, true}, {"weak Minuteman", "MINUTEMAN_WEAK", "minuteman", false, true},
	{"strong Minuteman", "MINUTEMAN_STRONG", "minuteman", false, true},
	{"weak Minuteman underground", "MINUTEMAN_WEAK_UNDERGROUND", "minuteman", true, true},
	{"strong Minuteman underground", "MINUTEMAN_STRONG_UNDERGROUND", "minuteman", true, true},
	{"Militia, the first", "MILITIA_1", "militia", false, true}, {"Militia, the second", "MILITIA_2", "militia", false, true},
	{"Militia, the third", "MILITIA_3", "militia", false, true}, {"Army", "ARMY", "army", false, false}, {"CIG", "CIG", "cig", false, false},
	{"weak Agent", "AGENT_WEAK", "agent", false, false}, {"strong Agent", "AGENT_STRONG", "agent", false, false},
	{"Informer", "INFORMER", "informer", false, false},
}

// classes draws the classes of units: the legend of the map, and where a decision asks for
// one, the choice.
func (t *table) classes(y float64) {
	step, u := beside*t.scale/classColumns, t.scale
	for i, c := range looks {
		x := t.left + float64(i%classColumns)*step
		top := y + float64(i/classColumns)*classRow*u
		space := t.names[int(minuteman.FirstClass)+i]
		t.CardPart(space, space, c.name)
		t.Rect(x, top, step-6*u, (classRow-6)*u, 8*u, "f-panel k-edge w1 aim")
		seat := int(t.p.Gov)
		if c.rebel {
			seat = (seat + 1) % t.seats
		}
		t.unit(seat, x+28*u, top+21*u, 17*u, &c, c.hollow, 0)
		t.Label(x+52*u, top+21*u, step-64*u, 18*u, 2, svg.Start, "", c.name)
		t.Close()
	}
}

// Cards tells about the units and markers.
func Cards(g engine.Game) []sheet.Card {
	texts := [...]string{
		"A Network builds Rebel units.", "A strong Network counts more in builds and in combat.", "Underground it defends doubled, and is not seen to act.",
		"A Minuteman moves by infiltration and helps builds.", "A strong Minuteman counts more in builds.", "A weak Minuteman that hides.",
		"A strong Minuteman that hides.", "Militia, a Rebel fighting unit; untried, its strength is known to nobody.", "The second Militia of a hex by arrival.",
		"The third Militia of a hex by arrival.", "A Division or Brigade; untried, its strength is known to nobody.", "A counter-insurgency group of one to six steps.",
		"An Agent of the Government.", "A strong Agent counts more.", "An Informer exposes what is built in its city.",
	}
	list := []sheet.Card{
		{Kind: "marker", Name: "riot", Title: "Riot", Text: "A filled flame: a city in open revolt."},
		{Kind: "marker", Name: "unrest", Title: "Unrest", Text: "An open flame: the hex is restless."},
		{Kind: "track", Name: "turns", Title: "Game-Turns", Text: "A Game-Turn is a season. R marks that of the Revolution."},
	}
	for i, c := range looks {
		name := g.Spec().Actions[int(minuteman.FirstClass)+i]
		list = append(list, sheet.Card{Kind: "unit", Name: name, Title: c.name, Text: texts[i]})
	}
	return list
}
