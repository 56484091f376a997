// Package drawing turns what a seat sees of a game into a picture: an SVG of our own
// shapes, for the page, for notebooks and for reports.
//
//	view := engine.Look(state, seat)
//	picture, err := drawing.Draw(game, view)
//
// A drawing is made from a view alone, so that it shows no more than its seat knows, and
// equal views give equal bytes. Its spaces are <g> elements with data-space, the name of
// the space, and, where legal actions of the view mean it, data-action, their numbers with
// spaces between. What Cards tells more about has data-card. The five titles are composed
// of panels, <svg> elements with data-panel, its name, and data-title: "board" and "hand"
// among them, which a page may show by themselves. A drawing has no size of its own, is
// legible from 400 to 2,000 pixels of width, by day, by night and in print, and carries no
// meaning by colour alone (package svg). Seats are called by what they play, or by their
// colour (Seats).
package drawing

import (
	"errors"
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

// ErrNoDrawing is wrapped by the error of Draw for a game that has no drawing.
var ErrNoDrawing = errors.New("no drawing")

// Card tells about a card, a unit or a track of a game.
type Card = sheet.Card

// Drawn is a game that brings its own drawing, as one from outside of this project does.
type Drawn interface {
	engine.Game
	Draw(v engine.View) []byte
}

// Draw returns a picture of a view of the game: that of engine.Look, or of Hidden.See. For
// a game without a drawing the error wraps ErrNoDrawing. The view stays as it is.
func Draw(g engine.Game, v engine.View) ([]byte, error) {
	g = engine.Original(g)
	if own, ok := g.(Drawn); ok {
		return own.Draw(v), nil
	}
	if t, ok := tables[g.Spec().Name]; ok {
		picture, err := t.draw(g, v)
		if err != nil {
			return nil, err
		}
		return []byte(engine.Named(string(picture), Names(g, v))), nil
	}
	return nil, fmt.Errorf("%w of game %s", ErrNoDrawing, g.Spec().Name)
}

// Cards returns what people may ask about the things on a drawing: names and texts of
// cards, units and tracks, in our own words. The list may be empty.
func Cards(g engine.Game) []Card {
	if t := tables[g.Spec().Name]; t.cards != nil {
		return t.cards(engine.Original(g))
	}
	return nil
}

// Face returns a picture of the face of a card of Cards, nil for one that the game has not.
func Face(g engine.Game, name string) []byte {
	for _, c := range Cards(g) {
		if c.Name == name {
			return sheet.Alone(g.Spec().Name, c)
		}
	}
	return nil
}

// Seat is what people call a seat, and its colour.
type Seat struct {
	// Side is the name of the side or faction that it plays, "" in a game without sides and while that is open.
	Side string
	// Colour is the number of its colour in the palette of all drawings, from 0.
	Colour int
}

// Name returns the name of the seat's side or, without one, of its colour: "Rebel", "Blue".
func (s Seat) Name() string { return svg.SeatName(s.Side, s.Colour) }

// Names returns Seat.Name of the seats of a game, as engine.Named wants it.
func Names(g engine.Game, v engine.View) func(engine.Player) string {
	seats := Seats(g, v)
	return func(p engine.Player) string {
		if int(p) >= len(seats) {
			return ""
		}
		return seats[p].Name()
	}
}

// Seats returns what the seats of a game are called now and the colours that they have on the drawing. Views of all
// seats have the same.
func Seats(g engine.Game, v engine.View) []Seat {
	seats := make([]Seat, g.Spec().Seats)
	for i := range seats {
		p := engine.Player(i)
		seats[i].Colour = i
		if sided, ok := v.(engine.Sided); ok {
			seats[i].Side = sided.Side(p)
		}
		if colour := tables[g.Spec().Name].colour; colour != nil {
			seats[i].Colour = colour(v, p)
		}
	}
	return seats
}
