package pictogram

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
)

// TestContactSheet compares testdata/GAME.svg with all pictograms of a game, by day and by
// night, large and small: what people look at before they change one.
func TestContactSheet(t *testing.T) {
	for _, game := range games {
		got, file := contactSheet(game), filepath.Join("testdata", game+".svg")
		if *kept.Update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s differs: look at it after go test ./env/drawing/pictogram -run ContactSheet -update", file)
		}
	}
}

// contactSheet draws a sheet in colours of its own, so that it changes with the pictograms only.
func contactSheet(game string) []byte {
	const columns, w, h = 9, 144, 104
	var data []string // path data, each once
	labels := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(paths[game]())) {
		d, _ := path(game, name)
		if labels[d] == nil {
			data = append(data, d)
		}
		labels[d] = append(labels[d], name)
	}
	rows := (len(data) + columns - 1) / columns
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="10" text-anchor="middle"`)
	fmt.Fprintf(&b, ` viewBox="0 0 %d %d">`+"\n<defs>\n", columns*w, 2*rows*h)
	for i, d := range data {
		fmt.Fprintf(&b, `<path id="p%d" d="%s"/>`+"\n", i, d)
	}
	b.WriteString("</defs>\n")
	for half, theme := range [2]struct{ ground, ink, seat string }{{"#fbfaf6", "#1b1b1b", "#b04500"}, {"#15181b", "#eceae4", "#f29a63"}} {
		top := half * rows * h
		fmt.Fprintf(&b, `<g fill="%s"><rect y="%d" width="%d" height="%d" fill="%s"/>`+"\n", theme.ink, top, columns*w, rows*h, theme.ground)
		for i, d := range data {
			x, y := i%columns*w, top+i/columns*h
			fmt.Fprintf(&b, `<use href="#p%d" transform="translate(%d %d)scale(2.5)"/>`, i, x+20, y+14)                         // 60 pixels
			fmt.Fprintf(&b, `<use href="#p%d" transform="translate(%d %d)scale(1.167)" fill="%s"/>`, i, x+90, y+16, theme.seat) // 28
			fmt.Fprintf(&b, `<use href="#p%d" transform="translate(%d %d)scale(.583)"/>`, i, x+97, y+55)                        // 14
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", x+w/2, y+h-12, shorten(strings.Join(labels[d], ", ")))
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func shorten(label string) string {
	if len(label) > 28 {
		return label[:27] + "…"
	}
	return label
}

// Every cut goes through one layer, no pictogram reaches beyond its square, and every shared
// shape is used.
func TestRecipesAreSound(t *testing.T) {
	used := make(map[string]bool)
	for _, game := range append(games[:], "shapes") {
		own := load(game)
		named := func(name string) (shape, bool) {
			used[name] = true
			return either(own, shared())(name)
		}
		for names, recipe := range recipes(text(game)) {
			if wrong := misfilled(recipe, named); len(wrong) > 2 {
				t.Errorf("%s %s: %d points are filled that are to be cut out, or the other way round: %.1f", game, names, len(wrong), wrong[:3])
			}
			for _, c := range cook(recipe, named) {
				for _, p := range c.trace() {
					if inside := max(math.Abs(p.X-grid/2), math.Abs(p.Y-grid/2)) < grid/2+0.5; !inside && game != "shapes" {
						t.Errorf("%s %s goes out of the square, to %.1f", game, names, p)
						break
					}
				}
			}
		}
	}
	for name := range shared() {
		if !used[name] {
			t.Errorf("no pictogram uses the shape %s", name)
		}
	}
}

// misfilled returns the points where the non-zero rule, by which a path is filled, fills what a
// recipe does not, or the other way round. A recipe lays each statement over those before it.
func misfilled(recipe string, named func(string) (shape, bool)) []point {
	const step = 0.6
	var layers [][][]point
	for statement := range strings.SplitSeq(recipe, ";") {
		var lines [][]point
		for _, c := range cook(statement, named) {
			lines = append(lines, c.trace())
		}
		layers = append(layers, lines)
	}
	var wrong []point
	for y := step / 2; y < grid; y += step {
		for x := step / 2; x < grid; x += step {
			p, filled, winding := point{x + 0.013, y + 0.017}, false, 0 // beside the corners
			for _, lines := range layers {
				n := 0
				for _, line := range lines {
					n += turns(line, p)
				}
				if n != 0 {
					filled, winding = n > 0, winding+n
				}
			}
			if filled != (winding != 0) {
				wrong = append(wrong, p)
			}
		}
	}
	return wrong
}

// trace returns points along a contour, the first one again at the end.
func (c *contour) trace() []point {
	const parts = 8
	line := []point{c.start}
	for i := range c.segments {
		s, from := &c.segments[i], line[len(line)-1]
		for k := 1; k <= parts; k++ {
			line = append(line, s.at(from, float64(k)/parts))
		}
	}
	return append(line, c.start)
}

// turns returns how often a closed line runs around a point, clockwise.
func turns(line []point, p point) int {
	n := 0
	for i, to := range line[1:] {
		at := line[i]
		if (at.Y <= p.Y) == (to.Y <= p.Y) || p.X >= at.X+(p.Y-at.Y)/(to.Y-at.Y)*(to.X-at.X) {
			continue
		}
		if to.Y > at.Y {
			n++
		} else {
			n--
		}
	}
	return n
}

// at returns the point of a segment at a part of its way.
func (s *segment) at(from point, part float64) point {
	mix := func(a, b point) point { return point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part} }
	if s.op != 'a' {
		points := append([]point{from}, s.p...)
		for n := len(points) - 1; n > 0; n-- {
			for i := range n {
				points[i] = mix(points[i], points[i+1])
			}
		}
		return points[0]
	}
	if part == 0 || part == 1 {
		return mix(from, s.end())
	}
	middle, half := s.middle(from), segment{op: 'a', rx: s.rx, ry: s.ry, sweep: s.sweep}
	if part <= 0.5 {
		half.p = []point{middle}
		return half.at(from, 2*part)
	}
	half.p = []point{s.end()}
	return half.at(middle, 2*part-1)
}
