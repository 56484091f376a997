package thinking

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func newPool(t *testing.T, c Config) *Pool {
	t.Helper()
	p, err := NewPool(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// think is a thought of so many steps of a millisecond that looks at its context after each.
func think(ctx context.Context, steps int, each func()) error {
	for range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		each()
		time.Sleep(time.Millisecond)
	}
	return nil
}

// Owners have the same time, however many thoughts each of them has, and who has waited
// longest comes next.
func TestOwnersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 10, Slice: 2 * time.Millisecond})
		var order []string
		var running sync.WaitGroup
		owners := map[string]*Owner{"a": {}, "b": {}, "c": {}}
		for _, who := range []string{"a1", "a2", "a3", "b1", "c1"} {
			running.Go(func() {
				if err := p.Do(t.Context(), owners[who[:1]], Long(), func(ctx context.Context) error {
					return think(ctx, 4, func() { order = append(order, who) })
				}); err != nil {
					t.Errorf("%s: %v", who, err)
				}
			})
			synctest.Wait() // in this order
		}
		running.Wait()
		want := "a1 a1 a2 a2 b1 b1 c1 c1 a3 a3 b1 b1 c1 c1 a1 a1 a2 a2 a3 a3"
		if got := strings.Join(order, " "); got != want {
			t.Errorf("they thought in the order\n%s, want\n%s", got, want)
		}
	})
}

// There are never more thoughts at once than places, and none is left over.
func TestPlacesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const places = 3
		p := newPool(t, Config{Thinkers: places, Queue: 100, Slice: 3 * time.Millisecond})
		var mu sync.Mutex
		now, most := 0, 0
		var running sync.WaitGroup
		for i := range 40 {
			running.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*7*time.Millisecond)
				defer cancel()
				p.Do(ctx, new(Owner), Long(), func(ctx context.Context) error {
					for ctx.Err() == nil {
						mu.Lock()
						now++
						most = max(most, now)
						mu.Unlock()
						time.Sleep(time.Millisecond)
						mu.Lock()
						now--
						mu.Unlock()
					}
					return ctx.Err()
				})
			})
		}
		running.Wait()
		if most != places {
			t.Errorf("%d thoughts ran at once, want %d", most, places)
		}
		if p.free != places || len(p.owners) != 0 || p.waits.Load() != 0 {
			t.Errorf("%d places are free, %d owners and %d thoughts wait after the last one, want %d, 0, 0", p.free, len(p.owners), p.waits.Load(), places)
		}
	})
}

// A thought whose context ends while it waits, at first or between two slices, gives up.
func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 10, Slice: time.Millisecond})
		hog, err := p.Begin(t.Context(), new(Owner), 0)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := p.Begin(ctx, new(Owner), 0); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("error %v after %v, want that of the context after 1s", err, time.Since(begin))
		}
		hog.End()
		var got error
		var running sync.WaitGroup
		running.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			got = p.Do(ctx, new(Owner), Long(), func(ctx context.Context) error { return think(ctx, 5000, func() {}) })
		})
		synctest.Wait()
		running.Go(func() {
			p.Do(t.Context(), new(Owner), Long(), func(context.Context) error {
				time.Sleep(time.Minute)
				return nil
			})
		})
		running.Wait()
		if !errors.Is(got, context.DeadlineExceeded) {
			t.Errorf("a thought that had to wait between two slices: error %v", got)
		}
		if p.free != 1 {
			t.Errorf("%d places are free, want 1", p.free)
		}
	})
}

// The limit counts the time for which a thought has a place, and not that for which it waits.
func TestTheLimitIsThatOfThinking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 10, Slice: time.Millisecond, Limit: 100 * time.Millisecond})
		counts := make([]int, 5)
		var running sync.WaitGroup
		for i := range counts {
			running.Go(func() {
				err := p.Do(t.Context(), new(Owner), Long(), func(ctx context.Context) error { return think(ctx, 1000, func() { counts[i]++ }) })
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("thought %d: error %v, want that of a deadline", i, err)
				}
			})
		}
		running.Wait()
		for i, n := range counts {
			if n < 99 || n > 101 {
				t.Errorf("thought %d of %d: %d steps of a millisecond, want 100", i, len(counts), n)
			}
		}
		begin := time.Now()
		err := p.Do(t.Context(), new(Owner), Long(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != p.config.Limit {
			t.Errorf("one that waits for the end of its context: error %v after %v", err, time.Since(begin))
		}
	})
}

// What is short goes past all that waits, until it has taken long.
func TestWhatIsShortGoesPast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 1, Slice: time.Millisecond})
		hog, err := p.Begin(t.Context(), new(Owner), 0)
		if err != nil {
			t.Fatal(err)
		}
		var g Gauge
		ask := func(takes time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			return p.Do(ctx, new(Owner), &g, func(context.Context) error {
				time.Sleep(takes)
				return nil
			})
		}
		for _, takes := range []time.Duration{0, short, 5 * short} {
			if err := ask(takes); err != nil {
				t.Errorf("something short: %v", err)
			}
		}
		if err := ask(0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after it has taken long: error %v, want that it waits", err)
		}
		hog.End()
		for range 100 {
			if err := ask(0); err != nil {
				t.Fatal(err)
			}
		}
		if g.Long() {
			t.Error("after a hundred times that were short it still counts as long")
		}
	})
}

func TestAFullQueueNamesItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 2, Slice: time.Millisecond})
		hog, err := p.Begin(t.Context(), new(Owner), 0)
		if err != nil {
			t.Fatal(err)
		}
		var running sync.WaitGroup
		for range 2 {
			if err := p.Full(); err != nil {
				t.Error(err)
			}
			running.Go(func() { p.Do(t.Context(), new(Owner), Long(), func(context.Context) error { return nil }) })
			synctest.Wait()
		}
		if err := p.Full(); !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "2 thoughts wait, the limit is 2") {
			t.Errorf("error %v, want that two wait", err)
		}
		hog.End()
		running.Wait()
		if err := p.Full(); err != nil {
			t.Error(err)
		}
	})
}

// A part of a thought ends at its own time, and lets others think meanwhile.
func TestAPartOfAThoughtGivesItsPlaceToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Thinkers: 1, Queue: 2, Slice: time.Millisecond})
		var order []string
		var running sync.WaitGroup
		for i := range 2 {
			running.Go(func() {
				whole, err := p.Begin(t.Context(), new(Owner), 0)
				if err != nil {
					t.Error(err)
					return
				}
				defer whole.End()
				ctx, cancel := whole.For(7 * time.Millisecond)
				defer cancel()
				if err := think(ctx, 100, func() { order = append(order, fmt.Sprint(i)) }); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the part ends with %v, want its deadline", err)
				}
				if err := whole.Err(); err != nil {
					t.Errorf("the whole ends with its part: %v", err)
				}
			})
			synctest.Wait()
		}
		running.Wait()
		if got := strings.Join(order[:4], ""); got != "0101" {
			t.Errorf("they thought in the order %s, want in turns", got)
		}
	})
}

func TestConfigsAreValidated(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
	err := Config{Limit: -1}.Validate()
	for _, part := range []string{"thinkers is 0", "queue is 0", "slice is 0s", "limit is -1ns"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want it to say %q", err, part)
		}
	}
	if _, err := NewPool(Config{}, nil); err == nil {
		t.Error("a pool without places was made")
	}
}

// An agent that does not pretend waits for as long as it took over a choice.
func TestAForcedAnswerTakesTheTimeOfAThought(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pace
		begin := time.Now()
		if err := p.Keep(t.Context(), begin, true); err != nil || time.Since(begin) != 0 {
			t.Errorf("with nothing to go by: error %v after %v", err, time.Since(begin))
		}
		time.Sleep(10 * time.Millisecond)
		p.Keep(t.Context(), begin, false)
		begin = time.Now()
		time.Sleep(3 * time.Millisecond)
		if err := p.Keep(t.Context(), begin, true); err != nil || time.Since(begin) != 10*time.Millisecond {
			t.Errorf("error %v after %v, want 10ms", err, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
		defer cancel()
		if err := p.Keep(ctx, time.Now(), true); err != context.DeadlineExceeded {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}
