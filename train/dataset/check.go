//go:build !library

package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Report is what Check has found.
type Report struct {
	Files    int     `json:"files"`
	Episodes int64   `json:"episodes"` // in files that hold
	Rows     int64   `json:"rows"`     // in files that hold
	Faults   []Fault `json:"faults"`   // the first of each file that does not
}

// target is a file to check, and what a manifest says of it.
type target struct {
	path     string
	shard    *Shard // nil for a file that no manifest lists
	identity *Identity
}

// Check proves files of datasets by playing their episodes again: observations,
// masks, texts, actors, rewards, returns, flags and states must come out as they
// are written, bit for bit. A path is a file or a folder; a folder's manifest must
// be of a whole dataset, and its digests must hold, as must those of a manifest
// that lies beside a file. Progress, if not nil, is told
// how many files of how many are done. The error, unlike a fault, says that the
// check could not be carried out; it wraps option.ErrUsage where the paths are at
// fault.
func Check(ctx context.Context, paths []string, progress func(done, total int)) (*Report, error) {
	r := &Report{Faults: []Fault{}}
	var targets []target
	for _, path := range paths {
		list, fault, err := targetsOf(path)
		if err != nil {
			return nil, err
		}
		if fault != nil {
			r.Faults = append(r.Faults, *fault)
		}
		targets = append(targets, list...)
	}
	for i, t := range targets {
		episodes, rows, err := t.check(ctx)
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			fault.File = t.path
			r.Faults = append(r.Faults, *fault)
		case errors.Is(err, ErrCorrupt), errors.Is(err, ErrVersion):
			r.Faults = append(r.Faults, Fault{File: t.path, Problem: err.Error()})
		case errors.Is(err, file.ErrIrregular):
			return nil, err // which names the file
		case err != nil:
			return nil, fmt.Errorf("%s: %w", t.path, err)
		default:
			r.Episodes, r.Rows = r.Episodes+episodes, r.Rows+rows
		}
		r.Files++
		if progress != nil {
			progress(i+1, len(targets))
		}
	}
	return r, nil
}

// targetsOf lists the files of a path. The fault is that of a folder whose
// manifest does not hold.
func targetsOf(path string) ([]target, *Fault, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, option.Wrong(err)
	}
	if !info.IsDir() {
		return []target{alone(path)}, nil, nil
	}
	m, err := ReadManifest(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%w: %s is no dataset: it has no %s", option.ErrUsage, path, ManifestName)
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrVersion):
		return nil, &Fault{File: filepath.Join(path, ManifestName), Problem: err.Error()}, nil
	case err != nil:
		return nil, nil, err
	}
	var list []target
	next := int64(0)
	for i := range m.Shards {
		s := &m.Shards[i]
		if s.From != next {
			return nil, &Fault{File: filepath.Join(path, ManifestName), Problem: fmt.Sprintf("shard %s begins with episode %d, want %d", s.File, s.From,
				next)}, nil
		}
		next = s.To
		list = append(list, target{filepath.Join(path, s.File), s, &m.Identity})
	}
	if next != m.Config.Episodes {
		return list, &Fault{File: filepath.Join(path, ManifestName),
			Problem: fmt.Sprintf("the export stopped before episode %d of %d; the same powderkeg export goes on", next, m.Config.Episodes)}, nil
	}
	return list, nil, nil
}

// alone returns the target of a file. If a manifest beside it lists it, that must
// hold too.
func alone(path string) target {
	t := target{path: path}
	m, err := ReadManifest(filepath.Dir(path))
	if err != nil {
		return t // a file may well stand alone
	}
	for i := range m.Shards {
		if m.Shards[i].File == filepath.Base(path) {
			t.shard, t.identity = &m.Shards[i], &m.Identity
		}
	}
	return t
}

// check checks a file. Its error is a *Fault, or wraps ErrCorrupt or ErrVersion,
// where the file does not hold.
func (t target) check(ctx context.Context) (episodes, rows int64, err error) {
	if t.shard != nil {
		sum, err := digestOf(t.path)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, 0, &Fault{Problem: "the manifest lists it, and it is not there"}
		}
		if err != nil {
			return 0, 0, err
		}
		if sum != t.shard.SHA256 {
			return 0, 0, &Fault{Problem: fmt.Sprintf("its SHA-256 is %.12s, the manifest says %.12s", sum, t.shard.SHA256)}
		}
	}
	r, err := openReader(t.path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	m, p, err := readMetadata(r)
	if err != nil {
		return 0, 0, err
	}
	if t.shard != nil {
		if fault := t.agree(m); fault != nil {
			return 0, 0, fault
		}
	}
	found := Shard{Returns: make([]float64, p.spec.Seats)}
	rows, err = replayFile(ctx, r, m, p, &found)
	if err == nil && t.shard != nil {
		switch {
		case rows != t.shard.Rows:
			err = &Fault{Problem: fmt.Sprintf("it has %d rows, the manifest says %d", rows, t.shard.Rows)}
		case !slices.Equal(found.Returns, t.shard.Returns) || found.Truncated != t.shard.Truncated:
			err = &Fault{Problem: fmt.Sprintf("its returns add up to %v with %d episodes cut off, the manifest says %v and %d",
				found.Returns, found.Truncated, t.shard.Returns, t.shard.Truncated)}
		}
	}
	return m.To - m.From, rows, err
}

func readMetadata(r reader) (*Metadata, *plan, error) {
	data, err := r.metadata()
	if err != nil {
		return nil, nil, err
	}
	return parseMetadata(data)
}

// agree says whether a file is of the manifest's dataset.
func (t target) agree(m *Metadata) *Fault {
	if string(encode(m.Identity)) != string(encode(t.identity)) || m.From != t.shard.From || m.To != t.shard.To {
		return &Fault{Problem: "its metadata are not those of the manifest"}
	}
	return nil
}

// replayFile replays a file, counts its ends in found and returns how many rows it has.
func replayFile(ctx context.Context, r reader, m *Metadata, p *plan, found *Shard) (int64, error) {
	v, err := newVerifier(p, m.From)
	if err != nil {
		return 0, err
	}
	var b Batch
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := r.next(&b, p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, err
		}
		if fault := v.batch(&b); fault != nil {
			return 0, fault
		}
		found.add(&b)
	}
	if fault := v.end(m.To); fault != nil {
		return 0, fault
	}
	return v.rows, nil
}
