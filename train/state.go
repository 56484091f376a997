package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"powderkeg/checkpoints"
	"powderkeg/env"
	"powderkeg/train/league"
)

// state is state.json of a checkpoint: a run between two updates, besides the
// weights, Adam's and the pool's numbers. Generators are those of math/rand/v2
// (PCG.MarshalBinary), in base64.
type state struct {
	Shuffle []byte       `json:"shuffle"` // order of samples
	Slots   []slotState  `json:"slots"`
	Pool    league.State `json:"pool"`
	// Ahead is there where a rollout is played ahead, which begins at Slots.
	Ahead *aheadState `json:"ahead,omitempty"`
}

// slotState is a slot at rest.
type slotState struct {
	Env     env.Snapshot `json:"env"`
	Choices []byte       `json:"choices"` // generator of the choices in the slot
	Lots    []byte       `json:"lots"`    // and of its lots
	Turn    uint64       `json:"turn"`    // games against the pool so far
	Seats   []int        `json:"seats"`   // who plays the present one, -1 for the learner; null in self-play
	// Seed and Archived are those of slot, absent where they are not used.
	Seed     uint64 `json:"seed,omitempty"`
	Archived bool   `json:"archived,omitempty"`
}

// UnmarshalJSON reads a slot. One without a generator is refused as it comes, since a list of
// nothing would take hundreds of times its bytes.
func (s *slotState) UnmarshalJSON(data []byte) error {
	type plain slotState
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(s)); err != nil {
		return err
	}
	if len(s.Choices) == 0 {
		return errors.New("a slot has no generator of its choices")
	}
	return nil
}

// Checkpoint returns all that the run needs to go on.
func (t *Trainer) Checkpoint() (*checkpoints.Checkpoint, error) {
	var s state
	var err error
	if s.Shuffle, err = t.learner.Shuffle().MarshalBinary(); err != nil {
		return nil, err
	}
	if t.ahead != nil {
		pool, _ := t.collector.pool.State()
		s.Slots, s.Ahead = t.ahead.slots, &aheadState{pool}
	} else if s.Slots, err = t.collector.rest(); err != nil {
		return nil, err
	}
	c := &checkpoints.Checkpoint{
		Manifest: checkpoints.Manifest{
			Identity: t.identity, Updates: t.updates, Decisions: t.decisions, Games: t.games,
		},
		Weights: t.player().Tensors(), Optimiser: t.learner.Tensors(),
	}
	if t.course != nil {
		c.Optimiser = append(c.Optimiser, t.course.Tensors()...)
	}
	if t.ahead != nil {
		c.Optimiser = append(c.Optimiser, t.collector.tensors()...)
	}
	s.Pool, c.Pool = t.pool.State()
	if c.State, err = json.Marshal(s); err != nil {
		return nil, err
	}
	if c.Manifest.Network, err = json.Marshal(t.net.Config()); err != nil {
		return nil, err
	}
	if c.Manifest.Config, err = t.config.YAML(); err != nil {
		return nil, err
	}
	c.Manifest.Luck = t.luck
	return c, nil
}

// rest returns the states of the slots.
func (k *collector) rest() ([]slotState, error) {
	list := make([]slotState, len(k.slots))
	k.each(func(w *worker) {
		for i := w.from; i < w.to; i++ {
			k.slots[i].err = k.restSlot(i, &list[i])
		}
	})
	return list, k.faults()
}

func (k *collector) restSlot(i int, to *slotState) (err error) {
	s := &k.slots[i]
	*to = slotState{Turn: s.turn, Seats: slices.Clone(s.seats), Archived: s.archived}
	if k.paired {
		to.Seed = s.seed
	}
	if to.Env, err = k.vec.Env(i).Snapshot(); err != nil {
		return err
	}
	if to.Choices, err = s.rng.MarshalBinary(); err != nil {
		return err
	}
	to.Lots, err = s.lots.MarshalBinary()
	return err
}

// restore sets a fresh trainer to a checkpoint of a run with the same config.
func (t *Trainer) restore(c *checkpoints.Checkpoint) error {
	if err := c.Manifest.Check(t.identity); err != nil {
		return err
	}
	if other := c.Manifest.OtherEdition(t.identity); other != "" {
		return fmt.Errorf("%w: %s; a run goes on with the edition that it began with", checkpoints.ErrMismatch, other)
	}
	if err := t.sameRun(c.Manifest.Config); err != nil {
		return err
	}
	if c.State == nil || c.Optimiser == nil {
		return fmt.Errorf("%w: it is for playing only and cannot be trained on", checkpoints.ErrMismatch)
	}
	for _, part := range t.net.Config().Tensors() {
		tensor, err := checkpoints.Find(c.Weights, part.Name)
		if err != nil {
			return err
		}
		if err := tensor.Float32s(t.net.Weights()[part.Offset:part.Offset+part.Size], part.Shape...); err != nil {
			return err
		}
	}
	if err := t.learner.Restore(c.Optimiser); err != nil {
		return err
	}
	switch {
	case t.course == nil:
	case c.Manifest.Updates < int64(t.config.Lessons.Updates):
		if err := t.course.Restore(c.Optimiser); err != nil {
			return err
		}
	default:
		if err := t.dismiss(); err != nil {
			return err
		}
	}
	var s state
	d := json.NewDecoder(bytes.NewReader(c.State))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("%w: state.json: %v", checkpoints.ErrCorrupt, err)
	}
	if err := t.learner.Shuffle().UnmarshalBinary(s.Shuffle); err != nil {
		return fmt.Errorf("%w: state.json: %v", checkpoints.ErrCorrupt, err)
	}
	if err := t.pool.Restore(s.Pool, league.Stored(c.Pool, t.net.Config())); err != nil {
		return err
	}
	if s.Ahead != nil {
		if err := t.restoreAhead(&s, c); err != nil {
			return err
		}
	}
	if err := t.collector.restore(s.Slots); err != nil {
		return err
	}
	t.updates, t.decisions, t.games = c.Manifest.Updates, c.Manifest.Decisions, c.Manifest.Games
	t.luck = c.Manifest.Luck
	return nil
}

// sameRun compares the config with that of a checkpoint, as far as what is learned
// depends on it.
func (t *Trainer) sameRun(text string) error {
	old, err := ParseConfig([]byte(text))
	if err != nil {
		return fmt.Errorf("%w: its config cannot be read here: %v", checkpoints.ErrMismatch, err)
	}
	line, err := t.config.Difference(old.adopt(t.config))
	if err == nil && line != "" {
		err = fmt.Errorf("%w: the checkpoint is of a run with another configuration (%s); %s may change", checkpoints.ErrMismatch, line, MayChange)
	}
	return err
}

// restore sets the slots to their saved states and shows their decisions.
func (k *collector) restore(saved []slotState) error {
	if len(saved) != len(k.slots) {
		return fmt.Errorf("%w: it has %d environments, the config %d", checkpoints.ErrMismatch, len(saved), len(k.slots))
	}
	for i, from := range saved {
		if err := k.restoreSlot(i, from); err != nil {
			return err
		}
	}
	return nil
}

func (k *collector) restoreSlot(i int, from slotState) error {
	e, s := k.vec.Env(i), &k.slots[i]
	if err := e.Restore(from.Env); err != nil {
		return fmt.Errorf("%w: environment %d: %w", checkpoints.ErrCorrupt, i, err)
	}
	if from.Lots == nil {
		return fmt.Errorf("%w: it is of a run of an earlier version, which drew lots otherwise; begin another with network.from", checkpoints.ErrMismatch)
	}
	if err := errors.Join(s.rng.UnmarshalBinary(from.Choices), s.lots.UnmarshalBinary(from.Lots)); err != nil {
		return fmt.Errorf("%w: environment %d: %v", checkpoints.ErrCorrupt, i, err)
	}
	if len(from.Seats) != len(s.seats) || e.Actor() < 0 {
		return fmt.Errorf("%w: environment %d: seats %v for %d", checkpoints.ErrCorrupt, i, from.Seats, len(s.seats))
	}
	for _, id := range from.Seats {
		if id != league.Learner && k.pool.Member(id) == nil {
			return fmt.Errorf("%w: environment %d plays against member %d, which is not in the pool", checkpoints.ErrCorrupt, i, id)
		}
	}
	s.turn, s.seed, s.archived = from.Turn, from.Seed, from.Archived
	copy(s.seats, from.Seats)
	k.observe(k.rollout.Steps, i)
	return nil
}
