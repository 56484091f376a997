package fleet

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// TestWorkersAreLost: of the only worker, who has a task, nothing is heard any more; another
// one comes and plays all of it, also what the first one had. When that one is heard of again
// its part is late, and changes nothing.
func TestWorkersAreLost(t *testing.T) {
	t.Parallel()
	workersAreLost(t, overdue)
}

func workersAreLost(t *testing.T, silence time.Duration, env ...string) {
	s, _ := newSite(t, 10, env...)
	first, second := s.add(4, "", 0), s.add(5, "", 0)
	s.allow(1)
	awaitSaid(t, s.learner, "leads")
	begin := time.Now()
	joined := s.worker(first)
	s.await(1)
	t.Logf("joined: an update is made %v after the first worker was started", time.Since(begin).Round(time.Millisecond))
	joined.kill()
	for _, fault := range []struct {
		name        string
		lose, found func(*process)
	}{
		{"killed", (*process).kill, nil},
		{"stopped", nil, func(p *process) { p.signal(syscall.SIGCONT) }},
		{"cut off", func(p *process) { s.cut(true, first); p.signal(syscall.SIGCONT) }, func(*process) { s.cut(false, first) }},
	} {
		lost := s.worker(first)
		s.catch(lost)
		begin := time.Now()
		if fault.lose != nil {
			fault.lose(lost)
		}
		other := s.worker(second)
		s.await(s.at)
		t.Logf("%s: felt for %v, where %v of silence mean that a worker is lost", fault.name, time.Since(begin).Round(time.Millisecond), silence)
		if fault.found != nil {
			fault.found(lost)
			if len(env) == 0 {
				s.awaitLate()
			}
		}
		s.to(s.at + 1)
		lost.kill()
		other.kill()
	}
	s.worker(first)
	if c := s.finish(); c.Redelivered+c.HandedAgain < 3 || c.Duplicates < 2 && len(env) == 0 || c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// TestBrokersAreKilled: in the middle of an update, and are back soon, after more than the
// learner's patience, or without anything that they kept.
func TestBrokersAreKilled(t *testing.T) {
	t.Parallel()
	s, broker := newSite(t, 6)
	worker := s.worker(s.add(4, "", 0))
	for _, fault := range []struct {
		name   string
		away   time.Duration
		forget bool
	}{{"soon", 0, false}, {"late, empty", 2 * patience, true}} {
		s.catch(worker)
		begin := time.Now()
		broker.kill()
		time.Sleep(fault.away)
		if fault.forget {
			if err := os.RemoveAll(broker.role.Store); err != nil {
				t.Fatal(err)
			}
		}
		broker = s.again(broker)
		worker.signal(syscall.SIGCONT)
		s.await(s.at)
		t.Logf("back %s: felt for %v", fault.name, time.Since(begin).Round(time.Millisecond))
		s.to(s.at + 1)
	}
	if c := s.finish(); c.HandedAgain == 0 || c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// TestLearnersAreLost: in the middle of an update; a spare on another machine, which sees the
// same directory, takes over from one that is cut off, who may not go on when it is back; and
// one that is killed is followed by the same command.
func TestLearnersAreLost(t *testing.T) {
	t.Parallel()
	s, _ := newSite(t, 8)
	worker := s.worker(s.add(4, "", 0))
	s.to(2)
	s.catch(worker)
	first := s.learner
	s.cut(true, first.at)
	s.learner = s.lead(s.add(5, "", 0))
	worker.signal(syscall.SIGCONT)
	s.to(s.at)
	s.cut(false, first.at)
	awaitSaid(t, first, ErrLease.Error())
	s.to(s.at + 1)
	s.catch(worker)
	s.learner = s.again(s.learner)
	worker.signal(syscall.SIGCONT)
	s.to(s.at)
	if c := s.finish(); c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// TestLinksAreBad: of two workers one has a link that loses packets, delays them and becomes
// half as wide during the run.
func TestLinksAreBad(t *testing.T) {
	t.Parallel()
	s, _ := newSite(t, 6)
	near, far := s.add(4, "", 0), s.add(5, "", 0)
	for _, m := range s.all() {
		if m != far {
			s.set(m, far, func(k *link) { k.loss, k.delay, k.rate = 0.02, 50*time.Millisecond, 64_000 })
		}
	}
	s.awaitWorker(s.worker(far))
	s.to(1) // played by it alone
	s.worker(near)
	s.to(4)
	for _, m := range s.all() {
		if m != far {
			s.set(m, far, func(k *link) { k.rate /= 2 })
		}
	}
	if c := s.finish(); c.Refused+c.Quarantined != 0 {
		t.Errorf("the counts are %+v", c)
	}
}

// TestLiarsAreBanned: a worker that takes its share of the tasks and answers with the parts of
// others, rubbish, and parts with a false move or end, changes nothing.
func TestLiarsAreBanned(t *testing.T) {
	t.Parallel()
	s, _ := newSite(t, 8)
	liar := s.start(s.add(4, "", 0), role{Kind: "liar", URL: s.url})
	s.allow(1)
	awaitSaid(t, s.learner, "worker liar is banned")
	s.worker(s.add(5, "", 0))
	s.await(1)
	liar.kill()
	if c := s.finish(); c.Refused < maxRefused {
		t.Errorf("the counts are %+v", c)
	}
}
