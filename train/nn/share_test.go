package nn

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"powderkeg/agents/network"
)

// processors sets how many there are until the test ends.
func processors(t *testing.T, n int) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// TestSharesCoverEverythingOnce: the parts follow each other, begin at multiples of the unit, and
// there are as many as Parts says.
func TestSharesCoverEverythingOnce(t *testing.T) {
	for _, procs := range []int{1, 2, 3, 16} {
		processors(t, procs)
		for _, unit := range []int{1, 16, 100} {
			for _, n := range []int{0, 1, 15, 16, 31, 32, 33, 257, 1600, 1601} {
				var lock sync.Mutex
				edges, parts := map[int]int{}, map[int]bool{}
				Share(n, unit, func(part, from, to int) {
					lock.Lock()
					defer lock.Unlock()
					edges[from], parts[part] = to, true
				})
				if len(parts) != Parts(n, unit) || len(parts) > procs || len(parts) > 1 && n/len(parts) < unit {
					t.Fatalf("%d numbers in units of %d on %d processors: parts %v", n, unit, procs, parts)
				}
				at := 0
				for range parts {
					to, ok := edges[at]
					if !ok || at%unit != 0 || to < at {
						t.Fatalf("%d numbers in units of %d on %d processors: %v", n, unit, procs, edges)
					}
					at = to
				}
				if at != n {
					t.Fatalf("%d numbers in units of %d on %d processors end at %d", n, unit, procs, at)
				}
			}
		}
	}
}

// TestProcessorsDoNotMatter: gradients and the sums of Stats are the same on any number of them.
func TestProcessorsDoNotMatter(t *testing.T) {
	if network.ForeignBLAS {
		t.Skip("OpenBLAS adds up in an order of its own")
	}
	const rows = 2048
	for _, c := range []network.Config{
		{Inputs: 40, Actions: 24, Seats: 3, Hidden: []int{48, 48}, Activation: network.ReLU, LayerNorm: true, Residual: true},
		{Inputs: 40, Actions: 24, Seats: 2, Hidden: []int{70, 33}, Activation: network.Tanh, Bins: 5, Advice: 2},
	} {
		var gradient []float32
		var stats Stats
		for _, procs := range []int{1, 2, 5} {
			processors(t, procs)
			l, err := NewLearner(noisy(t, c, 11), rows)
			if err != nil {
				t.Fatal(err)
			}
			fill(l.Batch(), c, rows-30, 5)
			got, s, err := l.Gradient(objectives["alltogether"])
			if err != nil {
				t.Fatal(err)
			}
			if gradient == nil {
				gradient, stats = slices.Clone(got), s
			}
			if !slices.Equal(got, gradient) || s != stats {
				t.Errorf("%s: on %d processors the gradient or the stats differ from those on one: %+v, %+v", testName(c), procs, s, stats)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestSharedOutPartsCoverEverythingOnce: also where there are more of them than processors.
func TestSharedOutPartsCoverEverythingOnce(t *testing.T) {
	for _, procs := range []int{1, 2, 5} {
		processors(t, procs)
		for _, n := range []int{0, 1, 15, 33, 257, 1601} {
			var lock sync.Mutex
			seen := make([]int, n)
			shareOut(n, 16, func(from, to int) {
				lock.Lock()
				defer lock.Unlock()
				for i := from; i < to; i++ {
					seen[i]++
				}
			})
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d numbers on %d processors: number %d is in %d parts", n, procs, i, times)
				}
			}
		}
	}
}

// TestTheCallerWaitsForNobodyElse: the caller does the parts that no other goroutine has come to,
// as here, where the only processor is its own unless it is taken away.
func TestTheCallerWaitsForNobodyElse(t *testing.T) {
	processors(t, 1)
	self := func() string {
		name := make([]byte, 24)
		return string(name[:runtime.Stack(name, false)])
	}
	caller, mine := self(), false
	for range 100 {
		var lock sync.Mutex
		others := 0
		inTurn(3, 3, func(int) {
			if self() != caller {
				lock.Lock()
				defer lock.Unlock()
				others++
			}
		})
		mine = mine || others == 0
	}
	if !mine {
		t.Error("in none of 100 rounds did the caller do what nobody else had begun")
	}
}
