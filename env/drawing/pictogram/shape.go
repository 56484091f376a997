package pictogram

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// point is a place on the grid, x to the right and y down.
type point struct{ X, Y float64 }

// shape is what a path fills by the non-zero rule: contours run clockwise around what is
// filled and anticlockwise around what is cut out.
type shape []contour

// contour is a closed line, which a straight one closes.
type contour struct {
	start    point
	segments []segment
}

// segment is a part of a contour: 'l' a straight line, 'q' and 'c' curves, 'a' an arc.
type segment struct {
	op           byte
	p            []point // the control points, the end last
	rx, ry       float64 // radii of an arc
	large, sweep bool    // of an arc, as in a path
}

func (s *segment) end() point { return s.p[len(s.p)-1] }

// middle returns a point on an arc from a point, half way.
func (s *segment) middle(from point) point {
	to := s.end()
	flat := s.rx / s.ry
	dx, dy := to.X-from.X, (to.Y-from.Y)*flat
	d := math.Hypot(dx, dy)
	rise := math.Sqrt(max(s.rx*s.rx-d*d/4, 0))
	if s.large {
		rise = -rise
	}
	rise = (s.rx - rise) / d
	if !s.sweep {
		rise = -rise
	}
	return point{(from.X+to.X)/2 + dy*rise, (from.Y+to.Y)/2 - dx*rise/flat}
}

// area returns about the area within a contour: positive if it runs clockwise.
func (c *contour) area() float64 {
	sum, at := 0.0, c.start
	step := func(p point) {
		sum += at.X*p.Y - p.X*at.Y
		at = p
	}
	for i := range c.segments {
		s := &c.segments[i]
		if s.op == 'a' {
			step(s.middle(at))
		}
		for _, p := range s.p {
			step(p)
		}
	}
	step(c.start)
	return sum / 2
}

func (c *contour) reversed() contour {
	r := contour{start: c.start}
	if n := len(c.segments); n > 0 {
		r.start = c.segments[n-1].end()
	}
	for i, s := range slices.Backward(c.segments) {
		from := c.start
		if i > 0 {
			from = c.segments[i-1].end()
		}
		points := slices.Clone(s.p[:len(s.p)-1])
		slices.Reverse(points)
		s.p, s.sweep = append(points, from), !s.sweep
		r.segments = append(r.segments, s)
	}
	return r
}

func (s shape) reversed() shape {
	all := make(shape, len(s))
	for i := range s {
		all[i] = s[i].reversed()
	}
	return all
}

// clockwise turns each contour so that it is filled.
func (s shape) clockwise() shape {
	for i := range s {
		if s[i].area() < 0 {
			s[i] = s[i].reversed()
		}
	}
	return s
}

// placed returns a shape in a square: nothing for where it is, or size, x, y and a turn in
// degrees. A mirrored one is turned after it was mirrored.
func (s shape) placed(at []float64, mirrored bool) shape {
	size, x, y, turn := float64(grid), grid/2.0, grid/2.0, 0.0
	if len(at) > 0 {
		size, x, y = at[0], at[1], at[2]
	}
	if len(at) > 3 {
		turn = at[3]
	}
	scale := size / grid
	sin, cos := math.Sincos(turn * math.Pi / 180)
	place := func(p point) point {
		dx, dy := (p.X-grid/2)*scale, (p.Y-grid/2)*scale
		if mirrored {
			dx = -dx
		}
		return point{x + dx*cos - dy*sin, y + dx*sin + dy*cos}
	}
	all := make(shape, len(s))
	for i, c := range s {
		all[i] = contour{start: place(c.start)}
		for _, part := range c.segments {
			points := make([]point, len(part.p))
			for k, p := range part.p {
				points[k] = place(p)
			}
			part.p, part.rx, part.ry = points, part.rx*scale, part.ry*scale
			part.sweep = part.sweep != mirrored
			all[i].segments = append(all[i].segments, part)
		}
	}
	if mirrored {
		return all.reversed()
	}
	return all
}

// beside returns a line of points at a distance on the left of another, with its corners
// mitred.
func beside(points []point, distance float64, closed bool) []point {
	n := len(points)
	normal := func(i int) point {
		a, b := points[i], points[(i+1)%n]
		d := math.Hypot(b.X-a.X, b.Y-a.Y)
		return point{(b.Y - a.Y) / d, (a.X - b.X) / d}
	}
	moved := make([]point, n)
	for i := range points {
		in, out := normal((i+n-1)%n), normal(i)
		if !closed && i == 0 {
			in = out
		}
		if !closed && i == n-1 {
			out = in
		}
		mid := point{in.X + out.X, in.Y + out.Y}
		scale := 2 * distance / (mid.X*mid.X + mid.Y*mid.Y)
		moved[i] = point{points[i].X + mid.X*scale, points[i].Y + mid.Y*scale}
	}
	return moved
}

// along gives the segments of a contour other points.
func (c *contour) along(points []point) contour {
	moved := contour{start: points[0]}
	points = points[1:]
	for _, s := range c.segments {
		s.p, points = points[:len(s.p)], points[len(s.p):]
		moved.segments = append(moved.segments, s)
	}
	return moved
}

func (c *contour) points() []point {
	all := []point{c.start}
	for _, s := range c.segments {
		all = append(all, s.p...)
	}
	return all
}

// stroked returns the outline of a line of a width. A curve is moved by its control points,
// which is near enough for a pictogram.
func (c contour) stroked(width float64) contour {
	points := c.points()
	left, right := c.along(beside(points, width/2, false)), c.along(beside(points, -width/2, false))
	back := right.reversed()
	left.segments = append(left.segments, segment{op: 'l', p: []point{back.start}})
	left.segments = append(left.segments, back.segments...)
	return left
}

// ringed returns the outline of a closed line of a width.
func (c contour) ringed(width float64) shape {
	points := c.points()
	if c.area() < 0 {
		width = -width
	}
	outer, inner := c.along(beside(points, width/2, true)), c.along(beside(points, -width/2, true))
	ring := shape{outer, inner}.clockwise()
	ring[1] = ring[1].reversed()
	return ring
}

// tenths returns a length in tenths of a unit. What lies in the middle between two is rounded
// up even if it was computed a trifle too small, so that all machines agree.
func tenths(x float64) int { return int(math.Floor(x*10 + 0.5 + 1e-6)) }

// pen writes path data.
type pen struct {
	b    []byte
	x, y int // tenths
	op   byte
	dot  bool // the last number has a point
}

func (w *pen) command(op byte) {
	if op != w.op {
		w.b = append(w.b, op)
		w.op = op
	}
}

// number writes a number in tenths with no more than the separator that it needs.
func (w *pen) number(tenth int) {
	last := w.b[len(w.b)-1]
	digit := last >= '0' && last <= '9'
	text := strconv.FormatFloat(float64(tenth)/10, 'f', -1, 64)
	dot := tenth%10 != 0
	if tenth > -10 && tenth < 10 && dot { // .5, -.5
		text = strings.Replace(text, "0.", ".", 1)
	}
	if digit && text[0] != '-' && (text[0] != '.' || !w.dot) {
		w.b = append(w.b, ' ')
	}
	w.b = append(w.b, text...)
	w.dot = dot
}

func (w *pen) flag(on bool) {
	w.dot = false
	if on {
		w.number(10)
	} else {
		w.number(0)
	}
}

// appendPath appends the path data of a shape: relative, in tenths of a unit.
func (s shape) appendPath(b []byte) []byte {
	w := pen{b: b}
	for i := range s {
		c := &s[i]
		w.b = append(w.b, 'M')
		w.op, w.x, w.y = 'M', tenths(c.start.X), tenths(c.start.Y)
		startX, startY := w.x, w.y
		w.number(w.x)
		w.number(w.y)
		for k := range c.segments {
			part := &c.segments[k]
			end := part.end()
			x, y := tenths(end.X), tenths(end.Y)
			switch {
			case part.op != 'l':
				w.command(part.op)
				if part.op == 'a' {
					w.number(tenths(part.rx))
					w.number(tenths(part.ry))
					w.flag(false)
					w.flag(part.large)
					w.flag(part.sweep)
				}
				for _, p := range part.p {
					w.number(tenths(p.X) - w.x)
					w.number(tenths(p.Y) - w.y)
				}
			case x == w.x && y == w.y, k == len(c.segments)-1 && x == startX && y == startY:
				continue
			case y == w.y:
				w.command('h')
				w.number(x - w.x)
			case x == w.x:
				w.command('v')
				w.number(y - w.y)
			default:
				w.command('l')
				w.number(x - w.x)
				w.number(y - w.y)
			}
			w.x, w.y = x, y
		}
		w.b = append(w.b, 'z')
	}
	return w.b
}
