package kernel

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Exp sets y = eˣ, each number what math.Exp returns; the two may be the same, and are as long.
func Exp(y, x []float64) {
	y = y[:len(x)]
	for i := 0; i < len(x); {
		i += exp(y[i:], x[i:])
		for end := min(i+expBlock, len(x)); i < end; i++ {
			y[i] = math.Exp(x[i])
		}
	}
}

const expBlock = 4

// expFactors are what the assembly of Exp calculates with, each in all places of a vector, in
// its order.
var expFactors = func() (table [15][expBlock]float64) {
	for i, x := range [...]float64{
		math.Float64frombits(1<<63 - 1), // all bits but the sign
		708,                             // beyond which a power may not be a normal number
		math.Log2E,
		0.69314718055966295651160180568695068359375,     // upper half of ln 2
		0.28235290563031577122588448175013436025525e-12, // lower half
		1.0 / 16, // of which the series is taken
		2.4801587301587301587e-5, 1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3,
		4.1666666666666666667e-2, 1.6666666666666666667e-1, 0.5, // 1/8! to 1/2!
		1, 2,
	} {
		for j := range table[i] {
			table[i][j] = x
		}
	}
	return table
}()

// Most is how many places Places takes at a time.
const Most = 64

// Places writes the places where mask, of at most Most bytes, is not 0 and returns how many there
// are. It does not branch on single bytes, which nobody can foresee.
func Places(list *[Most]int32, mask []uint8) (n int) {
	var some uint64 // a bit for each byte
	i := 0
	for ; i+8 <= len(mask); i += 8 {
		const low = 0x7f7f7f7f7f7f7f7f
		x := binary.LittleEndian.Uint64(mask[i:])
		x = (x&low + low | x) &^ low >> 7 // 1 in the place of each byte that is not 0
		some |= x * 0x0102040810204080 >> 56 << i
	}
	for ; i < len(mask); i++ {
		some |= uint64((uint32(mask[i])+255)>>8) << i
	}
	for ; some != 0; some &= some - 1 {
		list[n] = int32(bits.TrailingZeros64(some))
		n++
	}
	return n
}
