// Package connect4 draws a grid of Connect Four.
package connect4

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/connect4"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	side = 60.0 // of a cell
	left = 20.0
	top  = 50.0
)

// Draw draws a view. Its spaces are the columns, named as the actions are.
func Draw(g engine.Game, state *connect4.State) []byte {
	names := g.Spec().Actions
	s := sheet.New(state, 2*left+connect4.Columns*side, top+connect4.Rows*side+40, "Connect Four", func(a engine.Action) []string { return names[a : a+1] })
	s.Head(18, "Connect Four", state.ToAct())
	for c, name := range names {
		x := left + float64(c)*side
		discs := 0
		for seat := range 2 {
			for r := range connect4.Rows {
				discs += int(state.Discs(engine.Player(seat)) >> connect4.Bit(c, r) & 1)
			}
		}
		s.Part(name, fmt.Sprintf("column %d: %d of %d discs", c+1, discs, connect4.Rows))
		s.Rect(x+3, top, side-6, connect4.Rows*side, 8, "f-panel k-edge w1 aim")
		for r := range connect4.Rows {
			drawCell(s, state, c, r, x+side/2, top+(connect4.Rows-float64(r)-0.5)*side)
		}
		s.Text(x+side/2, top+connect4.Rows*side+26, 20, svg.Middle, "soft", fmt.Sprint(c+1))
		s.Close()
	}
	return s.Bytes()
}

// drawCell draws a hole, or the disc in it: the disc of seat 1 has a ring.
func drawCell(s *sheet.Sheet, state *connect4.State, c, r int, x, y float64) {
	const radius = side * 0.38
	switch bit := connect4.Bit(c, r); {
	case state.Discs(0)>>bit&1 != 0:
		s.Circle(x, y, radius, "f-seat0")
	case state.Discs(1)>>bit&1 != 0:
		s.Circle(x, y, radius, "f-seat1")
		s.Circle(x, y, radius*0.55, "none k-on w5")
	default:
		s.Circle(x, y, radius, "f-ground k-edge w1")
	}
}
