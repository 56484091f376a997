package planner

import (
	"bytes"
	"encoding/json"
	"fmt"

	"powderkeg/agents"
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Config is what a checkpoint says of a planner: by what weights it plans, and the architecture
// of the network that chooses, of as many inputs as a candidate has numbers.
type Config struct {
	Advisers []network.Adviser `json:"advisers,omitempty"`
	Chooser  network.Config    `json:"chooser"`
}

// layoutVersion is that of the numbers of candidates; a network says by their hash which it reads.
const layoutVersion = 1

// document is the manifest's entry for the network.
type document struct {
	Planner *Config `json:"planner"`
}

// Is reports whether a checkpoint is that of a planner.
func Is(c *checkpoints.Checkpoint) bool {
	var d document
	return json.Unmarshal(c.Manifest.Network, &d) == nil && d.Planner != nil
}

// IdentityOf returns the identity of networks that choose among the planner's candidates.
func IdentityOf(g engine.Game, p Planner) checkpoints.Identity {
	spec := g.Spec()
	return checkpoints.Identity{
		Game: spec.Text, Rules: spec.Version, Encoding: layoutVersion,
		LayoutHash: hashOf(p.Features()), VocabularyHash: spec.VocabularyHash(),
	}
}

// Checkpoint puts a network that chooses into a checkpoint.
func Checkpoint(g engine.Game, p Planner, c Config, net *network.Network) (*checkpoints.Checkpoint, error) {
	c.Chooser = net.Config()
	text, err := json.Marshal(document{&c})
	if err != nil {
		return nil, err
	}
	return &checkpoints.Checkpoint{
		Manifest: checkpoints.Manifest{Identity: IdentityOf(g, p), Network: text},
		Weights:  net.Tensors(),
	}, nil
}

// Parts say what is left of a planner's checkpoint in play.
type Parts struct {
	// Policy is the network; without it the planner alone decides.
	Policy bool
	// Worth is the planner's opinion of its candidates; without it the network alone decides.
	Worth bool
}

// Whole is a checkpoint as it was trained.
var Whole = Parts{Policy: true, Worth: true}

// Open reads the planner that ref names (checkpoints.Open) and returns a maker of policies,
// which share its network. Errors wrap option.ErrUsage where they are the caller's.
func Open(g engine.Game, ref string, temperature float64, parts Parts) (func() agents.Policy, error) {
	c, err := checkpoints.Open(ref)
	if err != nil {
		return nil, option.Wrong(err)
	}
	net, config, err := read(g, c)
	if err != nil {
		return nil, option.Wrong(fmt.Errorf("%s: %w", ref, err))
	}
	if !parts.Policy {
		net = nil
	}
	return func() agents.Policy {
		p, err := New(g, config.Advisers)
		if err != nil {
			panic(err) // it could be made before
		}
		policy := NewPolicy(p, net, temperature)
		policy.worthless, policy.name = !parts.Worth, ref
		return policy
	}, nil
}

// Learned returns the network of a planner's checkpoint, nil for one of anything else, to go on
// learning from. Its weights are the caller's.
func Learned(g engine.Game, c *checkpoints.Checkpoint) (*network.Network, error) {
	if !Is(c) {
		return nil, nil
	}
	net, _, err := read(g, c)
	if err != nil {
		return nil, err
	}
	return net.Clone(), nil
}

// read makes the network of a checkpoint.
func read(g engine.Game, c *checkpoints.Checkpoint) (*network.Network, *Config, error) {
	d := json.NewDecoder(bytes.NewReader(c.Manifest.Network))
	d.DisallowUnknownFields()
	var doc document
	if err := d.Decode(&doc); err != nil || doc.Planner == nil {
		return nil, nil, fmt.Errorf("%w: it is no planner's", checkpoints.ErrMismatch)
	}
	p, err := New(g, doc.Planner.Advisers)
	if err != nil {
		return nil, nil, err
	}
	want := IdentityOf(g, p)
	if since := g.Spec().NetworksSince; since > 0 && since <= c.Manifest.Rules && c.Manifest.Rules < want.Rules {
		want.Rules = c.Manifest.Rules
	}
	if err := c.Manifest.Check(want); err != nil {
		return nil, nil, err
	}
	plain := *c
	if plain.Manifest.Network, err = json.Marshal(doc.Planner.Chooser); err != nil {
		return nil, nil, err
	}
	net, err := network.FromCheckpoint(&plain)
	if err != nil {
		return nil, nil, err
	}
	if n := net.Config(); n.Inputs != len(p.Features()) || n.Actions != 1 || n.Seats != 1 {
		return nil, nil, fmt.Errorf("%w: its network has %d inputs, %d actions and %d seats, a candidate has %d numbers, 1 and 1",
			checkpoints.ErrCorrupt, n.Inputs, n.Actions, n.Seats, len(p.Features()))
	}
	return net.Frozen(), doc.Planner, nil
}

// Advisers returns the weights by which a planner's checkpoint plans, or by which the network of another
// is advised.
func Advisers(c *checkpoints.Checkpoint) ([]network.Adviser, error) {
	var d struct {
		document
		Advisers []network.Adviser `json:"advisers"`
	}
	if err := json.Unmarshal(c.Manifest.Network, &d); err != nil {
		return nil, fmt.Errorf("%w: network: %w", checkpoints.ErrCorrupt, err)
	}
	if d.Planner != nil {
		return d.Planner.Advisers, nil
	}
	return d.Advisers, nil
}
