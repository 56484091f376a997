package domination

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"powderkeg/engine/domination"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

//go:embed layout.json
var layoutFile []byte

// layout is our map of the world: a grid of squares, each of one Area or of none, in which
// Areas touch exactly if they are adjacent, but for a few that lanes join.
type layout struct {
	facts *domination.Facts
	cells [][]int // rows of Areas, -1 for none
	lanes []lane
	loops [domination.Areas][][]svg.Point // outlines, in squares; a sea may have several parts
	label [domination.Areas]box           // the largest rectangle of an Area
}

// lane joins two Areas that are adjacent and do not touch.
type lane struct {
	from, to int
	lines    [][]svg.Point
}

// box is a rectangle of squares.
type box struct{ x, y, w, h int }

// loadLayout reads the layout once. Its error is a fault of the program, which the tests
// rule out.
var loadLayout = sync.OnceValues(func() (*layout, error) {
	facts, err := domination.NewFacts()
	if err != nil {
		return nil, err
	}
	return newLayout(facts)
})

// layoutOf returns the layout of the game that a view is of, whose edition may have other
// Regions.
func layoutOf(v *domination.View) (*layout, error) {
	if v.Shipped() {
		return loadLayout()
	}
	return newLayout(v.Facts())
}

// newLayout lays out a map with these facts.
func newLayout(facts *domination.Facts) (*layout, error) {
	var file struct {
		Areas map[string]string `json:"areas"` // by letter
		Rows  []string          `json:"rows"`
		Lanes []struct {
			From  string         `json:"from"`
			To    string         `json:"to"`
			Lines [][][2]float64 `json:"lines"`
		} `json:"lanes"`
	}
	if err := json.Unmarshal(layoutFile, &file); err != nil {
		return nil, fmt.Errorf("domination: layout: %w", err)
	}
	l := &layout{facts: facts}
	number := map[string]int{}
	for i := range facts.Areas {
		number[facts.Areas[i].ID] = i
	}
	for _, row := range file.Rows {
		var cells []int
		for _, letter := range row {
			area, ok := number[file.Areas[string(letter)]]
			if !ok {
				area = -1
			}
			cells = append(cells, area)
		}
		l.cells = append(l.cells, cells)
	}
	for _, f := range file.Lanes {
		n := lane{from: number[f.From], to: number[f.To]}
		for _, line := range f.Lines {
			var points []svg.Point
			for _, p := range line {
				points = append(points, svg.Point{X: p[0], Y: p[1]})
			}
			n.lines = append(n.lines, points)
		}
		l.lanes = append(l.lanes, n)
	}
	for area := range domination.Areas {
		l.loops[area] = sheet.Outline(len(l.cells[0]), len(l.cells), func(x, y int) bool { return l.at(x, y) == area })
		l.label[area] = l.largest(area)
	}
	return l, nil
}

// at returns the Area of a square, -1 for none and off the map.
func (l *layout) at(x, y int) int {
	if y < 0 || y >= len(l.cells) || x < 0 || x >= len(l.cells[y]) {
		return -1
	}
	return l.cells[y][x]
}

// region returns the Region of a square, -1 for a sea.
func (l *layout) region(x, y int) int {
	if a := l.at(x, y); a >= 0 {
		return l.facts.Areas[a].Region
	}
	return -1
}

// largest returns the largest rectangle within an Area that is at least two squares wide,
// the first one of several.
func (l *layout) largest(area int) box {
	var best box
	for y := range l.cells {
		for x := range l.cells[y] {
			for h := 1; y+h <= len(l.cells); h++ {
				w := l.wide(area, x, y, h)
				if w > 1 && w*h > best.w*best.h {
					best = box{x, y, w, h}
				}
			}
		}
	}
	return best
}

// wide returns how many columns from a square on lie in an Area for so many rows.
func (l *layout) wide(area, x, y, h int) int {
	for w := 0; ; w++ {
		for dy := range h {
			if l.at(x+w, y+dy) != area {
				return w
			}
		}
	}
}
