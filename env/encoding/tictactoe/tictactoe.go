// Package tictactoe encodes tic-tac-toe.
package tictactoe

import (
	"powderkeg/engine"
	"powderkeg/engine/tictactoe"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "tictactoe", Version: 1}

var (
	ownAt   = layout.Add("own", 0, 1, "1 where the observer's marks are, row by row", nil, 3, 3)
	otherAt = layout.Add("other", 0, 1, "1 where the other seat's marks are, row by row", nil, 3, 3)
)

// Encoder is the encoder of tic-tac-toe.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*tictactoe.State)
	*(*plane)(dst[ownAt:]) = planes[s.Marks(p)]
	*(*plane)(dst[otherAt:]) = planes[s.Marks(1-p)]
}

type plane [tictactoe.Size]float32

// planes are those of all sets of squares. To copy one is faster than to visit its marks, of
// which nobody can predict how many there are.
var planes = func() (all [1 << tictactoe.Size]plane) {
	for set := range all {
		for square := range all[set] {
			all[set][square] = float32(set >> square & 1)
		}
	}
	return all
}()
