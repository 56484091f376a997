// Package kuhn encodes Kuhn poker.
package kuhn

import (
	"powderkeg/engine"
	"powderkeg/engine/kuhn"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "kuhn", Version: 1}

var (
	seatAt    = layout.Add("seat", 0, 1, "one-hot: the observer's seat", []string{"first", "second"}, 2)
	cardAt    = layout.Add("card", 0, 1, "one-hot: the observer's card, all zero before the deal", []string{"J", "Q", "K"}, 3)
	bettingAt = layout.Add("betting", 0, 1, "one-hot for each decision taken, in order: pass or bet; zero for those to come", []string{"pass", "bet"}, 3, 2)
)

// Encoder is the encoder of Kuhn poker.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*kuhn.View)
	dst = dst[:layout.Size]
	clear(dst)
	dst[seatAt+int(p)] = 1
	if c := s.Card(p); c >= 0 {
		dst[cardAt+c] = 1
	}
	played, bets := s.History()
	for i := range played {
		dst[bettingAt+2*i+int(bets>>i&1)] = 1
	}
}
