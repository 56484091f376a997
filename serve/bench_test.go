package serve_test

import (
	"bytes"
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

// batched is a firstLegal that also acts on observations.
type batched struct{ firstLegal }

func (batched) ActBatch(_ []float32, masks []uint8, n int, actions []int32) error {
	width := len(masks) / n
	for i := range n {
		actions[i] = int32(bytes.IndexByte(masks[i*width:(i+1)*width], 1))
	}
	return nil
}

// config is a server's with the agents random, which is a name only, and batch.
func config() server.Config {
	c := server.Default()
	c.Agents = []string{"random", "batch"}
	c.Workers = 2
	c.NewAgent = func(_ engine.Game, text string) (agents.Agent, error) {
		if text == "batch" {
			return batched{}, nil
		}
		return firstLegal{}, nil
	}
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
