package nn

import (
	"math/rand/v2"

	"powderkeg/agents/network"
)

// Yardstick is the network by which learners are compared: 512 inputs, two
// hidden layers of 256, 512 actions.
var Yardstick = network.Config{Inputs: 512, Actions: 512, Seats: 2, Hidden: []int{256, 256}, Activation: network.ReLU}

// Exercise sets up a learner with a full batch of random rows, with dense observations and half
// of the actions legal. Each call of step is a whole learning step of them: forward, backward, Adam.
// The caller calls done in the end.
func Exercise(c network.Config, rows int) (step, done func() error, err error) {
	net, err := network.New(c, rand.NewPCG(1, 1))
	if err != nil {
		return nil, nil, err
	}
	l, err := NewLearner(net, rows)
	if err != nil {
		return nil, nil, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	b := l.Batch()
	b.Rows = rows
	for i := range b.Obs {
		b.Obs[i] = float32(r.NormFloat64())
	}
	for i := range b.Mask {
		b.Mask[i] = uint8(r.IntN(2))
	}
	for row := range rows {
		b.Action[row] = int32(r.IntN(c.Actions))
		b.Mask[row*c.Actions+int(b.Action[row])] = 1
		b.LogProb[row] = -5
		b.Advantage[row] = float32(r.NormFloat64())
	}
	adam := NewAdam(c.NumWeights())
	step = func() error {
		_, err := l.Step(Objective{ClipRange: 0.2, ValueCoef: 0.5, EntropyCoef: 0.01}, adam, 3e-4, 0.5)
		return err
	}
	return step, l.Close, nil
}
