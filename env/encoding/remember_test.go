package encoding_test

import (
	"testing"

	"powderkeg/env/encoding"
)

type board struct {
	turn   uint8
	pieces [3]uint8
	money  uint16
	cards  [2]uint8
}

func TestSpan(t *testing.T) {
	var nothing board
	span := encoding.Between(&nothing, &nothing.pieces, &nothing.money)
	for name, change := range map[string]struct {
		to   board
		same bool
	}{
		"nothing":             {board{}, true},
		"a field before":      {board{turn: 1}, true},
		"a field behind":      {board{cards: [2]uint8{1, 1}}, true},
		"the first field":     {board{pieces: [3]uint8{1}}, false},
		"inside":              {board{pieces: [3]uint8{0, 0, 1}}, false},
		"the last field":      {board{money: 1}, false},
		"its last byte alone": {board{money: 256}, false},
	} {
		if got := span.Same(&nothing, &change.to); got != change.same {
			t.Errorf("%s changed: the same is %t, want %t", name, got, change.same)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a span from a field to one before it is made")
		}
	}()
	encoding.Between(&nothing, &nothing.cards, &nothing.turn)
}
