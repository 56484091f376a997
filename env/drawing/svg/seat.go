package svg

import "strconv"

// Seats is how many seats can be told apart by shape, hatching and colour.
const Seats = 6

// ColourNames are the words for the colours of seats, in the order of the palette.
var ColourNames = [Seats]string{"Blue", "Orange", "Green", "Purple", "Yellow", "Grey"}

// SeatName returns what people call a seat: the side that it plays, "" for none, or its colour.
func SeatName(side string, colour int) string {
	if side != "" {
		return side
	}
	return ColourNames[colour]
}

// colourName returns the name of a colour of seats in the palette.
func colourName(n int) string { return "seat" + strconv.Itoa(n) }

// SeatColour returns the name of a seat's colour in the palette (Doc.Colours).
func (d *Doc) SeatColour(seat int) string { return colourName(d.Colours[seat]) }

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
	d.Seat(seat, x, y, radius, "f-"+d.SeatColour(seat)+" k-ground w1")
	if text != "" {
		d.Fit(x, y+radius*0.4, radius*1.5, radius*1.15, Middle, "f-on bold", text)
	}
}

// Hatch returns the class that fills with the hatching of a seat's colour, lines or dots
// that let through what lies beneath. It is laid over a shape that is drawn plain.
func (d *Doc) Hatch(seat int) string {
	colour := d.Colours[seat]
	n := strconv.Itoa(colour)
	if d.hatches&(1<<colour) == 0 {
		d.hatches |= 1 << colour
		d.hatching("pk-hatch-"+n, colour)
	}
	return "h-" + n
}

// hatching defines a pattern. Two drawings on a page may both define it: alike.
func (d *Doc) hatching(id string, colour int) {
	const size = 12
	k := "k-" + colourName(colour) + " w3"
	d.Open("defs")
	d.Open("pattern", Attr{"id", id}, Attr{"width", "12"}, Attr{"height", "12"}, Attr{"patternUnits", "userSpaceOnUse"})
	switch colour {
	case 0: // rising
		d.Line(-2, size+2, size+2, -2, k)
		d.Line(-2, 2, 2, -2, k)
		d.Line(size-2, size+2, size+2, size-2, k)
	case 1: // falling
		d.Line(-2, -2, size+2, size+2, k)
		d.Line(size-2, -2, size+2, 2, k)
		d.Line(-2, size-2, 2, size+2, k)
	case 2:
		d.Circle(size/2, size/2, 2.5, "f-"+colourName(colour))
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
