package vec

import (
	"errors"

	"powderkeg/engine"
	"powderkeg/env"
)

// stepOne plays an action in a slot of a worker, whose slots finish together.
func (v *Vec) stepOne(worker, slot int, a engine.Action) {
	if v.company != nil {
		v.company.crews[worker].arrive(slot, v.act(slot, a), v.buffers)
		return
	}
	v.faults[slot] = v.stepSlot(slot, a, v.buffers)
}

// finish carries the slots of a worker on to what they show.
func (v *Vec) finish(worker int) {
	if v.company != nil {
		v.company.crews[worker].play(v.buffers)
	}
}

// errEnded is the fault of a slot that waits for its reset.
var errEnded = errors.New("the episode has ended; reset the slot first")

// stepSlot plays an action in a slot and writes what follows to its row.
func (v *Vec) stepSlot(slot int, a engine.Action, b *Buffers) (err error) {
	e := v.envs[slot]
	defer env.Recover(e.Game(), &err)
	if v.due[slot] {
		if v.config.Autoreset == Disabled {
			b.clearRow(slot)
			return errEnded
		}
		v.due[slot] = false
		e.Restart()
		v.fresh(slot, b)
		return nil
	}
	if err := e.Step(a); err != nil {
		b.clearRow(slot)
		return err
	}
	seats := v.spec.Seats
	copy(b.Rewards[slot*seats:(slot+1)*seats], e.Rewards())
	b.Terminated[slot], b.Truncated[slot] = 0, 0
	if e.Terminated() || e.Truncated() {
		v.end(slot, e.Decisions(), b)
		if v.config.Autoreset == SameStep {
			e.Restart()
		} else {
			v.due[slot] = true
		}
	}
	v.observe(slot, b)
	return nil
}

// end writes the end of an episode of so many decisions to the slot's row.
func (v *Vec) end(slot, decisions int, b *Buffers) {
	e, seats := v.envs[slot], v.spec.Seats
	b.Terminated[slot], b.Truncated[slot] = flag(e.Terminated()), flag(e.Truncated())
	copy(b.Returns[slot*seats:(slot+1)*seats], e.Returns())
	b.Lengths[slot] = int32(decisions)
	if v.config.Autoreset == SameStep {
		e.ObserveAs(e.Observer(), b.Final[slot*v.size:(slot+1)*v.size])
		b.FinalActors[slot] = e.Actor()
	}
}

// fresh writes the first decision of an episode.
func (v *Vec) fresh(slot int, b *Buffers) {
	b.clearRow(slot)
	v.observe(slot, b)
}

func (v *Vec) observe(slot int, b *Buffers) {
	e, n := v.envs[slot], len(v.spec.Actions)
	e.Observe(b.Observations[slot*v.size:(slot+1)*v.size], b.Masks[slot*n:(slot+1)*n])
	b.Actors[slot] = e.Actor()
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
