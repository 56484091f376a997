package flow

import (
	"encoding/binary"
	"math/bits"

	"powderkeg/engine"
)

// Set is a set of actions, bit a%64 of word a/64 for action a. A position holds the
// words in an array and hands out a slice of it.
type Set []uint64

// Clear empties the set.
func (s Set) Clear() { clear(s) }

// Add adds an action of the vocabulary.
func (s Set) Add(a engine.Action) { s[a>>6] |= 1 << (a & 63) }

// AddBits adds action first+i for every bit i of the set bits.
func (s Set) AddBits(first engine.Action, set uint64) {
	word, shift := first>>6, first&63
	s[word] |= set << shift
	if high := set >> (64 - shift); shift > 0 && high != 0 {
		s[word+1] |= high
	}
}

// Has reports whether the set holds a, which may be outside the vocabulary.
func (s Set) Has(a engine.Action) bool {
	return a >= 0 && int(a>>6) < len(s) && s[a>>6]>>(a&63)&1 != 0
}

// Size returns the number of actions.
func (s Set) Size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// First returns the lowest action of a set that is not empty.
func (s Set) First() engine.Action {
	for i, w := range s {
		if w != 0 {
			return engine.Action(i<<6 + bits.TrailingZeros64(w))
		}
	}
	panic("flow: the first of no actions")
}

// Mask writes a byte for each action of dst: 1 for those of the set, else 0. Whatever there are,
// it takes the same time.
func (s Set) Mask(dst []uint8) {
	for i := 0; len(dst) > 0; i += 8 {
		eight := spread(s[i>>6] >> (i & 63))
		if len(dst) < 8 {
			for j := range dst {
				dst[j] = uint8(eight >> (8 * j))
			}
			return
		}
		binary.LittleEndian.PutUint64(dst, eight)
		dst = dst[8:]
	}
}

// spread returns eight bytes, 0 or 1 each, the lowest for the lowest bit of w.
func spread(w uint64) uint64 {
	const each = 0x0101010101010101
	w = w & 0xFF * each & 0x8040201008040201 // byte i holds bit i where it belongs, alone
	return (w + 0x7F*each) >> 7 & each       // no byte carries into the next
}

// Append appends the actions in ascending order.
func (s Set) Append(dst []engine.Action) []engine.Action {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, engine.Action(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return dst
}
