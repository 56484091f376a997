package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"powderkeg/env/file"
)

// spent returns what a call takes of memory, freed or not.
func spent(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// headed begins an array with a header of version 1.
func headed(text string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text) + 1), 0}) + text + "\n"
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// folderOf makes a dataset of one file, with its right size and digest, and returns its path.
func folderOf(t *testing.T, c *Collector, f Format, codec Compression, rows int64, write func(io.Writer) error) string {
	t.Helper()
	dir := t.TempDir()
	identity, err := c.plan.identity()
	if err != nil {
		t.Fatal(err)
	}
	s := Shard{File: "kuhn-00000." + string(f), To: c.Config().Episodes, Rows: rows, Returns: []float64{0, 0}}
	done, err := replace(filepath.Join(dir, s.File), write)
	if err != nil {
		t.Fatal(err)
	}
	s.Size, s.SHA256 = done.size, done.sha256
	m := Manifest{Identity: identity, FileFormat: f, Compression: codec, ShardEpisodes: s.To, Shards: []Shard{s}}
	if err := m.write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bomb writes an NPZ file with so many rows of nothing, without having them. Change gives a
// column other bytes.
func bomb(c *Collector, rows int, change func(name string) (head string, size int64)) func(io.Writer) error {
	return func(out io.Writer) error {
		identity, err := c.plan.identity()
		if err != nil {
			return err
		}
		w := newNPZWriter(out, Deflate, c.plan.metadata(identity, 0, c.Config().Episodes), c.plan.shape()).(*npzWriter)
		if err := w.array(metadataArray, npyTypes[arrow.UINT8], 1, pointer(encode(w.meta))); err != nil {
			return err
		}
		array := func(name, npyType string, rows, width int) error {
			f, err := w.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Deflate})
			if err != nil {
				return err
			}
			dims := fmt.Sprintf("(%d,)", rows)
			if width > 1 {
				dims = fmt.Sprintf("(%d, %d)", rows, width)
			}
			head, size := headed(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npyType, dims)), int64(rows*width)*int64(npyType[2]-'0')
			if h, s := change(name); h != "" {
				head, size = h, s
			}
			if _, err := io.WriteString(f, head); err != nil {
				return err
			}
			_, err = io.CopyN(f, zeros{}, size)
			return err
		}
		for _, column := range new(Batch).columns(c.plan.shape()) {
			if column.kind != list {
				if err := array(column.name, column.npyType(), rows, max(column.width, 1)); err != nil {
					return err
				}
				continue
			}
			if err := errors.Join(array(column.name, column.npyType(), 0, 1), array(column.name+offsetsSuffix, npyTypes[arrow.INT32], rows+1, 1)); err != nil {
				return err
			}
		}
		return w.zip.Close()
	}
}

// nothing is a batch of rows that no game has, which pack to next to nothing.
func nothing(s shape, rows int) *Batch {
	b := &Batch{
		Observations: make([]float32, rows*s.observation), Masks: make([]uint8, rows*s.actions), Actions: make([]int32, rows),
		Rewards: make([]float32, rows*s.seats), Returns: make([]float32, rows*s.seats), Actors: make([]int8, rows), Episodes: make([]int64, rows),
		Steps: make([]int32, rows), Terminated: make([]uint8, rows), Truncated: make([]uint8, rows), Seeds: make([]uint64, rows), Hashes: make([]uint64,
			rows),
	}
	for _, offsets := range []*[]int32{&b.Opening.Offsets, &b.Chance.Offsets, &b.Finals.Offsets} {
		*offsets = make([]int32, rows+1)
	}
	return b
}

// A file of some hundred kB unpacks to a hundred MB or more. What is read of it is little, or
// what says how much it is.
func TestFilesThatUnpackToMuchAreRefused(t *testing.T) {
	const rows = 1 << 20
	c := collector(t, Config{Game: "kuhn", Agents: []string{"random"}, Episodes: rows, Seed: 1})
	same := func(string) (string, int64) { return "", 0 }
	only := func(column, head string, size int64) func(string) (string, int64) {
		return func(name string) (string, int64) {
			if name != column {
				return "", 0
			}
			return head, size
		}
	}
	batch := func(f Format, codec Compression) func(io.Writer) error {
		return func(out io.Writer) error {
			identity, err := c.plan.identity()
			if err != nil {
				return err
			}
			w, err := newWriter(out, f, codec, c.plan.metadata(identity, 0, rows), c.plan.shape())
			if err != nil {
				return err
			}
			return errors.Join(w.write(nothing(c.plan.shape(), rows)), w.close())
		}
	}
	for name, test := range map[string]struct {
		format Format
		codec  Compression
		write  func(io.Writer) error
		want   string
		most   uint64 // bytes of memory
	}{
		"npz rows": {NPZ, Deflate, bomb(c, rows, same), "row 0", 16 << 20},
		"npz claim": {NPZ, Deflate, bomb(c, rows, only("observation", headed("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 11), }"),
			100)), "array observation: it has 999999999999 rows, want 1048576", 16 << 20},
		"npz header": {NPZ, Deflate, bomb(c, 10, only("observation", "\x93NUMPY\x02\x00\x00\x00\x00\x70", 64<<20)),
			"its header has 1879048192 bytes, the most is 4096", 16 << 20},
		"npz longer": {NPZ, Deflate, bomb(c, 10, only("seed", headed("{'descr': '<u8', 'fortran_order': False, 'shape': (10,), }"), 64<<20)),
			"array seed: ", 16 << 20},
		"arrow lz4":   {Arrow, LZ4, batch(Arrow, LZ4), "its rows unpack to more than 67108864 bytes at once", 256 << 20},
		"arrow zstd":  {Arrow, Zstd, batch(Arrow, Zstd), "its rows unpack to more than 67108864 bytes at once", 256 << 20},
		"parquet":     {Parquet, Zstd, batch(Parquet, Zstd), "row 0", 64 << 20},
		"parquet raw": {Parquet, Snappy, batch(Parquet, Snappy), "row 0", 64 << 20},
	} {
		dir := folderOf(t, c, test.format, test.codec, rows, test.write)
		var r *Report
		var err error
		took := spent(func() { r, err = Check(t.Context(), []string{dir}, nil) })
		if err != nil || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Error(), test.want) || strings.Contains(r.Faults[0].Error(), "\n") {
			t.Errorf("%s: faults %v, error %v, want one line with %q", name, r, err, test.want)
		}
		if took > test.most {
			t.Errorf("%s took %d bytes of memory, want at most %d", name, took, test.most)
		}
	}
}

// A page may unpack to more than it says.
func TestPagesUnpackIntoTheirOwnRoom(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := make([]byte, 64<<20)
	for name, c := range map[string]struct {
		packed []byte
		decode func(dst, src []byte) ([]byte, error)
	}{"zstd": {z.EncodeAll(plain, nil), decodeZstd}, "snappy": {snappy.Encode(nil, plain), decodeSnappy}} {
		_, _ = c.decode(make([]byte, 1), nil) // makes the decoder
		var err error
		if took := spent(func() { _, err = c.decode(make([]byte, 1000), c.packed) }); err == nil || took > 8<<20 {
			t.Errorf("%s: error %v after %d bytes", name, err, took)
		}
		if data, err := c.decode(make([]byte, len(plain)), c.packed); err != nil || !bytes.Equal(data, plain) {
			t.Errorf("%s with room enough: %d bytes, %v", name, len(data), err)
		}
	}
}

// Every key is given each kind of rubbish, with a right digest where there is one.
func TestRubbishInAManifestOrItsFilesIsRefused(t *testing.T) {
	c := collector(t, Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 20, Seed: 1})
	rubbish := []string{`null`, `true`, `-1`, `1.5`, `1e300`, `99999999999999999999`, `"rubbish"`, `"kuhn(rubbish=1)"`, `[]`, `[1]`, `["rubbish"]`,
		`["random","mcts(sims=-1)"]`, `{"a":1}`,
		`[` + strings.Repeat(`{},`, 1<<17) + `{}]`, strings.Repeat("[", 1<<16)}
	all := gathered(t, c)
	// What may be left out, or is another true statement.
	fits := func(key, value string) bool {
		return slices.Contains([]string{"config.start null", "config.max_decisions null", "config.logits null", "config.text null", "config.seed null",
			"config.logits true", "shards null", "shards []", "shards.0.from null", "shards.0.truncated null", "from null"}, key+" "+value)
	}
	for _, key := range []string{"format", "config", "config.game", "config.agents", "config.episodes", "config.seed", "config.start",
		"config.max_decisions", "config.logits", "config.text", "config.options",
		"weights", "rules", "encoding", "layout_hash", "vocabulary_hash", "file_format", "compression", "shard_episodes", "shards", "shards.0",
		"shards.0.file", "shards.0.from", "shards.0.to", "shards.0.rows",
		"shards.0.size", "shards.0.sha256", "shards.0.returns", "shards.0.truncated", "unknown"} {
		for _, value := range rubbish {
			if fits(key, value) || key == "unknown" && value == "null" {
				continue
			}
			dir := folderOf(t, c, NPZ, Deflate, int64(all.Rows()), func(out io.Writer) error { return writeAll(out, c, all, nil) })
			text, err := os.ReadFile(filepath.Join(dir, ManifestName))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, ManifestName), edited(t, text, key, value), 0o644); err != nil {
				t.Fatal(err)
			}
			refused(t, "manifest: "+key, value, dir)
		}
	}
	for _, key := range []string{"format", "config", "config.game", "config.agents", "config.episodes", "config.start", "config.max_decisions",
		"config.logits", "config.text", "config.options",
		"weights", "rules", "encoding", "layout_hash", "vocabulary_hash", "from", "to", "actions", "outcomes", "layout", "unknown"} {
		for _, value := range rubbish {
			if fits(key, value) || key == "unknown" && value == "null" {
				continue
			}
			path := filepath.Join(t.TempDir(), "alone.npz")
			out, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(writeAll(out, c, all, func(meta []byte) []byte { return edited(t, meta, key, value) }), out.Close()); err != nil {
				t.Fatal(err)
			}
			refused(t, "metadata: "+key, value, path)
		}
	}
}

// writeAll writes a whole file whose metadata are changed.
func writeAll(out io.Writer, c *Collector, all *Batch, change func([]byte) []byte) error {
	identity, err := c.plan.identity()
	if err != nil {
		return err
	}
	m := c.plan.metadata(identity, 0, c.Config().Episodes)
	w := newNPZWriter(out, Deflate, m, c.plan.shape()).(*npzWriter)
	if err := w.write(all); err != nil || change == nil {
		return errors.Join(err, w.close())
	}
	text := change(encode(m))
	if err := w.array(metadataArray, npyTypes[arrow.UINT8], 1, &text); err != nil {
		return err
	}
	for _, column := range w.all.columns(w.shape) {
		if err := w.array(column.name, column.npyType(), max(column.width, 1), column.values); err != nil {
			return err
		}
		if column.offsets != nil {
			if err := w.array(column.name+offsetsSuffix, npyTypes[arrow.INT32], 1, column.offsets); err != nil {
				return err
			}
		}
	}
	return w.zip.Close()
}

// edited sets a key, such as shards.0.size, of a JSON object to a text that need not be JSON.
func edited(t *testing.T, text []byte, key, value string) []byte {
	t.Helper()
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	path, at := strings.Split(key, "."), whole
	const mark = "here it goes"
	for i, name := range path {
		last := i == len(path)-1
		if list, ok := at.([]any); ok {
			if last {
				list[0] = mark
			}
			at = list[0]
			continue
		}
		object := at.(map[string]any)
		if last {
			object[name] = mark
		}
		at = object[name]
	}
	out, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(out, []byte(`"`+mark+`"`), []byte(value), 1)
}

func refused(t *testing.T, what, value, path string) {
	t.Helper()
	var r *Report
	var err error
	took := spent(func() { r, err = Check(t.Context(), []string{path}, nil) })
	if err != nil || len(r.Faults) == 0 {
		t.Errorf("%s: %.40s is accepted: %v, error %v", what, value, r, err)
		return
	}
	if line := r.Faults[0].Error(); strings.Contains(line, "\n") || len(line) > 1000 {
		t.Errorf("%s: %.40s: the fault is %d bytes, or of several lines: %.300q", what, value, len(line), line)
	}
	if took > 24<<20 {
		t.Errorf("%s: %.40s took %d bytes of memory", what, value, took)
	}
}

// A named pipe without a writer would make the test hang.
func TestWhatIsNoFileIsNotWaitedFor(t *testing.T) {
	for _, f := range Formats {
		path := filepath.Join(t.TempDir(), "data."+string(f))
		if err := os.Symlink(os.DevNull, path); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(t.Context(), []string{path}, nil); !errors.Is(err, file.ErrIrregular) || !strings.Contains(err.Error(), path+" is a device") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
