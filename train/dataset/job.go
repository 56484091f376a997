//go:build !library

package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"

	"powderkeg/train/job"
)

// ExportKind is the kind of jobs that make a file of a dataset (DoExport).
const ExportKind = "export"

// exportPayload is the JSON of a job: shard number Shard of the dataset that the manifest, whose
// shards are left out, describes.
type exportPayload struct {
	Manifest Manifest `json:"dataset"`
	Shard    int      `json:"shard"`
}

// A result is the length of the JSON of the Shard as four bytes, little-endian, that JSON, and
// the file.

// exportElsewhere has the files made that are missing. They come in any order and are written
// as they come.
func exportElsewhere(ctx context.Context, c *Collector, l *lister, o Options) error {
	m, p := l.result.Manifest, c.plan
	first := len(m.Shards)
	base := *m
	base.Shards = nil
	var jobs []*job.Job
	for n := range m.missing(p) {
		jobs = append(jobs, &job.Job{Kind: ExportKind, Seed: p.config.Seed, Payload: encode(exportPayload{base, first + n})})
	}
	if len(jobs) == 0 {
		return nil
	}
	return o.Hands.Do(ctx, jobs, nil, func(n int, result []byte) error {
		s, data, err := readShard(result, m.shard(p, first+n))
		if err != nil {
			return err
		}
		if _, err := replace(filepath.Join(l.dir, s.File), func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			return err
		}
		if err := l.add(first+n, s); err != nil {
			return err
		}
		l.progress(s.To - s.From)
		return nil
	})
}

// readShard reads a result, which must be of the shard that is wanted.
func readShard(result []byte, want *Shard) (*Shard, []byte, error) {
	if len(result) < 4 {
		return nil, nil, fmt.Errorf("%w: %d bytes", job.ErrResult, len(result))
	}
	size, rest := int(binary.LittleEndian.Uint32(result)), result[4:]
	if size > len(rest) {
		return nil, nil, fmt.Errorf("%w: %d bytes, not %d", job.ErrResult, len(rest), size)
	}
	var s Shard
	if err := json.Unmarshal(rest[:size], &s); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", job.ErrResult, err)
	}
	data := rest[size:]
	*want = Shard{File: want.File, From: want.From, To: want.To, Rows: s.Rows, Truncated: s.Truncated, Returns: s.Returns, Size: int64(len(data)),
		SHA256: digest(data)}
	if !reflect.DeepEqual(&s, want) {
		return nil, nil, fmt.Errorf("%w: it is of %s with SHA-256 %s, not of %s with %s", job.ErrResult, s.File, s.SHA256, want.File, want.SHA256)
	}
	return &s, data, nil
}

// DoExport makes the file of a job of ExportKind.
func DoExport(ctx context.Context, j *job.Job, _ func(job.Digest) ([]byte, error)) ([]byte, error) {
	var e exportPayload
	if err := json.Unmarshal(j.Payload, &e); err != nil {
		return nil, err
	}
	c, err := NewCollector(e.Manifest.Config)
	if err != nil {
		return nil, err
	}
	own, err := c.plan.identity()
	if err != nil {
		return nil, err
	}
	if there := written(encode(e.Manifest.Identity)); there != written(encode(own)) {
		return nil, fmt.Errorf("the dataset is %s, this program would make %s", there, encode(own))
	}
	if err := e.Manifest.FileFormat.check(e.Manifest.Compression); err != nil {
		return nil, err
	}
	if m := &e.Manifest; m.ShardEpisodes < 1 || e.Shard < 0 || int64(e.Shard) > (c.plan.config.Episodes-1)/m.ShardEpisodes {
		return nil, fmt.Errorf("there is no shard %d", e.Shard)
	}
	s := e.Manifest.shard(c.plan, e.Shard)
	var file bytes.Buffer
	if err := s.make(ctx, &file, c, &e.Manifest, Options{Workers: 1}); err != nil {
		return nil, err
	}
	s.Size, s.SHA256 = int64(file.Len()), digest(file.Bytes())
	text := encode(s)
	result := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	return append(append(result, text...), file.Bytes()...), nil
}
