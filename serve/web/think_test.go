package web

import (
	"testing"

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
