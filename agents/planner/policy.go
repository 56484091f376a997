package planner

import (
	"fmt"
	"math"
	"math/rand/v2"

	"powderkeg/agents/network"
	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
)

// Policy plays a planner's candidates by a network. It implements agents.Fallible.
type Policy struct {
	planner     Planner
	net         *network.Network // nil for one of zeros
	temperature float64
	worthless   bool   // the planner's own opinion is left out
	name        string // of the checkpoint that the network is of, if any
	menu        menu.Menu
	space       *network.Workspace
	rows        int // of space
	logits      []float32
	values      []float32
	odds        []float64
	err         error
}

// NewPolicy returns a policy by a network with one output for each candidate, nil for the
// planner's own choice. A temperature of 0 takes the candidate of the greatest worth together
// with what the network adds, a greater one draws them.
func NewPolicy(p Planner, net *network.Network, temperature float64) *Policy {
	return &Policy{planner: p, net: net, temperature: temperature}
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.err = nil
	p.planner.Menu(&p.menu, view, seat, legal)
	return p.menu.Actions[p.Pick(&p.menu, rng)]
}

// Pick chooses a candidate of a menu.
func (p *Policy) Pick(m *menu.Menu, rng *rand.PCG) int {
	logits := p.Logits(m)
	if p.err != nil || len(logits) == 1 {
		return 0
	}
	if p.temperature == 0 {
		best := 0
		for i, v := range logits {
			if v > logits[best] {
				best = i
			}
		}
		return best
	}
	p.odds = Odds(p.odds[:0], logits, p.temperature)
	return Draw(p.odds, engine.Unit(rng))
}

// Logits returns the worth of each candidate of a menu together with what the network adds, valid until
// the next call.
func (p *Policy) Logits(m *menu.Menu) []float32 {
	rows := len(m.Actions)
	p.logits = append(p.logits[:0], m.Worth...)
	if p.worthless {
		clear(p.logits)
	}
	if p.net == nil || rows < 2 {
		return p.logits
	}
	if rows > p.rows {
		p.rows = max(rows, 2*p.rows)
		p.space = p.net.NewWorkspace(p.rows)
		p.values = make([]float32, 2*p.rows)
	}
	added, values := p.values[:rows], p.values[p.rows:p.rows+rows]
	p.net.Forward(p.space, m.Features, added, values)
	if p.err = p.space.Err(); p.err != nil {
		if p.name != "" {
			p.err = fmt.Errorf("%s: %w", p.name, p.err)
		}
		return p.logits
	}
	for i, v := range added {
		p.logits[i] += v
	}
	return p.logits
}

// Err implements agents.Fallible.
func (p *Policy) Err() error { return p.err }

// Odds appends the softmax of logits at a temperature.
func Odds(dst []float64, logits []float32, temperature float64) []float64 {
	top := math.Inf(-1)
	for _, v := range logits {
		top = max(top, float64(v))
	}
	from, sum := len(dst), 0.0
	for _, v := range logits {
		x := math.Exp((float64(v) - top) / temperature)
		sum += x
		dst = append(dst, x)
	}
	for i := range dst[from:] {
		dst[from+i] /= sum
	}
	return dst
}

// Draw returns the number of the odds that a number from 0 to 1 falls to.
func Draw(odds []float64, u float64) int {
	for i, p := range odds {
		if u -= p; u < 0 {
			return i
		}
	}
	return 0
}
