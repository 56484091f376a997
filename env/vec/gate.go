package vec

import (
	"runtime"
	"sync/atomic"
)

// gate lets one goroutine wait until another opens it, once for every call of open. It
// looks again and again for some 50 µs before it sleeps: a step of a small batch
// takes less time than waking a sleeper does, which would make two workers
// slower than one.
type gate struct {
	state atomic.Int32
	wake  chan struct{}
}

const (
	shut int32 = iota
	open
	asleep // the waiter has gone to sleep on wake
)

// looks is the number of looks before the waiter sleeps.
const looks = 500

func newGate() *gate { return &gate{wake: make(chan struct{}, 1)} }

// wait returns after a call of open and shuts the gate.
func (g *gate) wait() {
	for range looks {
		if g.state.CompareAndSwap(open, shut) {
			return
		}
		runtime.Gosched()
	}
	if g.state.CompareAndSwap(shut, asleep) {
		<-g.wake
		return
	}
	g.state.Store(shut) // it was opened after the last look
}

// open lets the waiter through, now or when it comes.
func (g *gate) open() {
	if g.state.Swap(open) == asleep {
		g.state.Store(shut)
		g.wake <- struct{}{}
	}
}
