package web

import (
	"math"
	"net/http"
	"testing"

	"powderkeg/engine/enginetest"
)

// The gate of issue 43, from end to end: the bar is the mean of the actions' values by their
// shares, and whoever plays the likeliest action of every hint has made no mistake by the review, also
// by that of a server that has started anew since.
func TestBarHintAndReviewAgree(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	judged, mistakes := 0, 0
	for _, x := range []struct {
		game  string
		moves int // of the seat at most
	}{{"leduc", 4}, {"tictactoe", 5}, {"jogu", 25}, {"domination", 15}, {"bloc(ops_difficulty=easy)", 4}, {"insurgency", 6}} {
		folder := t.TempDir()
		p := open(t, folder, nil)
		p.server.trials = 96
		seats := []Seat{{Person, ""}, {Bot, "scripted"}, {Bot, "scripted"}, {Bot, "scripted"}}
		if x.game[0] != 'b' {
			seats = seats[:2]
		}
		m := p.order(Order{Game: x.game, Seats: seats, Practice: true, Seed: 4})
		for range x.moves {
			s := p.until(m.ID, m.Tokens[0], mine)
			if s.Over != nil {
				break
			}
			action := s.Legal[0].Action
			if len(s.Legal) > 1 {
				var h Hint
				p.ask("GET", "/api/tables/"+m.ID+"/hint", m.Tokens[0], nil, http.StatusOK, &h)
				value := float32(0)
				for _, o := range h.Opinions {
					if o.Value != nil {
						value += o.Share * *o.Value
					}
				}
				if h.Value == nil || math.Abs(float64(value-*h.Value)) > 1e-4 {
					t.Errorf("%s: the bar is at %v, the actions are worth %v by their shares", x.game, h.Value, value)
				}
				action = h.Opinions[h.Best].Action
			}
			p.move(m.ID, m.Tokens[0], s, action)
		}
		p.until(m.ID, m.Tokens[0], mine)
		for range 2 {
			var r Review
			p.ask("GET", "/api/tables/"+m.ID+"/review", m.Tokens[0], nil, http.StatusOK, &r)
			for _, d := range r.Decisions {
				if judged++; d.Mistake {
					mistakes++
					t.Logf("%s: %+v costs %v", x.game, d, *d.Cost)
				}
			}
			p.close()
			p = open(t, folder, nil)
			p.server.trials = 96
		}
	}
	if judged < 80 || mistakes*100 > judged {
		t.Errorf("%d of %d hints are mistakes by the review, want 1%% at most of 80 or more", mistakes, judged)
	}
}
