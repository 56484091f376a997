package respond_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/respond"
)

// small is a run of seconds on kuhn.
func small() respond.Config {
	c := respond.Default("kuhn", "random")
	c.Decisions, c.Candidates, c.Units, c.FreshUnits, c.SearchUnits, c.Simulations = 500_000, 4, 4000, 8000, 20, 20
	c.Workers = 1
	c.Set = []string{"envs=64", "ppo.minibatch=512"}
	return c
}

func run(t *testing.T, c respond.Config, dir string) *respond.Result {
	t.Helper()
	r, err := respond.Run(context.Background(), c, respond.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUniformPlayOfKuhnIsExploited: the learner finds nearly all of 11/24 chips, and says no
// more than there is, within four standard errors.
func TestUniformPlayOfKuhnIsExploited(t *testing.T) {
	dir := t.TempDir()
	r := run(t, small(), dir)
	tree, err := respond.Solvable(context.Background(), respond.Config{Game: "kuhn"})
	if err != nil || tree == nil {
		t.Fatalf("the tree of kuhn: %v", err)
	}
	if err := r.Compare(dir, tree, tree.Uniform()); err != nil {
		t.Fatal(err)
	}
	const truth = 11. / 24
	if r.Exact.True < truth-1e-9 || r.Exact.True > truth+1e-9 {
		t.Errorf("the exact exploitability is %g, want 11/24", r.Exact.True)
	}
	if *r.Exact.Found < 0.95*truth || *r.Exact.Found > truth+1e-9 {
		t.Errorf("the response has %g of %g, want at least 95%%", *r.Exact.Found, truth)
	}
	e := r.Exploitability
	if half := (e.High - e.Low) / 2; e.Mean > *r.Exact.Found+2*half || e.Mean < *r.Exact.Found-2*half || half > 0.05 {
		t.Errorf("in games it has %.4f ± %.4f, exactly %.4f", e.Mean, half, *r.Exact.Found)
	}
	for _, name := range []string{"respond.json", "result.json", "curve.png", "scratch/report.html", "candidates/search.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"exploitability at least", "of which the response has", "trained scratch", "5 candidates"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the text lacks %q:\n%s", part, text.String())
		}
	}
}

// TestTheSameCommandGoesOn: a run that is stopped and taken up again, in the middle of
// training and in the middle of measuring, ends with the result of one that never was.
func TestTheSameCommandGoesOn(t *testing.T) {
	c := small()
	c.Ways = []respond.Way{respond.Scratch}
	want := run(t, c, t.TempDir())

	dir := t.TempDir()
	for _, stop := range []string{"update", "scratch-000000122: gains"} {
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := respond.Run(ctx, c, respond.Options{Dir: dir, Progress: &trigger{word: stop, pull: cancel}}); !errors.Is(err, respond.ErrStopped) {
			t.Errorf("stopped at %q: error %v, want that it was stopped", stop, err)
		}
		cancel()
	}
	got := run(t, c, dir)
	if a, b := lasting(t, want), lasting(t, got); a != b {
		t.Errorf("stopped and resumed:\n%s\nin one go:\n%s", b, a)
	}

	c.Seed++
	if _, err := respond.Run(context.Background(), c, respond.Options{Dir: dir}); !errors.Is(err, option.ErrUsage) ||
		!strings.Contains(err.Error(), dir+" holds a run ") {
		t.Errorf("another seed in the same folder: error %v, want wrong usage", err)
	}
}

// lasting is a result without what a clock says.
func lasting(t *testing.T, r *respond.Result) string {
	t.Helper()
	r.Measuring = 0
	for i := range r.Learners {
		r.Learners[i].Seconds = 0
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// trigger pulls when a word is written.
type trigger struct {
	word string
	pull func()
}

func (w *trigger) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.word) {
		w.pull()
	}
	return len(p), nil
}

func TestFaultsAreNamedTogether(t *testing.T) {
	c := small()
	c.Agent, c.Candidates, c.Ways = "scripted", 0, []respond.Way{"luck", respond.Own, respond.Own}
	err := c.Validate()
	for _, part := range []string{"candidates is 0", `unknown way "luck"`, "scripted has no weights to begin with", `way "own" is given twice`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error is %v, want %q in it", err, part)
		}
	}
	c = small()
	c.Agent = "mcts(sims=0,time=1s)"
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "no policy") {
		t.Errorf("an agent with a clock: error %v", err)
	}
	c = small()
	c.Game = "kuhn(cards=9)"
	if err := c.Validate(); err == nil {
		t.Error("an unknown option is accepted")
	}
}

// TestALatePositionIsRespondedTo: from a position on the learner finds what the tree says
// there is, which a game without information states of its own has by what its seats see.
func TestALatePositionIsRespondedTo(t *testing.T) {
	c := small()
	c.Game, c.Position = "tictactoe", `{"board": ["xo.", "ox.", "..."]}`
	c.Ways = []respond.Way{respond.Scratch}
	dir := t.TempDir()
	r := run(t, c, dir)
	tree, err := respond.Solvable(context.Background(), c)
	if err != nil || tree == nil {
		t.Fatalf("the tree from the position: %v", err)
	}
	if err := r.Compare(dir, tree, tree.Uniform()); err != nil {
		t.Fatal(err)
	}
	if string(r.Position) != c.Position {
		t.Errorf("the result begins in %s", r.Position)
	}
	if r.Exact.True <= 0 || *r.Exact.Found < 0.95*r.Exact.True {
		t.Errorf("found %g of %g", *r.Exact.Found, r.Exact.True)
	}
}
