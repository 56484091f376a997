package train

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/train/job"
	"powderkeg/train/league"
)

// Digest names weights: the SHA-256 of their numbers as little-endian float32.
type Digest = job.Digest

// Task asks for the part of one rollout that some neighbouring slots have. A part follows
// from its task and the weights alone, so that it does not matter who plays it, or how often;
// only where processors round otherwise may two parts of one task differ, and then either
// will do.
type Task struct {
	// Update is how many updates come before that which learns from the rollout; From and To
	// are the slots.
	Update   int64
	From, To int
	// Margin and Reach are Config.Margin and Archive.Reach in this update.
	Margin float32
	Reach  float64
	// Net names the weights of the learner's network, Critic those of its critic (zeroes
	// without one), and Members those of the pool's snapshots, in their order.
	Net, Critic Digest
	Members     []Digest
	// Pool and Slots [To-From] are the pool and the slots at rest.
	Pool  league.State
	Slots []slotState
}

// Crew plays the rollouts of a run somewhere else.
type Crew interface {
	// Play has every task played and gives each one's part to take, which may be called by
	// several goroutines at once, but for one task by one. A part that take refuses with an
	// error that wraps ErrPart is played again; any other error ends the play. weights are
	// all that the tasks name. After an error, such as that of ctx, no more calls of take may
	// come.
	Play(ctx context.Context, tasks []*Task, weights map[Digest][]byte, take func(task int, p *Part) error) error
}

// Employ lets a crew play the rollouts from now on, each in so many tasks, 0 for Config.Shards.
func (t *Trainer) Employ(c Crew, shards int) {
	if shards == 0 {
		shards = t.config.Shards
	}
	t.crew, t.shards = c, min(shards, t.config.Envs)
}

// delegate has the rollout of an update played by the crew, from where the slots are.
func (t *Trainer) delegate(ctx context.Context, update int64, slots []slotState) (episodes, error) {
	k := t.collector
	tasks, weights := t.tasks(update, slots)
	played := make([]episodes, len(tasks))
	err := t.crew.Play(ctx, tasks, weights, func(n int, p *Part) error {
		task := tasks[n]
		e, err := k.recall(p, task.From, task.To)
		if err != nil {
			return fmt.Errorf("update %d, environments %d to %d: %w", task.Update, task.From, task.To-1, k.undo(task, err))
		}
		played[n] = e
		return nil
	})
	if err != nil {
		for _, task := range tasks { // as if none had been played
			err = k.undo(task, err)
		}
		return episodes{}, err
	}
	var sum episodes
	for _, e := range played {
		sum.add(e)
	}
	return sum, nil
}

// undo sets the slots of a task to where they were before it, and returns the reason.
func (k *collector) undo(task *Task, reason error) error {
	for n, saved := range task.Slots {
		if err := k.restoreSlot(task.From+n, saved); err != nil {
			return err
		}
	}
	return reason
}

// tasks divides the rollout of an update.
func (t *Trainer) tasks(update int64, slots []slotState) ([]*Task, map[Digest][]byte) {
	weights := map[Digest][]byte{}
	name := func(w namedWeights) Digest {
		weights[w.name] = w.data
		return w.name
	}
	k := t.collector
	base := Task{Update: update, Margin: k.margin, Reach: k.reach, Net: name(nameWeights(k.net))}
	if k.critic != nil {
		base.Critic = name(nameWeights(k.critic))
	}
	base.Pool, _ = k.pool.State()
	names := map[int]namedWeights{}
	for _, m := range k.pool.Members() {
		if !m.Snapshot() {
			continue
		}
		w, known := t.names[m.ID]
		if !known {
			w = nameWeights(m.Network())
		}
		names[m.ID] = w
		base.Members = append(base.Members, name(w))
	}
	t.names = names
	var tasks []*Task
	for n, shards := 0, t.shards; n < shards; n++ {
		task := base
		task.From, task.To = n*t.config.Envs/shards, (n+1)*t.config.Envs/shards
		task.Slots = slots[task.From:task.To]
		tasks = append(tasks, &task)
	}
	return tasks, weights
}

// namedWeights are weights as bytes, and what they are called.
type namedWeights struct {
	name Digest
	data []byte
}

func nameWeights(net *network.Network) namedWeights {
	data := make([]byte, 0, 4*len(net.Weights()))
	for _, w := range net.Weights() {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(w))
	}
	return namedWeights{sha256.Sum256(data), data}
}

// unpack reads the weights of a name.
func unpack(dst []float32, data []byte, d Digest) error {
	if sha256.Sum256(data) != d {
		return fmt.Errorf("%w: weights %s are not what their name says", checkpoints.ErrCorrupt, d)
	}
	if len(data) != 4*len(dst) {
		return fmt.Errorf("%w: weights %s have %d bytes, the network %d", checkpoints.ErrMismatch, d, len(data), 4*len(dst))
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return nil
}
