package cli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/train/bank"
	"powderkeg/train/solve"
)

// playerOf returns how an agent plays in a tree: as policyOf has it, or from what it does when it
// is asked so many times in each information state.
func playerOf(g engine.Game, name string, asks int) (bank.Player, error) {
	if tells(name) {
		return func(t *solve.Tree) (*solve.Policy, error) { return policyOf(t, name) }, nil
	}
	policies, err := roster.Policies(g, name)
	if err != nil {
		return nil, err
	}
	return func(t *solve.Tree) (*solve.Policy, error) {
		player := policies()
		return t.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
			for i, s := range states {
				for n := range uint64(asks) {
					seed := uint64(engine.NewHash().Bytes([]byte(s.Key)))
					a, err := agents.Choose(player, s.View, s.Seat, s.Legal, rand.NewPCG(seed, n))
					if err != nil {
						return err
					}
					k, _ := slices.BinarySearch(s.Legal, a)
					probabilities[i][k] += 1 / float64(asks)
				}
			}
			return nil
		})
	}, nil
}

// tells reports whether an agent tells the probabilities of its choices.
func tells(name string) bool {
	_, network := roster.Checkpoint(name)
	return name == "random" || network || strings.HasPrefix(name, "tabular:")
}

// policyOf returns the joint policy of an agent, on all seats, of those agents that
// can tell the probabilities of their choices.
func policyOf(t *solve.Tree, name string) (*solve.Policy, error) {
	if name == "random" {
		return t.Uniform(), nil
	}
	if ref, ok := roster.Checkpoint(name); ok {
		brain, err := learned.Open(t.Game(), ref)
		if err != nil {
			return nil, option.Wrong(err)
		}
		return networkPolicy(t, brain)
	}
	if path, ok := strings.CutPrefix(name, "tabular:"); ok {
		written, err := tabular.Open(t.Game(), strings.TrimSpace(path))
		if err != nil {
			return nil, option.Wrong(err)
		}
		return t.FromTabular(written)
	}
	if _, err := roster.New(t.Game(), name); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s does not tell the probabilities of its choices; those that do: random, checkpoint:PATH, zoo:NAME, tabular:FILE", cli.ErrUsage, option.Shorten(name))
}

// networkPolicy asks a network for its probabilities, those that it plays with as an
// agent.
func networkPolicy(t *solve.Tree, brain *learned.Brain) (*solve.Policy, error) {
	player := brain.NewPolicy(1)
	var row []float32
	return t.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			row, _ = player.Evaluate(row[:0], s.View, s.Seat, s.Legal)
			if err := player.Err(); err != nil {
				return err
			}
			for k, p := range row {
				probabilities[i][k] = float64(p)
			}
		}
		return nil
	})
}
