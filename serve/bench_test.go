package serve_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/serve"
	"powderkeg/serve/client"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
	"powderkeg/train/nn"
)

// firstLegal is an agent that takes the first legal action.
type firstLegal struct{}

func (firstLegal) Start(engine.Player, uint64) {}

func (firstLegal) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	return legal[0], nil
}

// batched is a firstLegal that also acts on observations.
type batched struct{ firstLegal }

func (batched) ActBatch(_ context.Context, _ []float32, masks []uint8, n int, actions []int32) error {
	width := len(masks) / n
	for i := range n {
		actions[i] = int32(bytes.IndexByte(masks[i*width:(i+1)*width], 1))
	}
	return nil
}

// config is a server's with the agents of the roster that are safe, checkpoints,
// and batch.
func config() server.Config {
	c := server.Default()
	c.Agents = append(c.Agents, "batch", "checkpoint")
	c.Workers = 2
	c.NewAgent = func(g engine.Game, text string) (agents.Agent, error) {
		if text == "batch" {
			return batched{}, nil
		}
		return roster.New(g, text)
	}
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		ref, ok := roster.Checkpoint(text)
		if _, plans := roster.Planner(text); plans {
			return nil, false
		}
		return inference.Checkpoint(g, ref), ok
	}
	return c
}

func TestBenchMeasuresEveryFigure(t *testing.T) {
	r, err := serve.Bench(t.Context(), serve.BenchConfig{Game: "leduc", Agent: "random", Envs: 1024, Seconds: 0.3, Clients: 4, Rows: 3,
		Hidden:   []int{16},
		Thinkers: 2, ThinkingAgent: "mcts(sims=1000)", Server: config()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", *r)
	if r.Acts == 0 || r.ActP50 <= 0 || r.ActP99 < r.ActP50 || r.Steps == 0 || r.StepP50 <= 0 || r.StepP99 < r.StepP50 {
		t.Errorf("latencies are %+v, want each measured and p99 at least p50", *r)
	}
	if r.Batches == 0 || r.BatchDecisions <= 0 || r.BatchP50 <= 0 || r.BatchP99 < r.BatchP50 {
		t.Errorf("acts of many clients are %+v, want them measured", *r)
	}
	if r.Thinkers != 2 || r.Beside == 0 || r.BesideP50 <= 0 || r.BesideP99 < r.BesideP50 {
		t.Errorf("steps beside clients that think are %+v, want them measured", *r)
	}
	if r.VecSteps == 0 || r.VecDecisions <= 0 || r.VecBytesPerSec <= 0 {
		t.Errorf("throughput is %+v, want it measured", *r)
	}
}

// benched are the games that the benchmarks play.
var benched = []string{"leduc", "connect4", "jogu"}

// served dials a server that has random (the first legal action) and learned
// (an untrained network) until the benchmark ends.
func served(b *testing.B) *client.Client {
	b.Helper()
	c := config()
	c.Agents = []string{"random", "learned"}
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		return inference.Untrained(g, nn.Yardstick.Hidden...), text == "learned"
	}
	cl, err := client.Dial(b.Context(), running(b, c))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cl.Close() })
	return cl
}

// BenchmarkAct is the round trip of an act over a Unix socket, by agent.
func BenchmarkAct(b *testing.B) {
	for _, agent := range []string{"random", "learned"} {
		for _, game := range benched {
			b.Run("agent="+agent+"/game="+game, func(b *testing.B) {
				c, ctx := served(b), context.Background()
				e, err := c.MakeEnv(ctx, &protocol.EnvMake{Game: game, Seed: new(uint64)})
				if err != nil {
					b.Fatal(err)
				}
				a, err := c.LoadAgent(ctx, &protocol.AgentLoad{Game: game, Agent: agent})
				if err != nil {
					b.Fatal(err)
				}
				seconds := make([]float64, 0, 1<<16)
				for b.Loop() {
					begin := time.Now()
					if _, err := a.Act(ctx, e); err != nil {
						b.Fatal(err)
					}
					seconds = append(seconds, time.Since(begin).Seconds())
				}
				b.ReportMetric(serve.Quantile(seconds, 0.5)*1e6, "p50-µs")
				b.ReportMetric(serve.Quantile(seconds, 0.99)*1e6, "p99-µs")
			})
		}
	}
}

// BenchmarkStep is the round trip of a single step over a Unix socket, resets
// included.
func BenchmarkStep(b *testing.B) {
	for _, game := range benched {
		b.Run("game="+game, func(b *testing.B) {
			c, ctx := served(b), context.Background()
			e, err := c.MakeEnv(ctx, &protocol.EnvMake{Game: game, Seed: new(uint64)})
			if err != nil {
				b.Fatal(err)
			}
			step := &e.Made.Step
			for b.Loop() {
				if step.Terminated {
					err = e.Reset(ctx, nil, step)
				} else {
					err = e.Step(ctx, protocol.ByNumber(bytes.IndexByte(step.Mask, 1)), step)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkVec is the throughput of a vectorised environment over a Unix socket.
func BenchmarkVec(b *testing.B) {
	const envs = 1024
	for _, game := range benched {
		b.Run("envs=1024/game="+game, func(b *testing.B) {
			c, ctx := served(b), context.Background()
			v, err := c.MakeVec(ctx, &protocol.VecMake{Game: game, Envs: envs})
			if err != nil {
				b.Fatal(err)
			}
			var r protocol.VecResult
			if err := v.Reset(ctx, 1, &r); err != nil {
				b.Fatal(err)
			}
			actions, width := make([]engine.Action, envs), int(v.Made.Actions)
			for b.Loop() {
				for i := range actions {
					actions[i] = engine.Action(bytes.IndexByte(r.Masks[i*width:(i+1)*width], 1))
				}
				if err := v.Step(ctx, actions, &r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*envs/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
