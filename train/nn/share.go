package nn

import (
	"runtime"
	"sync"
)

// Share cuts numbers from 0 to n into neighbouring parts, calls f for each on a goroutine of its
// own, and returns when all are done. There are as many parts as processors, as far as each has
// unit numbers, and they begin at multiples of it; part counts them from 0.
func Share(n, unit int, f func(part, from, to int)) {
	parts := Parts(n, unit)
	edge := func(part int) int {
		if part == parts {
			return n
		}
		return part * n / parts / unit * unit
	}
	var others sync.WaitGroup
	for part := 1; part < parts; part++ {
		others.Go(func() { f(part, edge(part), edge(part+1)) })
	}
	f(0, 0, edge(1))
	others.Wait()
}

// Parts returns how many parts Share makes, at least 1.
func Parts(n, unit int) int { return max(1, min(runtime.GOMAXPROCS(0), n/unit)) }

// CopyRows is how many rows of a batch a goroutine should have to copy.
const CopyRows = 32

// light is how many numbers a goroutine should have to move or add up, if it is to pay.
const light = 1 << 14

// shareRows is Share for rows of a width that are passed over once.
func shareRows(rows, width int, f func(from, to int)) {
	Share(rows, light/width+1, func(_, from, to int) { f(from, to) })
}
