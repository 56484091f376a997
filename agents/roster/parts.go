package roster

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Parts names what a trained agent consists of, as agents that play by themselves.
type Parts struct {
	// Whole plays as the agent does, by both parts.
	Whole string
	// Network plays without advice, Adviser without what the network has learned to do. Both
	// are empty for a network that nobody advises.
	Network, Adviser string
	// Advised takes what is advised, always; empty where Adviser is.
	Advised string
}

// PartsOf takes a trained agent apart: a network that ships or lies in a folder, as it is or as
// the option net of network or planner, whose other options count for nothing. Errors wrap
// option.ErrUsage.
func PartsOf(g engine.Game, text string) (Parts, error) {
	ref, plans := Planner(text)
	ok := plans
	if !plans {
		ref, ok = Network(text)
	}
	if !ok {
		return Parts{}, fmt.Errorf("%w: %s has no parts; agents that have: checkpoint:PATH, zoo:NAME, network(net=PATH), planner(net=PATH)",
			option.ErrUsage, option.Shorten(text))
	}
	kind, advised, greedy := "planner", true, ""
	if !plans {
		brain, err := openBrain(g, ref)
		if err != nil {
			return Parts{}, err
		}
		kind, advised, greedy = "network", brain.Network().Config().Advice > 0, ",temperature=0"
	}
	p := Parts{Whole: fmt.Sprintf("%s(net=%s)", kind, ref)}
	if _, err := New(g, p.Whole); err != nil || !advised {
		return p, err
	}
	p.Network = fmt.Sprintf("%s(net=%s,advice=0)", kind, ref)
	p.Adviser = fmt.Sprintf("%s(net=%s,policy=0)", kind, ref)
	p.Advised = fmt.Sprintf("%s(net=%s,policy=0%s)", kind, ref, greedy)
	return p, nil
}
