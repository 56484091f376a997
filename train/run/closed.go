package run

import (
	"powderkeg/checkpoints"
	"powderkeg/env/record"
	"powderkeg/train"
	"powderkeg/train/eval"
)

// Closing is what a run has come to.
type Closing struct {
	Config train.Config `json:"config"`
	// Updates and Decisions are those of the whole run, Learned the games that it has learned from.
	Updates   int64 `json:"updates"`
	Decisions int64 `json:"decisions"`
	Learned   int64 `json:"games_learned_from"`
	// Against is what the network did in the closing evaluation, by opponent.
	Against map[string]eval.AgentResult `json:"against"`
	// Exact is how far policies are from an equilibrium, by policy, of a run that is measured so.
	Exact map[string]Distance `json:"exact,omitempty"`
	// Luck is what the values know of luck, nil where nobody asked.
	Luck *train.LuckMetrics `json:"luck,omitempty"`
	// Curves are the evaluations on the way, by opponent and by what counts in the game, over decisions.
	Curves map[string][]record.Point `json:"-"`
	// Resumed reports whether an earlier process had made a part of the run.
	Resumed bool `json:"-"`
}

// Distance is how far a policy is from an equilibrium, over the whole tree of a game.
type Distance struct {
	// Exploitability is NashConv over the number of seats, nil where the payoffs do not add up to zero.
	Exploitability *float64  `json:"exploitability,omitempty"`
	NashConv       float64   `json:"nash_conv"`
	Values         []float64 `json:"values"` // what the seats expect
}

// Played is how many games the closing evaluation had.
func (c *Closing) Played() int {
	n := 0
	for _, a := range c.Against {
		n += a.Games
	}
	return n
}

// closing sums the run up.
func (r *running) closing(m checkpoints.Manifest, evaluation []*eval.Result, h *history) Closing {
	c := Closing{
		Config: r.config, Updates: m.Updates, Decisions: m.Decisions, Learned: m.Games, Resumed: r.resumed,
		Against: map[string]eval.AgentResult{}, Exact: map[string]Distance{}, Curves: map[string][]record.Point{},
	}
	rated := eval.HeadlineOf(r.Game().Spec().Payoff).Rate != ""
	for _, m := range h.evaluations {
		name, p := "against."+m.Opponent+".mean_return", record.Point{X: float64(m.Decisions), Y: m.Return, Low: &m.ReturnLow, High: &m.ReturnHigh}
		if rated {
			name, p = "against."+m.Opponent+".win_rate", record.Point{X: float64(m.Decisions), Y: m.WinRate, Low: &m.CILow, High: &m.CIHigh}
		}
		c.Curves[name] = append(c.Curves[name], p)
	}
	for _, m := range evaluation {
		c.Against[m.Agents[1].Name] = m.Agents[0]
	}
	for _, m := range h.closingExact() {
		c.Exact[m.Policy] = Distance{m.Exploitability, m.NashConv, m.Values}
	}
	if n := len(h.luck); n > 0 {
		c.Luck = &h.luck[n-1]
	}
	return c
}
