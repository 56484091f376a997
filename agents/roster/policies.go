package roster

import (
	"fmt"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/planner"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/agents/search"
	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Policies returns a maker of policies that play like the agent of that name: each
// call makes one, for one goroutine. What they share, such as a network, is read
// once and never written. Errors wrap option.ErrUsage and list the names that a
// policy can have.
//
// A policy chooses by the view and the generator alone. So people are none, and
// neither is a search with a limit on its time.
func Policies(g engine.Game, text string) (func() agents.Policy, error) {
	k, values, argument, err := parse(kinds, text)
	switch {
	case err != nil:
		return nil, err
	case k.policies != nil:
		return k.policies(g, values)
	case k.openPolicies != nil:
		return k.openPolicies(g, argument)
	}
	var can []string
	for _, k := range kinds {
		if k.policies != nil || k.openPolicies != nil {
			can = append(can, k.Usage())
		}
	}
	return nil, fmt.Errorf("%w: %s is no policy; policies: %s", option.ErrUsage, k.Name, strings.Join(can, ", "))
}

func randomPolicies(engine.Game, option.Values) (func() agents.Policy, error) {
	return func() agents.Policy { return random.Policy{} }, nil
}

func scriptedPolicies(g engine.Game, v option.Values) (func() agents.Policy, error) {
	if _, err := scripted.With(g, v); err != nil {
		return nil, err
	}
	return func() agents.Policy {
		p, err := scripted.With(g, v)
		if err != nil {
			panic(err) // it could be made before
		}
		return p
	}, nil
}

func searchPolicies(g engine.Game, v option.Values) (func() agents.Policy, error) {
	config, err := searchConfig(g, v)
	if err != nil {
		return nil, err
	}
	if _, err := search.NewPolicy(g, config()); err != nil {
		return nil, option.Wrong(fmt.Errorf("mcts: %w", err))
	}
	return func() agents.Policy {
		p, err := search.NewPolicy(g, config())
		if err != nil {
			panic(err) // it could be made before
		}
		return p
	}, nil
}

func makeNetwork(g engine.Game, v option.Values) (agents.Agent, error) {
	policies, err := networkPolicies(g, v)
	if err != nil {
		return nil, err
	}
	return agents.FromPolicy(policies()), nil
}

func networkPolicies(g engine.Game, v option.Values) (func() agents.Policy, error) {
	net := v.Text(netOption)
	if net == noNet {
		return nil, fmt.Errorf("%w: network: needs net=PATH or net=zoo:NAME", option.ErrUsage)
	}
	if err := learned.CheckTemperature(v.Float("temperature")); err != nil {
		return nil, option.Wrong(fmt.Errorf("network: %w", err))
	}
	brain, err := openBrain(g, net)
	if err != nil {
		return nil, err
	}
	if v.Int(adviceOption) == 0 {
		brain = brain.WithoutAdvice()
	}
	if v.Int(policyOption) == 0 {
		brain = brain.WithoutPolicy()
	}
	return func() agents.Policy {
		return random.Slipping(brain.NewPolicy(v.Float("temperature")), v.Float(random.Slips.Name))
	}, nil
}

func checkpointPolicies(g engine.Game, path string) (func() agents.Policy, error) {
	return learnedPolicies(g, path)
}

func zooPolicies(g engine.Game, name string) (func() agents.Policy, error) {
	return learnedPolicies(g, zooPrefix+name)
}

func learnedPolicies(g engine.Game, ref string) (func() agents.Policy, error) {
	if isPlanner(ref) {
		return planner.Open(g, ref, 0, planner.Whole)
	}
	brain, err := openBrain(g, ref)
	if err != nil {
		return nil, err
	}
	return policiesOf(brain), nil
}

func tabularPolicies(g engine.Game, path string) (func() agents.Policy, error) {
	written, err := tabular.Open(g, path)
	if err != nil {
		return nil, option.Wrong(err)
	}
	return func() agents.Policy { return written.NewPolicy() }, nil
}

// policiesOf returns a maker of policies that draw their actions with the
// network's probabilities.
func policiesOf(brain *learned.Brain) func() agents.Policy {
	return func() agents.Policy { return brain.NewPolicy(1) }
}
