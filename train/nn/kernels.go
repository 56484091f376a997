package nn

import (
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// sharedRows is the least number of rows or columns of a product that a goroutine is
// started for, and shareUnit what a share is a multiple of: the width of the kernels'
// tiles.
const (
	sharedRows = 16
	shareUnit  = 16
)

// gemm adds op(a) op(b) to c, shared out among as many goroutines as there are
// processors, each for some rows of c; of a gradient by weights, aᵀ b, each for some
// columns, since there b is long and each goroutine prepares what it reads of it.
func gemm(ta, tb blas.Transpose, a, b, c blas32.General) {
	columns := ta == blas.Trans
	size := c.Rows
	if columns {
		size = c.Cols
	}
	parts := min(runtime.GOMAXPROCS(0), size/sharedRows)
	if parts < 2 {
		network.Multiply(ta, tb, a, b, c)
		return
	}
	edge := func(part int) int {
		if part == parts {
			return size
		}
		return part * size / parts / shareUnit * shareUnit
	}
	share := func(part int) {
		from, to := edge(part), edge(part+1)
		if columns {
			network.Multiply(ta, tb, a, band(b, true, from, to), band(c, true, from, to))
			return
		}
		network.Multiply(ta, tb, band(a, false, from, to), b, band(c, false, from, to))
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
func linear(l *network.Layer, shared *network.Shared, y, x []float32, rows int) {
	if shared != nil {
		shared.Forward(l, y, x, rows, gemm)
		return
	}
	network.AddBias(y, l.Bias)
	gemm(blas.NoTrans, blas.Trans, network.Matrix(x, rows, l.In), network.Matrix(l.Weight, l.Out, l.In), network.Matrix(y, rows, l.Out))
}

// inputGradient sets dx = dy w.
func inputGradient(l *network.Layer, shared *network.Shared, dx, dy []float32, rows int) {
	if shared != nil {
		shared.InputGradient(l, dx, dy, rows, gemm)
		return
	}
	clear(dx)
	gemm(blas.NoTrans, blas.NoTrans, network.Matrix(dy, rows, l.Out), network.Matrix(l.Weight, l.Out, l.In), network.Matrix(dx, rows, l.In))
}

// weightGradient sets g.Weight = dyᵀ x.
func weightGradient(g *network.Layer, shared *network.Shared, dy, x []float32, rows int) {
	if shared != nil {
		shared.WeightGradient(g, dy, x, rows, gemm)
		return
	}
	clear(g.Weight)
	gemm(blas.Trans, blas.NoTrans, network.Matrix(dy, rows, g.Out), network.Matrix(x, rows, g.In), network.Matrix(g.Weight, g.Out, g.In))
}

// pullback sets dx = dy f'(x), where y = f(x).
func pullback(a network.Activation, dx, dy, y []float32) {
	if a == network.Tanh {
		for i, v := range y {
			dx[i] = dy[i] * (1 - v*v)
		}
		return
	}
	kernel.ReLUGradient(dx, dy, y)
}
