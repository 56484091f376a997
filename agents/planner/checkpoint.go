package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

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
	// Features names the numbers of a candidate that the network was trained on. A planner may have
	// come to say more since then (Open).
	Features []string `json:"features,omitempty"`
}

// layoutVersion is that of the numbers of candidates; a network says by their names which it reads.
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
	c.Chooser, c.Features = net.Config(), p.Features()
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
// which share its network. A network that was trained on fewer numbers than a candidate has today
// reads those alone, by their names. Errors wrap option.ErrUsage where they are the caller's.
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
// learning from. It reads all numbers that a candidate has today, those that it was not trained on
// by weights of zero. Its weights are the caller's.
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
	features, trained := p.Features(), doc.Planner.Features
	if trained == nil {
		trained = features // it is as old as names in checkpoints, or fits by its hash
	}
	want.LayoutHash = hashOf(trained)
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
	if n := net.Config(); n.Inputs != len(trained) || n.Actions != 1 || n.Seats != 1 {
		return nil, nil, fmt.Errorf("%w: its network has %d inputs, %d actions and %d seats, its candidates have %d numbers, 1 and 1",
			checkpoints.ErrCorrupt, n.Inputs, n.Actions, n.Seats, len(trained))
	}
	if net, err = widen(net, trained, features); err != nil {
		return nil, nil, err
	}
	return net.Frozen(), doc.Planner, nil
}

// widen returns the network that reads today's numbers as net reads those that it was trained on: the first layer
// has weights of zero for what is new, which add nothing.
func widen(net *network.Network, trained, today []string) (*network.Network, error) {
	if slices.Equal(trained, today) {
		return net, nil
	}
	columns := make([]int, len(trained))
	for i, name := range trained {
		if columns[i] = slices.Index(today, name); columns[i] < 0 {
			return nil, fmt.Errorf("%w: its network reads %q of a candidate, which no candidate has", checkpoints.ErrMismatch, name)
		}
	}
	narrow := net.Config()
	wide := narrow
	wide.Inputs = len(today)
	weights := make([]float32, wide.NumWeights())
	to := wide.Tensors()
	for k, from := range narrow.Tensors() {
		old, now := net.Weights()[from.Offset:][:from.Size], weights[to[k].Offset:][:to[k].Size]
		if from.Size == to[k].Size {
			copy(now, old)
			continue
		}
		for row := range from.Shape[0] {
			for i, column := range columns {
				now[row*wide.Inputs+column] = old[row*narrow.Inputs+i]
			}
		}
	}
	return network.FromWeights(wide, weights), nil
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
