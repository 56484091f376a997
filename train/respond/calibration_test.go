package respond_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest/kept"
	"powderkeg/engine/option"
	"powderkeg/train/respond"
)

// The committed results, and the report that shows them.
const (
	results  = "../../experiments/respond"
	zoo      = "../../checkpoints/zoo/README.md"
	report   = "../../experiments/reports/0015-respond.md"
	scatter  = "../../experiments/reports/0015-found.png"
	from, to = "<!-- results: written by go test ./train/respond -run TestCalibration -update -->\n", "<!-- end of results -->"
)

// TestCalibration: the table of the report is that of the committed results, and what was
// found is never far above the truth.
func TestCalibration(t *testing.T) {
	list, err := respond.Read(results)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, r := range list {
		if r.Exact == nil {
			continue
		}
		known++
		found := r.NashConv
		if r.Exploitability != nil {
			found = *r.Exploitability
		}
		if most := r.Exact.True * (1 + 1e-9); found.Low > most || *r.Exact.Found > most {
			t.Errorf("%s: found %v of %v", r.Name, found, *r.Exact)
		}
	}
	if known < 6 || known == len(list) {
		t.Errorf("%d of %d results know the truth, want six at least and the zoo's beside them", known, len(list))
	}
	shows(t, report, respond.Table(list))
	shows(t, zoo, respond.Table(slices.DeleteFunc(slices.Clone(list), func(r respond.Named) bool {
		return !strings.HasPrefix(r.Agent, "zoo:") || len(r.Position) > 0
	})))
	if *kept.Update {
		if err := respond.PlotCalibration(list, scatter); err != nil {
			t.Fatal(err)
		}
	}
	if err := respond.PlotCalibration(list, filepath.Join(t.TempDir(), "found.svg")); err != nil {
		t.Error(err)
	}
}

// shows checks that a page has a table, or writes it there under -update.
func shows(t *testing.T, path, table string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), from)
	_, tail, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("%s has no place for the results", path)
	}
	want := head + from + table + to + tail
	switch {
	case *kept.Update:
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	case want != string(text):
		t.Errorf("%s does not show the committed results; go test ./train/respond -run TestCalibration -update", path)
	}
}

// TestEveryBotHasItsFigure: whatever ships has been responded to.
func TestEveryBotHasItsFigure(t *testing.T) {
	list, err := respond.Read(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range checkpoints.Zoo() {
		if !slices.ContainsFunc(list, func(r respond.Named) bool { return r.Agent == "zoo:"+name && len(r.Position) == 0 }) {
			t.Errorf("%s has no result of zoo:%s", results, name)
		}
	}
}

// TestReadSaysWhatIsWrong names the file.
func TestReadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := respond.Read(dir); !errors.Is(err, option.ErrUsage) || !strings.HasSuffix(err.Error(), " has no results (*.json)") {
		t.Errorf("an empty folder: error %v", err)
	}
	for text, want := range map[string]string{
		"{":                                  "unexpected end",
		`{"format": "powderkeg-response/9"}`: "powderkeg-response/9",
		`{"format": "powderkeg-response/1"}`: "no fresh games",
	} {
		path := filepath.Join(dir, "x.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := respond.Read(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want %q in it", text, err, want)
		}
	}
	if err := respond.PlotCalibration(nil, filepath.Join(dir, "x.png")); !errors.Is(err, respond.ErrNoTruth) {
		t.Errorf("a plot of nothing: error %v", err)
	}
}
