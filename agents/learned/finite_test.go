package learned_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/random"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// saved writes a network for Leduc, changed, and returns where.
func saved(t *testing.T, change func(*network.Network)) string {
	t.Helper()
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	c := network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: 2, Hidden: []int{8, 8}, Activation: network.ReLU}
	net, err := network.New(c, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	change(net)
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bot")
	bot := checkpoints.Checkpoint{Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, encoder.Layout()), Network: config},
		Weights: net.Tensors()}
	if err := bot.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// huge makes every weight as large as a number can nearly be.
func huge(n *network.Network) {
	for i := range n.Weights() {
		n.Weights()[i] = 3e38
	}
}

func TestANetworkThatOverflowsSaysSo(t *testing.T) {
	path := saved(t, huge)
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	brain, err := learned.Open(g, path)
	if err != nil {
		t.Fatal(err)
	}
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	view := engine.Look(s, s.ToAct())
	seat := s.ToAct()
	for name, p := range map[string]agents.Policy{
		"drawn": brain.NewPolicy(1), "best": brain.NewPolicy(0), "sharp": brain.NewPolicy(0.001), "slipping": random.Slipping(brain.NewPolicy(1), 1e-9),
	} {
		a := agents.FromPolicy(p)
		a.Start(seat, 1)
		if _, err := a.Act(context.Background(), view, s.Legal(nil)); !errors.Is(err, network.ErrNotFinite) ||
			!strings.HasPrefix(err.Error(), path+": not finite: layer 0 gives +Inf") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	always := agents.FromPolicy(random.Slipping(brain.NewPolicy(1), 1))
	always.Start(seat, 1)
	if _, err := always.Act(context.Background(), view, s.Legal(nil)); err != nil {
		t.Errorf("one that never asks its network: %v", err)
	}
	p := brain.NewPolicy(1)
	if p.Evaluate(nil, view, seat, s.Legal(nil)); !errors.Is(p.Err(), network.ErrNotFinite) {
		t.Errorf("evaluation: %v", p.Err())
	}
}

// Logits that are finite need not be so by a small temperature.
func TestAProbabilityThatIsNoneIsRefused(t *testing.T) {
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	view := engine.Look(s, s.ToAct())
	brain, err := learned.Open(g, saved(t, func(n *network.Network) {
		for _, part := range n.Config().Tensors() {
			if part.Name == "policy.bias" {
				copy(n.Weights()[part.Offset:], []float32{1e38, 1e38, 1e38})
			}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for temperature, fails := range map[float64]bool{1: false, 0: false, 0.001: true} {
		a := brain.NewAgent(temperature)
		a.Start(s.ToAct(), 1)
		if _, err := a.Act(context.Background(), view, s.Legal(nil)); errors.Is(err, network.ErrNotFinite) != fails {
			t.Errorf("temperature %v: error %v, want one: %v", temperature, err, fails)
		}
	}
}

func TestTemperaturesAreBounded(t *testing.T) {
	for temperature, fits := range map[float64]bool{0: true, 0.001: true, 1: true, 100: true, 1e-300: false, 0.0009: false, -1: false, 101: false,
		math.NaN(): false, math.Inf(1): false} {
		if err := learned.CheckTemperature(temperature); (err == nil) != fits || err != nil &&
			!strings.Contains(err.Error(), "must be 0 or from 0.001 to 100") {
			t.Errorf("temperature %v: error %v, want one: %v", temperature, err, !fits)
		}
	}
}
