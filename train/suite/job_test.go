package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// doing are the jobs of the small suite.
func doing(d *Definition) job.Kinds {
	return job.Kinds{Kind: Do(func(version string) (*Definition, error) {
		if version != d.Name {
			return nil, fmt.Errorf("no suite %q", version)
		}
		return d, nil
	})}
}

// archive is the file of a row's games.
func archive(t *testing.T, dir string, r *Row) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, r.ArchiveFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestOthersPlayTheSameRow: bit for bit, whatever comes back first: games of somebody else, that
// are made up or cut, or that took longer than there was time.
func TestOthersPlayTheSameRow(t *testing.T) {
	d := read(t, small)
	want, wantDir := row(t, d, "random")
	change := func(f func(*result)) func([]byte) []byte {
		return func(data []byte) []byte {
			var r result
			if err := json.Unmarshal(data, &r); err != nil {
				t.Error(err)
			}
			f(&r)
			data, err := json.Marshal(r)
			if err != nil {
				t.Error(err)
			}
			return data
		}
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"as they are":       nil,
		"cut":               func(r []byte) []byte { return r[:len(r)/2] },
		"another field":     func(r []byte) []byte { return append([]byte(`{"more":1,`), r[1:]...) },
		"no games":          change(func(r *result) { r.Games = nil }),
		"no record":         change(func(r *result) { r.Games[0].Record = nil }),
		"another place":     change(func(r *result) { r.Games[0].Seat++ }),
		"another unit":      change(func(r *result) { r.Games[0].Unit++ }),
		"another player":    change(func(r *result) { r.Games[0].Record.Players[0] = "nobody" }),
		"a move made up":    change(func(r *result) { r.Games[0].Record.Moves[0] = "win" }),
		"another end":       change(func(r *result) { r.Games[0].Record.Returns[0]++ }),
		"another start":     change(func(r *result) { r.Games[0].Record.Position = json.RawMessage(`{}`) }),
		"another hash":      change(func(r *result) { r.Games[0].Record.Hash = "0" }),
		"before the begin":  change(func(r *result) { r.Seconds = 1e9 }),
		"less than no time": change(func(r *result) { r.Seconds = -1 }),
	} {
		dir := t.TempDir()
		h := &jobtest.Hands{Kinds: doing(d), Spoil: spoil}
		got, err := Run(t.Context(), d, Config{Agent: "random", Dir: dir, Hands: h})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Seconds <= 0 {
			t.Errorf("%s: it took %v s", name, got.Seconds)
		}
		got.Seconds = want.Seconds
		if !reflect.DeepEqual(got, want) || archive(t, dir, got) != archive(t, wantDir, want) {
			t.Errorf("%s: another row or archive:\n%+v, want\n%+v", name, got, want)
		}
		if h.Jobs != want.Games {
			t.Errorf("%s: %d jobs for %d games", name, h.Jobs, want.Games)
		}
	}
}

// few are hands that leave after so many jobs.
type few struct {
	jobtest.Hands
	jobs int
}

func (f *few) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	if err := f.Hands.Do(ctx, jobs[len(jobs)-f.jobs:], blobs, func(n int, r []byte) error { return take(len(jobs)-f.jobs+n, r) }); err != nil {
		return err
	}
	return context.Canceled
}

// TestRowsByOthersGoOn: what was played out of order is kept, here and elsewhere.
func TestRowsByOthersGoOn(t *testing.T) {
	d := read(t, small)
	want, wantDir := row(t, d, "scripted")
	for _, then := range []job.Hands{nil, &jobtest.Hands{Kinds: doing(d)}} {
		dir := t.TempDir()
		c := Config{Agent: "scripted", Dir: dir, Hands: &few{Hands: jobtest.Hands{Kinds: doing(d)}, jobs: 7}}
		if _, err := Run(t.Context(), d, c); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		first := 0
		c.Hands, c.Progress = then, func(done, total int) {
			if first == 0 {
				first = done
			}
		}
		got, err := Run(t.Context(), d, c)
		if err != nil {
			t.Fatal(err)
		}
		if archive(t, dir, got) != archive(t, wantDir, want) || first != 8 {
			t.Errorf("another archive, or it went on with game %d", first)
		}
	}
}

// TestPiecesAreOfOneTaskAndRun and are all of the games, in their order.
func TestPiecesAreOfOneTaskAndRun(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	var all []Place
	for i := range d.Tasks {
		for n, at := range d.places(&d.Tasks[i]) {
			if d.number(at) != n {
				t.Fatalf("%+v has number %d, not %d", at, d.number(at), n)
			}
			all = append(all, at)
		}
	}
	list := pieces(all)
	var again []Place
	for _, own := range list {
		for _, at := range own {
			if at.Task != own[0].Task || at.Run != own[0].Run {
				t.Fatalf("%+v is in a piece with %+v", at, own[0])
			}
		}
		again = append(again, own...)
	}
	if !reflect.DeepEqual(again, all) || len(list) > mostJobs+len(d.Tasks)*d.Runs {
		t.Errorf("%d pieces of %d games", len(list), len(all))
	}
}

func TestSuiteJobsAreChecked(t *testing.T) {
	d := read(t, small)
	if _, err := Run(t.Context(), d, Config{Agent: "random", Dir: t.TempDir(), Source: ours{}, Hands: &jobtest.Hands{}}); !errors.Is(err,
		option.ErrUsage) {
		t.Errorf("a source elsewhere: error %v", err)
	}
	good := payload{Suite: "test", Definition: d.Digest(), Agent: "random", Task: "dice", Run: 1, Games: []int{6}}
	for want, change := range map[string]func(*payload){
		"no suite":            func(p *payload) { p.Suite = "v9" },
		"is " + d.digest[:12]: func(p *payload) { p.Definition = strings.Repeat("0", 64) },
		"unknown agent":       func(p *payload) { p.Agent = "nobody" },
		"is no policy":        func(p *payload) { p.Agent = "human" },
		"games of task":       func(p *payload) { p.Task = "chess" },
		"0 games":             func(p *payload) { p.Games = nil },
		"no game 5 in run 1":  func(p *payload) { p.Games = []int{6, 5} },
		"no game -1":          func(p *payload) { p.Games = []int{-1} },
		"no game 99":          func(p *payload) { p.Games = []int{99} },
		"are  here, abcd":     func(p *payload) { p.Weights = "abcd" },
		"":                    func(*payload) {},
	} {
		p := good
		change(&p)
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		_, err = doing(d).Do(t.Context(), &job.Job{Kind: Kind, Payload: data}, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
