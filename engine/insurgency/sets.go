package insurgency

import "math/bits"

// SpaceSet is a set of spaces: bit i stands for space i.
type SpaceSet uint64

// everywhere holds all spaces, closed ones too.
const everywhere SpaceSet = 1<<numSpaces - 1

// Has reports whether space i is in the set.
func (s SpaceSet) Has(i SpaceID) bool { return s>>i&1 != 0 }

// Count returns the number of spaces.
func (s SpaceSet) Count() int { return bits.OnesCount64(uint64(s)) }

// First returns the lowest index of a set that is not empty.
func (s SpaceSet) First() SpaceID { return SpaceID(bits.TrailingZeros64(uint64(s))) }

// from returns the part of the set from index i on.
func (s SpaceSet) from(i SpaceID) SpaceSet { return s >> i << i }

// CardSet is a set of event cards: card n is bit (n-1)&63 of word (n-1)>>6.
type CardSet [2]uint64

// Has reports whether card n, 1 to 92, is in the set.
func (s CardSet) Has(n CardID) bool { return s[(n-1)>>6]>>((n-1)&63)&1 != 0 }
func (s *CardSet) add(n CardID)     { s[(n-1)>>6] |= 1 << ((n - 1) & 63) }
func (s *CardSet) remove(n CardID)  { s[(n-1)>>6] &^= 1 << ((n - 1) & 63) }

// Count returns the number of cards.
func (s CardSet) Count() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

func (s CardSet) or(o CardSet) CardSet   { return CardSet{s[0] | o[0], s[1] | o[1]} }
func (s CardSet) less(o CardSet) CardSet { return CardSet{s[0] &^ o[0], s[1] &^ o[1]} }
func (s CardSet) empty() bool            { return s[0]|s[1] == 0 }

// First returns the lowest number of a set that is not empty.
func (s CardSet) First() CardID {
	if s[0] != 0 {
		return CardID(bits.TrailingZeros64(s[0])) + 1
	}
	return CardID(bits.TrailingZeros64(s[1])) + 65
}

// Next returns the lowest number above n, 0 if there is none. Counting from 0, it
// walks through the set.
func (s CardSet) Next(n CardID) CardID {
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
	return rest.First()
}

// StorySet is a set of story cards: story n is bit n-1.
type StorySet uint32

// Has reports whether story n, 1 to 20, is in the set.
func (s StorySet) Has(n StoryID) bool { return s>>(n-1)&1 != 0 }

// Count returns the number of stories.
func (s StorySet) Count() int        { return bits.OnesCount32(uint32(s)) }
func (s *StorySet) add(n StoryID)    { *s |= 1 << (n - 1) }
func (s *StorySet) remove(n StoryID) { *s &^= 1 << (n - 1) }

// First returns the lowest number of a set that is not empty.
func (s StorySet) First() StoryID { return StoryID(bits.TrailingZeros32(uint32(s))) + 1 }

// cards lists a set.
func cards(set CardSet) []int {
	list := []int{}
	for n := set.Next(0); n != 0; n = set.Next(n) {
		list = append(list, int(n))
	}
	return list
}

// stories lists a set.
func stories(set StorySet) []int {
	list := []int{}
	for ; set != 0; set &= set - 1 {
		list = append(list, int(set.First()))
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
