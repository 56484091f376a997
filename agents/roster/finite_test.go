package roster

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/network"
	"powderkeg/agents/planner"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// Whoever plays by a network that overflows fails by its name, rather than play by its rubbish.
func TestNobodyPlaysByANetworkThatOverflows(t *testing.T) {
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	c := network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: 2, Hidden: []int{8}, Activation: network.ReLU}
	net, err := network.New(c, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range net.Weights() {
		net.Weights()[i] = 3e38
	}
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bot")
	bot := checkpoints.Checkpoint{Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, encoder.Layout()), Network: config}, Weights: net.Tensors()}
	if err := bot.Write(path); err != nil {
		t.Fatal(err)
	}
	p, err := planner.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	chooser, err := network.New(network.Config{Inputs: len(p.Features()), Actions: 1, Seats: 1, Hidden: []int{8}, Activation: network.ReLU}, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range chooser.Weights() {
		chooser.Weights()[i] = 3e38
	}
	plans, err := planner.Checkpoint(g, p, planner.Config{}, chooser)
	if err == nil {
		err = plans.Write(path + "-plans")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	view := engine.Look(s, s.ToAct())
	for _, name := range []string{
		"checkpoint:" + path + "-plans", "planner(net=" + path + "-plans)", "planner(net=" + path + "-plans,temperature=1)", "planner(net=" + path + "-plans,advice=0)",
		"checkpoint:" + path, "network(net=" + path + ")", "network(net=" + path + ",temperature=0)", "network(net=" + path + ",slips=0.000001)",
		"mcts(sims=20,net=" + path + ")", "md(sims=20,net=" + path + ")", "md(sims=20,depth=0,net=" + path + ")",
	} {
		policies, err := Policies(g, name)
		if err != nil {
			t.Fatal(err)
		}
		agent, err := New(g, name)
		if err != nil {
			t.Fatal(err)
		}
		for kind, a := range map[string]agents.Agent{"agent": agent, "policy": agents.FromPolicy(policies())} {
			a.Start(s.ToAct(), 1)
			if _, err := a.Act(context.Background(), view, s.Legal(nil)); !errors.Is(err, network.ErrNotFinite) || !strings.Contains(strings.Replace(err.Error(), "-plans", "", 1), path+": not finite") {
				t.Errorf("%s as %s: error %v", name, kind, err)
			}
		}
	}
}

func TestNetworksHaveATemperatureThatIsOne(t *testing.T) {
	g, err := games.New("jogu")
	if err != nil {
		t.Fatal(err)
	}
	for value, fits := range map[string]bool{"0": true, "0.001": true, "0.6": true, "100": true, "1e-300": false, "0.0009": false, "-1": false, "1e300": false, "NaN": false} {
		name := "network(net=zoo:jogu,temperature=" + value + ")"
		_, err := New(g, name)
		if (err == nil) != fits || err != nil && !errors.Is(err, option.ErrUsage) {
			t.Errorf("%s: error %v, want one: %v", name, err, !fits)
		}
	}
}
