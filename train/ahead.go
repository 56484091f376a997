package train

import (
	"context"
	"fmt"

	"powderkeg/checkpoints"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
	"powderkeg/train/rollout"
)

// ahead is a rollout that is played while the learner learns from the one before it
// (Config.Lag). All of it follows from where it begins: slots, and the weights and the pool of
// before, which the collector keeps for it. So a checkpoint has these, not the rollout, and a
// run that goes on from there plays it again.
type ahead struct {
	update int64       // how many updates come before that which learns from it
	made   int64       // how many the weights that play it have had
	slots  []slotState // before it
	// done is nil before it is begun, and closed when it has been played; then games and err
	// say how it went.
	done  chan struct{}
	games episodes
	err   error
}

// aheadState is a rollout that is played ahead in state.json, whose State.Slots are where it
// begins.
type aheadState struct {
	Pool league.State `json:"pool"` // that it is played against
}

// The weights that play it, in a checkpoint.
const (
	aheadNet    = "ahead.weights"
	aheadCritic = "ahead.critic"
)

// rollout returns a rollout to learn from now, and how it went. With a lag it begins the one
// after it, which is played on until it is asked for.
func (t *Trainer) rollout() (episodes, *rollout.Buffer, error) {
	k := t.collector
	if t.config.Lag == 0 {
		e, err := t.play(context.Background(), t.updates, nil)
		if err != nil {
			return e, nil, err
		}
		e.score(t.pool)
		return e, k.rollout, nil
	}
	if t.ahead == nil {
		if err := t.prepare(t.updates); err != nil {
			return episodes{}, nil, err
		}
	}
	a := t.ahead
	if a.done == nil {
		t.begin(a)
	}
	<-a.done
	a.done = nil
	if a.err != nil {
		if a.made == t.updates { // as if it had not been thought of
			t.ahead = nil
		}
		return a.games, nil, a.err
	}
	b := k.rollout
	b.Age = t.updates - a.made
	a.games.score(t.pool)
	k.forget(t.pool)
	t.ahead = nil
	// After the last update too, so that a run that is lengthened goes on as a longer one would have.
	if err := t.prepare(t.updates + 1); err != nil {
		return a.games, nil, err
	}
	if t.updates+1 < int64(t.config.Updates) {
		t.begin(t.ahead)
	}
	return a.games, b, nil
}

// prepare lets the rollout of an update be played next, by the weights and against the pool of
// now.
func (t *Trainer) prepare(update int64) error {
	k := t.collector
	copy(k.net.Weights(), t.net.Weights())
	if k.critic != nil {
		copy(k.critic.Weights(), t.learner.Critic().Weights())
	}
	k.pool = t.pool.Clone()
	slots, err := k.rest()
	if err != nil {
		return err
	}
	t.ahead = &ahead{update: update, made: t.updates, slots: slots}
	return nil
}

// begin begins to play into the buffer that is not learned from.
func (t *Trainer) begin(a *ahead) {
	k := t.collector
	k.spare.Follow(k.rollout)
	k.rollout, k.spare = k.spare, k.rollout
	a.done = make(chan struct{})
	go func() {
		defer close(a.done)
		a.games, a.err = t.play(t.ctx, a.update, a.slots)
	}()
}

// play plays the rollout of an update, by the crew where there is one. slots are where it
// begins, nil if nobody has looked yet.
func (t *Trainer) play(ctx context.Context, update int64, slots []slotState) (episodes, error) {
	k, now := t.collector, t.clock(update)
	k.margin = t.config.Margin.At(now)
	k.reach = float64(t.config.Archive.Reach.At(now))
	if t.crew == nil {
		return k.collect(ctx)
	}
	if slots == nil {
		var err error
		if slots, err = k.rest(); err != nil {
			return episodes{}, err
		}
	}
	return t.delegate(ctx, update, slots)
}

// clock says how far the learning has come before an update.
func (t *Trainer) clock(update int64) ppo.Clock {
	taught := int64(t.config.Lessons.Updates)
	return ppo.Clock{Share: float64(update-taught) / float64(int64(t.config.Updates)-taught), Made: update - taught}
}

// tensors returns the weights that play a rollout ahead.
func (k *collector) tensors() []checkpoints.Tensor {
	w := k.net.Weights()
	list := []checkpoints.Tensor{checkpoints.Float32s(aheadNet, w, len(w))}
	if k.critic != nil {
		w = k.critic.Weights()
		list = append(list, checkpoints.Float32s(aheadCritic, w, len(w)))
	}
	return list
}

// restoreAhead sets the collector to play a rollout ahead again; its slots come later.
func (t *Trainer) restoreAhead(s *state, c *checkpoints.Checkpoint) error {
	k := t.collector
	if t.config.Lag == 0 {
		return fmt.Errorf("%w: state.json: a rollout ahead in a run without a lag", checkpoints.ErrCorrupt)
	}
	load := func(name string, to []float32) error {
		tensor, err := checkpoints.Find(c.Optimiser, name)
		if err != nil {
			return err
		}
		return tensor.Float32s(to, len(to))
	}
	if err := load(aheadNet, k.net.Weights()); err != nil {
		return err
	}
	if k.critic != nil {
		if err := load(aheadCritic, k.critic.Weights()); err != nil {
			return err
		}
	}
	var err error
	if k.pool, err = league.New(t.game, t.config.League); err != nil {
		return err
	}
	// No member leaves the pool while a rollout is played against it: the checkpoint has the
	// weights of all.
	if err := k.pool.Restore(s.Ahead.Pool, league.Stored(c.Pool, t.net.Config())); err != nil {
		return err
	}
	t.ahead = &ahead{update: c.Manifest.Updates, made: c.Manifest.Updates - 1, slots: s.Slots}
	return nil
}
