package protocol

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// maxDepth bounds how deep arrays and maps may nest. No message needs more than
// four; a decoder that recurses must not be led deeper.
const maxDepth = 8

// Check walks over one msgpack value, which must fill data, without recursion or
// allocation: every length lies within data, nesting is bounded, and there are no
// extension types. What passes may be decoded without further care. Errors wrap
// ErrFrame.
func Check(data []byte) error { return checkUpTo(data, math.MaxInt) }

// MaxValues is how many values a request may have, all that it contains included: runs of
// numbers are one value, and no method has lists that come near it.
const MaxValues = 1 << 10

// checkUpTo is Check for at most so many values.
func checkUpTo(data []byte, most uint64) error {
	var left [maxDepth]uint64 // values still to come at each level
	depth, seen := 0, uint64(1)
	for at := 0; ; {
		size, values, err := head(data[at:])
		if err != nil {
			return fmt.Errorf("%w: at byte %d: %v", ErrFrame, at, err)
		}
		at += size
		if values > uint64(len(data)-at) {
			return fmt.Errorf("%w: at byte %d: %d values in %d bytes", ErrFrame, at, values, len(data)-at)
		}
		if seen += values; seen > most {
			return fmt.Errorf("%w: at byte %d: %d values; a request has at most %d", ErrFrame, at, seen, most)
		}
		if values > 0 {
			if depth == maxDepth {
				return fmt.Errorf("%w: at byte %d: nested deeper than %d", ErrFrame, at, maxDepth)
			}
			left[depth] = values
			depth++
			continue
		}
		for depth > 0 {
			left[depth-1]--
			if left[depth-1] > 0 {
				break
			}
			depth--
		}
		if depth > 0 {
			continue
		}
		if at != len(data) {
			return fmt.Errorf("%w: %d bytes behind the value", ErrFrame, len(data)-at)
		}
		return nil
	}
}

// head returns the size of the value that data begins with, in bytes, without
// the values that it contains, and their number.
func head(data []byte) (size int, values uint64, err error) {
	if len(data) == 0 {
		return 0, 0, fmt.Errorf("it ends too early")
	}
	c := data[0]
	body := uint64(0) // bytes behind the length
	width := 0        // bytes of the length
	switch {
	case msgpcode.IsFixedNum(c), c == msgpcode.Nil, c == msgpcode.False, c == msgpcode.True:
	case msgpcode.IsFixedString(c):
		body = uint64(c & msgpcode.FixedStrMask)
	case msgpcode.IsFixedArray(c):
		values = uint64(c & msgpcode.FixedArrayMask)
	case msgpcode.IsFixedMap(c):
		values = 2 * uint64(c&msgpcode.FixedMapMask)
	case c == msgpcode.Uint8, c == msgpcode.Int8:
		body = 1
	case c == msgpcode.Uint16, c == msgpcode.Int16:
		body = 2
	case c == msgpcode.Uint32, c == msgpcode.Int32, c == msgpcode.Float:
		body = 4
	case c == msgpcode.Uint64, c == msgpcode.Int64, c == msgpcode.Double:
		body = 8
	case c == msgpcode.Str8, c == msgpcode.Bin8:
		width = 1
	case c == msgpcode.Str16, c == msgpcode.Bin16, c == msgpcode.Array16, c == msgpcode.Map16:
		width = 2
	case c == msgpcode.Str32, c == msgpcode.Bin32, c == msgpcode.Array32, c == msgpcode.Map32:
		width = 4
	default:
		return 0, 0, fmt.Errorf("type byte %#02x is not used here", c)
	}
	if width > 0 {
		if len(data) < 1+width {
			return 0, 0, fmt.Errorf("it ends too early")
		}
		n := length(data[1 : 1+width])
		switch c {
		case msgpcode.Array16, msgpcode.Array32:
			values = n
		case msgpcode.Map16, msgpcode.Map32:
			values = 2 * n
		default:
			body = n
		}
	}
	if body > uint64(len(data)-1-width) {
		return 0, 0, fmt.Errorf("it ends too early")
	}
	return 1 + width + int(body), values, nil
}

func length(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	default:
		return uint64(binary.BigEndian.Uint32(b))
	}
}
