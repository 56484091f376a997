package fleet

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"powderkeg/engine/enginetest/soak"
	"powderkeg/train"
)

// TestFleetsAreLostBySchedule is TestSimulatedFaults with processes on machines of their own:
// brokers (one, or three), learners and workers are killed, stopped, cut off and wiped, and links
// lose packets, all as a seed says; the run ends with the weights of the run by itself.
// POWDERKEG_FLEET_SEED=17 plays the schedule of seed 17 again.
func TestFleetsAreLostBySchedule(t *testing.T) {
	long(t)
	first, seeds := seedsOf(t, min(soak.Times(4), 200))
	for seed := first; seed < first+seeds && !t.Failed(); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { playSchedule(t, uint64(seed)) })
	}
}

// schedule is what happens to a site.
type schedule struct {
	*site
	seed     uint64
	rng      *rand.Rand
	begin    time.Time
	brokers  []*process
	learners []*process
	workers  []*process
	due      []event
	down     bool // a broker is away
	told     []string
}

// event is something that happens at a moment.
type event struct {
	at time.Duration
	do func()
}

func playSchedule(t *testing.T, seed uint64) {
	s := &schedule{seed: seed, rng: rand.New(rand.NewPCG(seed, 2)), begin: time.Now()}
	s.site = &site{lab: newLab(t), dir: t.TempDir(), updates: 24}
	s.look = s.add(2, "", 0)
	var nodes []*machine
	for n := range 1 + 2*s.rng.IntN(2) {
		nodes = append(nodes, s.add(byte(11+n), "", 0))
	}
	var urls []string
	for _, m := range nodes {
		var others []*machine
		if len(nodes) > 1 {
			others = nodes
		}
		b := s.broker(m, t.TempDir(), others...)
		s.brokers, urls = append(s.brokers, b), append(urls, b.url())
	}
	s.url = strings.Join(urls, ",")
	s.ready(s.url)
	for n := range 1 + s.rng.IntN(2) {
		s.learners = append(s.learners, s.lead(s.add(byte(21+n), "", 0)))
	}
	for n := range 1 + s.rng.IntN(2) {
		s.workers = append(s.workers, s.worker(s.add(byte(31+n), "", 0)))
	}
	at := time.Duration(0)
	for n := range 2 + s.rng.IntN(5) {
		s.due = append(s.due, event{at, func() { s.allowAll(3 * (n + 1)) }}, event{at + s.span(heartbeat), s.strike})
		at += s.span(3 * patience)
	}
	s.happen()
	s.allowAll(s.updates)
	s.end()
}

func (s *schedule) span(most time.Duration) time.Duration {
	return time.Duration(s.rng.Int64N(int64(most)))
}

func (s *schedule) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf("%v: ", time.Since(s.begin).Round(time.Millisecond))+fmt.Sprintf(format, args...))
}

// happen lets everything happen that is due, and what that brings with it.
func (s *schedule) happen() {
	for len(s.due) > 0 {
		slices.SortStableFunc(s.due, func(a, b event) int { return int(a.at - b.at) })
		next := s.due[0]
		s.due = s.due[1:]
		time.Sleep(next.at - time.Since(s.begin))
		next.do()
	}
}

func (s *schedule) later(after time.Duration, do func()) {
	s.due = append(s.due, event{time.Since(s.begin) + after, do})
}

// allowAll lets learners make updates until there are n.
func (s *schedule) allowAll(n int) {
	s.at = max(n, s.at)
	for _, p := range s.learners {
		_, _ = fmt.Fprintln(p.in, s.at) // one that is away is told when it is back
	}
}

// strike lets one thing happen.
func (s *schedule) strike() {
	after := s.span(4 * patience)
	switch s.rng.IntN(7) {
	case 0, 1:
		s.outage(after, s.rng.IntN(2) == 0)
	case 2:
		s.lose(s.learners, after)
	case 3:
		s.lose(s.workers, after)
	case 4:
		p := s.any(slices.Concat(s.learners, s.workers))
		s.tell("the %s on %s is stopped for %v", p.role.Kind, p.at.addr(), after)
		_ = p.c.Process.Signal(syscall.SIGSTOP) // or it is away
		s.later(after, func() { _ = p.c.Process.Signal(syscall.SIGCONT) })
	case 5:
		s.split(after)
	case 6:
		s.disturbLinks(after)
	}
}

func (s *schedule) any(list []*process) *process { return list[s.rng.IntN(len(list))] }

// outage is that of all brokers, or of one of several; one at a time.
func (s *schedule) outage(long time.Duration, wipe bool) {
	if s.down {
		return
	}
	s.down = true
	from, to := 0, len(s.brokers)
	if to > 1 && s.rng.IntN(3) > 0 {
		from = s.rng.IntN(to)
		to = from + 1
	}
	s.tell("brokers %d to %d are killed for %v, wiped: %v", from, to-1, long, wipe)
	for _, b := range s.brokers[from:to] {
		b.kill()
		if wipe {
			if err := os.RemoveAll(b.role.Store); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	s.later(long, func() {
		for n := from; n < to; n++ {
			s.brokers[n] = s.again(s.brokers[n])
		}
		s.down = false
	})
}

// lose kills one of some processes, which is started again.
func (s *schedule) lose(list []*process, long time.Duration) {
	n := s.rng.IntN(len(list))
	s.tell("the %s on %s is killed for %v", list[n].role.Kind, list[n].at.addr(), long)
	list[n].kill()
	s.later(long, func() { s.back(list, n) })
}

// back starts a process again.
func (s *schedule) back(list []*process, n int) {
	list[n] = s.again(list[n])
	if list[n].role.Kind == "learner" {
		_, _ = fmt.Fprintln(list[n].in, s.at) // or it ends at once, and is seen to
	}
}

// split cuts some machines off from the others, but not from each other.
func (s *schedule) split(long time.Duration) {
	var list []*machine
	var cut []string
	for _, p := range slices.Concat(s.brokers[1:], s.learners, s.workers) {
		if s.rng.IntN(2) == 0 {
			list, cut = append(list, p.at), append(cut, p.at.addr())
		}
	}
	s.tell("cut off for %v: %s", long, strings.Join(cut, ", "))
	s.cut(true, list...)
	s.later(long, s.heal)
}

// disturbLinks makes the links of one machine bad.
func (s *schedule) disturbLinks(long time.Duration) {
	at := s.any(slices.Concat(s.learners, s.workers)).at
	s.tell("the links of %s are bad for %v", at.addr(), long)
	to := func(loss float64, delay time.Duration) {
		for _, m := range s.all() {
			if m != at {
				s.set(m, at, func(k *link) { k.loss, k.delay = loss, delay })
			}
		}
	}
	to(0.03, 20*time.Millisecond)
	s.later(long, func() { to(0, 0) })
}

// heard returns the hash of the run from a learner that has come to the end. A process that has
// ended by itself, since it has lost the run or found no broker, is started again, as whoever keeps
// processes alive does.
func (s *schedule) heard(list []*process, n int) (hash string) {
	select {
	case l, there := <-list[n].lines:
		if !there {
			s.tell("the %s on %s has ended by itself", list[n].role.Kind, list[n].at.addr())
			s.back(list, n)
		}
		return l.Hash
	default:
		return ""
	}
}

// end waits until a learner has come to the end, and compares what has come of it.
func (s *schedule) end() {
	want := ""
	for late := time.Now().Add(2 * patiently); want == "" && time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
		for _, list := range [][]*process{s.learners, s.workers} {
			for n := range list {
				if hash := s.heard(list, n); hash != "" {
					want = hash
				}
			}
		}
	}
	c, err := train.ParseConfig([]byte(runText))
	if err != nil {
		s.t.Fatal(err)
	}
	if alone := hash((&fleetOf{t: s.t, config: c}).alone(s.updates)); want != alone {
		s.t.Errorf("%s=%d: the weights are %.12q, those of the run by itself %.12s\n%s\n%s",
			seedVariable, s.seed, want, alone, strings.Join(s.told, "\n"), s.said())
	}
}
