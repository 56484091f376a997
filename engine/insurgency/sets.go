package insurgency

import "math/bits"

// spaceSet is a set of spaces: bit i stands for the space of index i.
type spaceSet uint64

// everywhere holds all spaces, closed ones too.
const everywhere spaceSet = 1<<numSpaces - 1

func (s spaceSet) has(i uint8) bool { return s>>i&1 != 0 }
func (s spaceSet) count() int       { return bits.OnesCount64(uint64(s)) }

// first returns the lowest index of a set that is not empty.
func (s spaceSet) first() uint8 { return uint8(bits.TrailingZeros64(uint64(s))) }

// from returns the part of the set from index i on.
func (s spaceSet) from(i uint8) spaceSet { return s >> i << i }

// cardSet is a set of event cards: card n is bit n-1.
type cardSet [2]uint64

func (s cardSet) has(n uint8) bool { return s[(n-1)>>6]>>((n-1)&63)&1 != 0 }
func (s *cardSet) add(n uint8)     { s[(n-1)>>6] |= 1 << ((n - 1) & 63) }
func (s *cardSet) remove(n uint8)  { s[(n-1)>>6] &^= 1 << ((n - 1) & 63) }
func (s cardSet) count() int       { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

func (s cardSet) or(o cardSet) cardSet   { return cardSet{s[0] | o[0], s[1] | o[1]} }
func (s cardSet) less(o cardSet) cardSet { return cardSet{s[0] &^ o[0], s[1] &^ o[1]} }
func (s cardSet) empty() bool            { return s[0]|s[1] == 0 }

// first returns the lowest number of a set that is not empty.
func (s cardSet) first() uint8 {
	if s[0] != 0 {
		return uint8(bits.TrailingZeros64(s[0])) + 1
	}
	return uint8(bits.TrailingZeros64(s[1])) + 65
}

// next returns the lowest number above n, 0 if there is none. Counting from 0, it
// walks through the set.
func (s cardSet) next(n uint8) uint8 {
	rest := s
	if n >= 64 {
		rest[0] = 0
		rest[1] = rest[1] >> (n - 64) << (n - 64)
	} else {
		rest[0] = rest[0] >> n << n
	}
	if rest.empty() {
		return 0
	}
	return rest.first()
}

// storySet is a set of story cards: story n is bit n-1.
type storySet uint32

func (s storySet) has(n uint8) bool { return s>>(n-1)&1 != 0 }
func (s storySet) count() int       { return bits.OnesCount32(uint32(s)) }
func (s *storySet) add(n uint8)     { *s |= 1 << (n - 1) }
func (s *storySet) remove(n uint8)  { *s &^= 1 << (n - 1) }

// first returns the lowest number of a set that is not empty.
func (s storySet) first() uint8 { return uint8(bits.TrailingZeros32(uint32(s))) + 1 }

// cards lists a set.
func cards(set cardSet) []int {
	list := []int{}
	for n := set.next(0); n != 0; n = set.next(n) {
		list = append(list, int(n))
	}
	return list
}

// stories lists a set.
func stories(set storySet) []int {
	list := []int{}
	for ; set != 0; set &= set - 1 {
		list = append(list, int(set.first()))
	}
	return list
}

// actionSet holds a bit for every action.
type actionSet = [(numActions + 63) / 64]uint64

// flag is 1 for true.
func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
