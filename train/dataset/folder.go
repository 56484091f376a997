//go:build !library

package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// ManifestName is the file that describes a dataset's folder. Readers of whole
// folders pass over names that begin with an underscore.
const ManifestName = "_dataset.json"

// Manifest is the JSON of ManifestName. It lists the shards that are whole.
type Manifest struct {
	Identity
	FileFormat    Format      `json:"file_format"`
	Compression   Compression `json:"compression"`
	ShardEpisodes int64       `json:"shard_episodes"`
	Shards        []Shard     `json:"shards"`
}

// Shard is a file of a dataset.
type Shard struct {
	File string `json:"file"`
	// From and To are its episodes, To not included.
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Rows   int64  `json:"rows"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	// Returns are the sums of its episodes' returns per seat, Truncated counts those of
	// them that were cut off.
	Returns   []float64 `json:"returns"`
	Truncated int64     `json:"truncated"`
}

// add counts the ends of episodes among rows that follow those counted so far.
func (s *Shard) add(b *Batch) {
	seats := len(s.Returns)
	for i := range b.Rows() {
		if b.Terminated[i] == 0 && b.Truncated[i] == 0 {
			continue
		}
		s.Truncated += int64(b.Truncated[i])
		for p, x := range b.Returns[i*seats : (i+1)*seats] {
			s.Returns[p] += float64(x)
		}
	}
}

// ReadManifest reads the manifest of a folder. Its errors wrap fs.ErrNotExist if
// there is none, ErrCorrupt or ErrVersion.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := file.Read(path, maxManifest)
	if errors.Is(err, file.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := decode(data, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCorrupt, err)
	}
	return &m, nil
}

// check says what cannot be in any manifest. Its shards were looked at as they came.
func (m *Manifest) check() error {
	if err := m.Identity.check(); err != nil {
		return err
	}
	if err := m.FileFormat.check(m.Compression); err != nil {
		return err
	}
	if m.ShardEpisodes < 1 {
		return fmt.Errorf("shard_episodes is %d, it must be at least 1", m.ShardEpisodes)
	}
	return nil
}

// mostShard bounds the JSON of a shard, in bytes.
const mostShard = 16 << 10

// UnmarshalJSON reads a shard. One that cannot be is refused as it comes, since a list of
// nothing would take many times its bytes.
func (s *Shard) UnmarshalJSON(data []byte) error {
	if len(data) > mostShard {
		return fmt.Errorf("a shard takes %d bytes, the most is %d", len(data), mostShard)
	}
	type plain Shard
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(s)); err != nil {
		return err
	}
	switch {
	case s.File == "" || filepath.Base(s.File) != s.File || len(s.File) > mostNamed:
		return fmt.Errorf("a shard has the path %q, want a name", option.Shorten(s.File))
	case s.From < 0 || s.To <= s.From || s.To > maxEpisodes:
		return fmt.Errorf("shard %s: it says to hold the episodes %d to %d", s.File, s.From, s.To)
	case s.Rows < 0 || s.Size < 0 || s.Truncated < 0 || len(s.Returns) > mostSeats:
		return fmt.Errorf("shard %s: %d rows, %d bytes, %d episodes cut off and %d returns cannot be", s.File, s.Rows, s.Size, s.Truncated, len(s.Returns))
	}
	if err := checkDigest(s.SHA256); err != nil {
		return fmt.Errorf("shard %s: %w", s.File, err)
	}
	return nil
}

// write replaces the manifest of a folder.
func (m *Manifest) write(dir string) error {
	return durable.WriteFile(filepath.Join(dir, ManifestName), append(encode(m), '\n'))
}

// stored describes what replace has written.
type stored struct {
	size   int64
	sha256 string
}

// replace replaces the file at path by what write writes.
func replace(path string, write func(io.Writer) error) (stored, error) {
	sum, count := sha256.New(), &counter{}
	err := durable.Replace(path, func(w io.Writer) error { return write(io.MultiWriter(w, sum, count)) })
	return stored{count.n, hex.EncodeToString(sum.Sum(nil))}, err
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// digestOf returns the SHA-256 of a file.
func digestOf(path string) (string, error) {
	f, err := file.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", errors.Join(err, f.Close())
	}
	return hex.EncodeToString(sum.Sum(nil)), f.Close()
}

// settle prepares the folder, which is this process's own, for the dataset that want describes,
// and returns the manifest to go on from. A folder with something else is refused.
func settle(dir string, want Manifest) (*Manifest, error) {
	have, err := ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &want, want.write(dir)
	}
	if err != nil {
		return nil, option.Wrong(fmt.Errorf("%w; choose another folder", err))
	}
	if lines := differences(have, &want); lines != nil {
		return nil, fmt.Errorf("%w: %s holds another dataset: %s; choose another folder", option.ErrUsage, dir, strings.Join(lines, ", "))
	}
	return have, have.keepWhole(dir)
}

// keepWhole forgets shards whose files are gone or have another size, and all
// behind them.
func (m *Manifest) keepWhole(dir string) error {
	for i, s := range m.Shards {
		info, err := os.Stat(filepath.Join(dir, s.File))
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() != s.Size {
			m.Shards = m.Shards[:i]
			return m.write(dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
