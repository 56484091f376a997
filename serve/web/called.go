package web

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/env/drawing"
)

// Sitting is a seat of a game: who plays on it, and what the game calls it.
type Sitting struct {
	Seat
	// Called is the side that the seat plays, such as "Rebel", or the word for its colour. While sides are open
	// it is the name of whoever plays.
	Called string `json:"called"`
	// Colour is the number of its colour in the palette of the drawings.
	Colour int `json:"colour"`
}

// sitting returns the seats as a view has them. Who plays on them follows from their number.
func sitting(g engine.Game, v engine.View, who func(int) Seat) []Sitting {
	_, sided := v.(engine.Sided)
	var list []Sitting
	for p, s := range drawing.Seats(g, v) {
		own := Sitting{who(p), s.Name(), s.Colour}
		if sided && s.Side == "" {
			if own.Called = own.Name; own.Called == "" {
				own.Called = fmt.Sprintf("Player %d", p+1)
			}
		}
		list = append(list, own)
	}
	return list
}

// sitting returns the seats as they are called in a state of the game.
func (t *session) sitting(s engine.State) []Sitting {
	return sitting(t.game, engine.Look(s, 0), func(p int) Seat { return t.seats[p].Seat })
}

// name puts names into lines that were told from number n on, with the seats as they were before.
func (t *session) name(n int, seats []Sitting) {
	called := func(p engine.Player) string {
		if int(p) >= len(seats) {
			return ""
		}
		return seats[p].Called
	}
	for i := n; i < len(t.lines); i++ {
		l := &t.lines[i]
		if l.isMove {
			l.words = engine.Named(strings.TrimPrefix(l.text, fmt.Sprintf("Seat %d: ", l.mover)), called)
		}
		l.text = engine.Named(l.text, called)
	}
}
