package run

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/eval"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/plotter"
)

// What a sweep leaves beside its runs.
const (
	sweepReportName = "summary.md"
	sweepRunsName   = "runs.csv"
)

// sweepRun is a run that has come to its end.
type sweepRun struct {
	variant string
	seed    uint64
	history *history
}

// summarise writes the tables and the curves of all runs that are done.
func (s Sweep) summarise(dir string, variants []Variant) error {
	var runs []sweepRun
	for _, v := range variants {
		for _, c := range v.Runs {
			folder := runFolder(dir, v, c)
			done, err := finished(folder, c)
			if err != nil {
				return err
			}
			if !done {
				continue
			}
			h, err := readHistory(filepath.Join(folder, metricsName))
			if err != nil {
				return err
			}
			runs = append(runs, sweepRun{v.Name, c.Seed, h})
		}
	}
	if len(runs) == 0 {
		return nil
	}
	if err := writeRuns(filepath.Join(dir, sweepRunsName), runs); err != nil {
		return err
	}
	if len(measured(runs)) > 0 {
		if err := writeExactRuns(filepath.Join(dir, sweepExactName), runs); err != nil {
			return err
		}
	}
	plots := filepath.Join(dir, plotsName)
	if err := file.MakeFolder(plots); err != nil {
		return err
	}
	figures, err := s.drawCurves(plots, variants, runs)
	if err != nil {
		return err
	}
	exact, err := s.drawExact(plots, variants, runs)
	if err != nil {
		return err
	}
	figures = append(figures, exact...)
	return durable.WriteFile(filepath.Join(dir, sweepReportName), s.summary(variants, runs, figures))
}

// writeRuns writes a line for each run and opponent.
func writeRuns(path string, runs []sweepRun) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	lines := [][]string{{"variant", "seed", "opponent", "games", "win_rate", "ci_low", "ci_high", "return", "return_low", "return_high", "rank",
		"updates", "decisions"}}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, r := range runs {
		for _, e := range r.history.closing() {
			lines = append(lines, []string{
				r.variant, strconv.FormatUint(r.seed, 10), e.Opponent, strconv.Itoa(e.Games),
				number(e.WinRate), number(e.CILow), number(e.CIHigh), number(e.Return), number(e.ReturnLow), number(e.ReturnHigh), number(e.Rank),
				strconv.FormatInt(e.Update, 10), strconv.FormatInt(e.Decisions, 10),
			})
		}
	}
	if err := errors.Join(w.WriteAll(lines), w.Error()); err != nil {
		return err
	}
	return durable.WriteFile(path, b.Bytes())
}

// spread is a mean over seeds with its standard error and its range.
type spread struct {
	mean, standardError, least, most float64
	n                                int
}

// spreadOf sums up one number of each seed. The standard error of a single one is
// not known and written as 0.
func spreadOf(values []float64) spread {
	s := spread{mean: stat.Mean(values, nil), least: slices.Min(values), most: slices.Max(values), n: len(values)}
	if s.n > 1 {
		s.standardError = stat.StdDev(values, nil) / math.Sqrt(float64(s.n))
	}
	return s
}

// cells are three: the mean, its standard error and the range, the latter empty of a single seed.
func (s spread) cells() []string {
	if s.n == 1 {
		return []string{fmt.Sprintf("%.3f", s.mean), "", ""}
	}
	return []string{fmt.Sprintf("%.3f", s.mean), fmt.Sprintf("± %.3f", s.standardError), fmt.Sprintf("%.3f to %.3f", s.least, s.most)}
}

// payoff is that of the game of the sweep.
func (s Sweep) payoff() engine.Payoff {
	g, err := s.Base.NewGame()
	if err != nil {
		panic(err) // it was played
	}
	return g.Spec().Payoff
}

// summary is summary.md.
func (s Sweep) summary(variants []Variant, runs []sweepRun, figures []string) []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: sweep\n", s.Base.Game)
	line("%d of %d runs are done: %d variants, seeds %d to %d. `%s` has a line for each run and opponent.\n",
		len(runs), len(variants)*s.Seeds, len(variants), s.Base.Seed, s.Base.Seed+uint64(s.Seeds)-1, sweepRunsName)
	line("Closing evaluations, mean over the seeds, ± one standard error of it (the sample standard deviation over √n), and the range.\n")
	rate := eval.HeadlineOf(s.payoff()).Rate
	t := newColumns(line, "variant", "against", "seeds").add(rate != "", rate, "", "range").add(true, "mean return", "", "range")
	t.head()
	for _, v := range variants {
		byOpponent := map[string][]train.EvaluationMetrics{}
		var opponents []string
		for _, r := range runs {
			if r.variant != v.Name {
				continue
			}
			for _, e := range r.history.closing() {
				if byOpponent[e.Opponent] == nil {
					opponents = append(opponents, e.Opponent)
				}
				byOpponent[e.Opponent] = append(byOpponent[e.Opponent], e)
			}
		}
		for _, o := range opponents {
			var rates, returns []float64
			for _, e := range byOpponent[o] {
				rates, returns = append(rates, e.WinRate), append(returns, e.Return)
			}
			t.row(slices.Concat([]string{v.Name, o, fmt.Sprint(len(rates))}, spreadOf(rates).cells(), spreadOf(returns).cells())...)
		}
	}
	if len(measured(runs)) > 0 {
		writeExactTable(line, variants, runs)
	}
	if len(figures) > 0 {
		line("\nCurves are means over the seeds, bands ± one standard error.\n")
	}
	for _, f := range figures {
		line("![%s](%s/%s)", strings.TrimSuffix(f, ".png"), plotsName, f)
	}
	return b.Bytes()
}

// drawCurves draws win rate and mean return against each opponent and returns the
// names of the files.
func (s Sweep) drawCurves(dir string, variants []Variant, runs []sweepRun) ([]string, error) {
	type figure struct {
		name, y string
		value   func(train.EvaluationMetrics) float64
		axis    axis
	}
	drawn := []figure{{"return", "return", func(e train.EvaluationMetrics) float64 { return e.Return }, linear}}
	if rate := eval.HeadlineOf(s.payoff()).Rate; rate != "" {
		drawn = append([]figure{{strings.ReplaceAll(rate, " ", "_"), rate, func(e train.EvaluationMetrics) float64 { return e.WinRate }, share}}, drawn...)
	}
	var files []string
	for _, opponent := range s.Base.Evaluation.Against {
		for _, f := range drawn {
			var curves []*curve
			for _, v := range variants {
				curves = append(curves, meanCurve(v.Name, opponent, runs, f.value))
			}
			file := f.name + "-" + fileName(opponent) + ".png"
			title := fmt.Sprintf("%s: %s against %s", s.Base.Game, strings.ReplaceAll(f.name, "_", " "), opponent)
			if err := draw(filepath.Join(dir, file), title, f.y, curves, f.axis); err != nil {
				return nil, fmt.Errorf("plot %s: %w", file, err)
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// meanCurve is the mean over the runs of a variant at each of their evaluations
// against the opponent.
func meanCurve(variant, opponent string, runs []sweepRun, value func(train.EvaluationMetrics) float64) *curve {
	return meanOver(variant, runs, func(h *history, add func(decisions int64, y float64)) {
		for _, e := range h.evaluations {
			if e.Opponent == opponent {
				add(e.Decisions, value(e))
			}
		}
	})
}

// meanOver is the mean over the runs of a variant of what each adds, with a band of
// one standard error.
func meanOver(variant string, runs []sweepRun, each func(h *history, add func(decisions int64, y float64))) *curve {
	byDecisions := map[int64][]float64{}
	for _, r := range runs {
		if r.variant == variant {
			each(r.history, func(decisions int64, y float64) { byDecisions[decisions] = append(byDecisions[decisions], y) })
		}
	}
	c := &curve{name: variant}
	for _, decisions := range slices.Sorted(maps.Keys(byDecisions)) {
		s, x := spreadOf(byDecisions[decisions]), millions(decisions)
		c.add(x, s.mean)
		c.low = append(c.low, plotter.XY{X: x, Y: s.mean - s.standardError})
		c.high = append(c.high, plotter.XY{X: x, Y: s.mean + s.standardError})
	}
	return c
}
