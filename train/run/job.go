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
	"os"
	"path/filepath"
	"sync"

	"powderkeg/train"
	"powderkeg/train/job"
)

// SweepKind is the kind of jobs that make a run of a sweep (DoSweep).
const SweepKind = "sweep"

// sweepPayload is the JSON of a job.
type sweepPayload struct {
	Config string `json:"config"` // YAML
	Dir    string `json:"dir"`    // of the run, as its report names it
}

// A result is the run's directory as a tar file.

// planned is a run of a sweep that is to be made.
type planned struct {
	variant Variant
	config  train.Config
	folder  string
}

// runElsewhere has those runs made that nobody has begun, and returns the folders that it has
// filled. One that is begun goes on where it is.
func (s Sweep) runElsewhere(ctx context.Context, dir string, variants []Variant, progress io.Writer) (map[string]bool, error) {
	var list []planned
	var jobs []*job.Job
	for n := range s.Seeds {
		for _, v := range variants {
			p := planned{v, v.Runs[n], runFolder(dir, v, v.Runs[n])}
			if _, err := os.Stat(p.folder); err == nil {
				continue
			}
			text, err := p.config.YAML()
			if err != nil {
				return nil, err
			}
			payload, err := json.Marshal(sweepPayload{text, filepath.ToSlash(p.folder)})
			if err != nil {
				return nil, err
			}
			list = append(list, p)
			jobs = append(jobs, &job.Job{Kind: SweepKind, Seed: p.config.Seed, Payload: payload})
		}
	}
	var mu sync.Mutex
	made := map[string]bool{}
	if len(jobs) == 0 {
		return made, nil
	}
	err := s.Hands.Do(ctx, jobs, nil, func(n int, result []byte) error {
		mu.Lock()
		defer mu.Unlock()
		p := list[n]
		if err := p.unpack(result); err != nil {
			return err
		}
		made[p.folder] = true
		fmt.Fprintf(progress, "run %d of %d: %s, seed %d\n", len(made), len(jobs), p.variant.Name, p.config.Seed)
		return s.summarise(dir, variants)
	})
	return made, err
}

// unpack puts a run where it belongs, whole or not at all.
func (p planned) unpack(result []byte) error {
	if err := os.MkdirAll(filepath.Dir(p.folder), 0o777); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(p.folder), ".tmp-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // unless it has its name
	whole := filepath.Join(temporary, "run")
	if err := readTar(whole, result); err != nil {
		return err
	}
	if done, err := finished(whole, p.config); err != nil || !done {
		return fmt.Errorf("%w: it is no run of that configuration which is over (%v)", job.ErrResult, err)
	}
	return os.Rename(whole, p.folder)
}

// DoSweep makes the run of a job of SweepKind.
func DoSweep(ctx context.Context, j *job.Job, _ func(job.Digest) ([]byte, error)) (result []byte, err error) {
	var p sweepPayload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, err
	}
	c, err := train.ParseConfig([]byte(p.Config))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "powderkeg-sweep-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := Begin(ctx, c, Options{Dir: dir, Named: p.Dir}); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
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
