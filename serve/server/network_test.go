package server_test

import (
	"sync"
	"testing"

	"powderkeg/engine"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// withNetwork is a configuration that has the agent net, an untrained network.
func withNetwork() server.Config {
	c := config()
	c.Agents = append(c.Agents, "net")
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		return inference.Untrained(g, 32), text == "net"
	}
	return c
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
