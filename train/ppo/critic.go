package ppo

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/train/nn"
	"powderkeg/train/rollout"
)

// Critic is a network of its own for the values while the policy learns. It sees the
// observations of all seats, the actor's first and the others' in their order after it,
// and so knows what the policy may not: its values have less noise, and the policy, of
// which it is no part, learns from them alone (L. Pinto and others, "Asymmetric actor
// critic for image-based robot learning", RSS 2018; G. Yang and others, "PerfectDou",
// NeurIPS 2022). The network that plays keeps its own values, for searches. The critic
// learns from every sample, filtered or not.
type Critic struct {
	// Hidden lists the widths of its layers; none means no critic.
	Hidden []int `yaml:"hidden" json:"hidden"`
}

// critic is the critic that learns.
type critic struct {
	net   *network.Network
	graph *nn.Learner
	adam  *nn.Adam
}

// criticStream is the PCG stream of its first weights.
const criticStream = 0x637269746963

// CriticNetwork returns the network of a critic, with its first weights, for the player net.
// Its policy is over a single action, so that it is certain and nothing but values is learned.
func CriticNetwork(c Config, net *network.Network, seed uint64) (*network.Network, error) {
	shape := net.Config()
	shape.Inputs, shape.Actions, shape.Hidden, shape.Entities, shape.Advice, shape.Advisers = shape.Inputs*shape.Seats, 1, c.Critic.Hidden, nil, 0, nil
	own, err := network.New(shape, rand.NewPCG(seed, criticStream))
	if err != nil {
		return nil, fmt.Errorf("ppo: critic: %w", err)
	}
	return own, nil
}

// newCritic makes one for the player net.
func newCritic(c Config, net *network.Network, seed uint64) (*critic, error) {
	own, err := CriticNetwork(c, net, seed)
	if err != nil {
		return nil, err
	}
	graph, err := nn.NewLearner(own, c.Minibatch)
	if err != nil {
		return nil, err
	}
	to := graph.Batch()
	for row := range to.Mask {
		to.Mask[row] = 1
	}
	return &critic{net: own, graph: graph, adam: nn.NewAdam(len(own.Weights()))}, nil
}

// Critic returns the network of the critic, nil without one. It is written by Update.
func (l *Learner) Critic() *network.Network {
	if l.critic == nil {
		return nil
	}
	return l.critic.net
}

// learnValues lets the critic go through the samples and returns its mean loss in the last
// epoch.
func (l *Learner) learnValues(b *rollout.Buffer, samples []int32, rate float32) (loss float64, err error) {
	c := l.critic
	o := nn.Objective{ClipRange: 1, ValueCoef: 1}
	for range l.config.Epochs {
		rollout.Shuffle(samples, &l.shuffle)
		loss = 0
		for _, part := range rollout.Minibatches(samples, l.config.Minibatch) {
			to := c.graph.Batch()
			to.Rows = len(part)
			d, p := c.net.Config().Inputs, b.Seats
			nn.Share(len(part), nn.CopyRows, func(_, from, end int) {
				for row := from; row < end; row++ {
					i := int(part[row])
					b.Whole(to.Obs[row*d:(row+1)*d], i)
					copy(to.Return[row*p:(row+1)*p], b.Returns[i*p:])
				}
			})
			step, err := c.graph.Step(o, c.adam, rate, float32(l.config.MaxGradNorm))
			if err != nil {
				return 0, err
			}
			loss += step.Value * float64(len(part)) / float64(len(samples))
		}
	}
	return loss, nil
}

// criticName begins the names of the critic's tensors in a checkpoint.
const criticName = "critic."

func (c *critic) tensors() []checkpoints.Tensor {
	w := c.net.Weights()
	list := []checkpoints.Tensor{checkpoints.Float32s(criticName+"weights", w, len(w))}
	for _, t := range c.adam.Tensors() {
		t.Name = criticName + t.Name
		list = append(list, t)
	}
	return list
}

func (c *critic) restore(tensors []checkpoints.Tensor) error {
	t, err := checkpoints.Find(tensors, criticName+"weights")
	if err != nil {
		return err
	}
	w := c.net.Weights()
	if err := t.Float32s(w, len(w)); err != nil {
		return err
	}
	var own []checkpoints.Tensor
	for _, t := range tensors {
		if name, ok := strings.CutPrefix(t.Name, criticName); ok {
			t.Name = name
			own = append(own, t)
		}
	}
	return c.adam.Restore(own)
}
