package inference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
)

// goBLAS reports whether a row's logits are the same in whatever batch it comes.
const goBLAS = !network.ForeignBLAS

// fixed is a source that the test changes.
type fixed struct {
	mu      sync.Mutex
	version string
	brain   *learned.Brain
	err     error // of Load
}

func (f *fixed) Version() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.version, nil
}

func (f *fixed) Load() (*learned.Brain, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.brain, f.err
}

func (f *fixed) set(version string, brain *learned.Brain, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version, f.brain, f.err = version, brain, err
}

// brain returns a network with random weights.
func brain(t testing.TB, g engine.Game, seed uint64) *learned.Brain {
	t.Helper()
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{32},
		Activation: network.ReLU}, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	b, err := learned.NewBrain(g, net)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pool returns a pool whose goroutines must be down at the end of the test.
func pool(t testing.TB, c Config) (*Pool, *bytes.Buffer) {
	t.Helper()
	before := runtime.NumGoroutine()
	log := &bytes.Buffer{}
	p, err := NewPool(c, slog.New(slog.NewTextHandler(log, nil)), NewMetrics(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Wait()
		for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
				return
			}
		}
	})
	return p, log
}

func open(t testing.TB, p *Pool, g engine.Game, source Source) *Agent {
	t.Helper()
	a, err := p.Open(g, "net", source)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// trace plays an agent against itself and returns all that it chooses.
func trace(t testing.TB, g engine.Game, a agents.Agent, seed uint64, games int) []engine.Action {
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Error(err)
		return nil
	}
	e.Reset(seed)
	var all []engine.Action
	for n := range games {
		a.Start(0, seed+uint64(n))
		for !e.Terminated() {
			action, err := a.Act(context.Background(), e.View(e.Actor()), e.Legal())
			if err == nil {
				err = e.Step(action)
			}
			if err != nil {
				t.Error(err)
				return nil
			}
			all = append(all, action)
		}
		e.Restart()
	}
	return all
}

// Many agents at once choose what each would choose alone, and what a learned
// agent would that shares nothing. That rests on rows that do not depend on the
// batch around them, which the pure Go build promises.
func TestChoicesDoNotDependOnTheBatch(t *testing.T) {
	if !goBLAS {
		t.Skip("OpenBLAS rounds by the size of the batch")
	}
	for _, text := range []string{"kuhn", "leduc", "connect4", "jogu"} {
		g := enginetest.Game(t, text)
		b := brain(t, g, 1)
		p, _ := pool(t, Config{MaxBatch: 5, MaxWait: time.Millisecond, Queue: 4})
		source := &fixed{version: "1", brain: b}
		const clients, games = 12, 5
		var got [clients][]engine.Action
		var wait sync.WaitGroup
		for i := range clients {
			a := open(t, p, g, source)
			wait.Go(func() {
				defer a.Close()
				got[i] = trace(t, g, a, uint64(100*i), games)
			})
		}
		wait.Wait()
		for i := range clients {
			if want := trace(t, g, b.NewAgent(1), uint64(100*i), games); !slices.Equal(got[i], want) {
				t.Errorf("%s, client %d: chose %v, alone it would have chosen %v", text, i, got[i], want)
			}
		}
	}
}

// rows returns n observations and masks of random play.
func rows(t testing.TB, g engine.Game, n int) (obs []float32, masks []uint8) {
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	size, width := e.Encoder().Layout().Size, len(g.Spec().Actions)
	obs, masks = make([]float32, n*size), make([]uint8, n*width)
	e.Reset(1)
	choice := engine.NewHash()
	for i := range n {
		e.Observe(obs[i*size:(i+1)*size], masks[i*width:(i+1)*width])
		choice = choice.Word(1)
		if err := e.Step(e.Legal()[uint64(choice)%uint64(len(e.Legal()))]); err != nil {
			t.Fatal(err)
		}
		if e.Terminated() {
			e.Restart()
		}
	}
	return obs, masks
}

func TestActBatchFollowsTheSeedOfStartInWhateverParts(t *testing.T) {
	if !goBLAS {
		t.Skip("OpenBLAS rounds by the size of the batch")
	}
	g := enginetest.Game(t, "connect4")
	const n = 150
	obs, masks := rows(t, g, n)
	width := len(g.Spec().Actions)
	var traces [][]int32
	for _, c := range []struct {
		most int
		seed uint64
	}{{64, 1}, {7, 1}, {64, 2}} {
		p, _ := pool(t, Config{MaxBatch: c.most, Queue: 1})
		a := open(t, p, g, &fixed{brain: brain(t, g, 1)})
		a.Start(0, c.seed)
		actions := make([]int32, n)
		if err := a.ActBatch(t.Context(), obs, masks, n, actions); err != nil {
			t.Fatal(err)
		}
		for i, action := range actions {
			if masks[i*width+int(action)] != 1 {
				t.Fatalf("row %d: action %d is not legal", i, action)
			}
		}
		a.Close()
		traces = append(traces, actions)
	}
	if !slices.Equal(traces[0], traces[1]) {
		t.Error("batches of 7 and of 64 chose differently")
	}
	if slices.Equal(traces[0], traces[2]) {
		t.Error("another seed gave the same actions")
	}
}

func TestEvaluateIsWhatTheNetworkComputes(t *testing.T) {
	g := enginetest.Game(t, "leduc")
	const n = 20
	obs, _ := rows(t, g, n)
	b := brain(t, g, 1)
	width, seats := len(g.Spec().Actions), g.Spec().Seats
	wantLogits, wantValues := make([]float32, n*width), make([]float32, n*seats)
	b.Network().Forward(b.Network().NewWorkspace(n), obs, wantLogits, wantValues)
	p, _ := pool(t, Config{MaxBatch: 8, Queue: 1}) // in three parts
	a := reopened(t, p, g, &fixed{brain: b})
	logits, values := make([]float32, n*width), make([]float32, n*seats)
	if err := a.Evaluate(t.Context(), obs, n, logits, values); err != nil {
		t.Fatal(err)
	}
	for i, x := range append(logits, values...) {
		if want := append(wantLogits, wantValues...)[i]; x-want > 1e-5 || want-x > 1e-5 {
			t.Fatalf("number %d is %g, want %g", i, x, want)
		}
	}
}

// idle returns a network with a queue and no goroutine, so that a test can look
// at what happens step by step.
func idle(t testing.TB, g engine.Game, c Config) (*batcher, *Agent) {
	p, _ := pool(t, c)
	n := &served{pool: p, queue: make(chan *request, c.Queue), quit: make(chan struct{}), log: p.log}
	n.current.Store(&generation{1, brain(t, g, 1)})
	return &batcher{served: n, timer: time.NewTimer(time.Hour)}, newAgent(n, g)
}

// queue queues a request of n decisions.
func queue(b *batcher, obs []float32, masks []uint8, n int) *request {
	r := newRequest()
	c := b.current.Load().brain.Network().Config()
	r.rows = n
	r.observations, r.masks, r.actions, r.rng = obs[:n*c.Inputs], masks[:n*c.Actions], make([]int32, n), rand.NewPCG(1, 1)
	b.queue <- r
	return r
}

func TestBatchesTakeWhatWaitsUpToTheMost(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	obs, masks := rows(t, g, 10)
	b, _ := idle(t, g, Config{MaxBatch: 10, Queue: 20})
	var all []*request
	for _, n := range []int{4, 1, 3, 1, 5, 10, 2} { // 4+1+3+1, 5, 10, 2
		all = append(all, queue(b, obs, masks, n))
	}
	if !all[3].cancel() {
		t.Fatal("a request in the queue cannot be cancelled")
	}
	for _, want := range []int{8, 5, 10, 2} {
		if !b.gather() || b.rows != want {
			t.Fatalf("a batch of %d rows, want %d", b.rows, want)
		}
		b.answer()
	}
	for i, r := range all {
		if answered := len(r.done) == 1; answered != (i != 3) {
			t.Errorf("request %d: answered %v", i, answered)
		}
		if i != 3 && r.cancel() {
			t.Errorf("request %d was cancelled after its answer", i)
		}
	}
	close(b.quit)
	if b.gather() {
		t.Error("a batch after the end")
	}
}

func TestAFullQueueRefusesAndACancelledRequestLeaves(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	b, a := idle(t, g, Config{MaxBatch: 10, Queue: 2})
	obs, masks := rows(t, g, 1)
	if err := a.Ready(); err != nil {
		t.Errorf("an empty queue: %v", err)
	}
	actions := make([]int32, 1)
	for range 3 { // two into the queue, one waits for a place
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		if err := a.ActBatch(ctx, obs, masks, 1, actions); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got error %v, want the context's", err)
		}
	}
	if err := a.Ready(); !errors.Is(err, ErrOverloaded) {
		t.Errorf("a full queue: got error %v, want %v", err, ErrOverloaded)
	}
	<-b.queue // makes room
	r := queue(b, obs, masks, 1)
	if !b.gather() || len(b.requests) != 1 || b.requests[0] != r {
		t.Errorf("the batch has %d requests, want the one that was not cancelled", len(b.requests))
	}
}

func TestANewCheckpointTakesOverAndABrokenOneDoesNot(t *testing.T) {
	g := enginetest.Game(t, "leduc")
	source := &fixed{version: "a", brain: brain(t, g, 1)}
	p, log := pool(t, Config{MaxBatch: 4, Queue: 4})
	one, two := open(t, p, g, source), open(t, p, g, source)
	defer one.Close()
	defer two.Close()
	if one.network != two.network {
		t.Error("two agents of one name have two networks")
	}
	check := func(what string, number int64, b *learned.Brain) {
		t.Helper()
		for _, a := range []*Agent{one, two} {
			if got, want := trace(t, g, a, 9, 3), trace(t, g, b.NewAgent(1), 9, 3); !slices.Equal(got, want) && goBLAS {
				t.Errorf("%s: chose %v, want %v", what, got, want)
			}
			if a.Generation() != number {
				t.Errorf("%s: generation %d, want %d", what, a.Generation(), number)
			}
		}
	}
	first, second, third := source.brain, brain(t, g, 2), brain(t, g, 3)
	check("at first", 1, first)
	one.network.renew()
	check("nothing new", 1, first)
	source.set("b", second, nil)
	check("not yet looked", 1, first)
	one.network.renew()
	check("a new one", 2, second)
	source.set("c", nil, errors.New("half of it is missing"))
	one.network.renew()
	one.network.renew()
	check("a broken one", 2, second)
	if n := strings.Count(log.String(), "half of it is missing"); n != 1 {
		t.Errorf("the log tells of the broken one %d times, want once:\n%s", n, log)
	}
	source.set("d", third, nil)
	one.network.renew()
	check("a sound one after that", 3, third)
}

func TestANetworkEndsWithItsLastAgent(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	p, _ := pool(t, Default())
	broken := &fixed{err: errors.New("no such file")}
	if _, err := p.Open(g, "net", broken); !errors.Is(err, broken.err) {
		t.Errorf("a source that fails: got error %v", err)
	}
	if len(p.networks) != 0 {
		t.Error("a network that could not be loaded is still there")
	}
	source := &fixed{brain: brain(t, g, 1)}
	one, two := open(t, p, g, source), open(t, p, g, source)
	one.Close()
	trace(t, g, two, 1, 1)
	two.Close()
	p.Wait()
	if len(p.loaded()) != 0 {
		t.Error("a network is loaded that nobody plays")
	}
	trace(t, g, reopened(t, p, g, source), 1, 1)
}

// reopened opens an agent until the test ends.
func reopened(t *testing.T, p *Pool, g engine.Game, source Source) *Agent {
	a := open(t, p, g, source)
	t.Cleanup(a.Close)
	return a
}

func TestActAllocatesNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	g := enginetest.Game(t, "jogu")
	p, _ := pool(t, Default())
	a := reopened(t, p, g, &fixed{brain: brain(t, g, 1)})
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Reset(1)
	a.Start(e.Actor(), 1)
	view, legal, ctx := e.View(e.Actor()), e.Legal(), context.Background()
	if got := testing.AllocsPerRun(100, func() {
		if _, err := a.Act(ctx, view, legal); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%g allocations an act, want none", got)
	}
}

// A checkpoint directory that a run keeps writing to is followed, a file that is
// cut short is not.
func TestAWatchedRunIsFollowed(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	run := checkpoints.Store{Dir: filepath.Join(t.TempDir(), "checkpoints")}
	save := func(updates int64) string {
		b := brain(t, g, uint64(updates))
		config, err := json.Marshal(b.Network().Config())
		if err != nil {
			t.Fatal(err)
		}
		path, err := run.Save(&checkpoints.Checkpoint{Manifest: checkpoints.Manifest{
			Identity: checkpoints.IdentityOf(g, b.Encoder().Layout()), Network: config, Updates: updates}, Weights: b.Network().Tensors()})
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	save(1)
	p, _ := pool(t, Config{MaxBatch: 4, Queue: 4, Reload: time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Watch(ctx)
	}()
	defer func() { stop(); <-done }()
	a := open(t, p, g, Checkpoint(g, filepath.Dir(run.Dir)))
	defer a.Close()
	follow := func(number int64) {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Second); a.network.current.Load().number != number; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("generation %d, want %d", a.network.current.Load().number, number)
			}
		}
		trace(t, g, a, 1, 1)
		if a.Generation() != number {
			t.Errorf("generation %d has acted, want %d", a.Generation(), number)
		}
	}
	follow(1)
	save(2)
	follow(2)
	// Cut short elsewhere and renamed into place, as a broken copy would be.
	cut := save(3)
	follow(3)
	manifest, err := os.ReadFile(filepath.Join(cut, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(run.Dir, checkpoints.Name(4))
	if err := os.Mkdir(bad, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bad, "manifest.json"), manifest, 0o644); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // some looks
	follow(3)
	save(5)
	follow(4)
}

func TestValidateNamesEveryFault(t *testing.T) {
	err := Config{MaxWait: -1, Reload: -1}.Validate()
	for _, want := range []string{"max-batch", "queue", "max-wait", "reload"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %s", err, want)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}
