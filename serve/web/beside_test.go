package web

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// A click beside tables at which nobody but searching bots plays: how long the server takes to answer
// it, in the middle of what was measured. Compare the two in one run.
func BenchmarkClickBesideThinkers(b *testing.B) {
	for _, tables := range []int{0, 52} {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			p := open(b, "", nil)
			for i := range tables {
				game := []string{"jogu", "domination", "insurgency"}[i%3]
				p.order(Order{Game: game, Seats: []Seat{{Bot, "mcts(sims=200)"}, {Bot, "mcts(sims=200)"}}})
			}
			var times []time.Duration
			m := p.order(Order{Game: "domination", Seats: people(2)})
			for b.Loop() {
				s := p.look(m.ID, m.Tokens[0])
				mover := s.Prompt.Player
				if mover == 1 {
					s = p.look(m.ID, m.Tokens[1])
				}
				if s.Over != nil {
					m = p.order(Order{Game: "domination", Seats: people(2)})
					continue
				}
				if mover < 0 {
					continue
				}
				begin := time.Now()
				p.ask("POST", "/api/tables/"+m.ID+"/move", m.Tokens[mover], numbered{s.Number, s.Legal[len(s.Legal)-1].Action}, http.StatusOK, nil)
				times = append(times, time.Since(begin))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
