package env_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
)

func ExampleEnv() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	obs := make([]float32, e.Encoder().Layout().Size)
	mask := make([]uint8, len(g.Spec().Actions))
	for e.Reset(7); !e.Terminated(); {
		e.Observe(obs, mask)
		fmt.Printf("seat %d sees %v, may %v\n", e.Actor(), obs, mask)
		if err := e.Step(e.Legal()[0]); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("returns", e.Returns())
	// Output:
	// seat 0 sees [1 0 1 0 0 0 0 0 0 0 0], may [1 1]
	// seat 1 sees [0 1 0 0 1 1 0 0 0 0 0], may [1 1]
	// returns [-1 1]
}

func newEnv(t testing.TB, name string, o env.Options) *env.Env {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// pick chooses a uniformly random legal action.
func pick(e *env.Env, rng *rand.PCG) engine.Action {
	return e.Legal()[engine.Uint32N(rng, uint32(len(e.Legal())))]
}

// trace plays episodes at random and writes down all that happens.
func trace(t *testing.T, e *env.Env, rng *rand.PCG, steps int) string {
	t.Helper()
	var b strings.Builder
	for range steps {
		if e.Terminated() || e.Truncated() {
			fmt.Fprintf(&b, "end %v %v\n", e.Returns(), e.Decisions())
			e.Restart()
		}
		a := pick(e, rng)
		fmt.Fprintf(&b, "%d:%d ", e.Actor(), a)
		if err := e.Step(a); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%v ", e.Rewards())
	}
	return b.String()
}

func TestSeedsRepeat(t *testing.T) {
	for _, f := range games.Families() {
		run := func(seed uint64) string {
			e := newEnv(t, f.Name, env.Options{})
			e.Reset(seed)
			return trace(t, e, rand.NewPCG(1, 1), 300)
		}
		first, again := run(5), run(5)
		if first != again {
			t.Errorf("%s: the same seed gives other trajectories", f.Name)
		}
		if len(enginetest.Game(t, f.Name).Spec().Outcomes) > 0 && first == run(6) {
			t.Errorf("%s: seeds 5 and 6 give the same trajectories", f.Name)
		}
	}
}

func TestRewardsAddUpToReturns(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{}), rand.NewPCG(2, 2)
		for seed := range uint64(20) {
			e.Reset(seed)
			sum := make([]float32, len(e.Rewards()))
			for !e.Terminated() {
				if err := e.Step(pick(e, rng)); err != nil {
					t.Fatal(err)
				}
				for i, r := range e.Rewards() {
					sum[i] += r
				}
			}
			if !slices.Equal(sum, e.State().Returns(nil)) {
				t.Errorf("%s: rewards add up to %v, returns are %v", f.Name, sum, e.State().Returns(nil))
			}
		}
	}
}

func TestIllegalActionsChangeNothing(t *testing.T) {
	e := newEnv(t, "leduc", env.Options{})
	if err := e.Step(0); !errors.Is(err, engine.ErrIllegal) || !strings.Contains(err.Error(), "reset first") {
		t.Errorf("Step before Reset: error %v", err)
	}
	e.Reset(1)
	hash := e.State().Hash()
	for _, a := range []engine.Action{-1, 0, 3} { // 0 folds, without a bet
		if err := e.Step(a); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("action %d: error %v, want ErrIllegal", a, err)
		}
	}
	if e.State().Hash() != hash || e.Decisions() != 0 {
		t.Error("refused actions changed the environment")
	}
}

func TestCapTruncatesAndNeverTerminates(t *testing.T) {
	e := newEnv(t, "connect4", env.Options{MaxDecisions: 5})
	e.Reset(1)
	for i := range 5 {
		if e.Truncated() {
			t.Fatalf("truncated after %d decisions", i)
		}
		if err := e.Step(e.Legal()[i%7]); err != nil {
			t.Fatal(err)
		}
	}
	mask := make([]uint8, 7)
	e.Observe(make([]float32, e.Encoder().Layout().Size), mask)
	if !e.Truncated() || e.Terminated() || len(e.Legal()) != 0 || slices.Contains(mask, 1) || e.Actor() != 1 {
		t.Errorf("truncated %v, terminated %v, legal %v, mask %v, actor %d; want true, false, none, zeroes, 1",
			e.Truncated(), e.Terminated(), e.Legal(), mask, e.Actor())
	}
	if err := e.Step(0); !errors.Is(err, engine.ErrIllegal) {
		t.Errorf("Step after truncation: error %v", err)
	}
	// A game that ends with its last allowed decision is terminated.
	e = newEnv(t, "tictactoe", env.Options{MaxDecisions: 5})
	e.Reset(1)
	for _, a := range []engine.Action{0, 3, 1, 4, 2} {
		if err := e.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	if e.Truncated() || !e.Terminated() {
		t.Errorf("truncated %v, terminated %v; want false, true", e.Truncated(), e.Terminated())
	}
}

func TestStartFrom(t *testing.T) {
	e := newEnv(t, "tictactoe", env.Options{})
	if err := e.StartFrom([]byte(`{"board":["xx.","oo.","..."]}`)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		e.Reset(1)
		if len(e.Legal()) != 5 || e.Actor() != 0 {
			t.Errorf("seat %d has %v, want seat 0 with five squares", e.Actor(), e.Legal())
		}
	}
	if err := e.StartFrom([]byte(`{"board":["xxx","...","..."]}`)); !errors.Is(err, engine.ErrPosition) {
		t.Errorf("error %v, want ErrPosition", err)
	}
	if err := e.StartFrom(nil); err != nil {
		t.Fatal(err)
	}
	if e.Reset(1); len(e.Legal()) != 9 {
		t.Errorf("%d squares are free, want 9", len(e.Legal()))
	}
}

// A snapshot taken at any moment, sent through JSON and restored elsewhere must
// give the same future.
func TestSnapshotAtEveryStep(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{MaxDecisions: 30, Written: true}), rand.NewPCG(3, 3)
		other := newEnv(t, f.Name, env.Options{MaxDecisions: 30, Written: true})
		e.Reset(4)
		for step := range 60 {
			s, err := e.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var back env.Snapshot
			if err := json.Unmarshal(data, &back); err != nil {
				t.Fatal(err)
			}
			if err := other.Restore(back); err != nil {
				t.Fatalf("%s, step %d: %v", f.Name, step, err)
			}
			future := *rng
			again := future
			s2, _ := e.Snapshot()
			want, got := trace(t, e, &future, 40), trace(t, other, &again, 40)
			if want != got {
				t.Fatalf("%s, step %d: restored, the future is\n%s\nwant\n%s", f.Name, step, got, want)
			}
			if err := e.Restore(s2); err != nil {
				t.Fatal(err)
			}
			if e.Terminated() || e.Truncated() {
				e.Restart()
			}
			if err := e.Step(pick(e, rng)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What no environment has written is refused, and changes nothing.
func TestRestoreRefuses(t *testing.T) {
	e := newEnv(t, "leduc", env.Options{})
	e.Reset(1)
	before := shown(e)
	for want, spoil := range map[string]func(s *env.Snapshot){
		"0 decisions among -1 moves":        func(s *env.Snapshot) { s.Moves = -1 },
		"3 decisions among 2 moves":         func(s *env.Snapshot) { s.Decisions = 3 },
		"among 1000000 moves":               func(s *env.Snapshot) { s.Moves = 1000000 },
		"1 rewards for 2 seats":             func(s *env.Snapshot) { s.Rewards = s.Rewards[:1] },
		"a reward of NaN":                   func(s *env.Snapshot) { s.Rewards[1] = float32(math.NaN()) },
		"a reward of 1e+30":                 func(s *env.Snapshot) { s.Rewards[0] = 1e30 },
		"restore generator":                 func(s *env.Snapshot) { s.Chance = []byte("pcg:") },
		"restore position: bad position":    func(s *env.Snapshot) { s.Position = json.RawMessage(`{"no such field":1}`) },
		"restore start: bad position":       func(s *env.Snapshot) { s.Start = json.RawMessage(`7`) },
		"one before a chance event":         func(s *env.Snapshot) { s.Position = s.Start },
		"the rules have ended is truncated": func(s *env.Snapshot) { s.Position, s.Truncated = json.RawMessage(folded), true },
	} {
		s, err := e.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		spoil(&s)
		if err := e.Restore(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if after := shown(e); after != before {
			t.Errorf("%s: it has changed\n%s\nto\n%s", want, before, after)
		}
	}
}

// A snapshot whose start is the game's own says nothing of it, and others take it all the same.
func TestShortSnapshots(t *testing.T) {
	own, other := newEnv(t, "tictactoe", env.Options{}), newEnv(t, "tictactoe", env.Options{})
	if err := other.StartFrom([]byte(`{"board":["x..","...","..."]}`)); err != nil {
		t.Fatal(err)
	}
	own.Reset(1)
	other.Reset(1)
	short, err := own.Short()
	if err != nil || short.Start != nil {
		t.Errorf("the start is %s, error %v, want none", short.Start, err)
	}
	long, err := other.Short()
	if err != nil || !strings.Contains(string(long.Start), `"x.."`) {
		t.Errorf("the start is %s, error %v, want the position", long.Start, err)
	}
	for range 2 { // to and fro
		if err := errors.Join(own.Restore(long), other.Restore(short)); err != nil {
			t.Fatal(err)
		}
		own.Restart()
		other.Restart()
		if len(own.Legal()) != 8 || len(other.Legal()) != 9 {
			t.Errorf("%d and %d legal actions at the start, want 8 and 9", len(own.Legal()), len(other.Legal()))
		}
		own, other = other, own
	}
}

// folded is a game of leduc that has ended.
const folded = `{"cards":["Js","Kh"],"round1":["raise","fold"]}`

func TestStepAllocatesNothing(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{}), rand.NewPCG(1, 1)
		obs, mask := make([]float32, e.Encoder().Layout().Size), make([]uint8, len(e.Game().Spec().Actions))
		e.Reset(1)
		allocs := testing.AllocsPerRun(2000, func() {
			if e.Terminated() {
				e.Restart()
			}
			e.Observe(obs, mask)
			if err := e.Step(pick(e, rng)); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 && !enginetest.Race {
			t.Errorf("%s: %g allocations per step, want 0", f.Name, allocs)
		}
	}
}

// The outcomes that Drawn is told, put between the actions, play the same game
// without a generator.
func TestDrawnOutcomesReplayTheEpisode(t *testing.T) {
	for _, f := range games.Families() {
		var moves []engine.Action
		e, rng := newEnv(t, f.Name, env.Options{Drawn: func(o engine.Action) { moves = append(moves, o) }}), rand.NewPCG(4, 4)
		for seed := range uint64(3) {
			moves = moves[:0]
			e.Reset(seed)
			for !e.Terminated() {
				a := e.Legal()[engine.Uint32N(rng, uint32(len(e.Legal())))]
				moves = append(moves, a)
				if err := e.Step(a); err != nil {
					t.Fatal(err)
				}
			}
			s := e.Game().New()
			for i, m := range moves {
				if err := s.Apply(m); err != nil {
					t.Fatalf("%s: seed %d: move %d: %v", f.Name, seed, i, err)
				}
			}
			if s.Hash() != e.State().Hash() || len(moves) != e.Moves() {
				t.Errorf("%s: seed %d: %d recorded moves of %d lead to another state", f.Name, seed, len(moves), e.Moves())
			}
		}
	}
}

// shown writes down all that an environment shows.
func shown(e *env.Env) string {
	var b strings.Builder
	obs, mask := make([]float32, e.Encoder().Layout().Size), make([]uint8, len(e.Game().Spec().Actions))
	e.Observe(obs, mask)
	fmt.Fprintln(&b, e.Actor(), e.Legal(), e.Rewards(), e.Returns(), e.Terminated(), e.Truncated(), obs, mask)
	for p := range e.Game().Spec().Seats {
		e.ObserveAs(engine.Player(p), obs)
		fmt.Fprintln(&b, obs)
	}
	return b.String()
}
