package domination

import (
	"math/bits"

	"powderkeg/engine/domination"
)

const (
	maxSeats  = domination.MaxSeats
	areas     = domination.Areas
	landAreas = domination.LandAreas
	cards     = domination.Cards
	// Groups are three Land Areas each: the Regions, then the Resources.
	firstResource = domination.Regions
	groups        = 2 * domination.Regions
	groupSize     = 3
)

// areaSet is a set of Areas, bit a for Area a.
type areaSet uint32

const (
	everywhere areaSet = 1<<areas - 1
	onLand     areaSet = 1<<landAreas - 1
	atSea              = everywhere &^ onLand
)

func (s areaSet) has(a int) bool { return s>>a&1 != 0 }
func (s areaSet) size() int      { return bits.OnesCount32(uint32(s)) }

// first returns the lowest Area of a set that is not empty.
func (s areaSet) first() int { return bits.TrailingZeros32(uint32(s)) }

// from returns the Areas a and above.
func from(a int) areaSet { return everywhere &^ (1<<a - 1) }

// atlas is what is printed on the map.
type atlas struct {
	groups   [groups]areaSet
	of       [landAreas][2]uint8 // the Region and the Resource of an Area, as groups
	adjacent [areas]areaSet
}

func newAtlas(f *domination.Facts) (m atlas) {
	for i := range domination.Regions {
		m.groups[i] = areaSet(f.Regions[i].Areas)
		m.groups[firstResource+i] = areaSet(f.Resources[i].Areas)
	}
	for a := range areas {
		m.adjacent[a] = areaSet(f.Areas[a].Adjacent)
	}
	for a := range landAreas {
		m.of[a] = [2]uint8{uint8(f.Areas[a].Region), uint8(firstResource + f.Areas[a].Resource)}
	}
	return m
}

// neighbours returns the Areas that are adjacent to one of the set.
func (m *atlas) neighbours(set areaSet) areaSet {
	near := areaSet(0)
	for ; set != 0; set &= set - 1 {
		near |= m.adjacent[set.first()]
	}
	return near
}

// board is the map as it is or as it might become: a plain value, so that a use of
// a card is tried on a copy.
type board struct {
	own  [maxSeats]areaSet // Areas with a Force of the seat
	full areaSet           // Areas with a Full Force
}

// occupied returns the Areas with a Force.
func (b *board) occupied() areaSet {
	set := areaSet(0)
	for _, own := range b.own {
		set |= own
	}
	return set
}

// owner returns whose Force is in an occupied Area.
func (b *board) owner(a int) int {
	for s, own := range b.own {
		if own.has(a) {
			return s
		}
	}
	panic("domination: the owner of an empty area")
}

// steps returns 2 for a Full Force in an occupied Area and 1 for a Struggling one.
func (b *board) steps(a int) int { return 1 + int(b.full>>a&1) }

// allSteps returns the steps of the Forces in a set of occupied Areas.
func (b *board) allSteps(set areaSet) int { return set.size() + (set & b.full).size() }

// build makes one Build of seat s in an Area where it may.
func (b *board) build(s, a int) {
	if b.own[s].has(a) {
		b.full |= 1 << a
		return
	}
	b.own[s] |= 1 << a
}

// reduce makes one Reduction of the Force of seat s in an Area.
func (b *board) reduce(s, a int) {
	if b.full.has(a) {
		b.full &^= 1 << a
		return
	}
	b.own[s] &^= 1 << a
}

// remove takes the Force of seat s off an Area.
func (b *board) remove(s, a int) {
	b.own[s] &^= 1 << a
	b.full &^= 1 << a
}
