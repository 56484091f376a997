package suite

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Write prints the row for people.
func (r *Row) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "suite %s, %s: %d games, %.0f processor seconds\n\n", r.Suite, r.Name, r.Games, r.Seconds)
	fmt.Fprintln(w, "task\tgames\treturn\tinterval\tscore\truns")
	for _, t := range r.Tasks {
		fmt.Fprintf(w, "%s\t%d\t%+.3f\t[%+.3f, %+.3f]\t%.3f\t%.2f\n", t.Task, t.Games, t.Return, t.ReturnLow, t.ReturnHigh, t.Score, t.Runs)
	}
	for _, t := range r.Tiers {
		fmt.Fprintf(w, "%s, %d tasks\t\t\t\t%.3f\tIQM [%.3f, %.3f]\n", t.Tier, t.Tasks, t.IQM, t.Low, t.High)
	}
	return w.Flush()
}

// task returns the figures of a task, nil if it was not played.
func (r *Row) task(name string) *TaskFigures {
	for i := range r.Tasks {
		if r.Tasks[i].Task == name {
			return &r.Tasks[i]
		}
	}
	return nil
}

// tier returns the figures of a tier, nil if not all of its tasks were played.
func (r *Row) tier(name Tier) *TierFigures {
	for i := range r.Tiers {
		if r.Tiers[i].Tier == name {
			return &r.Tiers[i]
		}
	}
	return nil
}

// Table is the table of the rows in Markdown: the scores of each task, the interquartile
// means of the tiers, the probabilities of improvement and the performance profiles.
func (d *Definition) Table(rows []*Row) string {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	var b strings.Builder
	d.scoreTable(&b, rows)
	for _, tier := range d.tiers() {
		var whole []*Row
		for _, r := range rows {
			if r.tier(tier) != nil {
				whole = append(whole, r)
			}
		}
		if len(whole) > 1 {
			d.improvementTable(&b, tier, whole)
			d.profileTable(&b, tier, whole)
		}
	}
	return b.String()
}

// scoreTable has a row for each task and for each tier, and a column for each agent.
func (d *Definition) scoreTable(b *strings.Builder, rows []*Row) {
	fmt.Fprint(b, "| task |")
	for _, r := range rows {
		fmt.Fprintf(b, " `%s` |", r.Name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(rows)))
	for _, tier := range d.tiers() {
		for _, t := range d.Tasks {
			if t.Tier != tier {
				continue
			}
			fmt.Fprintf(b, "| %s |", t.Name)
			for _, r := range rows {
				f := r.task(t.Name)
				if f == nil {
					fmt.Fprint(b, " - |")
					continue
				}
				fmt.Fprintf(b, " %s [%s, %s] |", two(f.Score), two(t.Anchors.scale(f.ReturnLow)), two(t.Anchors.scale(f.ReturnHigh)))
			}
			fmt.Fprintln(b)
		}
		fmt.Fprintf(b, "| **%s**, IQM |", tier)
		for _, r := range rows {
			if f := r.tier(tier); f != nil {
				fmt.Fprintf(b, " **%s** [%s, %s] |", two(f.IQM), two(f.Low), two(f.High))
			} else {
				fmt.Fprint(b, " - |")
			}
		}
		fmt.Fprintln(b)
	}
	for _, last := range []struct {
		name string
		text func(*Row) string
	}{
		{"games", func(r *Row) string { return fmt.Sprint(r.Games) }},
		{"processor hours", func(r *Row) string { return fmt.Sprintf("%.3f", r.Seconds/3600) }},
	} {
		fmt.Fprintf(b, "| %s |", last.name)
		for _, r := range rows {
			fmt.Fprintf(b, " %s |", last.text(r))
		}
		fmt.Fprintln(b)
	}
}

// Summary is the short table of the rows in Markdown: the interquartile means of the tiers,
// and the scores in tasks of tiers that the agent was not played through.
func (d *Definition) Summary(rows []*Row) string {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	var b strings.Builder
	fmt.Fprint(&b, "| agent |")
	for _, tier := range d.tiers() {
		fmt.Fprintf(&b, " %s |", tier)
	}
	fmt.Fprintf(&b, " single tasks | games |\n|---|%s---|---|\n", strings.Repeat("---|", len(d.tiers())))
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` |", r.Name)
		var single []string
		for _, tier := range d.tiers() {
			if f := r.tier(tier); f != nil {
				fmt.Fprintf(&b, " %s [%s, %s] |", two(f.IQM), two(f.Low), two(f.High))
				continue
			}
			fmt.Fprint(&b, " - |")
			for _, t := range d.Tasks {
				if f := r.task(t.Name); f != nil && t.Tier == tier {
					single = append(single, fmt.Sprintf("%s %s [%s, %s]", t.Name, two(f.Score), two(t.Anchors.scale(f.ReturnLow)),
						two(t.Anchors.scale(f.ReturnHigh))))
				}
			}
		}
		if single == nil {
			single = []string{"-"}
		}
		fmt.Fprintf(&b, " %s | %d |\n", strings.Join(single, ", "), r.Games)
	}
	return b.String()
}

// two writes a number with two digits, and nothing below zero that is none.
func two(x float64) string {
	if text := fmt.Sprintf("%.2f", x); text != "-0.00" {
		return text
	}
	return "0.00"
}

// improvementTable compares every two agents.
func (d *Definition) improvementTable(b *strings.Builder, tier Tier, rows []*Row) {
	fmt.Fprintf(b, "\nProbability that a run of the row's agent scores higher than one of the column's, %s:\n\n| |", tier)
	for _, r := range rows {
		fmt.Fprintf(b, " `%s` |", r.Name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(rows)))
	for _, x := range rows {
		fmt.Fprintf(b, "| `%s` |", x.Name)
		for _, y := range rows {
			if x == y {
				fmt.Fprint(b, "  |")
				continue
			}
			fmt.Fprintf(b, " %.2f |", Improvement(d.scores(x.Tasks, tier), d.scores(y.Tasks, tier)))
		}
		fmt.Fprintln(b)
	}
}

// thresholds are the scores of the performance profile.
var thresholds = []float64{0, 0.25, 0.5, 0.75, 1, 1.25}

// profileTable has the share of scores above each threshold.
func (d *Definition) profileTable(b *strings.Builder, tier Tier, rows []*Row) {
	fmt.Fprintf(b, "\nPerformance profile, the share of runs and tasks that score above, %s:\n\n| |", tier)
	for _, t := range thresholds {
		fmt.Fprintf(b, " %g |", t)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(thresholds)))
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` |", r.Name)
		for _, share := range Profile(d.scores(r.Tasks, tier), thresholds) {
			fmt.Fprintf(b, " %.2f |", share)
		}
		fmt.Fprintln(b)
	}
}

// TaskTable lists the tasks in Markdown.
func (d *Definition) TaskTable() string {
	var b strings.Builder
	fmt.Fprintln(&b, "| task | tier | game | begins | tables | games | 0 is | 1 is |\n|---|---|---|---|---|---|---|---|")
	for _, t := range d.Tasks {
		begins, tables := "as the game does", strings.Join(t.Tables, ", ")
		switch {
		case t.Position != "":
			begins = "`" + t.Position + "`"
		case t.bank != nil:
			begins, tables = fmt.Sprintf("solved, `%s`", t.Bank), "none"
		}
		if t.Luck != nil {
			tables += fmt.Sprintf("; %g of the luck by `%s` %.12s taken out", t.Luck.Share, t.Luck.Values, t.Luck.Weights)
		}
		fmt.Fprintf(&b, "| %s | %s | `%s`, rules %d | %s | %s | %d | %+.3f, %s | %+.3f, %s |\n", t.Name, t.Tier, t.Game, t.Rules, begins,
			tables, len(d.places(&t)), t.Anchors.Zero, t.Anchors.ZeroAgent, t.Anchors.One, t.Anchors.OneAgent)
	}
	return b.String()
}
