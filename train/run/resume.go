package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/train"
)

// Resume goes on with the run in the directory from its latest checkpoint, or
// from the start if it was killed before the first. It is not an error to
// resume a run that is done: its closing evaluation is made again, after the updates by
// which the options lengthen it.
func Resume(ctx context.Context, o Options) error {
	if _, err := ReadConfig(o.Dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no run: %w", o.Dir, err)
	} else if err != nil {
		return err
	}
	return o.alone(ctx, func() error { return resume(ctx, o) })
}

// resume is Resume in a directory of this process's own.
func resume(ctx context.Context, o Options) error {
	c, err := ReadConfig(o.Dir)
	if err != nil {
		return err
	}
	length := c.Updates
	if o.Updates > 0 {
		if c, err = c.Lengthened(o.Updates); err == nil {
			err = c.CheckMemory()
		}
		if err != nil {
			return fmt.Errorf("resume %s: %w", o.Dir, err)
		}
	}
	from, err := latestSound(o)
	if err != nil {
		return fmt.Errorf("resume %s: %w", o.Dir, err)
	}
	t, err := setUp(ctx, c, o, func() (*train.Trainer, error) {
		if from == nil {
			return train.NewTrainer(c)
		}
		return train.ResumeTrainer(c, from)
	})
	if errors.Is(err, ErrStopped) {
		return err
	}
	if err != nil {
		return fmt.Errorf("resume %s: %w", o.Dir, err)
	}
	if c.Updates > length {
		if err := o.lengthen(c, length, t.Updates()); err != nil {
			return errors.Join(err, t.Close())
		}
	}
	o.Updates = 0 // the config has them now
	return finish(ctx, c, t, o)
}

// lengthen keeps the new length with the run, so that it goes on to there after any end.
func (o Options) lengthen(c train.Config, length int, made int64) error {
	text, err := c.YAML()
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(o.Dir, configName), []byte(text)); err != nil {
		return err
	}
	o.tell("the run is lengthened from %d updates to %d", length, c.Updates)
	if keys := c.ByLength(); len(keys) > 0 {
		o.tell("what follows the length is from update %d on what it is in a run of %d: %s", made+1, c.Updates, strings.Join(keys, ", "))
	}
	return nil
}

// latestSound opens the newest checkpoint that is not damaged, nil if there is none
// at all. Newer ones are set aside and the user is told of them; as long as no sound
// one is found, nothing is touched.
func latestSound(o Options) (*checkpoints.Checkpoint, error) {
	store := checkpoints.Store{Dir: filepath.Join(o.Dir, checkpointsName)}
	names, err := store.List()
	if err != nil || len(names) == 0 {
		return nil, err
	}
	type damage struct {
		name string
		err  error
	}
	var damaged []damage // the newest first
	for _, name := range slices.Backward(names) {
		c, err := checkpoints.Open(filepath.Join(store.Dir, name))
		if errors.Is(err, checkpoints.ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
			damaged = append(damaged, damage{name, err})
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, d := range damaged {
			path, err := store.SetAside(d.name)
			if err != nil {
				return nil, err
			}
			o.tell("%v; it is set aside as %s, and the run goes on from update %d", d.err, path, c.Manifest.Updates)
		}
		return c, nil
	}
	return nil, fmt.Errorf("none of its %d checkpoints is sound, the newest: %w; to begin the run anew, remove %s", len(names), damaged[0].err,
		store.Dir)
}

// finished reports whether the directory holds a run of the config that is done.
func finished(dir string, c train.Config) (bool, error) {
	old, err := ReadConfig(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if line, err := c.Difference(old); err != nil || line != "" {
		return false, err // Start says what differs
	}
	// The last that a run writes. One that is damaged, or that is being written
	// again, is none: whoever goes on with the run puts it right.
	bot, err := checkpoints.Open(filepath.Join(dir, botName))
	return err == nil && bot.Manifest.Updates == int64(c.Updates), nil
}
