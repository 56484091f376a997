package teacher_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/serve/teacher"
)

// decisions plays games of an agent with itself and calls each at every so manieth choice.
func decisions(t *testing.T, g engine.Game, agent string, seed uint64, games, every int, each func(s engine.State, p engine.Player, legal []engine.Action)) {
	t.Helper()
	policies, err := roster.Policies(g, agent)
	if err != nil {
		t.Fatal(err)
	}
	policy, rng := policies(), rand.NewPCG(seed, 1)
	for n := range games {
		s, choices := g.New(), n*every/games
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			a := moves[0]
			if p := s.ToAct(); p == engine.Chance {
				a = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
			} else if len(moves) > 1 {
				if choices++; choices%every == 0 {
					each(s, p, moves)
				}
				if a, err = agents.Choose(policy, engine.Look(s, p), p, moves, rng); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// In every game somebody teaches, and has an opinion of each legal action: the shares add up, and
// the value is the mean of the actions' values by their shares. Asked again it goes on, and says so.
func TestEveryGameIsTaught(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
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
					own.Trials = 1
					first := advised(t, own, engine.Look(s, p), p, moves)
					own.Trials = first.Trials + 1
					if a := advised(t, own, engine.Look(s, p), p, moves); a.Trials <= first.Trials || a.Worlds <= first.Worlds {
						t.Errorf("%s: asked again it has tried %d worlds, %d before", own.Name(), a.Worlds, first.Worlds)
					}
				}
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func advised(t *testing.T, own *teacher.Teacher, v engine.View, p engine.Player, legal []engine.Action) *teacher.Advice {
	t.Helper()
	advice, err := own.Advise(t.Context(), v, p, legal, -1)
	if err != nil {
		t.Fatal(err)
	}
	sum, value := 0.0, 0.0
	for i, o := range advice.Opinions {
		if o.Action != int(legal[i]) || o.Value != nil && (*o.Value < 0 || *o.Value > 1) || o.Share > advice.Opinions[advice.Best].Share {
			t.Errorf("%s thinks %+v of action %d", own.Name(), o, legal[i])
		}
		sum += float64(o.Share)
		if o.Value != nil {
			value += float64(o.Share) * float64(*o.Value)
		}
	}
	if len(advice.Opinions) != len(legal) || math.Abs(sum-1) > 1e-3 || advice.By != own.Name() {
		t.Errorf("%s has %d opinions of %d actions, with shares of %v", advice.By, len(advice.Opinions), len(legal), sum)
	}
	if advice.Value != nil && math.Abs(value-float64(*advice.Value)) > 1e-4 {
		t.Errorf("%s: the actions are worth %v by their shares, and the decision %v", own.Name(), value, *advice.Value)
	}
	return advice
}

// The gate of issue 43: whoever plays the likeliest action of every hint is told of a mistake by the review
// of another teacher, which deals other worlds, in at most one decision of a hundred.
func TestHintsAreNoMistakes(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	judged, mistakes := 0, 0
	for _, x := range []struct {
		game, agent          string
		trials, games, every int
	}{
		{"kuhn", "scripted", 512, 10, 1}, {"leduc", "scripted", 512, 10, 1}, {"connect4", "scripted", 256, 1, 3},
		{"jogu(first=any,second=any)", "zoo:jogu", 384, 6, 7}, {"domination", "zoo:domination", 192, 2, 12},
		{"insurgency", "zoo:insurgency", 64, 2, 30}, {"bloc(ops_difficulty=easy)", "scripted", 64, 2, 30},
		{"minuteman", "scripted", 64, 1, 250},
	} {
		g, err := env.NewGame(x.game)
		if err != nil {
			t.Fatal(err)
		}
		a, b := teacher.New(g), teacher.New(g)
		a.Trials, b.Trials, b.Seed = x.trials, x.trials, 1
		own, before := 0, judged
		decisions(t, g, x.agent, 5, x.games, x.every, func(s engine.State, p engine.Player, legal []engine.Action) {
			hint := advised(t, a, engine.Look(s, p), p, legal)
			top := engine.Action(hint.Opinions[hint.Best].Action)
			review, err := b.Advise(t.Context(), engine.Look(s, p), p, legal, top)
			if err != nil {
				t.Fatal(err)
			}
			if loss, mistake := review.Loss(top); mistake {
				own++
				t.Logf("%s: %+v loses %v by %+v", x.game, hint.Opinions[hint.Best], *loss, review)
			}
			judged++
		})
		mistakes += own
		t.Logf("%s: %d of %d hints are mistakes", x.game, own, judged-before)
	}
	if judged < 100 || mistakes*100 > judged {
		t.Errorf("%d of %d hints are mistakes by the review, want 1%% at most of 100 or more", mistakes, judged)
	}
}
