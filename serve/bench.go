package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"powderkeg/engine"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// BenchConfig sets up Bench.
type BenchConfig struct {
	Game  string
	Agent string // agent string of the acts measured; empty for none
	Envs  int    // slots of the vectorised environment
	// Clients ask an untrained network with Hidden layers at the same time, each for
	// Rows decisions by act_batch; 0 clients leave this measurement out.
	Clients, Rows int
	Hidden        []int
	// Thinkers are clients whose ThinkingAgent, an agent string, thinks all the time while
	// single steps of another one are measured; 0 leaves this measurement out.
	Thinkers      int
	ThinkingAgent string
	// Seconds is how long each of the measurements takes.
	Seconds float64
	// Server sets up the server, which must offer the agent.
	Server server.Config
}

// BenchResult is what Bench measures over a Unix socket, with one client except
// for the fields from Clients on. The round trips are those of the clients, in
// seconds.
type BenchResult struct {
	Game           string  `json:"game"`
	Agent          string  `json:"agent,omitempty"`
	Acts           int     `json:"acts"`
	ActP50         float64 `json:"act_p50_seconds"`
	ActP99         float64 `json:"act_p99_seconds"`
	Steps          int     `json:"steps"`
	StepP50        float64 `json:"step_p50_seconds"`
	StepP99        float64 `json:"step_p99_seconds"`
	Envs           int     `json:"envs"`
	VecSteps       int     `json:"vec_steps"`
	VecDecisions   float64 `json:"vec_decisions_per_second"`
	VecBytesPerSec float64 `json:"vec_bytes_per_second"`
	Clients        int     `json:"clients"`
	Rows           int     `json:"rows"`
	Hidden         []int   `json:"hidden"`
	Batches        int     `json:"batches"`
	BatchP50       float64 `json:"batch_p50_seconds"`
	BatchP99       float64 `json:"batch_p99_seconds"`
	BatchDecisions float64 `json:"batch_decisions_per_second"`
	Thinkers       int     `json:"thinkers"`
	ThinkingAgent  string  `json:"thinking_agent,omitempty"`
	Beside         int     `json:"beside_steps"`
	BesideP50      float64 `json:"beside_p50_seconds"`
	BesideP99      float64 `json:"beside_p99_seconds"`
}

// Bench starts a server on a Unix socket in a temporary folder and measures the
// latency of acts and steps and the throughput of a vectorised environment, all
// in random play.
func Bench(ctx context.Context, c BenchConfig) (*BenchResult, error) {
	if c.Envs < 1 || c.Seconds <= 0 {
		return nil, fmt.Errorf("serve: bench with %d envs for %g seconds; both must be above 0", c.Envs, c.Seconds)
	}
	if c.Clients > 0 && c.Rows < 1 {
		return nil, fmt.Errorf("serve: bench with %d rows per request; want at least 1", c.Rows)
	}
	c.Server = withUntrained(c.Server, c.Hidden)
	c.Server.Connections = max(c.Server.Connections, c.Clients+1, c.Thinkers+2)
	folder, err := os.MkdirTemp("", "powderkeg-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	address := "unix:" + filepath.Join(folder, "socket")
	ctx, cancel := context.WithCancel(ctx)
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Run(ctx, Config{Listen: []string{address}, Server: c.Server, Ready: func([]net.Addr, net.Addr) { close(ready) }})
	}()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		return nil, err
	}
	result, err := bench(ctx, address, c)
	cancel()
	return result, errors.Join(err, <-done)
}

func bench(ctx context.Context, address string, c BenchConfig) (*BenchResult, error) {
	cl, err := client.Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	r := &BenchResult{Game: c.Game, Agent: c.Agent, Envs: c.Envs}
	if err := benchSingle(ctx, cl, c, r); err != nil {
		return nil, err
	}
	if err := benchVec(ctx, cl, c, r); err != nil {
		return nil, err
	}
	if err := benchClients(ctx, address, c, r); err != nil {
		return nil, err
	}
	return r, benchThinking(ctx, address, c, r)
}

// benchSingle measures single steps, and acts at each of the decisions.
func benchSingle(ctx context.Context, cl *client.Client, c BenchConfig, r *BenchResult) error {
	seed := uint64(1)
	e, err := cl.MakeEnv(ctx, &protocol.EnvMake{Game: c.Game, Seed: &seed})
	if err != nil {
		return err
	}
	var agent *client.Agent
	if c.Agent != "" {
		if agent, err = cl.LoadAgent(ctx, &protocol.AgentLoad{Game: c.Game, Agent: c.Agent}); err != nil {
			return err
		}
	}
	step := &e.Made.Step
	var acts, steps []float64
	choice := engine.NewHash()
	for end := time.Now().Add(duration(c.Seconds)); time.Now().Before(end); {
		if step.Terminated || step.Truncated {
			if err := e.Reset(ctx, nil, step); err != nil {
				return err
			}
			continue
		}
		if agent != nil {
			begin := time.Now()
			if _, err := agent.Act(ctx, e); err != nil {
				return err
			}
			acts = append(acts, time.Since(begin).Seconds())
		}
		choice = choice.Word(uint64(len(steps)))
		move := protocol.ByNumber(legalOf(step.Mask, uint64(choice)))
		begin := time.Now()
		if err := e.Step(ctx, move, step); err != nil {
			return err
		}
		steps = append(steps, time.Since(begin).Seconds())
	}
	r.Acts, r.ActP50, r.ActP99 = len(acts), Quantile(acts, 0.5), Quantile(acts, 0.99)
	r.Steps, r.StepP50, r.StepP99 = len(steps), Quantile(steps, 0.5), Quantile(steps, 0.99)
	return e.Close(ctx)
}

// benchVec measures vectorised steps of random legal actions.
func benchVec(ctx context.Context, cl *client.Client, c BenchConfig, r *BenchResult) error {
	v, err := cl.MakeVec(ctx, &protocol.VecMake{Game: c.Game, Envs: int64(c.Envs)})
	if err != nil {
		return err
	}
	var result protocol.VecResult
	if err := v.Reset(ctx, 1, &result); err != nil {
		return err
	}
	actions, width := make([]engine.Action, c.Envs), int(v.Made.Actions)
	choice := engine.NewHash()
	bytes := 0
	begin := time.Now()
	for time.Since(begin) < duration(c.Seconds) {
		for i := range actions {
			choice = choice.Word(uint64(i))
			actions[i] = engine.Action(legalOf(result.Masks[i*width:(i+1)*width], uint64(choice)))
		}
		if err := v.Step(ctx, actions, &result); err != nil {
			return err
		}
		r.VecSteps++
		bytes += 4*len(result.Observations) + len(result.Masks) + 4*len(result.Final)
	}
	seconds := time.Since(begin).Seconds()
	r.VecDecisions = float64(r.VecSteps*c.Envs) / seconds
	r.VecBytesPerSec = float64(bytes) / seconds
	return v.Close(ctx)
}

// legalOf returns one of the legal actions of a mask, 0 where there is none.
func legalOf(mask []uint8, choice uint64) int {
	n := 0
	for _, m := range mask {
		n += int(m)
	}
	k := int(choice % uint64(max(n, 1)))
	for a, m := range mask {
		if m == 1 {
			if k == 0 {
				return a
			}
			k--
		}
	}
	return 0
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// Quantile returns the q-quantile of the values, which it sorts, 0 for none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[int(q*float64(len(values)-1))]
}
