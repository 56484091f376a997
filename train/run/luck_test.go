package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/train"
)

// lucky is a run of Kuhn's poker in which much luck is measured.
func lucky() train.Config {
	c := small("kuhn")
	c.Envs, c.Updates = 128, 12
	c.PPO.Lambda = 1
	c.Evaluation.Every, c.Evaluation.Luck, c.Evaluation.Against = 6, 400, []string{"random"}
	c.Checkpoints.Every = 6
	return c
}

// luckOf returns the measurements of a run without their times.
func luckOf(t *testing.T, dir string) []checkpoints.Luck {
	t.Helper()
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	var list []checkpoints.Luck
	for _, m := range h.luck {
		list = append(list, m.Luck)
	}
	return list
}

// TestRunsMeasureLuck follows the luck factor into everything that a run leaves, and sees it rise:
// a critic of Kuhn's poker soon knows a good card from a bad one.
func TestRunsMeasureLuck(t *testing.T) {
	dir := t.TempDir()
	var out strings.Builder
	if err := Begin(t.Context(), lucky(), Options{Dir: dir, Progress: &out}); err != nil {
		t.Fatal(err)
	}
	list := luckOf(t, dir)
	if len(list) != 3 || list[0].Update != 0 || list[1].Update != 6 || list[2].Update != 12 || list[0].Games != 400 || list[2].Games != 2000 {
		t.Fatalf("luck was measured as %+v, want 400 games after updates 0 and 6, and 2000 after 12", list)
	}
	if first, last := *list[0].Factor, *list[2].Factor; first > 1.1 || last < 1.4 || list[2].FactorLow < list[0].FactorHigh {
		t.Errorf("the luck factor went from %v to %v, want it from about 1 to that of a critic that knows cards", first, last)
	}
	if last := list[2]; last.Explained < 0.2 || last.ByPhase[3] < last.ByPhase[1] || last.Events != 2*last.Games || last.Skipped != 0 {
		t.Errorf("at the end: %+v, want values that explain more and more of a game, and two cards dealt in each", last)
	}
	for _, path := range []string{"", "checkpoints/000000012", "bot"} {
		c, err := checkpoints.Open(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if c.Manifest.Luck == nil || !reflect.DeepEqual(*c.Manifest.Luck, list[2]) {
			t.Errorf("the checkpoint %q has the luck %v, want that of the end", path, c.Manifest.Luck)
		}
	}
	report, err := os.ReadFile(filepath.Join(dir, reportName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## What the values know of luck", "| 12 | 2000 | " + list[2].String(), "plots/" + luckPlot,
		"plots/" + explainedPlot} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	for _, want := range []string{"luck factor of the values: " + list[2].String(), "  luck factor "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the console has no %q:\n%s", want, out.String())
		}
	}
	for _, name := range []string{luckPlot, explainedPlot} {
		if _, err := os.Stat(filepath.Join(dir, plotsName, name)); err != nil {
			t.Error(err)
		}
	}
	if events, err := os.ReadFile(filepath.Join(dir, eventsName)); err != nil || strings.Count(string(events), "luck/factor") != 3 ||
		strings.Count(string(events), "luck/explained") != 3 {
		t.Errorf("the events do not have three luck factors (%v)", err)
	}
}

// TestLuckIsTheSameAgain: neither the number of workers nor a stop on the way changes what is
// measured, and measuring does not change what is learned.
func TestLuckIsTheSameAgain(t *testing.T) {
	c := lucky()
	c.Evaluation.Luck = 30
	straight, stopped, without := t.TempDir(), t.TempDir(), t.TempDir()
	if err := Begin(t.Context(), c, Options{Dir: straight}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.Workers = 3
	err := Begin(ctx, c, Options{Dir: stopped, Progress: writerFunc(func(line string) {
		if strings.Contains(line, "update 1/") {
			cancel()
		}
	})})
	if !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if err := Resume(t.Context(), Options{Dir: stopped}); err != nil {
		t.Fatal(err)
	}
	if a, b := luckOf(t, straight), luckOf(t, stopped); len(a) != 3 || !reflect.DeepEqual(a, b) {
		t.Errorf("luck is\n%+v, stopped and with other workers\n%+v", a, b)
	}
	c.Evaluation.Luck = 0
	if err := Begin(t.Context(), c, Options{Dir: without}); err != nil {
		t.Fatal(err)
	}
	if list := luckOf(t, without); len(list) != 0 {
		t.Errorf("with evaluation.luck 0 it was measured: %+v", list)
	}
	var weights []any
	for _, dir := range []string{straight, stopped, without} {
		b, err := checkpoints.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		weights = append(weights, b.Weights)
	}
	if !reflect.DeepEqual(weights[0], weights[1]) || !reflect.DeepEqual(weights[0], weights[2]) {
		t.Error("measuring luck has changed what is learned")
	}
}

// TestGamesWithoutChanceHaveNoLuck: they say so in place of a number.
func TestGamesWithoutChanceHaveNoLuck(t *testing.T) {
	c := small("tictactoe")
	c.Updates, c.Evaluation.Every, c.Evaluation.Luck = 1, 0, 4
	dir := t.TempDir()
	var out strings.Builder
	if err := Begin(t.Context(), c, Options{Dir: dir, Progress: &out}); err != nil {
		t.Fatal(err)
	}
	if list := luckOf(t, dir); len(list) != 1 || list[0].Factor != nil || list[0].Games != 20 || len(list[0].ByPhase) != 5 {
		t.Errorf("luck is %+v, want what is explained in 20 games and no factor", list)
	}
	report, err := os.ReadFile(filepath.Join(dir, reportName))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(report), out.String()} {
		if !strings.Contains(text, "none: the game has no chance") || strings.Contains(text, luckPlot) {
			t.Errorf("it is not said that there is no chance:\n%s", text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, plotsName, luckPlot)); err == nil {
		t.Error("a luck factor was drawn")
	}
}
