package minuteman

import "math/bits"

// Sizes of the map (R1.2); the loader checks them against data/map.json.
const (
	numHexes  = 896
	numCities = 101 // Population I hexes of the three countries
	noHex     = HexID(-1)
	noCity    = CityID(-1)
)

// nextBit returns the first member of a set that is not below from, -1 if there is none.
func nextBit(words []uint64, from int) int {
	i := from >> 6
	if i >= len(words) {
		return -1
	}
	w := words[i] &^ (1<<(from&63) - 1)
	for w == 0 {
		i++
		if i == len(words) {
			return -1
		}
		w = words[i]
	}
	return i<<6 + bits.TrailingZeros64(w)
}

// countBits returns the size of a set.
func countBits(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// hexSet is a set of hexes by index.
type hexSet [(numHexes + 63) / 64]uint64

func (s *hexSet) has(h HexID) bool { return s[h>>6]>>(h&63)&1 != 0 }
func (s *hexSet) add(h HexID)      { s[h>>6] |= 1 << (h & 63) }
func (s *hexSet) del(h HexID)      { s[h>>6] &^= 1 << (h & 63) }
func (s *hexSet) empty() bool      { return *s == hexSet{} }
func (s *hexSet) count() int       { return countBits(s[:]) }

// next returns the first hex of the set that is not below h, noHex if there is none.
func (s *hexSet) next(h HexID) HexID { return HexID(nextBit(s[:], int(h))) }

func (s *hexSet) put(h HexID, in bool) {
	if in {
		s.add(h)
	} else {
		s.del(h)
	}
}

// addBits adds hex first+i for every bit i of more.
func (s *hexSet) addBits(first int, more uint64) {
	word, shift := first>>6, first&63
	s[word] |= more << shift
	if high := more >> (64 - shift); shift > 0 && high != 0 {
		s[word+1] |= high
	}
}

// delBits takes out hex first+i for every bit i of low.
func (s *hexSet) delBits(first int, low uint64) {
	word, shift := first>>6, first&63
	s[word] &^= low << shift
	if high := low >> (64 - shift); shift > 0 && high != 0 {
		s[word+1] &^= high
	}
}

// intersect keeps what both sets hold.
func (s *hexSet) intersect(o *hexSet) {
	for i := range s {
		s[i] &= o[i]
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

// meets reports whether the set holds one of the hexes of a span.
func (s *hexSet) meets(x *span) bool {
	w := s[x.word : x.word+3 : x.word+3]
	return w[0]&x.bits[0]|w[1]&x.bits[1]|w[2]&x.bits[2] != 0
}

// citySet is a set of Population I hexes by city index.
type citySet [(numCities + 63) / 64]uint64

func (s *citySet) has(c CityID) bool { return c >= 0 && s[c>>6]>>(c&63)&1 != 0 }
func (s *citySet) add(c CityID)      { s[c>>6] |= 1 << (c & 63) }
func (s *citySet) del(c CityID)      { s[c>>6] &^= 1 << (c & 63) }
func (s *citySet) count() int        { return countBits(s[:]) }
func (s *citySet) empty() bool       { return *s == citySet{} }

// next returns the first city of the set that is not below c, noCity if there is none.
func (s *citySet) next(c CityID) CityID { return CityID(nextBit(s[:], int(c))) }

// counterSet is a set of counters of Militia and Army by number.
type counterSet [(numMasked + 63) / 64]uint64

func (s *counterSet) has(c CounterID) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *counterSet) add(c CounterID)      { s[c>>6] |= 1 << (c & 63) }
func (s *counterSet) del(c CounterID)      { s[c>>6] &^= 1 << (c & 63) }
func (s *counterSet) count() int           { return countBits(s[:]) }

// first returns the least member of a set that is not empty.
func (s *counterSet) first() CounterID { return CounterID(nextBit(s[:], 0)) }

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
func (s *unitSet) empty() bool       { return *s == unitSet{} }
func (s *unitSet) count() int        { return countBits(s[:]) }

// next returns the first unit of the set that is not below u, noUnit if there is none.
func (s *unitSet) next(u UnitID) UnitID { return UnitID(nextBit(s[:], int(u))) }

// countIn counts the members from first to before end.
func (s *unitSet) countIn(first, end UnitID) int { return s.below(end) - s.below(first) }

// below counts the members below u.
func (s *unitSet) below(u UnitID) int {
	return countBits(s[:u>>6]) + bits.OnesCount64(s[u>>6]&(1<<(u&63)-1))
}

// UnitSet is a set of units by slot.
type UnitSet = unitSet

// Has reports whether a unit is in the set.
func (s *unitSet) Has(u int) bool { return s.has(UnitID(u)) }

// Next returns the first unit of a set that is not below u, -1 if there is none.
func (s *unitSet) Next(u int) int { return nextBit(s[:], u) }
