package nn

import (
	"runtime"
	"sync/atomic"
	"time"
)

// round is one call of inTurn: parts, of which whoever comes takes the next.
type round struct {
	f       func(part int)
	parts   int64
	taken   atomic.Int64
	undone  atomic.Int64
	waiting atomic.Bool // the caller sleeps until done is filled
	done    chan struct{}
}

// open reports whether a part is still to be taken.
func (r *round) open() bool { return r.taken.Load() < r.parts }

// work does parts until all are taken.
func (r *round) work() {
	for part := r.taken.Add(1) - 1; part < r.parts; part = r.taken.Add(1) - 1 {
		r.f(int(part))
		if r.undone.Add(-1) == 0 && r.waiting.Load() {
			r.done <- struct{}{}
		}
	}
}

// wait returns when all parts are done.
func (r *round) wait() {
	over := func() bool { return r.undone.Load() == 0 }
	if soon(over) {
		return
	}
	r.done = make(chan struct{}, 1)
	r.waiting.Store(true)
	if !over() {
		<-r.done
	}
}

// crew are goroutines that help with rounds. A learning step has dozens of rounds of a few hundred microseconds,
// and to wake a processor that sleeps takes tens of them: so a helper without work looks out for more for a
// while before it sleeps, and so does a caller who waits for helpers. A third of two processors was idle
// when goroutines were begun anew for each round.
type crew struct {
	offered atomic.Pointer[round] // the latest; of two callers at a time the earlier may have to do its parts alone
	begun   atomic.Int64          // helpers, which never end
	asleep  atomic.Int64          // of them, less those to whom a token in wake is due
	wake    chan struct{}
}

const (
	// lookout is for how long one looks out before sleeping.
	lookout = 200 * time.Microsecond
	// mostHelpers are more than there are processors.
	mostHelpers = 1 << 12
)

var helpers = crew{wake: make(chan struct{}, mostHelpers)}

// help is the life of a helper.
func (c *crew) help() {
	work := func() *round {
		if r := c.offered.Load(); r != nil && r.open() {
			return r
		}
		return nil
	}
	for {
		if r := work(); r != nil {
			r.work()
			continue
		}
		if soon(func() bool { return work() != nil }) {
			continue
		}
		c.asleep.Add(1)
		if work() != nil && c.rouse() { // it came in between, and nobody has seen a sleeper
			continue
		}
		<-c.wake
	}
}

// rouse takes one off the sleepers, and reports whether there was any.
func (c *crew) rouse() bool {
	for {
		n := c.asleep.Load()
		if n == 0 {
			return false
		}
		if c.asleep.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

// offer lets up to so many helpers take parts of a round.
func (c *crew) offer(r *round, most int) {
	for n := c.begun.Load(); n < int64(min(most, mostHelpers)); n = c.begun.Load() {
		if c.begun.CompareAndSwap(n, n+1) {
			go c.help()
		}
	}
	c.offered.Store(r)
	for range most {
		if !c.rouse() {
			return
		}
		c.wake <- struct{}{}
	}
}

// soon looks out for something, and reports whether it has come in time. Other goroutines go first.
func soon(come func() bool) bool {
	for start := time.Now(); time.Since(start) < lookout; runtime.Gosched() {
		for range 8 {
			if come() {
				return true
			}
		}
	}
	return false
}

// inTurn calls f for each of the parts, on up to so many goroutines, of which each takes the next
// part when it is done with one.
func inTurn(parts, goroutines int, f func(part int)) {
	if goroutines <= 1 || parts <= 1 {
		for part := range parts {
			f(part)
		}
		return
	}
	r := &round{f: f, parts: int64(parts)}
	r.undone.Store(int64(parts))
	helpers.offer(r, min(goroutines, parts)-1)
	r.work()
	r.wait()
	helpers.offered.CompareAndSwap(r, nil) // what f holds is free to go
}
