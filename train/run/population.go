package run

import (
	"context"
	"os"
	"path/filepath"

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
	if err := os.MkdirAll(plots, 0o777); err != nil {
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
	line("A tournament of %d games between the learner, at temperature %v, and its pool, which plays as while learning. Elo is the maximum-likelihood fit over all of them, with mean 0; intervals are 95%%.\n", t.Games, r.temperature)
	line("| | player | Elo | interval | win rate | mean return | mean rank |")
	line("|---|---|---|---|---|---|---|")
	for i, a := range t.Agents {
		line("| %d | %s | %+.0f | [%+.0f, %+.0f] | %.3f | %+.3f | %.2f |", i+1, a.Name, a.Elo, a.EloLow, a.EloHigh, a.WinRate, a.MeanReturn, a.MeanRank)
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
		line("| %d | %s | %d | %.3f | [%.3f, %.3f] | %s |", u.Update, u.Gate.Best, u.Gate.Games, u.Gate.Score, u.Gate.CILow, u.Gate.CIHigh, yesNo(u.Gate.Admitted))
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
