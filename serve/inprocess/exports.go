package main

// #define PK_NO_PROTOTYPES
// #include "powderkeg.h"
// #include <stdlib.h>
import "C"

import (
	"slices"
	"time"
	"unsafe"

	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

//export pk_version
func pk_version() C.uint32_t { return interfaceVersion }

//export pk_zoo
func pk_zoo(folder *C.char) { checkpoints.UseZoo(C.GoString(folder)) }

//export pk_open
func pk_open(patience C.int32_t) C.uint64_t {
	return C.uint64_t(openSession(time.Duration(max(patience, 0)) * time.Millisecond))
}

//export pk_close
func pk_close(number C.uint64_t) { closeSession(uint64(number)) }

//export pk_call
func pk_call(number C.uint64_t, request unsafe.Pointer, length C.int64_t, response *unsafe.Pointer, responseLength *C.int64_t) C.int64_t {
	s := sessionOf(uint64(number))
	if s == nil {
		return statusUnknown
	}
	body, err := memory[byte]("request", request, int64(length))
	if err != nil {
		return C.int64_t(s.outcome(0, err))
	}
	return hand(s, s.call(body), response, responseLength)
}

// hand hands a response to the caller, who frees it.
func hand(s *session, status int64, response *unsafe.Pointer, length *C.int64_t) C.int64_t {
	if status == 0 && response != nil && length != nil {
		*response, *length = C.CBytes(s.answer), C.int64_t(len(s.answer))
		s.answer = nil
	}
	return C.int64_t(status)
}

//export pk_wait
func pk_wait(number, handle C.uint64_t, response *unsafe.Pointer, responseLength *C.int64_t) C.int64_t {
	s := sessionOf(uint64(number))
	if s == nil {
		return statusUnknown
	}
	status := s.wait(uint64(handle))
	if handle == 0 {
		return hand(s, status, response, responseLength)
	}
	return C.int64_t(status)
}

//export pk_fault
func pk_fault(number, handle C.uint64_t) *C.char {
	if s := sessionOf(uint64(number)); s != nil {
		if text := s.fault(uint64(handle)); text != "" {
			return C.CString(text)
		}
	}
	return nil
}

//export pk_free
func pk_free(p unsafe.Pointer) { C.free(p) }

// memory returns memory of the caller as a slice, nil for none.
func memory[T any](name string, data unsafe.Pointer, length int64) ([]T, error) {
	var one T
	size := int64(unsafe.Sizeof(one))
	switch {
	case length < 0 || length > (1<<40)/size:
		return nil, protocol.Errorf(protocol.CodeParams, "%s has length %d", name, length)
	case data == nil && length > 0:
		return nil, protocol.Errorf(protocol.CodeParams, "%s is NULL and has length %d", name, length)
	case uintptr(data)%unsafe.Alignof(one) != 0:
		return nil, protocol.Errorf(protocol.CodeParams, "%s is at %p, which is no multiple of %d", name, data, size)
	}
	return unsafe.Slice((*T)(data), length), nil
}

// binder turns the arrays of pk_bind into slices, in their order.
type binder struct {
	arrays []C.pk_array
	err    error
}

// next returns the next array.
func next[T any](b *binder, name string) []T {
	a := b.arrays[0]
	b.arrays = b.arrays[1:]
	s, err := memory[T](name, a.data, int64(a.length))
	if b.err == nil {
		b.err = err
	}
	return s
}

//export pk_bind
func pk_bind(number, handle C.uint64_t, arrays *C.pk_array, count C.int32_t) C.int64_t {
	s := sessionOf(uint64(number))
	if s == nil {
		return statusUnknown
	}
	h := uint64(handle)
	if s.busy(h) {
		return statusFault
	}
	return C.int64_t(s.outcome(h, bind(s, h, arrays, int(count))))
}

func bind(s *session, handle uint64, arrays *C.pk_array, count int) error {
	if arrays == nil || count != C.PK_ENV_ARRAYS && count != C.PK_VEC_ARRAYS {
		return protocol.Errorf(protocol.CodeParams, "%d arrays; an env has %d, a vec %d", count, C.PK_ENV_ARRAYS, C.PK_VEC_ARRAYS)
	}
	b := &binder{arrays: unsafe.Slice(arrays, count)}
	if count == C.PK_ENV_ARRAYS {
		m := server.EnvMemory{
			Observation: next[float32](b, "observation"), Mask: next[uint8](b, "mask"), Rewards: next[float32](b, "rewards"),
			Returns: next[float32](b, "returns"), Facts: next[int64](b, "facts"),
		}
		if b.err != nil {
			return b.err
		}
		return s.BindEnv(handle, m)
	}
	m := server.VecMemory{
		Observations: next[float32](b, "observations"), Masks: next[uint8](b, "masks"), Actors: next[engine.Player](b, "actors"),
		Rewards: next[float32](b, "rewards"), Terminated: next[uint8](b, "terminated"), Truncated: next[uint8](b, "truncated"),
		Ended: next[int32](b, "ended"), Returns: next[float32](b, "returns"), Lengths: next[int32](b, "lengths"),
		Final: next[float32](b, "final"), FinalActors: next[engine.Player](b, "final_actors"), Slots: next[int32](b, "slots"),
		Facts: next[uint64](b, "facts"),
	}
	if b.err != nil {
		return b.err
	}
	return s.BindVec(handle, m)
}

// fast makes a fast call, in turns where agents think for long in it.
func fast(number, handle C.uint64_t, call func(s *session, handle uint64) error) C.int64_t {
	s, h := sessionOf(uint64(number)), uint64(handle)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(h):
		return statusFault
	case s.slow(h):
		return C.int64_t(s.later(h, func() int64 { return s.outcome(h, call(s, h)) }))
	}
	return C.int64_t(s.outcome(h, call(s, h)))
}

// seedOf returns a seed that may be there.
func seedOf(seeded C.int32_t, seed C.uint64_t) *uint64 {
	if seeded == 0 {
		return nil
	}
	n := uint64(seed)
	return &n
}

//export pk_env_reset
func pk_env_reset(number, handle C.uint64_t, seeded C.int32_t, seed C.uint64_t) C.int64_t {
	return fast(number, handle, func(s *session, h uint64) error { return s.EnvReset(h, seedOf(seeded, seed)) })
}

//export pk_env_step
func pk_env_step(number, handle C.uint64_t, action C.int64_t) C.int64_t {
	return fast(number, handle, func(s *session, h uint64) error { return s.EnvStep(h, int64(action)) })
}

//export pk_env_clone
func pk_env_clone(number, handle, into C.uint64_t) C.int64_t {
	s, h, to := sessionOf(uint64(number)), uint64(handle), uint64(into)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(h):
		return statusFault
	case to != 0 && s.busy(to):
		return C.int64_t(s.outcome(h, errUnderWay))
	}
	clone, err := s.EnvClone(h, to)
	if err != nil {
		return C.int64_t(s.outcome(h, err))
	}
	return C.int64_t(clone)
}

//export pk_env_child
func pk_env_child(number, handle, into C.uint64_t, action C.int64_t) C.int64_t {
	s, h, to := sessionOf(uint64(number)), uint64(handle), uint64(into)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(to):
		return statusFault
	case s.busy(h):
		return C.int64_t(s.outcome(to, errUnderWay))
	case to == 0:
		return statusUnknown
	}
	if _, err := s.EnvClone(h, to); err != nil {
		return C.int64_t(s.outcome(to, err))
	}
	return fast(number, into, func(s *session, h uint64) error { return s.EnvStep(h, int64(action)) })
}

//export pk_env_redeal
func pk_env_redeal(number, handle, seed C.uint64_t, seat C.int64_t) C.int64_t {
	return fast(number, handle, func(s *session, h uint64) error { return s.EnvRedeal(h, uint64(seed), int64(seat)) })
}

//export pk_env_observe
func pk_env_observe(number, handle C.uint64_t, seat C.int64_t, values *C.float, count C.int64_t) C.int64_t {
	s, h := sessionOf(uint64(number)), uint64(handle)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(h):
		return statusFault
	}
	into, err := memory[float32]("values", unsafe.Pointer(values), int64(count))
	if err == nil {
		err = s.EnvObserve(h, int64(seat), into)
	}
	return C.int64_t(s.outcome(h, err))
}

//export pk_env_close
func pk_env_close(number, handle C.uint64_t) C.int64_t {
	s, h := sessionOf(uint64(number)), uint64(handle)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(h):
		return statusFault
	}
	return C.int64_t(s.outcome(h, s.EnvClose(h)))
}

//export pk_vec_reset
func pk_vec_reset(number, handle C.uint64_t, seeded C.int32_t, seed C.uint64_t) C.int64_t {
	return fast(number, handle, func(s *session, h uint64) error { return s.VecReset(h, seedOf(seeded, seed)) })
}

// perSlot makes a fast call with numbers for slots, which are copied where the call may go on
// after its caller has left.
func perSlot[A, B any](number, handle C.uint64_t, first, second string, a, b unsafe.Pointer, count C.int64_t,
	call func(s *session, h uint64, as []A, bs []B) error) C.int64_t {
	as, err := memory[A](first, a, int64(count))
	bs := []B(nil)
	if err == nil && second != "" {
		bs, err = memory[B](second, b, int64(count))
	}
	if s := sessionOf(uint64(number)); s != nil && s.slow(uint64(handle)) {
		as, bs = slices.Clone(as), slices.Clone(bs)
	}
	return fast(number, handle, func(s *session, h uint64) error {
		if err != nil {
			return err
		}
		return call(s, h, as, bs)
	})
}

//export pk_vec_reset_slots
func pk_vec_reset_slots(number, handle C.uint64_t, slots *C.int32_t, seeds *C.uint64_t, count C.int64_t) C.int64_t {
	return perSlot(number, handle, "slots", "seeds", unsafe.Pointer(slots), unsafe.Pointer(seeds), count,
		func(s *session, h uint64, slots []int32, seeds []uint64) error {
			return s.VecResetSlots(h, slots, seeds)
		})
}

//export pk_vec_step
func pk_vec_step(number, handle C.uint64_t, actions *C.int32_t, count C.int64_t) C.int64_t {
	return perSlot(number, handle, "actions", "", unsafe.Pointer(actions), nil, count,
		func(s *session, h uint64, actions []engine.Action, _ []struct{}) error { return s.VecStep(h, actions) })
}

//export pk_vec_step_slots
func pk_vec_step_slots(number, handle C.uint64_t, slots, actions *C.int32_t, count C.int64_t) C.int64_t {
	return perSlot(number, handle, "slots", "actions", unsafe.Pointer(slots), unsafe.Pointer(actions), count,
		func(s *session, h uint64, slots []int32, actions []engine.Action) error {
			return s.VecStepSlots(h, slots, actions)
		})
}

//export pk_vec_fork
func pk_vec_fork(number, handle C.uint64_t, slot C.int64_t, slots *C.int32_t, count C.int64_t) C.int64_t {
	return perSlot(number, handle, "slots", "", unsafe.Pointer(slots), nil, count,
		func(s *session, h uint64, slots []int32, _ []struct{}) error { return s.VecFork(h, int64(slot), slots) })
}

//export pk_vec_recv
func pk_vec_recv(number, handle C.uint64_t, count C.int64_t) C.int64_t {
	s, h := sessionOf(uint64(number)), uint64(handle)
	switch {
	case s == nil:
		return statusUnknown
	case s.busy(h):
		return statusFault
	case s.patience > 0: // what was sent may be thought about
		return C.int64_t(s.later(h, func() int64 { return s.outcome(h, s.VecRecv(h, int64(count))) }))
	}
	return C.int64_t(s.outcome(h, s.VecRecv(h, int64(count))))
}
