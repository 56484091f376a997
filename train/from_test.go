package train

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

// saved trains a little and returns the run and the path of its checkpoint.
func saved(t *testing.T, c Config) (run *Trainer, path string) {
	t.Helper()
	run = trainer(t, c)
	updates(t, run, 2)
	c1, err := run.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if path, err = (checkpoints.Store{Dir: t.TempDir()}).Save(c1); err != nil {
		t.Fatal(err)
	}
	return run, path
}

// TestNetworkFromAnotherRun: the weights are taken over and go on learning, and a
// magnet at rest stays where they began.
func TestNetworkFromAnotherRun(t *testing.T) {
	first, path := saved(t, small("kuhn"))
	c := small("kuhn")
	c.Seed, c.Network.From = 7, path
	c.PPO.Magnet, c.PPO.MagnetRate = ppo.Constant(0.1), 0
	second := trainer(t, c)
	if second.Updates() != 0 || !slices.Equal(second.net.Weights(), first.net.Weights()) {
		t.Fatalf("the second run begins at update %d, want 0, with the weights of the first: %v, want true",
			second.Updates(), slices.Equal(second.net.Weights(), first.net.Weights()))
	}
	updates(t, second, 2)
	if slices.Equal(second.net.Weights(), first.net.Weights()) {
		t.Error("the second run does not learn")
	}
	if !slices.Equal(second.learner.Magnet().Weights(), first.net.Weights()) {
		t.Error("the magnet at rest has moved")
	}
}

// TestSharpenMultipliesTheLogits: and nothing else of the network that is gone on from.
func TestSharpenMultipliesTheLogits(t *testing.T) {
	first, path := saved(t, small("kuhn"))
	obs := make([]float32, first.net.Config().Inputs)
	obs[0], obs[3] = 1, 1
	forward := func(run *Trainer) (logits, values []float32) {
		logits, values = make([]float32, run.net.Config().Actions), make([]float32, run.net.Config().Seats)
		run.net.Forward(run.net.NewWorkspace(1), obs, logits, values)
		return logits, values
	}
	logits, values := forward(first)
	for _, by := range []float64{3, 0.25} {
		c := small("kuhn")
		c.Network.From, c.Network.Sharpen = path, by
		got, same := forward(trainer(t, c))
		for i := range logits {
			if want := float32(by) * logits[i]; logits[i] == 0 || math.Abs(float64(got[i]-want)) > 1e-5 {
				t.Errorf("logit %d is %v, want %v: %v times %v", i, got[i], want, by, logits[i])
			}
		}
		if !slices.Equal(same, values) {
			t.Errorf("values are %v, want %v", same, values)
		}
	}
	for _, wrong := range []Network{{From: path, Sharpen: 0.001}, {From: path, Sharpen: -1}, {From: path, Sharpen: math.NaN()}, {Sharpen: 2}} {
		c := small("kuhn")
		c.Network.From, c.Network.Sharpen = wrong.From, wrong.Sharpen
		if _, err := NewTrainer(c); err == nil || !strings.Contains(err.Error(), "network.sharpen is") {
			t.Errorf("sharpened by %v: error %v, want one of network.sharpen", wrong.Sharpen, err)
		}
	}
}

// TestNetworkFromIsReadOnce: a run goes on after the one it began with is gone.
func TestNetworkFromIsReadOnce(t *testing.T) {
	_, path := saved(t, small("kuhn"))
	c := small("kuhn")
	c.Network.From = path
	second := trainer(t, c)
	updates(t, second, 1)
	state, err := second.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	resumed, err := ResumeTrainer(c, state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resumed.Close() })
	updates(t, second, 1)
	updates(t, resumed, 1)
	if !slices.Equal(second.net.Weights(), resumed.net.Weights()) {
		t.Error("the resumed run has other weights than the one that was not stopped")
	}
}

func TestNetworkFromRefusesWhatDoesNotFit(t *testing.T) {
	_, path := saved(t, small("kuhn"))
	for _, test := range []struct {
		name, want string
		change     func(*Config)
		is         error
	}{
		{"no checkpoint", "network.from: no checkpoint at nowhere", func(c *Config) { c.Network.From = "nowhere" }, checkpoints.ErrNotFound},
		{"another game", "kuhn", func(c *Config) { c.Game = "leduc" }, checkpoints.ErrMismatch},
		{"another network", "it is [32] relu, this run's network [16 16] tanh layer_norm", func(c *Config) {
			c.Network.Hidden, c.Network.Activation, c.Network.LayerNorm = []int{16, 16}, "tanh", true
		}, checkpoints.ErrMismatch},
	} {
		c := small("kuhn")
		c.Network.From = path
		test.change(&c)
		_, err := NewTrainer(c)
		if !errors.Is(err, test.is) || !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error that says %q", test.name, err, test.want)
		}
	}
}

// TestNetworkFromOneWithOtherValues: all but the value head is taken over, and that is
// fresh; a network of another width is refused as ever.
func TestNetworkFromOneWithOtherValues(t *testing.T) {
	first, path := saved(t, small("kuhn"))
	c := small("kuhn")
	c.Seed, c.Network.From, c.Network.Bins = 7, path, 5
	second := trainer(t, c)
	c.Network.From = ""
	fresh := trainer(t, c)
	theirs := first.net.Config().Tensors()
	for i, part := range second.net.Config().Tensors() {
		got := second.net.Weights()[part.Offset : part.Offset+part.Size]
		want := first.net.Weights()[theirs[i].Offset : theirs[i].Offset+theirs[i].Size]
		if strings.HasPrefix(part.Name, "value.") {
			want = fresh.net.Weights()[part.Offset : part.Offset+part.Size]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is not what it should begin with", part.Name)
		}
	}
	c.Network.From, c.Network.Hidden = path, []int{16}
	if _, err := NewTrainer(c); !errors.Is(err, checkpoints.ErrMismatch) {
		t.Errorf("a narrower network: error %v, want a mismatch", err)
	}
}
