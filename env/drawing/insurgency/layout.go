package insurgency

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"powderkeg/engine/insurgency"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

//go:embed layout.json
var layoutFile []byte

// layout is our map: a grid of squares on which regions, and the suburbs with their cities
// behind them, touch exactly if they are adjacent; and the interstates.
type layout struct {
	box     *insurgency.Box
	columns int
	rows    []string
	regions []region
	metros  []metro
	roads   [][]svg.Point
	edges   [][2]string // the roads by the nodes that they join
}

// region is a region with its outline and the corner of the panel of what is in it.
type region struct {
	space   int
	outline [][]svg.Point
	panel   svg.Point
}

// metro is a city and its suburb, in a rectangle of three by two squares.
type metro struct {
	city, suburb int
	corner       svg.Point
}

// loadLayout reads the layout once. Its error is a fault of the program, which the tests
// rule out.
var loadLayout = sync.OnceValues(func() (*layout, error) {
	box, err := insurgency.Printed()
	if err != nil {
		return nil, err
	}
	var file struct {
		Rows    []string `json:"rows"`
		Regions map[string]struct {
			ID    string     `json:"id"`
			Panel [2]float64 `json:"panel"`
		} `json:"regions"` // by letter
		Metros map[string]string     `json:"metros"` // by letter
		Roads  map[string][2]float64 `json:"roads"`  // where the nodes lie
		Edges  [][]string            `json:"edges"`  // two nodes, and points between them
	}
	if err := json.Unmarshal(layoutFile, &file); err != nil {
		return nil, fmt.Errorf("insurgency: layout: %w", err)
	}
	l := &layout{box: box, columns: len(file.Rows[0]), rows: file.Rows}
	number := map[string]int{}
	for i := range insurgency.Spaces {
		number[box.Space(i).ID] = i
	}
	seen := map[byte]bool{}
	for y, row := range file.Rows {
		for x := range row {
			letter := row[x]
			if seen[letter] {
				continue
			}
			seen[letter] = true
			if r, ok := file.Regions[string(letter)]; ok {
				outline := sheet.Outline(l.columns, len(l.rows), func(x, y int) bool { return l.rows[y][x] == letter })
				l.regions = append(l.regions, region{number[r.ID], outline, svg.Point{X: r.Panel[0], Y: r.Panel[1]}})
			} else if m, ok := file.Metros[string(letter)]; ok {
				l.metros = append(l.metros, metro{number[m+"_city"], number[m+"_suburb"], svg.Point{X: float64(x), Y: float64(y)}})
			}
		}
	}
	for _, e := range file.Edges {
		from, to := file.Roads[e[0]], file.Roads[e[1]]
		road := []svg.Point{{X: from[0], Y: from[1]}}
		for _, via := range e[2:] {
			var p svg.Point
			if _, err := fmt.Sscan(via, &p.X, &p.Y); err != nil {
				return nil, fmt.Errorf("insurgency: layout: road %v: %w", e, err)
			}
			road = append(road, p)
		}
		l.roads = append(l.roads, append(road, svg.Point{X: to[0], Y: to[1]}))
		l.edges = append(l.edges, [2]string{e[0], e[1]})
	}
	return l, nil
})
