package web

import (
	"context"
	"sync/atomic"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/thinking"

	"github.com/prometheus/client_golang/prometheus"
)

// Bots that search, and teachers, think in the places of the pool, and their tables are owners
// of their own.
func TestBotsAndTeachersThinkInThePool(t *testing.T) {
	reg := prometheus.NewRegistry()
	p := open(t, "", nil)
	var err error
	if p.server.thinks, err = thinking.NewPool(thinking.Default(), thinking.NewMetrics(reg)); err != nil {
		t.Fatal(err)
	}
	places := func() uint64 {
		families, err := reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() == "powderkeg_serve_thought_wait_seconds" {
				return f.GetMetric()[0].GetHistogram().GetSampleCount()
			}
		}
		return 0
	}
	made := p.order(Order{Game: "tictactoe", Seats: []Seat{{Bot, "mcts(sims=5)"}, {Person, "x"}}, Practice: true, Seed: 1})
	p.until(made.ID, made.Tokens[1], func(s *Screen) bool { return len(s.Legal) > 0 })
	if got := places(); got != 1 {
		t.Errorf("a move of a bot that searches has taken %d places to think, want 1", got)
	}
	p.ask("GET", "/api/tables/"+made.ID+"/hint", made.Tokens[1], nil, 200, nil)
	if got := places(); got != 2 {
		t.Errorf("after a hint %d places have been taken, want 2", got)
	}
}

// pretender is an agent that counts its thoughts, and has none where it has no choice.
type pretender struct{ thoughts *atomic.Int64 }

func (pretender) Start(engine.Player, uint64) {}

func (a pretender) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	if len(legal) > 1 {
		a.thoughts.Add(1)
	}
	return legal[len(legal)-1], nil
}

func (a pretender) Pretend(context.Context, engine.View, engine.Player, []engine.Action) error {
	a.thoughts.Add(1)
	return nil
}

// A bot that has no choice thinks as much as one that has, so that its opponent cannot tell.
func TestABotWithoutAChoiceThinks(t *testing.T) {
	for _, x := range []struct {
		bid  string
		even bool
		want int64
	}{{"1-1", true, 1}, {"2-6", true, 1}, {"2-6", false, 0}} {
		a := pretender{new(atomic.Int64)}
		p := open(t, "", func(c *Config) {
			c.EvenTime = x.even
			c.NewAgent = func(engine.Game, string) (agents.Agent, error) { return a, nil }
		})
		made := p.order(Order{Game: "liars_dice", Seats: []Seat{{Person, "x"}, {Bot, "any"}}, Practice: true, Seed: 1})
		s := p.until(made.ID, made.Tokens[0], func(s *Screen) bool { return len(s.Legal) > 0 })
		for _, choice := range s.Legal {
			if choice.Name == x.bid {
				p.move(made.ID, made.Tokens[0], s, choice.Action)
			}
		}
		p.until(made.ID, made.Tokens[0], func(s *Screen) bool { return s.Over != nil })
		if got := a.thoughts.Load(); got != x.want {
			t.Errorf("after a bid of %s, with even times %v: %d thoughts, want %d", x.bid, x.even, got, x.want)
		}
	}
}
