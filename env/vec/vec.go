// Package vec runs many environments of one game in parallel and writes what
// they show into flat buffers that the caller owns.
//
// Every environment has its own stream of chance events, seeded from the run's
// seed and the environment's number. The same seeds and actions therefore give
// the same trajectories whatever the number of workers.
//
// There are two ways to drive a Vec. In the synchronous one, Step plays one
// action in every slot and fills row i of the buffers for slot i. In the
// asynchronous one (after EnvPool: Weng et al., 2022), Send hands actions to
// some slots and Receive returns the first of them that are ready, so that slow
// slots do not hold up the others.
package vec

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"powderkeg/engine"
	"powderkeg/env"
)

// Autoreset says what happens to a slot whose episode has ended. The names and
// meanings are those of Gymnasium's AutoresetMode.
type Autoreset string

const (
	// SameStep restarts the slot in the step that ends its episode. The row then
	// shows the new episode's first decision; rewards and flags belong to the old
	// one, whose last observation is in Buffers.Final.
	SameStep Autoreset = "same-step"
	// NextStep shows the episode's end; the next Step of the slot ignores its
	// action and restarts it, with rewards of zero.
	NextStep Autoreset = "next-step"
	// Disabled shows the episode's end and expects ResetSlot; a Step of the slot
	// before that is an error.
	Disabled Autoreset = "disabled"
)

// Modes lists the autoreset modes.
var Modes = []Autoreset{SameStep, NextStep, Disabled}

// Config sets up a Vec.
type Config struct {
	// Envs is the number of environments (slots), at least 1.
	Envs int
	// Workers is the number of goroutines that step them, at least 1; more than
	// Envs are not started. The results do not depend on it.
	Workers int
	// Autoreset is the autoreset mode.
	Autoreset Autoreset
	// Env is the set-up of every environment.
	Env env.Options
	// Others, if not nil, play the seats that are not the caller's; Env.MaxDecisions then
	// counts the caller's decisions alone, and the episode is truncated at the caller's next
	// one. Env.Observer is a seat of the caller's, nil for the first of them. Rewards are
	// those since the caller's decision before; what is gained before its first one is part
	// of its first reward. An episode that ends before that is followed by the next and not
	// shown, whatever Autoreset is.
	Others Others
}

// Validate returns all faults of the configuration, joined.
func (c Config) Validate() error {
	var faults []error
	if c.Envs < 1 {
		faults = append(faults, fmt.Errorf("vec: envs is %d, it must be at least 1", c.Envs))
	}
	if c.Workers < 1 {
		faults = append(faults, fmt.Errorf("vec: workers is %d, it must be at least 1", c.Workers))
	}
	switch c.Autoreset {
	case SameStep, NextStep, Disabled:
	default:
		faults = append(faults, fmt.Errorf("vec: autoreset is %q, it must be one of %q", c.Autoreset, Modes))
	}
	return errors.Join(faults...)
}

// Vec is a set of environments. Its methods are for one goroutine at a time,
// except that Send and Receive may run beside each other.
type Vec struct {
	config Config
	envs   []*env.Env
	spec   *engine.Spec
	size   int // of an observation
	due    []bool
	named  []bool  // scratch of once, false between calls
	faults []error // of the last step, by slot

	workers []*worker
	running sync.WaitGroup
	// The work under way. The gates order these fields between the goroutines.
	job     func(worker, from, to int) // nil tells the workers to end
	pending atomic.Int32               // workers still at it
	done    *gate                      // opened by the last of them
	// The step under way, read by stepShare and, with the slots, by stepSlotsShare.
	slots          []int32
	actions        []engine.Action
	buffers        *Buffers
	stepShare      func(worker, from, to int)
	stepSlotsShare func(worker, from, to int)
	// The same of a reset, which is done by the workers where others play.
	seed  uint64
	seeds []uint64

	company *company // nil where all seats are the caller's
	async   *async   // nil until the first Send
	closed  bool
}

// worker steps the slots from to up to to, exclusively, in its own goroutine.
// The first share has none: the caller of Step does its work.
type worker struct {
	from, to int
	start    *gate
}

// New makes a Vec. Close ends its goroutines.
func New(g engine.Game, c Config) (*Vec, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	v := &Vec{
		config: c, spec: g.Spec(),
		due: make([]bool, c.Envs), named: make([]bool, c.Envs), faults: make([]error, c.Envs),
		done: newGate(),
	}
	if c.Others != nil {
		if err := v.accompany(v.spec); err != nil {
			return nil, err
		}
	}
	var err error
	if v.envs, err = env.Several(g, v.config.Env, c.Envs); err != nil {
		return nil, err
	}
	v.size = v.envs[0].Encoder().Layout().Size
	n := min(c.Workers, c.Envs)
	for w := range n {
		v.workers = append(v.workers, &worker{from: w * c.Envs / n, to: (w + 1) * c.Envs / n, start: newGate()})
	}
	if v.company != nil {
		for i := range v.workers {
			v.company.crews = append(v.company.crews, v.newCrew(i))
		}
	}
	v.stepShare = func(worker, from, to int) {
		for i := from; i < to; i++ {
			v.stepOne(worker, i, v.actions[i])
		}
		v.finish(worker)
	}
	v.stepSlotsShare = func(worker, from, to int) {
		for i, s := range v.slots {
			if slot := int(s); from <= slot && slot < to {
				v.stepOne(worker, slot, v.actions[i])
			}
		}
		v.finish(worker)
	}
	for i := 1; i < n; i++ {
		v.running.Go(func() { v.work(i) })
	}
	return v, nil
}

// Close ends the goroutines and returns when they are down. It may be called
// twice; nothing else may be called after it.
func (v *Vec) Close() {
	if v.closed {
		return
	}
	v.closed = true
	v.job = nil
	for _, w := range v.workers[1:] {
		w.start.open()
	}
	if v.async != nil {
		v.async.close()
	}
	v.running.Wait()
}

// Envs returns the number of slots.
func (v *Vec) Envs() int { return len(v.envs) }

// Env returns the environment of a slot, to look at between steps.
func (v *Vec) Env(slot int) *env.Env { return v.envs[slot] }

// SlotSeed returns the seed that Reset gives to a slot: a single env.Env that is
// reset with it has the slot's chance events.
func SlotSeed(seed uint64, slot int) uint64 {
	return uint64(engine.Hash64(seed).Word(uint64(slot)))
}

// Reset begins a new episode in every slot, slot i with SlotSeed(seed, i), and
// fills the buffers; rewards and flags are zero. The error joins the faults of slots in
// which Config.Others have failed.
func (v *Vec) Reset(seed uint64, b *Buffers) error {
	v.check(b)
	if v.company != nil {
		v.seed, v.buffers = seed, b
		v.Each(v.resetShare)
		return v.collect()
	}
	for i, e := range v.envs {
		e.Reset(SlotSeed(seed, i))
		v.due[i] = false
		v.fresh(i, b)
	}
	return nil
}

// ResetSlot begins a new episode in one slot and fills its row. The error is as that of
// Reset.
func (v *Vec) ResetSlot(slot int, seed uint64, b *Buffers) error {
	return v.ResetSlots([]int32{int32(slot)}, []uint64{seed}, b)
}

// ResetSlots begins a new episode in some slots, slots[i] with seeds[i], and fills their
// rows. Of several seeds for one slot the last counts. The error is as that of Reset.
func (v *Vec) ResetSlots(slots []int32, seeds []uint64, b *Buffers) error {
	v.check(b)
	if v.company != nil {
		v.slots, v.seeds, v.buffers = slots, seeds, b
		v.Each(v.resetSlotsShare)
		return v.collect()
	}
	for i, s := range slots {
		v.envs[s].Reset(seeds[i])
		v.due[s] = false
		v.fresh(int(s), b)
	}
	return nil
}

// Step plays actions[i] in slot i, for all slots, and fills the buffers. The
// error joins the faults of all slots that could not take their action; they
// stay as they were with rewards of zero, and the other slots have moved on. A slot
// whose engine broke down (*env.Panic) must be reset.
func (v *Vec) Step(actions []engine.Action, b *Buffers) error {
	v.check(b)
	if len(actions) != len(v.envs) {
		return fmt.Errorf("vec: %d actions for %d environments", len(actions), len(v.envs))
	}
	if v.async != nil {
		return errors.New("vec: Step after Send; a Vec is driven in one way")
	}
	v.actions, v.buffers = actions, b
	v.Each(v.stepShare)
	return v.collect()
}

// StepSlots plays actions[i] in slots[i], each slot once, and fills the rows of
// these slots; row and slot have the same number. The other slots stand still
// and their rows stay as they are, so a caller plays some seats apart from
// others. The error is as that of Step.
func (v *Vec) StepSlots(slots []int32, actions []engine.Action, b *Buffers) error {
	v.check(b)
	if len(actions) != len(slots) {
		return fmt.Errorf("vec: %d actions for %d slots", len(actions), len(slots))
	}
	if v.async != nil {
		return errors.New("vec: a step of some slots after a send; a vector is driven in one way")
	}
	if err := v.once(slots); err != nil {
		return err
	}
	v.slots, v.actions, v.buffers = slots, actions, b
	v.Each(v.stepSlotsShare)
	return v.collect()
}

// ErrTwice is wrapped by the error of a slot that StepSlots is given twice.
var ErrTwice = errors.New("named twice")

// once says which slot does not exist or is named twice.
func (v *Vec) once(slots []int32) error {
	for _, s := range slots {
		if s < 0 || int(s) >= len(v.envs) {
			return fmt.Errorf("vec: slot %d of %d", s, len(v.envs))
		}
	}
	var twice error
	for _, s := range slots {
		if v.named[s] {
			twice = fmt.Errorf("vec: slot %d is %w", s, ErrTwice)
		}
		v.named[s] = true
	}
	for _, s := range slots {
		v.named[s] = false
	}
	return twice
}

// Each runs f once in every worker, at the same time, with the worker's number
// and the slots from up to to that it owns, and returns when all are done. It is
// for work that goes with the slots, such as choosing their actions.
func (v *Vec) Each(f func(worker, from, to int)) {
	v.job = f
	v.pending.Store(int32(len(v.workers) - 1))
	for _, w := range v.workers[1:] {
		w.start.open()
	}
	f(0, v.workers[0].from, v.workers[0].to)
	if len(v.workers) > 1 {
		v.done.wait()
	}
}

// Workers returns the number of workers, at most the number of slots.
func (v *Vec) Workers() int { return len(v.workers) }

// work is the goroutine of worker number i.
func (v *Vec) work(i int) {
	w := v.workers[i]
	for {
		w.start.wait()
		if v.job == nil {
			return
		}
		v.job(i, w.from, w.to)
		if v.pending.Add(-1) == 0 {
			v.done.open()
		}
	}
}

// collect joins the faults of the last step.
func (v *Vec) collect() error {
	var list []error
	for i, err := range v.faults {
		if err != nil {
			list = append(list, fmt.Errorf("vec: slot %d: %w", i, err))
			v.faults[i] = nil
		}
	}
	return errors.Join(list...)
}
