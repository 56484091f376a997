package search_test

import (
	"context"
	"errors"
	"fmt"
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
	"powderkeg/engine/games"
)

func agent(t testing.TB, g engine.Game, c search.Config) *search.Agent {
	t.Helper()
	a, err := search.New(g, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func sims(n int) search.Config {
	c := search.Default()
	c.Simulations = n
	return c
}

// ask returns the name of the action that the agent chooses in state s.
func ask(t *testing.T, g engine.Game, a agents.Agent, s engine.State, seed uint64) string {
	t.Helper()
	p := s.ToAct()
	a.Start(p, seed)
	move, err := a.Act(context.Background(), engine.Look(s, p), s.Legal(nil))
	if err != nil {
		t.Fatal(err)
	}
	return engine.MoveName(g, s, move)
}

func Example() {
	g, err := games.New("tictactoe")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := search.New(g, search.Config{Simulations: 500, Exploration: 1.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := g.Load([]byte(`{"board": ["xx.", "oo.", "..."]}`), engine.Strict)
	if err != nil {
		fmt.Println(err)
		return
	}
	a.Start(s.ToAct(), 1)
	move, err := a.Act(context.Background(), s, s.Legal(nil))
	fmt.Println(engine.MoveName(g, s, move), err)
	// Output: c1 <nil>
}

func TestFindsTactics(t *testing.T) {
	for _, c := range []struct {
		game  string
		moves string
		want  string
		why   string
		sims  int
	}{
		{"tictactoe", "a1 a2 b1 b2", "c1", "x completes the first row", 200},
		{"tictactoe", "a1 b2 b1", "c1", "o must block the first row", 500},
		{"tictactoe", "a1 b1 b2 c3 a3", "a2 or c1", "o blocks one of two threats", 500},
		{"connect4", "column_1 column_7 column_1 column_7 column_1 column_7", "column_1", "a fourth in the column wins", 300},
		{"connect4", "column_1 column_7 column_1 column_7 column_1", "column_1", "the other's fourth must be blocked", 1500},
		{"connect4", "column_4 column_1 column_3 column_1", "column_5 or column_2", "three in a row open at both ends wins", 4000},
	} {
		g := enginetest.Game(t, c.game)
		s := enginetest.After(t, g, strings.Fields(c.moves)...)
		for seed := range uint64(5) {
			got := ask(t, g, agent(t, g, sims(c.sims)), s, seed)
			if !slices.Contains(strings.Split(c.want, " or "), got) {
				t.Errorf("%s after %s, seed %d: got %s, want %s (%s)", c.game, c.moves, seed, got, c.want, c.why)
			}
		}
	}
}

// TestNeverLosesTicTacToe plays 60 games on each seat against random play.
func TestNeverLosesTicTacToe(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	tb := table.New(g)
	wins := 0
	searcher := agent(t, g, sims(600))
	for n := range uint64(120) {
		seats := []agents.Agent{searcher, random.New()}
		if n%2 == 1 {
			slices.Reverse(seats)
		}
		returns, err := tb.Play(context.Background(), seats, table.Seeds{Chance: n, Agents: n}, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if returns[n%2] < 0 {
			t.Errorf("game %d: the search loses on seat %d", n, n%2)
		}
		if returns[n%2] > 0 {
			wins++
		}
	}
	if wins < 90 {
		t.Errorf("the search wins %d of 120 games against random play, want at least 90", wins)
	}
}

// TestAvoidsDominatedActions asks in situations of kuhn and leduc where an action
// is worse than another whatever the opponent holds and does.
func TestAvoidsDominatedActions(t *testing.T) {
	for _, c := range []struct{ game, moves, never, why string }{
		{"kuhn", "K Q pass bet", "pass", "K is never beaten"},
		{"kuhn", "J K bet", "pass", "K is never beaten"},
		{"kuhn", "Q J bet", "bet", "J beats nothing"},
		{"kuhn", "J Q pass bet", "bet", "J beats nothing"},
		{"leduc", "Ks Qs call call Kh call raise", "fold", "a pair of K is never beaten"},
	} {
		g := enginetest.Game(t, c.game)
		s := enginetest.After(t, g, strings.Fields(c.moves)...)
		a := agent(t, g, sims(300))
		for seed := range uint64(20) {
			if got := ask(t, g, a, s, seed); got == c.never {
				t.Errorf("%s after %s, seed %d: got the dominated %s (%s)", c.game, c.moves, seed, got, c.why)
			}
		}
	}
}

func TestSeedDecides(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "connect4", "jogu"} {
		g := enginetest.Game(t, name)
		s := g.New()
		for s.ToAct() == engine.Chance {
			if err := s.Apply(engine.Moves(s)[0]); err != nil {
				t.Fatal(err)
			}
		}
		look := func(seed uint64) []search.Candidate {
			a := agent(t, g, sims(200))
			ask(t, g, a, s, seed)
			return a.Candidates(nil)
		}
		if one, again := look(1), look(1); !slices.Equal(one, again) {
			t.Errorf("%s: seed 1 found %v, then %v", name, one, again)
		}
		if one, other := look(1), look(2); slices.Equal(one, other) {
			t.Errorf("%s: seeds 1 and 2 both found %v", name, one)
		}
	}
}

// TestDoesNotKnowHiddenCards deals what the searcher cannot see anew and demands
// the same search, at every decision of some games.
func TestDoesNotKnowHiddenCards(t *testing.T) {
	for _, c := range []struct {
		name        string
		sims, games int
	}{{"kuhn", 100, 20}, {"leduc", 100, 20}, {"jogu(first=agents,second=mibits)", 4, 1}} {
		name, g := c.name, enginetest.Game(t, c.name)
		a := agent(t, g, sims(c.sims))
		rng := rand.NewPCG(1, 1)
		redealt := 0
		for seed := range uint64(c.games) {
			_, err := table.New(g).Play(context.Background(), []agents.Agent{random.New(), random.New()}, table.Seeds{Chance: seed, Agents: seed}, table.Options{
				Each: func(s engine.State, _ engine.Action) {
					if s.ToAct() == engine.Chance {
						return
					}
					move := ask(t, g, a, s, 7)
					want := a.Candidates(nil)
					other := g.New()
					other.(engine.Hidden).Redeal(engine.Look(s, s.ToAct()), rng)
					if other.Hash() != s.Hash() {
						redealt++
					}
					if got := ask(t, g, a, other, 7); got != move || !slices.Equal(a.Candidates(nil), want) {
						t.Errorf("%s: %s: the search found %v, with other hidden cards %v", name, engine.Look(s, s.ToAct()).(engine.Teller).Text(s.ToAct()), want, a.Candidates(nil))
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if redealt == 0 {
			t.Errorf("%s: no other deal was tried", name)
		}
	}
}

// TestEverySeatPlaysForItself is a game of three seats in which backward
// induction is unique: seat 2 would take 9 on the left and 5 on the right, which
// leaves seat 1 with 2 and 6; so seat 1 goes right and seat 0, who gets 7 there,
// does not stop at 4. A search that took the others for its enemies would stop.
func TestEverySeatPlaysForItself(t *testing.T) {
	g := newTreeGame(3, 0, 9, &branch{actor: 0, next: []*branch{
		leaf(4, 4, 4),
		{actor: 1, next: []*branch{
			{actor: 2, next: []*branch{leaf(0, 2, 9), leaf(9, 9, 1)}},
			{actor: 2, next: []*branch{leaf(7, 6, 5), leaf(1, 0, 0)}},
		}},
	}})
	a := agent(t, g, sims(3000))
	if got := ask(t, g, a, g.New(), 1); got != "move_1" {
		t.Errorf("seat 0 chooses %s, want move_1; candidates %v", got, a.Candidates(nil))
	}
	s := enginetest.After(t, g, "move_1")
	if got := ask(t, g, a, s, 1); got != "move_1" {
		t.Errorf("seat 1 chooses %s, want move_1; candidates %v", got, a.Candidates(nil))
	}
}

// TestWeighsChance offers a sure 4 against 12 with a chance of one in four.
func TestWeighsChance(t *testing.T) {
	g := newTreeGame(1, 0, 12, &branch{actor: 0, next: []*branch{
		{actor: engine.Chance, weights: []uint32{1, 3}, next: []*branch{leaf(12), leaf(0)}},
		leaf(4),
	}})
	a := agent(t, g, sims(4000))
	if got := ask(t, g, a, g.New(), 1); got != "move_1" {
		t.Errorf("the search chooses %s, want the sure move_1", got)
	}
	c := a.Candidates(nil)
	if math.Abs(c[0].Value-3) > 0.5 || math.Abs(c[1].Value-4) > 1e-9 {
		t.Errorf("values are %.2f and %.2f, want about 3 and 4", c[0].Value, c[1].Value)
	}
}

// TestRolloutDepthTakesGainsSoFar has a first move that pays 1 at once and a
// second that pays 5 only behind a further decision.
func TestRolloutDepthTakesGainsSoFar(t *testing.T) {
	far := &branch{actor: 0, next: []*branch{leaf(5), leaf(5)}}
	for range 6 {
		far = &branch{actor: 0, next: []*branch{far, far}}
	}
	near := &branch{actor: 0, gains: []float32{1}, next: []*branch{leaf(1), leaf(1)}}
	g := newTreeGame(1, 0, 5, &branch{actor: 0, next: []*branch{near, far}})
	for _, c := range []struct {
		depth int
		want  string
	}{{0, "move_1"}, {1, "move_0"}} {
		config := sims(8)
		config.RolloutDepth = c.depth
		if got := ask(t, g, agent(t, g, config), g.New(), 1); got != c.want {
			t.Errorf("rollout depth %d: got %s, want %s", c.depth, got, c.want)
		}
	}
}

// oracle knows the values of a tree game by backward induction and prefers
// action liked by its priors.
type oracle struct {
	t     *testing.T
	liked engine.Action
	calls int
}

func (o *oracle) Evaluate(view engine.View, seat engine.Player, legal []engine.Action, priors []float32) []float32 {
	o.calls++
	if view.ToAct() != seat || !slices.Equal(view.Legal(nil), legal) || len(priors) != len(legal) {
		o.t.Errorf("evaluator is asked for seat %d, actions %v, %d priors; the state has seat %d, actions %v",
			seat, legal, len(priors), view.ToAct(), view.Legal(nil))
	}
	for i, a := range legal {
		priors[i] = 0.1 / float32(len(legal))
		if a == o.liked {
			priors[i] += 0.9
		}
	}
	return induct(view.(*treeState).at)
}

func induct(b *branch) []float32 {
	if b.actor == engine.Terminal {
		return b.gains
	}
	best := induct(b.next[0])
	for _, n := range b.next[1:] {
		if v := induct(n); v[b.actor] > best[b.actor] {
			best = v
		}
	}
	return best
}

func TestEvaluatorGuides(t *testing.T) {
	// Behind move_1 the value for seat 0 is 3, behind the others at most 2.
	answer := func(x, y float32) *branch {
		return &branch{actor: 1, next: []*branch{leaf(x, -x), leaf(y, -y)}}
	}
	g := newTreeGame(2, -5, 5, &branch{actor: 0, next: []*branch{answer(5, 1), answer(3, 4), answer(2, 2)}})
	o := &oracle{t: t, liked: 1}
	config := sims(1000)
	config.Evaluator = o
	a := agent(t, g, config)
	if got := ask(t, g, a, g.New(), 1); got != "move_1" {
		t.Errorf("with priors for it the search chooses %s, want move_1", got)
	}
	// One call a node: the root and three behind it.
	if o.calls > 4 {
		t.Errorf("%d evaluations of 4 nodes", o.calls)
	}
	liked := visits(a, 1)
	o.liked = 0
	if got := ask(t, g, a, g.New(), 1); got != "move_1" {
		t.Errorf("with priors against it the search chooses %s, want move_1 for its value", got)
	}
	if disliked := visits(a, 1); disliked >= liked {
		t.Errorf("move_1 has %d visits with priors for it and %d against", liked, disliked)
	}
}

// visits returns how often the last search tried the action.
func visits(a *search.Agent, move engine.Action) int {
	for _, c := range a.Candidates(nil) {
		if c.Action == move {
			return c.Visits
		}
	}
	return 0
}

// stopper cancels the context during a search.
type stopper struct {
	random.Policy
	after  int
	cancel context.CancelFunc
	calls  int
}

func (s *stopper) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	if s.calls++; s.calls == s.after {
		s.cancel()
	}
	return s.Policy.Choose(view, seat, legal, rng)
}

func TestCancelEndsSearch(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	policy := &stopper{after: 1000, cancel: cancel}
	config := sims(1 << 30)
	config.Rollout = policy
	a := agent(t, g, config)
	a.Start(0, 1)
	s := g.New()
	if _, err := a.Act(ctx, s, s.Legal(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	// The simulation that was going on may end: at most 42 decisions.
	if policy.calls > 1042 {
		t.Errorf("%d rollout decisions after a cancel at 1000, want at most 1042", policy.calls)
	}
}

func TestTimeEndsSearch(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	a := agent(t, g, search.Config{Time: 5 * time.Millisecond, Exploration: 1.4})
	s := g.New()
	ask(t, g, a, s, 1)
	visits := 0
	for _, c := range a.Candidates(nil) {
		visits += c.Visits
	}
	if visits == 0 {
		t.Error("a search by time made no simulation")
	}
}

func TestFaultsAreNamed(t *testing.T) {
	_, err := search.New(enginetest.Game(t, "kuhn"), search.Config{Simulations: -1, Time: -time.Second, Exploration: math.NaN(), RolloutDepth: -2})
	for _, part := range []string{"-1 simulations", "time -1s", "exploration NaN", "rollout depth -2"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error is %v, want it to name %q", err, part)
		}
	}
	if _, err := search.New(enginetest.Game(t, "kuhn"), search.Config{Exploration: 1}); err == nil {
		t.Error("a search without any limit is accepted")
	}
}

func BenchmarkSimulations(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "jogu"} {
		b.Run("game="+name, func(b *testing.B) {
			g := enginetest.Game(b, name)
			s := g.New()
			for s.ToAct() == engine.Chance {
				if err := s.Apply(engine.Moves(s)[0]); err != nil {
					b.Fatal(err)
				}
			}
			view := engine.Look(s, s.ToAct())
			const n = 1000
			a := agent(b, g, sims(n))
			a.Start(s.ToAct(), 1)
			legal := s.Legal(nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Act(context.Background(), view, legal); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "sims/s")
		})
	}
}
