package vec

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"powderkeg/engine"
)

// async is the state of a Vec that is driven by Send and Receive. Each slot has
// at most one action under way, so the queues, which hold one entry per slot,
// never block.
type async struct {
	queues []chan sent   // one per worker
	ready  chan int32    // slots whose step is done
	stage  *Buffers      // row i belongs to slot i, written by its worker
	flying []atomic.Bool // slots with an action under way or a result not yet received
}

// sent is one action on its way to a slot.
type sent struct {
	slot   int32
	action engine.Action
}

// Send hands each of the slots its action and returns at once. A slot takes its
// next action only after Receive has returned the result of the one before. The
// first Send turns the Vec to the asynchronous way for good; Reset comes before
// it. An error means that nothing was sent.
func (v *Vec) Send(slots []int32, actions []engine.Action) error {
	if len(slots) != len(actions) {
		return fmt.Errorf("vec: %d actions for %d slots", len(actions), len(slots))
	}
	if v.async == nil {
		v.startAsync()
	}
	a := v.async
	for i, s := range slots {
		var err error
		switch {
		case s < 0 || int(s) >= len(v.envs):
			err = fmt.Errorf("vec: slot %d of %d", s, len(v.envs))
		case !a.flying[s].CompareAndSwap(false, true):
			err = fmt.Errorf("vec: slot %d has an action under way", s)
		}
		if err != nil {
			for _, back := range slots[:i] {
				a.flying[back].Store(false)
			}
			return err
		}
	}
	for i, s := range slots {
		a.queues[v.owner(int(s))] <- sent{s, actions[i]}
	}
	return nil
}

// owner returns the worker of a slot.
func (v *Vec) owner(slot int) int {
	w := slot * len(v.workers) / len(v.envs)
	for slot >= v.workers[w].to {
		w++
	}
	for slot < v.workers[w].from {
		w--
	}
	return w
}

// Receive waits until n sent actions are done, the first that are, and fills
// the first n rows of the buffers; b.Slots says which slot a row belongs to. The
// error joins the faults of slots that could not take their action, whose rows
// have rewards of zero, or is that of ctx, in which case nothing is lost: the
// results that were ready are returned by the next call.
func (v *Vec) Receive(ctx context.Context, n int, b *Buffers) error {
	a := v.async
	if a == nil {
		return errors.New("vec: Receive before Send")
	}
	if n < 1 || n > b.rows {
		return fmt.Errorf("vec: receive %d of buffers with %d rows", n, b.rows)
	}
	for row := range n {
		select {
		case s := <-a.ready:
			b.Slots[row] = s
		case <-ctx.Done():
			for _, s := range b.Slots[:row] {
				a.ready <- s
			}
			return ctx.Err()
		}
	}
	var faults []error
	for row, s := range b.Slots[:n] {
		b.copyRow(row, a.stage, int(s))
		if err := v.faults[s]; err != nil {
			faults = append(faults, fmt.Errorf("vec: slot %d: %w", s, err))
		}
		a.flying[s].Store(false)
	}
	return errors.Join(faults...)
}

func (v *Vec) startAsync() {
	n := len(v.envs)
	a := &async{ready: make(chan int32, n), stage: v.NewBuffers(n), flying: make([]atomic.Bool, n)}
	for i, w := range v.workers {
		queue := make(chan sent, w.to-w.from)
		a.queues = append(a.queues, queue)
		if v.company != nil {
			c := v.newCrew(i)
			c.shown = func(slot int) { a.ready <- int32(slot) }
			v.running.Go(func() {
				for m := range queue {
					c.sendAlong(m, queue, a.stage)
				}
			})
			continue
		}
		v.running.Go(func() {
			for m := range queue {
				v.faults[m.slot] = v.stepSlot(int(m.slot), m.action, a.stage)
				a.ready <- m.slot
			}
		})
	}
	v.async = a
}

func (a *async) close() {
	for _, q := range a.queues {
		close(q)
	}
}
