package values

import (
	"encoding/binary"
	"errors"
	"math"

	"powderkeg/agents/network/kernel"
)

// Rows are lists of the numbers of an observation that are not 0: how many, then for each twice
// the places skipped since the one before, plus 1 if the number is 1, else followed by the
// number in four bytes. Whole numbers are of variable length (encoding/binary).

// appendRow appends what row has beyond base, which may be nil for zeroes.
func appendRow(dst []byte, row, base []float32) []byte {
	count := 0
	for i, x := range row {
		if difference(x, base, i) != 0 {
			count++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(count))
	last := -1
	for i, x := range row {
		x = difference(x, base, i)
		if x == 0 {
			continue
		}
		skipped := uint64(i-last-1) << 1
		last = i
		if x == 1 {
			dst = binary.AppendUvarint(dst, skipped|1)
			continue
		}
		dst = binary.AppendUvarint(dst, skipped)
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

func difference(x float32, base []float32, i int) float32 {
	if base == nil {
		return x
	}
	return x - base[i]
}

// reader reads what a segment of a store says. Its first fault is kept, after which it reads
// zeroes.
type reader struct {
	data []byte
	at   int
	err  error
}

var errShort = errors.New("it ends too early")

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// number reads a whole number of at most so much.
func (r *reader) number(most int) int {
	if r.err != nil {
		return 0
	}
	// Nearly all are of one byte.
	if r.at < len(r.data) && r.data[r.at] < 0x80 {
		x := int(r.data[r.at])
		if r.at++; x > most {
			r.fail(errors.New("a number is too large"))
			return 0
		}
		return x
	}
	x, n := binary.Uvarint(r.data[r.at:])
	switch {
	case n <= 0:
		r.fail(errShort)
		return 0
	case x > uint64(most):
		r.fail(errors.New("a number is too large"))
		return 0
	}
	r.at += n
	return int(x)
}

func (r *reader) float() float32 {
	if r.err != nil || r.at+4 > len(r.data) {
		r.fail(errShort)
		return 0
	}
	x := math.Float32frombits(binary.LittleEndian.Uint32(r.data[r.at:]))
	r.at += 4
	if x-x != 0 {
		r.fail(errors.New("a number is infinite or none"))
		return 0
	}
	return x
}

// row appends a row of observations of so many numbers to a list for kernel.Gather, in which
// number i stands at i times the stride.
func (r *reader) row(dst []uint64, inputs, stride int) []uint64 {
	at := -1
	for range r.number(inputs) {
		skipped := r.number(2*inputs + 1)
		x := float32(1)
		if skipped&1 == 0 {
			x = r.float()
		}
		if at += skipped>>1 + 1; at >= inputs {
			r.fail(errors.New("an observation is longer than the layout"))
		}
		if r.err != nil {
			return dst
		}
		dst = append(dst, kernel.Entry(x, at*stride))
	}
	return dst
}
