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
		t.Place(x, y+18.5, 38, 7.5, f.Population, name)
	}
	switch {
	case t.view.Riot(h):
		t.Token("riot", 1)
		t.Pictogram("riot", x+15, y-11, 17, "f-danger k-ground w1")
		t.Close()
	case t.p.Unrest.Has(h):
		t.Token("unrest", 1)
		t.Pictogram("unrest", x+15, y-11, 17, "f-danger")
		t.Close()
	}
	if t.view.Informer(h) {
		t.Token("informer", 1)
		t.Pictogram("informer", x-15, y-11, 12, "f-ink")
		t.Close()
	}
	t.units(units, x, y+2)
	t.Close()
}

// group are units of a hex that look alike.
type group struct {
	seat   int
	look   int // its class, by its number in looks
	hollow bool
	count  int
	steps  int // of a CIG
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
			g.look, g.what = pick(strong, 1, 0), pick(strong, "strong Network", "weak Network")
		case u < minuteman.FirstMilitia:
			g.look, g.what = pick(strong, 4, 3), pick(strong, "strong Minuteman", "weak Minuteman")
		case u < minuteman.FirstArmy:
			g.look, g.what = 7, fmt.Sprintf("Militia %s", strength(&v))
		case u < minuteman.FirstAgent:
			g.look, g.what = 10, fmt.Sprintf("Army %s", strength(&v))
			if v.Pinned {
				g.what += ", pinned"
			}
		case u < minuteman.FirstCIG:
			g.look, g.what = pick(strong, 13, 12), pick(strong, "strong Agent", "weak Agent")
		default:
			g.look, g.steps, g.what = 11, int(v.Step), fmt.Sprintf("CIG of %d steps", v.Step)
		}
		if v.Underground {
			g.what += " underground"
		}
		for i := range list {
			if o := &list[i]; o.seat == g.seat && o.look == g.look && o.steps == g.steps && o.hollow == g.hollow {
				o.count++
				o.what += ", " + g.what
				return
			}
		}
		list = append(list, g)
	})
	return list
}

func pick[T any](yes bool, a, b T) T {
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
		number := 0
		switch {
		case g.steps > 0:
			number = g.steps
		case g.count > 1:
			number = g.count
		}
		t.Token(fmt.Sprintf("unit/%d/%d/%t", g.seat, g.look, g.hollow), g.count)
		t.unit(g.seat, left, top, r, &looks[g.look], g.hollow, number)
		t.Close()
	}
}

// fine is the least radius of a piece whose pictogram tells strong units from weak ones.
const fine = 8.0

// unit draws a piece of a seat around x, y, open if it is underground, with a number if it is not 0.
func (t *table) unit(seat int, x, y, r float64, look *class, hollow bool, number int) {
	ink := "f-on"
	if hollow {
		ink = "f-" + t.SeatColour(seat)
		t.Seat(seat, x, y, r, "f-ground w1 k-"+t.SeatColour(seat))
	} else {
		t.Piece(seat, x, y, r+0.5, "")
	}
	picture := look.plain
	if r >= fine {
		picture = look.picture
	}
	t.Pictogram(picture, x, y, 1.45*r, ink)
	if number > 0 {
		t.Circle(x+0.75*r, y+0.7*r, 0.5*r, "f-ground k-ink w1")
		t.Text(x+0.75*r, y+0.96*r, 0.75*r, svg.Middle, "bold", fmt.Sprint(number))
	}
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
