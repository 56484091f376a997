// Package connect4 encodes Connect Four.
package connect4

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/connect4"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "connect4", Version: 1}

var (
	ownAt = layout.Add("own", 0, 1, "1 where the observer's discs are, column by column from the left, each from the bottom", nil, connect4.Columns,
		connect4.Rows)
	otherAt = layout.Add("other", 0, 1, "1 where the other seat's discs are, as in own", nil, connect4.Columns, connect4.Rows)
)

// place gives the index of a board bit within a plane.
var place = func() (table [64]uint8) {
	for c := range connect4.Columns {
		for r := range connect4.Rows {
			table[connect4.Bit(c, r)] = uint8(c*connect4.Rows + r)
		}
	}
	return table
}()

// Encoder is the encoder of Connect Four.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*connect4.State)
	dst = dst[:layout.Size]
	clear(dst)
	plane(dst[ownAt:], s.Discs(p))
	plane(dst[otherAt:], s.Discs(1-p))
}

func plane(dst []float32, discs uint64) {
	for ; discs != 0; discs &= discs - 1 {
		dst[place[bits.TrailingZeros64(discs)]] = 1
	}
}
