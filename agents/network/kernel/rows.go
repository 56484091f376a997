package kernel

import (
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/blas/blas32"
)

// A Row is a row of a matrix of many zeroes: the numbers that are not zero and the columns that
// they stand in, ascending. It has all numbers where Columns is nil, as one does that would not
// be shorter otherwise; without any it is a row of zeroes.
type Row struct {
	Columns []uint16
	Numbers []float32
	// starts says for every listColumns columns how many of Columns stand before them, and for
	// the end.
	starts []uint16
}

// Set makes the row that of the numbers x, in memory of its own, which grows where it must.
func (r *Row) Set(x []float32) {
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	s.find(x)
	n := 0
	for from := 0; from < len(x); from += 64 {
		n += bits.OnesCount64(s.word(from))
	}
	if columns := r.Columns[:0]; 6*n < 4*len(x) && len(x) <= math.MaxUint16+1 {
		columns, r.Numbers = room(columns, n), room(r.Numbers, n)
		r.starts = room(r.starts, len(x)/listColumns+2)[:0]
		n = 0
		for from := 0; from < len(x); from += 64 {
			if from%listColumns == 0 {
				r.starts = append(r.starts, uint16(n))
			}
			for w := s.word(from); w != 0; w &= w - 1 {
				j := from + bits.TrailingZeros64(w)
				columns[n], r.Numbers[n] = uint16(j), x[j]
				n++
			}
		}
		r.Columns, r.starts = columns, append(r.starts, uint16(n))
		return
	}
	r.Columns = nil
	r.Numbers = append(r.Numbers[:0], x...)
}

// room returns a slice of n elements, not nil, s if it is long enough, and otherwise a fresh one
// with a little more than that: the next row will be much like this one.
func room[T any](s []T, n int) []T {
	if s == nil || cap(s) < n {
		return make([]T, n, n+n/16)
	}
	return s[:n]
}

// CopyFrom makes the row that of another one, in memory of its own.
func (r *Row) CopyFrom(other *Row) {
	r.Numbers = append(room(r.Numbers, len(other.Numbers))[:0], other.Numbers...)
	if other.Columns == nil {
		r.Columns = nil
		return
	}
	r.Columns = append(room(r.Columns, len(other.Columns))[:0], other.Columns...)
	r.starts = append(room(r.starts, len(other.starts))[:0], other.starts...)
}

// Expand writes all numbers of the row to dst.
func (r *Row) Expand(dst []float32) {
	if r.Columns == nil {
		clear(dst[copy(dst, r.Numbers):])
		return
	}
	clear(dst)
	for i, j := range r.Columns {
		dst[j] = r.Numbers[i]
	}
}

// between returns where the columns from up to to begin and end among the numbers of the row.
func (r *Row) between(from, to int) (first, end int) {
	if r.Columns == nil {
		return min(from, len(r.Numbers)), min(to, len(r.Numbers))
	}
	return r.before(from), r.before(to)
}

// fetch begins to read the row from a column on.
func (r *Row) fetch(column int) {
	if block := column / listColumns; block+1 < len(r.starts) {
		if first := int(r.starts[block]); first < len(r.Columns) {
			fetch(&r.Columns[first], &r.Numbers[first])
		}
	}
}

// before returns how many of the columns are below one.
func (r *Row) before(column int) int {
	block := column / listColumns
	if block+1 >= len(r.starts) {
		return len(r.Columns)
	}
	low := int(r.starts[block])
	if column%listColumns == 0 {
		return low
	}
	for high := int(r.starts[block+1]); low < high; {
		if middle := int(uint(low+high) / 2); int(r.Columns[middle]) < column {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// MultiplyRows adds a b to c on the calling goroutine, as Gemm does, for an a of rows and a b in
// rows of whole tiles, as Turned returns it.
func MultiplyRows(a []Row, b, c blas32.General) {
	if len(a) != c.Rows || b.Cols != c.Cols || !WholeTiles(b) {
		panic(fmt.Sprintf("kernel: %d rows times [%d, %d], stride %d, for [%d, %d]", len(a), b.Rows, b.Cols, b.Stride, c.Rows, c.Cols))
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	s.list = grown(s.list, b.Rows)
	for i := range a {
		r := &a[i]
		if i+1 < len(a) {
			a[i+1].fetch(0)
		}
		n := 0
		if r.Columns == nil {
			for j, x := range r.Numbers {
				if x != 0 {
					s.list[n] = entry(x, j*b.Stride)
					n++
				}
			}
		} else {
			list, numbers := s.list[:len(r.Columns)], r.Numbers[:len(r.Columns)]
			for k, j := range r.Columns {
				list[k] = entry(numbers[k], int(j)*b.Stride)
			}
			n = len(list)
		}
		s.gather(c.Data[i*c.Stride:][:c.Cols], s.list[:n], b.Data)
	}
}

// RowsGradient sets the columns of c from one up to another to those of aᵀ b, on the calling
// goroutine, for a b of rows.
func RowsGradient(a blas32.General, b []Row, c blas32.General, from, to int) {
	if len(b) != a.Rows || a.Cols != c.Rows || from < 0 || to > c.Cols {
		panic(fmt.Sprintf("kernel: [%d, %d] (T) times %d rows for columns %d to %d of [%d, %d]", a.Rows, a.Cols, len(b), from, to, c.Rows, c.Cols))
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	width := padded(c.Rows)
	s.turned = grown(s.turned, (to-from)*width)
	clear(s.turned)
	s.rowsGradient(a, b, from, to, s.turned, width)
	transpose(c.Data[from:], c.Stride, s.turned, width, to-from, c.Rows)
}

// RowsGradientTurned sets the rows of c from one up to another to those of aᵀ b, on the calling
// goroutine, for an a of rows.
func RowsGradientTurned(a []Row, b, c blas32.General, from, to int) {
	if len(a) != b.Rows || b.Cols != c.Cols || from < 0 || to > c.Rows {
		panic(fmt.Sprintf("kernel: %d rows (T) times [%d, %d] for rows %d to %d of [%d, %d]", len(a), b.Rows, b.Cols, from, to, c.Rows, c.Cols))
	}
	for i := from; i < to; i++ {
		clear(c.Data[i*c.Stride:][:c.Cols])
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	s.rowsGradient(b, a, from, to, c.Data[from*c.Stride:], c.Stride)
}

// rowsGradient adds to rows of the sum, which begin width numbers apart, for each of the columns
// from up to to of b what of a its numbers multiply.
func (s *scratch) rowsGradient(a blas32.General, b []Row, from, to int, sum []float32, width int) {
	whole := padded(a.Cols)
	for top := 0; top < len(b); top += blockInner {
		rows := b[top:min(top+blockInner, len(b))]
		factor, stride := a.Data[top*a.Stride:], a.Stride
		if whole > a.Cols { // else a row of a ends with a whole tile
			s.other, stride = grown(s.other, blockInner*whole), whole
			for t := range rows {
				copy(s.other[t*whole:][:whole], factor[t*a.Stride:][:a.Cols])
			}
			factor = s.other
		}
		for first := from; first < to; first += listColumns {
			end := min(first+listColumns, to)
			s.turn(rows, first, end, stride)
			part := blas32.General{Rows: end - first, Cols: a.Cols, Stride: width, Data: sum[(first-from)*width:]}
			s.fullColumns(len(rows), part, blas32.General{Rows: len(rows), Cols: a.Cols, Stride: stride, Data: factor})
			for j, n := range s.counts {
				s.gather(part.Data[j*width:][:a.Cols], s.list[j*listRoom:][:n], factor)
			}
		}
	}
}

// Columns of which at least half of a block's numbers are not zero are many times as fast in
// tiles, zeroes and all, if there are enough of them for a tile.
const fewColumns = 6

// fullColumns adds to the rows of sum that belong to columns which are at least half full what
// their lists and the factor, of which all begin at 0, give, and sets their counts to 0.
func (s *scratch) fullColumns(rows int, sum, factor blas32.General) {
	s.full = s.full[:0]
	for j, n := range s.counts {
		if 2*int(n) >= rows {
			s.full = append(s.full, int32(j))
		}
	}
	if len(s.full) < fewColumns {
		return
	}
	s.numbers, s.sums = grown(s.numbers, len(s.full)*rows), grown(s.sums, len(s.full)*sum.Cols)
	clear(s.numbers)
	each := uint64(1<<32/factor.Stride + 1) // a product by it divides by the stride
	for i, j := range s.full {
		column := s.numbers[i*rows:][:rows]
		for _, e := range s.list[int(j)*listRoom:][:s.counts[j]] {
			column[(e>>32)*each>>32] = math.Float32frombits(uint32(e))
		}
		s.counts[j] = 0
		copy(s.sums[i*sum.Cols:][:sum.Cols], sum.Data[int(j)*sum.Stride:])
	}
	s.dense(false, false, blas32.General{Rows: len(s.full), Cols: rows, Stride: rows, Data: s.numbers}, factor,
		blas32.General{Rows: len(s.full), Cols: sum.Cols, Stride: sum.Cols, Data: s.sums}, rows)
	for i, j := range s.full {
		copy(sum.Data[int(j)*sum.Stride:][:sum.Cols], s.sums[i*sum.Cols:])
	}
}

// Lists of columns are made for so many at a time, each with room for a block of rows and a
// little more, so that their heads do not fall on the same lines of a cache.
const (
	listColumns = 256
	listRoom    = blockInner + 8
)

// turn makes the lists of the columns from up to to of some rows: that of column from+j has
// counts[j] entries. Row t multiplies the row at t stride.
func (s *sparse) turn(rows []Row, from, to, stride int) {
	s.counts = grown(s.counts, to-from)
	clear(s.counts)
	s.list = grown(s.list, listRoom*(to-from))
	list, counts := s.list, s.counts // beside the loop, which stores to what they lie in
	for t := range rows {
		r := &rows[t]
		first, end := r.between(from, to)
		if t+2 < len(rows) { // rows lie anywhere, and no processor can foresee where
			rows[t+2].fetch(from)
		}
		if r.Columns == nil {
			for j, x := range r.Numbers[first:end] {
				if x != 0 {
					list[j*listRoom+int(counts[j])] = entry(x, t*stride)
					counts[j]++
				}
			}
			continue
		}
		columns := r.Columns[first:end]
		numbers := r.Numbers[first:end][:len(columns)]
		place := uint64(t*stride) << 32
		for k, column := range columns {
			j := int(column) - from
			n := counts[j]
			list[j*listRoom+int(n)] = uint64(math.Float32bits(numbers[k])) | place
			counts[j] = n + 1
		}
	}
}

// TileColumns returns how many columns of a product are made together.
func TileColumns() int { return shapeFor(maxCols).cols }

// MultiplySome adds a bᵀ to c in the given rows, and in the columns from one up to another, on
// the calling goroutine.
func MultiplySome(a, b, c blas32.General, rows []int32, from, to int) {
	if a.Rows != c.Rows || a.Cols != b.Cols || b.Rows != c.Cols || from < 0 || to > c.Cols {
		panic(fmt.Sprintf("kernel: [%d, %d] times [%d, %d] (T) for columns %d to %d of [%d, %d]", a.Rows, a.Cols, b.Rows, b.Cols, from, to, c.Rows, c.Cols))
	}
	k, cols := a.Cols, to-from
	if cols <= 0 {
		return
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	b = blas32.General{Rows: cols, Cols: k, Stride: b.Stride, Data: b.Data[from*b.Stride:]}
	s.other, s.turned = grown(s.other, blockInner*k), grown(s.turned, blockInner*cols)
	for len(rows) > 0 {
		some := rows[:min(len(rows), blockInner)]
		rows = rows[len(some):]
		for i, row := range some {
			copy(s.other[i*k:][:k], a.Data[int(row)*a.Stride:])
			copy(s.turned[i*cols:][:cols], c.Data[int(row)*c.Stride+from:])
		}
		s.dense(false, true, blas32.General{Rows: len(some), Cols: k, Stride: k, Data: s.other}, b,
			blas32.General{Rows: len(some), Cols: cols, Stride: cols, Data: s.turned}, k)
		for i, row := range some {
			copy(c.Data[int(row)*c.Stride+from:], s.turned[i*cols:][:cols])
		}
	}
}

// Turn writes the columns from up to to of w [rows, cols] to the transpose that Turned has made
// of a matrix of that size.
func Turn(turned blas32.General, w []float32, from, to int) {
	transpose(turned.Data[from*turned.Stride:], turned.Stride, w[from:], turned.Rows, turned.Cols, to-from)
}
