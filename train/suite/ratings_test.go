package suite

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
	"powderkeg/train/eval"
)

// TestRatingsDescribeTheGames: payoffs are the figures of the rows taken apart, random play
// stands at 0, and no pair of agents does better than by a rating of its own.
func TestRatingsDescribeTheGames(t *testing.T) {
	d := read(t, small)
	dir := t.TempDir()
	for _, agent := range []string{"random", "scripted"} {
		if _, err := Run(context.Background(), d, Config{Agent: agent, Dir: dir, Workers: 2}); err != nil {
			t.Fatal(err)
		}
	}
	played, err := ReadPlayed(dir)
	if err != nil {
		t.Fatal(err)
	}
	games := 0
	sums := map[[3]string]float64{}
	for _, p := range d.Payoffs(played) {
		games += p.Games
		sums[[3]string{p.Task, p.Agent, p.Table}] += p.Return * float64(p.Games)
	}
	if want := played[0].Games + played[1].Games; games != want {
		t.Errorf("the payoffs are of %d games, want %d", games, want)
	}
	for _, p := range played {
		for _, f := range p.Tasks {
			for n, mean := range f.Tables {
				table := d.Task(f.Task).Tables[n]
				got := sums[[3]string{f.Task, p.Name, table}] / float64(f.Games/len(f.Tables))
				if math.Abs(got-mean) > 1e-9 {
					t.Errorf("%s at %s of %s: payoffs %g, figures %g", p.Name, table, f.Task, got, mean)
				}
			}
		}
	}
	ratings, fits, err := d.Ratings(played)
	if err != nil {
		t.Fatal(err)
	}
	at := func(task, agent string) Rating {
		i := slices.IndexFunc(ratings, func(r Rating) bool { return r.Task == task && r.Agent == agent })
		if i < 0 {
			t.Fatalf("no rating of %s in %s: %+v", agent, task, ratings)
		}
		return ratings[i]
	}
	for _, task := range []string{"leduc", "dice"} {
		if r := at(task, "random"); r.Elo != 0 || !(r.Low < 0 && r.High > 0) {
			t.Errorf("%s: random has %+v, want 0 within its interval", task, r)
		}
	}
	if r := at("leduc", "scripted"); r.Elo <= 0 {
		t.Errorf("scripted has %+v", r)
	}
	for _, f := range fits {
		if f.Duels == 0 || f.LogLoss < f.Saturated || f.Gap < 0 || f.Gap > 1 {
			t.Errorf("the fit is %+v", f)
		}
	}
}

// TestTwoAgentsFitExactly: with one pair there is nothing that a scale cannot describe, but
// for the draw that keeps ratings finite.
func TestTwoAgentsFitExactly(t *testing.T) {
	d := read(t, small)
	r, dir := row(t, d, "scripted")
	played, err := ReadPlayed(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, fits, err := d.Ratings(played)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fits {
		if f.Gap > 0.1 || f.LogLoss-f.Saturated > 0.05 {
			t.Errorf("%d games of one pair: %+v", r.Games, f)
		}
	}
}

// Draws decide where more than half of the duels are such.
func TestDrawsAreWarnedOf(t *testing.T) {
	units := [][]eval.Duel{{{A: 0, B: 1, Score: 0.5, Weight: 1}}, {{A: 0, B: 1, Score: 0.5, Weight: 1}}, {{A: 0, B: 1, Score: 1, Weight: 1}}}
	rated, err := eval.Rate(2, units)
	if err != nil {
		t.Fatal(err)
	}
	f := (&scale{task: "tie", names: []string{"a", "b"}, units: units}).fit(rated)
	if w := f.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "tie: 67% of the duels are draws") {
		t.Errorf("%+v warns of %q", f, w)
	}
	units[1][0].Score = 1
	if rated, err = eval.Rate(2, units); err != nil {
		t.Fatal(err)
	}
	if f := (&scale{task: "tie", names: []string{"a", "b"}, units: units}).fit(rated); len(f.Warnings()) > 0 {
		t.Errorf("%+v warns of %q", f, f.Warnings())
	}
}

// TestCSV: the committed tables are those of the committed rows.
func TestCSV(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(page)
	if !*kept.Update {
		folder = t.TempDir()
	}
	warnings, err := d.WriteCSV(folder, rowsDir)
	if err != nil {
		t.Fatal(err)
	}
	// Where a pair goes otherwise than any scale can say; ratings that say what their games do go without a word.
	all := strings.Join(warnings, "\n")
	if want := "insurgency-mini: random does better against zoo:insurgency by 0.13 of a win"; !strings.Contains(all, want) {
		t.Errorf("the warnings are %q, want %q among them", warnings, want)
	}
	if strings.Contains(all, "kuhn: ") || strings.Contains(all, "jogu: ") {
		t.Errorf("the warnings are %q, want none of kuhn and jogu", warnings)
	}
	for _, name := range []string{payoffsName, eloName, fitName} {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(filepath.Dir(page), name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the rows give; go test ./train/suite -run TestCSV -update (%v)", name, err)
		}
	}
}
