package vec

import (
	"errors"
	"fmt"

	"powderkeg/engine"
	"powderkeg/env"
)

// Others play the seats that are not the caller's, as agents of a server do: with them
// every row shows a decision of the caller's or an end. They are asked about many slots at
// once, so that a network decides for all slots of a worker in one batch.
type Others interface {
	// Plays reports whether they play a seat. The answer is always the same.
	Plays(seat engine.Player) bool
	// Start tells that an episode begins in a slot: number 0 is the one that is reset with
	// the seed, each that follows without a reset has the next number. Workers call it at
	// the same time for different slots.
	Start(slot int, seed, episode uint64)
	// Act sets Action, or Err, in each of the turns, at least one and all of different
	// slots. Workers call it at the same time with turns of their own slots; worker is the
	// number of the one that calls. What they choose must follow from the seeds of Start
	// and from the games alone, so that it does not depend on the workers.
	Act(worker int, turns []Turn)
	// Batches reports whether Act is faster for many turns at once than for one after
	// another. If not, Send does not make the turns of one slot wait for those of others.
	Batches() bool
}

// Turn is a decision of one of the others' seats, the actor of Env.
type Turn struct {
	Slot   int
	Env    *env.Env // to look at
	Action engine.Action
	Err    error // why there is none; the episode is given up
}

// mostUnseen bounds the episodes in a row that end before the caller has a decision.
const mostUnseen = 1000

// errGivenUp is the fault of a slot whose others have failed.
var errGivenUp = errors.New("the episode was given up; reset the slot first")

// company is what a Vec keeps for the others.
type company struct {
	Others
	most  int        // of the caller's decisions, 0: no cap
	slots []progress // by slot
	crews []crew     // by worker, for all ways but Send
}

// crew carries slots of a worker on. It belongs to one goroutine at a time.
type crew struct {
	vec    *Vec
	worker int
	turns  []Turn // to come; none between steps
	// shown, if not nil, is told of each slot whose row is written, with Vec.faults.
	shown func(slot int)
}

// progress is how far a slot's episode has come for the caller.
type progress struct {
	seed, episode uint64
	decided       int       // decisions of the caller in the episode
	unseen        bool      // the caller has had no decision in it
	skipped       int       // episodes in a row that have ended so
	givenUp       bool      // the others have failed in it
	before        []float32 // [P] returns at the caller's decision before, or at the begin
}

// accompany checks Config.Others and sets the Vec and its environments up for them.
func (v *Vec) accompany(spec *engine.Spec) error {
	c := &v.config
	own := engine.Player(-1)
	for p := engine.Player(spec.Seats) - 1; p >= 0; p-- {
		if !c.Others.Plays(p) {
			own = p
		}
	}
	switch o := c.Env.Observer; {
	case own < 0:
		return fmt.Errorf("vec: Others play all %d seats, one at least must be the caller's", spec.Seats)
	case o == nil:
		c.Env.Observer = &own
	case c.Others.Plays(*o):
		return fmt.Errorf("vec: the observer is %d, a seat of the others", *o)
	}
	v.company = &company{Others: c.Others, most: c.Env.MaxDecisions, slots: make([]progress, c.Envs)}
	c.Env.MaxDecisions = 0 // it would count the decisions of the others too
	returns := make([]float32, c.Envs*spec.Seats)
	for i := range v.company.slots {
		v.company.slots[i].before = returns[i*spec.Seats : (i+1)*spec.Seats]
	}
	return nil
}

// newCrew returns a crew for a worker.
func (v *Vec) newCrew(worker int) crew {
	w := v.workers[worker]
	return crew{vec: v, worker: worker, turns: make([]Turn, 0, w.to-w.from)}
}

// resetShare begins the episodes of a Reset in the slots of a worker.
func (v *Vec) resetShare(worker, from, to int) {
	c := &v.company.crews[worker]
	for i := from; i < to; i++ {
		c.arrive(i, v.begin(i, SlotSeed(v.seed, i)), v.buffers)
	}
	c.play(v.buffers)
}

// resetSlotsShare is resetShare for those of some slots that a worker owns. Of several
// seeds for one slot the last counts.
func (v *Vec) resetSlotsShare(worker, from, to int) {
	c := &v.company.crews[worker]
	for i := len(v.slots) - 1; i >= 0; i-- {
		if s := int(v.slots[i]); from <= s && s < to && !v.named[s] {
			v.named[s] = true
			c.arrive(s, v.begin(s, v.seeds[i]), v.buffers)
		}
	}
	for _, s := range v.slots {
		if from <= int(s) && int(s) < to {
			v.named[s] = false
		}
	}
	c.play(v.buffers)
}

// sendAlong plays what was sent to a worker: an action, and where the others decide in
// batches all that wait behind it.
func (c *crew) sendAlong(m sent, queue <-chan sent, b *Buffers) {
	for {
		c.arrive(int(m.slot), c.vec.act(int(m.slot), m.action), b)
		if !c.vec.company.Batches() {
			break
		}
		var more bool
		select {
		case m, more = <-queue:
		default:
		}
		if !more {
			break
		}
	}
	c.play(b)
}

// begin begins the episode of a seed in a slot.
func (v *Vec) begin(slot int, seed uint64) (err error) {
	e, p := v.envs[slot], &v.company.slots[slot]
	defer env.Recover(e.Game(), &err)
	v.due[slot] = false
	p.seed, p.episode = seed, 0
	e.Reset(seed)
	v.opens(slot)
	return nil
}

// again begins the next episode of the same seed in a slot.
func (v *Vec) again(slot int) {
	v.envs[slot].Restart()
	v.company.slots[slot].episode++
	v.opens(slot)
}

func (v *Vec) opens(slot int) {
	p := &v.company.slots[slot]
	p.decided, p.unseen = 0, true
	copy(p.before, v.envs[slot].Returns())
	v.company.Start(slot, p.seed, p.episode)
}

// act plays the caller's action in a slot, or begins the next episode where that is due.
func (v *Vec) act(slot int, a engine.Action) (err error) {
	e, p := v.envs[slot], &v.company.slots[slot]
	defer env.Recover(e.Game(), &err)
	switch {
	case p.givenUp:
		return errGivenUp
	case v.due[slot] && v.config.Autoreset == Disabled:
		return errEnded
	case v.due[slot]:
		v.due[slot] = false
		v.again(slot)
		return nil
	}
	if err := e.Step(a); err != nil {
		return err
	}
	p.decided++
	return nil
}

// arrive carries a slot on in which the caller has acted or an episode has begun, unless
// that was a fault.
func (c *crew) arrive(slot int, fault error, b *Buffers) {
	b.clearRow(slot)
	if fault != nil {
		c.show(slot, fault)
		return
	}
	c.carry(slot, nil, b)
}

// carry carries a slot on, to a turn of the others, which is noted, or to what its row
// shows. With a fault of the others the episode is given up.
func (c *crew) carry(slot int, fault error, b *Buffers) {
	v, waits := c.vec, false
	if fault == nil {
		waits, fault = v.advance(slot, b)
	}
	v.company.slots[slot].givenUp = fault != nil
	if waits {
		c.turns = append(c.turns, Turn{Slot: slot, Env: v.envs[slot]})
		return
	}
	c.show(slot, fault)
}

func (c *crew) show(slot int, fault error) {
	c.vec.faults[slot] = fault
	if c.shown != nil {
		c.shown(slot)
	}
}

// play lets the others act until each slot shows a decision of the caller's or an end.
func (c *crew) play(b *Buffers) {
	for len(c.turns) > 0 {
		turns := c.turns
		c.ask(turns)
		c.turns = turns[:0] // carry writes no further than turns are read
		for _, t := range turns {
			c.carry(t.Slot, c.take(t), b)
		}
	}
}

// ask asks the others for their actions.
func (c *crew) ask(turns []Turn) {
	var broken error
	func() {
		defer env.Recover(turns[0].Env.Game(), &broken)
		c.vec.company.Act(c.worker, turns)
	}()
	if broken == nil {
		return
	}
	for i := range turns {
		turns[i].Err = broken
	}
}

// take plays an action of the others.
func (c *crew) take(t Turn) (err error) {
	defer env.Recover(t.Env.Game(), &err)
	if t.Err != nil {
		return t.Err
	}
	return t.Env.Step(t.Action)
}

// advance carries a slot on and reports whether it stops at a turn of the others. If not,
// its row shows a decision of the caller's or an end. Episodes without a decision of the
// caller's are followed by the next and not shown.
func (v *Vec) advance(slot int, b *Buffers) (waits bool, err error) {
	e, p := v.envs[slot], &v.company.slots[slot]
	defer env.Recover(e.Game(), &err)
	for {
		switch {
		case e.Terminated() && p.unseen:
			if p.skipped++; p.skipped == mostUnseen {
				p.skipped = 0
				return false, fmt.Errorf("%d episodes in a row have ended before a decision of the caller's", mostUnseen)
			}
			v.again(slot)
			continue
		case e.Terminated():
		case v.company.Plays(e.Actor()):
			return true, nil
		case v.company.most > 0 && p.decided >= v.company.most:
			e.Truncate()
		}
		if !p.unseen {
			v.reward(slot, b)
		}
		p.unseen, p.skipped = false, 0
		if !e.Terminated() && !e.Truncated() {
			break
		}
		v.end(slot, p.decided, b)
		if v.config.Autoreset != SameStep {
			v.due[slot] = true
			break
		}
		v.again(slot)
	}
	v.observe(slot, b)
	return false, nil
}

// reward writes what each seat has gained since the caller's decision before.
func (v *Vec) reward(slot int, b *Buffers) {
	before, seats := v.company.slots[slot].before, v.spec.Seats
	for i, now := range v.envs[slot].Returns() {
		b.Rewards[slot*seats+i] = now - before[i]
		before[i] = now
	}
}
