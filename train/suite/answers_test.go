package suite

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/perft"
	"powderkeg/env"
	"powderkeg/train/bank"
	"powderkeg/train/solve"
)

// solvedSuite is a suite of a solved game and of games whose luck is taken out.
func solvedSuite(t *testing.T, change ...string) (*Definition, error) {
	t.Helper()
	b, err := bank.Alone(context.Background(), kuhn(t), bank.Limits{Deals: 1, Nodes: 100})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := b.Pack(&packed); err != nil {
		t.Fatal(err)
	}
	weights, err := roster.Weights("zoo:jogu")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"suite": "test", "seed": 7, "runs": 2, "tasks": [
 {"task": "kuhn-start", "tier": "mini", "game": "kuhn", "rules": 1, "layout": 1, "bank": "kuhn.json.gz", "asks": 4},
 {"task": "jogu", "tier": "standard", "game": "jogu(first=any,second=any)", "rules": 2, "layout": 2, "tables": ["random"], "units": 2,
  "anchors": {"zero": -1, "one": 1}, "luck": {"values": "zoo:jogu", "weights_sha256": %q, "share": 0.5}}
]}`, weights)
	return Read(fstest.MapFS{
		"suite.json":         {Data: []byte(strings.NewReplacer(change...).Replace(text))},
		"banks/kuhn.json.gz": {Data: packed.Bytes()},
	})
}

func kuhn(t *testing.T) engine.Game {
	t.Helper()
	g, err := env.NewGame("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// equilibrium writes down one of Kuhn poker and returns the agent that plays it.
func equilibrium(t *testing.T) string {
	t.Helper()
	tree, err := solve.Build(context.Background(), kuhn(t), solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	policy, _, err := solve.Run(context.Background(), tree, solve.Default(solve.CFRPlus), solve.Schedule{Iterations: 3000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	written, err := policy.Tabular()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kuhn.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := written.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "tabular:" + path
}

// TestSolvedTasks: who loses nothing scores 1 and who plays at random 0, and rows hold, games and answers.
func TestSolvedTasks(t *testing.T) {
	d, err := solvedSuite(t)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for agent, want := range map[string]float64{equilibrium(t): 1, "random": 0} {
		r, err := Run(context.Background(), d, Config{Agent: agent, Name: strings.Split(agent, ":")[0], Tasks: []string{"mini"}, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		// An equilibrium's odds are kept in steps.
		if got := r.Tasks[0].Score; math.Abs(got-want) > 0.01 {
			t.Errorf("%s scores %g, want %g", agent, got, want)
		}
	}
	r, err := Run(context.Background(), d, Config{Agent: "scripted", Dir: dir, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	jogu := r.task("jogu")
	if r.Games != 2+2*2*2 || jogu.Raw == nil || jogu.Raw.Raw.Mean == jogu.Return || jogu.Raw.Corrected.Mean != jogu.Return {
		t.Errorf("%d games; those of Jogu return %g, compared %+v", r.Games, jogu.Return, jogu.Raw)
	}
	got := check(t, d, dir, CheckConfig{Rerun: -1})
	if got.Rows != 3 || got.Replayed != 2+2+r.Games || got.Rerun != got.Replayed || len(got.Faults) > 0 {
		t.Errorf("the check says %+v", got)
	}
}

// TestForgedAnswersAreFound changes one thing at a time, and brings all else in line.
func TestForgedAnswersAreFound(t *testing.T) {
	d, err := solvedSuite(t)
	if err != nil {
		t.Fatal(err)
	}
	_, dir := row(t, d, "random")
	luck := func(x *float64) func([]Entry) { return func(e []Entry) { e[3].Luck = x } }
	much := 0.7
	for name, c := range map[string]struct {
		entries func([]Entry)
		want    string
	}{
		"nothing":           {func([]Entry) {}, ""},
		"what is lost":      {func(e []Entry) { e[0].Lost[0] -= 0.1 }, "the answers lose"},
		"an answer":         {func(e []Entry) { e[0].Answers[1], e[0].Answers[2] = e[0].Answers[1]+60, e[0].Answers[2]-60 }, "the answers lose"},
		"odds of too much":  {func(e []Entry) { e[0].Answers[1]++ }, "not those of the questions"},
		"an answer less":    {func(e []Entry) { e[0].Answers = e[0].Answers[:len(e[0].Answers)-3] }, "not those of the questions"},
		"an answer more":    {func(e []Entry) { e[0].Answers = append(e[0].Answers, 1) }, "1 bytes of answers are left"},
		"luck":              {luck(&much), "its luck is"},
		"a seat that loses": {func(e []Entry) { e[0].Lost = e[0].Lost[:1] }, "does not say what is lost"},
		"no luck":           {luck(nil), "says nothing of its luck"},
	} {
		t.Run(name, func(t *testing.T) {
			figures := !strings.Contains(c.want, "say")
			got := check(t, d, forgery{entries: c.entries, digest: true, figures: figures}.commit(t, d, dir), CheckConfig{})
			if (c.want == "") != (len(got.Faults) == 0) || c.want != "" && !strings.Contains(got.Faults[0].Problem, c.want) {
				t.Errorf("the check finds %+v, want %q", got.Faults, c.want)
			}
		})
	}
}

// TestSolvedTasksAreNotCounted: nothing is counted from the start of a game that a task does not begin with.
func TestSolvedTasksAreNotCounted(t *testing.T) {
	d, err := solvedSuite(t)
	if err != nil {
		t.Fatal(err)
	}
	if counts, err := Counts(context.Background(), d, []string{"mini"}, []int{0}, perft.Limits{Depth: 2}); err != nil || len(counts) > 0 {
		t.Errorf("%d counts, error %v", len(counts), err)
	}
}

// TestOddsAreKept rounds odds to steps that add up.
func TestOddsAreKept(t *testing.T) {
	for _, odds := range [][]float64{
		{1, 0}, {0.5, 0.5}, {1. / 3, 1. / 3, 1. / 3}, {1. / 7, 2. / 7, 4. / 7}, {0.999, 0.0005, 0.0005}, make([]float64, 200),
	} {
		if len(odds) == 200 {
			for k := range odds {
				odds[k] = 1. / 200
			}
		}
		sum := 0
		for k, n := range inSteps(odds) {
			sum += int(n)
			if math.Abs(float64(n)/parts-odds[k]) > 1./parts {
				t.Errorf("%v is kept as %d parts", odds[k], n)
			}
		}
		if sum != parts {
			t.Errorf("%v adds up to %d parts", odds, sum)
		}
	}
}

// TestTakenOver: a row of another version's games that stand at the same places is the row that is played.
func TestTakenOver(t *testing.T) {
	d, err := solvedSuite(t)
	if err != nil {
		t.Fatal(err)
	}
	without, err := solvedSuite(t, `"test"`, `"older"`, "\"units\": 2", "\"units\": 3", `"luck"`, `"luck"`)
	if err != nil {
		t.Fatal(err)
	}
	from, fresh, over := t.TempDir(), t.TempDir(), t.TempDir()
	run := func(d *Definition, c Config) *Row {
		t.Helper()
		c.Agent = "scripted"
		r, err := Run(context.Background(), d, c)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	run(without, Config{Dir: from})
	want := run(d, Config{Dir: fresh})
	got := run(d, Config{Dir: over, From: from})
	if got.ArchiveHash != want.ArchiveHash {
		t.Error("the games that were taken over are others than those that are played")
	}
	_, err = Run(context.Background(), d, Config{Agent: "random", Name: "scripted", Dir: t.TempDir(), From: from})
	if err == nil || !strings.Contains(err.Error(), "another agent") {
		t.Errorf("another agent's games: error %v", err)
	}
}

// TestSolvedDefinitionsAreChecked: what cannot be judged is refused before it is.
func TestSolvedDefinitionsAreChecked(t *testing.T) {
	for want, change := range map[string][]string{
		"solved positions want asks":   {`"asks": 4`, `"units": 4`},
		"the share of the luck is 2":   {`"share": 0.5`, `"share": 2`},
		"its bank is of kuhn":          {`"game": "kuhn"`, `"game": "leduc"`},
		"nobody.json.gz":               {"kuhn.json.gz", "nobody.json.gz"},
		"zoo:jogu with the weights 00": {`"weights_sha256": "`, `"weights_sha256": "00`},
	} {
		d, err := solvedSuite(t, change...)
		if err == nil { // the values are looked at where they are needed
			_, err = Run(context.Background(), d, Config{Agent: "random", Tasks: []string{"jogu"}, Dir: t.TempDir()})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}
