package minuteman

import "math/bits"

// Sizes of the map (R1.2); the loader checks them against data/map.json.
const (
	numHexes  = 896
	numCities = 101 // Population I hexes of the three countries
	noHex     = HexID(-1)
	noCity    = CityID(-1)
)

// hexSet is a set of hexes by index.
type hexSet [(numHexes + 63) / 64]uint64

func (s *hexSet) has(h HexID) bool { return s[h>>6]>>(h&63)&1 != 0 }
func (s *hexSet) add(h HexID)      { s[h>>6] |= 1 << (h & 63) }
func (s *hexSet) del(h HexID)      { s[h>>6] &^= 1 << (h & 63) }

func (s *hexSet) put(h HexID, in bool) {
	if in {
		s.add(h)
	} else {
		s.del(h)
	}
}

func (s *hexSet) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s *hexSet) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// next returns the first hex of the set that is not below h, noHex if there is
// none.
func (s *hexSet) next(h HexID) HexID {
	i := int(h) >> 6
	if i >= len(s) {
		return noHex
	}
	w := s[i] &^ (1<<(h&63) - 1)
	for w == 0 {
		i++
		if i == len(s) {
			return noHex
		}
		w = s[i]
	}
	return HexID(i<<6 + bits.TrailingZeros64(w))
}

// intersect keeps what both sets hold.
func (s *hexSet) intersect(o *hexSet) {
	for i := range s {
		s[i] &= o[i]
	}
}

// unite adds what o holds.
func (s *hexSet) unite(o *hexSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// remove takes out what o holds.
func (s *hexSet) remove(o *hexSet) {
	for i := range s {
		s[i] &^= o[i]
	}
}

// from returns the part of the set that is not below h.
func (s hexSet) from(h HexID) hexSet {
	for i := range s {
		switch low := HexID(i) << 6; {
		case low+64 <= h:
			s[i] = 0
		case low < h:
			s[i] &^= 1<<(h-low) - 1
		}
	}
	return s
}

// span is a set of hexes that lie close together, such as a hex and its
// neighbours: those of a column and the next ones are fewer than 128 indices
// apart, so that three words hold them.
type span struct {
	word int // of a hexSet where bits begin
	bits [3]uint64
}

// newSpan makes a span of hexes in ascending order; it reports hexes too far apart.
func newSpan(hexes []HexID) (s span, ok bool) {
	s.word = min(int(hexes[0])>>6, len(hexSet{})-len(s.bits))
	for _, h := range hexes {
		i := int(h)>>6 - s.word
		if i >= len(s.bits) {
			return s, false
		}
		s.bits[i] |= 1 << (h & 63)
	}
	return s, true
}

// join adds what a span holds.
func (s *hexSet) join(x *span) {
	w := s[x.word : x.word+3 : x.word+3]
	w[0] |= x.bits[0]
	w[1] |= x.bits[1]
	w[2] |= x.bits[2]
}

// citySet is a set of Population I hexes by city index.
type citySet [(numCities + 63) / 64]uint64

func (s *citySet) has(c CityID) bool { return c >= 0 && s[c>>6]>>(c&63)&1 != 0 }
func (s *citySet) add(c CityID)      { s[c>>6] |= 1 << (c & 63) }
func (s *citySet) del(c CityID)      { s[c>>6] &^= 1 << (c & 63) }
func (s *citySet) count() int        { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }
func (s *citySet) empty() bool       { return s[0]|s[1] == 0 }

// next returns the first city of the set that is not below c, noCity if there is
// none.
func (s *citySet) next(c CityID) CityID {
	for i := int(c) >> 6; i < len(s); i++ {
		w := s[i]
		if i == int(c)>>6 {
			w &^= 1<<(c&63) - 1
		}
		if w != 0 {
			return CityID(i<<6 + bits.TrailingZeros64(w))
		}
	}
	return noCity
}

// counterSet is a set of counters of Militia and Army by number.
type counterSet [(numMasked + 63) / 64]uint64

func (s *counterSet) has(c CounterID) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *counterSet) add(c CounterID)      { s[c>>6] |= 1 << (c & 63) }
func (s *counterSet) del(c CounterID)      { s[c>>6] &^= 1 << (c & 63) }
func (s *counterSet) count() int           { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// first returns the least member of a set that is not empty.
func (s *counterSet) first() CounterID {
	if s[0] != 0 {
		return CounterID(bits.TrailingZeros64(s[0]))
	}
	return CounterID(64 + bits.TrailingZeros64(s[1]))
}

// remove takes out what o holds.
func (s *counterSet) remove(o *counterSet) {
	for i := range s {
		s[i] &^= o[i]
	}
}

// unitSet is a set of units by slot.
type unitSet [(numUnits + 63) / 64]uint64

func (s *unitSet) has(u UnitID) bool { return s[u>>6]>>(u&63)&1 != 0 }
func (s *unitSet) add(u UnitID)      { s[u>>6] |= 1 << (u & 63) }
func (s *unitSet) del(u UnitID)      { s[u>>6] &^= 1 << (u & 63) }

// countIn counts the members from first to before end.
func (s *unitSet) countIn(first, end UnitID) int {
	n := 0
	for i, w := range s {
		low, high := int(first)-i<<6, int(end)-i<<6
		if high <= 0 || low >= 64 {
			continue
		}
		if low > 0 {
			w &^= 1<<low - 1
		}
		if high < 64 {
			w &= 1<<high - 1
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// UnitSet is a set of units by slot.
type UnitSet = unitSet

// Has reports whether a unit is in the set.
func (s *unitSet) Has(u int) bool { return s.has(UnitID(u)) }

// Next returns the first unit of a set that is not below u, -1 if there is none.
func (s *unitSet) Next(u int) int {
	if n := s.next(UnitID(u)); u < numUnits && n != noUnit {
		return int(n)
	}
	return -1
}

func (s *unitSet) empty() bool { return s[0]|s[1]|s[2]|s[3] == 0 }

func (s *unitSet) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// next returns the first unit of the set that is not below u, noUnit if there
// is none.
func (s *unitSet) next(u UnitID) UnitID {
	for i := int(u) >> 6; i < len(s); i++ {
		w := s[i]
		if i == int(u)>>6 {
			w &^= 1<<(u&63) - 1
		}
		if w != 0 {
			return UnitID(i<<6 + bits.TrailingZeros64(w))
		}
	}
	return noUnit
}
