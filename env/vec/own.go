package vec

import "powderkeg/engine"

// own is the memory of a worker beside others for what takes a byte per slot. A cache line of
// the caller's buffers holds 64 slots of it: workers that wrote there slot by slot would take
// the line from each other each time, and wait for it.
type own struct {
	buffers               Buffers // the caller's, but for these [N]
	actors                []engine.Player
	terminated, truncated []uint8
}

func newOwn(slots int) *own {
	return &own{actors: alone[engine.Player](slots), terminated: alone[uint8](slots), truncated: alone[uint8](slots)}
}

// alone makes a slice of bytes that shares no cache line, and no pair of lines, with another.
func alone[T ~int8 | ~uint8](n int) []T {
	const pair = 128
	return make([]T, n, (n+pair-1)/pair*pair)
}

// enter returns the buffers to which the worker writes its slots in a step into b; leave brings
// b what they hold.
func (w *worker) enter(b *Buffers) *Buffers {
	o := w.own
	if o == nil {
		return b
	}
	o.buffers = *b
	o.buffers.Actors, o.buffers.Terminated, o.buffers.Truncated = o.actors, o.terminated, o.truncated
	w.bring(&o.buffers, b) // a slot with a fault keeps what it shows
	return &o.buffers
}

// leave is described at enter.
func (w *worker) leave(from, b *Buffers) {
	if w.own != nil {
		w.bring(b, from)
	}
}

// bring copies what takes a byte per slot.
func (w *worker) bring(to, from *Buffers) {
	copy(to.Actors[w.from:w.to], from.Actors[w.from:w.to])
	copy(to.Terminated[w.from:w.to], from.Terminated[w.from:w.to])
	copy(to.Truncated[w.from:w.to], from.Truncated[w.from:w.to])
}
