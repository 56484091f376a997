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

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/train/job"
)

// Options of Export. The zero value of a field is its default.
type Options struct {
	Format      Format      // Parquet
	Compression Compression // the first of Format.Compressions
	// ShardEpisodes is how many episodes a file holds, the last one aside; by default
	// so many that the file stays below some hundred thousand rows.
	ShardEpisodes int64
	// Workers is how many goroutines play, 1. The files do not depend on it.
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
// dir, which it makes. Files appear whole, one after another. An export that was
// stopped at any moment goes on with its first missing file when it is called
// again with the same config and format, and ends with the same bytes as one that
// was not (given agents that repeat themselves, see Config). One export at a time
// may write to a folder. Errors about arguments or a folder with other contents
// wrap option.ErrUsage.
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
	m, err := settle(dir, Manifest{Identity: identity, FileFormat: o.Format, Compression: o.Compression, ShardEpisodes: o.ShardEpisodes, Shards: []Shard{}})
	if err != nil {
		return Result{}, err
	}
	r := Result{Manifest: m}
	total := p.config.Episodes
	if o.Hands != nil {
		if err := exportElsewhere(ctx, dir, collector, &r, o); err != nil {
			return r, err
		}
		return r, m.writeCard(dir, p)
	}
	for from := int64(len(m.Shards)) * o.ShardEpisodes; from < total; from += o.ShardEpisodes {
		s := m.shard(p, len(m.Shards))
		written, err := replace(filepath.Join(dir, s.File), func(out io.Writer) error { return s.make(ctx, out, collector, m, o) })
		if err != nil {
			return r, err
		}
		s.Size, s.SHA256 = written.size, written.sha256
		if err := r.add(dir, s); err != nil {
			return r, err
		}
	}
	return r, m.writeCard(dir, p)
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
			o.Progress(b.Episodes[b.Rows()-1]+1, p.config.Episodes)
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
