// Package memory refuses, before it is taken, what would take more memory than the machine
// has: a number that somebody has typed must not end the process, or others of the machine.
//
// Estimates are of what grows with such a number, not of the rest of a process, and are
// written beside what they are of.
package memory

import (
	"fmt"
	"math"
	"math/bits"

	"powderkeg/engine/option"
)

// Size is an amount of memory in bytes, or Most if it is larger than can be said. It is never
// negative: sums and products stay at Most where they would pass it.
type Size int64

// Most is the largest Size.
const Most Size = math.MaxInt64

// Of returns the product of numbers of things and of bytes, none of which may be negative.
func Of(factors ...int) Size {
	size := Size(1)
	for _, n := range factors {
		size = size.Times(int64(n))
	}
	return size
}

// Times returns n times the size.
func (s Size) Times(n int64) Size {
	if high, low := bits.Mul64(uint64(s), uint64(max(n, 0))); high == 0 && low <= uint64(Most) {
		return Size(low)
	}
	return Most
}

// Plus returns the sum of sizes.
func (s Size) Plus(more ...Size) Size {
	for _, m := range more {
		if s > Most-m {
			return Most
		}
		s += m
	}
	return s
}

// String returns the size with two or three digits, such as 1.5 GB.
func (s Size) String() string {
	const kilo = 1000
	size, unit := float64(s), "bytes"
	for _, larger := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		if size < kilo {
			break
		}
		size, unit = size/kilo, larger
	}
	switch {
	case s == Most:
		return "9 EB or more"
	case unit == "bytes" || size >= 100:
		return fmt.Sprintf("%.0f %s", size, unit)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}

// Share is how much of the free memory may be asked for: the rest is for what estimates leave
// out, for garbage, and for whoever else is on the machine.
const Share = 0.75

// Usable returns how much may be asked for at this moment: a Share of what the machine, the
// process's group of processes and Go's own limit leave free.
func Usable() Size { return Size(Share * float64(free())) }

// Count is a number that memory is taken in proportion to.
type Count struct {
	// Name is the flag or key that the number was given by, such as --envs, N the number.
	Name string
	N    int64
}

// Check reports that so many things of one size each, beside what is taken whatever their
// number, do not fit into the memory, and how many would. The error is of one line and
// wraps option.ErrUsage.
func (c Count) Check(each, beside Size) error { return c.CheckIn(Usable(), each, beside) }

// CheckIn is Check for so much memory.
func (c Count) CheckIn(usable, each, beside Size) error {
	whole := each.Times(c.N).Plus(beside)
	if whole <= usable {
		return nil
	}
	rest := "even 1 does not fit"
	if beside < usable {
		if fit := int64((usable - beside) / max(each, 1)); fit > 0 {
			rest = fmt.Sprintf("%d would fit", fit)
		}
	}
	return fmt.Errorf("%w: %s is %d, which takes about %v of memory; %v may be taken here, so %s", option.ErrUsage, c.Name, c.N, whole, usable, rest)
}
