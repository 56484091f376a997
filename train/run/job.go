package run

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/job"
)

// Kind is the kind of jobs that make a run (Do).
const Kind = "run"

// Order is a run that somebody else is to make, from its begin to its end.
type Order struct {
	Config train.Config
	// Dir is where it goes, which must not be there yet.
	Dir string
	// ForPlay leaves of its checkpoints what plays: without the state of the optimiser and the
	// pool they are a tenth as large, where many are kept.
	ForPlay bool
	// Check, if not nil, says what is wrong with the run in a directory that is finished.
	Check func(dir string) error
}

// payload is the JSON of a job. A result is the run's directory as a tar file.
type payload struct {
	Config  string `json:"config"` // YAML
	Dir     string `json:"dir"`    // of the run, as its report names it
	ForPlay bool   `json:"for_play,omitempty"`
	// Weights are the digests of those that the run reads, by the names that the config has for
	// them. A file must be the same on the other machine.
	Weights map[string]string `json:"weights,omitempty"`
}

// Elsewhere has runs made by hands, each as a job, and tells of each one that is in its place,
// by one goroutine at a time.
func Elsewhere(ctx context.Context, hands job.Hands, orders []Order, told func(n int) error) error {
	if len(orders) == 0 {
		return nil
	}
	var jobs []*job.Job
	for _, o := range orders {
		text, err := o.Config.YAML()
		if err != nil {
			return err
		}
		weights, err := weightsOf(o.Config)
		if err != nil {
			return err
		}
		data, err := json.Marshal(payload{text, filepath.ToSlash(o.Dir), o.ForPlay, weights})
		if err != nil {
			return err
		}
		jobs = append(jobs, &job.Job{Kind: Kind, Seed: o.Config.Seed, Payload: data})
	}
	var mu sync.Mutex
	return hands.Do(ctx, jobs, nil, func(n int, result []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if err := orders[n].unpack(result); err != nil {
			return err
		}
		return told(n)
	})
}

// weightsOf are the digests of the weights that a run of a config reads.
func weightsOf(c train.Config) (map[string]string, error) {
	names := slices.Clone(c.Evaluation.Against)
	for _, a := range c.League.Agents {
		names = append(names, a.Name)
	}
	if c.Lessons.Updates > 0 {
		names = append(names, c.Lessons.Teacher)
	}
	if c.Network.From != "" {
		names = append(names, "checkpoint:"+c.Network.From)
	}
	found := map[string]string{}
	for _, name := range names {
		digest, err := roster.Weights(name)
		if err != nil {
			return nil, err
		}
		if digest != "" {
			found[name] = digest
		}
	}
	return found, nil
}

// unpack puts a run where it belongs, whole or not at all.
func (o Order) unpack(result []byte) error {
	if err := file.MakeFolder(filepath.Dir(o.Dir)); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(o.Dir), ".tmp-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // unless it has its name
	whole := filepath.Join(temporary, "run")
	if err := readTar(whole, result); err != nil {
		return err
	}
	if done, err := finished(whole, o.Config); err != nil || !done {
		return fmt.Errorf("%w: it is no run of that configuration which is over (%v)", job.ErrResult, err)
	}
	if o.Check != nil {
		if err := o.Check(whole); err != nil {
			return fmt.Errorf("%w: %w", job.ErrResult, err)
		}
	}
	return os.Rename(whole, o.Dir)
}

// Do makes the run of a job of Kind.
func Do(ctx context.Context, j *job.Job, _ func(job.Digest) ([]byte, error)) (result []byte, err error) {
	var p payload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, err
	}
	c, err := train.ParseConfig([]byte(p.Config))
	if err != nil {
		return nil, err
	}
	own, err := weightsOf(c)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if own[name] != p.Weights[name] {
			return nil, fmt.Errorf("the weights of %s are %.12s here, %.12s there", name, own[name], p.Weights[name])
		}
	}
	dir, err := os.MkdirTemp("", "powderkeg-run-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := Begin(ctx, c, Options{Dir: dir, Named: p.Dir}); err != nil {
		return nil, err
	}
	if p.ForPlay {
		if err := leaveForPlay(checkpoints.Store{Dir: filepath.Join(dir, checkpointsName)}); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// leaveForPlay leaves of checkpoints what plays.
func leaveForPlay(s checkpoints.Store) error {
	names, err := s.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(s.Dir, name)
		c, err := checkpoints.Open(path)
		if err != nil {
			return err
		}
		if err := errors.Join(os.RemoveAll(path), c.ForPlay().Write(path)); err != nil {
			return err
		}
	}
	return nil
}

// readTar writes the files of a tar file into a new directory. The file may come from anybody:
// nothing outside of dir is written, and nothing but files.
func readTar(dir string, data []byte) error {
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", job.ErrResult, err)
		}
		if h.Typeflag == tar.TypeDir {
			continue // made with what is in it
		}
		name := filepath.FromSlash(h.Name)
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			return fmt.Errorf("%w: %q is no file of a run", job.ErrResult, h.Name)
		}
		// A sparse file claims zeros that it does not have.
		if h.Size > int64(len(data)) {
			return fmt.Errorf("%w: %q says that it has %d bytes, all of it are %d", job.ErrResult, h.Name, h.Size, len(data))
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%w: %w", job.ErrResult, err)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, fs.FileMode(0o666)); err != nil {
			return err
		}
	}
}
