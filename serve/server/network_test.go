package server_test

import (
	"sync"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// withNetwork is a configuration that has the agents net, an untrained network, and advised, one
// that is advised by the scripted player.
func withNetwork() server.Config {
	c := config()
	c.Agents = append(c.Agents, "net", "advised")
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		if text == "advised" {
			return advised{inference.Untrained(g, 32), g}, true
		}
		return inference.Untrained(g, 32), text == "net"
	}
	return c
}

// advised gives the network of a source advice.
type advised struct {
	inference.Source
	game engine.Game
}

func (a advised) Load() (*learned.Brain, error) {
	b, err := a.Source.Load()
	if err != nil {
		return nil, err
	}
	c := b.Network().Config()
	c.Advice = 3
	return learned.NewBrain(a.game, network.FromWeights(c, b.Network().Weights()).Frozen())
}

// TestAdvisedAgentsNeedThePosition: they act with an environment, and say why they do not by
// observations, which the scripted player cannot read.
func TestAdvisedAgentsNeedThePosition(t *testing.T) {
	address, _ := start(t, withNetwork())
	c := dial(t, address)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "connect4"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "connect4", Agent: "advised"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Made.Batch {
		t.Error("an advised agent is said to act on observations")
	}
	if _, err := a.Act(t.Context(), e); err != nil {
		t.Error(err)
	}
	_, err = a.ActBatch(t.Context(), e.Made.Step.Observation, e.Made.Step.Mask)
	wantCode(t, "act_batch", err, protocol.CodeAgent, "use act with an env")
	_, err = a.Evaluate(t.Context(), e.Made.Step.Observation)
	wantCode(t, "agent.evaluate", err, protocol.CodeAgent, "use act with an env")
}

// Clients that act, act on batches and play against a network at the same time
// share one copy of it, which ends with the last of them.
func TestConnectionsShareANetwork(t *testing.T) {
	cfg := withNetwork()
	reg := prometheus.NewRegistry()
	cfg.Metrics = server.NewMetrics(reg)
	address, stop := start(t, cfg)
	const clients = 6
	var acting, done sync.WaitGroup
	acting.Add(clients)
	leave := make(chan struct{})
	for i := range clients {
		c := dial(t, address)
		done.Go(func() {
			defer c.Close()
			e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "connect4", Agents: []string{"net", ""}})
			if err != nil {
				t.Error(err)
				acting.Done()
				return
			}
			play(t, e, &e.Made.Step, uint64(i))
			a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "connect4", Agent: "net", Seed: uint64(i)})
			if err != nil || !a.Made.Batch || a.Made.Generation != 1 {
				t.Errorf("the network was loaded as %+v, error %v, want one that acts on batches, of generation 1", a, err)
			}
			if err := e.Reset(t.Context(), nil, &e.Made.Step); err != nil {
				t.Error(err)
			}
			action, err := a.Act(t.Context(), e)
			if err != nil || e.Made.Step.Mask[action] != 1 {
				t.Errorf("act: action %d, error %v, want a legal one", action, err)
			}
			for range 20 {
				actions, err := a.ActBatch(t.Context(), e.Made.Step.Observation, e.Made.Step.Mask)
				if err != nil || len(actions) != 1 || e.Made.Step.Mask[actions[0]] != 1 {
					t.Errorf("act_batch: actions %v, error %v, want a legal one", actions, err)
				}
			}
			acting.Done()
			<-leave
		})
	}
	acting.Wait()
	if n := value(t, reg, "powderkeg_serve_networks"); n != 1 {
		t.Errorf("%g networks are loaded, want 1", n)
	}
	close(leave)
	done.Wait()
	stop()
	if n := value(t, reg, "powderkeg_serve_networks"); n != 0 {
		t.Errorf("%g networks are loaded after all have left, want none", n)
	}
}

// value returns what a metric's children add up to.
func value(t *testing.T, reg *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			sum := 0.0
			for _, m := range f.GetMetric() {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
			return sum
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
