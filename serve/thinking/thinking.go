// Package thinking shares the processors among agents that think for long, so that those
// who do not wait for them do not notice. A Pool has fewer places than there are
// processors. A thought takes one of them, and gives it back after a slice of time while
// others wait; who has waited longest comes next. Places are shared between owners, such
// as connections, however many thoughts each of them has: one with a hundred gets no more
// time than one with one. What is soon thought goes past all of it.
//
//	err := pool.Do(ctx, &owner, &gauge, func(ctx context.Context) error {
//		action, err = agent.Act(ctx, view, legal)
//		return err
//	})
//
// A thought gives its place back when it looks whether its context has ended, as searches
// do after every simulation. What it comes to does not depend on that, unless it has a
// limit of time.
package thinking

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/search"
)

// Config sets up a Pool.
type Config struct {
	// Thinkers bounds the thoughts that run at once. With fewer than there are processors,
	// one is always free for what is soon done.
	Thinkers int
	// Queue is how many thoughts may wait before Full says so.
	Queue int
	// Slice is how long a thought runs while others wait.
	Slice time.Duration
	// Limit is how long a thought of Do may run, without the time for which it waits; 0 for no
	// limit.
	Limit time.Duration
}

// Default returns the configuration for this machine.
func Default() Config {
	return Config{Thinkers: max(1, runtime.GOMAXPROCS(0)-1), Queue: 256, Slice: 10 * time.Millisecond}
}

// Validate returns all faults of the configuration, joined.
func (c Config) Validate() error {
	var faults []error
	if c.Thinkers < 1 {
		faults = append(faults, fmt.Errorf("thinking: thinkers is %d, it must be at least 1", c.Thinkers))
	}
	if c.Queue < 1 {
		faults = append(faults, fmt.Errorf("thinking: queue is %d, it must be at least 1", c.Queue))
	}
	if c.Slice <= 0 {
		faults = append(faults, fmt.Errorf("thinking: slice is %v, it must be above 0", c.Slice))
	}
	if c.Limit < 0 {
		faults = append(faults, fmt.Errorf("thinking: limit is %v, it must not be negative", c.Limit))
	}
	return errors.Join(faults...)
}

// ErrFull is wrapped by the error of a pool whose queue is full.
var ErrFull = errors.New("thinking: the queue is full")

// Pool shares out places to think. Its methods are safe for concurrent use.
type Pool struct {
	config  Config
	metrics *Metrics
	waits   atomic.Int64 // thoughts that wait

	mu     sync.Mutex
	free   int      // places; guarded by mu, as the next one
	owners []*Owner // with thoughts that wait, the one that has waited longest first
}

// NewPool returns a pool whose places are all free. No metrics count for nobody.
func NewPool(c Config, m *Metrics) (*Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if m == nil {
		m = NewMetrics(nil)
	}
	return &Pool{config: c, metrics: m, free: c.Thinkers}, nil
}

// Owner is whoever thoughts are charged to. The zero Owner has none. It belongs to one pool.
type Owner struct {
	waiting []*Thought // guarded by the pool's mu
}

// Full returns an error that wraps ErrFull if as many thoughts wait as may. Begin waits
// nevertheless: it is asked before something is begun that cannot be taken back.
func (p *Pool) Full() error {
	if n := p.waits.Load(); n >= int64(p.config.Queue) {
		p.metrics.refused.Inc()
		return fmt.Errorf("%w: %d thoughts wait, the limit is %d", ErrFull, n, p.config.Queue)
	}
	return nil
}

// Thought is one that has a place, or waits for one. It is the context of what thinks, and
// belongs to one goroutine. Err gives the place back for a while if others wait.
type Thought struct {
	context.Context // ends with that of Begin, and at the limit
	pool            *Pool
	owner           *Owner
	cancel          context.CancelFunc
	turn            chan struct{} // holds one
	limit           time.Duration // 0 for none
	placed          bool
	since           time.Time     // of the place
	ran             time.Duration // with places before
	timer           *time.Timer   // of the limit, nil for none
	expired         atomic.Bool
}

// Begin waits for a place until ctx ends. The thought may run for limit, 0 for as long as it
// likes, and End must be called if there is no error.
func (p *Pool) Begin(ctx context.Context, o *Owner, limit time.Duration) (*Thought, error) {
	t := &Thought{pool: p, owner: o, turn: make(chan struct{}, 1), limit: limit}
	t.Context, t.cancel = context.WithCancel(ctx)
	if limit > 0 {
		t.timer = time.AfterFunc(time.Hour, func() {
			t.expired.Store(true)
			t.cancel()
		})
		t.timer.Stop()
	}
	begin := time.Now()
	p.mu.Lock()
	if p.free > 0 && len(p.owners) == 0 {
		p.free--
		p.mu.Unlock()
		t.resume()
	} else {
		p.enqueue(t)
		p.mu.Unlock()
		if !t.wait() {
			t.cancel()
			return nil, ctx.Err()
		}
	}
	p.metrics.running.Inc()
	p.metrics.waited.Observe(time.Since(begin).Seconds())
	return t, nil
}

// End gives the place up, and returns how long the thought has run.
func (t *Thought) End() time.Duration {
	if t.placed {
		t.pause()
		t.pool.mu.Lock()
		t.pool.free++
		t.pool.grant()
		t.pool.mu.Unlock()
	}
	t.cancel()
	t.pool.metrics.running.Dec()
	return t.ran
}

// Err implements context.Context.
func (t *Thought) Err() error {
	if err := t.Context.Err(); err != nil {
		if t.expired.Load() {
			return context.DeadlineExceeded
		}
		return err
	}
	if t.pool.waits.Load() == 0 || !t.placed || time.Since(t.since) < t.pool.config.Slice {
		return nil
	}
	t.yield()
	return t.Err()
}

// yield gives the place to the next thought and waits for another one.
func (t *Thought) yield() {
	p := t.pool
	t.pause()
	p.mu.Lock()
	p.enqueue(t)
	p.free++
	p.grant()
	p.mu.Unlock()
	t.wait()
}

// wait waits for a place and reports whether there is one: not where the context has ended.
func (t *Thought) wait() bool {
	select {
	case <-t.turn:
	case <-t.Context.Done():
		if t.pool.forget(t) {
			return false
		}
		<-t.turn // which it was given at the same moment
	}
	t.resume()
	return true
}

func (t *Thought) resume() {
	t.placed, t.since = true, time.Now()
	if t.timer != nil {
		t.timer.Reset(max(t.limit-t.ran, 1))
	}
}

func (t *Thought) pause() {
	if t.timer != nil {
		t.timer.Stop()
	}
	t.ran += time.Since(t.since)
	t.placed = false
}

// enqueue puts a thought behind those of its owner, and an owner who had none behind the
// other owners. The pool is locked.
func (p *Pool) enqueue(t *Thought) {
	o := t.owner
	if o.waiting = append(o.waiting, t); len(o.waiting) == 1 {
		p.owners = append(p.owners, o)
	}
	p.metrics.waiting.Set(float64(p.waits.Add(1)))
}

// grant gives free places to the owners that have waited longest. The pool is locked.
func (p *Pool) grant() {
	for p.free > 0 && len(p.owners) > 0 {
		o := p.owners[0]
		t := o.waiting[0]
		p.owners, o.waiting = slices.Delete(p.owners, 0, 1), slices.Delete(o.waiting, 0, 1)
		if len(o.waiting) > 0 {
			p.owners = append(p.owners, o)
		}
		p.free--
		p.metrics.waiting.Set(float64(p.waits.Add(-1)))
		t.turn <- struct{}{}
	}
}

// forget takes a thought from the queue and reports whether it was there.
func (p *Pool) forget(t *Thought) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := t.owner
	at := slices.Index(o.waiting, t)
	if at < 0 {
		return false
	}
	if o.waiting = slices.Delete(o.waiting, at, at+1); len(o.waiting) == 0 {
		own := slices.Index(p.owners, o)
		p.owners = slices.Delete(p.owners, own, own+1)
	}
	p.metrics.waiting.Set(float64(p.waits.Add(-1)))
	return true
}

// For returns the context of a part of the thought, which ends after so long and gives the
// place back as the thought does.
func (t *Thought) For(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(t.Context, d)
	return &part{ctx, t}, cancel
}

type part struct {
	context.Context
	thought *Thought
}

func (p *part) Err() error {
	if err := p.thought.Err(); err != nil {
		return err
	}
	return p.Context.Err()
}

// short is how long something takes at most that does not need a place.
const short = time.Millisecond

// Gauge says whether something takes long, by how long it has taken before: the longest time,
// which is forgotten by and by. The zero Gauge takes it to be short. It is safe for
// concurrent use.
type Gauge struct{ longest atomic.Int64 }

// Long returns the gauge of what takes long.
func Long() *Gauge {
	g := new(Gauge)
	g.longest.Store(int64(64 * short)) // forgotten after some seventy that are short
	return g
}

// GaugeOf returns the gauge of an agent that has not been asked yet: a search takes long.
func GaugeOf(a agents.Agent) *Gauge {
	switch a.(type) {
	case *search.Agent, *search.Descent:
		return Long()
	}
	return new(Gauge)
}

// Long reports whether it takes long.
func (g *Gauge) Long() bool { return g.longest.Load() > int64(short) }

func (g *Gauge) note(took time.Duration) {
	if longest := g.longest.Load(); int64(took) > longest {
		g.longest.Store(int64(took))
	} else {
		g.longest.Store(longest - (longest-int64(took))/16)
	}
}

// Do lets an owner think: in a place where the gauge says that it takes long, at once
// otherwise. It returns what think does, or the error of ctx.
func (p *Pool) Do(ctx context.Context, o *Owner, g *Gauge, think func(context.Context) error) error {
	if !g.Long() {
		if p.config.Limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, p.config.Limit)
			defer cancel()
		}
		begin := time.Now()
		err := think(ctx)
		g.note(time.Since(begin))
		return err
	}
	t, err := p.Begin(ctx, o, p.config.Limit)
	if err != nil {
		return err
	}
	defer func() { g.note(t.End()) }()
	return think(t)
}
