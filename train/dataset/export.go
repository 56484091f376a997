//go:build !library

package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/memory"
	"powderkeg/train/job"
)

// Options of Export. The zero value of a field is its default.
type Options struct {
	Format      Format      // Parquet
	Compression Compression // the first of Format.Compressions
	// ShardEpisodes is how many episodes a file holds, the last one aside; by default
	// so many that the file stays below some hundred thousand rows.
	ShardEpisodes int64
	// Workers is how many goroutines play, 1, and how many files are made at once at most. The
	// files do not depend on it.
	Workers int
	// Hands, if not nil, make the files somewhere else, each a job. They are the same.
	Hands job.Hands
	// Progress, if not nil, is called from time to time by one goroutine at a time.
	Progress func(done, total int64)
}

// defaultShard is the default ShardEpisodes in batches.
const defaultShard = 16

func (o *Options) complete(c *Collector) error {
	if o.Format == "" {
		o.Format = Parquet
	}
	if list := o.Format.Compressions(); o.Compression == "" && list != nil {
		o.Compression = list[0]
	}
	if err := o.Format.check(o.Compression); err != nil {
		return err
	}
	if o.ShardEpisodes == 0 {
		o.ShardEpisodes = defaultShard * c.BatchEpisodes()
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.ShardEpisodes < 0 || o.Workers < 0 {
		return fmt.Errorf("%w: %d episodes per shard and %d workers; want 1 or more, or 0 for the default", option.ErrUsage, o.ShardEpisodes, o.Workers)
	}
	return nil
}

// Result tells what Export has done.
type Result struct {
	Manifest *Manifest
	// Made counts the shards that were written by this call; the others were there.
	Made int
}

// Export plays the episodes of a config and writes them to files in the folder
// dir, which it makes. Files appear whole. An export that was stopped at any
// moment goes on with its first missing file when it is called again with the
// same config and format, and ends with the same bytes as one that was not
// (given agents that repeat themselves, see Config). One export at a time may
// write to a folder. Errors about arguments or a folder with other contents wrap
// option.ErrUsage.
func Export(ctx context.Context, dir string, c Config, o Options) (r Result, err error) {
	collector, err := NewCollector(c)
	if err != nil {
		return Result{}, err
	}
	if err := o.complete(collector); err != nil {
		return Result{}, err
	}
	if err := durable.Claim(dir, "dataset", ManifestName); err != nil {
		return Result{}, err
	}
	release, err := durable.Lock(dir, "folder")
	if errors.Is(err, durable.ErrInUse) {
		return Result{}, err
	} else if err != nil {
		return Result{}, option.Wrong(err)
	}
	defer func() { err = errors.Join(err, release()) }()
	return export(ctx, dir, collector, o)
}

// export is Export in a folder of this process's own.
func export(ctx context.Context, dir string, collector *Collector, o Options) (Result, error) {
	p := collector.plan
	identity, err := p.identity()
	if err != nil {
		return Result{}, err
	}
	m, err := settle(dir, Manifest{Identity: identity, FileFormat: o.Format, Compression: o.Compression, ShardEpisodes: o.ShardEpisodes,
		Shards: []Shard{}})
	if err != nil {
		return Result{}, err
	}
	r := Result{Manifest: m}
	l := &lister{
		dir: dir, result: &r, whole: map[int]*Shard{},
		played: int64(len(m.Shards)) * o.ShardEpisodes, total: p.config.Episodes, tell: o.Progress,
	}
	if o.Hands != nil {
		err = exportElsewhere(ctx, collector, l, o)
	} else {
		err = exportHere(ctx, collector, l, o)
	}
	if err != nil {
		return r, err
	}
	return r, m.writeCard(dir, p)
}

// exportHere makes the files that are missing. Writing a file takes longer than playing its
// episodes and is the work of one goroutine, so that several are made at once.
func exportHere(ctx context.Context, c *Collector, l *lister, o Options) error {
	m := l.result.Manifest
	first, count := len(m.Shards), m.missing(c.plan)
	if count <= 0 {
		return nil
	}
	files := int(min(int64(o.Workers), int64(count), max(1, int64(memory.Usable()/c.plan.fileBytes(m)))))
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for f := range files {
		mine := o
		mine.Workers = (f+1)*o.Workers/files - f*o.Workers/files
		group.Go(func() error {
			for n := int(next.Add(1)) - 1; n < count; n = int(next.Add(1)) - 1 {
				if err := exportFile(ctx, c, l, m.shard(c.plan, first+n), first+n, mine); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// exportFile plays, writes and lists one file.
func exportFile(ctx context.Context, c *Collector, l *lister, s *Shard, n int, o Options) error {
	o.Progress = func(episodes, _ int64) { l.progress(episodes) }
	written, err := replace(filepath.Join(l.dir, s.File), func(out io.Writer) error { return s.make(ctx, out, c, l.result.Manifest, o) })
	if err != nil {
		return err
	}
	s.Size, s.SHA256 = written.size, written.sha256
	return l.add(n, s)
}

// missing returns how many files are still to be made.
func (m *Manifest) missing(p *plan) int {
	return int((p.config.Episodes+m.ShardEpisodes-1)/m.ShardEpisodes) - len(m.Shards)
}

// fileBytes is about what a file takes at most while one worker makes it: its batches, and
// of NPZ all of its rows.
func (p *plan) fileBytes(m *Manifest) memory.Size {
	rows := memory.Of(3, int(p.batchRows())) // two workers' batches and one that is written
	if m.FileFormat == NPZ {
		rows = rows.Plus(memory.Size(p.longest()).Times(min(m.ShardEpisodes, p.config.Episodes)))
	}
	return rows.Times(p.rowBytes())
}

// lister lists files in the order of their numbers, in whatever order they come: the manifest
// has those before which none is missing, so that an export that is stopped goes on there.
type lister struct {
	dir           string
	mu            sync.Mutex // guards the rest
	result        *Result
	whole         map[int]*Shard          // behind one that is missing
	played, total int64                   // episodes
	tell          func(done, total int64) // Options.Progress
}

// progress tells that so many more episodes have been played.
func (l *lister) progress(episodes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.played += episodes; l.tell != nil {
		l.tell(l.played, l.total)
	}
}

// add lists a file that is whole, and those that have waited for it.
func (l *lister) add(n int, s *Shard) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.result.Manifest
	l.whole[n] = s
	for next := l.whole[len(m.Shards)]; next != nil; next = l.whole[len(m.Shards)] {
		delete(l.whole, len(m.Shards))
		if err := l.result.add(l.dir, next); err != nil {
			return err
		}
	}
	return nil
}

// add lists a shard that is whole.
func (r *Result) add(dir string, s *Shard) error {
	r.Manifest.Shards = append(r.Manifest.Shards, *s)
	r.Made++
	return r.Manifest.write(dir)
}

// shard says which episodes shard n has, of a dataset that has such a one.
func (m *Manifest) shard(p *plan, n int) *Shard {
	from := int64(n) * m.ShardEpisodes
	return &Shard{
		File: fmt.Sprintf("%s-%05d.%s", p.spec.Name, n, m.FileFormat), From: from, To: min(from+m.ShardEpisodes, p.config.Episodes),
		Returns: make([]float64, p.spec.Seats),
	}
}

// make plays and writes one file.
func (s *Shard) make(ctx context.Context, out io.Writer, c *Collector, m *Manifest, o Options) error {
	p := c.plan
	w, err := newWriter(out, m.FileFormat, m.Compression, p.metadata(m.Identity, s.From, s.To), p.shape())
	if err != nil {
		return err
	}
	err = c.Collect(ctx, s.From, s.To, o.Workers, func(b *Batch) error {
		s.Rows += int64(b.Rows())
		s.add(b)
		if o.Progress != nil {
			o.Progress(b.Episodes[b.Rows()-1]+1-b.Episodes[0], p.config.Episodes)
		}
		return w.write(b)
	})
	if err != nil {
		return err // and the file is given up, so that nothing is left to close
	}
	return w.close()
}

// differences lists in what two datasets differ, nil if a shard of the one could
// be a shard of the other.
func differences(have, want *Manifest) []string {
	a, b := flat(have), flat(want)
	names := make([]string, 0, len(b))
	for name := range b {
		names = append(names, name)
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		if x, y := written(a[name]), written(b[name]); x != y {
			lines = append(lines, fmt.Sprintf("%s is %s there, %s here", strings.ReplaceAll(name, "_", " "), x, y))
		}
	}
	return lines
}

// written is a value of JSON, or that there is none.
func written(v json.RawMessage) string {
	if v == nil {
		return "not set"
	}
	return string(v)
}

// flat returns the fields of a manifest, those of its config among them, without
// the shards.
func flat(m *Manifest) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for _, v := range []any{m, m.Config} {
		data, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(data, &fields)
		}
		if err != nil {
			panic(fmt.Sprintf("dataset: %v", err)) // see encode
		}
	}
	delete(fields, "config")
	delete(fields, "shards")
	return fields
}
