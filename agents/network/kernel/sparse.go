package kernel

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/blas/blas32"
)

// Observations are mostly zeroes. Their products go through lists of the numbers that
// are not, each with the place of the row of the other factor that it multiplies, along
// blockInner of the inner index at a time.

// sparseRows is the least number of rows for which a list pays: the weights have to be
// turned round first.
const sparseRows = 8

// A list is of entries that hold a number in the lower half and a place in the upper one.
func entry(x float32, at int) uint64 { return uint64(math.Float32bits(x)) | uint64(at)<<32 }

func value(e uint64) (x float32, at int) {
	return math.Float32frombits(uint32(e)), int(e >> 32)
}

// sparse is the scratch of these products.
type sparse struct {
	other  []float32 // a block of the factor that is dense
	list   []uint64
	counts []int32 // of the list of each column
	turned []float32
	mask   []uint8 // a bit for each number of a row, and zeroes up to a whole word
	blocks []int32 // of a single row
	// Of columns with few zeroes: which they are, their numbers, and what is added up.
	full          []int32
	numbers, sums []float32
}

// grown returns a slice of n elements, s if it is long enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// gatherLeast is the least of the gatherSizes.
const gatherLeast = 16

// padded is n rounded up to whole tiles.
func padded(n int) int { return (n + gatherLeast - 1) / gatherLeast * gatherLeast }

// mostlyZero reports whether at most a quarter of the numbers of some rows, spread over
// the matrix, are not zero. It may be wrong about the matrix: that costs time only.
func mostlyZero(m blas32.General) bool {
	const rows = 8
	some, seen := 0, 0
	for i := range min(rows, m.Rows) {
		from := i * m.Rows / min(rows, m.Rows) * m.Stride
		for _, x := range m.Data[from : from+m.Cols] {
			bits := math.Float32bits(x) << 1 // the sign of a zero does not count
			some += int((bits | -bits) >> 31)
		}
		seen += m.Cols
	}
	return 4*some <= seen
}

// find sets the mask to the numbers of row that are not zero.
func (s *sparse) find(row []float32) {
	words := (len(row) + 63) / 64
	s.mask = grown(s.mask, 8*words)
	clear(s.mask)
	nonzero(s.mask, row)
}

// sparseLeft adds a bᵀ to c for an a of many zeroes: a list for each row.
func (s *sparse) sparseLeft(a, b, c blas32.General) {
	width := padded(c.Cols)
	s.other = grown(s.other, blockInner*width)
	s.list = grown(s.list, blockInner)
	for from := 0; from < a.Cols; from += blockInner {
		k := min(blockInner, a.Cols-from)
		clear(s.other)
		transpose(s.other, width, b.Data[from:], b.Stride, b.Rows, k)
		for i := range a.Rows {
			s.gather(c.Data[i*c.Stride:][:c.Cols], s.listed(a.Data[i*a.Stride+from:][:k], width), s.other)
		}
	}
}

// listed returns the list of what is not zero in row, where number j multiplies the row at
// j stride.
func (s *sparse) listed(row []float32, stride int) []uint64 {
	s.find(row)
	n := 0
	for word := 0; word < len(row); word += 64 {
		for w := s.word(word); w != 0; w &= w - 1 {
			j := word + bits.TrailingZeros64(w)
			s.list[n] = entry(row[j], j*stride)
			n++
		}
	}
	return s.list[:n]
}

// fewRows is the number of rows from which panels pay for factors without zeroes.
const fewRows = 6

// Turned returns the transpose of w [rows, cols] in rows of whole tiles, which Gemm, given
// it as b, need not pack for a few rows nor for rows of many zeroes.
func Turned(w []float32, rows, cols int) blas32.General {
	m := blas32.General{Rows: cols, Cols: rows, Stride: padded(rows), Data: make([]float32, cols*padded(rows))}
	transpose(m.Data, m.Stride, w, cols, rows, cols)
	return m
}

// WholeTiles reports whether lists may be of m's rows, which begin so far apart that each ends
// with a whole tile.
func WholeTiles(m blas32.General) bool {
	size := m.Rows * m.Stride
	return m.Stride >= padded(m.Cols) && len(m.Data) >= size && size <= math.MaxInt32
}

// sparseTurned adds a b to c for a b in rows of whole tiles: a list for each row of a.
func (s *sparse) sparseTurned(a, b, c blas32.General) {
	s.list = grown(s.list, a.Cols)
	for i := range a.Rows {
		s.gather(c.Data[i*c.Stride:][:c.Cols], s.listed(a.Data[i*a.Stride:][:a.Cols], b.Stride), b.Data)
	}
}

// sparseRight adds aᵀ b to c for a b of many zeroes: a list for each column of b, of
// which c's transpose is made.
func (s *sparse) sparseRight(a, b, c blas32.General) {
	width := padded(c.Rows)
	stride := a.Stride
	if width > a.Cols { // else a row of a ends with a whole tile
		s.other, stride = grown(s.other, blockInner*width), width
		clear(s.other)
	}
	s.list = grown(s.list, listRoom*b.Cols)
	s.counts = grown(s.counts, b.Cols)
	s.turned = grown(s.turned, b.Cols*width)
	transpose(s.turned, width, c.Data, c.Stride, c.Rows, c.Cols)
	for from := 0; from < b.Rows; from += blockInner {
		clear(s.counts)
		factor := a.Data[from*a.Stride:]
		if width > a.Cols {
			factor = s.other
		}
		for t := range min(blockInner, b.Rows-from) {
			if width > a.Cols {
				copy(s.other[t*width:], a.Data[(from+t)*a.Stride:][:a.Cols])
			}
			row := b.Data[(from+t)*b.Stride:][:b.Cols]
			s.find(row)
			for word := 0; word < len(row); word += 64 {
				for w := s.word(word); w != 0; w &= w - 1 {
					j := word + bits.TrailingZeros64(w)
					s.list[j*listRoom+int(s.counts[j])] = entry(row[j], t*stride)
					s.counts[j]++
				}
			}
		}
		for j, n := range s.counts {
			s.gather(s.turned[j*width:][:c.Rows], s.list[j*listRoom:][:n], factor)
		}
	}
	transpose(c.Data, c.Stride, s.turned, width, c.Cols, c.Rows)
}

// word returns 64 bits of the mask.
func (s *sparse) word(from int) uint64 {
	m := (*[8]uint8)(s.mask[from/8:])
	return uint64(m[0]) | uint64(m[1])<<8 | uint64(m[2])<<16 | uint64(m[3])<<24 |
		uint64(m[4])<<32 | uint64(m[5])<<40 | uint64(m[6])<<48 | uint64(m[7])<<56
}

// gather adds to c the rows of b that a list names, times its numbers. A row of b goes
// on to a whole tile behind c's columns.
func (s *sparse) gather(c []float32, list []uint64, b []float32) {
	if len(list) == 0 {
		return
	}
	for _, size := range gatherSizes() {
		for len(c) >= size {
			gatherColumns(c[:size], list, b)
			c, b = c[size:], b[size:]
		}
	}
	if len(c) > 0 {
		var edge [gatherLeast]float32
		copy(edge[:], c)
		gatherColumns(edge[:], list, b)
		copy(c, edge[:])
	}
}

// row adds x bᵀ to y for a single x, of which blocks of eight zeroes are passed over.
func (s *sparse) row(y, x []float32, b blas32.General) {
	whole := len(x) &^ 7
	s.find(x)
	s.blocks = grown(s.blocks, len(x)/8)
	n := 0
	for i, m := range s.mask[:whole/8] {
		if m != 0 {
			s.blocks[n] = int32(8 * i)
			n++
		}
	}
	rowTimes(y, b.Data, b.Stride, x, s.blocks[:n])
	for j := range y {
		for k := whole; k < len(x); k++ {
			y[j] += float32(x[k] * b.Data[j*b.Stride+k])
		}
	}
}
