package fleet

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// disturb does what the schedule says, and leaves everything in order, but for a learner that
// is dead for good where another is left.
func (s *sim) disturb(learners, workers []*simProcess) {
	f := &fate{sim: s, learners: learners, all: slices.Concat(learners, workers), tell: s.say("fate"), broker: make(chan bool, 1)}
	for range 2 + s.rng.IntN(6) {
		time.Sleep(f.span(2 * patience))
		f.strike()
	}
	f.over.Wait()
}

// fate is what happens to a fleet.
type fate struct {
	*sim
	learners, all []*simProcess
	tell          func(string, ...any)
	over          sync.WaitGroup
	// broker has room for one: one thing at a time happens to brokers. (Who waits for a mutex
	// would hold up the simulated time.)
	broker chan bool
	buried bool
}

func (f *fate) span(most time.Duration) time.Duration {
	return time.Duration(f.rng.Int64N(int64(most)))
}

// later calls undo after some time.
func (f *fate) later(after time.Duration, undo func()) {
	f.over.Go(func() {
		time.Sleep(after)
		undo()
	})
}

// strike lets one thing happen.
func (f *fate) strike() {
	p, long, wipe := f.all[f.rng.IntN(len(f.all))], f.span(4*patience), f.rng.IntN(2) == 0
	switch f.rng.IntN(8) {
	case 0, 1:
		f.outage(long, wipe)
	case 2:
		f.bury(wipe)
	case 3:
		f.tell("the %s is killed for %v", p.name, long)
		p.kill(f.simNet, long)
	case 4:
		f.tell("the %s is stopped for %v", p.name, long)
		at := p.port()
		f.freeze(true, at)
		f.later(long, func() { f.freeze(false, at) })
	case 5:
		f.split(long)
	case 6:
		f.tell("the %s is asked to stop", p.name)
		p.ask()
	case 7:
		f.forget(f.tell)
	}
}

// outage is that of all brokers, or of one of several.
func (f *fate) outage(long time.Duration, wipe bool) {
	from, to := 0, len(f.brokers)
	if to > 1 && f.rng.IntN(3) > 0 {
		from = f.rng.IntN(to)
		to = from + 1
	}
	f.tell("brokers %d to %d are killed for %v, wiped: %v", from, to-1, long, wipe)
	f.over.Go(func() {
		f.broker <- true
		defer func() { <-f.broker }()
		for n := from; n < to; n++ {
			f.stop(n, wipe)
		}
		time.Sleep(long)
		f.startAll(from, to)
	})
}

// bury lets one of two learners die for good, with the brokers' stores or without them.
func (f *fate) bury(wipe bool) {
	if f.buried || len(f.learners) == 1 {
		return
	}
	f.buried = true
	dead := f.learners[f.rng.IntN(2)]
	f.tell("the %s dies, the brokers are wiped: %v", dead.name, wipe)
	f.sim.kill(dead)
	if wipe {
		f.over.Go(func() {
			f.broker <- true
			defer func() { <-f.broker }()
			f.each(func(n int) { f.stop(n, true) })
			f.startAll(0, len(f.brokers))
		})
	}
}

// split cuts some processes off.
func (f *fate) split(long time.Duration) {
	var ports []*port
	var cut []string
	for _, p := range f.all {
		if f.rng.IntN(2) == 0 {
			ports, cut = append(ports, p.port()), append(cut, p.name)
		}
	}
	f.tell("cut off for %v: %s", long, strings.Join(cut, ", "))
	f.freeze(true, ports...)
	f.later(long, func() { f.freeze(false, ports...) })
}

// forget takes some of what the run has from the broker.
func (s *sim) forget(told func(string, ...any)) {
	var lost []int
	for i := range 7 {
		if s.rng.IntN(3) == 0 {
			lost = append(lost, i)
		}
	}
	told("the broker loses %v", lost)
	conn, err := nats.Connect("nats://simulated", nats.InProcessServer(&port{net: s.simNet}), nats.NoReconnect())
	if err != nil {
		return // it is down
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	n := names{"test"}
	for _, i := range lost {
		_ = []func() error{ // or it is not there
			func() error { return js.DeleteConsumer(ctx, n.tasks(), workersQueue) },
			func() error { return js.DeleteConsumer(ctx, n.parts(), learnerQueue) },
			func() error { return js.DeleteStream(ctx, n.tasks()) },
			func() error { return js.DeleteStream(ctx, n.parts()) },
			func() error { return js.DeleteStream(ctx, n.weights()) },
			func() error { return js.DeleteStream(ctx, n.workers()) },
			func() error { return js.DeleteKeyValue(ctx, n.bucket()) },
		}[i]()
	}
}
