package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
)

// runText is the run of the processes of a site: eight tasks an update.
const runText = `
game: leduc
seed: 5
updates: 40
envs: 32
steps: 32
shards: 8
workers: 1
max_decisions: 5
network: {hidden: [16]}
league: {share: 0.5, snapshot_every: 3, capacity: 3, agents: [{name: random, share: 0.5}]}
`

// site is a lab in which a fleet of processes works on a run.
type site struct {
	*lab
	dir     string
	url     string
	updates int
	program string // of the processes, this test if empty
	env     []string
	look    *machine // from which the test looks at the broker
	learner *process
	at      int // updates that the learner may make
	started []*process
}

// newSite makes a lab with a broker and a learner of a run of so many updates, for whose
// processes there are more variables.
func newSite(t *testing.T, updates int, env ...string) (s *site, broker *process) {
	t.Helper()
	s = &site{lab: newLab(t), dir: t.TempDir(), updates: updates, env: env}
	broker = s.broker(s.add(1, "", 0), t.TempDir())
	s.url = broker.url()
	s.look = s.add(2, "", 0)
	s.ready(s.url)
	s.learner = s.lead(s.add(3, "", 0))
	return s, broker
}

// broker starts a broker with the other nodes of its cluster, if there are any.
func (s *site) broker(at *machine, store string, others ...*machine) *process {
	s.t.Helper()
	r := role{Kind: "broker", Name: at.addr(), Listen: at.addr() + ":4222", Store: store}
	for _, m := range others {
		r.Routes = append(r.Routes, m.addr()+":4223")
	}
	return s.start(at, r)
}

func (p *process) url() string { return "nats://" + p.role.Listen }

// process is one of a site.
type process struct {
	t     *testing.T
	role  role
	at    *machine
	c     *exec.Cmd
	in    io.WriteCloser
	lines chan line
	said  output
	once  sync.Once
}

// output is what a process writes to standard error.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *output) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *output) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start starts a process on a machine; it ends with the test at the latest.
func (s *site) start(at *machine, r role) *process {
	s.t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		s.t.Fatal(err)
	}
	p := &process{t: s.t, role: r, at: at, c: exec.Command(cmp.Or(s.program, os.Args[0])), lines: make(chan line, 1000)}
	p.c.Env = append(append(os.Environ(), roleOf+"="+string(text), "GOMAXPROCS=1"), s.env...)
	p.c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.c.Stderr = &p.said
	out, err := p.c.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if p.in, err = p.c.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := at.inside(p.c.Start); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for from := json.NewDecoder(out); ; {
			var l line
			if from.Decode(&l) != nil {
				return
			}
			p.lines <- l
		}
	}()
	s.t.Cleanup(p.kill)
	s.started = append(s.started, p)
	return p
}

// said is what all processes have said, for a look at a fault.
func (s *site) said() string {
	var b strings.Builder
	for _, p := range s.started {
		fmt.Fprintf(&b, "%s on %s:\n%s", p.role.Kind, p.at.addr(), &p.said)
	}
	return b.String()
}

// kill ends the process, who is not asked, and waits until it is gone.
func (p *process) kill() {
	p.once.Do(func() {
		_ = p.c.Process.Kill() // or it has ended by itself
		_ = p.c.Wait()
	})
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.c.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// again starts a process anew that was killed.
func (s *site) again(p *process) *process {
	p.kill()
	return s.start(p.at, p.role)
}

func (s *site) lead(at *machine) *process {
	return s.start(at, role{Kind: "learner", URL: s.url, Config: runText, Dir: s.dir, Updates: s.updates, Replicas: 1 + strings.Count(s.url, ",")})
}

func (s *site) worker(at *machine) *process { return s.start(at, role{Kind: "worker", URL: s.url}) }

// to lets the learner make updates until there are n of them, and waits until it has.
func (s *site) to(n int) {
	s.t.Helper()
	s.allow(n)
	s.await(n)
}

func (s *site) allow(n int) {
	s.t.Helper()
	s.at = max(n, s.at)
	if _, err := fmt.Fprintln(s.learner.in, n); err != nil {
		s.t.Fatalf("%v\n%s", err, s.said())
	}
}

func (s *site) await(n int) (last line) {
	s.t.Helper()
	for late := time.After(patiently); ; {
		select {
		case l, there := <-s.learner.lines:
			if !there {
				s.t.Fatalf("the learner has ended\n%s", s.said())
			}
			if last = l; l.Update >= int64(n) {
				return l
			}
		case <-late:
			_ = s.learner.c.Process.Signal(syscall.SIGQUIT) // it says where it is
			time.Sleep(time.Second)
			s.t.Fatalf("update %d is not made, after %+v\n%s", n, last, s.said())
		}
	}
}

// finish makes the updates that are left, and checks the run: learned from were the tasks of
// the plan, each once, and the weights are those of the run by itself.
func (s *site) finish() Counts {
	s.t.Helper()
	s.allow(s.updates)
	last := s.await(s.updates)
	for last.Hash == "" {
		last = s.await(s.updates)
	}
	c, err := train.ParseConfig([]byte(runText))
	if err != nil {
		s.t.Fatal(err)
	}
	var plan []string
	for u := range s.updates {
		for n := range c.Shards {
			plan = append(plan, taskID(&train.Task{Update: int64(u), From: n * c.Envs / c.Shards}))
		}
	}
	slices.Sort(plan)
	slices.Sort(last.Taken)
	if !slices.Equal(last.Taken, plan) {
		s.t.Errorf("learned from were %v, the plan was %v", last.Taken, plan)
	}
	if want := hash((&fleetOf{t: s.t, config: c}).alone(s.updates)); last.Hash != want {
		s.t.Errorf("the weights are %.12s, those of the run by itself %.12s", last.Hash, want)
	}
	if s.t.Failed() {
		s.t.Log(s.said())
	}
	return last.Counts
}

// ready waits until a broker answers, and keeps streams.
func (s *site) ready(url string) {
	s.t.Helper()
	for end := time.Now().Add(patiently); ; {
		err := s.ask(url, func(ctx context.Context, js jetstream.JetStream) error {
			_, err := js.AccountInfo(ctx)
			return err
		})
		if err == nil {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("the broker does not answer: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// inside dials on the machine from which the test looks.
type inside struct{ *machine }

func (i inside) Dial(network, address string) (conn net.Conn, err error) {
	err = i.inside(func() (err error) { conn, err = net.DialTimeout(network, address, time.Second); return err })
	return conn, err
}

// ask asks a broker something.
func (s *site) ask(url string, what func(context.Context, jetstream.JetStream) error) error {
	conn, err := nats.Connect(url, nats.SetCustomDialer(inside{s.look}), nats.NoReconnect())
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Second)
	defer cancel()
	return what(ctx, js)
}

// played is how many tasks the broker has given to workers and not heard the end of.
func (s *site) played() (tasks int) {
	_ = s.ask(s.url, func(ctx context.Context, js jetstream.JetStream) error {
		queue, err := js.Consumer(ctx, names{"test"}.tasks(), workersQueue)
		if err == nil {
			tasks = queue.CachedInfo().NumAckPending
		}
		return err
	})
	return tasks
}

// catch stops a worker, the only one, with a task in its hands that it has not begun, in an
// update that the learner is waiting for.
func (s *site) catch(p *process) {
	s.t.Helper()
	s.awaitWorker(p)
	for end := time.Now().Add(patiently); time.Now().Before(end); {
		for s.played() > 0 && time.Now().Before(end) { // such as what a worker has answered and was killed
			time.Sleep(20 * time.Millisecond)
		}
		p.signal(syscall.SIGSTOP)
		s.allow(s.at + 1)
		for until := time.Now().Add(2 * heartbeat); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
			if s.played() > 0 {
				time.Sleep(50 * time.Millisecond) // until it has got through
				return
			}
		}
		p.signal(syscall.SIGCONT) // it was between two tasks
		s.await(s.at)
	}
	s.t.Fatal("no task is caught with its worker")
}

// awaitLate waits until a part has come while the learner was not waiting for any.
func (s *site) awaitLate() {
	s.t.Helper()
	for end := time.Now().Add(patiently); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		late := false
		_ = s.ask(s.url, func(ctx context.Context, js jetstream.JetStream) error {
			parts, err := js.Stream(ctx, names{"test"}.parts())
			late = err == nil && parts.CachedInfo().State.Msgs > 0
			return err
		})
		if late {
			return
		}
	}
	s.t.Fatalf("no part comes late\n%s", s.said())
}

// awaitWorker waits until a worker plays for the run.
func (s *site) awaitWorker(p *process) {
	s.t.Helper()
	awaitSaid(s.t, p, "playing for run")
	time.Sleep(heartbeat / 5) // until it has asked for a task
}

// awaitSaid waits until a process has said something.
func awaitSaid(t *testing.T, p *process, what string) {
	t.Helper()
	for end := time.Now().Add(patiently); !strings.Contains(p.said.String(), what); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not say %q but\n%s", p.role.Kind, what, &p.said)
		}
	}
}
