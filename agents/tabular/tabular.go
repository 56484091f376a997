// Package tabular plays policies that are written down: a probability for every
// action of every information state, such as "powderkeg solve --out" leaves.
//
// The file is JSON, one information state a line, in the order of seats and keys:
//
//	{"format": "powderkeg-policy/1", "game": "kuhn", "rules": 1, "information_states": [
//	  {"seat": 0, "key": "0J:", "probabilities": {"pass": 0.75, "bet": 0.25}},
//	  ...
//	]}
//
// The key is that of engine.Recaller, with what is no printable character escaped
// as in a Go string. Actions that are left out have the probability 0; an
// information state that is left out is played uniformly.
package tabular

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Row is the policy in one information state.
type Row struct {
	Seat engine.Player
	// Key is that of engine.Recaller for the seat.
	Key string
	// Actions are in ascending order, Probabilities belong to them.
	Actions       []engine.Action
	Probabilities []float64
}

// Policy is a policy for some or all information states of a game. It is immutable
// and safe for concurrent use.
type Policy struct {
	game engine.Game
	rows []Row          // by seat, then by key
	at   map[string]int // by key; keys of different seats differ
}

// tolerance is how far the probabilities of a row may be from adding up to 1, for
// files written by hand or rounded by other programs.
const tolerance = 1e-4

// New makes a policy of rows in any order, which it keeps. It refuses probabilities
// that do not add up to 1 within 1e-4, unknown actions and keys given twice.
func New(g engine.Game, rows []Row) (*Policy, error) {
	if _, ok := g.New().(engine.Recaller); !ok {
		return nil, fmt.Errorf("tabular: %s has no information states to write a policy for", g.Spec().Text)
	}
	p := &Policy{game: g, rows: slices.Clone(rows), at: make(map[string]int, len(rows))}
	slices.SortFunc(p.rows, compare)
	for i := range p.rows {
		r := &p.rows[i]
		if err := r.check(g.Spec()); err != nil {
			return nil, fmt.Errorf("tabular: information state %q of seat %d: %w", r.Key, r.Seat, err)
		}
		if _, twice := p.at[r.Key]; twice {
			return nil, fmt.Errorf("tabular: information state %q is given twice", r.Key)
		}
		p.at[r.Key] = i
	}
	return p, nil
}

func compare(a, b Row) int {
	switch {
	case a.Seat != b.Seat:
		return int(a.Seat) - int(b.Seat)
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return 0
}

// check returns what is wrong with a row.
func (r *Row) check(spec *engine.Spec) error {
	if r.Seat < 0 || int(r.Seat) >= spec.Seats {
		return fmt.Errorf("there is no such seat; %s has 0 to %d", spec.Text, spec.Seats-1)
	}
	if len(r.Probabilities) != len(r.Actions) {
		return fmt.Errorf("%d probabilities for %d actions", len(r.Probabilities), len(r.Actions))
	}
	sum, last := 0.0, engine.Action(-1)
	for k, a := range r.Actions {
		if a <= last || int(a) >= len(spec.Actions) {
			return fmt.Errorf("actions are %v, they must ascend from 0 to %d", r.Actions, len(spec.Actions)-1)
		}
		if x := r.Probabilities[k]; !(x >= 0 && x <= 1+tolerance) {
			return fmt.Errorf("the probability of %s is %g, it must be from 0 to 1", spec.Actions[a], x)
		}
		sum += r.Probabilities[k]
		last = a
	}
	if math.Abs(sum-1) > tolerance {
		return fmt.Errorf("the probabilities add up to %g, want 1", sum)
	}
	return nil
}

// Rows returns the policy by seat and key. The caller must not change it.
func (p *Policy) Rows() []Row { return p.rows }

// Probabilities returns the row of an information state, and whether it has one.
func (p *Policy) Probabilities(key []byte) (Row, bool) {
	i, ok := p.at[string(key)]
	if !ok {
		return Row{}, false
	}
	return p.rows[i], true
}

// stream is the PCG stream of the choices of tabular agents.
const stream = 0x746162756c6172

// NewAgent returns an agent that draws its actions from the policy.
func (p *Policy) NewAgent() agents.Agent { return &agent{player: player{policy: p}} }

// NewPolicy returns a player without memory that draws its actions from the policy, for one
// goroutine. Where the policy gives a probability to an action that is not legal, as one of
// another game would, it may choose that action.
func (p *Policy) NewPolicy() agents.Policy { return &player{policy: p} }

// player draws actions.
type player struct {
	policy *Policy
	key    []byte
}

// Choose implements agents.Policy.
func (p *player) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.key = view.(engine.Recaller).InfoState(p.key[:0], seat)
	row, ok := p.policy.Probabilities(p.key)
	if !ok {
		return legal[engine.Uint32N(rng, uint32(len(legal)))]
	}
	x := engine.Unit(rng)
	chosen := -1
	for k, p := range row.Probabilities {
		if p > 0 { // rounding may leave a remainder to the last possible one
			chosen = k
			if x < p {
				break
			}
			x -= p
		}
	}
	return row.Actions[chosen]
}

type agent struct {
	player
	seat engine.Player
	rng  rand.PCG
}

// Start implements agents.Agent.
func (a *agent) Start(seat engine.Player, seed uint64) {
	a.seat = seat
	a.rng.Seed(seed, stream)
}

// Memory implements agents.Remembering.
func (a *agent) Memory() *rand.PCG { return &a.rng }

// Act implements agents.Agent. It fails where the policy gives a probability to an
// action that is not legal, as one of another game would.
func (a *agent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	move := a.Choose(view, a.seat, legal, &a.rng)
	if _, ok := slices.BinarySearch(legal, move); !ok {
		return 0, fmt.Errorf("tabular: information state %q: the policy plays action %d, legal are %v", a.key, move, legal)
	}
	return move, nil
}
