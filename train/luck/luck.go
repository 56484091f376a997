// Package luck takes the luck of dice and draws out of the results of games.
//
// Chance is a player whose odds are listed. At each of its moves the value of what came, minus
// the mean value of all that could have come, is luck:
//
//	m := luck.NewMeter(g, values, luck.MostOutcomes)
//	m.Begin()
//	got, err := t.Play(ctx, seats, seeds, table.Options{Each: m.Move})
//	corrected := float64(got[0]) - m.Luck()[0]
//
// The luck of a move is 0 on average whatever the values are, as long as they do not depend on
// what is still to come: the corrected result has the mean of the raw one, and as much less
// variance as the values know. This is the part of AIVAT (N. Burch, M. Schmid, M. Moravčík,
// M. Bowling, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
// Information Games", arXiv:1612.06915) that needs to know nothing of the players. The values
// must be fixed before the games are played (arXiv:2605.14261).
package luck

import "powderkeg/engine"

// MostOutcomes is a number of outcomes up to which chance events are worth looking at one by one:
// all dice and draws of the games here, but not the deals of whole hands.
const MostOutcomes = 60

// Values say what states are worth.
type Values interface {
	// Values writes to dst, one entry per seat, what the seats are expected to have gained in
	// the end, in units of the game's returns. The state may be read whole, what is hidden
	// included, and is not kept.
	Values(dst []float64, s engine.State)
}

// Fallible are Values that can fail, such as those of a network whose weights are too large. Err
// says why what they have written since they were made means nothing, nil if it does.
type Fallible interface {
	Values
	Err() error
}

// fault returns the error of values.
func fault(v Values) error {
	if f, can := v.(Fallible); can {
		return f.Err()
	}
	return nil
}

// Meter adds up the luck of a game. It owns its buffers and belongs to one goroutine.
type Meter struct {
	// Events counts the moves of chance whose luck was measured since the Meter was made, Skipped
	// those with more outcomes than it looks at.
	Events, Skipped int

	values           Values
	most             int
	probe            engine.State
	outcomes         []engine.Outcome
	luck, came, mean []float64 // per seat
	value            []float64
}

// NewMeter returns a meter of games of g, which looks at chance events of up to most outcomes.
func NewMeter(g engine.Game, v Values, most int) *Meter {
	seats := g.Spec().Seats
	buffer := make([]float64, 4*seats)
	return &Meter{
		values: v, most: most, probe: g.New(),
		luck: buffer[:seats], came: buffer[seats : 2*seats], mean: buffer[2*seats : 3*seats], value: buffer[3*seats:],
	}
}

// Begin begins a game.
func (m *Meter) Begin() { clear(m.luck) }

// Luck returns what each seat has gained by luck since Begin, in units of the game's returns.
// It is valid until the next call of Begin or Move.
func (m *Meter) Luck() []float64 { return m.luck }

// Err returns the error of the values (Fallible), with which the luck means nothing.
func (m *Meter) Err() error { return fault(m.values) }

// Move is told of a move before it is made in s; see table.Options.Each. Moves of seats are no
// luck.
func (m *Meter) Move(s engine.State, a engine.Action) {
	if s.ToAct() != engine.Chance {
		return
	}
	m.outcomes = s.(engine.Stochastic).Outcomes(m.outcomes[:0])
	switch n := len(m.outcomes); {
	case n == 1:
		return
	case n > m.most:
		m.Skipped++
		return
	}
	m.Events++
	clear(m.mean)
	total := float64(engine.Total(m.outcomes))
	for _, o := range m.outcomes {
		m.probe.CopyFrom(s)
		if err := m.probe.Apply(o.Action); err != nil {
			panic("luck: an outcome that was offered is refused: " + err.Error())
		}
		m.values.Values(m.value, m.probe)
		for p, v := range m.value {
			m.mean[p] += v * float64(o.Weight) / total
		}
		if o.Action == a {
			copy(m.came, m.value)
		}
	}
	for p := range m.luck {
		m.luck[p] += m.came[p] - m.mean[p]
	}
}
