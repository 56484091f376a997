package suite

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables in experiments/suite/README.md")

// The committed rows and their page.
const (
	rowsDir = "../../experiments/suite/v1"
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

// TestReproducibleRowsPlayAgain: the players without networks, whose arithmetic is the same
// everywhere, make the moves of their committed rows again.
func TestReproducibleRowsPlayAgain(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(context.Background(), d, []string{rowsDir + "/random.json", rowsDir + "/scripted.json"}, CheckConfig{Replay: 1, Rerun: 25, Workers: 2})
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

// TestPage: the tables of the page are those of the definition and of the rows.
func TestPage(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Rows(rowsDir)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for name, table := range map[string]string{"tasks": d.TaskTable(), "rows": d.Table(rows)} {
		from, to := "<!-- "+name+": written by go test ./train/suite -run TestPage -update -->\n", "<!-- end of "+name+" -->"
		head, rest, ok := strings.Cut(text, from)
		_, tail, end := strings.Cut(rest, to)
		if !ok || !end {
			t.Fatalf("the page has no place for the %s", name)
		}
		text = head + from + table + to + tail
	}
	if text == string(old) {
		return
	}
	if !*update {
		t.Fatalf("the tables of %s are not those of the rows; go test ./train/suite -run TestPage -update", page)
	}
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
