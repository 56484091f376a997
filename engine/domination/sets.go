package domination

import (
	"iter"
	"math/bits"

	"powderkeg/engine"
)

// areaSet is a set of Areas, bit a for Area a (R1.1).
type areaSet uint32

const (
	allAreas  areaSet = 1<<numAreas - 1
	landAreas areaSet = 1<<numLand - 1
	seaAreas          = allAreas &^ landAreas
)

func (s areaSet) has(a uint8) bool { return s>>a&1 != 0 }
func (s areaSet) size() int        { return bits.OnesCount32(uint32(s)) }
func (s areaSet) first() uint8     { return uint8(bits.TrailingZeros32(uint32(s))) }

// each yields the Areas of the set in ascending order.
func (s areaSet) each() iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.first()) {
				return
			}
		}
	}
}

// cardSet is a set of card types, bit c for card index c.
type cardSet uint32

func (s cardSet) has(c uint8) bool { return s>>c&1 != 0 }
func (s cardSet) size() int        { return bits.OnesCount32(uint32(s)) }
func (s cardSet) first() uint8     { return uint8(bits.TrailingZeros32(uint32(s))) }

// seatSet is a set of seats, bit p for seat p.
type seatSet uint8

func (s seatSet) has(p uint8) bool { return s>>p&1 != 0 }
func (s seatSet) size() int        { return bits.OnesCount8(uint8(s)) }

// actionSet is a set of actions, bit a%64 of word a/64 for action a.
type actionSet [(numActions + 63) / 64]uint64

func (s *actionSet) add(a int) { s[a>>6] |= 1 << (a & 63) }

// addBlock adds action first+i for every bit i of set.
func (s *actionSet) addBlock(first int, set uint32) {
	word, shift := first>>6, first&63
	s[word] |= uint64(set) << shift
	if shift > 32 && word+1 < len(s) {
		s[word+1] |= uint64(set) >> (64 - shift)
	}
}

func (s *actionSet) has(a engine.Action) bool {
	return a >= 0 && a < numActions && s[a>>6]>>(a&63)&1 != 0
}

func (s *actionSet) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first returns the lowest action of a set that is not empty.
func (s *actionSet) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	panic("domination: the first of no actions")
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
