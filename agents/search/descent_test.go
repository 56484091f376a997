package search_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/search"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// evenJudge plays uniformly and gives every seat a value of its own wherever it is asked.
type evenJudge struct {
	legal  []int
	values []float32
	most   int // rows looked at together
}

func newEven(seats int) *evenJudge {
	j := &evenJudge{legal: make([]int, 16)}
	for q := range seats {
		j.values = append(j.values, float32(q)/10)
	}
	return j
}

func (j *evenJudge) Rows() int { return len(j.legal) }
func (j *evenJudge) Show(row int, _ engine.View, _ engine.Player, legal []engine.Action) {
	j.legal[row] = len(legal)
}
func (j *evenJudge) Look(rows int) { j.most = max(j.most, rows) }
func (j *evenJudge) Policy(row int, dst []float32) {
	for i := range dst {
		dst[i] = 1 / float32(j.legal[row])
	}
}
func (j *evenJudge) Values(int) []float32 { return j.values }

func descent(t testing.TB, g engine.Game, c search.DescentConfig) *search.Descent {
	t.Helper()
	if c.Judge == nil {
		c.Judge = newEven(g.Spec().Seats)
	}
	d, err := search.NewDescent(g, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDescentDoesNotKnowHiddenCards repeats each search in a state with other hidden cards
// and the same view: values, policy and move must be the same to the last bit, as they are
// with the same seed and are not with another.
func TestDescentDoesNotKnowHiddenCards(t *testing.T) {
	for _, c := range []struct {
		name  string
		games int
	}{{"kuhn", 10}, {"leduc", 10}, {"liars_dice(players=3)", 3}, {"jogu(first=agents,second=mibits)", 1}, {"domination", 1}} {
		g := enginetest.Game(t, c.name)
		config := search.DescentConfig{Simulations: 40, Step: 10}
		a, other := descent(t, g, config), descent(t, g, config)
		rng := rand.NewPCG(1, 1)
		redealt, differ, searched := 0, 0, 0
		for seed := range uint64(c.games) {
			ctx, enough := context.WithCancel(context.Background())
			seats := make([]agents.Agent, g.Spec().Seats)
			for q := range seats {
				seats[q] = random.New()
			}
			_, err := table.New(g).Play(ctx, seats, table.Seeds{Chance: seed, Agents: seed}, table.Options{
				Each: func(s engine.State, _ engine.Action) {
					if s.ToAct() < 0 || len(s.Legal(nil)) < 2 {
						return
					}
					if searched++; searched > 40 {
						enough()
						return
					}
					move := ask(t, g, a, s, 7)
					values, policy, worlds := a.Found()
					again := g.New()
					again.(engine.Hidden).Redeal(engine.Look(s, s.ToAct()), rng)
					if again.Hash() != s.Hash() {
						redealt++
					}
					got := ask(t, g, other, again, 7)
					otherValues, otherPolicy, otherWorlds := other.Found()
					if got != move || !slices.Equal(values, otherValues) || !slices.Equal(policy, otherPolicy) || worlds != otherWorlds {
						t.Errorf("%s: the search found %v and %v, with other hidden cards %v and %v", c.name, values, policy, otherValues, otherPolicy)
					}
					ask(t, g, other, s, 8)
					if otherValues, _, _ = other.Found(); !slices.Equal(values, otherValues) {
						differ++
					}
				},
			})
			if err != nil && ctx.Err() == nil {
				t.Fatal(err)
			}
			enough()
		}
		if redealt == 0 || differ == 0 {
			t.Errorf("%s: %d other deals were tried and %d other seeds gave other values, want some of each", c.name, redealt, differ)
		}
	}
}

// TestDescentStepIsTheClosedForm plays the step by hand: in tic-tac-toe with a square that
// wins and the uniform policy, π' ∝ exp((log π + η Q)/(1 + η α)).
func TestDescentStepIsTheClosedForm(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	s, err := g.Load([]byte(`{"board": ["xx.", "oo.", "..."]}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []search.DescentConfig{{Simulations: 500, Step: 2, Magnet: 0.3}, {Simulations: 500, Step: 0}, {Simulations: 50, Step: 3, Depth: 1}} {
		a := descent(t, g, c)
		a.Start(s.ToAct(), 3)
		legal := s.Legal(nil)
		if _, err := a.Act(context.Background(), s, legal); err != nil {
			t.Fatal(err)
		}
		values, policy, worlds := a.Found()
		if worlds != c.Simulations/len(legal) {
			t.Errorf("%+v: %d worlds, want %d", c, worlds, c.Simulations/len(legal))
		}
		want, sum := make([]float64, len(values)), 0.0
		for i, q := range values {
			want[i] = math.Exp((math.Log(1/float64(len(legal))) + c.Step*q) / (1 + c.Step*c.Magnet))
			sum += want[i]
		}
		for i := range want {
			if math.Abs(policy[i]-want[i]/sum) > 1e-6 {
				t.Errorf("%+v: policy %v, want %v over %v", c, policy, want, sum)
				break
			}
		}
		if values[0] != 1 { // c1, the first of the empty squares, wins at once
			t.Errorf("%+v: the winning square is worth %v, want 1", c, values[0])
		}
	}
}

// TestDescentWeighsChance: what follows is sampled, and each action meets the same luck. A
// coin pays 3 or -1 on the left, and always 0.9 on the right; a value of the judge counts
// for the seat that searches.
func TestDescentWeighsChance(t *testing.T) {
	coin := &branch{actor: engine.Chance, weights: []uint32{1, 1}, next: []*branch{leaf(3), leaf(-1)}}
	g := newTreeGame(1, -3, 3, &branch{actor: 0, next: []*branch{coin, coin, leaf(0.9)}})
	a := descent(t, g, search.DescentConfig{Simulations: 3000, Step: 100})
	if got := ask(t, g, a, g.New(), 1); got == "move_2" {
		t.Error("it takes 0.9 in place of 1 on average")
	}
	values, _, _ := a.Found()
	if values[0] != values[1] {
		t.Errorf("the same coin is worth %v and %v: luck is not common", values[0], values[1])
	}
	if math.Abs(values[0]-1) > 0.2 || math.Abs(values[2]-0.9) > 1e-6 {
		t.Errorf("values are %v, want about 1 and 0.9", values)
	}
	end := &branch{actor: 1, next: []*branch{leaf(0, 0), leaf(0, 0)}}
	middle := &branch{actor: 0, next: []*branch{end, end}}
	cut := newTreeGame(2, -1, 1, &branch{actor: 1, next: []*branch{middle, middle}})
	d := descent(t, cut, search.DescentConfig{Simulations: 10, Depth: 1})
	ask(t, cut, d, cut.New(), 1)
	if values, _, _ := d.Found(); math.Abs(values[0]-0.1) > 1e-6 {
		t.Errorf("values where simulations are cut are %v, want the judge's of seat 1, 0.1", values)
	}
}

// TestDescentAllocs demands that a move allocates nothing once an equal one has been
// searched.
func TestDescentAllocs(t *testing.T) {
	if enginetest.Race {
		t.Skip("allocations differ under the race detector")
	}
	g := enginetest.Game(t, "leduc")
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	a, legal, view := descent(t, g, search.DescentConfig{Simulations: 300, Step: 10}), s.Legal(nil), engine.Look(s, s.ToAct())
	if got := testing.AllocsPerRun(10, func() {
		a.Start(s.ToAct(), 1)
		if _, err := a.Act(context.Background(), view, legal); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("a search allocates %.0f times, want 0", got)
	}
}

// TestDescentEnds by time, by its context, and looks at many situations together.
func TestDescentEnds(t *testing.T) {
	g := enginetest.Game(t, "jogu")
	s := g.New()
	rng := rand.NewPCG(1, 1)
	for s.ToAct() == engine.Chance || len(s.Legal(nil)) < 2 {
		move := engine.Action(0)
		if s.ToAct() == engine.Chance {
			move = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
		} else {
			move = s.Legal(nil)[0]
		}
		if err := s.Apply(move); err != nil {
			t.Fatal(err)
		}
	}
	even := newEven(2)
	a := descent(t, g, search.DescentConfig{Time: 30 * time.Millisecond, Depth: 5, Judge: even})
	start := time.Now()
	ask(t, g, a, s, 1)
	if took := time.Since(start); took < 30*time.Millisecond || took > 3*time.Second {
		t.Errorf("a search of 30ms took %v", took)
	}
	if even.most < 8 {
		t.Errorf("the judge looked at %d situations together at most, want 8 or more of its 16", even.most)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Act(ctx, engine.Look(s, s.ToAct()), s.Legal(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: error is %v", err)
	}
}

func TestFaultsOfADescentAreNamed(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	_, err := search.NewDescent(g, search.DescentConfig{Step: -1, Magnet: math.NaN()})
	for _, part := range []string{"neither simulations nor time", "step is -1", "magnet is NaN", "nobody judges"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error is %v, want it to tell of %q", err, part)
		}
	}
	c := search.DefaultDescent()
	c.Time, c.Judge = time.Second, newEven(2)
	if _, err := search.NewDescentPolicy(g, c); err == nil {
		t.Error("a search by the clock is made a policy")
	}
}
