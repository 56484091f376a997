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
	bettingAt = layout.Add("betting", 0, 1, "one-hot for each decision taken, in order: pass or bet; zero for those to come", []string{"pass", "bet"}, 3,
		2)
)

// Encoder is the encoder of Kuhn poker.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder. There are so few observations that each is copied whole.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*kuhn.View)
	played, bets := s.History()
	*(*observation)(dst) = observations[p][s.Card(p)+1][played][bets]
}

type observation [2 + 3 + 2*3]float32

// observations are all that there are: by seat, card (0 for none), decisions taken and the set of
// those that were bets.
var observations = func() (all [2][4][4][8]observation) {
	for p := range all {
		for card := range all[p] {
			for played := range all[p][card] {
				for bets := range all[p][card][played] {
					encode(all[p][card][played][bets][:], p, card-1, played, bets)
				}
			}
		}
	}
	return all
}()

// encode writes an observation to dst, which is zero.
func encode(dst []float32, seat, card, played, bets int) {
	dst[seatAt+seat] = 1
	if card >= 0 {
		dst[cardAt+card] = 1
	}
	for i := range played {
		dst[bettingAt+2*i+bets>>i&1] = 1
	}
}
