package respond

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/engine"
	"powderkeg/train/solve"
)

// Exact is what the whole tree of a small game says of the same agent. It calibrates the
// learner, who knows nothing of it.
type Exact struct {
	// True is what a best response gains, Found what the response that was found does:
	// exploitability, or NashConv where there is none.
	True float64 `json:"true"`
	// Found is absent where a search is part of the response, whose policy nobody can write
	// down.
	Found *float64 `json:"found,omitempty"`
}

// share is in words how much of the truth was found.
func (e *Exact) share() string {
	if e.Found == nil {
		return "an unknown part: a search cannot be written down"
	}
	return fmt.Sprintf("%.6g (%.1f%%)", *e.Found, 100**e.Found/e.True)
}

// Solvable returns the tree of a game that is small enough for package solve, nil for any
// other. From a position on, what a seat sees stands for what it knows.
func Solvable(ctx context.Context, c Config) (*solve.Tree, error) {
	g, err := c.NewGame()
	if err != nil {
		return nil, err
	}
	tree, err := solve.Build(ctx, g, solve.Limits{ByView: c.Position != ""})
	if errors.Is(err, solve.ErrNoInfoStates) || errors.Is(err, solve.ErrTooLarge) {
		return nil, nil
	}
	return tree, err
}

// Compare adds the truth to the result of a run in the directory, from the tree of its game
// and the policy of its agent.
func (r *Result) Compare(dir string, tree *solve.Tree, agent *solve.Policy) error {
	e := tree.Evaluate(agent)
	r.Exact = &Exact{True: distanceOf(e)}
	found := -sum(e.Values)
	for seat, c := range r.Response {
		if c.Way == Search {
			return writeJSON(filepath.Join(dir, resultName), r)
		}
		own, err := greedy(tree, filepath.Join(dir, filepath.FromSlash(c.Player)))
		if err != nil {
			return err
		}
		found += tree.Values(agent.With(engine.Player(seat), own))[seat]
	}
	if e.ZeroSum() {
		found /= float64(tree.Seats())
	}
	r.Exact.Found = &found
	if err := r.WritePlot(filepath.Join(dir, plotName)); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, resultName), r)
}

// distanceOf is exploitability, or NashConv where there is none.
func distanceOf(e solve.Evaluation) float64 {
	if e.ZeroSum() {
		return e.Exploitability
	}
	return e.NashConv
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// greedy is the policy in which a network takes its most probable action.
func greedy(tree *solve.Tree, ref string) (*solve.Policy, error) {
	brain, err := learned.Open(tree.Game(), ref)
	if err != nil {
		return nil, err
	}
	player := brain.NewPolicy(0)
	return tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		var unused rand.PCG // greedy play draws nothing
		for i, s := range states {
			move, err := agents.Choose(player, s.View, s.Seat, s.Legal, &unused)
			if err != nil {
				return err
			}
			for k, a := range s.Legal {
				if a == move {
					probabilities[i][k] = 1
				}
			}
		}
		return nil
	})
}
