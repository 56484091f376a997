package server

import (
	"errors"
	"runtime/debug"
	"sync"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// EnvMemory is where a bound environment writes the fields of a step of PROTOCOL.md of the same
// names. Slices have exactly the length that is given.
type EnvMemory struct {
	Observation []float32 // [D]
	Mask        []uint8   // [A]
	Rewards     []float32 // [P]
	Returns     []float32 // [P]
	Facts       []int64   // [EnvFacts]: actor, observer, terminated, truncated, decisions, number of steps shown so far
}

// EnvFacts and VecFacts are the lengths of Facts.
const (
	EnvFacts = 6
	VecFacts = 3
)

// VecMemory is where a bound vec writes the fields of a VecResult, and Slots of a VecReceived. N
// is the number of slots; of fields about E episodes that have ended the first E rows count.
// Final is nil unless the mode is same-step.
type VecMemory struct {
	Observations []float32       // [N×D]
	Masks        []uint8         // [N×A]
	Actors       []engine.Player // [N]
	Rewards      []float32       // [N×P]
	Terminated   []uint8         // [N]
	Truncated    []uint8         // [N]
	Ended        []int32         // [N]
	Returns      []float32       // [N×P]
	Lengths      []int32         // [N]
	Final        []float32       // [N×D]
	FinalActors  []engine.Player // [N]
	Slots        []int32         // [N]
	Facts        []uint64        // [VecFacts]: seed, E, number of steps shown so far
}

// binding is an environment or a vec that writes to memory of its client.
type binding struct {
	env  *environment // or nil
	vec  *vector      // or nil
	gone bool         // it is closed; under the lock
}

func (b *binding) lock() *sync.Mutex {
	if b.env != nil {
		return &b.env.mu
	}
	return &b.vec.mu
}

// ErrUnbound is the error of fast calls about what is not open, or not bound.
var ErrUnbound = errors.New("server: nothing is bound to this handle")

// BindEnv has an environment write all that it shows from now on to memory of the client, which
// it does not keep once it is closed; what it has shown last is written at once. It may be bound
// again, to other memory.
func (s *Session) BindEnv(handle uint64, m EnvMemory) error {
	return s.bind(func() (*binding, error) {
		e, err := opened("env", handle, s.conn.envs)
		if err != nil {
			return nil, err
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, f := range []struct {
			name       string
			have, want int
		}{
			{"observation", len(m.Observation), len(e.step.Observation)}, {"mask", len(m.Mask), len(e.step.Mask)},
			{"rewards", len(m.Rewards), len(e.step.Rewards)}, {"returns", len(m.Returns), len(e.step.Returns)}, {"facts", len(m.Facts), EnvFacts},
		} {
			if f.have != f.want {
				return nil, protocol.Errorf(protocol.CodeParams, "%s has length %d, it must be %d", f.name, f.have, f.want)
			}
		}
		copy(m.Observation, e.step.Observation)
		copy(m.Mask, e.step.Mask)
		copy(m.Rewards, e.step.Rewards)
		copy(m.Returns, e.step.Returns)
		e.step.Observation, e.step.Mask, e.step.Rewards, e.step.Returns, e.facts = m.Observation, m.Mask, m.Rewards, m.Returns, m.Facts
		e.stateFacts()
		return &binding{env: e}, nil
	}, handle)
}

// BindVec is BindEnv of a vec, which has episodes after the next reset.
func (s *Session) BindVec(handle uint64, m VecMemory) error {
	return s.bind(func() (*binding, error) {
		v, err := opened("vec", handle, s.conn.vecs)
		if err != nil {
			return nil, err
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		n := v.vec.Envs()
		ends := vec.Buffers{Lengths: m.Lengths, Returns: m.Returns, Final: m.Final, FinalActors: m.FinalActors, Slots: m.Ended}
		shown := vec.Buffers{
			Observations: m.Observations, Masks: m.Masks, Actors: m.Actors, Rewards: m.Rewards,
			Terminated: m.Terminated, Truncated: m.Truncated, Slots: m.Slots,
		}
		for _, b := range []*vec.Buffers{&shown, &ends} {
			if err := v.vec.Fit(b, n); err != nil {
				return nil, protocol.Errorf(protocol.CodeParams, "%v", err)
			}
		}
		if len(m.Facts) != VecFacts {
			return nil, protocol.Errorf(protocol.CodeParams, "facts has length %d, it must be %d", len(m.Facts), VecFacts)
		}
		if v.pending > 0 {
			return nil, protocol.Errorf(protocol.CodeParams, "%d slots have an action under way; vec.recv them first", v.pending)
		}
		every := make([]int32, n)
		for i := range every {
			every[i] = int32(i)
		}
		shown.Gather(v.buffers, every)
		r := &v.result.VecResult
		r.Ended, r.Returns, r.Lengths, r.Final, r.FinalActors = ends.Slots[:0], ends.Returns[:0], ends.Lengths[:0], ends.Final[:0], ends.FinalActors[:0]
		v.buffers, v.facts = &shown, m.Facts
		v.stateFacts()
		return &binding{vec: v}, nil
	}, handle)
}

// bind notes a binding.
func (s *Session) bind(make func() (*binding, error), handle uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	b, err := make()
	if err != nil {
		return s.conn.fault(err)
	}
	s.bound.Store(handle, b)
	return nil
}

// stateFacts writes down what the memory of a bound environment shows.
func (e *environment) stateFacts() {
	if e.facts == nil {
		return
	}
	s := &e.step
	f := (*[EnvFacts]int64)(e.facts)
	f[0], f[1], f[2], f[3], f[4] = s.Actor, s.Observer, 0, 0, s.Decisions
	if s.Terminated {
		f[2] = 1
	}
	if s.Truncated {
		f[3] = 1
	}
	f[5]++
}

func (v *vector) stateFacts() {
	if v.facts != nil {
		v.facts[0], v.facts[1] = v.result.Seed, uint64(len(v.result.Ended))
		v.facts[2]++
	}
}

// fast makes a fast call about a binding. Like a request, an engine that breaks down costs what
// it plays alone.
func (s *Session) fast(handle uint64, do func(b *binding) error) error {
	found, ok := s.bound.Load(handle)
	if !ok {
		return ErrUnbound
	}
	b := found.(*binding)
	err := b.locked(func() error {
		if b.gone { // closed in between
			return ErrUnbound
		}
		return do(b)
	})
	if err == nil || err == ErrUnbound {
		return err
	}
	var broken *env.Panic
	if b.vec != nil && errors.As(err, &broken) {
		s.mu.Lock()
		b.vec.mu.Lock()
		if !s.closed {
			s.conn.drop(handle, broken)
		}
		b.vec.mu.Unlock()
		s.mu.Unlock()
	}
	return s.conn.fault(err)
}

// locked is guarded with the lock.
func (b *binding) locked(do func() error) error {
	b.lock().Lock()
	defer b.lock().Unlock()
	return b.guarded(do)
}

// guarded returns what do returns, or how it has broken down.
func (b *binding) guarded(do func() error) (err error) {
	defer b.recover(&err)
	return do()
}

// recover notes how a call has broken down. It must be deferred itself.
func (b *binding) recover(err *error) {
	v := recover()
	if v == nil {
		return
	}
	broken := &env.Panic{Value: v, Stack: debug.Stack()}
	if b.env != nil {
		broken.Game, b.env.fault = b.env.env.Game().Spec().Text, broken
	}
	*err = broken
}

// Long reports whether a fast call about a handle may take long, because agents think in it.
func (s *Session) Long(handle uint64) bool {
	found, ok := s.bound.Load(handle)
	if !ok {
		return false
	}
	b := found.(*binding)
	if b.env != nil {
		return b.env.seats.long()
	}
	return b.vec.company.long()
}

// EnvStep is env.step of a bound environment.
func (s *Session) EnvStep(handle uint64, action int64) error {
	return s.ofEnv(handle, func(e *environment) error {
		_, err := s.conn.stepEnv(s.ctx, e, protocol.ByNumber(action))
		return err
	})
}

// EnvReset is env.reset of a bound environment.
func (s *Session) EnvReset(handle uint64, seed *uint64) error {
	return s.ofEnv(handle, func(e *environment) error {
		_, err := s.conn.resetEnv(s.ctx, e, seed)
		return err
	})
}

// EnvRedeal is env.redeal of a bound environment, from what its observer sees if seat is below 0.
func (s *Session) EnvRedeal(handle uint64, seed uint64, seat int64) error {
	return s.ofEnv(handle, func(e *environment) error {
		p := e.observer()
		if seat >= 0 {
			var err error
			if p, err = e.own(seat); err != nil {
				return err
			}
		}
		_, err := s.conn.redealEnv(s.ctx, e, p, seed)
		return err
	})
}

// EnvObserve is env.observe of a bound environment: it writes what a seat of the client sees.
func (s *Session) EnvObserve(handle uint64, seat int64, into []float32) error {
	return s.ofEnv(handle, func(e *environment) error {
		p, err := e.own(seat)
		if err != nil {
			return err
		}
		if have, want := len(into), len(e.step.Observation); have != want {
			return protocol.Errorf(protocol.CodeParams, "values has length %d, it must be %d", have, want)
		}
		e.env.ObserveAs(p, into)
		return nil
	})
}

// EnvClone is env.clone; it returns the handle of the copy. Where that is to be an environment
// which is there, both must be bound.
func (s *Session) EnvClone(handle, into uint64) (uint64, error) {
	if into == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed {
			return 0, ErrClosed
		}
		src, err := opened("env", handle, s.conn.envs)
		if err == nil {
			src.mu.Lock()
			defer src.mu.Unlock()
			err = (&binding{env: src}).guarded(func() error {
				into, _, err = s.conn.cloneEnv(src)
				return err
			})
		}
		if err != nil {
			return 0, s.conn.fault(err)
		}
		return into, nil
	}
	from, to := s.boundEnv(handle), s.boundEnv(into)
	if from == nil || to == nil {
		return 0, ErrUnbound
	}
	lockBoth(handle, from.env, into, to.env)
	err := s.copyBound(to, from)
	unlockBoth(from.env, to.env)
	if err == nil || err == ErrUnbound {
		return into, err
	}
	return 0, s.conn.fault(err)
}

// copyBound copies an environment into another one; both are locked.
func (s *Session) copyBound(to, from *binding) (err error) {
	if from.gone || to.gone {
		return ErrUnbound
	}
	defer to.recover(&err)
	return s.conn.copyEnv(to.env, from.env)
}

// boundEnv returns the binding of an environment, nil for none.
func (s *Session) boundEnv(handle uint64) *binding {
	if found, ok := s.bound.Load(handle); ok && found.(*binding).env != nil {
		return found.(*binding)
	}
	return nil
}

// EnvClose is env.close.
func (s *Session) EnvClose(handle uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	e, err := opened("env", handle, s.conn.envs)
	if err != nil {
		return s.conn.fault(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s.conn.endEnv(handle, e)
	return nil
}

func (s *Session) ofEnv(handle uint64, do func(e *environment) error) error {
	return s.fast(handle, func(b *binding) error {
		if b.env == nil {
			return protocol.Errorf(protocol.CodeHandle, "%d is a vec", handle)
		}
		return do(b.env)
	})
}

// VecReset is vec.reset of a bound vec, and the others are what they are called by. The actions
// and slots are not kept.
func (s *Session) VecReset(handle uint64, seed *uint64) error {
	return s.ofVec(handle, 0, func(v *vector) error { return v.reset(s.ctx, seed) })
}

// VecResetSlots is described at VecReset.
func (s *Session) VecResetSlots(handle uint64, slots []int32, seeds []uint64) error {
	return s.ofVec(handle, 0, func(v *vector) error {
		return v.resetSlots(s.ctx, &protocol.VecResetSlots{Vec: handle, Slots: slots, Seeds: seeds})
	})
}

// VecStep is described at VecReset.
func (s *Session) VecStep(handle uint64, actions []engine.Action) error {
	return s.ofVec(handle, len(actions), func(v *vector) error { return v.step(s.ctx, &protocol.VecStep{Vec: handle, Actions: actions}) })
}

// VecStepSlots steps some slots, whose rows are those of their numbers; the rows of others stay
// as they are. Ended is in the order of the slots that are given.
func (s *Session) VecStepSlots(handle uint64, slots []int32, actions []engine.Action) error {
	return s.ofRows(handle, slots, func(v *vector) error {
		return v.stepSlots(s.ctx, &protocol.VecSend{Vec: handle, Slots: slots, Actions: actions})
	})
}

// VecFork is vec.fork of a bound vec.
func (s *Session) VecFork(handle uint64, slot int64, slots []int32) error {
	return s.fastVec(handle, func(v *vector) error {
		at, err := s.conn.forkable(handle, v, slot)
		if err == nil {
			err = v.fork(handle, at, slots)
		}
		if err != nil {
			return err
		}
		v.show()
		return nil
	})
}

// VecRecv writes to the first rows, as vec.recv says, and to Slots.
func (s *Session) VecRecv(handle uint64, count int64) error {
	return s.fastVec(handle, func(v *vector) error {
		if err := v.receive(s.ctx, &protocol.VecRecv{Vec: handle, Count: count}); err != nil {
			return v.failed(err)
		}
		s.server.metrics.byVec.Add(float64(count))
		v.showSome(v.buffers, int(count))
		return nil
	})
}

// ofVec makes a fast call after which all slots are shown.
func (s *Session) ofVec(handle uint64, decisions int, do func(v *vector) error) error {
	return s.fastVec(handle, func(v *vector) error {
		if err := do(v); err != nil {
			return v.failed(err)
		}
		s.server.metrics.byVec.Add(float64(decisions))
		v.show()
		return nil
	})
}

// ofRows makes a fast call after which some slots are shown in their own rows.
func (s *Session) ofRows(handle uint64, slots []int32, do func(v *vector) error) error {
	return s.fastVec(handle, func(v *vector) error {
		if err := do(v); err != nil {
			return v.failed(err)
		}
		s.server.metrics.byVec.Add(float64(len(slots)))
		v.forgetEnds()
		for _, slot := range slots {
			v.noteEnd(v.buffers, int(slot), slot)
		}
		v.stateFacts()
		return nil
	})
}

func (s *Session) fastVec(handle uint64, do func(v *vector) error) error {
	return s.fast(handle, func(b *binding) error {
		if b.vec == nil {
			return protocol.Errorf(protocol.CodeHandle, "%d is an env", handle)
		}
		return do(b.vec)
	})
}
