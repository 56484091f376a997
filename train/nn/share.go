package nn

import (
	"runtime"
)

// Share cuts numbers from 0 to n into neighbouring parts, calls f for each, on several goroutines
// at the same time, and returns when all are done. There are as many parts as processors, as far
// as each has unit numbers, and they begin at multiples of it; part counts them from 0.
//
// The caller does the parts that nobody else has begun: where the other processors are busy, with
// a rollout that is played ahead say, it waits for none of them to come to what it could have
// done itself long ago.
func Share(n, unit int, f func(part, from, to int)) {
	parts := Parts(n, unit)
	edge := func(part int) int {
		if part == parts {
			return n
		}
		return part * n / parts / unit * unit
	}
	inTurn(parts, parts, func(part int) { f(part, edge(part), edge(part+1)) })
}

// finer is how many times as many parts as processors shareOut makes.
const finer = 6

// shareOut is Share in more parts than there are processors, each of which takes the next part
// when it is done with one: for numbers that cost more in one place than in another, or on a
// machine that does other things too.
func shareOut(n, unit int, f func(from, to int)) {
	procs := Parts(n, unit)
	if procs == 1 {
		f(0, n)
		return
	}
	parts := max(procs, min(finer*procs, n/unit))
	inTurn(parts, procs, func(part int) {
		from, to := part*n/parts/unit*unit, (part+1)*n/parts/unit*unit
		if part == parts-1 {
			to = n
		}
		if from < to {
			f(from, to)
		}
	})
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
