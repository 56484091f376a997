// Package svg writes SVG documents for the drawings of games: elements with escaped
// text and attributes, rounded numbers, one style sheet for all, and text that is fitted
// into the room that it has.
//
// Every drawing carries the same style sheet (Style), so that a page needs to admit one
// only. Shapes name their colours by class: f-NAME fills, k-NAME strokes, and w1, w2, w4
// say how wide (palette.go has the names). A page overrides the variables --pk-NAME.
package svg

import (
	"math"
	"strconv"
	"strings"
)

// Doc is a document that is being written. The zero value is of no use: New makes one.
type Doc struct {
	// Colours are the colours of the seats, by their numbers in the palette: in order,
	// unless a game whose sides have colours of their own sets others before it draws.
	Colours [Seats]int

	b    []byte
	open []string // elements that are open, the outermost first
	// The patterns that have been defined.
	hatches  uint16
	terrains uint8
}

// Attr is an attribute of an element.
type Attr struct{ Name, Value string }

// New begins a document of a width and height in units of its own: it scales to the room
// that it is given. The label says to everybody what is drawn; classes are those of the document beside
// powderkeg.
func New(width, height float64, label string, classes ...string) *Doc {
	d := &Doc{b: make([]byte, 0, 64<<10), Colours: [Seats]int{0, 1, 2, 3, 4, 5}}
	d.start("svg")
	d.attr("xmlns", "http://www.w3.org/2000/svg")
	d.b = append(d.b, ` viewBox="0 0 `...)
	d.number(width)
	d.b = append(d.b, ' ')
	d.number(height)
	d.b = append(d.b, '"')
	d.attr("class", strings.Join(append([]string{"powderkeg"}, classes...), " "))
	d.attr("role", "group")
	d.attr("aria-label", label)
	d.b = append(d.b, ">\n<style>"...)
	d.b = append(d.b, Style...)
	d.b = append(d.b, "</style>\n"...)
	d.open = append(d.open, "svg")
	d.Rect(0, 0, width, height, 0, "f-ground")
	return d
}

// Bytes ends the document and returns it: UTF-8, ending with a line feed.
func (d *Doc) Bytes() []byte {
	for len(d.open) > 0 {
		d.Close()
	}
	return d.b
}

// Open begins an element that Close ends.
func (d *Doc) Open(name string, attrs ...Attr) {
	d.start(name)
	for _, a := range attrs {
		d.attr(a.Name, a.Value)
	}
	d.b = append(d.b, '>')
	d.open = append(d.open, name)
}

// Viewport begins a picture within the picture, which Close ends: a rectangle of the document that keeps
// the document's coordinates, so that it may be shown by itself.
func (d *Doc) Viewport(x, y, width, height float64, attrs ...Attr) {
	d.start("svg")
	for _, a := range attrs {
		d.attr(a.Name, a.Value)
	}
	d.num("x", x)
	d.num("y", y)
	d.num("width", width)
	d.num("height", height)
	d.b = append(d.b, ` viewBox="`...)
	for i, v := range [...]float64{x, y, width, height} {
		if i > 0 {
			d.b = append(d.b, ' ')
		}
		d.number(v)
	}
	d.b = append(d.b, '"')
	d.attr("overflow", "visible")
	d.b = append(d.b, ">\n"...)
	d.open = append(d.open, "svg")
}

// Close ends the element that was begun last.
func (d *Doc) Close() {
	last := len(d.open) - 1
	d.b = append(append(append(d.b, "</"...), d.open[last]...), ">\n"...)
	d.open = d.open[:last]
}

// Title says what the open element is, for hovering and for readers of the screen. It
// stands first in its element.
func (d *Doc) Title(text string) {
	d.b = append(d.b, "<title>"...)
	d.escape(text)
	d.b = append(d.b, "</title>"...)
}

// Rect draws a rectangle with its upper left corner at x, y and corners of a radius.
func (d *Doc) Rect(x, y, width, height, radius float64, class string) {
	d.start("rect")
	d.num("x", x)
	d.num("y", y)
	d.num("width", width)
	d.num("height", height)
	if radius > 0 {
		d.num("rx", radius)
	}
	d.end(class)
}

// Circle draws a circle around x, y.
func (d *Doc) Circle(x, y, radius float64, class string) {
	d.start("circle")
	d.num("cx", x)
	d.num("cy", y)
	d.num("r", radius)
	d.end(class)
}

// Line draws a line.
func (d *Doc) Line(x1, y1, x2, y2 float64, class string) {
	d.start("line")
	d.num("x1", x1)
	d.num("y1", y1)
	d.num("x2", x2)
	d.num("y2", y2)
	d.end(class)
}

// Point is a place in a document, x to the right and y down.
type Point struct{ X, Y float64 }

// Polygon draws a closed shape.
func (d *Doc) Polygon(class string, points ...Point) { d.points("polygon", class, points) }

// Polyline draws lines from point to point.
func (d *Doc) Polyline(class string, points ...Point) { d.points("polyline", class, points) }

func (d *Doc) points(name, class string, points []Point) {
	d.start(name)
	d.b = append(d.b, ` points="`...)
	for i, p := range points {
		if i > 0 {
			d.b = append(d.b, ' ')
		}
		d.number(p.X)
		d.b = append(d.b, ',')
		d.number(p.Y)
	}
	d.b = append(d.b, '"')
	d.end(class)
}

// Path draws closed shapes as one.
func (d *Doc) Path(class string, shapes ...[]Point) {
	d.start("path")
	d.b = append(d.b, ` d="`...)
	for _, points := range shapes {
		for i, p := range points {
			d.b = append(d.b, "ML"[min(i, 1)])
			d.number(p.X)
			d.b = append(d.b, ' ')
			d.number(p.Y)
		}
		d.b = append(d.b, 'Z')
	}
	d.b = append(d.b, '"')
	d.end(class)
}

// Shape draws path data whose origin lies at x, y, larger or smaller by a scale.
func (d *Doc) Shape(x, y, scale float64, data, class string) {
	d.start("path")
	d.b = append(d.b, ` transform="translate(`...)
	d.number(x)
	d.b = append(d.b, ' ')
	d.number(y)
	d.b = append(d.b, ")scale("...)
	d.b = strconv.AppendFloat(d.b, math.Round(scale*1000)/1000, 'f', -1, 64) // a tenth would be too coarse
	d.b = append(d.b, `)"`...)
	d.attr("d", data)
	d.end(class)
}

// Regular draws a polygon with corners at a distance of x, y, the first one at an angle in
// degrees, clockwise from the right.
func (d *Doc) Regular(x, y, radius float64, corners int, degrees float64, class string) {
	d.Polygon(class, Corners(x, y, radius, corners, degrees)...)
}

// Corners returns the corners of a polygon that Regular draws.
func Corners(x, y, radius float64, corners int, degrees float64) []Point {
	points := make([]Point, corners)
	for i := range points {
		sin, cos := math.Sincos((degrees + 360*float64(i)/float64(corners)) * math.Pi / 180)
		points[i] = Point{x + radius*cos, y + radius*sin}
	}
	return points
}

func (d *Doc) start(name string) { d.b = append(append(d.b, '<'), name...) }

func (d *Doc) end(class string) {
	if class != "" {
		d.attr("class", class)
	}
	d.b = append(d.b, "/>\n"...)
}

func (d *Doc) attr(name, value string) {
	d.b = append(append(append(d.b, ' '), name...), `="`...)
	d.escape(value)
	d.b = append(d.b, '"')
}

func (d *Doc) num(name string, x float64) {
	d.b = append(append(append(d.b, ' '), name...), `="`...)
	d.number(x)
	d.b = append(d.b, '"')
}

// number writes a number with at most one place behind the point: a tenth of a unit is
// less than anybody sees, and the bytes are the same on every machine.
func (d *Doc) number(x float64) {
	x = math.Round(x*10) / 10
	if x == 0 {
		x = 0 // not -0
	}
	d.b = strconv.AppendFloat(d.b, x, 'f', -1, 64)
}

// escape writes text for an element or an attribute in double quotes. Control characters,
// which XML does not admit, are left out.
func (d *Doc) escape(text string) {
	for _, r := range text {
		switch {
		case r == '&':
			d.b = append(d.b, "&amp;"...)
		case r == '<':
			d.b = append(d.b, "&lt;"...)
		case r == '>':
			d.b = append(d.b, "&gt;"...)
		case r == '"':
			d.b = append(d.b, "&quot;"...)
		case r < ' ' && r != '\n' && r != '\t', r == 0xFFFE, r == 0xFFFF:
		default:
			d.b = append(d.b, string(r)...)
		}
	}
}
