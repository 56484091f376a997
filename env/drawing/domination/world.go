package domination

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

// grounds are the colours of the Regions, in their order: neighbours have different ones.
var grounds = [domination.Regions]string{"f-plain", "f-wood", "f-hill", "f-wood", "f-town", "f-hill"}

// terrains are the signs on Land, in the order of the Regions.
var terrains = [domination.Regions]svg.Terrain{svg.Grass, svg.Wood, svg.Dune, svg.Wood, svg.Fir, svg.Hill}

// world draws the map: first the ground, then the borders of Regions, then the Areas.
func (t *table) world() {
	for area := range domination.Areas {
		ground, signs := "f-water", svg.Wave
		if r := t.facts.Areas[area].Region; r >= 0 {
			ground, signs = grounds[r], terrains[r]
		}
		for _, loop := range t.loops[area] {
			t.Polygon(ground, sheet.Scaled(loop, margin, mapY, square)...)
			t.Polygon(t.Terrain(signs), sheet.Scaled(loop, margin, mapY, square)...)
		}
	}
	t.barriers()
	t.regionBorders()
	for _, l := range t.lanes {
		t.lane(l)
	}
	for area := range domination.Areas {
		t.area(area)
	}
}

// barriers draws the squares of no Area, which keep apart what is not adjacent.
func (t *table) barriers() {
	for y := range t.cells {
		for x := range t.cells[y] {
			if t.at(x, y) < 0 {
				left, top := margin+float64(x)*square, mapY+float64(y)*square
				t.Rect(left, top, square, square, 0, "f-well")
				t.Polyline("none k-soft w2 round", svg.Point{X: left + 6, Y: top + 30}, svg.Point{X: left + 15, Y: top + 12}, svg.Point{X: left + 21, Y: top + 24},
					svg.Point{X: left + 26, Y: top + 16}, svg.Point{X: left + 34, Y: top + 30})
			}
		}
	}
}

// regionBorders draws the borders of Regions: they are stronger than those of Areas.
func (t *table) regionBorders() {
	for y := 0; y <= len(t.cells); y++ {
		for x := 0; x <= len(t.cells[0]); x++ {
			left, top := margin+float64(x)*square, mapY+float64(y)*square
			if t.region(x, y) != t.region(x-1, y) {
				t.Line(left, top, left, top+square, "k-ink w5 round")
			}
			if t.region(x, y) != t.region(x, y-1) {
				t.Line(left, top, left+square, top, "k-ink w5 round")
			}
		}
	}
}

func (t *table) lane(l lane) {
	t.Thing("", fmt.Sprintf("%s and %s are adjacent", t.facts.Areas[l.from].Name, t.facts.Areas[l.to].Name))
	for _, line := range l.lines {
		points := sheet.Scaled(line, margin, mapY, square)
		t.Polyline("none k-water w8 round", points...)
		t.Polyline("none k-ink w3 dash", points...)
	}
	t.Close()
}

// nameSize is that of the names of Areas: 11 pixels of a screen of 1280.
const nameSize = 17.6

// area draws an Area: its outline, its name, its Resource and the Force in it.
func (t *table) area(area int) {
	facts := &t.facts.Areas[area]
	t.Part(facts.ID, t.aboutArea(area))
	for _, loop := range t.loops[area] {
		t.Polygon("f-ground clear k-edge w1 aim", sheet.Scaled(loop, margin, mapY, square)...)
	}
	b := t.label[area]
	x, y := margin+float64(b.x)*square, mapY+float64(b.y)*square
	w, h := float64(b.w)*square, float64(b.h)*square
	owner := t.view.P.Owner(domination.AreaID(area))
	if h < 2*square { // one row: all in a line
		name := min(w*0.5, svg.Width(facts.Name, nameSize, true)+4)
		t.Name(x+w/2-name/2-20, y+h/2+6, name, nameSize, 1, svg.Middle, "", facts.Name)
		t.force(area, owner, x+w/2+name/2, y+h/2)
		t.Close()
		return
	}
	t.Name(x+w/2, y+20, w-6, nameSize, 2, svg.Middle, "", facts.Name)
	if facts.Resource >= 0 {
		t.symbol(facts.Resource, x+19, y+h-19)
		if name := t.facts.Resources[facts.Resource].Name; svg.Width(name, 14, false) <= w-84 {
			t.Text(x+38, y+h-13, 14, svg.Start, "soft", name)
		}
	}
	t.force(area, owner, x+w-24, y+h-21)
	t.Close()
}

// force draws the Force in an Area: filled if it is Full, open if it is Struggling.
func (t *table) force(area int, owner domination.SeatID, x, y float64) {
	if owner == domination.NoSeat {
		return
	}
	seat := int(owner)
	letter, full := t.Initial(engine.Player(seat)), t.p.Full>>area&1
	t.Token(fmt.Sprintf("force/%d/%d", seat, full), 1)
	defer t.Close()
	if full != 0 {
		t.Piece(seat, x, y, 17, letter)
		return
	}
	t.Seat(seat, x, y, 16, "f-ground w3 k-"+t.SeatColour(seat))
	t.Text(x, y+6, 16, svg.Middle, "bold", letter)
}

func (t *table) aboutArea(area int) string {
	facts := &t.facts.Areas[area]
	text := facts.Name
	if facts.Region >= 0 {
		text += fmt.Sprintf(" (%s, %s)", t.facts.Regions[facts.Region].Name, t.facts.Resources[facts.Resource].Name)
	}
	switch owner := t.view.P.Owner(domination.AreaID(area)); {
	case owner == domination.NoSeat:
		text += ": empty"
	case t.p.Full>>area&1 != 0:
		text += fmt.Sprintf(": a Full Force of seat %d", owner)
	default:
		text += fmt.Sprintf(": a Struggling Force of seat %d", owner)
	}
	var borders []string
	for other := range domination.Areas {
		if facts.Adjacent>>other&1 != 0 {
			borders = append(borders, t.facts.Areas[other].Name)
		}
	}
	return text + "; borders " + strings.Join(borders, ", ")
}

// groups draws the Regions, and below them the Resources, with who holds their Areas.
func (t *table) groups() {
	for i := range domination.Regions {
		t.group("regions", &t.facts.Regions[i], grounds[i], i, groupsY)
		t.group("resources", &t.facts.Resources[i], "f-panel", i, groupsY+62)
	}
}

func (t *table) group(card string, g *domination.Group, ground string, i int, y float64) {
	const w = (boardW - 2*margin + 6) / domination.Regions
	x := margin + float64(i)*w
	var areas []string
	for area := range domination.Areas {
		if g.Areas>>area&1 != 0 {
			areas = append(areas, t.facts.Areas[area].Name)
		}
	}
	t.Thing(card, g.Name+": "+strings.Join(areas, ", "))
	t.Rect(x, y, w-6, 56, 8, ground+" k-edge w1")
	if card == "resources" {
		t.symbol(i, x+w-28, y+38)
	}
	t.Fit(x+8, y+21, w-22, 16, svg.Start, "bold", g.Name)
	at := x + 20
	for area := range domination.Areas {
		if g.Areas>>area&1 == 0 {
			continue
		}
		if owner := t.view.P.Owner(domination.AreaID(area)); owner != domination.NoSeat {
			t.Piece(int(owner), at, y+40, 11, t.Initial(engine.Player(owner)))
		} else {
			t.Circle(at, y+40, 9, "none k-soft w2 dash")
		}
		at += 30
	}
	t.Close()
}

// symbol draws a Resource around x, y, in their order: a chip, a mast, a stone, a drop, a
// works, a plant.
func (t *table) symbol(resource int, x, y float64) {
	at := func(pairs ...float64) []svg.Point {
		points := make([]svg.Point, len(pairs)/2)
		for i := range points {
			points[i] = svg.Point{X: x + pairs[2*i], Y: y + pairs[2*i+1]}
		}
		return points
	}
	const stroke = "none k-ink w2 round"
	switch resource {
	case 0:
		for _, d := range []float64{-5, 0, 5} {
			t.Line(x+d, y-12, x+d, y+12, "k-ink w2")
			t.Line(x-12, y+d, x+12, y+d, "k-ink w2")
		}
		t.Rect(x-8, y-8, 16, 16, 2, "f-ground k-ink w2")
	case 1:
		t.Polyline(stroke, at(-7, 12, 0, -4, 7, 12)...)
		t.Line(x-4, y+5, x+4, y+5, "k-ink w2")
		t.Circle(x, y-6, 3, "f-ink")
		t.Polyline(stroke, at(-7, -12, -10, -6, -7, 0)...)
		t.Polyline(stroke, at(7, -12, 10, -6, 7, 0)...)
	case 2:
		t.Polygon("f-ground k-ink w2 round", at(-11, 5, -6, -8, 3, -10, 11, -2, 8, 9, -4, 10)...)
		t.Polyline(stroke, at(-6, -8, 0, 1, 3, -10)...)
		t.Polyline(stroke, at(0, 1, 8, 9)...)
	case 3:
		t.Polygon("f-ink", at(0, -12, 5, -4, 8, 3, 7, 8, 3, 11, -3, 11, -7, 8, -8, 3, -5, -4)...)
	case 4:
		t.Polygon("f-ink", at(-11, 11, -11, -11, -6, -11, -5, 0, 1, -5, 1, 0, 7, -5, 7, 0, 11, -2, 11, 11)...)
	default:
		t.Line(x, y-11, x, y+12, "k-ink w2")
		t.Polygon("f-ink", at(0, 5, -9, 3, -10, -4, -3, -2)...)
		t.Polygon("f-ink", at(0, 1, 9, -1, 10, -8, 3, -6)...)
	}
}
