package train

import (
	"context"
	"errors"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/engine"
	"powderkeg/train/eval"
	"powderkeg/train/league"
)

// gateStream sets the games at the gate apart from those of evaluations.
const gateStream = 0x67617465

// snapshot adds the present network to the pool, where there is a gate only if it
// proves better than the best member, which it then is itself; the first needs no proof. It
// returns what happened at the gate, nil if nothing did.
func (t *Trainer) snapshot() (*GateMetrics, error) {
	gate := t.config.League.Gate
	best := t.pool.Best()
	switch {
	case gate.Games == 0:
		return nil, t.pool.Snapshot(t.updates, t.player())
	case best == nil:
		return nil, t.pool.Promote(t.updates, t.player())
	}
	candidate, err := learned.NewBrain(t.game, t.player().Clone().Frozen())
	if err != nil {
		return nil, err
	}
	match := eval.Config{
		Game: t.game, Games: gate.Games, Workers: t.config.workers(),
		Seed: uint64(engine.NewHash().Word(t.config.Seed).Word(uint64(t.updates)).Word(gateStream)),
		Contestants: []eval.Contestant{
			{Name: league.SnapshotName(t.updates), New: func() (agents.Agent, error) { return candidate.NewAgent(1), nil }},
			{Name: best.Name, New: func() (agents.Agent, error) { return agents.FromPolicy(best.NewPolicy()), nil }},
		},
	}
	if match.Elsewhere, err = t.elsewhere(func() ([]eval.Named, error) {
		return []eval.Named{eval.NamedNetwork(candidate.Network(), 1), eval.NamedNetwork(best.Network(), 1)}, nil
	}); err != nil {
		return nil, err
	}
	// Not to be stopped half-way: an update is made whole or not at all. A crew that is told to
	// stop leaves the games to this process.
	result, err := eval.Match(context.Background(), match)
	if match.Elsewhere != nil && errors.Is(err, context.Canceled) {
		match.Elsewhere = nil
		result, err = eval.Match(context.Background(), match)
	}
	if err != nil {
		return nil, err
	}
	duels := result.Pairs[0]
	m := &GateMetrics{
		Best: best.Name, Games: result.Games,
		Score: duels.Score, CILow: duels.CILow, CIHigh: duels.CIHigh, Admitted: duels.CILow > gate.Above,
	}
	if m.Admitted {
		err = t.pool.Promote(t.updates, t.player())
	}
	return m, err
}
