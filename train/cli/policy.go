package cli

import (
	"fmt"
	"strings"

	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/agents/tabular"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/train/bank"
	"powderkeg/train/solve"
)

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
	return nil, fmt.Errorf("%w: %s does not tell the probabilities of its choices; those that do: random, checkpoint:PATH, zoo:NAME, tabular:FILE",
		cli.ErrUsage, option.Shorten(name))
}

// networkPolicy asks a network for its probabilities, those that it plays with as an
// agent.
func networkPolicy(t *solve.Tree, brain *learned.Brain) (*solve.Policy, error) {
	player := bank.Network(brain)
	return t.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			if err := player.Odds(probabilities[i], s); err != nil {
				return err
			}
		}
		return nil
	})
}
