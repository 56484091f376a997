package network

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network/kernel"
)

// Layer is one layer over its part of some flat slice, the weights or their
// gradients.
type Layer struct {
	In, Out  int
	Weight   []float32 // [Out, In]
	Bias     []float32 // [Out]
	Scale    []float32 // [Out], nil without normalisation
	Shift    []float32 // [Out], nil without normalisation
	Residual bool      // the inputs are added to the outputs

	turned  blas32.General // Weight's transpose, in a frozen network
	sharing *sharing       // nil without entities
}

// Layers cuts flat, which has NumWeights numbers, into the hidden layers and, last,
// the two heads as one.
func (c Config) Layers(flat []float32) []Layer {
	take := func(n int) []float32 {
		part := flat[:n:n]
		flat = flat[n:]
		return part
	}
	var list []Layer
	in := c.Inputs
	for _, width := range c.Hidden {
		l := Layer{In: in, Out: width, Residual: c.Residual && in == width}
		l.Weight, l.Bias = take(width*in), take(width)
		if c.LayerNorm {
			l.Scale, l.Shift = take(width), take(width)
		}
		list = append(list, l)
		in = width
	}
	heads := Layer{In: in, Out: c.Outputs()}
	heads.Weight, heads.Bias = take(heads.Out*in), take(heads.Out)
	list = append(list, heads)
	for i := range list {
		if l, last := &list[i], i == len(list)-1; len(c.Entities) > 0 {
			l.sharing = &sharing{entities: c.Entities, heads: last, first: i == 0, below: l.In, plain: l.Out}
			if i > 0 {
				l.sharing.below = c.trunk(l.In)
			}
			if !last {
				l.sharing.plain = c.trunk(l.Out)
			}
			if i == 0 {
				l.sharing.columns = c.columns()
			}
		}
	}
	return list
}

// normEpsilon keeps layer normalisation finite on constant rows (torch's
// default).
const normEpsilon = 1e-5

// Matrix wraps row-major numbers for Multiply.
func Matrix(data []float32, rows, cols int) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// AddBias sets y[i][j] = bias[j] for every row, so that a multiplication can
// add to it.
func AddBias(y, bias []float32) {
	for len(y) > 0 {
		copy(y, bias)
		y = y[len(bias):]
	}
}

// infer sets y = x wᵀ + bias on one goroutine, without allocations.
func (l *Layer) infer(y, x []float32, rows int, shared *Shared) {
	if shared != nil {
		shared.Forward(l, y, x, rows, Multiply)
		return
	}
	AddBias(y, l.Bias)
	if l.turned.Data != nil {
		Multiply(blas.NoTrans, blas.NoTrans, Matrix(x, rows, l.In), l.turned, Matrix(y, rows, l.Out))
		return
	}
	Multiply(blas.NoTrans, blas.Trans, Matrix(x, rows, l.In), Matrix(l.Weight, l.Out, l.In), Matrix(y, rows, l.Out))
}

// Normalise sets each row of y to (x - mean) / sqrt(variance + ε), scaled and
// shifted. If inverse is not nil it receives 1/sqrt(variance + ε) of each row,
// and unit the rows before scaling; y and x may be the same.
func (l *Layer) Normalise(y, x, unit, inverse []float32) {
	width := l.Out
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
			out[j] = u*l.Scale[j] + l.Shift[j]
		}
		if inverse != nil {
			inverse[row] = inv
		}
	}
}

// Apply sets y = f(x); the two may be the same.
func (a Activation) Apply(y, x []float32) {
	if a == Tanh {
		for i, v := range x {
			y[i] = float32(math.Tanh(float64(v)))
		}
		return
	}
	kernel.ReLU(y, x)
}
