package train

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/train/eval"
	"powderkeg/train/league"
)

const (
	tournamentName   = "tournament.json"
	payoffsName      = "payoffs.png" // in plots
	tournamentStream = 0x746f7572
)

// maxPlayers bounds the players of a tournament in a game of so many seats: they
// meet in all combinations, of which more seats have more.
func maxPlayers(seats int) int {
	if seats > 2 {
		return 8
	}
	return 12
}

// players chooses who takes part beside the learner: the named agents, and of the
// snapshots as many as there is room for, spread from the oldest to the newest.
func players(members []*league.Member, room int) []*league.Member {
	var list, snapshots []*league.Member
	for _, m := range members {
		switch {
		case !m.Active():
		case m.Snapshot():
			snapshots = append(snapshots, m)
		case len(list) < room:
			list = append(list, m)
		}
	}
	n := min(room-len(list), len(snapshots))
	for i := range n {
		list = append(list, snapshots[(i+1)*len(snapshots)/n-1])
	}
	return list
}

// tournament plays the learner and the pool against each other, nil where none is
// asked for or there is nobody to play.
func (t *Trainer) tournament(ctx context.Context) (*eval.Result, error) {
	games, seats := t.config.Evaluation.Tournament, t.game.Spec().Seats
	if games == 0 || seats < 2 {
		return nil, nil
	}
	brain, err := learned.NewBrain(t.game, t.net.Clone())
	if err != nil {
		return nil, err
	}
	temperature := t.config.Evaluation.Temperature
	contestants := []eval.Contestant{{Name: learnerName, New: func() (agents.Agent, error) { return brain.NewAgent(temperature), nil }}}
	for _, m := range players(t.pool.Members(), maxPlayers(seats)-1) {
		contestants = append(contestants, eval.Contestant{
			Name: m.Name, New: func() (agents.Agent, error) { return agents.FromPolicy(m.NewPolicy()), nil },
		})
	}
	if len(contestants) == 1 {
		return nil, nil
	}
	return eval.Match(ctx, eval.Config{
		Game: t.game, Games: games, Workers: t.config.workers(), Contestants: contestants,
		Seed: uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(tournamentStream)),
	})
}

// closeTournament plays the tournament and leaves its result and its picture with
// the run.
func (r *run) closeTournament(ctx context.Context) (*eval.Result, error) {
	result, err := r.tournament(ctx)
	if err != nil || result == nil {
		return nil, err
	}
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := durable.WriteFile(filepath.Join(r.options.Dir, tournamentName), append(text, '\n')); err != nil {
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
