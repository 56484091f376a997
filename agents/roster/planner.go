package roster

import (
	"fmt"
	"sync"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/planner"
	"powderkeg/agents/random"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

func makePlanner(g engine.Game, v option.Values) (agents.Agent, error) {
	policies, err := plannerPolicies(g, v)
	if err != nil {
		return nil, err
	}
	return agents.FromPolicy(policies()), nil
}

func plannerPolicies(g engine.Game, v option.Values) (func() agents.Policy, error) {
	temperature := v.Float("temperature")
	if err := learned.CheckTemperature(temperature); err != nil {
		return nil, option.Wrong(fmt.Errorf("planner: %w", err))
	}
	slipping := func(policies func() agents.Policy) func() agents.Policy {
		return func() agents.Policy { return random.Slipping(policies(), v.Float(random.Slips.Name)) }
	}
	if net := v.Text(netOption); net != noNet {
		policies, err := planner.Open(g, net, temperature, planner.Parts{Policy: v.Int(policyOption) == 1, Worth: v.Int(adviceOption) == 1})
		if err != nil {
			return nil, err
		}
		return slipping(policies), nil
	}
	if v.Int(adviceOption) == 0 {
		return nil, fmt.Errorf("%w: planner: advice=0 leaves the network alone, and there is none; name it with net=PATH", option.ErrUsage)
	}
	if _, err := planner.New(g, nil); err != nil {
		return nil, err
	}
	return slipping(func() agents.Policy {
		p, err := planner.New(g, nil)
		if err != nil {
			panic(err) // it could be made before
		}
		return planner.NewPolicy(p, nil, temperature)
	}), nil
}

// known says of checkpoints, by fingerprint, whether they are planners': a server asks for each
// agent that it loads, and need not read the weights again.
var known sync.Map

// isPlanner reports whether a checkpoint that can be read is a planner's.
func isPlanner(ref string) bool {
	mark, err := checkpoints.Fingerprint(ref)
	if err != nil {
		return false
	}
	if is, ok := known.Load(mark); ok {
		return is.(bool)
	}
	c, err := checkpoints.Open(ref)
	if err != nil {
		return false
	}
	known.Store(mark, planner.Is(c))
	return planner.Is(c)
}
