package roster

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/agents/search"
	"powderkeg/engine"
)

// Judge returns who plays the simulations of a search as the agent of that name does, and whether
// it can say what a situation in the middle of a game is worth: a network can. Errors wrap
// option.ErrUsage.
func Judge(g engine.Game, text string) (judge search.Judge, values bool, err error) {
	if ref, ok := Network(text); ok {
		brain, err := openBrain(g, ref)
		if err != nil {
			return nil, false, err
		}
		return newJudge(g, brain), true, nil
	}
	policies, err := Policies(g, text)
	if err != nil {
		return nil, false, err
	}
	return &player{policy: policies(), even: make([]float32, g.Spec().Seats)}, false, nil
}

// playerRows is how many situations a player without a network looks at together, which is
// worth nothing to it: few, so that a search by time ends in time.
const playerRows = 32

// player lets a policy play the simulations of a search: what it chooses is all that it would
// do. It implements search.Drawing.
type player struct {
	policy agents.Policy
	rng    rand.PCG
	even   []float32 // values, of which it knows none
	chosen [playerRows]int
	fault  error
}

// playerStream is the PCG stream of what it draws.
const playerStream = 0x6a75646765

// Rows implements search.Judge.
func (p *player) Rows() int { return playerRows }

// Seed implements search.Drawing.
func (p *player) Seed(_ int, seed uint64) { p.rng.Seed(seed, playerStream) }

// Show implements search.Judge.
func (p *player) Show(row int, view engine.View, seat engine.Player, legal []engine.Action) {
	a, err := agents.Choose(p.policy, view, seat, legal, &p.rng)
	p.fault = cmp.Or(p.fault, err)
	p.chosen[row] = slices.Index(legal, a)
}

// Look implements search.Judge.
func (p *player) Look(int) {}

// Policy implements search.Judge.
func (p *player) Policy(row int, dst []float32) {
	clear(dst)
	dst[p.chosen[row]] = 1
}

// Values implements search.Judge.
func (p *player) Values(int) []float32 { return p.even }

// Fault implements search.Failing.
func (p *player) Fault() (err error) {
	err, p.fault = p.fault, nil
	return err
}
