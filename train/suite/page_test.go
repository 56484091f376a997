package suite

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
)

// The committed rows, their page and that of the project.
const (
	rowsDir = "../../experiments/suite/v1"
	second  = "../../experiments/suite/v2"
	page    = "../../experiments/suite/README.md"
)

// TestCommittedRowsHold proves a sample of every committed row, and all of their figures. All
// of it is powderkeg suite check.
func TestCommittedRowsHold(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(context.Background(), d, []string{rowsDir}, CheckConfig{Replay: 40, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		t.Errorf("%s: %s", f.Row, f.Problem)
	}
	if r.Rows < 4 || r.Replayed != 40*r.Rows || r.Games < 10_000 {
		t.Errorf("the check looked at %+v, want 40 games of each of four rows at least", r)
	}
}

// TestSecondRowsHold: the same of the rows of v2, with the games whose luck is taken out and the answers in solved
// positions among them.
func TestSecondRowsHold(t *testing.T) {
	d, err := Open("v2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(context.Background(), d, []string{second}, CheckConfig{Replay: 40, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Check(context.Background(), d, []string{second + "/random.json", second + "/scripted.json"},
		CheckConfig{Replay: 1, Rerun: 20, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(r.Faults, again.Faults...) {
		t.Errorf("%s: %s", f.Row, f.Problem)
	}
	if r.Rows < 3 || again.Rerun != 40 {
		t.Errorf("the check looked at %+v and %+v, want three rows at least and 40 games played again", r, again)
	}
}

// TestSecondPage: the tables of v2 are those of its definition and rows.
func TestSecondPage(t *testing.T) {
	d, err := Open("v2")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Rows(second)
	if err != nil {
		t.Fatal(err)
	}
	fresh(t, page, "tasks of v2", d.TaskTable())
	fresh(t, page, "rows of v2", d.Table(rows))
	fresh(t, page, "luck of v2", d.luckTable(rows))
	fresh(t, paper, "baselines of v2", d.Summary(rows))
}

// luckTable says what taking luck out was worth.
func (d *Definition) luckTable(rows []*Row) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| task | agent | raw return | with that share of the luck taken out | factor |\n|---|---|---|---|---|")
	for _, t := range d.Tasks {
		for _, r := range rows {
			if f := r.task(t.Name); f != nil && f.Raw != nil {
				c := f.Raw
				fmt.Fprintf(&b, "| %s | `%s` | %+.3f [%+.3f, %+.3f] | %+.3f [%+.3f, %+.3f] | %.2f [%.2f, %.2f] |\n", t.Name, r.Name,
					c.Raw.Mean, c.Raw.Low, c.Raw.High, c.Corrected.Mean, c.Corrected.Low, c.Corrected.High, c.Factor, c.FactorLow, c.FactorHigh)
			}
		}
	}
	return b.String()
}

// TestReproducibleRowsPlayAgain: the players without networks, whose arithmetic is the same
// everywhere, make the moves of their committed rows again.
func TestReproducibleRowsPlayAgain(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(context.Background(), d, []string{rowsDir + "/random.json", rowsDir + "/scripted.json"},
		CheckConfig{Replay: 1, Rerun: 25, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		t.Errorf("%s: %s", f.Row, f.Problem)
	}
	if r.Rerun != 50 {
		t.Errorf("%d games were played again, want 50", r.Rerun)
	}
}

// TestPage: the tables of the pages are those of the definition and of the rows.
func TestPage(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Rows(rowsDir)
	if err != nil {
		t.Fatal(err)
	}
	fresh(t, page, "tasks", d.TaskTable())
	fresh(t, page, "rows", d.Table(rows))
}

// fresh checks the part of that name in a page, or rewrites it under -update.
func fresh(t *testing.T, path, name, part string) {
	t.Helper()
	by := strings.SplitN(t.Name(), "/", 2)[0]
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from, to := "<!-- "+name+": written by go test ./train/suite -run "+by+" -update -->\n", "<!-- end of "+name+" -->"
	head, rest, ok := strings.Cut(string(old), from)
	_, tail, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("%s has no place for %q", path, name)
	}
	text := head + from + part + to + tail
	switch {
	case text == string(old):
	case !*kept.Update:
		t.Errorf("%q of %s is not what the program says; go test ./train/suite -run %s -update", name, path, by)
	default:
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
