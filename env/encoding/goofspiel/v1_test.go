package goofspiel_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding/encodingtest"
	encoder "powderkeg/env/encoding/goofspiel"
)

// The sizes follow the options; the tests of package env cover the default game.
func TestEncoder(t *testing.T) {
	for text, n := range map[string]int{"goofspiel": 13, "goofspiel(cards=4)": 4, "goofspiel(cards=5,bids=shown,order=ascending)": 5} {
		e := encoder.For(enginetest.Game(t, text))
		if got, want := e.Layout().Size, 2+3*n+3*n*n+3*n+2; got != want {
			t.Errorf("%s: %d numbers, want %d", text, got, want)
		}
		encodingtest.Suite{Encoder: e, Games: []string{text}, Times: 5}.Run(t)
	}
}

func TestFields(t *testing.T) {
	const position = `{"prizes":[2,4,1],"bids":{"0":[3,2,4],"1":[1,2]}}`
	hidden := map[string][]float32{
		"seat": {0, 1}, "prize": {1, 0, 0, 0}, "left": {0, 0, 1, 0}, "hand": {0, 0, 1, 1},
		"prizes": encodingtest.At(16, map[int]float32{1: 1, 4 + 3: 1, 8 + 0: 1}), "bids": encodingtest.At(16, map[int]float32{0: 1, 4 + 1: 1}),
		"others": encodingtest.At(16, nil), "won": encodingtest.At(12, map[int]float32{1: 1, 3 + 2: 1}), "points": {0, 0.2},
	}
	for text, others := range map[string]map[int]float32{
		"goofspiel(cards=4)": nil, "goofspiel(cards=4,bids=shown)": {2: 1, 4 + 1: 1}, // and not the bid of this round
	} {
		suite := encodingtest.Suite{Encoder: encoder.For(enginetest.Game(t, text))}
		obs := suite.Observe(enginetest.Load[engine.State](t, text, position), 1)
		hidden["others"] = encodingtest.At(16, others)
		for name, want := range hidden {
			if got := suite.Field(t, obs, name); !encodingtest.Close(got, want) {
				t.Errorf("%s: %s is %v, want %v", text, name, got, want)
			}
		}
	}
}
