package nn

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestRoundsOfManyCallers: each part of each round is done once before its caller goes on, whether helpers are awake,
// asleep, or busy with the rounds of others.
func TestRoundsOfManyCallers(t *testing.T) {
	processors(t, 4)
	const callers, rounds, parts = 6, 300, 7
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for round := range rounds {
				if round%50 == caller { // helpers fall asleep
					time.Sleep(2 * lookout)
				}
				var done [parts]atomic.Int32
				inTurn(parts, 4, func(part int) {
					if part == round%parts && round%20 == 0 { // the caller does, too
						time.Sleep(2 * lookout)
					}
					done[part].Add(1)
				})
				for part := range done {
					if n := done[part].Load(); n != 1 {
						t.Errorf("caller %d, round %d: part %d is done %d times", caller, round, part, n)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestARoundWithinARound: a part may have parts of its own.
func TestARoundWithinARound(t *testing.T) {
	processors(t, 4)
	var done atomic.Int32
	inTurn(5, 4, func(int) {
		inTurn(5, 4, func(int) { done.Add(1) })
	})
	if done.Load() != 25 {
		t.Errorf("%d parts are done, want 25", done.Load())
	}
}
