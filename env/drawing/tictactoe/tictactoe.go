// Package tictactoe draws a board of tic-tac-toe.
package tictactoe

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/tictactoe"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	side = 100.0 // of a square
	left = 50.0
	top  = 60.0
)

// Draw draws a view. Its spaces are the squares, named as the actions are.
func Draw(g engine.Game, state *tictactoe.State) []byte {
	names := g.Spec().Actions
	s := sheet.New(state, 2*left+3*side, top+3*side+40, "Tic-tac-toe", func(a engine.Action) []string { return names[a : a+1] })
	s.Head(18, "Tic-tac-toe", state.ToAct())
	for i, name := range names {
		x, y := left+float64(i%3)*side, top+float64(i/3)*side
		mark := "empty"
		for seat := range 2 {
			if state.Marks(engine.Player(seat))>>i&1 != 0 {
				mark = "xo"[seat : seat+1]
			}
		}
		s.Part(name, fmt.Sprintf("%s: %s", name, mark))
		s.Rect(x+3, y+3, side-6, side-6, 8, "f-panel k-edge w1 aim")
		drawMark(s, mark, x+side/2, y+side/2)
		s.Close()
	}
	for i := range 3 {
		s.Text(left+(float64(i)+0.5)*side, top+3*side+24, 20, svg.Middle, "soft", "abc"[i:i+1])
		s.Text(left-14, top+(float64(i)+0.5)*side+7, 20, svg.End, "soft", "123"[i:i+1])
	}
	return s.Bytes()
}

func drawMark(s *sheet.Sheet, mark string, x, y float64) {
	const r = 28
	switch mark {
	case "x":
		s.Line(x-r, y-r, x+r, y+r, "k-seat0 w8 round")
		s.Line(x-r, y+r, x+r, y-r, "k-seat0 w8 round")
	case "o":
		s.Circle(x, y, r, "none k-seat1 w8")
	}
}
