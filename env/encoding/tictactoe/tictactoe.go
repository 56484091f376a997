// Package tictactoe encodes tic-tac-toe.
package tictactoe

import (
	"math/bits"

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
	dst = dst[:layout.Size]
	clear(dst)
	for set := s.Marks(p); set != 0; set &= set - 1 {
		dst[ownAt+bits.TrailingZeros16(set)] = 1
	}
	for set := s.Marks(1 - p); set != 0; set &= set - 1 {
		dst[otherAt+bits.TrailingZeros16(set)] = 1
	}
}
