package domination

import (
	"iter"
	"math/bits"
)

// An Area, a card type or a seat, by its index in data/map.json or data/cards.json, or
// clockwise around the table.
type (
	areaID uint8
	cardID uint8
	seatID uint8
)

// areaSet is a set of Areas, bit a for Area a (R1.1).
type areaSet uint32

const (
	allAreas  areaSet = 1<<numAreas - 1
	landAreas areaSet = 1<<numLand - 1
	seaAreas          = allAreas &^ landAreas
)

func (s areaSet) has(a areaID) bool { return s>>a&1 != 0 }
func (s areaSet) size() int         { return bits.OnesCount32(uint32(s)) }
func (s areaSet) first() areaID     { return areaID(bits.TrailingZeros32(uint32(s))) }

// each yields the Areas of the set in ascending order.
func (s areaSet) each() iter.Seq[areaID] { return each[areaID](uint32(s)) }

// each yields the bits of a set in ascending order.
func each[T ~uint8](set uint32) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(T(bits.TrailingZeros32(set))) {
				return
			}
		}
	}
}

// cardSet is a set of card types, bit c for card index c.
type cardSet uint32

func (s cardSet) has(c cardID) bool { return s>>c&1 != 0 }
func (s cardSet) size() int         { return bits.OnesCount32(uint32(s)) }
func (s cardSet) first() cardID     { return cardID(bits.TrailingZeros32(uint32(s))) }

// each yields the types of the set in ascending order.
func (s cardSet) each() iter.Seq[cardID] { return each[cardID](uint32(s)) }

// seatSet is a set of seats, bit p for seat p.
type seatSet uint8

func (s seatSet) has(p seatID) bool { return s>>p&1 != 0 }
func (s seatSet) size() int         { return bits.OnesCount8(uint8(s)) }

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
