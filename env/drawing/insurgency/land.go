package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine/insurgency"
	"powderkeg/env/drawing/svg"
)

var (
	grounds  = map[string]string{"forest": "f-wood", "mountain": "f-hill", "desert": "f-plain", "open": "f-town"}
	terrains = map[string]svg.Terrain{"forest": svg.Wood, "mountain": svg.Hill, "desert": svg.Dune, "open": svg.Grass}
)

// statuses are the letters and the looks of the statuses of a space: the Federal's colour
// for Order and Anger, the Rebel's for Defiance and Revolt, filled where they score.
var statuses = [...]struct{ letter, name string }{
	insurgency.Order: {"O", "Order"}, insurgency.Anger: {"A", "Anger"}, insurgency.Defiance: {"D", "Defiance"},
	insurgency.Revolt: {"R", "Revolt"}, insurgency.Unmarked: {"–", "unmarked"},
}

// place returns points of the grid in units of the drawing.
func place(points []svg.Point) []svg.Point {
	placed := make([]svg.Point, len(points))
	for i, p := range points {
		placed[i] = svg.Point{X: margin + p.X*across, Y: mapY + p.Y*down}
	}
	return placed
}

// land draws the map: the ground, the roads, then what is in the spaces.
func (t *table) land() {
	for _, class := range [...]string{"f-water", t.Terrain(svg.Wave)} {
		t.Rect(margin, mapY, float64(t.columns)*across, float64(len(t.rows))*down, 6, class)
	}
	for _, r := range t.regions {
		terrain := t.box.Space(r.space).Terrain
		for _, loop := range r.outline {
			t.Polygon(grounds[terrain]+" k-edge w2", place(loop)...)
			t.Polygon(t.Terrain(terrains[terrain]), place(loop)...)
		}
	}
	t.Thing("interstate", "interstates")
	for _, road := range t.roads {
		t.Polyline("none k-soft w5 round faint", place(road)...)
	}
	t.Close()
	for _, r := range t.regions {
		t.region(r)
	}
	for _, m := range t.metros {
		t.metro(m)
	}
	t.legend()
}

// legend names the statuses, in the ocean.
func (t *table) legend() {
	corner := place([]svg.Point{{X: 13, Y: 14}})[0]
	for i, status := range [4]int{insurgency.Order, insurgency.Anger, insurgency.Defiance, insurgency.Revolt} {
		x := corner.X + 14 + float64(i)*88
		t.badge(status, x, corner.Y+23)
		t.Text(x+14, corner.Y+28, 13, svg.Start, "", statuses[status].name)
	}
}

func (t *table) region(r region) {
	facts := t.box.Space(r.space)
	t.Part(facts.ID, t.aboutSpace(r.space))
	for _, loop := range r.outline {
		t.Polygon("f-ground clear k-edge w1 aim", place(loop)...)
	}
	at := place([]svg.Point{r.panel})[0]
	if facts.Population == 0 { // Canada and Mexico are a row high, and have no population
		t.Rect(at.X, at.Y+4, 300, down-8, 6, "f-panel k-edge w1")
		t.Name(at.X+10, at.Y+30, 140, nameSize, 1, svg.Start, "", facts.Name)
		t.badge(int(t.p.Spaces[r.space].Status), at.X+100, at.Y+23)
		t.pieces(r.space, at.X+120, at.Y+23, 176, 1)
		t.Close()
		return
	}
	t.Rect(at.X, at.Y, 100, 84, 6, "f-panel k-edge w1")
	t.Name(at.X+50, at.Y+17, 96, nameSize, 1, svg.Middle, "", facts.Name)
	t.site(r.space, at.X, at.Y+20, 100)
	t.Close()
}

// metro draws a city, on the left, and its suburb, on the right, under their common name.
func (t *table) metro(m metro) {
	at := place([]svg.Point{m.corner})[0]
	x, y := at.X+4, at.Y+3
	t.Rect(at.X, at.Y, 3*across, 2*down, 0, "f-ground k-ink w2")
	name := strings.TrimSuffix(t.box.Space(m.city).Name, " city")
	t.Name(x+71, y+16, 136, nameSize, 1, svg.Middle, "", name)
	for i, space := range [2]int{m.city, m.suburb} {
		left := x + 3 + float64(i)*69
		class := "f-well k-edge w1 aim"
		if i == 1 {
			class = "f-panel k-edge w1 dash aim"
		}
		t.Part(t.box.Space(space).ID, t.aboutSpace(space))
		t.Rect(left, y+20, 67, 63, 5, class)
		t.site(space, left, y+20, 67)
		t.Close()
	}
}

// site draws what is in a space into a panel of a width, from y on 64 high.
func (t *table) site(space int, x, y, w float64) {
	t.badge(int(t.p.Spaces[space].Status), x+14, y+13)
	facts := t.box.Space(space)
	t.person(x+31, y+13)
	t.Text(x+37, y+19, 16, svg.Start, "bold", fmt.Sprint(facts.Population))
	switch facts.Kind {
	case insurgency.City:
		t.skyline(x+w-10, y+19)
	case insurgency.Suburb:
		t.cottage(x+w-10, y+19)
	}
	t.pieces(space, x+2, y+34, w-4, 2)
}

// badge draws the marker of a status around x, y.
func (t *table) badge(status int, x, y float64) {
	side := 1
	if status == insurgency.Defiance || status == insurgency.Revolt {
		side = 0
	}
	colour, class := t.SeatColour(side), "bold"
	t.Token("status/"+statuses[status].letter, 1)
	defer t.Close()
	switch status {
	case insurgency.Unmarked:
		t.Circle(x, y, 10, "none k-edge w2 dash")
	case insurgency.Order, insurgency.Revolt:
		t.Seat(side, x, y, 10.5, "f-"+colour)
		class = "f-on bold"
	default:
		t.Seat(side, x, y, 9.5, "f-ground w3 k-"+colour)
	}
	t.Text(x, y+5.5, 15, svg.Middle, class, statuses[status].letter)
}

// person draws the sign of population.
func (t *table) person(x, y float64) {
	t.Circle(x, y-5, 3.5, "f-soft")
	t.Polygon("f-soft", svg.Point{X: x - 5, Y: y + 7}, svg.Point{X: x - 4, Y: y}, svg.Point{X: x + 4, Y: y}, svg.Point{X: x + 5, Y: y + 7})
}

// skyline draws the sign of a city, and cottage that of a suburb, standing on y.
func (t *table) skyline(x, y float64) {
	t.Rect(x-7, y-9, 4, 9, 0, "f-soft")
	t.Rect(x-2, y-14, 4, 14, 0, "f-soft")
	t.Rect(x+3, y-11, 4, 11, 0, "f-soft")
}

func (t *table) cottage(x, y float64) {
	t.Polygon("f-soft", svg.Point{X: x - 7, Y: y - 6}, svg.Point{X: x, Y: y - 13}, svg.Point{X: x + 7, Y: y - 6}, svg.Point{X: x + 5, Y: y - 6},
		svg.Point{X: x + 5, Y: y}, svg.Point{X: x - 5, Y: y}, svg.Point{X: x - 5, Y: y - 6})
}

// piece is a kind of piece or marker in a space.
type piece struct {
	n    uint8
	kind string
	draw func(x, y, r float64, n string)
}

// pieces draws the pieces of a space in rows of a width; the first row is around y.
func (t *table) pieces(space int, x, y, w float64, rows int) {
	s := &t.p.Spaces[space]
	var list []piece
	add := func(n uint8, kind string, draw func(x, y, r float64, n string)) {
		if n > 0 {
			list = append(list, piece{n, kind, draw})
		}
	}
	add(s.Agents, "agent", func(x, y, r float64, n string) { t.Piece(1, x, y, r, n) })
	add(s.Active, "active", func(x, y, r float64, n string) { t.Piece(0, x, y, r, n) })
	add(s.Sleepers, "sleeper", func(x, y, r float64, n string) {
		t.Circle(x, y, r-1, "f-ground w3 k-"+t.SeatColour(0))
		t.Text(x, y+r*0.4, r*1.15, svg.Middle, "bold", n)
	})
	add(s.FederalBases, "base/1", func(x, y, r float64, n string) { t.base(1, x, y, r, n) })
	add(s.RebelBases, "base/0", func(x, y, r float64, n string) { t.base(0, x, y, r, n) })
	add(s.Unrest, "unrest", t.unrest)
	if int(t.p.Plague) == space {
		add(1, "plague", func(x, y, r float64, _ string) {
			t.Regular(x, y, r, 8, 22.5, "f-ink")
			t.Text(x, y+r*0.4, r*1.1, svg.Middle, "f-ground bold", "P")
		})
	}
	columns := max((len(list)+rows-1)/rows, 3)
	step := min(24, w/float64(columns))
	for i, p := range list {
		t.Token(p.kind, int(p.n))
		p.draw(x+(float64(i%columns)+0.5)*step, y+float64(i/columns)*23, min(11, step/2-0.5), fmt.Sprint(p.n))
		t.Close()
	}
}

// base draws a house in the colour of a side, with its shape as the window.
func (t *table) base(side int, x, y, r float64, n string) {
	t.Polygon("f-"+t.SeatColour(side)+" k-ink w2", svg.Point{X: x - r, Y: y + r}, svg.Point{X: x - r, Y: y - r*0.2}, svg.Point{X: x, Y: y - r*1.1},
		svg.Point{X: x + r, Y: y - r*0.2}, svg.Point{X: x + r, Y: y + r})
	if n != "1" {
		t.Text(x, y+r*0.75, r*1.1, svg.Middle, "f-on bold", n)
		return
	}
	t.Seat(side, x, y+r*0.35, r*0.4, "f-on")
}

// unrest draws a flame with the number of Unrest markers.
func (t *table) unrest(x, y, r float64, n string) {
	t.Polygon("f-danger", svg.Point{X: x, Y: y - r*1.1}, svg.Point{X: x + r*0.4, Y: y - r*0.3}, svg.Point{X: x + r*0.75, Y: y - r*0.6}, svg.Point{X: x + r, Y: y + r*0.4},
		svg.Point{X: x + r*0.5, Y: y + r}, svg.Point{X: x - r*0.5, Y: y + r}, svg.Point{X: x - r, Y: y + r*0.4}, svg.Point{X: x - r*0.6, Y: y - r*0.5})
	t.Text(x, y+r*0.75, r*1.15, svg.Middle, "f-on bold", n)
}

// aboutSpace says all of a space in words.
func (t *table) aboutSpace(space int) string {
	facts, s := t.box.Space(space), &t.p.Spaces[space]
	parts := []string{fmt.Sprintf("%s: %s", facts.Name, statuses[s.Status].name), fmt.Sprintf("population %d", facts.Population)}
	if facts.Kind == insurgency.Region {
		parts = append(parts, facts.Terrain)
	}
	for _, c := range []struct {
		n    uint8
		what string
	}{
		{s.Unrest, "Unrest"}, {s.Agents, "agents"}, {s.Active, "active militia"}, {s.Sleepers, "sleepers"},
		{s.FederalBases, "Federal bases"}, {s.RebelBases, "Rebel bases"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if int(t.p.Plague) == space {
		parts = append(parts, "the Plague")
	}
	return strings.Join(parts, ", ")
}
