package train

import (
	"context"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/train/eval"
	"powderkeg/train/job"
)

// learnerName is the learner among the contestants of a match.
const learnerName = "learner"

// Roster makes agents by their names for matches that others play.
var Roster = eval.Roster{New: roster.New, Policies: roster.Policies, Weights: roster.Weights}

// Evaluate plays a match of so many games of the present network against each of the
// opponents of the config, alone against a table of them (eval.Config.Solo) and with
// seats balanced, and calls each with its result. The seeds follow from the run's seed,
// the update and the opponent. A crew that can do jobs plays the games; of opponents that are
// files only this machine is known to have them, and plays itself.
func (t *Trainer) Evaluate(ctx context.Context, games int, closing bool, each func(EvaluationMetrics, *eval.Result) error) error {
	brain, err := learned.NewBrain(t.game, t.player().Clone().Frozen())
	if err != nil {
		return err
	}
	c := &t.config.Evaluation
	hands, elsewhere := t.crew.(job.Hands)
	learner := eval.NamedNetwork(t.player(), c.Temperature)
	for i, opponent := range c.Against {
		match := eval.Config{
			Game: t.game, Games: games, Solo: true, Workers: t.config.workers(),
			Seed: uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(uint64(i))),
			Contestants: []eval.Contestant{
				{Name: learnerName, New: func() (agents.Agent, error) { return brain.NewAgent(c.Temperature), nil }},
				{Name: opponent, New: func() (agents.Agent, error) { return roster.New(t.game, opponent) }},
			},
		}
		if elsewhere {
			other, err := Roster.Named(opponent)
			if err != nil {
				return err
			}
			if other.Ships() {
				match.Elsewhere = &eval.Elsewhere{Hands: hands, Agents: []eval.Named{learner, other}}
			}
		}
		result, err := eval.Match(ctx, match)
		if err != nil {
			return err
		}
		mine := result.Agents[0]
		m := EvaluationMetrics{
			Kind: KindEvaluation, Update: t.updates, Decisions: t.decisions, Opponent: opponent, Games: result.Games,
			WinRate: mine.WinRate, CILow: mine.CILow, CIHigh: mine.CIHigh,
			Return: mine.MeanReturn, ReturnLow: mine.ReturnLow, ReturnHigh: mine.ReturnHigh, Rank: mine.MeanRank, Closing: closing,
		}
		if err := each(m, result); err != nil {
			return err
		}
	}
	return nil
}
