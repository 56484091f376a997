package liarsdice_test

import (
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding/encodingtest"
	encoder "powderkeg/env/encoding/liars_dice"
)

// The sizes follow the options; the tests of package env cover the default game.
func TestEncoder(t *testing.T) {
	for text, size := range map[string]int{
		"liars_dice": 2 + 6 + 2*12 + 1, "liars_dice(players=3,dice=2,faces=4)": 3 + 8 + 3*24 + 1, "liars_dice(players=6,dice=5)": 6 + 30 + 6*180 + 1,
	} {
		e := encoder.For(enginetest.Game(t, text))
		if got := e.Layout().Size; got != size {
			t.Errorf("%s: %d numbers, want %d", text, got, size)
		}
		encodingtest.Suite{Encoder: e, Games: []string{text}, Times: 5}.Run(t)
	}
}

func TestFields(t *testing.T) {
	const text = "liars_dice(players=3,dice=2,faces=4)"
	suite := encodingtest.Suite{Encoder: encoder.For(enginetest.Game(t, text))}
	s := enginetest.Load[engine.State](t, text, `{"dice":[[3,1],[4,4],[2,2]],"bids":["1-1","1-4","3-2","6-4"],"called":true}`)
	obs := suite.Observe(s, 1)
	for name, want := range map[string][]float32{
		"seat":   {0, 1, 0},
		"dice":   {0, 0, 0, 0, 0, 0, 1, 1},
		"bids":   encodingtest.At(72, map[int]float32{3: 1, 24 + 9: 1, 48 + 0: 1, 48 + 23: 1}),
		"called": {1},
	} {
		if got := suite.Field(t, obs, name); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
