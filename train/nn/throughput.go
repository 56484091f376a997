package nn

import (
	"math/rand/v2"
	"time"

	"powderkeg/agents/network"
)

// Yardstick is the network by which learners are compared: 512 inputs, two
// hidden layers of 256, 512 actions.
var Yardstick = network.Config{Inputs: 512, Actions: 512, Seats: 2, Hidden: []int{256, 256}, Activation: network.ReLU}

// Throughput repeats whole learning steps (forward, backward, Adam) on batches
// of random rows for at least d and returns how many rows it learned from a
// second.
func Throughput(c network.Config, rows int, d time.Duration) (samplesPerSecond float64, err error) {
	step, done, err := trainer(c, rows)
	if err != nil {
		return 0, err
	}
	defer done()
	if err := step(); err != nil { // the first step touches fresh memory
		return 0, err
	}
	steps, start := 0, time.Now()
	for time.Since(start) < d || steps == 0 {
		if err := step(); err != nil {
			return 0, err
		}
		steps++
	}
	return float64(steps*rows) / time.Since(start).Seconds(), nil
}

// trainer sets up a learner with a full batch: dense observations, and half of
// the actions legal.
func trainer(c network.Config, rows int) (step func() error, done func() error, err error) {
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
