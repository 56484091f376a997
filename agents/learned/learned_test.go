package learned

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// shaped returns a game and the architecture of a small network for it.
func shaped(t testing.TB, name string) (engine.Game, network.Config) {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{16},
		Activation: network.Tanh}
}

// brain returns a network with random policy for the game, far from uniform.
func brain(t testing.TB, name string) (engine.Game, *Brain) {
	t.Helper()
	g, c := shaped(t, name)
	net, err := network.New(c, rand.NewPCG(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range net.Weights() {
		net.Weights()[i] *= 3
	}
	heads := net.Config().Tensors()[2]
	for i := range heads.Size {
		net.Weights()[heads.Offset+i] *= 100
	}
	b, err := NewBrain(g, net)
	if err != nil {
		t.Fatal(err)
	}
	return g, b
}

// positions plays random games of tictactoe and calls f at every decision.
func positions(t testing.TB, g engine.Game, f func(s engine.State, legal []engine.Action)) {
	t.Helper()
	rng := rand.NewPCG(1, 1)
	for range 30 {
		s := g.New()
		for s.ToAct() >= 0 {
			legal := s.Legal(nil)
			f(s, legal)
			if err := s.Apply(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPoliciesFollowTheNetwork: the greedy one takes the most probable legal
// action, and the other draws by the probabilities. 20.5 per 5 degrees of freedom
// is the 99.9% point of chi-squared; here it is bounded for 8.
func TestPoliciesFollowTheNetwork(t *testing.T) {
	g, b := brain(t, "tictactoe")
	greedy, drawing := b.NewPolicy(0), b.NewPolicy(1)
	rng := rand.NewPCG(2, 2)
	positions(t, g, func(s engine.State, legal []engine.Action) {
		p, values := drawing.Evaluate(nil, s, s.ToAct(), legal)
		sum, best := 0.0, 0
		for i, x := range p {
			sum += float64(x)
			if x > p[best] {
				best = i
			}
		}
		if math.Abs(sum-1) > 1e-5 || len(values) != 2 {
			t.Fatalf("probabilities %v add up to %v; %d values", p, sum, len(values))
		}
		if got := greedy.Choose(s, s.ToAct(), legal, rng); got != legal[best] {
			t.Fatalf("the greedy policy takes %d of %v with probabilities %v, want %d", got, legal, p, legal[best])
		}
		if got := drawing.Choose(s, s.ToAct(), legal, rng); !slices.Contains(legal, got) {
			t.Fatalf("the policy takes %d, legal are %v", got, legal)
		}
	})
	s := g.New()
	legal := s.Legal(nil)
	p, _ := drawing.Evaluate(nil, s, 0, legal)
	counts := make([]float64, len(legal))
	const draws = 20000
	for range draws {
		counts[drawing.Choose(s, 0, legal, rng)]++
	}
	chi := 0.0
	for i, x := range p {
		if want := draws * float64(x); want > 5 {
			chi += (counts[i] - want) * (counts[i] - want) / want
		}
	}
	if chi > 26.1 { // 99.9% point at 8 degrees of freedom
		t.Errorf("draws %v do not follow %v: chi-squared %.1f", counts, p, chi)
	}
}

// TestBatchesAgreeWithSingles acts on many observations at once and one by one
// with generators in the same state.
func TestBatchesAgreeWithSingles(t *testing.T) {
	g, b := brain(t, "tictactoe")
	var obs []float32
	var masks []uint8
	var one []engine.Action
	single := b.NewPolicy(0.7)
	rng := rand.NewPCG(8, 8)
	positions(t, g, func(s engine.State, legal []engine.Action) {
		one = append(one, single.Choose(s, s.ToAct(), legal, rng))
		obs = append(obs, single.obs...)
		masks = append(masks, single.mask...)
	})
	many := make([]engine.Action, len(one))
	b.NewBatch(len(one), 0.7).Act(obs, masks, rand.NewPCG(8, 8), many)
	if !slices.Equal(one, many) {
		t.Errorf("the batch acts %v, one by one %v", many, one)
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	g, b := brain(t, "tictactoe")
	p := b.NewPolicy(1)
	s := g.New()
	legal := s.Legal(nil)
	rng := rand.NewPCG(1, 1)
	if got := testing.AllocsPerRun(100, func() { p.Choose(s, 0, legal, rng) }); got != 0 {
		t.Errorf("%v allocations per decision, want none", got)
	}
}

// TestOpenChecksWhatTheCheckpointIsFor writes a checkpoint and opens it for its
// own game, for another, and with one thing changed at a time.
func TestOpenChecksWhatTheCheckpointIsFor(t *testing.T) {
	g, b := brain(t, "tictactoe")
	other, _ := brain(t, "connect4")
	config, err := json.Marshal(b.Network().Config())
	if err != nil {
		t.Fatal(err)
	}
	sound := checkpoints.Checkpoint{
		Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, b.encoder.Layout()), Network: config},
		Weights:  b.Network().Tensors(),
	}
	write := func(change func(*checkpoints.Checkpoint)) string {
		c := sound
		c.Weights = slices.Clone(c.Weights)
		change(&c)
		path := filepath.Join(t.TempDir(), "bot")
		if err := c.Write(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write(func(*checkpoints.Checkpoint) {})
	back, err := Open(g, path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Network().Weights(), b.Network().Weights()) {
		t.Error("the weights have changed on the way")
	}
	if _, err := Open(other, path); !errors.Is(err, checkpoints.ErrMismatch) || !strings.Contains(err.Error(), "it plays tictactoe, this is connect4") {
		t.Errorf("for another game: %v", err)
	}
	tests := []struct {
		name   string
		change func(*checkpoints.Checkpoint)
		want   error
		line   string
	}{
		{"rules", func(c *checkpoints.Checkpoint) { c.Manifest.Rules++ }, checkpoints.ErrVersion, "rules of tictactoe"},
		{"network", func(c *checkpoints.Checkpoint) { c.Manifest.Network = json.RawMessage(`{"inputs":0}`) }, checkpoints.ErrCorrupt, "inputs is 0"},
		{"unknown", func(c *checkpoints.Checkpoint) { c.Manifest.Network = json.RawMessage(`{"convolutions":3}`) }, checkpoints.ErrCorrupt, "convolutions"},
		{"missing", func(c *checkpoints.Checkpoint) { c.Weights = c.Weights[1:] }, checkpoints.ErrCorrupt, "tensors"},
		{"renamed", func(c *checkpoints.Checkpoint) { c.Weights[0].Name = "head.weight" }, checkpoints.ErrMismatch, "torso.0.weight"},
		{"huge", func(c *checkpoints.Checkpoint) {
			c.Manifest.Network = json.RawMessage(`{"inputs":65536,"actions":9,"seats":2,"hidden":[65536],"activation":"tanh"}`)
		}, checkpoints.ErrCorrupt, "bytes"},
		{"smaller", func(c *checkpoints.Checkpoint) {
			n, err := network.New(network.Config{Inputs: 2, Actions: 9, Seats: 2, Hidden: []int{4}, Activation: network.ReLU}, rand.NewPCG(1, 1))
			if err != nil {
				t.Fatal(err)
			}
			c.Weights = n.Tensors()
			c.Manifest.Network = json.RawMessage(`{"inputs":2,"actions":9,"seats":2,"hidden":[4],"activation":"relu"}`)
		}, checkpoints.ErrCorrupt, "its network has 2 inputs"},
		{"seats", func(c *checkpoints.Checkpoint) {
			n, err := network.New(network.Config{Inputs: b.Encoder().Layout().Size, Actions: 9, Seats: 3, Hidden: []int{4}, Activation: network.ReLU},
				rand.NewPCG(1, 1))
			if err != nil {
				t.Fatal(err)
			}
			c.Weights = n.Tensors()
			c.Manifest.Network = json.RawMessage(fmt.Sprintf(`{"inputs":%d,"actions":9,"seats":3,"hidden":[4],"activation":"relu"}`, n.Config().Inputs))
		}, checkpoints.ErrMismatch, "it plays tictactoe, which has 3 seats, tictactoe has 2"},
		{"infinite", func(c *checkpoints.Checkpoint) {
			w := make([]float32, 16)
			w[3] = float32(math.Inf(1))
			c.Weights[1] = checkpoints.Float32s("torso.0.bias", w, 16)
		}, checkpoints.ErrCorrupt, "is +Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(g, write(test.change))
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.line) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v, want one line that wraps %v and has %q", err, test.want, test.line)
			}
		})
	}
}
