package run

import (
	"context"
	"fmt"
	"path/filepath"

	"powderkeg/env/file"
	"powderkeg/train/eval"
)

const (
	tournamentName = "tournament.json"
	payoffsName    = "payoffs.png" // in plots
)

// closeTournament plays the tournament and leaves its result and its picture with
// the run.
func (r *running) closeTournament(ctx context.Context) (*eval.Result, error) {
	result, err := r.Tournament(ctx)
	if err != nil || result == nil {
		return nil, err
	}
	if err := writeJSON(filepath.Join(r.options.Dir, tournamentName), result); err != nil {
		return nil, err
	}
	plots := filepath.Join(r.options.Dir, plotsName)
	if err := file.MakeFolder(plots); err != nil {
		return nil, err
	}
	return result, result.WriteHeatMap(filepath.Join(plots, payoffsName))
}

// writePopulation writes the tables of the tournament.
func (r *report) writePopulation(line func(string, ...any)) {
	t := r.tournament
	if t == nil {
		return
	}
	line("\n## Population\n")
	headline := eval.HeadlineOf(t.Payoff)
	elo := ""
	if headline.Elo {
		elo = " Elo is the maximum-likelihood fit over all of them, with mean 0."
	}
	line("A tournament of %d games between the learner, at temperature %v, and its pool, which plays as while learning.%s Intervals are 95%%.\n",
		t.Games, r.temperature, elo)
	m := newColumns(line, "", "player").add(headline.Elo, "Elo", "interval").add(headline.Rate != "", headline.Rate).add(true,
		"mean return").add(headline.Elo, "mean rank")
	m.head()
	for i, a := range t.Agents {
		m.row(fmt.Sprint(i+1), a.Name, fmt.Sprintf("%+.0f", a.Elo), fmt.Sprintf("[%+.0f, %+.0f]", a.EloLow, a.EloHigh), fmt.Sprintf("%.3f", a.WinRate),
			fmt.Sprintf("%+.3f", a.MeanReturn), fmt.Sprintf("%.2f", a.MeanRank))
	}
	for _, warning := range t.Warnings {
		line("\nHeed: %s.", warning)
	}
	line("\nMean returns of the row against the column:\n")
	line("%s", t.MatrixMarkdown())
	line("![payoffs](%s)", plotsName+"/"+payoffsName)
	line("\nWhat the learner made of each member while learning, and what counts of it in the draw of opponents (1 is always ahead):\n")
	line("| member | duels | score | in the latest |")
	line("|---|---|---|---|")
	for _, m := range r.members {
		if m.Games > 0 {
			line("| %s | %d | %.3f | %.3f |", m.Name, m.Games, m.Points/float64(m.Games), m.Rate())
		}
	}
}

// writeGates writes what happened at the gate of the pool.
func (r *report) writeGates(line func(string, ...any)) {
	first := true
	for _, u := range r.history.updates {
		if u.Gate == nil {
			continue
		}
		if first {
			first = false
			line("\n## The gate of the pool\n")
			line("| update | against | games | score | interval | admitted |")
			line("|---|---|---|---|---|---|")
		}
		line("| %d | %s | %d | %.3f | [%.3f, %.3f] | %s |", u.Update, u.Gate.Best, u.Gate.Games, u.Gate.Score, u.Gate.CILow, u.Gate.CIHigh,
			yesNo(u.Gate.Admitted))
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
