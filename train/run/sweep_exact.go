package run

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/train"
)

// sweepExactName is sweepRunsName for exact evaluations.
const sweepExactName = "exact.csv"

// measured lists the policies that the runs have measured exactly.
func measured(runs []sweepRun) []string {
	var list []string
	for _, name := range []string{train.LastIterate, train.MagnetPolicy, train.AveragePolicy} {
		for _, r := range runs {
			if _, ok := r.exact(name); ok {
				list = append(list, name)
				break
			}
		}
	}
	return list
}

// exact returns what a policy of the run has come to.
func (r sweepRun) exact(policy string) (train.ExactMetrics, bool) {
	for _, m := range r.history.closingExact() {
		if m.Policy == policy {
			return m, true
		}
	}
	return train.ExactMetrics{}, false
}

// writeExactRuns writes a line for each run and policy.
func writeExactRuns(path string, runs []sweepRun) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	lines := [][]string{{"variant", "seed", "policy", "distance", "nash_conv", "updates", "decisions"}}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, r := range runs {
		for _, m := range r.history.closingExact() {
			lines = append(lines, []string{
				r.variant, strconv.FormatUint(r.seed, 10), m.Policy, number(m.Distance()), number(m.NashConv),
				strconv.FormatInt(m.Update, 10), strconv.FormatInt(m.Decisions, 10),
			})
		}
	}
	if err := errors.Join(w.WriteAll(lines), w.Error()); err != nil {
		return err
	}
	return durable.WriteFile(path, b.Bytes())
}

// writeExactTable sums up how far the policies are from an equilibrium.
func writeExactTable(line func(string, ...any), variants []Variant, runs []sweepRun) {
	line("\nExploitability at the end, exact over the whole tree (NashConv where payoffs do not add up to zero); `%s` has a line for each run.\n",
		sweepExactName)
	line("| variant | policy | seeds | mean | | range |")
	line("|---|---|---|---|---|---|")
	for _, v := range variants {
		for _, policy := range measured(runs) {
			var values []float64
			for _, r := range runs {
				if m, ok := r.exact(policy); ok && r.variant == v.Name {
					values = append(values, m.Distance())
				}
			}
			if len(values) > 0 {
				line("| %s | %s | %d | %s |", v.Name, policy, len(values), strings.Join(spreadOf(values).cells(), " | "))
			}
		}
	}
}

// drawExact draws the distance of each policy from an equilibrium and returns the
// names of the files.
func (s Sweep) drawExact(dir string, variants []Variant, runs []sweepRun) ([]string, error) {
	var files []string
	for _, policy := range measured(runs) {
		var curves []*curve
		for _, v := range variants {
			curves = append(curves, meanOver(v.Name, runs, func(h *history, add func(int64, float64)) {
				for _, m := range h.exact {
					if m.Policy == policy {
						add(m.Decisions, m.Distance())
					}
				}
			}))
		}
		file := "exploitability-" + policy + ".png"
		if err := draw(filepath.Join(dir, file), fmt.Sprintf("%s: exploitability, %s policy", s.Base.Game, policy), "exploitability", curves,
			logarithmic); err != nil {
			return nil, fmt.Errorf("plot %s: %w", file, err)
		}
		files = append(files, file)
	}
	return files, nil
}
