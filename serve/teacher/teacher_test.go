package teacher_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/teacher"
)

// In every game somebody teaches, and has an opinion of each legal action.
func TestEveryGameIsTaught(t *testing.T) {
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listings {
		g, err := env.NewGame(l.Name)
		if err != nil {
			t.Fatal(err)
		}
		own := teacher.New(g)
		if own == nil || own.Name() == "" {
			t.Errorf("nobody teaches %s", l.Name)
			continue
		}
		s, rng := g.New(), rand.NewPCG(3, 4)
		for n := 0; n < 20 && s.ToAct() != engine.Terminal; {
			moves := engine.Moves(s)
			if p := s.ToAct(); p >= 0 {
				n++
				if n%10 == 1 {
					advised(t, own, engine.Look(s, p), p, moves)
				}
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func advised(t *testing.T, own *teacher.Teacher, v engine.View, p engine.Player, legal []engine.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	advice, sum := own.Advise(ctx, v, p, legal, -1), 0.0
	for i, o := range advice.Opinions {
		if sum += float64(o.Share); o.Action != int(legal[i]) || o.Value != nil && (*o.Value < 0 || *o.Value > 1) {
			t.Errorf("%s thinks %+v of action %d", own.Name(), o, legal[i])
		}
	}
	if len(advice.Opinions) != len(legal) || math.Abs(sum-1) > 1e-3 || advice.By != own.Name() {
		t.Errorf("%s has %d opinions of %d actions, with shares of %v", advice.By, len(advice.Opinions), len(legal), sum)
	}
}
