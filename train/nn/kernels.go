package nn

import (
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
)

// sharedRows is the least number of rows of a product that a goroutine is
// started for.
const sharedRows = 16

// gemm sets c = op(a) op(b) + beta c. OpenBLAS, which is kept to one thread, is
// called by as many goroutines as there are processors, each for some rows of c;
// gonum does the like by itself.
func gemm(ta, tb blas.Transpose, a, b blas32.General, beta float32, c blas32.General) {
	parts := min(runtime.GOMAXPROCS(0), c.Rows/sharedRows)
	if !network.ForeignBLAS || parts < 2 {
		blas32.Gemm(ta, tb, 1, a, b, beta, c)
		return
	}
	share := func(part int) {
		from, to := part*c.Rows/parts, (part+1)*c.Rows/parts
		blas32.Gemm(ta, tb, 1, band(a, ta == blas.Trans, from, to), b, beta, band(c, false, from, to))
	}
	var others sync.WaitGroup
	for part := 1; part < parts; part++ {
		others.Go(func() { share(part) })
	}
	share(0)
	others.Wait()
}

// band returns the rows from up to to of a matrix, or the columns.
func band(m blas32.General, columns bool, from, to int) blas32.General {
	if columns {
		return blas32.General{Rows: m.Rows, Cols: to - from, Stride: m.Stride, Data: m.Data[from:]}
	}
	return blas32.General{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}

// linear sets y = x wᵀ + bias, with x [rows, in] and y [rows, out].
func linear(l *network.Layer, y, x []float32, rows int) {
	network.AddBias(y, l.Bias)
	gemm(blas.NoTrans, blas.Trans, network.Matrix(x, rows, l.In), network.Matrix(l.Weight, l.Out, l.In), 1, network.Matrix(y, rows, l.Out))
}

// pullback sets dx = dy f'(x), where y = f(x).
func pullback(a network.Activation, dx, dy, y []float32) {
	if a == network.Tanh {
		for i, v := range y {
			dx[i] = dy[i] * (1 - v*v)
		}
		return
	}
	// y is +0 or above it. Whether a unit is on cannot be predicted, so a mask
	// instead of a branch, which took nearly a fifth of a learning step.
	for i, v := range y {
		on := math.Float32bits(v)
		on = uint32(-int32((on | -on) >> 31)) // all ones unless v is +0
		dx[i] = math.Float32frombits(math.Float32bits(dy[i]) & on)
	}
}
