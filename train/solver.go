package train

import (
	"fmt"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/train/ppo"
	"powderkeg/train/solve"
)

// Learning names an algorithm that approaches an equilibrium by self-play of a
// network.
type Learning string

// The algorithms.
const (
	PPO Learning = "ppo" // proximal policy optimisation with a large entropy bonus
	MMD Learning = "mmd" // magnetic mirror descent by neural replicator dynamics
)

// Learnings lists the algorithms.
func Learnings() []Learning { return []Learning{PPO, MMD} }

// forSolving returns the settings by which an algorithm approaches an equilibrium
// of a small game in so many updates. Those of mmd are experiments/configs/leduc's,
// which do well on kuhn too.
func forSolving(game string, a Learning, updates int, seed uint64) (Config, error) {
	c := Default()
	c.Game, c.Seed, c.Updates, c.Envs, c.Steps = game, seed, updates, 512, 16
	c.Network = Network{Hidden: []int{64, 64}, Activation: network.ReLU}
	c.League.Share, c.League.Capacity = 0, averaged/2
	c.League.SnapshotEvery = max(1, updates/averaged)
	c.Evaluation.Against = nil
	c.PPO.Minibatch, c.PPO.Epochs = 2048, 2
	c.PPO.LearningRate = ppo.Schedule{Start: 1e-3, End: 1e-4}
	switch a {
	case PPO:
		c.PPO.Entropy = ppo.Schedule{Start: 0.1, End: 0.05}
	case MMD:
		c.PPO.ClipRange, c.PPO.TargetKL, c.PPO.NormaliseAdvantages, c.PPO.NeuRD = 1, 0, false, 10
		c.PPO.Proximal = ppo.Schedule{Start: 1.5, End: 8}
		c.PPO.Entropy = ppo.Schedule{Start: 0.01, End: 0.003}
		c.PPO.Magnet, c.PPO.MagnetRate = ppo.Constant(0.02), 0.001
	default:
		names := make([]string, len(Learnings()))
		for i, l := range Learnings() {
			names[i] = string(l)
		}
		return c, fmt.Errorf("unknown algorithm %q; algorithms that learn: %s", a, strings.Join(names, ", "))
	}
	return c, nil
}

// averaged is how many iterates there are snapshots of in a whole run; the pool keeps
// the later half.
const averaged = 200

// Solver approaches an equilibrium of a small game by self-play, in place of
// solve.Solver. It belongs to one goroutine.
type Solver struct {
	trainer    *Trainer
	equilibria *Equilibria
}

// NewSolver sets up the training of a network on the game of the tree. Close frees
// it.
func NewSolver(tree *solve.Tree, a Learning, updates int, seed uint64) (*Solver, error) {
	c, err := forSolving(tree.Game().Spec().Text, a, updates, seed)
	if err != nil {
		return nil, err
	}
	e, err := equilibriaOf(tree)
	if err != nil {
		return nil, err
	}
	t, err := NewTrainer(c)
	if err != nil {
		return nil, err
	}
	return &Solver{t, e}, nil
}

// Iterate makes one update.
func (s *Solver) Iterate() error {
	_, err := s.trainer.Update()
	return err
}

// Average returns the policy that draws one of the iterates of the later half of the
// run before each game, the last one included; early in the run, of all.
func (s *Solver) Average() (*solve.Policy, error) {
	iterates, err := s.equilibria.iterates(s.trainer.pool)
	if err != nil {
		return nil, err
	}
	last, err := s.equilibria.policy(s.trainer.net)
	if err != nil {
		return nil, err
	}
	return s.equilibria.tree.Mixture(append(iterates, last)), nil
}

// Close frees the solver.
func (s *Solver) Close() error { return s.trainer.Close() }
