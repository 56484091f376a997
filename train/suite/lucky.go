package suite

import (
	"fmt"
	"math"

	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/luck"
)

// open opens the network of the values, which must have the weights that the definition says.
func (l *Luck) open(g engine.Game) (*learned.Brain, error) {
	ref, ok := roster.Network(l.Values)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no values that luck could be measured by", option.ErrUsage, l.Values)
	}
	weights, err := roster.Weights(l.Values)
	if err != nil {
		return nil, err
	}
	if weights != l.Weights {
		return nil, fmt.Errorf("luck is measured by %s with the weights %.12s, those of this program are %.12s", l.Values, l.Weights, weights)
	}
	return learned.Open(g, ref)
}

// newMeter returns what measures the luck of games of a task, nil where none is taken out.
func (t *Task) newMeter() (*luck.Meter, error) {
	if t.Luck == nil {
		return nil, nil
	}
	brain, err := t.critic()
	if err != nil {
		return nil, err
	}
	return luck.NewMeter(t.game, luck.NewCritic(t.game, brain), luck.MostOutcomes), nil
}

// withLuck are the options of a game with the luck measured by a meter, which may be nil.
func withLuck(m *luck.Meter, o table.Options) table.Options {
	if m == nil {
		return o
	}
	m.Begin()
	each := o.Each
	o.Each = func(s engine.State, a engine.Action) {
		m.Move(s, a)
		each(s, a)
	}
	return o
}

// luckOf is the luck of a seat in the game that a meter has followed, nil without one.
func luckOf(m *luck.Meter, seat int) (*float64, error) {
	if m == nil {
		return nil, nil
	}
	x := m.Luck()[seat]
	return &x, m.Err()
}

// sameLuck says what differs between luck measured anew and that of a record.
func sameLuck(fresh, kept *float64) error {
	switch {
	case (fresh == nil) != (kept == nil):
		return fmt.Errorf("its luck is kept: %t, want %t", kept != nil, fresh != nil)
	case fresh != nil && !(math.Abs(*fresh-*kept) <= rounded):
		return fmt.Errorf("its luck is %v, the record says %v", *fresh, *kept)
	}
	return nil
}
