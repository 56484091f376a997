package engine

// Hash64 is a running 64-bit hash of a position, the same in every process.
// It mixes whole words with the finaliser of splitmix64 (Steele, Lea and Flood
// 2014); it is meant for comparing states, not against adversaries.
type Hash64 uint64

// NewHash returns the hash of nothing.
func NewHash() Hash64 { return 0x9e3779b97f4a7c15 }

// Word returns the hash extended by one word.
func (h Hash64) Word(x uint64) Hash64 {
	x ^= uint64(h)
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return Hash64(x ^ x>>31)
}

// Bytes returns the hash extended by b and its length.
func (h Hash64) Bytes(b []byte) Hash64 {
	h = h.Word(uint64(len(b)))
	for len(b) >= 8 {
		h = h.Word(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
		b = b[8:]
	}
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return h.Word(x)
}
