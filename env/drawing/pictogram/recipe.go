package pictogram

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A recipe is a list of statements with ";" between. Each adds a shape; one that begins with
// "-" cuts its shape out of what lies there, which must be a single layer, since paths are
// filled by the non-zero rule. Numbers are in units of the grid, angles in degrees, clockwise
// from the right. OUTLINE is a list of points x y; "q" before two points makes them a quadratic
// curve, "c" before three a cubic one, "a" r before a point a clockwise arc of a circle, "b" r an
// anticlockwise one.
//
//	p OUTLINE                a closed shape
//	l OUTLINE, l1.5 OUTLINE  a line of width 2, of width 1.5, with square ends (no arcs)
//	k OUTLINE, k1.5 OUTLINE  the same, closed
//	c x y r                  a disc
//	e x y rx ry              an ellipse
//	o x y r w                a ring with an outer radius and a width
//	g x y r w from to        a part of a ring
//	r x y width height [r]   a rectangle, with rounded corners
//	n x y r corners angle    a regular polygon, its first corner at an angle
//	s x y r r points angle   a star
//	u NAME [size x y [turn]] another pictogram, in a square of a side around x, y, turned
//	m NAME [size x y [turn]] the same, mirrored left to right first

// cook turns a recipe into a shape. Recipes are embedded and the tests read all of them, so
// that a mistake in one is a mistake of this package: it panics.
func cook(recipe string, named func(string) (shape, bool)) shape {
	var all shape
	for statement := range strings.SplitSeq(recipe, ";") {
		words := strings.Fields(statement)
		if len(words) == 0 {
			continue
		}
		verb, cut := strings.CutPrefix(words[0], "-")
		var part shape
		if verb == "u" || verb == "m" {
			used, ok := named(words[1])
			if !ok {
				panic(fmt.Sprintf("pictogram: no shape %q", words[1]))
			}
			part = used.placed(numbers(words[2:]), verb == "m")
		} else {
			part = draw(verb, words[1:])
		}
		if cut {
			part = part.reversed()
		}
		all = append(all, part...)
	}
	return all
}

func numbers(words []string) []float64 {
	list := make([]float64, len(words))
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic("pictogram: " + err.Error())
		}
		list[i] = x
	}
	return list
}

// draw draws one statement, clockwise.
func draw(verb string, words []string) shape {
	width := 2.0
	if len(verb) > 1 {
		width = numbers([]string{verb[1:]})[0]
	}
	switch verb[0] {
	case 'p':
		return shape{outline(words)}.clockwise()
	case 'l':
		return shape{outline(words).stroked(width)}.clockwise()
	case 'k':
		return outline(words).ringed(width)
	}
	n := numbers(words)
	switch verb[0] {
	case 'c':
		return shape{ellipse(n[0], n[1], n[2], n[2])}
	case 'e':
		return shape{ellipse(n[0], n[1], n[2], n[3])}
	case 'o':
		inner := shape{ellipse(n[0], n[1], n[2]-n[3], n[2]-n[3])}
		return append(shape{ellipse(n[0], n[1], n[2], n[2])}, inner.reversed()...)
	case 'g':
		return shape{arc(n[0], n[1], n[2], n[3], n[4], n[5])}
	case 'r':
		r := 0.0
		if len(n) > 4 {
			r = n[4]
		}
		return shape{rect(n[0], n[1], n[2], n[3], r)}
	case 'n':
		return shape{star(n[0], n[1], n[2], n[2], int(n[3]), n[4])}
	case 's':
		return shape{star(n[0], n[1], n[2], n[3], 2*int(n[4]), n[5])}
	}
	panic("pictogram: no verb " + verb)
}

// outline reads an OUTLINE.
func outline(words []string) contour {
	var c contour
	first := true
	for len(words) > 0 {
		s, points := segment{op: words[0][0]}, 1
		switch s.op {
		case 'q':
			points = 2
		case 'c':
			points = 3
		case 'a', 'b':
			r := numbers(words[1:2])[0]
			s.rx, s.ry, s.sweep, s.op = r, r, s.op == 'a', 'a'
			words = words[1:]
		default:
			s.op = 'l'
		}
		if s.op != 'l' {
			words = words[1:]
		}
		n := numbers(words[:2*points])
		words = words[2*points:]
		for i := range points {
			s.p = append(s.p, point{n[2*i], n[2*i+1]})
		}
		if first {
			c.start, first = s.p[0], false
			continue
		}
		c.segments = append(c.segments, s)
	}
	return c
}

func polar(x, y, r, degrees float64) point {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return point{x + r*cos, y + r*sin}
}

func ellipse(x, y, rx, ry float64) contour {
	half := func(to float64) segment {
		return segment{op: 'a', p: []point{{to, y}}, rx: rx, ry: ry, sweep: true}
	}
	return contour{point{x - rx, y}, []segment{half(x + rx), half(x - rx)}}
}

func arc(x, y, r, width, from, to float64) contour {
	far := to-from > 180
	inner := r - width
	return contour{polar(x, y, r, from), []segment{
		{op: 'a', p: []point{polar(x, y, r, to)}, rx: r, ry: r, large: far, sweep: true},
		{op: 'l', p: []point{polar(x, y, inner, to)}},
		{op: 'a', p: []point{polar(x, y, inner, from)}, rx: inner, ry: inner, large: far},
	}}
}

func rect(x, y, w, h, r float64) contour {
	c := contour{start: point{x + r, y}}
	line := func(x, y float64) { c.segments = append(c.segments, segment{op: 'l', p: []point{{x, y}}}) }
	round := func(x, y float64) {
		if r > 0 {
			c.segments = append(c.segments, segment{op: 'a', p: []point{{x, y}}, rx: r, ry: r, sweep: true})
		}
	}
	line(x+w-r, y)
	round(x+w, y+r)
	line(x+w, y+h-r)
	round(x+w-r, y+h)
	line(x+r, y+h)
	round(x, y+h-r)
	line(x, y+r)
	round(x+r, y)
	return c
}

func star(x, y, r, other float64, corners int, degrees float64) contour {
	c := contour{start: polar(x, y, r, degrees)}
	for i := 1; i < corners; i++ {
		radius := r
		if i%2 == 1 {
			radius = other
		}
		corner := polar(x, y, radius, degrees+360*float64(i)/float64(corners))
		c.segments = append(c.segments, segment{op: 'l', p: []point{corner}})
	}
	return c
}
