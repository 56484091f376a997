package bloc

import (
	"fmt"
	"strings"

	"powderkeg/engine/bloc"
	"powderkeg/env/drawing/svg"
)

var typeNames = [bloc.Types]string{"workers", "students", "neighbors", "prisoners", "State", "public", "commercial", "highway"}

// grounds are the colours of the districts by their type, and scenes the pictograms on them: of those of factions,
// their homes.
var (
	grounds = [bloc.Types]string{"f-panel", "f-panel", "f-panel", "f-panel", "f-town", "f-wood", "f-plain", "f-ground"}
	scenes  = [bloc.Types]string{"workers", "students", "neighbors", "prisoners", "state", "public", "commercial"}
)

// nameSize is that of the names of tiles: 11 pixels of a screen of 1280.
const nameSize = 19.4

// corner returns the upper left corner of the tile in a cell.
func corner(c bloc.CellID) (x, y float64) {
	return margin + float64(c%bloc.Side)*(tileW+gapW), cityY + float64(c/bloc.Side)*(tileH+gapH)
}

// city draws the streets between the tiles, then the tiles.
func (t *table) city() {
	for c := range bloc.CellID(bloc.Cells) {
		if c%bloc.Side < bloc.Side-1 {
			t.street(c, bloc.East, c+1)
		}
		if c/bloc.Side < bloc.Side-1 {
			t.street(c, bloc.South, c+bloc.Side)
		}
	}
	for c := range bloc.CellID(bloc.Cells) {
		t.cell(c)
	}
}

// street draws the way between two cells, with its barricades, where both are open.
func (t *table) street(c bloc.CellID, arm bloc.Arm, far bloc.CellID) {
	if !t.view.Open(c, arm) || !t.view.Open(far, arm.Opposite()) {
		return
	}
	x, y := corner(c)
	if arm == bloc.East {
		x, y = x+tileW+gapW/2, y+tileH/2
	} else {
		x, y = x+tileW/2, y+tileH+gapH/2
	}
	n := t.barricades(c, arm)
	if t.view.Tile(c).Type == bloc.TypeHighway {
		n = t.barricades(far, arm.Opposite())
	}
	title := fmt.Sprintf("street between %s and %s", t.view.TileName(c), t.view.TileName(far))
	if n > 0 {
		title += fmt.Sprintf(", barricades: %d", n)
	}
	t.CardPart(street(c, arm), "barricade", title)
	w, h := gapW, 44.0
	if arm == bloc.South {
		w, h = h, gapH
	}
	t.Rect(x-w/2, y-h/2, w, h, 2, "f-well k-edge w1 aim")
	if n > 0 {
		t.barricade(x, y, arm == bloc.East, n)
	}
	t.Close()
}

// barricades returns how many stand where a district's street leaves it: 0 for a highway.
func (t *table) barricades(c bloc.CellID, arm bloc.Arm) int {
	x, ok := t.view.Connection(c, arm)
	if !ok {
		return 0
	}
	return x.Here
}

// barricade draws bars across a street, and their number.
func (t *table) barricade(x, y float64, across bool, n int) {
	t.Token("barricade", n)
	defer t.Close()
	for _, d := range [2]float64{-1, 1} {
		if across {
			t.Line(x+d*8, y-20, x+d*8, y+20, "k-ink w5")
		} else {
			t.Line(x-20, y+d*8, x+20, y+d*8, "k-ink w5")
		}
	}
	t.Circle(x, y, 10, "f-ground k-ink w2")
	t.Text(x, y+5.5, 15, svg.Middle, "bold", fmt.Sprint(n))
}

// cell draws a tile: its name and numbers, and what stands on it.
func (t *table) cell(c bloc.CellID) {
	x, y := corner(c)
	facts := t.view.Tile(c)
	t.Part(fmt.Sprintf("CELL_%d", c), t.aboutCell(c))
	switch {
	case !facts.Laid:
		t.Rect(x, y, tileW, tileH, 10, "none k-edge w2 dash aim")
	case facts.Type == bloc.TypeHighway:
		t.highway(c, x, y)
	default:
		t.district(c, x, y)
	}
	t.Close()
}

// highway draws the two roads over a highway.
func (t *table) highway(c bloc.CellID, x, y float64) {
	t.Rect(x, y, tileW, tileH, 10, "f-ground k-edge w1 aim")
	ends := [4]svg.Point{{X: x + tileW/2, Y: y}, {X: x + tileW, Y: y + tileH/2}, {X: x + tileW/2, Y: y + tileH}, {X: x, Y: y + tileH/2}}
	centre := svg.Point{X: x + tileW/2, Y: y + tileH/2}
	for in := range bloc.Arm(bloc.Arms) {
		out := t.view.Through(c, in)
		if out < in {
			continue
		}
		a, b := ends[in], ends[out]
		points := []svg.Point{a, b}
		if in.Opposite() != out { // a bend: towards the centre and away from it
			near := func(p svg.Point) svg.Point {
				return svg.Point{X: p.X + (centre.X-p.X)*0.55, Y: p.Y + (centre.Y-p.Y)*0.55}
			}
			points = []svg.Point{a, near(a), near(b), b}
		}
		t.Polyline("none k-edge w20", points...)
		t.Polyline("none k-ground w2 dash", points...)
	}
	t.Name(x+8, y+22, 68, nameSize, 2, svg.Start, "soft", t.view.TileName(c))
}

// district draws a district.
func (t *table) district(c bloc.CellID, x, y float64) {
	facts := t.view.Tile(c)
	edge := grounds[facts.Type] + " k-edge w1 aim"
	if facts.Liberated {
		edge = "f-mark k-ink w5 aim"
	}
	t.Rect(x, y, tileW, tileH, 10, edge)
	t.Pictogram(scenes[facts.Type], x+tileW*0.47, y+tileH*0.63, 92, "f-ink ghost")
	t.band(c, facts, x, y)
	t.Text(x+10, y+65, 15, svg.Start, "soft", fmt.Sprintf("#%d", facts.PoliceID))
	if int(facts.Type) >= bloc.Factions {
		t.Fit(x+48, y+65, 70, 14, svg.Start, "soft", typeNames[facts.Type])
	}
	if facts.Metro {
		t.Rect(x+tileW-63, y+50, 25, 25, 5, "f-ground k-ink w1")
		t.Pictogram("metro", x+tileW-50.5, y+62.5, 21, "f-ink")
	}
	t.Regular(x+tileW-19, y+64, 15, 6, 30, "f-ground k-ink w2")
	t.Text(x+tileW-19, y+70, 16, svg.Middle, "bold", fmt.Sprint(facts.Difficulty))
	t.blocs(c, x+8, y+94)
	t.cops(c, x+8, y+126)
	t.shops(c, x+tileW-14, y+126)
	if h := t.p.Holder[c]; h > 0 {
		f := int(h.Faction())
		t.Token(occupationPiece(h.Faction(), h.Kind()), 1)
		t.house(f, x+18, y+150)
		t.Fit(x+36, y+155, tileW-44, 15, svg.Start, "bold", t.cards.Occupations[f][h.Kind()].Name)
		t.Close()
	} else if facts.Circle {
		t.Circle(x+18, y+150, 9, "none k-edge w2 dash")
	}
}

// band draws the name of a district, in the colour and with the piece of the faction whose
// home it is.
func (t *table) band(c bloc.CellID, facts *bloc.TileFacts, x, y float64) {
	fill, ink, left := "f-well", "", x+10
	f := int(facts.Type)
	home := f < bloc.Factions
	if home {
		fill, ink, left = "f-"+t.SeatColour(f), "f-on", x+34
	}
	t.Rect(x+4, y+4, tileW-8, 44, 7, fill)
	if home {
		t.Seat(f, x+19, y+26, 9, "f-on")
	}
	name := strings.TrimPrefix(t.view.TileName(c), "Autonomous Zone: ")
	room, lines := x+tileW-9-left, 2
	first := y + 26 + nameSize*0.36
	if len(svg.NameLines(name, room, nameSize, lines)) > 1 {
		first = y + 23
	}
	t.Name(left, first, room, nameSize, lines, svg.Start, ink, name)
}

// blocs draws the blocs of the factions, from the left.
func (t *table) blocs(c bloc.CellID, x, y float64) {
	for f := range bloc.FactionID(bloc.Factions) {
		if n := t.p.Blocs[f][c]; n > 0 {
			t.Token("bloc/"+f.String(), int(n))
			t.Piece(int(f), x+16, y, 15, fmt.Sprint(n))
			t.Close()
			x += 40
		}
	}
}

// cops draws riot cops as a shield, and a riot van with its hits.
func (t *table) cops(c bloc.CellID, x, y float64) {
	if n := t.p.Cops[c]; n > 0 {
		t.Token("cop", int(n))
		t.Polygon("f-ink", svg.Point{X: x + 2, Y: y - 15}, svg.Point{X: x + 28, Y: y - 15},
			svg.Point{X: x + 28, Y: y + 4}, svg.Point{X: x + 15, Y: y + 17}, svg.Point{X: x + 2, Y: y + 4})
		t.Text(x+15, y+5, 16, svg.Middle, "f-ground bold", fmt.Sprint(n))
		t.Close()
		x += 36
	}
	if n := t.p.Van[c]; n > 0 {
		t.Token("van", 1)
		defer t.Close()
		t.Rect(x+2, y-12, 42, 20, 5, "f-ink")
		t.Circle(x+12, y+10, 5, "f-ink k-ground w2")
		t.Circle(x+34, y+10, 5, "f-ink k-ground w2")
		for hit := range n - 1 {
			left := x + 8 + float64(hit)*16
			t.Line(left, y-8, left+10, y+3, "k-ground w3")
			t.Line(left+10, y-8, left, y+3, "k-ground w3")
		}
	}
}

// shops draws shopping centres from the right: open, struck through if graffitied, filled
// if burned.
func (t *table) shops(c bloc.CellID, x, y float64) {
	for state, class := range [3]string{"f-ground k-ink w2", "f-ground k-ink w2", "f-ink k-ink w2"} {
		for range t.p.Centers[state][c] {
			x -= 18
			t.Token(fmt.Sprintf("shop/%d", state), 1)
			t.Rect(x+4, y-7, 14, 14, 1, class)
			if state == int(bloc.Graffitied) {
				t.Line(x+4, y+7, x+18, y-7, "k-ink w2")
			}
			t.Close()
		}
	}
}

func (t *table) house(f int, x, y float64) {
	t.Polygon("f-"+t.SeatColour(f)+" k-ink w2", svg.Point{X: x - 11, Y: y + 10}, svg.Point{X: x - 11, Y: y - 2},
		svg.Point{X: x, Y: y - 12}, svg.Point{X: x + 11, Y: y - 2}, svg.Point{X: x + 11, Y: y + 10})
	t.Seat(f, x, y+2, 4.5, "f-on")
}

// aboutCell says all of a cell in words.
func (t *table) aboutCell(c bloc.CellID) string {
	facts := t.view.Tile(c)
	if !facts.Laid {
		return fmt.Sprintf("cell %d: no tile yet", c)
	}
	parts := []string{fmt.Sprintf("cell %d, %s: %s", c, t.view.TileName(c), typeNames[facts.Type])}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if facts.PoliceID > 0 {
		add("police ID %d, difficulty %d", facts.PoliceID, facts.Difficulty)
	}
	if facts.Liberated {
		add("liberated")
	}
	if facts.Metro {
		add("metro")
	}
	for f := range bloc.FactionID(bloc.Factions) {
		if n := t.p.Blocs[f][c]; n > 0 {
			add("blocs of the %s: %d", f, n)
		}
		if n := t.p.Attacked[f][c]; n > 0 {
			add("of which have attacked: %d", n)
		}
	}
	if n := t.p.Cops[c]; n > 0 {
		add("riot cops: %d", n)
	}
	if n := t.p.Van[c]; n > 0 {
		add("a riot van with %d hits", n-1)
	}
	if s := &t.p.Centers; s[bloc.Unlooted][c]+s[bloc.Graffitied][c]+s[bloc.Burned][c] > 0 {
		add("shopping centres unlooted %d, graffitied %d, burned %d", s[bloc.Unlooted][c], s[bloc.Graffitied][c], s[bloc.Burned][c])
	}
	if h := t.p.Holder[c]; h > 0 {
		add("%s of the %s", t.cards.Occupations[h.Faction()][h.Kind()].Name, h.Faction())
	}
	if t.p.Protected.Has(c) {
		add("its occupation cannot be evicted")
	}
	if n := t.p.Boost[c]; n > 0 {
		add("counts as %d blocs more", n)
	}
	return strings.Join(parts, "; ")
}
