package domination

import (
	"iter"
	"math/bits"
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

// each yields the types of the set in ascending order.
func (s cardSet) each() iter.Seq[uint8] { return areaSet(s).each() }

// seatSet is a set of seats, bit p for seat p.
type seatSet uint8

func (s seatSet) has(p uint8) bool { return s>>p&1 != 0 }
func (s seatSet) size() int        { return bits.OnesCount8(uint8(s)) }

// actionSet holds a flow.Set.
type actionSet [(numActions + 63) / 64]uint64

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// list returns the seats of the set.
func (s seatSet) list() []int {
	list := []int{}
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros8(uint8(s)))
	}
	return list
}
