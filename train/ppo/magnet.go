package ppo

import (
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
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
	work   *network.Workspace
	rows   int       // of the workspace
	obs    []float32 // [rows, Inputs]
	out    []float32 // [rows, Actions]
	values []float32 // [rows, Seats]
	logits []float32 // [T×N×A], by the indices of the rollout
}

func newMagnet(net *network.Network, rows int) *magnet {
	c := net.Config()
	m := &magnet{net: net.Clone(), rows: rows}
	m.work = m.net.NewWorkspace(rows)
	m.obs, m.out, m.values = make([]float32, rows*c.Inputs), make([]float32, rows*c.Actions), make([]float32, rows*c.Seats)
	return m
}

// evaluate computes the magnet's logits at the samples, once for all epochs.
func (m *magnet) evaluate(b *rollout.Buffer, samples []int32) {
	if len(m.logits) < len(b.Logits) {
		m.logits = make([]float32, len(b.Logits))
	}
	d, a, p := b.Inputs, b.NumActions, b.Seats
	for len(samples) > 0 {
		n := min(m.rows, len(samples))
		for row, i := range samples[:n] {
			copy(m.obs[row*d:(row+1)*d], b.Obs[int(i)*d:])
		}
		m.net.Forward(m.work, m.obs[:n*d], m.out[:n*a], m.values[:n*p])
		for row, i := range samples[:n] {
			logits := m.logits[int(i)*a : (int(i)+1)*a]
			copy(logits, m.out[row*a:])
			m.net.Config().Advise(logits, b.Masks[int(i)*a:(int(i)+1)*a])
		}
		samples = samples[n:]
	}
}

// follow moves the weights a share of the way to those of net.
func (m *magnet) follow(net *network.Network, rate float32) {
	to := net.Weights()
	for i, w := range m.net.Weights() {
		m.net.Weights()[i] = w + rate*(to[i]-w)
	}
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
