package sheet

import (
	"strconv"

	"powderkeg/env/drawing/pictogram"
	"powderkeg/env/drawing/svg"
)

// Chip is a small card or a pile of alike ones in a row of them.
type Chip struct {
	Name   string
	Card   string // as Cards names it: which pictogram it has, if any
	Seat   int    // whose shape its number stands on; -1 for nobody's
	Number string // on that shape
	Note   string // on the right, such as "M2"
	Count  int    // told if there are several
	Down   bool   // face down: hatched, and dashed where its name is known
	Piece  string // which kind of piece it is (Token), "" for none
}

// Chip draws a chip with its upper left corner at x, y. It belongs into a part.
func (s *Sheet) Chip(x, y, w, h float64, c Chip) {
	if c.Piece != "" {
		s.Token(c.Piece, max(c.Count, 1))
		defer s.Close()
	}
	r := min(h*0.34, w*0.13)
	alone := c.Name == "" && c.Note == "" && !c.Down // the number has the chip for itself
	if alone {
		r = min(h*0.38, w*0.4)
	}
	edge := "f-ground k-edge w1 aim"
	if c.Down && c.Name != "" {
		edge = "f-ground k-edge w2 dash aim"
	}
	s.Rect(x, y, w, h, 6, edge)
	if c.Down && c.Name == "" && c.Seat >= 0 {
		s.Rect(x+2*r+8, y+3, w-2*r-11, h-6, 4, s.Hatch(c.Seat))
	}
	left, right := x+6, x+w-5
	if alone {
		left = x + w/2 - r
	}
	has := !c.Down || c.Name != ""
	if has = has && pictogram.Has(s.Game, c.Card); has && c.Number == "" {
		s.Pictogram(c.Card, left+r, y+h/2, 2*r, s.inked(c.Seat))
		left += 2*r + 5
	} else if c.Number != "" {
		if c.Seat >= 0 {
			s.Piece(c.Seat, left+r, y+h/2, r, c.Number)
		} else {
			s.Circle(left+r, y+h/2, r, "f-well k-edge w1")
			s.Fit(left+r, y+h/2+r*0.4, r*1.5, r*1.15, svg.Middle, "bold", c.Number)
		}
		left += 2*r + 5
		if has && w > 165 {
			s.Pictogram(c.Card, left+r, y+h/2, 1.9*r, "f-soft")
			left += 2*r + 5
		}
	}
	size := min(h*0.36, w*0.14)
	if c.Count > 1 {
		text := "×" + strconv.Itoa(c.Count)
		s.Text(right, y+h/2+size*0.4, size, svg.End, "bold", text)
		right -= svg.Width(text, size, true) + 4
	}
	if c.Note != "" {
		s.Text(right, y+h/2+size*0.33, size*0.85, svg.End, "soft", c.Note)
		right -= svg.Width(c.Note, size*0.85, false) + 4
	}
	if c.Name == "" {
		return
	}
	lines := 1
	if large := h * 0.42; svg.Width(c.Name, large, false) <= right-left {
		size = large
	} else if h >= 34 {
		lines = 2
	}
	s.Label(left, y+h/2, right-left, size, lines, svg.Start, "", c.Name)
}

// Figure is a number with what it counts.
type Figure struct{ Value, Label string }

// Figures draws numbers of a size in a row, each in a room of its own width w, with their
// labels below. The upper edge is at y, and the row is about two sizes high.
func (s *Sheet) Figures(x, y, w, size float64, figures []Figure) {
	for _, f := range figures {
		s.Fit(x+w/2, y+size*1.1, w*0.95, size, svg.Middle, "bold", f.Value)
		s.Fit(x+w/2, y+size*1.9, w*0.95, size*0.64, svg.Middle, "soft", f.Label)
		x += w
	}
}
