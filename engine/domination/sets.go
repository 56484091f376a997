package domination

import (
	"iter"
	"math/bits"
)

// An Area, a card type or a seat, by its index in data/map.json or data/cards.json, or
// clockwise around the table.
type (
	AreaID uint8
	CardID uint8
	SeatID uint8
)

// AreaSet is a set of Areas, bit a for Area a (R1.1).
type AreaSet uint32

const (
	allAreas  AreaSet = 1<<Areas - 1
	landAreas AreaSet = 1<<LandAreas - 1
	seaAreas          = allAreas &^ landAreas
)

// Has reports whether the Area is in the set.
func (s AreaSet) Has(a AreaID) bool { return s>>a&1 != 0 }

// Size returns the number of Areas in the set.
func (s AreaSet) Size() int { return bits.OnesCount32(uint32(s)) }

// First returns the lowest of a set that is not empty.
func (s AreaSet) First() AreaID { return AreaID(bits.TrailingZeros32(uint32(s))) }

// Each yields the Areas of the set in ascending order.
func (s AreaSet) Each() iter.Seq[AreaID] { return each[AreaID](uint32(s)) }

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

// CardSet is a set of card types, bit c for card index c.
type CardSet uint32

// Has reports whether the type is in the set.
func (s CardSet) Has(c CardID) bool { return s>>c&1 != 0 }

// Size returns the number of types in the set.
func (s CardSet) Size() int { return bits.OnesCount32(uint32(s)) }

// First returns the lowest of a set that is not empty.
func (s CardSet) First() CardID { return CardID(bits.TrailingZeros32(uint32(s))) }

// Each yields the types of the set in ascending order.
func (s CardSet) Each() iter.Seq[CardID] { return each[CardID](uint32(s)) }

// SeatSet is a set of seats, bit p for seat p.
type SeatSet uint8

// Has reports whether the seat is in the set.
func (s SeatSet) Has(p SeatID) bool { return s>>p&1 != 0 }

// Size returns the number of seats in the set.
func (s SeatSet) Size() int { return bits.OnesCount8(uint8(s)) }

// actionSet holds a flow.Set.
type actionSet [(numActions + 63) / 64]uint64

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// list returns the seats of the set.
func (s SeatSet) list() []int {
	list := []int{}
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros8(uint8(s)))
	}
	return list
}
