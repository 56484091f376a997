package kernel

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// A shape is that of the tiles of c that a product goes through, along inner of the inner
// index at a time: the panel of b that a tile needs is packed, 16 or 24 KiB, and stays in the
// first cache while blockRows rows of a pass it, which stay in the second until the next
// panel.
type shape struct{ rows, cols, inner int }

// narrow is the shape of AVX and of plain Go; AVX-512 has its own, see shapeFor.
var narrow = shape{rows: 6, cols: 16, inner: 256}

const (
	blockRows  = 384
	blockInner = 256 // of products by lists, and the most of a shape
	maxRows    = 12
	maxCols    = 32
)

// scratch is what a product packs its factors into.
type scratch struct {
	panel [blockInner * maxCols]float32
	edge  [maxRows * maxCols]float32 // a tile that reaches over the last column
	sparse
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

// Gemm adds op(a) op(b) to c on the calling goroutine, where op transposes if its flag
// says so; not both may. Nothing is allocated once the package has grown its buffers. It
// panics if the shapes do not fit.
func Gemm(ta, tb blas.Transpose, a, b, c blas32.General) {
	inner := check(ta, tb, a, b, c)
	if c.Rows == 0 || c.Cols == 0 || inner == 0 {
		return
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	switch {
	case tb == blas.Trans && c.Rows == 1:
		s.row(c.Data[:c.Cols], a.Data[:inner], b)
	case tb == blas.Trans && c.Rows >= sparseRows && mostlyZero(a):
		s.sparseLeft(a, b, c)
	case ta == blas.NoTrans && tb == blas.NoTrans && WholeTiles(b) && (c.Rows < fewRows || mostlyZero(a)):
		s.sparseTurned(a, b, c)
	case ta == blas.Trans && mostlyZero(b):
		s.sparseRight(a, b, c)
	default:
		s.dense(ta == blas.Trans, tb == blas.Trans, a, b, c, inner)
	}
}

// check returns the length of the inner index.
func check(ta, tb blas.Transpose, a, b, c blas32.General) (inner int) {
	rows, inner := a.Rows, a.Cols
	if ta == blas.Trans {
		rows, inner = inner, rows
	}
	other, cols := b.Rows, b.Cols
	if tb == blas.Trans {
		other, cols = cols, other
	}
	if ta == blas.Trans && tb == blas.Trans || rows != c.Rows || cols != c.Cols || inner != other {
		panic(fmt.Sprintf("kernel: [%d, %d] (%c) times [%d, %d] (%c) for [%d, %d]", a.Rows, a.Cols, ta, b.Rows, b.Cols, tb, c.Rows, c.Cols))
	}
	for _, m := range []blas32.General{a, b, c} {
		if m.Rows > 0 && m.Cols > 0 && (m.Stride < m.Cols || len(m.Data) < (m.Rows-1)*m.Stride+m.Cols) {
			panic(fmt.Sprintf("kernel: %d numbers with stride %d for [%d, %d]", len(m.Data), m.Stride, m.Rows, m.Cols))
		}
	}
	return inner
}

func (s *scratch) dense(ta, tb bool, a, b, c blas32.General, inner int) {
	aRow, aStep := a.Stride, 1
	if ta {
		aRow, aStep = 1, a.Stride
	}
	for top := 0; top < c.Rows; top += blockRows {
		bottom := min(top+blockRows, c.Rows)
		for from, along := 0, shapeFor(c.Cols).inner; from < inner; from += along {
			k := min(along, inner-from)
			for left, cols := 0, 0; left < c.Cols; left += cols {
				tiles := shapeFor(c.Cols - left)
				cols = min(tiles.cols, c.Cols-left)
				s.pack(tiles, tb, b, from, k, left, cols)
				for i := top; i < bottom; i += tiles.rows {
					rows := min(tiles.rows, bottom-i)
					part := a.Data[i*aRow+from*aStep:]
					if cols == tiles.cols {
						tiles.tile(rows, c.Data[i*c.Stride+left:], c.Stride, part, aRow, aStep, s.panel[:], k)
						continue
					}
					s.edgeTile(tiles, rows, cols, c.Data[i*c.Stride+left:], c.Stride, part, aRow, aStep, k)
				}
			}
		}
	}
}

// pack fills the panel [k, cols of the shape] with columns of op(b), and zeroes beside them.
func (s *scratch) pack(tiles shape, tb bool, b blas32.General, from, k, left, cols int) {
	if tb {
		if cols < tiles.cols {
			clear(s.panel[:k*tiles.cols])
		}
		transpose(s.panel[:], tiles.cols, b.Data[left*b.Stride+from:], b.Stride, cols, k)
		return
	}
	rows := b.Data[from*b.Stride+left:]
	if cols == tiles.cols {
		copyColumns(s.panel[:], rows, cols, b.Stride, k)
		return
	}
	for t := range k {
		into := s.panel[t*tiles.cols:][:tiles.cols]
		clear(into[copy(into, rows[t*b.Stride:][:cols]):])
	}
}

// edgeTile is a tile of fewer columns than the shape has.
func (s *scratch) edgeTile(tiles shape, rows, cols int, c []float32, cStride int, a []float32, aRow, aStep, k int) {
	for i := range rows {
		copy(s.edge[i*tiles.cols:], c[i*cStride:i*cStride+cols])
	}
	tiles.tile(rows, s.edge[:], tiles.cols, a, aRow, aStep, s.panel[:], k)
	for i := range rows {
		copy(c[i*cStride:i*cStride+cols], s.edge[i*tiles.cols:])
	}
}
