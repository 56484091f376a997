package nn

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// Workspace holds the numbers between the layers of a forward pass. It belongs
// to one goroutine.
type Workspace struct {
	rows   int
	hidden [2][]float32 // [rows, widest layer], input and output by turns
	output []float32    // [rows, Actions+Seats]
}

// NewWorkspace returns a workspace for up to rows observations at a time.
func (n *Network) NewWorkspace(rows int) *Workspace {
	widest := 0
	for _, width := range n.config.Hidden {
		widest = max(widest, width)
	}
	w := &Workspace{rows: rows, output: make([]float32, rows*n.config.outputs())}
	for i := range w.hidden {
		w.hidden[i] = make([]float32, rows*widest)
	}
	return w
}

// Forward evaluates len(obs)/Inputs observations, obs [rows, Inputs], and
// writes logits [rows, Actions], unmasked, and values [rows, Seats] in the
// actor's perspective (see the package comment). Nothing is allocated. A row's
// result is the same in whatever batch it comes in the pure Go build. It panics
// if the shapes do not fit or rows exceeds the workspace's.
func (n *Network) Forward(w *Workspace, obs, logits, values []float32) {
	c := &n.config
	rows := len(obs) / c.Inputs
	if rows*c.Inputs != len(obs) || rows*c.Actions != len(logits) || rows*c.Seats != len(values) || rows > w.rows {
		panic(fmt.Sprintf("nn: forward: observations %d, logits %d, values %d for [rows, %d], [rows, %d], [rows, %d] of at most %d rows",
			len(obs), len(logits), len(values), c.Inputs, c.Actions, c.Seats, w.rows))
	}
	x, side := obs, 0
	last := len(n.layers) - 1
	for i := range last {
		l := &n.layers[i]
		y := w.hidden[side][:rows*l.out]
		l.infer(y, x, rows)
		if l.scale != nil {
			l.normalise(y, y, nil, nil)
		}
		c.Activation.apply(y, y)
		if l.residual {
			for j, v := range x {
				y[j] += v
			}
		}
		x, side = y, 1-side
	}
	y := w.output[:rows*c.outputs()]
	n.layers[last].infer(y, x, rows)
	for row := range rows {
		out := y[row*c.outputs():]
		copy(logits[row*c.Actions:(row+1)*c.Actions], out)
		copy(values[row*c.Seats:(row+1)*c.Seats], out[c.Actions:])
	}
}

// tileRows and tileCols keep a tile of the result below the four 64×64 blocks
// from which gonum's Sgemm on starts goroutines: workers already run beside
// each other, and starting goroutines allocates.
const tileRows, tileCols = 64, 192

// infer is linear on one goroutine, without allocations.
func (l *layer) infer(y, x []float32, rows int) {
	addBias(y, l.bias)
	if foreignBLAS {
		blas32.Gemm(blas.NoTrans, blas.Trans, 1, matrix(x, rows, l.in), matrix(l.weight, l.out, l.in), 1, matrix(y, rows, l.out))
		return
	}
	for r := 0; r < rows; r += tileRows {
		m := min(tileRows, rows-r)
		a := matrix(x[r*l.in:(r+m)*l.in], m, l.in)
		for c := 0; c < l.out; c += tileCols {
			k := min(tileCols, l.out-c)
			b := matrix(l.weight[c*l.in:(c+k)*l.in], k, l.in)
			out := blas32.General{Rows: m, Cols: k, Stride: l.out, Data: y[r*l.out+c : (r+m-1)*l.out+c+k]}
			blas32.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 1, out)
		}
	}
}
