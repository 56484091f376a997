package eval

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Units are played a stretch at a time and summed up in their order before the next stretch
// begins, so that a match takes the same memory whatever its length, and the result does not
// depend on who played what when. Of a stretch that is played elsewhere every machine has
// several jobs.
const (
	stretchHere      = 1 << 10
	stretchElsewhere = 1 << 16
)

// inStretches calls play for one stretch of the units after another, from and to not included.
func inStretches(units, length int, play func(from, to int) error) error {
	for from := 0; from < units; from += length {
		if err := play(from, min(from+length, units)); err != nil {
			return err
		}
	}
	return nil
}

// share has the units from to to, not included, played by workers, each of which has its own
// goroutine, until the first error.
func share[W any](ctx context.Context, workers []W, from, to int, play func(ctx context.Context, w W, unit int) error) error {
	group, groupCtx := errgroup.WithContext(ctx)
	var next atomic.Int64
	next.Store(int64(from))
	for _, w := range workers {
		group.Go(func() error {
			for {
				u := int(next.Add(1)) - 1
				if u >= to {
					return nil
				}
				if err := play(groupCtx, w, u); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}
