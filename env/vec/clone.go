package vec

import (
	"errors"
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/env"
)

// Snapshot is one slot between two steps: enough to go on exactly where it was, in a slot of this
// Vec or another one of the same game and with the same others. A single environment of a server
// has the same, so that an episode can move between the two.
type Snapshot struct {
	Env env.Snapshot `json:"env"`
	// The seed of the last reset, and how many episodes have begun since, from 0: what the
	// others are told at the start of an episode. Both are 0 where there are none.
	Seed    uint64 `json:"seed"`
	Episode uint64 `json:"episode"`
	// Decided is the number of the caller's decisions in the episode, Before [P] what each seat
	// had gained at the last of them.
	Decided int       `json:"decided"`
	Before  []float32 `json:"before"`
	// Minds [P] are the memories of the others, by seat, nil for the caller's.
	Minds [][]byte `json:"minds,omitempty"`
}

// Rememberers are Others who can say what they remember of an episode, without which a slot can
// be neither copied nor written down.
type Rememberers interface {
	Others
	// Minds returns what they remember in a slot, by seat, nil for the caller's. The error says
	// who cannot say.
	Minds(slot int) ([][]byte, error)
	// Remember makes them remember in a slot what Minds has returned. After an error they
	// remember what they did.
	Remember(slot int, minds [][]byte) error
}

// errFresh is the error of slots without an episode.
var errFresh = errors.New("vec: there are no episodes yet; reset first")

// Snapshot returns the present state of a slot. In the middle of a procedure that takes
// env.Options.Written.
func (v *Vec) Snapshot(slot int) (s Snapshot, err error) {
	e := v.envs[slot]
	defer env.Recover(e.Game(), &err)
	if s.Env, err = e.Short(); err != nil {
		return s, err
	}
	switch {
	case s.Env.Fresh:
		return s, errFresh
	case v.company == nil:
		s.Decided, s.Before = e.Decisions(), make([]float32, v.spec.Seats)
		for i, now := range e.Returns() {
			s.Before[i] = now - e.Rewards()[i]
		}
		return s, nil
	}
	p := &v.company.slots[slot]
	if p.givenUp {
		return s, errGivenUp
	}
	s.Seed, s.Episode, s.Decided, s.Before = p.seed, p.episode, p.decided, slices.Clone(p.before)
	s.Minds, err = v.company.minds(slot)
	return s, err
}

// errForget is the error of others that are not Rememberers.
var errForget = errors.New("vec: the others cannot say what they remember")

// minds returns what the others remember in a slot.
func (c *company) minds(slot int) ([][]byte, error) {
	if r, ok := c.Others.(Rememberers); ok {
		return r.Minds(slot)
	}
	return nil, errForget
}

// remember makes the others remember in a slot what minds has returned.
func (c *company) remember(slot int, minds [][]byte) error {
	if r, ok := c.Others.(Rememberers); ok {
		return r.Remember(slot, minds)
	}
	return errForget
}

// Restore makes a slot go on from a snapshot and fills its row, whose rewards and flags are zero.
// An error changes nothing.
func (v *Vec) Restore(slot int, s Snapshot, b *Buffers) (err error) {
	v.check(b)
	e := v.envs[slot]
	defer env.Recover(e.Game(), &err)
	if v.async != nil {
		return errors.New("vec: Restore after Send; a Vec is driven in one way")
	}
	restored := e.Clone()
	if err := s.In(restored); err != nil {
		return err
	}
	over := restored.Terminated() || restored.Truncated()
	switch {
	case (v.company == nil) != (s.Minds == nil):
		return errors.New("vec: others play either in the game of the snapshot or in this one; restore it where the same players sit")
	case over && v.config.Autoreset == SameStep:
		return fmt.Errorf("vec: the episode of the snapshot has ended, and slots in the mode %s never show an end; restore it in another mode", SameStep)
	case v.company != nil:
		if !over && v.company.Plays(restored.Actor()) {
			return fmt.Errorf("vec: seat %d is to act in the snapshot, which others play", restored.Actor())
		}
		if err := v.company.remember(slot, s.Minds); err != nil {
			return err
		}
		p := &v.company.slots[slot]
		copy(p.before, s.Before)
		*p = progress{seed: s.Seed, episode: s.Episode, decided: s.Decided, before: p.before}
	}
	e.CopyFrom(restored)
	v.due[slot] = over
	v.fresh(slot, b)
	return nil
}

// In restores the snapshot's environment in e, after a look at what it says beside it. The error
// says what nobody has written; e is to be thrown away then.
func (s *Snapshot) In(e *env.Env) error {
	if s.Env.Fresh {
		return errFresh
	}
	if err := e.Restore(s.Env); err != nil {
		return err
	}
	spec := e.Game().Spec()
	switch {
	case s.Decided < 0 || s.Decided > e.Decisions():
		return fmt.Errorf("vec: %d decisions of %d are the caller's", s.Decided, e.Decisions())
	case len(s.Before) != spec.Seats || s.Minds != nil && len(s.Minds) != spec.Seats:
		return fmt.Errorf("vec: gains of %d seats and memories of %d; %s has %d seats", len(s.Before), len(s.Minds), spec.Name, spec.Seats)
	}
	for _, gained := range s.Before {
		if !(gained >= spec.MinReturn && gained <= spec.MaxReturn) { // NaN too
			return fmt.Errorf("vec: a seat had gained %g; returns of %s lie from %g to %g", gained, spec.Name, spec.MinReturn, spec.MaxReturn)
		}
	}
	return nil
}

// Fork makes slots what one slot is, with the same luck to come, and fills their rows; rewards
// and flags of all rows are zero. The slot itself may be among them. An error changes nothing.
func (v *Vec) Fork(slot int, slots []int32, b *Buffers) error {
	v.check(b)
	if v.async != nil {
		return errors.New("vec: Fork after Send; a Vec is driven in one way")
	}
	for _, s := range slots {
		if s < 0 || int(s) >= len(v.envs) {
			return fmt.Errorf("vec: slot %d of %d", s, len(v.envs))
		}
	}
	if err := v.copyable(slot); err != nil {
		return err
	}
	for i := range v.envs {
		b.clearRow(i)
	}
	for _, to := range slots {
		if int(to) != slot {
			if err := v.copySlot(int(to), v, slot); err != nil {
				return err
			}
			b.copyRow(int(to), b, slot)
		}
	}
	return nil
}

// CopyFrom makes every slot what the slot of its number is in another Vec with the same game,
// number of slots and others, and copies that one's buffers. An error changes nothing.
func (v *Vec) CopyFrom(src *Vec, from, b *Buffers) error {
	v.check(b)
	src.check(from)
	if len(v.envs) != len(src.envs) || (v.company == nil) != (src.company == nil) {
		return errors.New("vec: a copy of a vector with other slots or players")
	}
	if src.async != nil {
		return errors.New("vec: a copy after a send; slots may be on their way")
	}
	for i := range src.envs {
		if err := src.copyable(i); err != nil {
			return err
		}
	}
	for i := range v.envs {
		if err := v.copySlot(i, src, i); err != nil {
			return err
		}
		b.copyRow(i, from, i)
	}
	return nil
}

// copyable says why a slot cannot be copied.
func (v *Vec) copyable(slot int) error {
	e := v.envs[slot]
	if e.Terminated() && e.State().ToAct() != engine.Terminal {
		return errFresh
	}
	if v.company == nil {
		return nil
	}
	if v.company.slots[slot].givenUp {
		return errGivenUp
	}
	_, err := v.company.minds(slot)
	return err
}

// copySlot makes a slot what a slot of a Vec is.
func (v *Vec) copySlot(to int, src *Vec, from int) (err error) {
	e := v.envs[to]
	defer env.Recover(e.Game(), &err)
	if v.company != nil {
		minds, err := src.company.minds(from)
		if err == nil {
			err = v.company.remember(to, minds)
		}
		if err != nil {
			return err
		}
		p, q := &v.company.slots[to], &src.company.slots[from]
		before := p.before
		copy(before, q.before)
		*p = *q
		p.before = before
	}
	e.CopyFrom(src.envs[from])
	v.due[to] = src.due[from]
	return nil
}
