package network

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/checkpoints"
)

// shaped is a network for three inputs, two actions and a value, two hidden layers of four.
func shaped(t *testing.T, change func(*Config)) *Network {
	t.Helper()
	c := Config{Inputs: 3, Actions: 2, Seats: 1, Hidden: []int{4, 4}, Activation: ReLU}
	change(&c)
	n, err := New(c, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// set gives numbers to the first of a tensor of the network.
func set(n *Network, name string, numbers ...float32) {
	for _, t := range n.Config().Tensors() {
		if t.Name == name {
			copy(n.Weights()[t.Offset:], numbers)
		}
	}
}

func TestForwardTellsWhatIsNotFinite(t *testing.T) {
	const huge = 3e38
	inf := float32(math.Inf(1))
	for name, c := range map[string]struct {
		change func(*Network)
		want   string // empty for sound
	}{
		"sound":        {func(*Network) {}, ""},
		"large":        {func(n *Network) { set(n, "policy.bias", huge) }, ""},
		"logit":        {func(n *Network) { set(n, "policy.bias", 0, inf) }, "not finite: the logit of action 1 is +Inf"},
		"value":        {func(n *Network) { set(n, "value.bias", float32(math.NaN())) }, "not finite: value 0 is NaN"},
		"layer":        {func(n *Network) { set(n, "torso.0.weight", huge, huge, huge) }, "not finite: layer 0 gives +Inf as number 0"},
		"second layer": {func(n *Network) { set(n, "torso.1.bias", 0, -inf) }, "not finite: layer 1 gives -Inf as number 1"},
		// One that is none counts as 0 behind max(0, x): the logits look sound.
		"hidden": {func(n *Network) { set(n, "torso.1.weight", float32(math.NaN())) }, "not finite: layer 1 gives NaN as number 0"},
	} {
		n := shaped(t, func(*Config) {})
		c.change(n)
		frozen := n.Frozen()
		w := frozen.NewWorkspace(2)
		obs, logits, values := []float32{1, 1, 1, 1, 1, 1}, make([]float32, 4), make([]float32, 2)
		frozen.Forward(w, obs, logits, values)
		err := w.Err()
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, ErrNotFinite) || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
		// The next pass of the same workspace begins anew.
		sound := shaped(t, func(*Config) {})
		sound.Forward(w, obs, logits, values)
		if w.Err() != nil {
			t.Errorf("%s: a sound network after it: %v", name, w.Err())
		}
	}
}

// Of a network whose hidden layers cannot overflow they are not looked at, which costs nothing.
func TestHiddenLayersAreWatchedWhereTheyMayOverflow(t *testing.T) {
	for name, c := range map[string]struct {
		config func(*Config)
		change func(*Network)
		want   bool
	}{
		"fresh":          {func(*Config) {}, func(*Network) {}, false},
		"large and wide": {func(c *Config) { c.Inputs, c.Hidden = 400, []int{64, 64} }, func(*Network) {}, false},
		"huge":           {func(*Config) {}, func(n *Network) { set(n, "torso.0.weight", 1e34) }, true},
		"huge in two":    {func(*Config) {}, func(n *Network) { set(n, "torso.0.weight", 1e16); set(n, "torso.1.weight", 1e18) }, true},
		"behind tanh": {func(c *Config) { c.Activation = Tanh }, func(n *Network) { set(n, "torso.0.weight", 1e16); set(n, "torso.1.weight", 1e18) },
			false},
		"normalised": {func(c *Config) { c.LayerNorm = true }, func(n *Network) { set(n, "torso.0.weight", 1e16); set(n, "torso.1.weight", 1e18) }, false},
		"many":       {func(c *Config) { c.Hidden, c.Residual = slices.Repeat([]int{32}, 40), true }, func(*Network) {}, true},
	} {
		n := shaped(t, c.config)
		c.change(n)
		if got := n.Frozen().watched; got != c.want {
			t.Errorf("%s: watched is %v, want %v", name, got, c.want)
		}
	}
}

// The networks that ship pay nothing.
func TestNoNetworkOfTheZooIsWatched(t *testing.T) {
	for _, name := range checkpoints.Zoo() {
		c, err := checkpoints.Open("zoo:" + name)
		if err != nil {
			t.Fatal(err)
		}
		var of struct { // a planner's network is in its entry
			Planner struct {
				Chooser json.RawMessage `json:"chooser"`
			} `json:"planner"`
		}
		if err := json.Unmarshal(c.Manifest.Network, &of); err != nil {
			t.Fatal(err)
		}
		if of.Planner.Chooser != nil {
			c.Manifest.Network = of.Planner.Chooser
		}
		n, err := FromCheckpoint(c)
		if err != nil {
			t.Fatal(err)
		}
		if n.Frozen().watched {
			t.Errorf("%s is watched", name)
		}
	}
}

func TestFiniteNamesTheWeight(t *testing.T) {
	n := shaped(t, func(*Config) {})
	if err := n.Finite(); err != nil {
		t.Errorf("a fresh network: %v", err)
	}
	set(n, "torso.1.weight", 1, 2, float32(math.NaN()))
	if err := n.Finite(); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "tensor torso.1.weight: number 2 of [4 4] is NaN") {
		t.Errorf("error is %v", err)
	}
}
