package suite

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// small is a suite of seconds: hidden cards, three seats, and a position.
const small = `{"suite": "test", "seed": 7, "runs": 2, "tasks": [
 {"task": "leduc", "tier": "reference", "game": "leduc", "rules": 1, "layout": 1, "tables": ["scripted", "random"], "units": 3,
  "anchors": {"zero": -1, "one": 1, "zero_agent": "random", "one_agent": "scripted"}},
 {"task": "dice", "tier": "reference", "game": "liars_dice(players=3)", "rules": 1, "layout": 1, "tables": ["random"], "units": 2,
  "anchors": {"zero": -1, "one": 1, "zero_agent": "random", "one_agent": "scripted"}},
 {"task": "late", "tier": "mini", "game": "tictactoe", "rules": 1, "layout": 1, "position": "late.json", "tables": ["random"], "units": 2,
  "anchors": {"zero": -1, "one": 1, "zero_agent": "random", "one_agent": "scripted"}}
]}`

func read(t testing.TB, text string) *Definition {
	t.Helper()
	d, err := Read(fstest.MapFS{
		"suite.json":          {Data: []byte(text)},
		"positions/late.json": {Data: []byte(`{"board": ["xo.", "...", "..."]}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// row plays an agent through the suite in a folder of its own, which it returns.
func row(t testing.TB, d *Definition, agent string) (*Row, string) {
	t.Helper()
	dir := t.TempDir()
	r, err := Run(context.Background(), d, Config{Agent: agent, Dir: dir, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

func check(t testing.TB, d *Definition, dir string, c CheckConfig) *Report {
	t.Helper()
	r, err := Check(context.Background(), d, []string{dir}, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWhatWasPlayedHolds also names how much was looked at, for a check of nothing to fail.
func TestWhatWasPlayedHolds(t *testing.T) {
	d := read(t, small)
	r, dir := row(t, d, "random")
	const games = 2*2*3*2 + 2*1*2*3 + 2*1*2*2
	if got := check(t, d, dir, CheckConfig{Rerun: -1, Workers: 3}); !reflect.DeepEqual(got,
		&Report{Rows: 1, Games: games, Replayed: games, Rerun: games, Faults: []Fault{}}) {
		t.Errorf("the check says %+v, want that all %d games hold", got, games)
	}
	if got := check(t, d, dir, CheckConfig{Replay: 5, Rerun: 3}); got.Replayed != 5 || got.Rerun != 3 || len(got.Faults) > 0 {
		t.Errorf("a sample of 5 and 3: %+v", got)
	}
	if r.Games != games || len(r.Tasks) != 3 || len(r.Tiers) != 2 || r.Tiers[0].Tasks != 2 {
		t.Errorf("the row is %+v", r)
	}
}

// TestTheRowDoesNotDependOnWorkersOrStops: a run that ends early goes on with its draft.
func TestTheRowDoesNotDependOnWorkersOrStops(t *testing.T) {
	d := read(t, small)
	want, _ := row(t, d, "scripted")
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, d, Config{Agent: "scripted", Dir: dir, Workers: 1, Progress: func(done, _ int) {
		if done == 11 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a run that was stopped: error %v", err)
	}
	// What a kill may leave of a line is dropped.
	draft := filepath.Join(dir, "scripted"+draftSuffix)
	text, err := os.ReadFile(draft)
	if err != nil || strings.Count(string(text), "\n") < 11 {
		t.Fatalf("the draft has %d games, want those that were over: %v", strings.Count(string(text), "\n"), err)
	}
	if err := os.WriteFile(draft, append(text, `{"task":"le`...), 0o666); err != nil {
		t.Fatal(err)
	}
	played := 0
	got, err := Run(context.Background(), d, Config{Agent: "scripted", Dir: dir, Progress: func(int, int) { played++ }})
	if err != nil {
		t.Fatal(err)
	}
	if kept := strings.Count(string(text), "\n"); played != want.Games-kept {
		t.Errorf("%d games were played when it went on, want the %d that were missing", played, want.Games-kept)
	}
	want.Origin, got.Origin = Origin{}, Origin{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stopped and resumed:\n%+v\nin one go:\n%+v", got, want)
	}
	// By tasks, one after the other.
	parts := t.TempDir()
	for _, task := range []string{"late", "reference"} {
		if got, err = Run(context.Background(), d, Config{Agent: "scripted", Dir: parts, Tasks: []string{task}}); err != nil {
			t.Fatal(err)
		}
	}
	if got.Origin = (Origin{}); !reflect.DeepEqual(got, want) {
		t.Errorf("task by task:\n%+v\nin one go:\n%+v", got, want)
	}
}

// forge changes a copy of a row and its archive, and brings digest and figures in line as
// far as it is told.
type forgery struct {
	entries func([]Entry)
	row     func(*Row)
	digest  bool // the row names the changed archive
	figures bool // and has its figures
}

func (f forgery) commit(t *testing.T, d *Definition, from string) string {
	t.Helper()
	dir := t.TempDir()
	r, err := ReadRow(filepath.Join(from, "random.json"))
	if err != nil {
		t.Fatal(err)
	}
	entries, _, err := readArchive(filepath.Join(from, r.ArchiveFile))
	if err != nil {
		t.Fatal(err)
	}
	if f.entries != nil {
		f.entries(entries)
	}
	digest, err := writeArchive(filepath.Join(dir, r.ArchiveFile), entries)
	if err != nil {
		t.Fatal(err)
	}
	if f.digest {
		r.ArchiveHash = digest
	}
	if f.figures {
		if r.Tasks, r.Tiers, err = d.compute(entries); err != nil {
			t.Fatal(err)
		}
	}
	if f.row != nil {
		f.row(r)
	}
	if err := writeRow(filepath.Join(dir, "random.json"), r); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestForgeriesAreFound: one thing at a time is falsified, with everything else brought in
// line with it that can be.
func TestForgeriesAreFound(t *testing.T) {
	d := read(t, small)
	_, dir := row(t, d, "random")
	if got := check(t, d, forgery{digest: true, figures: true}.commit(t, d, dir), CheckConfig{Rerun: -1}); len(got.Faults) > 0 {
		t.Fatalf("a copy that nobody has changed: %+v", got.Faults)
	}
	for name, c := range map[string]struct {
		forgery
		config CheckConfig
		want   string
	}{
		"a figure":              {forgery{row: func(r *Row) { r.Tasks[0].Return += 0.01 }}, CheckConfig{}, "tasks is"},
		"an interval of a tier": {forgery{row: func(r *Row) { r.Tiers[0].High = 1 }}, CheckConfig{}, "tiers is"},
		"the seed":              {forgery{row: func(r *Row) { r.Seed++ }}, CheckConfig{}, "seed is 8, want 7"},
		"the definition":        {forgery{row: func(r *Row) { r.Definition = strings.Repeat("0", 64) }}, CheckConfig{}, "definition_sha256 is"},
		"the archive alone":     {forgery{entries: func(e []Entry) { e[3].Record.Returns[0]++ }}, CheckConfig{}, "archive_sha256 is"},
		"the result of a game": {forgery{entries: func(e []Entry) { e[3].Record.Returns[0]++ }, digest: true, figures: true}, CheckConfig{},
			"the returns are"},
		"the hash of a game": {forgery{entries: func(e []Entry) { e[3].Record.Hash = "0000000000000000" }, digest: true, figures: true},
			CheckConfig{}, "the last state has hash"},
		"a card that was dealt": {forgery{entries: deal, digest: true, figures: true}, CheckConfig{}, "chance of this seed is"},
		"an illegal move": {forgery{entries: func(e []Entry) { e[3].Record.Moves[2] = "nonsense" }, digest: true, figures: true}, CheckConfig{},
			"move 3: "},
		"a move too many": {forgery{entries: func(e []Entry) { e[3].Record.Moves = append(e[3].Record.Moves, "fold") }, digest: true,
			figures: true}, CheckConfig{}, "the game is over after"},
		"a move too few": {forgery{entries: func(e []Entry) { e[3].Record.Moves = e[3].Record.Moves[:3] }, digest: true, figures: true},
			CheckConfig{}, "the record ends after move 3"},
		"two games exchanged": {forgery{entries: func(e []Entry) { e[0].Record, e[2].Record = e[2].Record, e[0].Record }, digest: true,
			figures: true}, CheckConfig{}, "chance of this seed is"},
		"who has played": {forgery{entries: func(e []Entry) { e[0].Record.Players[1] = "random" }, digest: true, figures: true}, CheckConfig{},
			"its players are"},
		"the game": {forgery{entries: func(e []Entry) { e[0].Record.Game = "kuhn" }, digest: true, figures: true}, CheckConfig{},
			"it is kuhn"},
		"where it begins": {forgery{entries: func(e []Entry) { e[len(e)-1].Record.Position = nil }, digest: true, figures: true}, CheckConfig{},
			"it does not begin in the position of the task"},
		"a better game, all agrees": {forgery{entries: better(d), digest: true, figures: true}, CheckConfig{Rerun: -1}, "the agents play"},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(t, d, c.commit(t, d, dir), c.config)
			if len(got.Faults) == 0 || !strings.Contains(got.Faults[0].Problem, c.want) {
				t.Errorf("the check finds %+v, want %q", got.Faults, c.want)
			}
		})
	}
	// The last one passes where the agents do not play again: moves, chance and figures agree.
	if got := check(t, d, forgery{entries: better(d), digest: true, figures: true}.commit(t, d, dir), CheckConfig{}); len(got.Faults) > 0 {
		t.Errorf("a game of a better player, by its record alone: %+v", got.Faults)
	}
}

// deal gives seat 0 another card and lets the rest of the game stand.
func deal(e []Entry) {
	for _, card := range []string{"J1", "Q1", "K1"} {
		if e[3].Record.Moves[0] != card && e[3].Record.Moves[1] != card {
			e[3].Record.Moves[0] = card
			return
		}
	}
}

// better puts games of the scripted player in the place of those of the random one.
func better(d *Definition) func([]Entry) {
	return func(entries []Entry) {
		for i, e := range entries {
			p, err := newPlayer(context.Background(), d, e.Place, ours{}, "scripted")
			if err != nil {
				panic(err)
			}
			fresh, err := p.play(context.Background(), e.Place)
			if err != nil {
				panic(err)
			}
			fresh.Record.Players[e.Seat] = "random"
			entries[i] = fresh
		}
	}
}

// TestDefinitionsAreChecked: what cannot be played is refused before it is.
func TestDefinitionsAreChecked(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"rules of another version":  {`"game": "leduc", "rules": 1`, `"game": "leduc", "rules": 2`, "version 2 of the rules"},
		"layout of another version": {`"layout": 1, "tables": ["scripted"`, `"layout": 9, "tables": ["scripted"`, "9 of the observation"},
		"no such game":              {`"game": "leduc"`, `"game": "whist"`, "whist"},
		"no such agent":             {`["scripted", "random"]`, `["nobody"]`, "nobody"},
		"anchors the wrong way":     {`"zero": -1, "one": 1`, `"zero": 1, "one": 1`, "the second must be the larger"},
		"two of a name":             {`"task": "dice"`, `"task": "leduc"`, "a name of its own"},
		"an unknown key":            {`"runs": 2`, `"runs": 2, "walks": 3`, "walks"},
		"no runs":                   {`"runs": 2`, `"runs": 0`, "0 runs"},
	} {
		if !strings.Contains(small, c.from) {
			t.Fatalf("%s: the definition has no %s", name, c.from)
		}
		_, err := Read(fstest.MapFS{
			"suite.json":          {Data: []byte(strings.Replace(small, c.from, c.to, 1))},
			"positions/late.json": {Data: []byte(`{"board": ["xo.", "...", "..."]}`)},
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}

// TestDigestCoversPositions: another position is another suite.
func TestDigestCoversPositions(t *testing.T) {
	a := read(t, small)
	b, err := Read(fstest.MapFS{
		"suite.json":          {Data: []byte(small)},
		"positions/late.json": {Data: []byte(`{"board": ["x.o", "...", "..."]}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Digest() == b.Digest() || len(a.Digest()) != 64 {
		t.Errorf("the digests are %s and %s, want two", a.Digest(), b.Digest())
	}
}

// TestArchivesAreOneRecordALine: each line is a game that powderkeg replay shows.
func TestArchivesAreOneRecordALine(t *testing.T) {
	d := read(t, small)
	r, dir := row(t, d, "random")
	f, err := os.Open(filepath.Join(dir, r.ArchiveFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var e Entry
	if err := json.Unmarshal([]byte(lines[0]), &e); err != nil || len(lines) != r.Games || e.Record.Players[0] != "random" ||
		e.Record.Players[1] != "scripted" {
		t.Errorf("%d lines, the first %s: %v", len(lines), lines[0], err)
	}
}
