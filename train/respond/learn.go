package respond

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
	"powderkeg/train/run"
)

// training returns the settings by which a network learns a response to the agent, in so
// many updates: it holds one seat of every game, each as often as any other, and the agent
// the rest.
//
// In short games updates are those of neural replicator dynamics, bounded by a proximal term
// alone. With the clipped gradients of plain PPO a response to a network of
// experiments/configs/leduc stays at three quarters of what is there to gain, since an action
// that the learner has left early is hardly tried again; so it comes to 97%. In long games
// they lead away from what the agent knew, and clipped gradients of large batches, which are
// how the zoo was trained, find what they do not (report 0015).
func (c Config) training(g engine.Game, way Way, updates int64) (train.Config, error) {
	t := train.Default()
	t.Game, t.Position, t.Seed, t.Workers = c.Game, c.Position, c.Seed, c.Workers
	t.Envs, t.Steps = 256, 32
	t.Network = train.Network{Hidden: []int{64, 64}, Activation: network.ReLU}
	t.PPO.Minibatch, t.PPO.Epochs = 2048, 2
	if g.Spec().MaxDecisions > longGame {
		t.Envs, t.Steps, t.SkipForced = 128, 512, true
		t.Network.Hidden = []int{256, 256}
		t.PPO.Minibatch = 8192
		t.PPO.LearningRate = ppo.Schedule{Start: 3e-4, End: 3e-5}
		t.PPO.TargetKL, t.PPO.Average = 0, 0.99
		t.PPO.Entropy = ppo.Schedule{Start: 0.01, End: 0.001}
	} else {
		t.PPO.LearningRate = ppo.Schedule{Start: 2e-3, End: 1e-4}
		t.PPO.ClipRange, t.PPO.TargetKL, t.PPO.NormaliseAdvantages, t.PPO.NeuRD = 1, 0, false, 10
		t.PPO.Proximal, t.PPO.Average = ppo.Schedule{Start: 0.2, End: 2}, 0.999
		t.PPO.Entropy = ppo.Schedule{Start: 0.02, End: 0.0005}
	}
	if _, ok := g.New().(engine.Hidden); ok {
		t.PPO.Critic.Hidden = t.Network.Hidden
	}
	t.League = league.Default()
	t.League.Share, t.League.SnapshotEvery = 1, 0
	t.League.Agents = []league.Named{{Name: c.Agent, Share: 1}}
	// For the run's own report; what counts is measured afterwards.
	t.Evaluation = train.Evaluation{Games: 1, ClosingGames: 100, Against: []string{c.Agent}}
	if way == Own {
		// Closer to home: what the agent plays is not to be forgotten first.
		t.PPO.Entropy = ppo.Schedule{Start: 0.005, End: 0.0002}
		if g.Spec().MaxDecisions > longGame {
			t.PPO.Entropy = ppo.Schedule{Start: 0.001}
		}
		ref, _ := roster.Network(c.Agent)
		brain, err := learned.Open(g, ref)
		if err != nil {
			return t, err
		}
		shape := brain.Network().Config()
		t.Network = train.Network{
			Hidden: shape.Hidden, Activation: shape.Activation, LayerNorm: shape.LayerNorm, Residual: shape.Residual, Bins: shape.Bins, Advice: shape.Advice,
			Advisers: shape.Advisers, From: ref,
		}
	}
	t, err := c.with(t)
	if err != nil {
		return t, err
	}
	if updates == 0 {
		updates = c.Decisions / int64(t.Envs*t.Steps)
	}
	each := min(max(updates/int64(c.Candidates), 1), math.MaxInt32/4/int64(c.Candidates))
	t.Updates = int(each) * c.Candidates
	t.Checkpoints = train.Checkpoints{Every: int(each), Keep: c.Candidates}
	return t, t.Validate()
}

// probe learns how many updates a learner makes in so many seconds: it makes the first few
// of another run of the same settings.
func (c Config) probe(ctx context.Context, g engine.Game, way Way, seconds float64) (updates int64, err error) {
	t, err := c.training(g, way, int64(c.Candidates))
	if err != nil {
		return 0, err
	}
	trainer, err := train.NewTrainer(t)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, trainer.Close()) }()
	if _, err := trainer.Update(); err != nil { // memory is taken and caches filled
		return 0, err
	}
	start := time.Now()
	for n := int64(1); ; n++ {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if _, err := trainer.Update(); err != nil {
			return 0, err
		}
		if took := time.Since(start).Seconds(); took >= seconds*probeShare {
			return int64(seconds * (1 - 2*probeShare) / took * float64(n)), nil
		}
	}
}

// probeShare is the share of a learner's time that its probe takes.
const probeShare = 0.03

// Learner is what a learner has cost.
type Learner struct {
	Way     Way   `json:"way"`
	Updates int64 `json:"updates"`
	// Decisions counts those of the agent too. Seconds is what the updates took, play
	// included.
	Decisions int64   `json:"decisions"`
	Seconds   float64 `json:"seconds"`
}

// learn trains in the directory of the way, or goes on there, to the end.
func (f *folder) learn(ctx context.Context, way Way) (Learner, error) {
	t, err := f.config.training(f.game, way, f.plan.Updates[way])
	if err != nil {
		return Learner{}, err
	}
	dir := filepath.Join(f.dir, string(way))
	if list, err := trained(dir, way); err == nil && list[len(list)-1].Updates == int64(t.Updates) {
		return spent(way, dir)
	}
	f.tell("%s: %d updates of %d decisions", way, t.Updates, t.Envs*t.Steps)
	if err := run.Start(ctx, t, run.Options{Dir: dir, Progress: f.progress}); err != nil {
		if errors.Is(err, run.ErrStopped) {
			return Learner{}, fmt.Errorf("%w: the same command goes on with %s", ErrStopped, f.dir)
		}
		return Learner{}, err
	}
	return spent(way, dir)
}

// spent reads from the journal of a run what it has cost.
func spent(way Way, dir string) (Learner, error) {
	l := Learner{Way: way}
	text, err := file.Read(filepath.Join(dir, "metrics.jsonl"), file.Record)
	if err != nil {
		return l, err
	}
	for line := range bytes.Lines(text) {
		var m struct {
			Kind      string  `json:"kind"`
			Update    int64   `json:"update"`
			Decisions int64   `json:"decisions"`
			Seconds   float64 `json:"seconds"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return l, fmt.Errorf("%s: %w", dir, err)
		}
		if m.Kind == train.KindUpdate {
			l.Updates, l.Decisions = m.Update, m.Decisions
			l.Seconds += m.Seconds
		}
	}
	return l, nil
}

// trained lists the checkpoints of a way that is trained in a directory, the oldest first.
func trained(dir string, way Way) ([]Candidate, error) {
	store := checkpoints.Store{Dir: filepath.Join(dir, "checkpoints")}
	names, err := store.List()
	if err != nil {
		return nil, err
	}
	var list []Candidate
	for _, name := range names {
		path := filepath.Join(store.Dir, name)
		checkpoint, err := checkpoints.Open(path)
		if err != nil {
			return nil, err
		}
		list = append(list, Candidate{
			Way: way, Updates: checkpoint.Manifest.Updates, Decisions: checkpoint.Manifest.Decisions,
			Player: filepath.ToSlash(filepath.Join(string(way), "checkpoints", name)),
		})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: %w", store.Dir, fs.ErrNotExist)
	}
	return list, nil
}
