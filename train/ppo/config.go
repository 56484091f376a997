// Package ppo learns a policy and values from rollouts by proximal policy
// optimisation (Schulman et al., 2017). README.md lists every detail with the
// line that carries it out.
package ppo

import (
	"errors"
	"fmt"
	"math"

	"powderkeg/agents/network"
)

// Filter leaves out the samples that say little: those whose advantage is small in
// amount, before it is normalised. What is left costs the time of the update in
// proportion (Ataraxos, arXiv:2511.07312, keeps a quarter, and those of at least 0.01).
// Values learn from the same samples, which draws them towards the outcomes that surprise;
// a Critic learns from all. No sample at all may be left. Measure before use: in leduc the
// filter doubles exploitability (experiments/reports/0010-trainer.md). The zero value keeps
// everything.
type Filter struct {
	// Quantile is the share of the samples, below 1, with the least advantages.
	Quantile float64 `yaml:"quantile" json:"quantile"`
	// Floor is the least advantage, in units of the game's largest possible return.
	Floor float64 `yaml:"floor" json:"floor"`
}

// Config holds the settings of the update.
type Config struct {
	// Epochs is how often each update goes through its samples.
	Epochs int `yaml:"epochs" json:"epochs"`
	// Minibatch is the most samples that one gradient is computed from.
	Minibatch int `yaml:"minibatch" json:"minibatch"`
	// LearningRate is Adam's.
	LearningRate Schedule `yaml:"learning_rate" json:"learning_rate"`
	// Gamma discounts from one decision of a seat to its next (rollout.Buffer.Compute).
	Gamma float64 `yaml:"gamma" json:"gamma"`
	// Lambda weighs long against short estimates of the advantage.
	Lambda float64 `yaml:"lambda" json:"lambda"`
	// ValueLambda weighs long against short estimates of the targets of the values, 0 for
	// Lambda itself: advantages want little noise, values little bias.
	ValueLambda float64 `yaml:"value_lambda" json:"value_lambda"`
	// VTrace corrects for what was played by earlier weights.
	VTrace VTrace `yaml:"vtrace" json:"vtrace"`
	// Critic is a network for the values that sees what is hidden.
	Critic Critic `yaml:"critic" json:"critic"`
	// Filter says which samples are worth learning from.
	Filter Filter `yaml:"filter" json:"filter"`
	// ClipRange is how far the probability of an action may move in one update,
	// as a share; further away there is no gradient.
	ClipRange float64 `yaml:"clip_range" json:"clip_range"`
	// ValueClip is how far a value may move likewise, 0 for as far as it wants. Values
	// are in units of the game's largest possible return.
	ValueClip float64 `yaml:"value_clip" json:"value_clip"`
	// ValueCoef weighs the value loss against the policy loss (nn.Objective).
	ValueCoef float64 `yaml:"value_coef" json:"value_coef"`
	// Entropy weighs the entropy bonus against the policy loss.
	Entropy Schedule `yaml:"entropy" json:"entropy"`
	// Proximal, 1/η, holds the policy to the one that played, in units of the game's largest
	// possible return. With Magnet it turns the update into magnetic mirror descent
	// (nn.Objective); 0 is plain PPO.
	Proximal Schedule `yaml:"proximal" json:"proximal"`
	// Magnet, α, holds the policy to a slowly moving one, in the same units; 0 is plain PPO. A
	// magnet that does not move is uniform play, which is what Entropy pulls to.
	Magnet Schedule `yaml:"magnet" json:"magnet"`
	// MagnetRate is the share of the way to the present weights that those of the
	// magnet move after each update. With 0 the policy is held to the network that the run
	// began with, or that its lessons ended with, on the states that it comes to itself:
	// without that, what was learned by imitation is forgotten before anything takes its
	// place (M. Wołczyk et al., "Fine-tuning reinforcement learning models is secretly a
	// forgetting mitigation problem", 2024).
	MagnetRate float64 `yaml:"magnet_rate" json:"magnet_rate"`
	// NeuRD above 0 makes the updates those of neural replicator dynamics, in which
	// rare actions learn as fast as others (nn.Objective): the advantage of an action
	// counts one over its probability times, at most NeuRD times. Only Proximal and
	// TargetKL bound such an update then, ClipRange does not.
	NeuRD float64 `yaml:"neurd" json:"neurd"`
	// Average, below 1, is how much of the running mean of the weights stays in each step
	// of the optimiser, such as 0.999; the mean is the player that is evaluated, saved and
	// taken into the pool, and the learner plays and learns by its own weights. 0 is no
	// mean.
	Average float64 `yaml:"average" json:"average"`
	// MaxGradNorm shortens longer gradients, 0 for none.
	MaxGradNorm float64 `yaml:"max_grad_norm" json:"max_grad_norm"`
	// NormaliseAdvantages shifts and scales the advantages of each minibatch to mean
	// 0 and deviation 1.
	NormaliseAdvantages bool `yaml:"normalise_advantages" json:"normalise_advantages"`
	// Unmasked lets the network choose illegal actions while it learns, for
	// comparisons (Choose): a legal one is drawn in place of each, which costs
	// IllegalPenalty. What is learned is played with masks in either case.
	Unmasked bool `yaml:"unmasked" json:"unmasked"`
	// IllegalPenalty is what an illegal action costs where Unmasked allows it, in units of the
	// game's largest possible return.
	IllegalPenalty float64 `yaml:"illegal_penalty" json:"illegal_penalty"`
	// Warmup is how many updates at the beginning teach the value head alone: the policy,
	// and what it shares with the values, stays as it is, bit for bit. It is for a policy
	// that comes from elsewhere (train.Network.From), whose values were never learned or
	// are those of other opponents, and should last until explained_variance is flat. Adam
	// begins anew after them.
	Warmup int `yaml:"warmup" json:"warmup"`
	// TargetKL ends an update after the epoch in which the policy has moved this far
	// (nn.Stats.KL), 0 for never.
	TargetKL float64 `yaml:"target_kl" json:"target_kl"`
}

// Default returns settings that work on the reference games. Episodes are short
// and end with their payoff, so nothing is discounted.
func Default() Config {
	return Config{
		Epochs: 4, Minibatch: 512, LearningRate: Schedule{Start: 1e-3, End: 1e-4},
		Gamma: 1, Lambda: 0.95, VTrace: VTrace{Rho: 1, C: 1}, ClipRange: 0.2, ValueClip: 0, ValueCoef: 0.5,
		Entropy: Schedule{Start: 0.01, End: 0.001}, MagnetRate: 0.01, IllegalPenalty: 0.1, MaxGradNorm: 0.5, NormaliseAdvantages: true, TargetKL: 0.03,
	}
}

// HoldsToOld reports whether the policy is held to the one that played, whose logits are
// then learned from.
func (c *Config) HoldsToOld() bool { return c.Proximal != Schedule{} }

// MostWarmup bounds Config.Warmup: no run is longer.
const MostWarmup = 1 << 30

// Validate reports all faults together.
func (c Config) Validate() error {
	var faults []error
	count := func(name string, n int) {
		if n < 1 || n > 1<<20 {
			faults = append(faults, fmt.Errorf("ppo: %s is %d, it must be from 1 to %d", name, n, 1<<20))
		}
	}
	number := func(name string, x, low, high float64) {
		if !(x >= low && x <= high) { // NaN too
			faults = append(faults, fmt.Errorf("ppo: %s is %v, it must be from %v to %v", name, x, low, high))
		}
	}
	const tiny = 1e-9
	count("epochs", c.Epochs)
	count("minibatch", c.Minibatch)
	if c.Warmup < 0 || c.Warmup > MostWarmup {
		faults = append(faults, fmt.Errorf("ppo: warmup is %d, it must be from 0 to %d", c.Warmup, MostWarmup))
	}
	c.LearningRate.validate("learning_rate", 1, number)
	number("gamma", c.Gamma, 0, 1)
	number("lambda", c.Lambda, 0, 1)
	if len(c.Critic.Hidden) > 0 && c.ValueClip > 0 {
		faults = append(faults, errors.New("ppo: value_clip: the values that were played by are the critic's; with one it must be 0"))
	}
	if len(c.Critic.Hidden) > 0 {
		shape := network.Config{Inputs: 1, Actions: 1, Seats: 1, Hidden: c.Critic.Hidden, Activation: network.ReLU}
		if err := shape.Validate(); err != nil {
			faults = append(faults, fmt.Errorf("ppo: critic: %w", err))
		}
	}
	number("value_lambda", c.ValueLambda, 0, 1)
	number("vtrace.rho", c.VTrace.Rho, 0, math.MaxFloat32)
	number("vtrace.c", c.VTrace.C, 0, math.MaxFloat32)
	if c.VTrace.C > c.VTrace.Rho && c.VTrace.Rho > 0 {
		faults = append(faults, fmt.Errorf("ppo: vtrace.c is %v, it must not be above vtrace.rho, %v", c.VTrace.C, c.VTrace.Rho))
	}
	number("filter.quantile", c.Filter.Quantile, 0, 1-tiny)
	number("filter.floor", c.Filter.Floor, 0, math.MaxFloat32)
	number("clip_range", c.ClipRange, tiny, 1)
	number("value_clip", c.ValueClip, 0, math.MaxFloat32)
	number("value_coef", c.ValueCoef, 0, math.MaxFloat32)
	c.Entropy.validate("entropy", math.MaxFloat32, number)
	c.Proximal.validate("proximal", math.MaxFloat32, number)
	c.Magnet.validate("magnet", math.MaxFloat32, number)
	number("magnet_rate", c.MagnetRate, 0, 1)
	number("illegal_penalty", c.IllegalPenalty, 0, math.MaxFloat32)
	number("average", c.Average, 0, 1-tiny)
	number("neurd", c.NeuRD, 0, math.MaxFloat32)
	number("max_grad_norm", c.MaxGradNorm, 0, math.MaxFloat32)
	number("target_kl", c.TargetKL, 0, math.MaxFloat32)
	return errors.Join(faults...)
}
