package nn

import (
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// normEpsilon keeps layer normalisation finite on constant rows (torch's
// default).
const normEpsilon = 1e-5

// matrix wraps row-major numbers for blas32.
func matrix(data []float32, rows, cols int) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// sharedRows is the least number of rows of a product that a goroutine is
// started for.
const sharedRows = 16

// gemm sets c = op(a) op(b) + beta c. OpenBLAS, which is kept to one thread, is
// called by as many goroutines as there are processors, each for some rows of c;
// gonum does the like by itself.
func gemm(ta, tb blas.Transpose, a, b blas32.General, beta float32, c blas32.General) {
	parts := min(runtime.GOMAXPROCS(0), c.Rows/sharedRows)
	if !foreignBLAS || parts < 2 {
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

// addBias sets y[i][j] = bias[j] for every row, so that a multiplication can
// add to it.
func addBias(y, bias []float32) {
	for len(y) > 0 {
		copy(y, bias)
		y = y[len(bias):]
	}
}

// linear sets y = x wᵀ + bias, with x [rows, in] and y [rows, out].
func (l *layer) linear(y, x []float32, rows int) {
	addBias(y, l.bias)
	gemm(blas.NoTrans, blas.Trans, matrix(x, rows, l.in), matrix(l.weight, l.out, l.in), 1, matrix(y, rows, l.out))
}

// normalise sets each row of y to (x - mean) / sqrt(variance + ε), scaled and
// shifted. If inverse is not nil it receives 1/sqrt(variance + ε) of each row,
// and unit the rows before scaling; y and x may be the same.
func (l *layer) normalise(y, x, unit, inverse []float32) {
	width := l.out
	for row := 0; row*width < len(x); row++ {
		in, out := x[row*width:(row+1)*width], y[row*width:(row+1)*width]
		var sum, squares float64
		for _, v := range in {
			sum += float64(v)
		}
		mean := sum / float64(width)
		for _, v := range in {
			squares += (float64(v) - mean) * (float64(v) - mean)
		}
		inv := float32(1 / math.Sqrt(squares/float64(width)+normEpsilon))
		center := float32(mean)
		for j, v := range in {
			u := (v - center) * inv
			if inverse != nil {
				unit[row*width+j] = u
			}
			out[j] = u*l.scale[j] + l.shift[j]
		}
		if inverse != nil {
			inverse[row] = inv
		}
	}
}

// apply sets y = f(x); the two may be the same.
func (a Activation) apply(y, x []float32) {
	if a == Tanh {
		for i, v := range x {
			y[i] = float32(math.Tanh(float64(v)))
		}
		return
	}
	for i, v := range x {
		y[i] = max(v, 0)
	}
}

// pullback sets dx = dy f'(x), where y = f(x).
func (a Activation) pullback(dx, dy, y []float32) {
	if a == Tanh {
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
