package insurgency

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine/insurgency"
)

// Cards written eight at a time are those written one by one, and nothing behind them.
func TestManyCards(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	for range 1000 {
		set := insurgency.CardSet{rng.Uint64(), rng.Uint64() >> (128 - insurgency.Events)}
		one, eight := make([]float32, insurgency.Events+8), make([]float32, insurgency.Events+8)
		if cards(one, set); slices.Index(one[insurgency.Events:], 1) >= 0 {
			t.Fatalf("%x has a card that there is not", set)
		}
		if manyCards(eight, set); !slices.Equal(one, eight) {
			t.Fatalf("%x: one by one %v, eight at a time %v", set, one, eight)
		}
	}
}
