package ppo

import (
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/train/nn"
)

// average is a network whose weights are the running mean of the learner's, which are
// noisy from step to step: a steadier player at no cost in play (B. Polyak and
// A. Juditsky, "Acceleration of stochastic approximation by averaging", 1992; as the
// player of Ataraxos, arXiv:2511.07312). Nothing is learned through it.
type average struct {
	net   *network.Network
	decay float64
}

// follow counts in the weights after the given number of steps.
func (a *average) follow(net *network.Network, steps int64) {
	nn.Follow(a.net.Weights(), net.Weights(), a.decay, steps)
}

// learnerName names the learner's own weights in a checkpoint, whose network is the
// player.
const learnerName = "learner"

// Player returns the network that plays: the average of the weights where the config
// asks for it (Config.Average), and the learner's own otherwise. It is written by Update.
func (l *Learner) Player() *network.Network {
	if l.average == nil {
		return l.net
	}
	return l.average.net
}

// Anchor makes the present network the one that the policy is held to, and the mean of
// the weights, as at the end of lessons.
func (l *Learner) Anchor() {
	if l.magnet != nil {
		copy(l.magnet.net.Weights(), l.net.Weights())
	}
	if l.average != nil {
		copy(l.average.net.Weights(), l.net.Weights())
	}
}

// restoreAverage takes the network's weights, those of the player, for the average and
// the learner's from the tensors.
func (l *Learner) restoreAverage(tensors []checkpoints.Tensor) error {
	if l.average == nil {
		return nil
	}
	t, err := checkpoints.Find(tensors, learnerName)
	if err != nil {
		return err
	}
	copy(l.average.net.Weights(), l.net.Weights())
	return t.Float32s(l.net.Weights(), len(l.net.Weights()))
}
