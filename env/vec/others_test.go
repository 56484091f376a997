package vec_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/envtest"
	"powderkeg/env/vec"
)

// bots play all seats but one at random, by generators that follow from what Start says.
type bots struct {
	own     engine.Player
	hashes  map[int]*engine.Hash64 // by slot
	batches bool
	act     func(*vec.Turn) // in place of that, if not nil
	// forgetful bots cannot say what they remember.
	forgetful bool
	seats     int // whose memories are told of
}

func newBots(own engine.Player, slots int) *bots {
	b := &bots{own: own, hashes: map[int]*engine.Hash64{}}
	for i := range slots {
		b.hashes[i] = new(engine.Hash64)
	}
	return b
}

func (b *bots) Plays(seat engine.Player) bool { return seat != b.own }
func (b *bots) Batches() bool                 { return b.batches }
func (b *bots) Start(slot int, seed, episode uint64) {
	*b.hashes[slot] = engine.NewHash().Word(seed).Word(episode)
}

func (b *bots) Act(_ int, turns []vec.Turn) {
	for i := range turns {
		t := &turns[i]
		if b.act != nil {
			b.act(t)
			continue
		}
		t.Action = b.choose(t.Slot, t.Env)
	}
}

func (b *bots) choose(slot int, e *env.Env) engine.Action {
	h := b.hashes[slot]
	*h = h.Word(1)
	return e.Legal()[uint64(*h)%uint64(len(e.Legal()))]
}

// alone is what a slot with bots must be: a single environment in which bots and caller
// take turns, written down as row does.
type alone struct {
	env     *env.Env
	bots    *bots
	episode uint64
	seed    uint64
	decided int
	before  []float32
}

func (a *alone) start() {
	a.decided, a.before = 0, slices.Clone(a.env.Returns())
	a.bots.Start(0, a.seed, a.episode)
	a.others()
}

func (a *alone) others() {
	for !a.env.Terminated() && a.bots.Plays(a.env.Actor()) {
		if err := a.env.Step(a.bots.choose(0, a.env)); err != nil {
			panic(err)
		}
	}
}

// Slots with others are single environments in which others play, from every seat of every
// game, whatever the number of workers and in all ways of driving them.
func TestSlotsWithOthersAreSingleEnvironments(t *testing.T) {
	const n, steps, most = 6, 40, 7
	for _, f := range games.Families() {
		g, err := games.New(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		spec := g.Spec()
		for own := range engine.Player(spec.Seats) {
			for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
				want := make([][]string, n)
				for i := range want {
					want[i] = played(t, g, own, mode, i, steps, most)
				}
				for _, drive := range []struct {
					name    string
					workers int
					play    func(*testing.T, *vec.Vec, int) [][]string
				}{{"one worker", 1, playSync}, {"four workers", 4, playSync}, {"send", 2, playAsync}, {"send in batches", 2, playAsync}} {
					others := newBots(own, n)
					others.batches = drive.name == "send in batches"
					v := newVec(t, f.Name, vec.Config{Envs: n, Workers: drive.workers, Autoreset: mode, Env: env.Options{MaxDecisions: most}, Others: others})
					for i, got := range drive.play(t, v, steps) {
						if !slices.Equal(got, want[i]) {
							at := 0
							for got[at] == want[i][at] {
								at++
							}
							t.Fatalf("%s, seat %d, %s, %s: slot %d shows at step %d\n%q, a single environment\n%q", f.Name, own, mode, drive.name, i, at, got[at],
								want[i][at])
						}
					}
				}
			}
		}
	}
}

// played returns what a slot shows by a single environment.
func played(t *testing.T, g engine.Game, own engine.Player, mode vec.Autoreset, slot, steps, most int) []string {
	t.Helper()
	e, err := env.New(g, env.Options{Observer: &own})
	if err != nil {
		t.Fatal(err)
	}
	// A vec of one slot lends its buffers, so that row can write them down.
	v := newVec(t, g.Spec().Name, vec.Config{Envs: 1, Workers: 1, Autoreset: mode})
	b := v.NewBuffers(1)
	a := &alone{env: e, bots: newBots(own, 1), seed: vec.SlotSeed(11, slot)}
	show := func() {
		e.Observe(b.Observations, b.Masks)
		b.Actors[0] = e.Actor()
	}
	next := func() {
		e.Restart()
		a.episode++
		a.start()
	}
	e.Reset(a.seed)
	a.start()
	show()
	var trace []string
	due := false
	for step := range steps {
		trace = append(trace, row(b, v, 0))
		clear(b.Rewards)
		b.Terminated[0], b.Truncated[0] = 0, 0
		if due {
			due = false
			next()
			show()
			continue
		}
		if err := e.Step(choose(b, 0, len(g.Spec().Actions), uint64(step))); err != nil {
			t.Fatal(err)
		}
		a.decided++
		a.others()
		for i, now := range e.Returns() {
			b.Rewards[i] = now - a.before[i]
		}
		copy(a.before, e.Returns())
		if !e.Terminated() && a.decided >= most {
			e.Truncate()
		}
		if e.Terminated() || e.Truncated() {
			copy(b.Returns, e.Returns())
			b.Lengths[0] = int32(a.decided)
			if e.Terminated() {
				b.Terminated[0] = 1
			} else {
				b.Truncated[0] = 1
			}
			if mode == vec.SameStep {
				e.ObserveAs(own, b.Final)
				b.FinalActors[0] = e.Actor()
				next()
			} else {
				due = true
			}
		}
		show()
	}
	return trace
}

func playSync(t *testing.T, v *vec.Vec, steps int) [][]string { return play(t, v, steps) }

// playAsync is play by Send and Receive.
func playAsync(t *testing.T, v *vec.Vec, steps int) [][]string {
	t.Helper()
	n := v.Envs()
	first, b := v.NewBuffers(n), v.NewBuffers(n)
	trace := make([][]string, n)
	if err := v.Reset(11, first); err != nil {
		t.Fatal(err)
	}
	width := len(v.Env(0).Game().Spec().Actions)
	send := func(b *vec.Buffers, at, slot int) {
		trace[slot] = append(trace[slot], row(b, v, at))
		if len(trace[slot]) < steps {
			if err := v.Send([]int32{int32(slot)}, []engine.Action{choose(b, at, width, uint64(len(trace[slot])-1))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range n {
		send(first, i, i)
	}
	for range n * (steps - 1) {
		if err := v.Receive(t.Context(), 1, b); err != nil {
			t.Fatal(err)
		}
		send(b, 0, int(b.Slots[0]))
	}
	return trace
}

// ended is a position in which seat 0 wins with any move or the next.
var ended = []byte(`{"board":["xx.","oo.","..."]}`)

// Episodes that end before the caller has a decision are not shown.
func TestEpisodesWithoutADecisionAreFollowedByOthers(t *testing.T) {
	for _, mode := range vec.Modes {
		wins := 0
		others := newBots(1, 3)
		others.act = func(turn *vec.Turn) {
			turn.Action = turn.Env.Legal()[0] // wins
			if wins++; wins%4 == 0 {
				turn.Action = turn.Env.Legal()[1]
			}
		}
		v := newVec(t, "tictactoe", vec.Config{Envs: 3, Workers: 1, Autoreset: mode, Others: others})
		for i := range 3 {
			if err := v.Env(i).StartFrom(ended); err != nil {
				t.Fatal(err)
			}
		}
		b := v.NewBuffers(3)
		if err := v.Reset(1, b); err != nil {
			t.Fatal(err)
		}
		if slices.Max(b.Terminated) != 0 || !slices.Equal(b.Actors, []engine.Player{1, 1, 1}) || wins != 12 {
			t.Errorf("%s: after %d turns of the others the slots show %v, ends %v", mode, wins, b.Actors, b.Terminated)
		}
		if err := v.ResetSlots([]int32{2, 0, 2}, []uint64{1, 2, 3}, b); err != nil || b.Actors[2] != 1 || wins != 20 {
			t.Errorf("%s: two slots reset: error %v, actors %v, %d turns of the others", mode, err, b.Actors, wins)
		}
		others.act = func(turn *vec.Turn) { turn.Action = turn.Env.Legal()[0] }
		if err := v.Reset(1, b); err == nil || !strings.Contains(err.Error(), "1000 episodes in a row") {
			t.Errorf("%s: a caller who never decides: error %v", mode, err)
		}
		if err := v.Step(make([]engine.Action, 3), b); err == nil || !strings.Contains(err.Error(), "slot 2: the episode was given up") {
			t.Errorf("%s: a step after that: error %v", mode, err)
		}
	}
}

// What others cannot do costs their slots, which a reset restores.
func TestOthersThatFailCostTheirSlots(t *testing.T) {
	broken := errors.New("out of order")
	for name, act := range map[string]func(*vec.Turn){
		"out of order":  func(turn *vec.Turn) { turn.Err = broken },
		"not legal":     func(turn *vec.Turn) { turn.Action = 99 },
		"went overhead": func(*vec.Turn) { panic("it went overhead") },
	} {
		others := newBots(0, 4)
		others.act = func(turn *vec.Turn) {
			turn.Action = turn.Env.Legal()[0]
			if turn.Slot == 2 {
				act(turn)
			}
		}
		v := newVec(t, "tictactoe", vec.Config{Envs: 4, Workers: 4, Autoreset: vec.SameStep, Others: others})
		b := v.NewBuffers(4)
		if err := v.Reset(1, b); err != nil {
			t.Fatal(err)
		}
		err := v.Step(make([]engine.Action, 4), b)
		var panicked *env.Panic
		if err == nil || strings.Count(err.Error(), "slot") != 1 || !strings.Contains(err.Error(), "slot 2: ") ||
			errors.As(err, &panicked) != (name == "went overhead") {
			t.Errorf("%s: error %v, want one of slot 2", name, err)
		}
		if err := v.Step([]engine.Action{8, 8, 8, 8}, b); err == nil || !strings.Contains(err.Error(), "slot 2: the episode was given up") {
			t.Errorf("%s: the next step: error %v", name, err)
		}
		others.act = nil
		if err := v.ResetSlot(2, 1, b); err != nil {
			t.Errorf("%s: a reset: %v", name, err)
		}
		if err := v.StepSlots([]int32{2}, []engine.Action{0}, b); err != nil {
			t.Errorf("%s: after a reset: %v", name, err)
		}
	}
	others := newBots(0, 1)
	others.act = func(turn *vec.Turn) { turn.Action = envtest.Tread }
	v, err := vec.New(envtest.Mine{}, vec.Config{Envs: 1, Workers: 1, Autoreset: vec.Disabled, Others: others})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	b := v.NewBuffers(1)
	if err := v.Reset(1, b); err != nil {
		t.Fatal(err)
	}
	var panicked *env.Panic
	if err := v.Step([]engine.Action{envtest.Step}, b); !errors.As(err, &panicked) {
		t.Errorf("an engine that breaks down under the others: error %v", err)
	}
}

// everyone plays all seats.
type everyone struct{ *bots }

func (everyone) Plays(engine.Player) bool { return true }

func TestOthersMustLeaveASeat(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	seat := engine.Player(1)
	for want, c := range map[string]vec.Config{
		"all 2 seats":                      {Others: everyone{}},
		"observer is 1, a seat of the oth": {Others: newBots(0, 1), Env: env.Options{Observer: &seat}},
	} {
		c.Envs, c.Workers, c.Autoreset = 1, 1, vec.SameStep
		if _, err := vec.New(g, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want it to contain %q", err, want)
		}
	}
}

func TestStepsWithOthersAllocateNothing(t *testing.T) {
	const n = 32
	v := newVec(t, "leduc", vec.Config{Envs: n, Workers: 2, Autoreset: vec.SameStep, Others: newBots(1, n)})
	b, actions := v.NewBuffers(n), make([]engine.Action, n)
	if err := v.Reset(1, b); err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(200, func() {
		for i := range actions {
			actions[i] = v.Env(i).Legal()[0]
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%g allocations a step, want none", got)
	}
}
