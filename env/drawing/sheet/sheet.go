// Package sheet is what the drawings of all games share: a document that knows which
// actions mean which of its parts, cards, backs of cards, and the seats.
package sheet

import (
	"fmt"
	"strconv"

	"powderkeg/engine"
	"powderkeg/env/drawing/pictogram"
	"powderkeg/env/drawing/svg"
)

// Card tells about a card, a unit, a track or another thing on a drawing, in our own words,
// for those who hover over it and for a page of help.
type Card struct {
	Kind  string `json:"kind"`  // "card", "unit", "track"
	Name  string `json:"name"`  // as data-card has it on a drawing; unique in its game
	Title string `json:"title"` // what people call it
	Text  string `json:"text"`  // what it does
}

// Sheet is a drawing in the making.
type Sheet struct {
	*svg.Doc
	Width, Height float64
	// Game is whose pictograms the cards and chips have, "" for none.
	Game    string
	actions map[string][]engine.Action // by space, ascending
	view    engine.View
}

// New begins a drawing of a view. The label says what is drawn; meaning returns the spaces
// that an action means, none for one that means no space. It is asked for the legal actions
// of the view alone.
func New(v engine.View, width, height float64, label string, meaning func(engine.Action) []string) *Sheet {
	actions := map[string][]engine.Action{}
	for _, a := range v.Legal(nil) {
		for _, space := range meaning(a) {
			actions[space] = append(actions[space], a)
		}
	}
	var classes []string
	if len(actions) > mostOutlined {
		classes = append(classes, "everywhere")
	}
	return &Sheet{Doc: svg.New(width, height, label, classes...), Width: width, Height: height, actions: actions, view: v}
}

// mostOutlined is of how many spaces that can be chosen each has an outline. Of more, such as all hexes of
// a map in a set-up, only the one that is pointed at has: an outline around everything points at nothing.
const mostOutlined = 120

// Can reports whether a legal action means the space.
func (s *Sheet) Can(space string) bool { return len(s.actions[space]) > 0 }

// Panel opens a panel of the drawing, which Close ends: a rectangle of the composition with all that lies in
// it. A page may dock a panel, show it by itself, or fold it away. The panel called BoardPanel is what is played
// on, that called HandPanel what the seat holds; the title is what people call the panel. Panels do not lie in
// one another, and coordinates in them stay those of the sheet. A drawing without panels is one board.
func (s *Sheet) Panel(name, title string, x, y, w, h float64) {
	s.Viewport(x, y, w, h, svg.Attr{Name: "data-panel", Value: name}, svg.Attr{Name: "data-title", Value: title})
}

// BoardPanel and HandPanel name the panels of which there is at most one.
const (
	BoardPanel = "board"
	HandPanel  = "hand"
)

// Pictogram draws the pictogram of a name of the game around x, y, if there is one, and reports whether.
func (s *Sheet) Pictogram(name string, x, y, size float64, class string) bool {
	return pictogram.Draw(s.Doc, s.Game, name, x, y, size, class)
}

// Part opens a part of the drawing, which Close ends: a space with its name, the actions
// that mean it, and what hovering says. Its main shape has the class aim, which stands out
// where there is something to do.
func (s *Sheet) Part(space, title string) { s.part(space, "", title) }

// CardPart is Part for something that Cards tells more about.
func (s *Sheet) CardPart(space, card, title string) { s.part(space, card, title) }

// Thing opens a part that is no space, but that Cards tells more about.
func (s *Sheet) Thing(card, title string) { s.part("", card, title) }

func (s *Sheet) part(space, card, title string) {
	var attrs [3]svg.Attr
	n := 0
	if space != "" {
		attrs[n], n = svg.Attr{Name: "data-space", Value: space}, n+1
	}
	if list := s.actions[space]; space != "" && len(list) > 0 {
		var b []byte
		for i, a := range list {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendInt(b, int64(a), 10)
		}
		attrs[n], n = svg.Attr{Name: "data-action", Value: string(b)}, n+1
	}
	if card != "" {
		attrs[n], n = svg.Attr{Name: "data-card", Value: card}, n+1
	}
	s.Open("g", attrs[:n]...)
	s.Title(title)
}

// Token opens a piece within a part, which Close ends: n alike things that may go from one place to another.
// Pieces of one kind stand for one another; a page shows by them what has moved between two drawings.
func (s *Sheet) Token(kind string, n int) {
	attrs := []svg.Attr{{Name: "data-piece", Value: kind}}
	if n != 1 {
		attrs = append(attrs, svg.Attr{Name: "data-n", Value: strconv.Itoa(n)})
	}
	s.Open("g", attrs...)
}

// Initial returns the first letter of what a seat is called, which its pieces bear.
func (s *Sheet) Initial(p engine.Player) string { return s.name(p)[:1] }

// Head writes the line at the top: what is going on, and on the right who is to act.
func (s *Sheet) Head(size float64, text string, actor engine.Player) {
	s.HeadWithin(s.Width, size, text, actor)
}

// HeadWithin is Head for a board that is narrower than the sheet.
func (s *Sheet) HeadWithin(width, size float64, text string, actor engine.Player) {
	// The piece is put before the name, whose width is that of what the seat is called.
	s.Heading(width, size, text, engine.Named(Who(actor), s.name), int(actor))
}

// name returns what a seat is called on the drawing: the side that it plays, or its colour.
func (s *Sheet) name(p engine.Player) string {
	side := ""
	if sided, ok := s.view.(engine.Sided); ok {
		side = sided.Side(p)
	}
	return svg.SeatName(side, s.Colours[p])
}

// Heading is HeadWithin for a game that says itself who is to act, with the piece of a seat, -1
// for none.
func (s *Sheet) Heading(width, size float64, text, who string, piece int) {
	right := svg.Width(who, size, true) + size*0.8
	s.Fit(size*0.8, size*1.5, width-right-size*2.4, size, svg.Start, "bold", text)
	s.Text(width-size*0.8, size*1.5, size, svg.End, "bold", who)
	if piece >= 0 {
		s.Piece(piece, width-right-size*0.8, size*1.15, size*0.6, "")
	}
}

// Who says who is to act.
func Who(actor engine.Player) string {
	switch actor {
	case engine.Chance:
		return "chance"
	case engine.Terminal:
		return "game over"
	case engine.Nobody:
		return "others decide"
	}
	return fmt.Sprintf("seat %d to act", actor)
}
