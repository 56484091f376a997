package train

import (
	"cmp"
	"fmt"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/memory"
	"powderkeg/train/nn"
	"powderkeg/train/rollout"
)

// choiceBytes is about what a decision of the lessons takes, of which no more than the choices
// is kept; positionBytes is about what a position of the archive does as JSON, beside what
// grows with the game's state.
const (
	choiceBytes   = 4
	positionBytes = 1 << 10
)

// CheckMemory reports what a valid config asks for that would not fit into the machine's memory:
// each of the numbers by itself, and the rollout with all that is there beside it. The error is of
// one line and wraps option.ErrUsage.
func (c Config) CheckMemory() error {
	g, err := c.NewGame()
	if err != nil {
		return err
	}
	net, err := c.networkFor(g)
	if err != nil {
		return err
	}
	count := func(name string, n int, each memory.Size) error {
		return memory.Count{Name: name, N: int64(n)}.Check(each, 0)
	}
	return oneLine([]error{cmp.Or(
		count("network.hidden: the number of weights", net.NumWeights(), nn.WeightBytes(net)/memory.Size(net.NumWeights())),
		count("ppo.minibatch", c.PPO.Minibatch, nn.RowBytes(net)),
		c.checkSnapshots(net),
		c.checkLessons(net),
		c.checkArchive(g),
		c.checkRollout(g, net),
	)})
}

// checkRollout checks the environments and what they record.
func (c Config) checkRollout(g engine.Game, net network.Config) error {
	shape := rollout.Shape{Steps: c.Steps, Envs: 1, Inputs: net.Inputs, NumActions: net.Actions, Seats: net.Seats, Others: len(c.PPO.Critic.Hidden) > 0}
	widest := 0
	for _, width := range net.Hidden {
		widest = max(widest, width)
	}
	row := memory.Of(4, net.Inputs+2*net.Outputs()+2*widest) // of the workspace that plays
	each := env.Bytes(g).Plus(row, shape.EnvBytes().Times(int64(1+c.Lag)))
	beside := nn.WeightBytes(net).Plus(nn.RowBytes(net).Times(int64(c.PPO.Minibatch)))
	return memory.Count{Name: fmt.Sprintf("with steps %d, envs", c.Steps), N: int64(c.Envs)}.Check(each, beside)
}

// checkSnapshots checks the pool, of which a run fills no more than it takes.
func (c Config) checkSnapshots(net network.Config) error {
	if c.League.SnapshotEvery == 0 {
		return nil
	}
	taken := min(c.League.Capacity, 1+c.Updates/c.League.SnapshotEvery)
	err := memory.Count{Name: "the number of snapshots", N: int64(taken)}.Check(memory.Of(4, net.NumWeights()), 0)
	if err == nil {
		return nil
	}
	return fmt.Errorf("league.capacity: %w", err)
}

func (c Config) checkLessons(net network.Config) error {
	if c.Lessons.Updates == 0 {
		return nil
	}
	return cmp.Or(
		memory.Count{Name: "lessons.decisions", N: int64(c.Lessons.Decisions)}.Check(choiceBytes, 0),
		memory.Count{Name: "lessons.minibatch", N: int64(c.Lessons.Minibatch)}.Check(nn.RowBytes(net), 0),
	)
}

func (c Config) checkArchive(g engine.Game) error {
	if c.Archive.Share == 0 {
		return nil
	}
	position := env.StateBytes(g).Plus(positionBytes)
	return memory.Count{Name: fmt.Sprintf("with archive.positions %d, archive.games", c.Archive.Positions), N: int64(c.Archive.Games)}.
		Check(position.Times(int64(c.Archive.Positions)), 0)
}
