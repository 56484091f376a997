package ppo

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/train/nn"
	"powderkeg/train/rollout"
)

// Learner turns rollouts into updates of a network. It belongs to one goroutine
// and is the only writer of the network's weights.
type Learner struct {
	config  Config
	net     *network.Network
	graph   *nn.Learner
	adam    *nn.Adam
	magnet  *magnet  // nil in plain PPO
	average *average // nil without one
	critic  *critic  // nil without one
	review  *review  // nil before it is needed
	shuffle rand.PCG
	samples []int32
	sizes   []float32 // scratch of filter
}

// shuffleStream is the PCG stream of the order of samples.
const shuffleStream = 0x73687566666c65

// New returns a learner whose order of samples follows from the seed.
func New(c Config, net *network.Network, seed uint64) (*Learner, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	graph, err := nn.NewRowLearner(net, c.Minibatch)
	if err != nil {
		return nil, err
	}
	l := &Learner{
		config: c, net: net, graph: graph, adam: nn.NewAdam(len(net.Weights())),
		shuffle: *rand.NewPCG(seed, shuffleStream),
	}
	if c.Magnet != (Schedule{}) {
		l.magnet = newMagnet(net)
	}
	if c.Average > 0 {
		l.average = &average{net.Clone(), c.Average}
	}
	if len(c.Critic.Hidden) > 0 {
		if l.critic, err = newCritic(c, net, seed); err != nil {
			return nil, errors.Join(err, graph.Close())
		}
	}
	return l, nil
}

// Tensors returns the learner's state besides the weights of Player and Shuffle, for a
// checkpoint.
func (l *Learner) Tensors() []checkpoints.Tensor {
	list := l.adam.Tensors()
	if l.magnet != nil {
		list = append(list, l.magnet.tensor())
	}
	if l.average != nil {
		w := l.net.Weights()
		list = append(list, checkpoints.Float32s(learnerName, w, len(w)))
	}
	if l.critic != nil {
		list = append(list, l.critic.tensors()...)
	}
	return list
}

// Restore sets the state to what Tensors has returned; the network has the weights that
// Player had. Errors wrap checkpoints.ErrCorrupt or ErrMismatch.
func (l *Learner) Restore(tensors []checkpoints.Tensor) error {
	if err := l.adam.Restore(tensors); err != nil {
		return err
	}
	if err := l.restoreAverage(tensors); err != nil {
		return err
	}
	if l.critic != nil {
		if err := l.critic.restore(tensors); err != nil {
			return err
		}
	}
	if l.magnet == nil {
		return nil
	}
	return l.magnet.restore(tensors)
}

// Magnet returns the network that the policy is held to, nil in plain PPO. It is
// written by Update.
func (l *Learner) Magnet() *network.Network {
	if l.magnet == nil {
		return nil
	}
	return l.magnet.net
}

// Shuffle is the generator of the order of samples, to be saved and restored in
// place.
func (l *Learner) Shuffle() *rand.PCG { return &l.shuffle }

// Close frees the graphs.
func (l *Learner) Close() error {
	err := l.graph.Close()
	if l.critic != nil {
		err = errors.Join(err, l.critic.graph.Close())
	}
	return err
}

// Stats describes an update. The terms of the loss are means over the samples of
// its last epoch.
type Stats struct {
	nn.Stats
	Samples int // that were learned from
	Epochs  int // that were run before TargetKL was reached
	// Explained is the share of the variance of the actors' returns that their
	// values had explained before the update: 1 - Var(R - V)/Var(R), 0 if all
	// returns are equal.
	Explained float64
	// Rho is the mean of min(ρ̄, ratio) over the samples (Config.VTrace), 0 where nothing was
	// corrected.
	Rho float64
	// Critic is the loss of the critic's values, 0 without one.
	Critic float64
	// LearningRate and EntropyCoef are those of the update.
	LearningRate, EntropyCoef float64
}

// Update learns from a rollout at the time that the schedules go by. A rollout without samples changes nothing.
func (l *Learner) Update(b *rollout.Buffer, now Clock) (Stats, error) {
	c := &l.config
	var s Stats
	if b.Age > 0 && c.VTrace.Rho > 0 {
		s.Rho = l.correct(b)
	} else {
		b.Compute(float32(c.Gamma), float32(c.Lambda), c.valueLambda())
	}
	l.samples = b.Samples(l.samples[:0])
	s.Explained = explained(b, l.samples)
	warm := now.Made < int64(c.Warmup)
	if c.Warmup > 0 && (now.Made == 0 || now.Made == int64(c.Warmup)) {
		// Moments of before would move weights at rest, and those of weights at rest are
		// nothing.
		l.adam.Reset()
	}
	rate := c.LearningRate.At(now)
	if l.critic != nil && len(l.samples) > 0 {
		var err error
		if s.Critic, err = l.learnValues(b, l.samples, rate); err != nil {
			return s, err
		}
	}
	if !warm { // values learn from every sample
		l.samples = l.filter(b, l.samples)
	}
	s.Samples = len(l.samples)
	objective := nn.Objective{
		ClipRange: float32(c.ClipRange), ValueClip: float32(c.ValueClip),
		ValueCoef: float32(c.ValueCoef), EntropyCoef: c.Entropy.At(now),
		Proximal: c.Proximal.At(now), Magnet: c.Magnet.At(now),
		NeuRD: float32(c.NeuRD), ValueHead: warm,
	}
	if l.magnet != nil {
		l.magnet.evaluate(b, l.samples)
	}
	s.LearningRate, s.EntropyCoef = float64(rate), float64(objective.EntropyCoef)
	for s.Epochs < c.Epochs && len(l.samples) > 0 {
		rollout.Shuffle(l.samples, &l.shuffle)
		s.Stats = nn.Stats{}
		for _, part := range rollout.Minibatches(l.samples, c.Minibatch) {
			l.gather(b, part)
			step, err := l.graph.Step(objective, l.adam, rate, float32(c.MaxGradNorm))
			if err != nil {
				return s, err
			}
			if l.average != nil {
				l.average.follow(l.net, l.adam.Steps)
			}
			add(&s.Stats, step, float64(len(part))/float64(len(l.samples)))
		}
		s.Epochs++
		if math.IsNaN(s.Loss) || math.IsInf(s.Loss, 0) {
			return s, fmt.Errorf("ppo: the loss is %v, %w, after %d updates of the weights; try a smaller learning rate", s.Loss, network.ErrNotFinite,
				l.adam.Steps)
		}
		if c.TargetKL > 0 && s.KL > c.TargetKL {
			break
		}
	}
	if l.magnet != nil {
		l.magnet.follow(l.net, float32(c.MagnetRate))
	}
	return s, nil
}

// add adds the stats of a minibatch with its share of the samples.
func add(sum *nn.Stats, s nn.Stats, share float64) {
	sum.Loss += share * s.Loss
	sum.Policy += share * s.Policy
	sum.Value += share * s.Value
	sum.Entropy += share * s.Entropy
	sum.Proximal += share * s.Proximal
	sum.Magnet += share * s.Magnet
	sum.KL += share * s.KL
	sum.ClipFraction += share * s.ClipFraction
	sum.GradNorm += share * s.GradNorm
}

// gather copies samples into the learner's batch.
func (l *Learner) gather(b *rollout.Buffer, samples []int32) {
	to := l.graph.Batch()
	to.Rows = len(samples)
	nn.Share(len(samples), nn.CopyRows, func(_, from, end int) {
		for row := from; row < end; row++ {
			l.copyRow(to, row, b, int(samples[row]))
		}
	})
	if l.config.NormaliseAdvantages {
		normalise(to.Advantage[:len(samples)])
	}
}

// copyRow copies sample i into a row of the batch, but for its observation, which is only read.
func (l *Learner) copyRow(to *nn.Batch, row int, b *rollout.Buffer, i int) {
	a, p := b.NumActions, b.Seats
	to.Seen[row] = b.Obs[i]
	copy(to.Mask[row*a:(row+1)*a], b.Masks[i*a:(i+1)*a])
	copy(to.Return[row*p:(row+1)*p], b.Returns[i*p:(i+1)*p])
	copy(to.Value[row*p:(row+1)*p], b.Values[i*p:(i+1)*p])
	to.Action[row] = int32(b.Actions[i])
	to.LogProb[row] = b.LogProbs[i]
	to.Advantage[row] = b.Advantages[i]
	if l.config.HoldsToOld() {
		copy(to.Old[row*a:(row+1)*a], b.Logits[i*a:(i+1)*a])
	}
	if l.magnet != nil {
		copy(to.Magnet[row*a:(row+1)*a], l.magnet.logits[i*a:(i+1)*a])
	}
}

// normalise shifts to mean 0 and scales to deviation 1. Numbers that are all
// but equal are only shifted.
func normalise(x []float32) {
	mean, variance := moments(len(x), func(i int) float64 { return float64(x[i]) })
	scale := 1.0
	if variance > 1e-12 {
		scale = 1 / math.Sqrt(variance)
	}
	for i := range x {
		x[i] = float32((float64(x[i]) - mean) * scale)
	}
}

// explained is Stats.Explained.
func explained(b *rollout.Buffer, samples []int32) float64 {
	own := func(i int) int { return int(samples[i]) * b.Seats }
	_, total := moments(len(samples), func(i int) float64 { return float64(b.Returns[own(i)]) })
	_, rest := moments(len(samples), func(i int) float64 { return float64(b.Returns[own(i)] - b.Values[own(i)]) })
	if total < 1e-12 {
		return 0
	}
	return 1 - rest/total
}

// moments returns the mean and variance of n numbers, 0 of none.
func moments(n int, at func(int) float64) (mean, variance float64) {
	if n == 0 {
		return 0, 0
	}
	for i := range n {
		mean += at(i)
	}
	mean /= float64(n)
	for i := range n {
		variance += (at(i) - mean) * (at(i) - mean)
	}
	return mean, variance / float64(n)
}
