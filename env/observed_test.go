package env_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/env/encoding/minuteman"
)

// TestObserved: a game can be observed through another encoder than its own.
func TestObserved(t *testing.T) {
	g := enginetest.Game(t, "minuteman")
	if e, err := env.EncoderFor(g); err != nil || e != (minuteman.Compact{}) {
		t.Errorf("the encoder is %T, error %v", e, err)
	}
	observed := env.Observed(g, minuteman.Planes{})
	e, err := env.New(observed, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Reset(1)
	obs, mask := make([]float32, minuteman.Planes{}.Layout().Size), make([]uint8, len(g.Spec().Actions))
	if e.Observe(obs, mask); e.Encoder() != (minuteman.Planes{}) {
		t.Errorf("the environment has the encoder %T", e.Encoder())
	}
}
