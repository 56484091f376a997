package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/train"
)

// The times of use; tests in real time have less of all.
var realHeartbeat, realPatience, realPulse, realOverdue = heartbeat, patience, pulse, overdue

// TestMain lets the binary be the processes of a fleet, which tests start and kill.
func TestMain(m *testing.M) {
	if os.Getenv(realTimes) == "" {
		heartbeat, patience, pulse, overdue = heartbeat/12, patience/12, pulse/8, overdue/4
	}
	if role := os.Getenv(roleOf); role != "" {
		if err := act(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// config is a short run with truncated games, games against a pool, and snapshots.
func config(t *testing.T) train.Config {
	t.Helper()
	c, err := train.ParseConfig([]byte(`
game: leduc
seed: 3
updates: 6
envs: 12
steps: 16
shards: 4
workers: 1
max_decisions: 5
network: {hidden: [16]}
league: {share: 0.5, snapshot_every: 2, agents: [{name: random, share: 0.5}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// log collects what users are told.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) tell(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(&l.text, format+"\n", args...)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// fleetOf is a broker with a run on it, whose workers the test starts.
type fleetOf struct {
	t       *testing.T
	config  train.Config
	url     string
	trainer *train.Trainer
	learner *Learner
	log     log
}

// newFleet starts a broker, and a learner on it.
func newFleet(t *testing.T, c train.Config) *fleetOf {
	t.Helper()
	e, err := Embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	f := &fleetOf{t: t, config: c, url: e.URL()}
	if f.trainer, err = train.NewTrainer(c); err != nil {
		t.Fatal(err)
	}
	f.learner = f.lead(f.trainer)
	f.trainer.Employ(f.learner, 0)
	t.Cleanup(func() { _ = f.trainer.Close() })
	return f
}

// lead makes a learner for a trainer.
func (f *fleetOf) lead(r *train.Trainer) *Learner {
	f.t.Helper()
	text, err := f.config.YAML()
	if err != nil {
		f.t.Fatal(err)
	}
	l, err := Lead(f.t.Context(), f.dial(), Options{
		Run: "test", Announcement: Announcement{Format: Format, Identity: r.Identity(), Config: text}, Quarantine: f.t.TempDir(), Tell: f.log.tell,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

func (f *fleetOf) dial(options ...nats.Option) *nats.Conn {
	f.t.Helper()
	conn, err := nats.Connect(f.url, append(options, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(conn.Close)
	return conn
}

// hire starts a worker; its connection and the way to send it home are returned.
func (f *fleetOf) hire() (conn *nats.Conn, dismiss func() error) {
	conn = f.dial()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, conn, Service{Processors: 1, Tell: f.log.tell}) }()
	dismiss = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	f.t.Cleanup(func() { _ = dismiss() })
	return conn, dismiss
}

// updates makes n updates, during each of which during is called, if there is one.
func (f *fleetOf) updates(n int, during func(update int)) {
	f.t.Helper()
	for u := range n {
		done := make(chan error, 1)
		go func() {
			_, err := f.trainer.Update()
			done <- err
		}()
		if during != nil {
			during(u)
		}
		select {
		case err := <-done:
			if err != nil {
				f.t.Fatalf("%v\n%s", err, &f.log)
			}
		case <-time.After(time.Minute):
			f.t.Fatalf("update %d is not made; %+v\n%s", u, f.learner.Counts(), &f.log)
		}
	}
}

// calm is a crew of one in the process, who plays tasks in their order.
type calm struct{ *train.Actor }

func (c calm) Play(_ context.Context, tasks []*train.Task, weights map[train.Digest][]byte, take func(int, *train.Part) error) error {
	for n, task := range tasks {
		part, err := c.Actor.Play(task, func(d train.Digest) ([]byte, error) { return weights[d], nil })
		if err != nil {
			return err
		}
		if err := take(n, part); err != nil {
			return err
		}
	}
	return nil
}

// alone are the weights of the run by itself, or, where networks add up in another order
// with other batches, of one with a crew that nothing happens to.
func (f *fleetOf) alone(updates int) []float32 {
	f.t.Helper()
	r, err := train.NewTrainer(f.config)
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Close()
	if network.ForeignBLAS {
		a, err := train.NewActor(f.config)
		if err != nil {
			f.t.Fatal(err)
		}
		defer a.Close()
		r.Employ(calm{a}, 0)
	}
	for range updates {
		if _, err := r.Update(); err != nil {
			f.t.Fatal(err)
		}
	}
	return slices.Clone(r.Network().Weights())
}

// check compares the weights with those of the run by itself, and the counts with the plan.
func (f *fleetOf) check(updates int) Counts {
	f.t.Helper()
	if !slices.Equal(f.trainer.Network().Weights(), f.alone(updates)) {
		f.t.Error("the weights differ from those of the run by itself")
	}
	c := f.learner.Counts()
	if want := int64(updates * f.config.Shards); c.Taken != want {
		f.t.Errorf("%d parts were taken of %d", c.Taken, want)
	}
	return c
}

func TestFleetLearnsWhatOneProcessWould(t *testing.T) {
	f := newFleet(t, config(t))
	f.hire()
	f.hire()
	f.updates(6, nil)
	if c := f.check(6); c.Tasks != 24 || c.Duplicates+c.Refused+c.HandedAgain+c.Redelivered+c.Quarantined != 0 {
		t.Errorf("without a fault the counts are %+v", c)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(f.learner)
	problems, err := testutil.GatherAndLint(registry)
	if err != nil || len(problems) > 0 {
		t.Errorf("the metrics have faults: %v, error %v", problems, err)
	}
	if n, err := testutil.GatherAndCount(registry); err != nil || n != len(series) {
		t.Errorf("%d metrics of %d, error %v", n, len(series), err)
	}
	if err := testutil.CollectAndCompare(f.learner,
		strings.NewReader("# HELP powderkeg_fleet_tasks_total Tasks handed out to workers, again ones too.\n# TYPE powderkeg_fleet_tasks_total "+
			"counter\npowderkeg_fleet_tasks_total 24\n"), "powderkeg_fleet_tasks_total"); err != nil {
		t.Error(err)
	}
	if err := f.learner.Close(true); err != nil {
		t.Error(err)
	}
	js, _ := jetstream.New(f.dial())
	for name := range js.StreamNames(t.Context()).Name() {
		t.Errorf("stream %s stays when the run is over", name)
	}
}

// TestWorkersComeAndGo: some are cut off in the middle of whatever they do, others dismissed.
func TestWorkersComeAndGo(t *testing.T) {
	f := newFleet(t, config(t))
	f.updates(6, func(u int) {
		conn, dismiss := f.hire()
		if u%2 == 0 {
			time.Sleep(time.Duration(u) * 5 * time.Millisecond)
			conn.Close()
			f.hire()
			return
		}
		go func() { _ = dismiss() }()
		f.hire()
	})
	f.check(6)
}

// TestWorkersPlayAhead: while the learner learns workers come and go at the next rollout, and a
// learner that is resumed has it played again.
func TestWorkersPlayAhead(t *testing.T) {
	c := config(t)
	c.Lag = 1
	f := newFleet(t, c)
	f.updates(3, func(int) {
		conn, _ := f.hire()
		time.Sleep(5 * time.Millisecond)
		conn.Close()
		f.hire()
	})
	saved, err := f.trainer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.trainer.Close(), f.learner.Close(false)); err != nil {
		t.Fatal(err)
	}
	if f.trainer, err = train.ResumeTrainer(c, saved); err != nil {
		t.Fatal(err)
	}
	f.learner = f.lead(f.trainer)
	f.trainer.Employ(f.learner, 0)
	f.updates(3, nil)
	if !slices.Equal(f.trainer.Network().Weights(), f.alone(6)) {
		t.Error("the weights differ from those of the run by itself")
	}
}

// TestTasksOfTheSilentAreHandedOutAgain: a worker takes tasks and is never heard of again.
func TestTasksOfTheSilentAreHandedOutAgain(t *testing.T) {
	f := newFleet(t, config(t))
	js, err := jetstream.New(f.dial())
	if err != nil {
		t.Fatal(err)
	}
	f.updates(2, func(int) {
		queue, err := js.Consumer(t.Context(), names{"test"}.tasks(), workersQueue)
		if err != nil {
			t.Error(err)
			return
		}
		batch, err := queue.Fetch(3, jetstream.FetchMaxWait(patience))
		if err != nil {
			t.Error(err)
			return
		}
		for range batch.Messages() {
		}
		f.hire()
	})
	if c := f.check(2); c.Redelivered == 0 {
		t.Errorf("nothing was redelivered: %+v", c)
	}
}

// TestTasksThatNobodyCanPlayAreQuarantined: and played by the learner.
func TestTasksThatNobodyCanPlayAreQuarantined(t *testing.T) {
	f := newFleet(t, config(t))
	js, err := jetstream.New(f.dial())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if queue, err := js.Consumer(ctx, names{"test"}.tasks(), workersQueue); err == nil {
				if batch, err := queue.Fetch(4, jetstream.FetchMaxWait(heartbeat)); err == nil {
					for m := range batch.Messages() {
						_ = m.Nak()
					}
				}
			}
			pause(ctx, heartbeat/10)
		}
	}()
	f.updates(1, nil)
	if c := f.check(1); c.Quarantined != 4 {
		t.Errorf("the counts are %+v", c)
	}
	files, err := os.ReadDir(f.learner.options.Quarantine)
	if err != nil || len(files) != 4 {
		t.Errorf("%d tasks are kept, error %v", len(files), err)
	}
}

// TestBrokersMayForget: all that it has in memory is lost in the middle of an update.
func TestBrokersMayForget(t *testing.T) {
	f := newFleet(t, config(t))
	js, err := jetstream.New(f.dial())
	if err != nil {
		t.Fatal(err)
	}
	f.updates(3, func(u int) {
		if u == 1 {
			time.Sleep(heartbeat)
			n := names{"test"}
			if err := errors.Join(js.DeleteStream(t.Context(), n.tasks()), js.DeleteStream(t.Context(), n.parts()),
				js.DeleteStream(t.Context(), n.weights())); err != nil {
				t.Error(err)
			}
		}
		_, dismiss := f.hire()
		if u == 0 {
			time.Sleep(2 * heartbeat)
			_ = dismiss()
		}
	})
	f.check(3)
}

// TestSparesTakeOver: a second learner waits, and goes on when the first is gone, whether it
// has said so or not; and the first may not go on beside it.
func TestSparesTakeOver(t *testing.T) {
	for _, says := range []bool{true, false} {
		f := newFleet(t, config(t))
		f.hire()
		f.updates(2, nil)
		saved, err := f.trainer.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		spare, err := train.ResumeTrainer(f.config, saved)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = spare.Close() })
		led := make(chan *Learner)
		go func() { led <- f.lead(spare) }()
		select {
		case <-led:
			t.Fatal("two learners at once")
		case <-time.After(2 * patience):
		}
		if !strings.Contains(f.log.String(), "has a learner") {
			t.Error("the spare does not say that it waits")
		}
		if says {
			if err := f.learner.Close(false); err != nil {
				t.Fatal(err)
			}
		} else {
			f.learner.conn.Close()
		}
		first := f.trainer
		f.learner = <-led
		spare.Employ(f.learner, 0)
		f.trainer = spare
		f.updates(2, nil)
		if !slices.Equal(f.trainer.Network().Weights(), f.alone(4)) {
			t.Error("the weights differ from those of the run by itself")
		}
		if _, err := first.Update(); err == nil {
			t.Error("the first learner goes on")
		}
	}
}

// TestOtherVersionsAreRefusedInOneLine: by format, by rules, by what the configuration says.
func TestOtherVersionsAreRefusedInOneLine(t *testing.T) {
	for want, change := range map[string]func(*Announcement){
		"format 99":             func(a *Announcement) { a.Format = 99 },
		"this program plays":    func(a *Announcement) { a.Identity.Rules++ },
		"cannot be read here":   func(a *Announcement) { a.Config = "game: [" },
		"cannot be played here": func(a *Announcement) { a.Config = "game: poker" },
	} {
		f := newFleet(t, config(t))
		if err := f.learner.Close(false); err != nil {
			t.Fatal(err)
		}
		text, _ := f.config.YAML()
		a := Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}
		change(&a)
		l, err := Lead(t.Context(), f.dial(), Options{Run: "test", Announcement: a, Quarantine: t.TempDir(), Tell: f.log.tell})
		if err != nil {
			t.Fatal(err)
		}
		err = Serve(t.Context(), f.dial(), Service{Processors: 1, Tell: f.log.tell})
		if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line of another version with %q", err, want)
		}
		_ = l.Close(true)
	}
}

func TestPartsArriveAsTheyWere(t *testing.T) {
	want := &train.Part{
		Actions: []engine.Action{0, 7, 1 << 20}, LogProbs: []float32{-0.5, 0, -3e-9}, Values: []float32{1, -1}, Next: []float32{0.25},
		Cut: []train.Cut{{Step: 3, Slot: 1, Values: []float32{0.5}}}, Choices: [][]byte{{1, 2}}, Hashes: []uint64{1 << 63},
	}
	limits, _ := partLimits(train.PartShape{Steps: 3, Seats: 1, Logits: 1}, 1)
	for _, logits := range [][]float32{nil, {1.5, -2}} {
		want.Logits = logits
		data, err := packPart(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpackPart(data, limits); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, error %v, want %+v", got, err, want)
		}
	}
}

// TestUnfinishedPartsAreForgotten: who begins parts and does not end them fills no memory.
func TestUnfinishedPartsAreForgotten(t *testing.T) {
	l := &Learner{joined: map[string]*parcel{}}
	data := make([]byte, chunkSize)
	for n := range 3 * maxHeld / chunkSize {
		if _, whole, err := l.join(fmt.Sprint(n), "0.0", "endless", "0/2", data, 2*chunkSize); whole || err != nil {
			t.Fatalf("whole %v, error %v", whole, err)
		}
		if l.held > maxHeld || l.held != len(l.joined)*(chunkSize+parcelCost+2*chunkCost) {
			t.Fatalf("%d bytes are held in %d parts", l.held, len(l.joined))
		}
	}
	if _, whole, err := l.join("last", "0.0", "honest", "1/2", data[:5], 2*chunkSize); whole || err != nil {
		t.Fatalf("whole %v, error %v", whole, err)
	}
	all, whole, err := l.join("last", "0.0", "honest", "0/2", data, 2*chunkSize)
	if !whole || err != nil || len(all) != chunkSize+5 || l.held != len(l.joined)*(chunkSize+parcelCost+2*chunkCost) {
		t.Errorf("%d bytes, whole %v, error %v, %d held", len(all), whole, err, l.held)
	}
}

// TestSparesOutliveTheBroker: the learner is dead, and the broker comes back without anything;
// or its workers' bucket is there again, but nobody has said in it what is played.
func TestSparesOutliveTheBroker(t *testing.T) {
	f := newFleet(t, config(t))
	f.hire()
	f.updates(2, nil)
	led := make(chan *Learner)
	go func() { led <- f.lead(f.trainer) }()
	time.Sleep(patience)
	f.learner.conn.Close()
	js, err := jetstream.New(f.dial())
	if err != nil {
		t.Fatal(err)
	}
	wipe := func() {
		for name := range js.StreamNames(t.Context()).Name() {
			if err := js.DeleteStream(t.Context(), name); err != nil {
				t.Error(err)
			}
		}
	}
	wipe()
	select {
	case f.learner = <-led:
	case <-time.After(time.Minute):
		t.Fatalf("the spare waits for ever\n%s", &f.log)
	}
	f.trainer.Employ(f.learner, 0)
	f.updates(2, nil)
	wipe()
	if _, err := js.CreateKeyValue(t.Context(), f.learner.bucketConfig()); err != nil {
		t.Fatal(err)
	}
	f.updates(2, nil)
	if !slices.Equal(f.trainer.Network().Weights(), f.alone(6)) {
		t.Error("the weights differ from those of the run by itself")
	}
}
