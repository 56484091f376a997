package dataset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/dataset"
)

var (
	small      = dataset.Config{Game: "leduc", Agents: []string{"scripted", "random"}, Episodes: 95, Seed: 3, Text: true}
	smallShard = dataset.Options{ShardEpisodes: 20}
)

// export exports and returns the manifest.
func export(t *testing.T, dir string, c dataset.Config, o dataset.Options) dataset.Result {
	t.Helper()
	r, err := dataset.Export(t.Context(), dir, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// contents returns all files of a folder by name, hidden ones included.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is a file %s too many", what, name)
		}
	}
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s: %s is missing or has other bytes", what, name)
		}
	}
}

// checked proves a folder and returns the report.
func checked(t *testing.T, paths ...string) *dataset.Report {
	t.Helper()
	r, err := dataset.Check(t.Context(), paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFilesAreEqualByteForByteWhateverTheWorkers(t *testing.T) {
	for _, format := range dataset.Formats {
		for _, codec := range format.Compressions() {
			o := smallShard
			o.Format, o.Compression = format, codec
			var want map[string]string
			for _, workers := range []int{1, 2, 5} {
				dir := t.TempDir()
				o.Workers = workers
				r := export(t, dir, small, o)
				if len(r.Manifest.Shards) != 5 || r.Made != 5 {
					t.Errorf("%s: %d files, %d made, want 5", format, len(r.Manifest.Shards), r.Made)
				}
				if want == nil {
					want = contents(t, dir)
					if report := checked(t, dir); len(report.Faults) > 0 || report.Episodes != 95 || report.Files != 5 {
						t.Errorf("%s: the check reports %+v", format, report)
					}
					continue
				}
				sameFiles(t, string(format)+" with "+string(codec), contents(t, dir), want)
			}
		}
	}
}

// An export that is stopped in the middle of any file goes on to the same bytes. Several
// workers make files at once, of which those behind one that is not whole are made again.
func TestStoppedExportGoesOn(t *testing.T) {
	long := small
	long.Episodes, long.Text = 6000, false
	options := dataset.Options{ShardEpisodes: 1500, Workers: 1}
	whole := t.TempDir()
	export(t, whole, long, options)
	want := contents(t, whole)
	for _, workers := range []int{1, 2, 5} {
		options.Workers = workers
		for file, stop := range []int64{1, 1501, 3001, 4501} { // within each file, whose first batch has 1024
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			o := options
			o.Progress = func(done, _ int64) {
				if done >= stop {
					cancel()
				}
			}
			if _, err := dataset.Export(ctx, dir, long, o); !errors.Is(err, context.Canceled) {
				t.Fatalf("%d workers, stopped at %d: error %v, want context.Canceled", workers, stop, err)
			}
			if r := export(t, dir, long, options); r.Made != 4-file && (workers == 1 || r.Made < 4-file) {
				t.Errorf("%d workers, stopped at %d: %d files were made afterwards, want %d", workers, stop, r.Made, 4-file)
			}
			sameFiles(t, "stopped", contents(t, dir), want)
		}
	}
}

// Progress counts the episodes of all files, and ends with all of them.
func TestProgressCountsEpisodes(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		o, last := smallShard, int64(0)
		o.Workers = workers
		o.Progress = func(done, total int64) {
			if done <= last || total != small.Episodes {
				t.Errorf("%d workers: %d of %d episodes after %d", workers, done, total, last)
			}
			last = done
		}
		if export(t, t.TempDir(), small, o); last != small.Episodes {
			t.Errorf("%d workers: the progress ends at %d of %d episodes", workers, last, small.Episodes)
		}
	}
}

// A kill at any moment leaves one of these folders.
func TestKilledExportGoesOn(t *testing.T) {
	whole := t.TempDir()
	export(t, whole, small, smallShard)
	want := contents(t, whole)
	for shard := range 5 {
		for _, c := range []struct {
			name string
			at   func(dir string, m *dataset.Manifest)
		}{
			{"while a file was written", func(dir string, m *dataset.Manifest) {
				name := m.Shards[shard].File
				os.Rename(filepath.Join(dir, name), filepath.Join(dir, "."+name+".tmp"))
				os.Truncate(filepath.Join(dir, "."+name+".tmp"), 100)
				m.Shards = m.Shards[:shard]
			}},
			{"before the manifest was written", func(dir string, m *dataset.Manifest) { m.Shards = m.Shards[:shard] }},
			{"while the manifest was written", func(dir string, m *dataset.Manifest) {
				os.WriteFile(filepath.Join(dir, "."+dataset.ManifestName+".tmp"), []byte("{"), 0o666)
				m.Shards = m.Shards[:shard]
			}},
			{"and a file was cut", func(dir string, m *dataset.Manifest) { os.Truncate(filepath.Join(dir, m.Shards[shard].File), 100) }},
			{"and a file was removed", func(dir string, m *dataset.Manifest) { os.Remove(filepath.Join(dir, m.Shards[shard].File)) }},
		} {
			dir := t.TempDir()
			for name, data := range want {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			m, err := dataset.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			c.at(dir, m)
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, dataset.ManifestName), data, 0o666); err != nil {
				t.Fatal(err)
			}
			if r := export(t, dir, small, smallShard); r.Made != 5-shard {
				t.Errorf("killed %s, file %d: %d files were made afterwards, want %d", c.name, shard, r.Made, 5-shard)
			}
			sameFiles(t, "killed "+c.name, contents(t, dir), want)
		}
	}
}

// The card says of a dataset what its files hold.
func TestTheCard(t *testing.T) {
	dir := t.TempDir()
	config := dataset.Config{Game: "connect4", Agents: []string{"scripted", "random"}, Episodes: 20, Seed: 3, MaxDecisions: 9}
	m := export(t, dir, config, dataset.Options{ShardEpisodes: 15}).Manifest
	data, err := os.ReadFile(filepath.Join(dir, dataset.CardName))
	if err != nil {
		t.Fatal(err)
	}
	rows, cut, first := int64(0), int64(0), 0.0
	for _, s := range m.Shards {
		rows, cut, first = rows+s.Rows, cut+s.Truncated, first+s.Returns[0]
	}
	if cut == 0 || cut == config.Episodes {
		t.Fatalf("%d of %d games are cut off, want some", cut, config.Episodes)
	}
	for _, want := range []string{
		"---\npretty_name: \"Powderkeg: connect4\"\n", `data_files: "connect4-*.parquet"`,
		fmt.Sprintf("20 games with %d decisions", rows), fmt.Sprintf("%d of the games were cut off after 9 decisions.", cut),
		fmt.Sprintf("| 0 | `scripted` | %+.3f |\n| 1 | `random` |", first/20),
		"powderkeg export 'connect4' --agent 'scripted' --agent 'random' --episodes 20 --seed 3 --max-decisions 9 --format parquet --compression zstd " +
			"--shard-episodes 15 --out DIR",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is not in the card:\n%s", want, data)
		}
	}
}

func TestFinishedExportSaysSo(t *testing.T) {
	dir := t.TempDir()
	export(t, dir, small, smallShard)
	if r := export(t, dir, small, smallShard); r.Made != 0 || len(r.Manifest.Shards) != 5 {
		t.Errorf("the second call made %d files of %d, want none of 5", r.Made, len(r.Manifest.Shards))
	}
}

func TestExportRefusals(t *testing.T) {
	taken, other := t.TempDir(), t.TempDir()
	export(t, taken, small, smallShard)
	if err := os.WriteFile(filepath.Join(other, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, dataset.ManifestName), []byte(`{"format":"powderkeg-dataset/7"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		dir    string
		change func(*dataset.Config, *dataset.Options)
		want   string
	}{
		{"format", "", func(_ *dataset.Config, o *dataset.Options) { o.Format = "csv" }, `unknown format "csv"; formats: parquet, arrow, npz`},
		{"codec", "", func(_ *dataset.Config, o *dataset.Options) { o.Format, o.Compression = dataset.NPZ, "zstd" },
			`npz files have no compression "zstd"; they have deflate, none`},
		{"workers", "", func(_ *dataset.Config, o *dataset.Options) { o.Workers = -1 }, "-1 workers; want 1 or more"},
		{"shards", "", func(_ *dataset.Config, o *dataset.Options) { o.ShardEpisodes = -1 }, "-1 episodes per shard"},
		{"agent", "", func(c *dataset.Config, _ *dataset.Options) { c.Agents[1] = "deep" }, `unknown agent "deep"`},
		{"not empty", other, func(*dataset.Config, *dataset.Options) {}, "is not empty and holds no dataset (thesis.tex is in it); choose another folder"},
		{"other version", broken, func(*dataset.Config, *dataset.Options) {}, `it has format "powderkeg-dataset/7"`},
		{"a file", filepath.Join(other, "thesis.tex"), func(*dataset.Config, *dataset.Options) {}, "thesis.tex is a file, not a folder"},
		{"other seed", taken, func(c *dataset.Config, _ *dataset.Options) { c.Seed = 4 },
			"holds another dataset: seed is 3 there, 4 here; choose another folder"},
		{"other agents", taken, func(c *dataset.Config, _ *dataset.Options) { c.Agents = []string{"random"} },
			`agents is ["scripted","random"] there, ["random","random"] here`},
		{"more episodes", taken, func(c *dataset.Config, _ *dataset.Options) { c.Episodes = 96 }, "episodes is 95 there, 96 here"},
		{"no text", taken, func(c *dataset.Config, _ *dataset.Options) { c.Text = false }, "text is true there, not set here"},
		{"truncated", taken, func(c *dataset.Config, _ *dataset.Options) { c.MaxDecisions = 9 }, "max decisions is not set there, 9 here"},
		{"other shards", taken, func(_ *dataset.Config, o *dataset.Options) { o.ShardEpisodes = 30 }, "shard episodes is 20 there, 30 here"},
		{"other format", taken, func(_ *dataset.Config, o *dataset.Options) { o.Format = dataset.NPZ },
			`compression is "zstd" there, "deflate" here, file format is "parquet" there, "npz" here`},
	} {
		dir := c.dir
		if dir == "" {
			dir = t.TempDir()
		}
		config, o := small, smallShard
		config.Agents = []string{"scripted", "random"}
		c.change(&config, &o)
		_, err := dataset.Export(t.Context(), dir, config, o)
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v, want one line of wrong usage with %q", c.name, err, c.want)
		}
	}
}

// Of a folder the manifest and the digests are checked, and what they do not
// cover: a file that is gone or an export that was stopped.
func TestCheckOfAFolder(t *testing.T) {
	whole := t.TempDir()
	export(t, whole, small, smallShard)
	want := contents(t, whole)
	name := "leduc-00002.parquet"
	for _, c := range []struct {
		name   string
		change func(files map[string]string)
		want   string
	}{
		{"byte", func(f map[string]string) { f[name] = f[name][:500] + "~" + f[name][501:] }, name + ": its SHA-256 is"},
		{"swapped files", func(f map[string]string) { f[name] = f["leduc-00001.parquet"] }, name + ": its SHA-256 is"},
		{"gone", func(f map[string]string) { delete(f, name) }, name + ": the manifest lists it, and it is not there"},
		{"manifest", func(f map[string]string) { f[dataset.ManifestName] = "{" }, "_dataset.json: "},
		{"path", func(f map[string]string) {
			f[dataset.ManifestName] = strings.Replace(f[dataset.ManifestName], name, "../"+name, 1)
		}, `has the path \"../leduc`},
		{"rows", func(f map[string]string) { addRow(t, f) }, "rows, the manifest says"},
		{"returns", func(f map[string]string) {
			f[dataset.ManifestName] = strings.Replace(f[dataset.ManifestName], `"truncated":0`, `"truncated":1`, 1)
		}, "its returns add up to"},
		{"seed", func(f map[string]string) {
			f[dataset.ManifestName] = strings.Replace(f[dataset.ManifestName], `"seed":3`, `"seed":4`, 1)
		}, "its metadata are not those of the manifest"},
		{"stopped", func(f map[string]string) { dropShard(t, f) }, "the export stopped before episode 80 of 95"},
	} {
		files := map[string]string{}
		for k, v := range want {
			files[k] = v
		}
		c.change(files)
		dir := t.TempDir()
		for k, v := range files {
			if err := os.WriteFile(filepath.Join(dir, k), []byte(v), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r := checked(t, dir)
		if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Error(), strings.ReplaceAll(c.want, `\"`, `"`)) {
			t.Errorf("%s: the faults are %+v, want %q", c.name, r.Faults, c.want)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(whole, "none"): "no such file",
		t.TempDir():                  "it has no _dataset.json",
		"export_test.go":             "is no file of a dataset; they end in .parquet, .arrow, .npz",
	} {
		if _, err := dataset.Check(t.Context(), []string{path}, nil); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want wrong usage with %q", path, err, want)
		}
	}
}

// edit changes the manifest among files.
func edit(t *testing.T, files map[string]string, change func(*dataset.Manifest)) {
	t.Helper()
	var m dataset.Manifest
	if err := json.Unmarshal([]byte(files[dataset.ManifestName]), &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	files[dataset.ManifestName] = string(data)
}

func addRow(t *testing.T, files map[string]string) {
	edit(t, files, func(m *dataset.Manifest) { m.Shards[2].Rows++ })
}

func dropShard(t *testing.T, files map[string]string) {
	edit(t, files, func(m *dataset.Manifest) { m.Shards = m.Shards[:4] })
}
