package env_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/encoding/encodingtest"
)

// What a seat observes is enough to act on, in every game.
func TestObservationsTellSituationsApart(t *testing.T) {
	for _, f := range games.Families() {
		t.Run(f.Name, func(t *testing.T) {
			g := enginetest.Game(t, f.Name)
			encoder, err := env.EncoderFor(g)
			if err != nil {
				t.Fatal(err)
			}
			n := encodingtest.Pairs(t, g, encoder, enginetest.Times(2), 1)
			t.Logf("%d pairs of situations that look alike", n)
		})
	}
}
