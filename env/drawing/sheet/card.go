package sheet

import (
	"strconv"

	"powderkeg/env/drawing/pictogram"
	"powderkeg/env/drawing/svg"
)

// Face is a card that is seen.
type Face struct {
	Name   string
	Card   string // as Cards names it: which pictogram it has, if any
	Values string // its numbers, such as "S3 M2", below the name
	Text   string // what it does, as far as there is room
	Seat   int    // whose colours its head has; -1 for none
	Count  int    // how many lie here, told if there are several
	Mark   string // a word at its foot, such as "known"
	Piece  string // which kind of piece it is (Token), "" for none
}

// Face draws the face of a card with its upper left corner at x, y. It belongs into a part.
func (s *Sheet) Face(x, y, w, h float64, f Face) {
	if f.Piece != "" {
		s.Token(f.Piece, max(f.Count, 1))
		defer s.Close()
	}
	size := min(w*0.135, h*0.12)
	names := svg.Wrap(f.Name, w*0.9, size, true)
	head := size*1.25*float64(min(len(names), 2)) + size*0.5
	s.Rect(x, y, w, h, w/14, "f-panel k-edge w2 aim")
	fill, ink := "f-well", "bold"
	if f.Seat >= 0 {
		fill, ink = "f-"+s.SeatColour(f.Seat), "f-on bold"
	}
	s.Rect(x+3, y+3, w-6, head, w/18, fill)
	s.Block(x+w/2, y+3+size*1.1, w*0.9, size, 2, svg.Middle, ink, f.Name)
	foot, at := y+h-w*0.05, y+3+head
	if f.Values != "" || f.Count > 1 {
		at += size * 1.4
	}
	if f.Values != "" {
		s.Fit(x+w*0.06, at, w*0.6, size*1.15, svg.Start, "bold", f.Values)
	}
	left, room := x+w*0.06, w*0.88
	if pictogram.Has(s.Game, f.Card) {
		if below := y + h - at; h > 1.25*w { // above the text
			picture := min(w*0.42, below*0.42)
			for picture > w*0.2 && !fits(f.Text, room, foot-at-size*0.6-picture, size*0.72*0.8) { // the text goes first
				picture *= 0.9
			}
			s.Pictogram(f.Card, x+w/2, at+size*0.3+picture/2, picture, s.inked(f.Seat))
			at += picture + size*0.3
		} else { // on its left
			picture := min(w*0.3, below*0.8)
			s.Pictogram(f.Card, x+w*0.04+picture/2, at+size*0.4+picture/2, picture, s.inked(f.Seat))
			left += picture
			room -= picture
		}
	}
	if f.Count > 1 {
		s.Text(x+w*0.94, at, size*1.3, svg.End, "bold", "×"+strconv.Itoa(f.Count))
	}
	if f.Mark != "" {
		s.Fit(x+w/2, foot, w*0.9, size, svg.Middle, "soft bold", f.Mark)
		foot -= size * 1.3
	}
	at += size * 0.3
	s.print(left, at, room, foot-at, size*0.72, f.Text)
}

// fits reports whether a text in letters of a size fits into a room.
func fits(text string, w, h, size float64) bool {
	return float64(len(svg.Wrap(text, w, size, false)))*size*leading <= h
}

// inked returns the class of what is drawn for a seat on the ground of a card.
func (s *Sheet) inked(seat int) string {
	if seat < 0 {
		return "f-ink"
	}
	return "f-" + s.SeatColour(seat)
}

// leading is the distance of lines of print, in their size.
const leading = 1.25

// print writes a text into a room of a width and a height from y downwards: in letters of
// the size, smaller ones if it would not fit, and cut off where the smallest do not.
func (s *Sheet) print(x, y, w, h, size float64, text string) {
	least, lines := size*0.7, []string(nil)
	for ; ; size = max(size*0.95, least) {
		lines = svg.Wrap(text, w, size, false)
		if float64(len(lines))*size*leading <= h || size == least {
			break
		}
	}
	for _, line := range lines {
		if h -= size * leading; h < 0 {
			return
		}
		y += size * leading
		s.Fit(x, y-size*0.25, w, size, svg.Start, "soft", line)
	}
}

// Alone draws the face of a card by itself.
func Alone(game string, c Card) []byte {
	const w, h = 180.0, 252.0
	s := &Sheet{Doc: svg.New(w, h, c.Title), Width: w, Height: h, Game: game}
	s.Face(2, 2, w-4, h-4, Face{Name: c.Title, Card: c.Name, Text: c.Text, Seat: -1})
	return s.Bytes()
}

// CardPiece is the kind of piece (Token) that a card is whose face is seen.
func CardPiece(card string) string { return "card/" + card }

// BackPiece is that of a card of a seat that lies face down.
func BackPiece(seat int) string { return "back/" + strconv.Itoa(seat) }

// Back draws a card that lies face down, hatched as its seat is, with a letter or a number
// on it. A seat of -1 is nobody's.
func (s *Sheet) Back(x, y, w, h float64, seat int, text string) {
	s.Rect(x, y, w, h, w/10, "f-well k-edge w2 aim")
	if seat >= 0 {
		s.Rect(x+w*0.1, y+w*0.1, w*0.8, h-w*0.2, w/14, s.Hatch(seat))
	}
	if text == "" {
		return
	}
	size := min(w*0.4, h*0.45)
	s.Circle(x+w/2, y+h/2, size*0.8, "f-panel k-edge w1")
	s.Fit(x+w/2, y+h/2+size*0.36, size*1.4, size, svg.Middle, "bold", text)
}

// Slot draws the place of a card where none lies.
func (s *Sheet) Slot(x, y, w, h float64, text string) {
	s.Rect(x, y, w, h, min(w/14, h/6), "none k-edge w2 dash aim")
	s.Block(x+w/2, y+h/2+w*0.05, w*0.9, w*0.13, 2, svg.Middle, "soft", text)
}
