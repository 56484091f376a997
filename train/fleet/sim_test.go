package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats-server/v2/server/ats"
	"github.com/nats-io/nats.go"

	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/train"
)

// seedVariable names one schedule of TestSimulatedFaults to be played again.
const seedVariable = "POWDERKEG_FLEET_SEED"

// inBubbles is set in the process that plays the schedules.
const inBubbles = "POWDERKEG_FLEET_BUBBLES"

// TestSimulatedFaults: whatever happens to the broker, to learners, spares, workers and to the
// links between them, the run ends, with the weights of a run in one process. A seed says what
// happens when, and POWDERKEG_FLEET_SEED=17 replays that of seed 17. All of it happens in
// simulated time, in which a busy machine is no slower than an idle one. (Goroutines that run at
// the same moment do so in any order, so that two replays may differ.)
func TestSimulatedFaults(t *testing.T) {
	first, seeds := seedsOf(t, min(soak.Times(30), 1000))
	if os.Getenv(inBubbles) == "" {
		// Libraries keep timers for later, which may not get from a bubble to a connection of
		// another test: bubbles have a process of their own.
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSimulatedFaults$", "-test.timeout=0", "-test.v")
		c.Env = append(os.Environ(), inBubbles+"=1")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if played := bytes.Count(out, []byte("--- PASS: TestSimulatedFaults/seed=")); played != seeds {
			t.Errorf("%d schedules were played of %d", played, seeds)
		}
		return
	}
	defer func(h, p, b, o time.Duration) { heartbeat, patience, pulse, overdue = h, p, b, o }(heartbeat, patience, pulse, overdue)
	heartbeat, patience, pulse, overdue = realHeartbeat, realPatience, realPulse, realOverdue
	// What is made once for a process must not be made in a bubble.
	if data, err := pack("warm"); err != nil || unpack(data, new(string), resultBounds) != nil {
		t.Fatal(err)
	}
	ats.Register()
	defer ats.Unregister()
	want := make([]string, len(simConfigs))
	for i, text := range simConfigs {
		c, err := train.ParseConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want[i] = hash((&fleetOf{t: t, config: c}).alone(c.Updates))
	}
	for seed := first; seed < first+seeds && !t.Failed(); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			stuck := time.AfterFunc(5*time.Minute, func() {
				b := make([]byte, 1<<22)
				panic(fmt.Sprintf("%s=%d stands still\n%s", seedVariable, seed, b[:runtime.Stack(b, true)]))
			})
			defer stuck.Stop()
			for range 2 { // pools of the process lose what another bubble has left there
				runtime.GC()
			}
			which := seed % len(simConfigs)
			synctest.Test(t, func(t *testing.T) {
				store := filepath.Join(t.TempDir(), "store")
				simulate(t, uint64(seed), simConfigs[which], want[which], func() *server.Options { return &server.Options{DontListen: true, StoreDir: store} })
			})
		})
	}
}

// simConfigs are runs that take milliseconds of processor time.
var simConfigs = []string{`
game: kuhn
seed: 5
updates: 8
envs: 6
steps: 6
shards: 3
workers: 1
network: {hidden: [4]}
league: {share: 0.5, snapshot_every: 2, capacity: 2}
`, `
game: tictactoe
seed: 6
updates: 7
envs: 4
steps: 8
shards: 2
workers: 1
lag: 1
network: {hidden: [4]}
`}

// sim is a fleet in a bubble.
type sim struct {
	*simNet
	log
	seed   uint64
	rng    *rand.Rand
	config train.Config
	text   string
	dir    string // for what is quarantined

	disk struct { // the run's directory, which all learners see
		sync.Mutex
		last *checkpoints.Checkpoint
	}
	ended chan string // hashes, by learners that have come to the end
}

// simulate plays a schedule.
func simulate(t *testing.T, seed uint64, text, want string, brokers ...func() *server.Options) {
	s := &sim{seed: seed, rng: rand.New(rand.NewPCG(seed, 0)), text: text, dir: t.TempDir(), ended: make(chan string, 100)}
	var mu sync.Mutex
	lag := rand.New(rand.NewPCG(seed, 1))
	s.simNet = &simNet{t: t, options: brokers, brokers: make([]*server.Server, len(brokers)), links: map[*simLink]bool{}, delay: func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(lag.Int64N(int64(heartbeat / 100)))
	}}
	var err error
	if s.config, err = train.ParseConfig([]byte(text)); err != nil {
		t.Fatal(err)
	}
	s.startAll(0, len(brokers))
	learners := []*simProcess{s.begin("learner", s.learn)}
	if s.rng.IntN(4) > 0 {
		learners = append(learners, s.begin("spare", s.learn))
	}
	var workers []*simProcess
	for n := range 1 + s.rng.IntN(2) {
		workers = append(workers, s.begin(fmt.Sprintf("worker %d", n), s.work))
	}
	s.disturb(learners, workers)
	late := time.After(max(40*patience, 2*patiently)) // a few are enough for a run, with all that is restarted
	for _, p := range learners {
		select {
		case <-p.done:
		case <-late:
			t.Errorf("%s=%d: the %s does not come to an end", seedVariable, seed, p.name)
		}
	}
	for _, p := range slices.Concat(learners, workers) {
		s.kill(p)
		<-p.done
	}
	s.each(func(n int) { s.stop(n, false) })
	s.group.Wait()
	close(s.ended)
	if len(s.ended) == 0 {
		t.Errorf("%s=%d: the run does not end", seedVariable, seed)
	}
	for got := range s.ended {
		if got != want {
			t.Errorf("%s=%d: the weights are %.12s, those of the run by itself %.12s", seedVariable, seed, got, want)
		}
	}
	if t.Failed() {
		t.Log(s.log.String())
	}
}

// each calls f for every broker.
func (s *sim) each(f func(n int)) {
	for n := range s.brokers {
		f(n)
	}
}

// startAll starts brokers at once: one of a cluster that is alone is not ready.
func (s *sim) startAll(from, to int) {
	var group sync.WaitGroup
	for n := from; n < to; n++ {
		group.Go(func() { s.start(n) })
	}
	group.Wait()
}

// say notes something with the simulated time.
func (s *sim) say(who string) func(format string, args ...any) {
	return func(format string, args ...any) {
		s.tell("%s %s: %s", time.Now().Format("04:05.000"), who, fmt.Sprintf(format, args...))
	}
}

// simProcess is a learner or a worker, which is started again when it ends with an error or is
// killed, as whatever runs such processes does.
type simProcess struct {
	name string
	done chan struct{} // closed when it is not started any more

	mu     sync.Mutex
	life   *life // of the process that runs
	buried bool  // it is not started any more
	pause  time.Duration
}

// life is one process, from its start to its end.
type life struct {
	ctx   context.Context
	end   context.CancelFunc // as a kill does
	ask   context.CancelFunc // as SIGTERM does
	leave context.Context
	port  *port
}

// begin starts a process whose program is run.
func (s *sim) begin(name string, run func(*life, func(string, ...any)) error) *simProcess {
	p, born := &simProcess{name: name, done: make(chan struct{}), pause: heartbeat / 3}, make(chan bool)
	bear := sync.OnceFunc(func() { close(born) })
	go func() {
		defer close(p.done)
		for {
			l := &life{port: &port{net: s.simNet}}
			l.ctx, l.end = context.WithCancel(context.Background())
			l.leave, l.ask = context.WithCancel(l.ctx)
			p.mu.Lock()
			if p.buried {
				p.mu.Unlock()
				l.end()
				return
			}
			p.life = l
			p.mu.Unlock()
			bear()
			err := run(l, s.say(name))
			s.unplug(l.port)
			l.end()
			if err == nil {
				return
			}
			s.say(name)("ends: %v", err)
			if errors.Is(err, ErrBanned) || errors.Is(err, ErrVersion) {
				s.t.Errorf("%s=%d: %s ends with %v", seedVariable, s.seed, name, err)
				return
			}
			p.mu.Lock()
			wait := p.pause
			p.mu.Unlock()
			time.Sleep(wait)
		}
	}()
	<-born
	return p
}

// kill ends the process that runs. It is started again after a while.
func (p *simProcess) kill(n *simNet, after time.Duration) {
	p.mu.Lock()
	p.pause = after
	l := p.life
	p.mu.Unlock()
	n.unplug(l.port)
	l.end()
}

// kill ends a process for good.
func (s *sim) kill(p *simProcess) {
	p.mu.Lock()
	p.buried = true
	p.mu.Unlock()
	p.kill(s.simNet, 0)
}

// ask asks the process that runs to end.
func (p *simProcess) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.life.ask()
}

func (p *simProcess) port() *port {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.life.port
}

func (s *sim) dial(l *life, who string, tell func(string, ...any)) (*nats.Conn, error) {
	return dial("nats://simulated", who, Access{}, tell, nats.InProcessServer(l.port))
}

// learn is the program of a learner, which goes on from what is on the disk.
func (s *sim) learn(l *life, tell func(string, ...any)) error {
	conn, err := s.dial(l, "learner", tell)
	if err != nil {
		return err
	}
	defer conn.Close()
	identity, err := train.IdentityOf(s.config)
	if err != nil {
		return err
	}
	led, err := Lead(l.leave, conn, Options{
		Run: "test", Replicas: len(s.brokers), Sample: 0.25, Quarantine: s.dir, Tell: tell,
		Announcement: Announcement{Format: Format, Identity: identity, Config: s.text},
	})
	if err != nil {
		return err
	}
	err = s.update(l, led, tell)
	if l.ctx.Err() == nil { // who is killed says nothing
		if closed := led.Close(err == nil); closed != nil {
			tell("what is on the broker stays: %v", closed)
		}
	}
	led.cancel(nil)
	led.group.Wait()
	return err
}

// update makes the updates that are left.
func (s *sim) update(l *life, led *Learner, tell func(string, ...any)) error {
	s.disk.Lock()
	last := s.disk.last
	s.disk.Unlock()
	var trainer *train.Trainer
	var err error
	if last == nil {
		trainer, err = train.NewTrainer(s.config)
	} else {
		trainer, err = train.ResumeTrainer(s.config, last)
	}
	if err != nil {
		return err
	}
	defer trainer.Close()
	tell("leads from update %d", trainer.Updates())
	trainer.Employ(led, 0)
	for trainer.Updates() < int64(s.config.Updates) {
		if _, err := trainer.Update(); err != nil {
			return err
		}
		c, err := trainer.Checkpoint()
		if err != nil {
			return err
		}
		s.disk.Lock()
		dead := l.ctx.Err() != nil
		if !dead {
			s.disk.last = c
		}
		s.disk.Unlock()
		if dead {
			return l.ctx.Err()
		}
		tell("has made update %d", trainer.Updates())
		pause(l.leave, time.Duration(trainer.Updates()%3)*heartbeat/3) // it learns
	}
	s.ended <- hash(trainer.Network().Weights())
	return nil
}

// work is the program of a worker.
func (s *sim) work(l *life, tell func(string, ...any)) error {
	conn, err := s.dial(l, "worker", tell)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := Serve(l.leave, conn, Service{Processors: 1, Tell: tell}); err != nil {
		return err
	}
	return errors.New("dismissed")
}

// TestThreeBrokersUnderASchedule is TestSimulatedFaults with a cluster of three, of which one is
// killed, or wiped, or all are. Its brokers talk to each other by sockets, and so it takes real
// time: some seconds for each time that they agree on a leader.
func TestThreeBrokersUnderASchedule(t *testing.T) {
	first, seeds := seedsOf(t, min(soak.Times(1), 50))
	c, err := train.ParseConfig([]byte(simConfigs[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := hash((&fleetOf{t: t, config: c}).alone(c.Updates))
	for seed := first; seed < first+seeds && !t.Failed(); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			routes, ports := freePorts(t, 3)
			var brokers []func() *server.Options
			for i, port := range ports {
				store := t.TempDir()
				brokers = append(brokers, func() *server.Options {
					return &server.Options{
						ServerName: fmt.Sprintf("broker%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, StoreDir: store,
						Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: routes,
					}
				})
			}
			simulate(t, uint64(seed), simConfigs[0], want, brokers...)
		})
	}
}

// seedsOf are the schedules to be played: one that the environment names, or so many.
func seedsOf(t *testing.T, many int) (first, seeds int) {
	t.Helper()
	text := os.Getenv(seedVariable)
	if text == "" {
		return 1, many
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is %q, it must be a number", seedVariable, text)
	}
	return n, 1
}
