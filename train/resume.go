package train

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"powderkeg/checkpoints"
)

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
	return nil, fmt.Errorf("none of its %d checkpoints is sound, the newest: %w; to begin the run anew, remove %s", len(names), damaged[0].err, store.Dir)
}

// sameRun compares the config with that of a checkpoint, as far as what is learned
// depends on it.
func (t *Trainer) sameRun(text string) error {
	old, err := ParseConfig([]byte(text))
	if err != nil {
		return fmt.Errorf("%w: its config cannot be read here: %v", checkpoints.ErrMismatch, err)
	}
	now := t.config
	old.Updates, old.Workers, old.Evaluation, old.Checkpoints = now.Updates, now.Workers, now.Evaluation, now.Checkpoints
	there, err := old.YAML()
	if err != nil {
		return err
	}
	here, err := now.YAML()
	if err != nil {
		return err
	}
	if here != there {
		return fmt.Errorf("%w: the checkpoint is of a run with another configuration (%s)", checkpoints.ErrMismatch, difference(there, here))
	}
	return nil
}

// finished tells whether the directory holds a run of the config that is done.
func finished(dir string, c Config) (bool, error) {
	old, err := readConfig(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	there, err := old.YAML()
	if err != nil {
		return false, err
	}
	here, err := c.YAML()
	if err != nil || here != there {
		return false, err // Start says what differs
	}
	// The last that a run writes. One that is damaged, or that is being written
	// again, is none: whoever goes on with the run puts it right.
	bot, err := checkpoints.Open(filepath.Join(dir, botName))
	return err == nil && bot.Manifest.Updates == int64(c.Updates), nil
}
