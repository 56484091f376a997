package dataset

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// Collector plays the episodes of a Config. It is immutable and safe for
// concurrent use.
type Collector struct {
	plan   *plan
	around func(ctx context.Context, play func(context.Context) error) error // nil for nothing
	most   int                                                               // decisions of an episode, 0 for any number
	over   error                                                             // where one has more
}

// NewCollector checks the config. Its errors wrap option.ErrUsage.
func NewCollector(c Config) (*Collector, error) {
	p, err := resolve(c)
	if err != nil {
		return nil, err
	}
	return &Collector{plan: p}, nil
}

// Within returns a collector of the same episodes, each of which is played within around:
// it calls play, once, on the goroutine of the worker and with a context of ctx, and
// returns its error. A server bounds by it how many are played at once.
func (c *Collector) Within(around func(ctx context.Context, play func(context.Context) error) error) *Collector {
	within := *c
	within.around = around
	return &within
}

// AtMost returns a collector of the same episodes that ends with the error where one of them
// has more decisions than most. A server bounds by it what a batch takes.
func (c *Collector) AtMost(most int, over error) *Collector {
	bounded := *c
	bounded.most, bounded.over = most, over
	return &bounded
}

// Batches returns how many batches exist at once at most while Collect plays all episodes on
// so many workers.
func (c *Collector) Batches(workers int) int64 {
	size := c.BatchEpisodes()
	units := (c.plan.config.Episodes + size - 1) / size
	return min(2*min(int64(workers), units)+1, units)
}

// play plays an episode.
func (c *Collector) play(ctx context.Context, w *player, b *Batch, n int64) error {
	if c.around == nil {
		return w.play(ctx, b, n)
	}
	return c.around(ctx, func(ctx context.Context) error { return w.play(ctx, b, n) })
}

// Config returns the config with the game string in its canonical form and one
// agent per seat. The caller must not change what it refers to.
func (c *Collector) Config() Config { return c.plan.config }

// Game returns the game, Layout the layout of its observations.
func (c *Collector) Game() engine.Game { return c.plan.game }

// Layout is described at Game.
func (c *Collector) Layout() *encoding.Layout { return c.plan.layout }

// Bounds of how many episodes a batch holds: of long games fewer, so that a batch
// stays small, and of short ones more, so that it is worth a call.
const (
	batchDecisions = 1 << 16 // that the rules allow, far more than are usually played
	maxBatch       = 1 << 10
)

// BatchEpisodes returns how many episodes a batch holds, the last one of a call
// of Collect aside.
func (c *Collector) BatchEpisodes() int64 { return c.plan.batchEpisodes() }

// longest is how many decisions an episode has at most.
func (p *plan) longest() int {
	if m := p.config.MaxDecisions; m > 0 {
		return min(p.spec.MaxDecisions, m)
	}
	return p.spec.MaxDecisions
}

// batchEpisodes is BatchEpisodes.
func (p *plan) batchEpisodes() int64 {
	return int64(max(1, min(batchDecisions/p.longest(), maxBatch)))
}

// batchRows is how many rows a batch has at most.
func (p *plan) batchRows() int64 { return p.batchEpisodes() * int64(p.longest()) }

// Collect plays the episodes from (inclusive) to to (exclusive) on so many
// workers, at least one, and calls emit with them in order, from the calling
// goroutine. A batch is valid until emit returns. What is emitted depends on the
// config and on from and to alone. It ends with emit's error, an agent's, or
// ctx's when ctx ends; its goroutines have ended when it returns. At most
// 2×workers+1 batches exist at a time.
func (c *Collector) Collect(ctx context.Context, from, to int64, workers int, emit func(*Batch) error) error {
	if from < 0 || to < from || to > c.plan.config.Episodes {
		return fmt.Errorf("%w: dataset: episodes %d to %d; there are %d", option.ErrUsage, from, to, c.plan.config.Episodes)
	}
	if workers < 1 {
		return fmt.Errorf("%w: dataset: %d workers; want at least 1", option.ErrUsage, workers)
	}
	size := c.BatchEpisodes()
	units := (to - from + size - 1) / size
	workers = int(min(int64(workers), units))
	buffers := 2*workers + 1
	free, done := make(chan *Batch, buffers), make(chan unit, buffers)
	for range buffers {
		free <- new(Batch)
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range workers {
		group.Go(func() (err error) {
			defer env.Recover(c.plan.game, &err)
			w, err := newPlayer(c.plan)
			if err != nil {
				return err
			}
			w.most, w.over = c.most, c.over
			for {
				// A buffer comes before a number, so that whoever has the lowest number can
				// finish.
				var b *Batch
				select {
				case b = <-free:
				case <-ctx.Done():
					return ctx.Err()
				}
				u := next.Add(1) - 1
				if u >= units {
					return nil
				}
				b.reset()
				for n := from + u*size; n < min(from+(u+1)*size, to); n++ {
					if err := c.play(ctx, w, b, n); err != nil {
						return err
					}
				}
				done <- unit{u, b} // has room for all buffers
			}
		})
	}
	err := inOrder(ctx, units, done, free, emit)
	if err != nil {
		group.Go(func() error { return err }) // ends the workers
	}
	return group.Wait()
}

// unit is a played batch and its place.
type unit struct {
	number int64
	batch  *Batch
}

// inOrder hands on units in the order of their numbers and frees their buffers.
func inOrder(ctx context.Context, units int64, done <-chan unit, free chan<- *Batch, emit func(*Batch) error) error {
	waiting := map[int64]*Batch{}
	for next := int64(0); next < units; next++ {
		for waiting[next] == nil {
			select {
			case u := <-done:
				waiting[u.number] = u.batch
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := ctx.Err(); err != nil { // even if the batch is there
			return err
		}
		b := waiting[next]
		delete(waiting, next)
		if err := emit(b); err != nil {
			return err
		}
		free <- b
	}
	return nil
}
