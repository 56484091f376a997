package server_test

import (
	"testing"
	"testing/synctest"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// thinker connects, loads an agent that ponders and has it think once, which shows that it
// takes long.
func (p *pipes) thinker(t *testing.T) *raw {
	r := p.dial(t)
	r.greet()
	r.send(2, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "ponder"})
	r.want(2, nil)
	r.send(3, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"})
	r.want(3, nil)
	r.send(4, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
	r.want(4, nil)
	return r
}

// Agents that think for long share the places to think, connection by connection; what is
// soon done goes past them, and where too many wait a request is refused before anything has
// changed.
func TestLongThoughtsAreQueued(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Metrics = server.NewMetrics(reg)
	c.Thinking.Thinkers, c.Thinking.Queue = 1, 3
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		var busy []*raw
		for range 5 {
			busy = append(busy, p.thinker(t))
		}
		seated := p.dial(t)
		seated.greet()
		seated.send(2, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "ponder"}})
		seated.want(2, nil)
		for id := range uint64(2) { // the second thought waits already
			seated.send(3+2*id, protocol.MethodEnvReset, &protocol.EnvReset{Env: 1})
			seated.want(3+2*id, nil)
			seated.send(4+2*id, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("bet")})
			seated.want(4+2*id, nil)
		}
		seated.send(7, protocol.MethodEnvReset, &protocol.EnvReset{Env: 1})
		seated.want(7, nil)
		begin := time.Now()
		for _, r := range busy[:4] {
			r.send(5, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
		}
		synctest.Wait()
		if got := value(t, reg, "powderkeg_serve_thoughts_waiting"); got != 3 {
			t.Errorf("%g thoughts wait, want 3", got)
		}
		good := p.dial(t)
		good.greet()
		good.send(2, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}})
		good.want(2, nil)
		good.send(3, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("bet")})
		good.want(3, nil)
		took(t, "what is soon done", begin, 0)

		busy[4].send(5, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
		busy[4].wantFault("a fifth thought", 5, protocol.CodeOverloaded, "3 thoughts wait, the limit is 3", "try again")
		seated.send(8, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("bet")})
		seated.wantFault("a step against an agent that thinks", 8, protocol.CodeOverloaded, "3 thoughts wait")
		took(t, "the refusals", begin, 0)
		for _, r := range busy[:4] {
			r.want(5, nil)
		}
		took(t, "four thoughts of 100 ms", begin, 400*time.Millisecond)
		seated.send(9, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("bet")})
		seated.want(9, nil) // nothing had changed
	})
}

// A search is queued from its first thought on, whatever connection loads it anew.
func TestSearchesAreQueuedAtOnce(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Metrics, c.Agents = server.NewMetrics(reg), []string{"mcts"}
	c.NewAgent = func(g engine.Game, _ string) (agents.Agent, error) {
		return search.New(g, search.Config{Simulations: 10, Exploration: 1})
	}
	address, stop := start(t, c)
	peer := dial(t, address)
	e, err := peer.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		a, err := peer.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "mcts"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Act(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	peer.Close()
	stop()
	if got := count(t, reg, "powderkeg_serve_thought_wait_seconds"); got != 3 {
		t.Errorf("%d thoughts have had a place, want 3", got)
	}
}

// count returns how many observations a histogram has.
func count(t *testing.T, reg *prometheus.Registry, name string) uint64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetHistogram().GetSampleCount()
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// Many decisions at once are queued too, and few are not until they have taken long.
func TestManyDecisionsAtOnceAreQueued(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Metrics = server.NewMetrics(reg)
	address, stop := start(t, c)
	peer := dial(t, address)
	a, err := peer.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "batch"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 16, 17, 64} {
		masks := make([]uint8, 2*n)
		for i := range masks {
			masks[i] = 1
		}
		if _, err := a.ActBatch(t.Context(), make([]float32, 11*n), masks); err != nil {
			t.Fatal(err)
		}
	}
	peer.Close()
	stop()
	if got := count(t, reg, "powderkeg_serve_thought_wait_seconds"); got != 2 {
		t.Errorf("%d of the requests have had a place, want the 2 for more than 16 decisions", got)
	}
}
