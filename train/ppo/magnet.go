package ppo

import (
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/train/nn"
	"powderkeg/train/rollout"
)

// magnet is the slowly moving policy ρ of magnetic mirror descent: a network
// whose weights are a running mean of the learner's. A magnet at rest makes the
// iterates converge to a regularised equilibrium, and one that follows takes that
// equilibrium along to one of the game itself (Sokol et al., 2023, section 4;
// Perolat et al., "Mastering the game of Stratego with model-free multiagent
// reinforcement learning", 2022, with steps in place of a mean).
type magnet struct {
	net    *network.Network
	reader reader
	logits []float32 // [T×N×A], by the indices of the rollout
}

func newMagnet(net *network.Network) *magnet {
	m := &magnet{net: net.Clone()}
	m.reader.net = m.net
	return m
}

// evaluate computes the magnet's logits at the samples.
func (m *magnet) evaluate(b *rollout.Buffer, samples []int32) {
	if len(m.logits) < len(b.Logits) {
		m.logits = make([]float32, len(b.Logits))
	}
	a, c := b.NumActions, m.net.Config()
	m.reader.read(samples, b, func(i int, logits, _ []float32) {
		to := m.logits[i*a : (i+1)*a]
		copy(to, logits)
		c.Advise(to, b.Masks[i*a:(i+1)*a])
	})
}

// follow moves the weights a share of the way to those of net.
func (m *magnet) follow(net *network.Network, rate float32) {
	nn.Move(m.net.Weights(), net.Weights(), rate)
}

// magnetName names the weights in a checkpoint.
const magnetName = "magnet"

func (m *magnet) tensor() checkpoints.Tensor {
	w := m.net.Weights()
	return checkpoints.Float32s(magnetName, w, len(w))
}

func (m *magnet) restore(tensors []checkpoints.Tensor) error {
	t, err := checkpoints.Find(tensors, magnetName)
	if err != nil {
		return err
	}
	w := m.net.Weights()
	return t.Float32s(w, len(w))
}
