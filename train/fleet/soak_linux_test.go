package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/engine/enginetest/soak"
)

// long skips a test that takes long.
func long(t *testing.T) {
	t.Helper()
	if !soak.On() {
		t.Skip("takes minutes: POWDERKEG_SOAK=1")
	}
}

// TestWorkersAreLostInRealTime says for how long a join and a loss are felt in use. That late
// parts come, and change nothing, is left to the test with shorter times: here the worker has
// asked for a task longer ago than its client waits for an answer (the heartbeat and a second)
// when it is heard of again, and the client throws the task away.
func TestWorkersAreLostInRealTime(t *testing.T) {
	long(t)
	workersAreLost(t, overdue*4, realTimes+"=1")
}

// TestThreeBrokersAreKilledAndSplit: with a broker on each of three machines the leader of the
// queue of tasks is killed, and started again; then it is cut off from the others with a
// worker, and joined again; then with the learner, which can do nothing meanwhile.
func TestThreeBrokersAreKilledAndSplit(t *testing.T) {
	long(t)
	s := &site{lab: newLab(t), dir: t.TempDir(), updates: 16}
	s.look = s.add(2, "", 0)
	nodes := []*machine{s.add(1, "", 0), s.add(11, "", 0), s.add(12, "", 0)}
	brokers := map[string]*process{}
	var urls []string
	for _, m := range nodes {
		brokers[m.addr()] = s.broker(m, t.TempDir(), nodes...)
		urls = append(urls, brokers[m.addr()].url())
	}
	s.url = strings.Join(urls, ",")
	s.ready(s.url)
	s.learner = s.lead(s.add(3, "", 0))
	first, second := s.add(4, "", 0), s.add(5, "", 0)
	s.worker(first)
	s.worker(second)
	s.to(2)
	step := func(what string, lose func(leader *process)) {
		leader := brokers[s.leader()]
		s.allow(s.at + 3)
		begin := time.Now()
		lose(leader)
		s.await(s.at)
		t.Logf("%s: three updates in %v", what, time.Since(begin).Round(time.Millisecond))
	}
	step("leader killed", (*process).kill)
	for addr, p := range brokers {
		if p.c.ProcessState != nil {
			brokers[addr] = s.again(p)
		}
	}
	step("split, a worker with the minority", func(p *process) { s.cut(true, p.at, first) })
	s.heal()
	s.to(s.at + 1)
	leader := brokers[s.leader()]
	s.cut(true, leader.at, s.learner.at)
	s.allow(s.at + 2)
	time.Sleep(12 * time.Second)
	if n := len(s.learner.lines); n > 0 {
		t.Errorf("%d updates are made with the minority", n)
	}
	begin := time.Now()
	s.heal()
	s.await(s.at)
	t.Logf("split, the learner with the minority: two updates %v after it is healed", time.Since(begin).Round(time.Millisecond))
	if c := s.finish(); c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// leader waits until all three brokers have the queue of tasks, and returns the address of
// that which leads it.
func (s *site) leader() (addr string) {
	s.t.Helper()
	for end := time.Now().Add(patiently); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_ = s.ask(s.url, func(ctx context.Context, js jetstream.JetStream) error {
			stream, err := js.Stream(ctx, names{"test"}.tasks())
			if err != nil {
				return err
			}
			c := stream.CachedInfo().Cluster
			current := 0
			for _, r := range c.Replicas {
				if r.Current && !r.Offline {
					current++
				}
			}
			if current == 2 {
				addr = c.Leader
			}
			return nil
		})
		if addr != "" {
			return addr
		}
	}
	s.t.Fatalf("no broker leads the queue\n%s", s.said())
	return ""
}

// TestDisksAreFull: the broker has no room for the lease; the learner waits, and goes on when
// somebody has made room and restarted the broker, which turns its JetStream off.
func TestDisksAreFull(t *testing.T) {
	long(t)
	s := &site{lab: newLab(t), dir: t.TempDir(), updates: 10}
	disk := t.TempDir()
	at := s.add(1, disk, 4<<20)
	broker := s.broker(at, filepath.Join(disk, "store"))
	s.url = broker.url()
	s.look = s.add(2, "", 0)
	s.ready(s.url)
	s.learner = s.lead(s.add(3, "", 0))
	s.worker(s.add(4, "", 0))
	s.to(3)
	filler := filepath.Join(disk, "filler")
	if err := at.inside(func() error { return os.WriteFile(filler, make([]byte, 5<<20), 0o666) }); err == nil {
		t.Fatal("the disk is not full")
	}
	for end := time.Now().Add(patiently); ; time.Sleep(100 * time.Millisecond) {
		err := s.ask(s.url, func(ctx context.Context, js jetstream.JetStream) error {
			bucket, err := js.KeyValue(ctx, names{"test"}.bucket())
			if err == nil {
				_, err = bucket.Put(ctx, "probe", make([]byte, 4<<10))
			}
			return err
		})
		if err != nil {
			t.Logf("the full broker says: %v", err)
			break
		}
		if time.Now().After(end) {
			t.Fatal("the broker has still room")
		}
	}
	s.allow(s.at + 2)
	time.Sleep(2 * patience)
	if err := at.inside(func() error { return os.Remove(filler) }); err != nil {
		t.Fatal(err)
	}
	s.again(broker)
	s.await(s.at)
	if c := s.finish(); c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// TestFloodsAreHeldBack: a worker sends parts that nobody waits for, to a learner that is
// stopped. The broker takes as many as it may hold, and the learner throws them away.
func TestFloodsAreHeldBack(t *testing.T) {
	long(t)
	s, broker := newSite(t, 6)
	s.worker(s.add(4, "", 0))
	s.to(2)
	s.learner.signal(syscall.SIGSTOP)
	flood := s.start(s.add(5, "", 0), role{Kind: "flood", URL: s.url})
	awaitSaid(t, flood, "maximum bytes exceeded")
	s.learner.signal(syscall.SIGCONT)
	s.to(s.updates - 1)
	for p, bound := range map[*process]int{broker: 3 * maxHeld, s.learner: maxHeld} {
		peak := p.peak()
		t.Logf("%s took %d MB", p.role.Kind, peak>>20)
		if peak > bound {
			t.Errorf("%s took %d MB, more than %d", p.role.Kind, peak>>20, bound>>20)
		}
	}
	if c := s.finish(); c.Refused+c.Quarantined != 0 || c.Duplicates < maxHeld/chunkSize/2 {
		t.Errorf("the counts are %+v", c)
	}
}

// peak is the most memory that the process has had, in bytes.
func (p *process) peak() (bytes int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.c.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscanf(after, "%d kB", &bytes); err != nil {
		p.t.Fatal(err)
	}
	return bytes << 10
}
