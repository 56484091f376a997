package train

import (
	"context"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/train/luck"
)

// luckStream sets the games whose luck is measured apart from those of evaluations.
const luckStream = 0x6c75636b

// closingLuck is how many times as many games are measured at the end of a run.
const closingLuck = 5

// LuckMetrics says what the values of the network know of luck.
type LuckMetrics struct {
	Kind string  `json:"kind"` // luck
	Time float64 `json:"time"` // as in UpdateMetrics
	// Seconds is what the measurement took; it is set like Time.
	Seconds   float64 `json:"seconds"`
	Decisions int64   `json:"decisions"`
	checkpoints.Luck
}

// MeasureLuck measures what the values of the network that is evaluated and shipped know of luck,
// in games of it against itself: evaluation.luck of them, and at the end of a run closingLuck
// times as many. Nothing that is learned depends on it. It returns nil if the config asks for none.
func (t *Trainer) MeasureLuck(ctx context.Context) (*LuckMetrics, error) {
	c := &t.config.Evaluation
	if c.Luck == 0 {
		return nil, nil
	}
	brain, err := learned.NewBrain(t.game, t.player().Clone().Frozen())
	if err != nil {
		return nil, err
	}
	agent := func() (agents.Agent, error) { return brain.NewAgent(c.Temperature), nil }
	games := c.Luck
	if t.Done() {
		games *= closingLuck
	}
	r, err := luck.Measure(ctx, luck.Config{
		Game: t.game, Agent: agent, Others: agent, Games: games,
		Values:   func() luck.Values { return luck.NewCritic(t.game, brain) },
		Seed:     uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(luckStream)),
		Outcomes: luck.MostOutcomes, Share: 1, Workers: t.config.workers(),
	})
	if err != nil {
		return nil, err
	}
	t.luck = luckOf(r, t.updates)
	return &LuckMetrics{Kind: KindLuck, Decisions: t.decisions, Luck: *t.luck}, nil
}

// Luck returns what the newest measurement came to, nil without one.
func (t *Trainer) Luck() *checkpoints.Luck { return t.luck }

// luckOf is what a result says after so many updates.
func luckOf(r *luck.Result, updates int64) *checkpoints.Luck {
	l := &checkpoints.Luck{
		Update: updates, Games: r.Games, Events: r.Events, Skipped: r.Skipped,
		Explained: r.Explained, ExplainedInterval: r.ExplainedInterval,
		ByPhase: r.ByPhase, ByPhaseIntervals: r.ByPhaseIntervals, Outcomes: r.Outcomes,
	}
	if r.Events > 0 && r.Raw.High > r.Raw.Low { // of results that were all the same there is no factor
		l.Factor = &r.Factor
		l.FactorLow, l.FactorHigh, l.BestShare, l.BestFactor = r.FactorLow, r.FactorHigh, r.BestShare, r.BestFactor
	}
	return l
}
