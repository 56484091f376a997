package cli

import (
	"crypto/rand"
	"encoding/binary"
)

// randomSeed returns a seed that nobody has chosen. crypto/rand never fails.
func randomSeed() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}
