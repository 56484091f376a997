package inference

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"powderkeg/agents/learned"
)

// served is a network in use, with the queue of what agents ask of it.
type served struct {
	pool   *Pool
	key    key
	source Source
	log    *slog.Logger
	agents int // that play it; guarded by pool.mu

	loading sync.Once
	fault   error // of load, set before loading is done

	current atomic.Pointer[generation]
	queue   chan *request
	quit    chan struct{}
	// wanted is how many requests in the queue the batcher waits for, 0 while it waits for no
	// number of them; whoever makes them so many tells enough. So a batch of many requests
	// wakes it twice rather than for each of them.
	wanted atomic.Int32
	enough chan struct{} // holds one

	seen string // version that was last loaded or refused; of the watcher after load
}

// generation is one of the checkpoints that have followed each other.
type generation struct {
	number int64 // 1 for the first
	brain  *learned.Brain
}

// request is n decisions to make, at most MaxBatch, or n observations to evaluate
// where actions is nil. It belongs to the agent until it is queued and
// again when done has been received from; an agent that does not wait for that
// must win the request back with cancel, or wait after all.
type request struct {
	rows         int       // n
	observations []float32 // [n×D]
	// Decisions: masks [n×A], and actions [n] as the answer.
	masks   []uint8
	actions []int32
	rng     *rand.PCG
	rngs    []*rand.PCG // one per row in place of rng, nil for none
	// Evaluations: logits [n×A] and values [n×P] as the answer.
	logits, values []float32

	generation int64 // that has answered
	err        error // why it could not (learned.Batch.Err), nil where it could

	state atomic.Int32
	done  chan struct{} // holds one
}

// The states of a request in the queue.
const (
	queued = iota
	taken
	cancelled
)

// take reports whether the request is still wanted. From then on it is waited for.
func (r *request) take() bool { return r.state.CompareAndSwap(queued, taken) }

// cancel reports whether the request was given up before it was taken. Then it must
// not be used again: it is still in the queue.
func (r *request) cancel() bool { return r.state.CompareAndSwap(queued, cancelled) }

// load reads the network and starts its goroutine.
func (n *served) load() {
	n.seen, n.fault = n.source.Version()
	if n.fault != nil {
		return
	}
	brain, err := n.source.Load()
	if err != nil {
		n.fault = err
		return
	}
	n.queue = make(chan *request, n.pool.config.Queue)
	n.quit = make(chan struct{})
	n.enough = make(chan struct{}, 1)
	n.current.Store(&generation{1, brain})
	n.pool.metrics.networks.Inc()
	n.pool.running.Go(n.run)
}

// renew loads a newer checkpoint, if there is one and it is sound. A broken one
// is told of once, and the old one stays.
func (n *served) renew() {
	version, err := n.source.Version()
	if err != nil {
		version = "error: " + err.Error()
	}
	if version == n.seen {
		return
	}
	n.seen = version
	var brain *learned.Brain
	if err == nil {
		brain, err = n.source.Load()
	}
	if err != nil {
		n.pool.metrics.broken.Inc()
		n.log.Warn("the new checkpoint cannot be used, the old one stays", "error", err)
		return
	}
	next := &generation{n.current.Load().number + 1, brain}
	n.current.Store(next)
	n.pool.metrics.reloaded.Inc()
	n.log.Info("a new checkpoint is in use", "generation", next.number)
}

// batcher is the work of a network's goroutine.
type batcher struct {
	*served
	timer *time.Timer

	from         *generation // that batch plays
	batch        *learned.Batch
	size, width  int       // D and A
	observations []float32 // [MaxBatch×D]
	rows         int       // of the batch under way
	requests     []*request
	held         *request // did not fit and comes first in the next batch; nil for none
	before       int      // requests of the batch before this one
}

// run answers requests until the network is given up.
func (n *served) run() {
	b := &batcher{served: n, timer: time.NewTimer(time.Hour)}
	b.timer.Stop()
	for b.gather() {
		b.answer()
	}
}

// gather collects what is to be decided next. It waits for one request at least,
// and up to MaxWait for as many as there were in the last batch, since their
// agents are likely to ask again: with one agent there is no wait, and with many
// the batches stay large although each agent waits for its answer. It returns
// false when there is nothing more to do.
func (b *batcher) gather() bool {
	b.rows, b.requests = 0, b.requests[:0]
	if !b.first() {
		return false
	}
	for timing, late := false, b.pool.config.MaxWait == 0; ; {
		b.drain()
		more := b.before - len(b.requests)
		if late || more <= 0 || b.held != nil || b.rows >= b.pool.config.MaxBatch {
			break
		}
		if !timing {
			b.timer.Reset(b.pool.config.MaxWait)
			timing = true
		}
		late = !b.await(min(more, few))
	}
	b.timer.Stop()
	b.before = len(b.requests)
	return true
}

// few is the most requests that the batcher waits for at once. Of more, the first would have
// left the processor's caches when they are copied.
const few = 16

// drain adds what is in the queue to the batch, as far as it fits.
func (b *batcher) drain() {
	for b.held == nil && b.rows < b.pool.config.MaxBatch {
		select {
		case r := <-b.queue:
			b.add(r)
		default:
			return
		}
	}
}

// await waits for so many requests in the queue. It returns false when the time is up.
func (b *batcher) await(requests int) bool {
	select {
	case <-b.enough: // of a wait that had ended by its time
	default:
	}
	b.wanted.Store(int32(min(requests, cap(b.queue))))
	defer b.wanted.Store(0)
	if b.ripe() { // before wanted was set
		return true
	}
	select {
	case <-b.enough:
		return true
	case <-b.timer.C:
		return false
	}
}

// ripe reports whether there are as many requests in the queue as the batcher waits for.
func (n *served) ripe() bool {
	wanted := n.wanted.Load()
	return wanted > 0 && len(n.queue) >= int(wanted)
}

// put puts a request into the queue, where there is room or once there is.
func (n *served) put(ctx context.Context, r *request) error {
	select {
	case n.queue <- r:
	case <-ctx.Done():
		return ctx.Err()
	}
	if n.ripe() {
		select {
		case n.enough <- struct{}{}:
		default: // somebody has told already
		}
	}
	return nil
}

// first waits for a request. A new generation takes over here, between batches.
func (b *batcher) first() bool {
	if g := b.current.Load(); g != b.from {
		b.adopt(g)
	}
	if r := b.held; r != nil {
		b.held = nil
		b.include(r)
	}
	for b.rows == 0 {
		select {
		case r := <-b.queue:
			// It may have waited for long.
			if g := b.current.Load(); g != b.from {
				b.adopt(g)
			}
			b.add(r)
		case <-b.quit:
			return false
		}
	}
	return true
}

// adopt makes the batch of a generation, whose sizes are those of the one before.
func (b *batcher) adopt(g *generation) {
	most := b.pool.config.MaxBatch
	c := g.brain.Network().Config()
	b.from, b.batch = g, g.brain.NewBatch(most, 1)
	if b.observations == nil {
		b.size, b.width, b.observations = c.Inputs, c.Actions, make([]float32, most*c.Inputs)
	}
}

// add adds a request to the batch, if its agent still wants it, or holds it back
// if it does not fit.
func (b *batcher) add(r *request) {
	switch {
	case !r.take():
	case b.rows+r.rows > b.pool.config.MaxBatch:
		b.held = r
	default:
		b.include(r)
	}
}

func (b *batcher) include(r *request) {
	copy(b.observations[b.rows*b.size:], r.observations)
	b.rows += r.rows
	b.requests = append(b.requests, r)
}

// answer evaluates the batch and hands each agent what it has asked for.
func (b *batcher) answer() {
	b.batch.Look(b.observations[:b.rows*b.size], b.rows)
	b.pool.metrics.batchRows.Observe(float64(b.rows))
	row := 0
	for _, r := range b.requests {
		for i := range r.rows {
			if r.actions == nil {
				logits, values := b.batch.Found(row)
				copy(r.logits[i*len(logits):], logits)
				copy(r.values[i*len(values):], values)
			} else {
				rng := r.rng
				if r.rngs != nil {
					rng = r.rngs[i]
				}
				r.actions[i] = int32(b.batch.Draw(row, r.masks[i*b.width:(i+1)*b.width], rng))
			}
			row++
		}
		r.generation, r.err = b.from.number, b.batch.Err()
		r.done <- struct{}{}
	}
}
