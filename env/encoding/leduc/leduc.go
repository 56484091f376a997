// Package leduc encodes Leduc poker.
package leduc

import (
	"powderkeg/engine"
	"powderkeg/engine/leduc"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "leduc", Version: 1}

var (
	cards     = []string{"Js", "Jh", "Qs", "Qh", "Ks", "Kh"}
	seatAt    = layout.Add("seat", 0, 1, "one-hot: the observer's seat", []string{"first", "second"}, 2)
	privateAt = layout.Add("private", 0, 1, "one-hot: the observer's card, all zero before the deal", cards, 6)
	publicAt  = layout.Add("public", 0, 1, "one-hot: the public card, all zero before it lies", cards, 6)
	bettingAt = layout.Add("betting", 0, 1, "one-hot for each action taken, by round and in order; zero for those to come",
		[]string{"fold", "call", "raise"}, 2, leduc.MaxActions, 3)
)

// Encoder is the encoder of Leduc poker.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*leduc.View)
	dst = dst[:layout.Size]
	clear(dst)
	dst[seatAt+int(p)] = 1
	if c := s.Card(int(p)); c >= 0 {
		dst[privateAt+c] = 1
	}
	if c := s.Card(2); c >= 0 {
		dst[publicAt+c] = 1
	}
	for r := range 2 {
		at := bettingAt + r*leduc.MaxActions*3
		for i, a := range s.Betting(r) {
			dst[at+3*i+int(a)] = 1
		}
	}
}
