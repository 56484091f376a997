package sheet

import "powderkeg/env/drawing/svg"

// Outline returns the borders of a set of squares of a grid as closed loops, in units of
// squares, with the set on the right hand.
func Outline(columns, rows int, in func(x, y int) bool) [][]svg.Point {
	inside := func(x, y int) bool { return x >= 0 && y >= 0 && x < columns && y < rows && in(x, y) }
	type corner struct{ x, y int }
	next := map[corner][]corner{} // edges by where they begin: two where squares meet at a corner alone
	var starts []corner
	edge := func(x1, y1, x2, y2 int) {
		starts = append(starts, corner{x1, y1})
		next[corner{x1, y1}] = append(next[corner{x1, y1}], corner{x2, y2})
	}
	for y := range rows {
		for x := range columns {
			if !inside(x, y) {
				continue
			}
			if !inside(x, y-1) {
				edge(x, y, x+1, y)
			}
			if !inside(x+1, y) {
				edge(x+1, y, x+1, y+1)
			}
			if !inside(x, y+1) {
				edge(x+1, y+1, x, y+1)
			}
			if !inside(x-1, y) {
				edge(x, y+1, x, y)
			}
		}
	}
	var loops [][]svg.Point
	for _, at := range starts {
		var loop []svg.Point
		for list := next[at]; len(list) > 0; list = next[at] {
			loop = append(loop, svg.Point{X: float64(at.x), Y: float64(at.y)})
			next[at] = list[:len(list)-1]
			at = list[len(list)-1]
		}
		if loop != nil {
			loops = append(loops, straightened(loop))
		}
	}
	return loops
}

// straightened leaves out the points of a loop at which it does not turn.
func straightened(loop []svg.Point) []svg.Point {
	var turns []svg.Point
	for i, p := range loop {
		before, after := loop[(i+len(loop)-1)%len(loop)], loop[(i+1)%len(loop)]
		if !(before.X == p.X && p.X == after.X || before.Y == p.Y && p.Y == after.Y) {
			turns = append(turns, p)
		}
	}
	return turns
}

// Scaled returns points of a grid in units of a drawing: the corner of the grid at x, y, and
// so much to a square.
func Scaled(points []svg.Point, x, y, square float64) []svg.Point {
	scaled := make([]svg.Point, len(points))
	for i, p := range points {
		scaled[i] = svg.Point{X: x + p.X*square, Y: y + p.Y*square}
	}
	return scaled
}
