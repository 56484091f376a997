package run

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

func TestSettingsAreSplitAtCommasOutsideOfBrackets(t *testing.T) {
	for text, want := range map[string][]string{
		"a.b=1,2":                                  {"1", "2"},
		"network.hidden=[64],[64, 32]":             {"[64]", "[64, 32]"},
		"game=jogu(first=any,second=any), kuhn":    {"jogu(first=any,second=any)", "kuhn"},
		"league.agents=[{name: random, share: 1}]": {"[{name: random, share: 1}]"},
	} {
		s, err := ParseSetting(text)
		if err != nil || !slices.Equal(s.Values, want) {
			t.Errorf("%s has the values %q (error %v), want %q", text, s.Values, err, want)
		}
	}
	for _, text := range []string{"", "a", "=1", "a=", "a=1,,2", "a=1,"} {
		if s, err := ParseSetting(text); err == nil {
			t.Errorf("%q is read as %v, want an error", text, s)
		}
	}
}

// TestSweepsGoOnAndSumUp stops a sweep in its second run, starts it again, and
// compares the summary with the runs; a third start makes no run, and one with more
// seeds makes those alone.
func TestSweepsGoOnAndSumUp(t *testing.T) {
	base := small("kuhn")
	base.Updates, base.Evaluation.Every, base.Evaluation.Against = 2, 1, []string{"random"}
	s := Sweep{Base: base, Settings: []Setting{{"ppo.epochs", []string{"1", "2"}}}, Seeds: 2}
	dir := filepath.Join(t.TempDir(), "sweep")
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Run(ctx, dir, writerFunc(func(line string) {
		if strings.HasPrefix(line, "run 2 of 4") {
			cancel()
		}
	}))
	if !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "run 2 of 4") {
		t.Fatalf("a sweep that is stopped: %v, want one that wraps ErrStopped and names the run", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, sweepReportName)); err != nil || !strings.Contains(string(text), "1 of 4 runs are done") {
		t.Errorf("after one run the summary is\n%s (%v)", text, err)
	}
	var told strings.Builder
	if err := s.Run(t.Context(), dir, &told); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "run 1 of 4: ppo.epochs=1, seed 1: done before") {
		t.Errorf("the second start makes the first run again:\n%s", told.String())
	}
	f, err := os.Open(filepath.Join(dir, sweepRunsName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) != 5 {
		t.Fatalf("%s has %d lines (%v), want the names and 4 runs", sweepRunsName, len(lines), err)
	}
	if got := lines[4][:3]; !slices.Equal(got, []string{"ppo.epochs=2", "2", "random"}) {
		t.Errorf("the last run is %v, want ppo.epochs=2 with seed 2 against random", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, sweepReportName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 of 4 runs are done", "| ppo.epochs=1 | random | 2 |", "| ppo.epochs=2 | random | 2 |", "one standard error",
		"plots/win_rate-random.png"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the summary does not mention %q:\n%s", want, text)
		}
	}
	for _, name := range []string{"win_rate-random.png", "return-random.png"} {
		if info, err := os.Stat(filepath.Join(dir, plotsName, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, want a picture", name, err)
		}
	}

	told.Reset()
	if err := s.Run(t.Context(), dir, &told); err != nil || strings.Count(told.String(), "done before") != 4 {
		t.Errorf("a third start (%v):\n%s\nwant all 4 runs left as they are", err, told.String())
	}
	more := s
	more.Seeds = 3
	told.Reset()
	if err := more.Run(t.Context(), dir, &told); err != nil || strings.Count(told.String(), "done before") != 4 ||
		strings.Count(told.String(), "run ") != 6 {
		t.Errorf("with one seed more (%v):\n%s\nwant 4 runs left and 2 made", err, told.String())
	}
	other := s
	other.Base.Updates = 3
	if err := other.Run(t.Context(), dir, nil); !errors.Is(err, option.ErrUsage) ||
		!strings.Contains(err.Error(), dir+` holds another sweep ("updates: 2" there, "updates: 3" here); `) {
		t.Errorf("another sweep in the same directory: %v, want wrong usage", err)
	}
	other = s
	other.Settings = append([]Setting{{Key: "lag", Values: []string{"0", "1"}}}, s.Settings...)
	if err := other.Run(t.Context(), dir, nil); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), " there, [lag=0,1 ") {
		t.Errorf("other settings in the same directory: %v, want wrong usage", err)
	}
}

// TestSpread compares with figures worked out by hand: 1, 2, 3, 6 have the mean 3 and
// the sample variance 14/3.
func TestSpread(t *testing.T) {
	s := spreadOf([]float64{2, 1, 6, 3})
	if s.mean != 3 || math.Abs(s.standardError-math.Sqrt(14.0/3/4)) > 1e-12 || s.least != 1 || s.most != 6 {
		t.Errorf("1, 2, 3, 6 are summed up as %+v", s)
	}
	if s := spreadOf([]float64{5}); s.standardError != 0 || s.mean != 5 {
		t.Errorf("5 alone is summed up as %+v", s)
	}
}

func TestSweepsNameTheirFaults(t *testing.T) {
	base := small("kuhn")
	for _, test := range []struct {
		sweep Sweep
		want  string
	}{
		{Sweep{Base: base}, "0 seeds"},
		{Sweep{Base: base, Seeds: 1, Settings: []Setting{{"seed", []string{"3"}}}}, "seed is no setting"},
		{Sweep{Base: base, Seeds: 1, Settings: []Setting{{"ppo.epochs", []string{"1", "0"}}}}, "ppo.epochs=0: config:"},
	} {
		if _, err := test.sweep.Variants(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error is %v, want one with %q", err, test.want)
		}
	}
}
