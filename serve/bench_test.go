package serve_test

import (
	"context"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve"
	"powderkeg/serve/server"
)

// firstLegal is an agent that takes the first legal action.
type firstLegal struct{}

func (firstLegal) Start(engine.Player, uint64) {}

func (firstLegal) Act(_ context.Context, _ engine.State, legal []engine.Action) (engine.Action, error) {
	return legal[0], nil
}

func config() server.Config {
	c := server.Default()
	c.NewAgent = func(engine.Game, string) (agents.Agent, error) { return firstLegal{}, nil }
	return c
}

func TestBenchMeasuresEveryFigure(t *testing.T) {
	r, err := serve.Bench(t.Context(), serve.BenchConfig{Game: "leduc", Agent: "random", Envs: 1024, Seconds: 0.5, Server: config()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", *r)
	if r.Acts == 0 || r.ActP50 <= 0 || r.ActP99 < r.ActP50 || r.Steps == 0 || r.StepP50 <= 0 || r.StepP99 < r.StepP50 {
		t.Errorf("latencies are %+v, want each measured and p99 at least p50", *r)
	}
	if r.VecSteps == 0 || r.VecDecisions <= 0 || r.VecBytesPerSec <= 0 {
		t.Errorf("throughput is %+v, want it measured", *r)
	}
}
