package flow

import (
	"math/bits"
	"math/rand/v2"

	"powderkeg/engine"
)

// Single reports whether the set holds one action alone.
func (s Set) Single() bool {
	var seen uint64
	for _, w := range s {
		if w&(w-1) != 0 || w != 0 && seen != 0 {
			return false
		}
		seen |= w
	}
	return seen != 0
}

// at returns the action before which k others stand in the set.
func (s Set) at(k int) engine.Action {
	for i, w := range s {
		n := bits.OnesCount64(w)
		if k >= n {
			k -= n
			continue
		}
		return engine.Action(i<<6 + bitAfter(w, k))
	}
	panic("flow: an action behind the last one of a set")
}

// bitAfter returns the bit of w before which k others are set (S. Vigna, "Broadword
// implementation of rank/select queries", 2008: the sums of bits by bytes, all at once, and a
// walk in one byte).
func bitAfter(w uint64, k int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	sums := w - w>>1&0x5555555555555555
	sums = sums&0x3333333333333333 + sums>>2&0x3333333333333333
	sums = (sums + sums>>4) & 0x0f0f0f0f0f0f0f0f
	sums *= ones                                                      // of each byte and those below it
	before := 8 * bits.OnesCount64(((uint64(k)*ones|tops)-sums)&tops) // bits of the bytes that end too early
	k -= int(sums << 8 >> before & 0xff)
	for w >>= before; k > 0; k-- {
		w &= w - 1
	}
	return before + bits.TrailingZeros64(w)
}

// Any draws one of the actions, each with the same probability: the only one, or number Uint32N
// of Append. There must be one.
func (s Set) Any(rng *rand.PCG) engine.Action {
	n := s.Size()
	if n == 1 {
		return s.First()
	}
	return s.at(int(engine.Uint32N(rng, uint32(n))))
}
