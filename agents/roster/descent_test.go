package roster

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// TestJudgeIsTheNetwork compares what the search is told, in batches, with what the
// network says of each situation alone: probabilities of legal actions and values by seat.
func TestJudgeIsTheNetwork(t *testing.T) {
	g, err := games.New("jogu")
	if err != nil {
		t.Fatal(err)
	}
	brain, err := learned.Open(g, "zoo:jogu")
	if err != nil {
		t.Fatal(err)
	}
	j, alone := newJudge(g, brain), brain.NewPolicy(1)
	type situation struct {
		view  engine.View
		seat  engine.Player
		legal []engine.Action
	}
	var list []situation
	rng := rand.NewPCG(3, 1)
	for s := g.New(); s.ToAct() != engine.Terminal && len(list) < j.Rows(); {
		var move engine.Action
		if p := s.ToAct(); p == engine.Chance {
			move = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
		} else {
			legal := s.Legal(nil)
			list = append(list, situation{engine.Look(s, p), p, legal})
			move = legal[engine.Uint32N(rng, uint32(len(legal)))]
		}
		if err := s.Apply(move); err != nil {
			t.Fatal(err)
		}
	}
	for row, s := range list {
		j.Show(row, s.view, s.seat, s.legal)
	}
	j.Look(len(list))
	for row, s := range list {
		want, relative := alone.Evaluate(nil, s.view, s.seat, s.legal)
		got := make([]float32, len(s.legal))
		j.Policy(row, got)
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-5 {
				t.Fatalf("row %d: probabilities %v, want %v", row, got, want)
			}
		}
		values := j.Values(row)
		for k := range relative { // largest return 1
			if q := (int(s.seat) + k) % 2; math.Abs(float64(values[q]-relative[k])) > 1e-5 {
				t.Fatalf("row %d: value of seat %d is %v, want %v", row, q, values[q], relative[k])
			}
		}
	}
}

// TestDescentByName plays a game, as an agent and as a policy, and refuses what it cannot
// do.
func TestDescentByName(t *testing.T) {
	g, err := games.New("jogu")
	if err != nil {
		t.Fatal(err)
	}
	const name = "md(net=zoo:jogu,sims=20,depth=2)"
	a, err := New(g, name)
	if err != nil {
		t.Fatal(err)
	}
	newPolicy, err := Policies(g, name)
	if err != nil {
		t.Fatal(err)
	}
	if newPolicy() == newPolicy() {
		t.Error("two policies are one")
	}
	returns, err := table.New(g).Play(context.Background(), []agents.Agent{a, random.New()}, table.Seeds{Chance: 1, Agents: 1}, table.Options{})
	if err != nil || returns[0]+returns[1] != 0 {
		t.Errorf("it plays to %v, error %v", returns, err)
	}
	for text, part := range map[string]string{"md": "net is missing", "md(net=zoo:jogu,sims=0)": "neither simulations nor time", "md(net=zoo:nobody)": "nobody", "md(eta=-1)": "a number from 0"} {
		if _, err := New(g, text); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error is %v, want wrong usage with %q", text, err, part)
		}
	}
	if _, err := Policies(g, "md(net=zoo:jogu,time=1s)"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a search by the clock as a policy: error is %v", err)
	}
	if _, err := (Limits{Sims: 50}).New(g, "md(net=zoo:jogu,sims=51)"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("beyond the limits: error is %v", err)
	}
}
