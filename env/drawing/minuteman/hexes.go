package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine/minuteman"
	"powderkeg/env/drawing/svg"
)

// Terrain, as HexFacts numbers it: its colour and its name.
var terrains = [...]struct {
	ground, name string
	signs        svg.Terrain
}{
	{"f-plain", "clear", svg.Grass}, {"f-wood", "southern winter cover", svg.Wood}, {"f-town", "northern winter cover", svg.Fir},
	{"f-hill", "rough, brushland", svg.Hill},
}

var countries = [...]string{"US", "Canada", "Mexico"}

// centre returns where a hex lies. Columns of even numbers lie half a hex lower.
func (t *table) centre(h int) (x, y float64) {
	f := t.view.Facts(h)
	x = margin + 8 + radius + float64(f.Column-t.column)*across
	y = mapY + 8 + down/2 + float64(f.Row-t.row)*down
	if f.Column%2 == 0 {
		y += down / 2
	}
	return x, y
}

// ground draws the hexes in play, all of one terrain at once.
func (t *table) ground() {
	var shapes [len(terrains)][][]svg.Point
	for h := t.view.Playable().Next(0); h != minuteman.NoHex; h = t.view.Playable().Next(h + 1) {
		x, y := t.centre(h)
		kind := t.view.Facts(h).Terrain
		shapes[kind] = append(shapes[kind], svg.Corners(x, y, radius, 6, 0))
	}
	for kind, list := range shapes {
		if list == nil {
			continue
		}
		t.Path(terrains[kind].ground+" k-edge w1", list...)
		if kind > 0 { // what is clear stays so
			t.Path(t.Terrain(terrains[kind].signs), list...)
		}
	}
}

// hex draws a hex: its outline and number, the centre of population, the markers, and what
// stands there.
func (t *table) hex(h int) {
	x, y := t.centre(h)
	f := t.view.Facts(h)
	number, name := t.view.Printed(h)
	units := t.unitsOf(h)
	outline := "f-ground clear aim"
	if h == t.chosen[0] || h == t.chosen[1] {
		outline = "f-mark k-ink w3 aim"
	}
	t.Part(t.space(h), t.about(h, units))
	t.Regular(x, y, radius, 6, 0, outline)
	switch f.Population {
	case 1:
		t.Circle(x, y+2, 13, "f-ground k-ink w2")
	case 2:
		t.Circle(x, y+2, 8, "f-ground k-ink w1")
	}
	t.Text(x, y-12, 8, svg.Middle, "soft", number)
	if name != "" {
		t.Fit(x, y+18.5, 38, 7.5, svg.Middle, "", name)
	}
	switch {
	case t.view.Riot(h):
		t.flame(x+15, y-11, "f-danger k-ink w1")
	case t.p.Unrest.Has(h):
		t.flame(x+15, y-11, "f-ground k-danger w2")
	}
	if t.view.Informer(h) {
		t.informer(x-15, y-12, 4.5)
	}
	t.units(units, x, y+2)
	t.Close()
}

func (t *table) flame(x, y float64, class string) {
	t.Polygon(class, svg.Point{X: x, Y: y - 8}, svg.Point{X: x + 3, Y: y - 2}, svg.Point{X: x + 5, Y: y - 4}, svg.Point{X: x + 6, Y: y + 3},
		svg.Point{X: x + 3, Y: y + 6}, svg.Point{X: x - 3, Y: y + 6}, svg.Point{X: x - 6, Y: y + 2}, svg.Point{X: x - 4, Y: y - 3})
}

func (t *table) informer(x, y, r float64) {
	t.Rect(x-r, y-r, 2*r, 2*r, r/3, "f-ink")
	t.Text(x, y+r*0.65, r*1.7, svg.Middle, "f-ground bold", "i")
}

// group are units of a hex that look alike.
type group struct {
	seat   int
	letter string
	hollow bool
	count  int
	what   string
}

// unitsOf returns the units of a hex, alike ones together, in order of arrival.
func (t *table) unitsOf(h int) []group {
	var list []group
	t.view.UnitsIn(h, func(u int) {
		v := t.view.Unit(u)
		g := group{seat: v.Owner, hollow: v.Underground, count: 1}
		strong := v.Step == 1
		switch {
		case u < minuteman.FirstMinuteman:
			g.letter, g.what = pick(strong, "N", "n"), pick(strong, "strong Network", "weak Network")
		case u < minuteman.FirstMilitia:
			g.letter, g.what = pick(strong, "M", "m"), pick(strong, "strong Minuteman", "weak Minuteman")
		case u < minuteman.FirstArmy:
			g.letter, g.what = "L", fmt.Sprintf("Militia %s", strength(&v))
		case u < minuteman.FirstAgent:
			g.letter, g.what = "A", fmt.Sprintf("Army %s", strength(&v))
			if v.Pinned {
				g.what += ", pinned"
			}
		case u < minuteman.FirstCIG:
			g.letter, g.what = pick(strong, "G", "g"), pick(strong, "strong Agent", "weak Agent")
		default:
			g.letter, g.what = fmt.Sprintf("C%d", v.Step), fmt.Sprintf("CIG of %d steps", v.Step)
		}
		if v.Underground {
			g.what += " underground"
		}
		for i := range list {
			if o := &list[i]; o.seat == g.seat && o.letter == g.letter && o.hollow == g.hollow {
				o.count++
				o.what += ", " + g.what
				return
			}
		}
		list = append(list, g)
	})
	return list
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// strength says the strength of Militia and Army: a mean, if it is untried.
func strength(v *minuteman.Unit) string {
	text := fmt.Sprintf("%.3g-%.3g", v.Attack, v.Defence)
	if v.Untried {
		text += " untried"
	}
	return text
}

// units draws the groups of a hex around its centre: one large, up to two middling side by
// side, more in two rows.
func (t *table) units(list []group, x, y float64) {
	n := len(list)
	columns, r := n, 10.5
	switch {
	case n > 2:
		columns, r = (n+1)/2, min(6.2, 30/float64(n+1))
	case n == 2:
		r = 8.2
	}
	for i, g := range list {
		row, column := i/columns, i%columns
		wide := min(columns, n-row*columns)
		left := x + (float64(column)-float64(wide-1)/2)*(2*r+1)
		top := y
		if n > 2 {
			top += (float64(row) - 0.5) * (2*r + 0.5)
		}
		letter := g.letter
		if g.count > 1 {
			letter += fmt.Sprint(g.count)
		}
		t.unit(g.seat, left, top, r, letter, g.hollow)
	}
}

// unit draws a piece of a seat, open if it is underground.
func (t *table) unit(seat int, x, y, r float64, letter string, hollow bool) {
	if !hollow {
		t.Piece(seat, x, y, r, letter)
		return
	}
	t.Seat(seat, x, y, r-1, "f-ground w2 k-"+t.SeatColour(seat))
	t.Fit(x, y+r*0.4, r*1.4, r*1.15, svg.Middle, "bold", letter)
}

// about says all of a hex in words.
func (t *table) about(h int, units []group) string {
	f := t.view.Facts(h)
	number, name := t.view.Printed(h)
	parts := []string{strings.TrimSpace(number + " " + name), terrains[f.Terrain].name}
	if f.Country > 0 {
		parts = append(parts, countries[f.Country])
	}
	if f.Population > 0 {
		parts = append(parts, "Population "+strings.Repeat("I", f.Population))
	}
	switch {
	case t.view.Riot(h):
		parts = append(parts, "Riot")
	case t.p.Unrest.Has(h):
		parts = append(parts, "Unrest")
	}
	if t.view.Informer(h) {
		parts = append(parts, "Informer")
	}
	for _, g := range units {
		parts = append(parts, fmt.Sprintf("seat %d: %s", g.seat, g.what))
	}
	return strings.Join(parts, "; ")
}

// borders draws the sides that nobody may pass, and those between countries, over all hexes.
func (t *table) borders() {
	t.Thing("", "borders: full lines cannot be passed, broken ones divide countries")
	for h := t.view.Playable().Next(0); h != minuteman.NoHex; h = t.view.Playable().Next(h + 1) {
		f := t.view.Facts(h)
		x, y := t.centre(h)
		corners := svg.Corners(x, y, radius, 6, -120) // from the left end of the north side, clockwise
		for side, other := range f.Beside {
			if other == minuteman.NoHex || other < h {
				continue
			}
			a, b := corners[side], corners[(side+1)%6]
			switch {
			case f.Near[side] == minuteman.NoHex:
				t.Line(a.X, a.Y, b.X, b.Y, "k-ink w5 round")
			case t.view.Facts(other).Country != f.Country:
				t.Line(a.X, a.Y, b.X, b.Y, "k-ink w3 dash")
			}
		}
	}
	t.Close()
}
