package svg

import "strconv"

// Seats is how many seats can be told apart by shape, hatching and colour.
const Seats = 6

// SeatColour returns the name of a seat's colour in the palette.
func SeatColour(seat int) string { return "seat" + strconv.Itoa(seat) }

// Seat draws a piece of a seat around x, y: a circle for the first, then a square, a
// triangle, a diamond, a hexagon and a pentagon, all of about the same area.
func (d *Doc) Seat(seat int, x, y, radius float64, class string) {
	switch seat {
	case 0:
		d.Circle(x, y, radius, class)
	case 1:
		d.Rect(x-radius*0.9, y-radius*0.9, radius*1.8, radius*1.8, radius/6, class)
	case 2:
		d.Regular(x, y+radius*0.15, radius*1.3, 3, -90, class)
	case 3:
		d.Regular(x, y, radius*1.25, 4, -90, class)
	case 4:
		d.Regular(x, y, radius*1.1, 6, 0, class)
	default:
		d.Regular(x, y, radius*1.15, 5, -90, class)
	}
}

// Piece draws a piece of a seat in its colour with a short text on it, such as a number.
func (d *Doc) Piece(seat int, x, y, radius float64, text string) {
	d.Seat(seat, x, y, radius, "f-"+SeatColour(seat)+" k-ground w1")
	if text != "" {
		d.Fit(x, y+radius*0.4, radius*1.5, radius*1.15, Middle, "f-on bold", text)
	}
}

// Hatch returns the class that fills with the hatching of a seat, lines or dots in its
// colour that let through what lies beneath. It is laid over a shape that is drawn plain.
func (d *Doc) Hatch(seat int) string {
	n := strconv.Itoa(seat)
	if d.hatches&(1<<seat) == 0 {
		d.hatches |= 1 << seat
		d.hatching("pk-hatch-"+n, seat)
	}
	return "h-" + n
}

// hatching defines a pattern. Two drawings on a page may both define it: alike.
func (d *Doc) hatching(id string, seat int) {
	const size = 12
	k := "k-" + SeatColour(seat) + " w3"
	d.Open("defs")
	d.Open("pattern", Attr{"id", id}, Attr{"width", "12"}, Attr{"height", "12"}, Attr{"patternUnits", "userSpaceOnUse"})
	switch seat {
	case 0: // rising
		d.Line(-2, size+2, size+2, -2, k)
		d.Line(-2, 2, 2, -2, k)
		d.Line(size-2, size+2, size+2, size-2, k)
	case 1: // falling
		d.Line(-2, -2, size+2, size+2, k)
		d.Line(size-2, -2, size+2, 2, k)
		d.Line(-2, size-2, 2, size+2, k)
	case 2:
		d.Circle(size/2, size/2, 2.5, "f-"+SeatColour(seat))
	case 3:
		d.Line(0, size/2, size, size/2, k)
	case 4:
		d.Line(size/2, 0, size/2, size, k)
	default:
		d.Line(0, size/2, size, size/2, k)
		d.Line(size/2, 0, size/2, size, k)
	}
	d.Close()
	d.Close()
}
