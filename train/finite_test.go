package train

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"powderkeg/agents/network"
)

// diverging is a trainer after two updates.
func diverging(t *testing.T) *Trainer {
	t.Helper()
	text, err := os.ReadFile("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	c.Game = "kuhn"
	trainer, err := NewTrainer(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := trainer.Close(); err != nil {
			t.Error(err)
		}
	})
	for range 2 {
		if _, err := trainer.Update(); err != nil {
			t.Fatal(err)
		}
	}
	return trainer
}

func TestARunThatDivergesStopsByName(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trainer)
		want   string
	}{
		"overflow": {func(t *Trainer) {
			for i := range t.net.Weights() {
				t.net.Weights()[i] = 3e38
			}
		}, "the network that learns: not finite: "},
		"none":  {func(t *Trainer) { t.net.Weights()[0] = float32(math.NaN()) }, "not finite"},
		"heads": {func(t *Trainer) { w := t.net.Weights(); w[len(w)-1] = float32(math.Inf(1)) }, "not finite: value 1 is +Inf"},
	} {
		trainer := diverging(t)
		c.change(trainer)
		_, err := trainer.Update()
		if !errors.Is(err, network.ErrNotFinite) || !strings.HasPrefix(err.Error(), "update 3: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one of update 3 with %q", name, err, c.want)
		}
	}
}

// An update may leave a weight that is none after its loss was a number.
func TestWeightsAreLookedAtAfterAnUpdate(t *testing.T) {
	trainer := diverging(t)
	if err := trainer.sound(); err != nil {
		t.Errorf("a sound run: %v", err)
	}
	trainer.net.Weights()[5] = float32(math.Inf(-1))
	if err := trainer.sound(); !errors.Is(err, network.ErrNotFinite) ||
		!strings.Contains(err.Error(), "tensor torso.0.weight: number 5 of [32 11] is -Inf") {
		t.Errorf("error is %v", err)
	}
}
