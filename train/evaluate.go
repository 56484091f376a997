package train

import (
	"context"
	"slices"

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
	for i, opponent := range c.Against {
		match := eval.Config{
			Game: t.game, Games: games, Solo: true, Workers: t.config.workers(),
			Seed: uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(uint64(i))),
			Contestants: []eval.Contestant{
				{Name: learnerName, New: func() (agents.Agent, error) { return brain.NewAgent(c.Temperature), nil }},
				{Name: opponent, New: func() (agents.Agent, error) { return roster.New(t.game, opponent) }},
			},
		}
		if match.Elsewhere, err = t.elsewhere(func() ([]eval.Named, error) {
			other, err := Roster.Named(opponent)
			return []eval.Named{eval.NamedNetwork(t.player(), c.Temperature), other}, err
		}); err != nil {
			return err
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

// elsewhere is where a crew that can do jobs plays a match between the agents that named lists,
// nil where this process plays: there is no such crew, or one of the agents is a file.
func (t *Trainer) elsewhere(named func() ([]eval.Named, error)) (*eval.Elsewhere, error) {
	hands, can := t.crew.(job.Hands)
	if !can {
		return nil, nil
	}
	list, err := named()
	if err != nil || slices.ContainsFunc(list, func(a eval.Named) bool { return !a.Ships() }) {
		return nil, err
	}
	return &eval.Elsewhere{Hands: hands, Agents: list}, nil
}
