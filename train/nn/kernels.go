package nn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// shareUnit is what a share of a product, or of its columns, is a multiple of: the width of the
// kernels' tiles.
const shareUnit = 16

// gemm adds op(a) op(b) to c, shared out by rows of c; of a gradient by weights, aᵀ b, by
// columns, since there b is long and each goroutine prepares what it reads of it.
func gemm(ta, tb blas.Transpose, a, b, c blas32.General) {
	if ta == blas.Trans {
		Share(c.Cols, shareUnit, func(_, from, to int) {
			network.Multiply(ta, tb, a, band(b, true, from, to), band(c, true, from, to))
		})
		return
	}
	Share(c.Rows, shareUnit, func(_, from, to int) {
		network.Multiply(ta, tb, band(a, false, from, to), b, band(c, false, from, to))
	})
}

// band returns the rows from up to to of a matrix, or the columns.
func band(m blas32.General, columns bool, from, to int) blas32.General {
	if columns {
		return blas32.General{Rows: m.Rows, Cols: to - from, Stride: m.Stride, Data: m.Data[from:]}
	}
	return blas32.General{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}

// products are the ways to make those of a layer: y = x wᵀ + bias, dx = dy w and
// g.Weight = dyᵀ x, with x [rows, in] and y [rows, out].
type products interface {
	forward(l *network.Layer, y, x []float32)
	inputGradient(l *network.Layer, dx, dy []float32)
	weightGradient(g *network.Layer, dy, x []float32)
}

// plain are products of all numbers of so many rows.
type plain struct {
	shared *network.Shared // nil without entities
	rows   int
}

func (p plain) forward(l *network.Layer, y, x []float32) {
	rows := p.rows
	if p.shared != nil {
		p.shared.Forward(l, y, x, rows, gemm)
		return
	}
	// One goroutine does all that a row needs: to begin and to wait costs more than to set rows.
	w := network.Matrix(l.Weight, l.Out, l.In)
	Share(rows, shareUnit, func(_, from, to int) {
		part := y[from*l.Out : to*l.Out]
		network.AddBias(part, l.Bias)
		network.Multiply(blas.NoTrans, blas.Trans, network.Matrix(x[from*l.In:to*l.In], to-from, l.In), w, network.Matrix(part, to-from, l.Out))
	})
}

func (p plain) inputGradient(l *network.Layer, dx, dy []float32) {
	rows := p.rows
	if p.shared != nil {
		p.shared.InputGradient(l, dx, dy, rows, gemm)
		return
	}
	w := network.Matrix(l.Weight, l.Out, l.In)
	Share(rows, shareUnit, func(_, from, to int) {
		part := dx[from*l.In : to*l.In]
		clear(part)
		network.Multiply(blas.NoTrans, blas.NoTrans, network.Matrix(dy[from*l.Out:to*l.Out], to-from, l.Out), w, network.Matrix(part, to-from, l.In))
	})
}

func (p plain) weightGradient(g *network.Layer, dy, x []float32) {
	rows := p.rows
	if p.shared != nil {
		p.shared.WeightGradient(g, dy, x, rows, gemm)
		return
	}
	a, b, c := network.Matrix(dy, rows, g.Out), network.Matrix(x, rows, g.In), network.Matrix(g.Weight, g.Out, g.In)
	Share(g.In, shareUnit, func(_, from, to int) {
		for i := range g.Out {
			clear(g.Weight[i*g.In+from : i*g.In+to])
		}
		network.Multiply(blas.Trans, blas.NoTrans, a, band(b, true, from, to), band(c, true, from, to))
	})
}

// activate sets y = f(x).
func activate(a network.Activation, y, x []float32) {
	shareRows(len(x), 1, func(from, to int) { a.Apply(y[from:to], x[from:to]) })
}

// pullback sets dx = dy f'(x), where y = f(x).
func pullback(a network.Activation, dx, dy, y []float32) {
	shareRows(len(y), 1, func(from, to int) {
		dx, dy, y := dx[from:to], dy[from:to], y[from:to]
		if a == network.Tanh {
			for i, v := range y {
				dx[i] = dy[i] * (1 - v*v)
			}
			return
		}
		kernel.ReLUGradient(dx, dy, y)
	})
}

// sumRows sets sum to the sum of rows [n, len(sum)], each column added up in their order.
func sumRows(sum, rows []float32) {
	width := len(sum)
	clear(sum)
	Share(width, shareUnit, func(_, from, to int) { kernel.SumRows(sum[from:to], rows[from:], width) })
}
