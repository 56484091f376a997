package env_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// A copy plays on as its original does, chance events and later episodes included, and neither
// notices what the other does.
func TestClonesPlayOnAlike(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{MaxDecisions: 30, Written: true}), rand.NewPCG(5, 5)
		reused := e.Clone()
		e.Reset(6)
		for step := range 60 {
			reused.CopyFrom(e)
			future := *rng
			fresh, again := future, future
			clone := e.Clone()
			got, other := trace(t, clone, &fresh, 80), trace(t, reused, &again, 80)
			if want := trace(t, e.Clone(), &future, 80); got != want || other != want {
				t.Fatalf("%s, step %d: the copies play\n%s\n%s\nwant\n%s", f.Name, step, got, other, want)
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

// A copy shows what its original shows.
func TestClonesShowTheSame(t *testing.T) {
	for _, f := range games.Families() {
		e, rng := newEnv(t, f.Name, env.Options{MaxDecisions: 40}), rand.NewPCG(7, 7)
		e.Reset(8)
		for step := range 50 {
			if a, b := shown(e), shown(e.Clone()); a != b {
				t.Fatalf("%s, step %d: the copy shows\n%s\nwant\n%s", f.Name, step, b, a)
			}
			if e.Terminated() || e.Truncated() {
				e.Restart()
			} else if err := e.Step(pick(e, rng)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestClonesKeepTheirStart(t *testing.T) {
	e := newEnv(t, "tictactoe", env.Options{})
	if err := e.StartFrom([]byte(`{"board":["x..","...","..."]}`)); err != nil {
		t.Fatal(err)
	}
	e.Reset(1)
	clone := e.Clone()
	if err := e.StartFrom(nil); err != nil {
		t.Fatal(err)
	}
	e.Restart()
	clone.Restart()
	if len(e.Legal()) != 9 || len(clone.Legal()) != 8 {
		t.Errorf("%d legal actions from the game's start and %d from the copy's own, want 9 and 8", len(e.Legal()), len(clone.Legal()))
	}
}

func TestCopyFromAllocatesNothing(t *testing.T) {
	for _, f := range games.Families() {
		e := newEnv(t, f.Name, env.Options{Written: true})
		e.Reset(1)
		branch := e.Clone()
		allocs := testing.AllocsPerRun(200, func() {
			branch.CopyFrom(e)
			if err := branch.Step(branch.Legal()[0]); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 && !enginetest.Race {
			t.Errorf("%s: %g allocations per copy and step, want 0", f.Name, allocs)
		}
	}
}

// episode plays on to the end of the episode, 60 decisions at most.
func episode(t *testing.T, e *env.Env, rng *rand.PCG) string {
	t.Helper()
	var b strings.Builder
	for n := 0; n < 60 && !e.Terminated(); n++ {
		b.WriteString(trace(t, e, rng, 1))
	}
	return b.String()
}

// In worlds that a seat cannot tell apart it deals the same worlds anew, in which chance goes
// the same ways, though the episodes had come there with other generators.
func TestRedealFollowsFromTheViewAlone(t *testing.T) {
	for _, f := range games.Families() {
		g := enginetest.Game(t, f.Name)
		if _, ok := g.New().(engine.Hidden); !ok {
			continue
		}
		e, rng, compared := newEnv(t, f.Name, env.Options{Written: true}), rand.NewPCG(9, 9), 0
		e.Reset(10)
		for step := range 150 {
			seat := engine.Player(step % g.Spec().Seats)
			if e.Terminated() {
				e.Restart()
			}
			if deal := engine.Clone(g, e.State()).(engine.Hidden); seat != e.Actor() {
				deal.Redeal(engine.Look(e.State(), seat), rng)
				if _, err := deal.MarshalJSON(); err != nil {
					seat = e.Actor() // whose worlds can be written in the middle of a procedure too
				}
			}
			if world := worlds.Elsewhere(t, g, e.State(), seat, rng); world != nil {
				text, err := world.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				elsewhere := newEnv(t, f.Name, env.Options{})
				if err := elsewhere.StartFrom(text); err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				elsewhere.Reset(uint64(step))
				if engine.Look(elsewhere.State(), seat).Hash() == engine.Look(e.State(), seat).Hash() { // no chance event came between
					compared++
					a, b := e.Clone(), elsewhere
					a.Redeal(seat, uint64(step))
					b.Redeal(seat, uint64(step))
					if x, y := shown(a), shown(b); x != y {
						t.Fatalf("%s, step %d: dealt anew for seat %d the worlds show\n%s\n%s", f.Name, step, seat, x, y)
					}
					future := *rng
					again := future
					if x, y := episode(t, a, &future), episode(t, b, &again); x != y {
						t.Fatalf("%s, step %d: dealt anew for seat %d the worlds go on\n%s\n%s", f.Name, step, seat, x, y)
					}
				}
			}
			if err := e.Step(pick(e, rng)); err != nil {
				t.Fatal(err)
			}
		}
		if compared < 20 {
			t.Errorf("%s: %d pairs of worlds were compared, want 20 at least", f.Name, compared)
		}
	}
}

// The seat sees the same after it, and each card that it does not know comes as often.
func TestRedealDrawsAmongThePossibleWorlds(t *testing.T) {
	e := newEnv(t, "leduc", env.Options{})
	e.Reset(3)
	seat := e.Actor()
	own := engine.Look(e.State(), seat).Hash()
	worlds, futures := map[uint64]int{}, map[string]bool{}
	const deals = 3000
	for seed := range uint64(deals) {
		world := e.Clone()
		world.Redeal(seat, seed)
		if engine.Look(world.State(), seat).Hash() != own || world.Actor() != seat {
			t.Fatalf("seed %d: seat %d sees another situation", seed, seat)
		}
		worlds[world.State().Hash()]++
		for range 2 { // a card comes after two calls
			if err := world.Step(1); err != nil {
				t.Fatal(err)
			}
		}
		futures[shown(world)] = true
	}
	if len(worlds) != 5 { // one for each card of the six but the seat's own
		t.Fatalf("%d worlds, want 5", len(worlds))
	}
	for hash, n := range worlds {
		if n < 500 || n > 700 {
			t.Errorf("world %x came %d times of %d", hash, n, deals)
		}
	}
	if len(futures) < 5 {
		t.Errorf("the worlds go on in %d ways, want one for each card that may come at least", len(futures))
	}
}

// Without hidden information the world stays; the dice to come are others.
func TestRedealOfAnOpenGameChangesTheLuckAlone(t *testing.T) {
	e := newEnv(t, "tictactoe", env.Options{})
	e.Reset(1)
	if err := e.Step(4); err != nil {
		t.Fatal(err)
	}
	before := shown(e)
	e.Redeal(0, 5)
	if after := shown(e); after != before {
		t.Errorf("it shows\n%s\nwant\n%s", after, before)
	}
	for !e.Terminated() {
		if err := e.Step(e.Legal()[0]); err != nil {
			t.Fatal(err)
		}
	}
	ended := shown(e)
	if e.Redeal(0, 5); shown(e) != ended {
		t.Error("a redeal changes what has ended")
	}
}
