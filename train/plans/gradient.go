package plans

import (
	"slices"

	"gonum.org/v1/gonum/blas"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// tape computes a network with one output of each head and the gradient of any function of its
// outputs, on one goroutine. It keeps its memory, which is as much as the most rows so far need.
type tape struct {
	layers []network.Layer // of the weights
	slopes []network.Layer // of their gradient
	hidden [][]float32     // behind each layer, [rows, Out]
	back   [2][]float32
}

// on returns a tape of a network that adds to a gradient, nil if none is asked for. It goes on
// with the memory of t, which may be nil.
func (t *tape) on(net *network.Network, gradient []float32) *tape {
	if t == nil {
		t = &tape{hidden: make([][]float32, len(net.Config().Hidden)+1)}
	}
	if t.layers = net.Config().Layers(net.Weights()); gradient != nil {
		t.slopes = net.Config().Layers(gradient)
	}
	return t
}

// forward returns both heads of each row, [rows, 2], valid until the next call.
func (t *tape) forward(x []float32, rows int) []float32 {
	for i := range t.layers {
		l := &t.layers[i]
		t.hidden[i] = slices.Grow(t.hidden[i][:0], rows*l.Out)[:rows*l.Out]
		y := t.hidden[i]
		network.AddBias(y, l.Bias)
		network.Multiply(blas.NoTrans, blas.Trans, network.Matrix(x, rows, l.In), network.Matrix(l.Weight, l.Out, l.In), network.Matrix(y, rows, l.Out))
		if i < len(t.layers)-1 {
			kernel.ReLU(y, y)
		}
		x = y
	}
	return x
}

// backward adds the gradient, where slope, [rows, 2], is that of the outputs which forward
// returned for x.
func (t *tape) backward(x, slope []float32, rows int) {
	dy, side := slope, 0
	for i := len(t.layers) - 1; i >= 0; i-- {
		l, s := &t.layers[i], &t.slopes[i]
		below := x
		if i > 0 {
			below = t.hidden[i-1]
		}
		kernel.SumRows(s.Bias, dy, l.Out)
		network.Multiply(blas.Trans, blas.NoTrans,
			network.Matrix(dy, rows, l.Out), network.Matrix(below, rows, l.In), network.Matrix(s.Weight, l.Out, l.In))
		if i == 0 {
			return
		}
		t.back[side] = slices.Grow(t.back[side][:0], rows*l.In)[:rows*l.In]
		dx := t.back[side]
		clear(dx)
		network.Multiply(blas.NoTrans, blas.NoTrans, network.Matrix(dy, rows, l.Out), network.Matrix(l.Weight, l.Out, l.In), network.Matrix(dx, rows, l.In))
		kernel.ReLUGradient(dx, dx, below)
		dy, side = dx, 1-side
	}
}
