package nn

import (
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// rowLayer is the first layer over observations of which what is not zero is given: its weights
// are turned round once a step for all goroutines, and nobody looks for zeroes.
type rowLayer struct {
	batch  *Batch // whose Seen are the inputs
	turned blas32.General
}

// rowsEach is how many rows a goroutine should have to multiply, and columnsEach of how many
// columns it should look for what stands in them.
const (
	rowsEach    = 16
	columnsEach = 256
)

// forward is of the rows of the batch; the others stay as they are.
func (r *rowLayer) forward(l *network.Layer, y, _ []float32) {
	shareOut(l.In, rowsEach, func(from, to int) { kernel.Turn(r.turned, l.Weight, from, to) })
	shareOut(r.batch.Rows, rowsEach, func(from, to int) {
		part := y[from*l.Out : to*l.Out]
		network.AddBias(part, l.Bias)
		kernel.MultiplyRows(r.batch.Seen[from:to], r.turned, network.Matrix(part, to-from, l.Out))
	})
}

func (r *rowLayer) inputGradient(*network.Layer, []float32, []float32) {
	panic("nn: nothing is learned by observations")
}

func (r *rowLayer) weightGradient(g *network.Layer, dy, _ []float32) {
	rows := r.batch.Rows
	a, c := network.Matrix(dy[:rows*g.Out], rows, g.Out), network.Matrix(g.Weight, g.Out, g.In)
	shareOut(g.In, columnsEach, func(from, to int) { kernel.RowsGradient(a, r.batch.Seen[:rows], c, from, to) })
}
