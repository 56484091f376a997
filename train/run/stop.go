package run

import (
	"context"
	"fmt"
	"strconv"

	"powderkeg/env/cli"
	"powderkeg/train"
)

// outcome is what a call returned.
type outcome[T any] struct {
	value T
	err   error
}

// begun calls f in a goroutine of its own.
func begun[T any](f func() (T, error)) <-chan outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		value, err := f()
		done <- outcome[T]{value, err}
	}()
	return done
}

// setUp makes a trainer, which may have games to play for its archive. When ctx ends it is not
// waited for: it is closed when it is there.
func setUp(ctx context.Context, c train.Config, o Options, f func() (*train.Trainer, error)) (*train.Trainer, error) {
	done := begun(f)
	select {
	case made := <-done:
		return made.value, made.err
	case <-ctx.Done():
	}
	go func() {
		if made := <-done; made.err == nil {
			_ = made.value.Close() // it has done nothing
		}
	}()
	return nil, fmt.Errorf("%w while it was set up; go on with: %s", ErrStopped, resuming(c, o))
}

// resuming is the command that goes on with a run.
func resuming(c train.Config, o Options) string {
	if o.Updates > 0 {
		return cli.Typed(c.Game, "train", "--resume", o.Dir, "--updates", strconv.Itoa(o.Updates))
	}
	return cli.Typed(c.Game, "train", "--resume", o.Dir)
}

// update makes an update. When ctx ends it is waited for, so that the run can be saved, but where
// nothing would be lost without it: then the run is left where it is, and the trainer closed
// when it is done.
func (r *running) update(ctx context.Context) (train.UpdateMetrics, error) {
	before := r.Updates()
	done := begun(r.Update)
	select {
	case made := <-done:
		return made.value, made.err
	case <-ctx.Done():
	}
	if before > r.saved {
		made := <-done
		return made.value, made.err
	}
	r.left = true
	go func() {
		<-done
		_ = r.Close() // nothing of it is kept
	}()
	r.progress.close()
	return train.UpdateMetrics{}, fmt.Errorf("%w in update %d of %d; go on with: %s", ErrStopped, before+1, r.config.Updates,
		resuming(r.config, r.options))
}
