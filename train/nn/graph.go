package nn

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"powderkeg/agents/network"
)

// builder puts the layers of a network into a graph.
type builder struct {
	graph      *gorgonia.ExprGraph
	activation network.Activation
	rows       int
	parameters gorgonia.Nodes
	first      products // of the first layer where it takes rows, or nil
	heads      products // of the last one where it makes what is needed, or nil
	err        error    // of the first step that failed
}

// input adds a node that is bound to data.
func (b *builder) input(name string, data []float32, shape ...int) *gorgonia.Node {
	return gorgonia.NewTensor(b.graph, gorgonia.Float32, len(shape), gorgonia.WithShape(shape...),
		gorgonia.WithName(name), gorgonia.WithValue(newTensor(data, shape...)))
}

// parameter adds an input that is learned.
func (b *builder) parameter(name string, data []float32, shape ...int) *gorgonia.Node {
	n := b.input(name, data, shape...)
	b.parameters = append(b.parameters, n)
	return n
}

// apply adds an operation unless an earlier step failed.
func (b *builder) apply(o *op, in ...*gorgonia.Node) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	var n *gorgonia.Node
	n, b.err = o.node(in...)
	return n
}

// torso adds the hidden layers and the heads and returns the output of the
// heads, shape [rows, Actions+Seats].
func (b *builder) torso(obs *gorgonia.Node, weights, gradients []network.Layer) *gorgonia.Node {
	x := obs
	last := len(weights) - 1
	for i := range weights {
		name := fmt.Sprintf("torso.%d", i)
		if i == last {
			name = "heads"
		}
		l, g := &weights[i], &gradients[i]
		way := products(plain{l.NewShared(b.rows), b.rows})
		switch {
		case i == 0 && b.first != nil:
			way = b.first
		case i == last && b.heads != nil:
			way = b.heads
		}
		y := b.linear(name, x, l, g, way, i > 0)
		if i < last {
			if l.Scale != nil {
				y = b.normalise(name+".norm", y, l, g)
			}
			y = b.activate(name+".activation", y, l.Out)
		}
		if l.Residual && b.err == nil {
			y, b.err = gorgonia.Add(y, x)
		}
		x = y
	}
	return x
}

// linear adds y = x wᵀ + bias. Its gradients are dx = dy w, where pullInput
// asks for it (the observations need none), dw = dyᵀ x and dbias = Σ dy.
func (b *builder) linear(name string, x *gorgonia.Node, l, g *network.Layer, way products, pullInput bool) *gorgonia.Node {
	w := b.parameter(name+".weight", l.Weight, l.Out, l.In)
	bias := b.parameter(name+".bias", l.Bias, l.Out)
	y := newTensor(nil, b.rows, l.Out)
	forward := &op{name: name, dims: []int{2, 2, 1}, result: y, wrt: []bool{pullInput, true, true},
		run: func(in [][]float32) { way.forward(l, numbers(y), in[0]) },
	}
	forward.pull = func(in gorgonia.Nodes, _, dy *gorgonia.Node) (gorgonia.Nodes, error) {
		out := make(gorgonia.Nodes, 3)
		if pullInput {
			dx := newTensor(nil, b.rows, l.In)
			out[0] = b.apply(&op{name: name + ".dx", dims: []int{2, 2}, result: dx, run: func(in [][]float32) {
				way.inputGradient(l, numbers(dx), in[0])
			}}, dy, in[1])
		}
		out[1] = b.apply(&op{name: name + ".dw", dims: []int{2, 2}, result: newTensor(g.Weight, l.Out, l.In), run: func(in [][]float32) {
			way.weightGradient(g, in[0], in[1])
		}}, dy, in[0])
		out[2] = b.sumRows(name+".dbias", g.Bias, dy)
		return out, b.err
	}
	return b.apply(forward, x, w, bias)
}

// sumRows adds dst = Σ over the rows of dy.
func (b *builder) sumRows(name string, dst []float32, dy *gorgonia.Node) *gorgonia.Node {
	return b.apply(&op{name: name, dims: []int{2}, result: newTensor(dst, len(dst)), run: func(in [][]float32) {
		sumRows(dst, in[0])
	}}, dy)
}

// normalise adds layer normalisation. With u the unit rows, s the scale and
// h = dy s, the gradients are dx = (h - mean(h) - u mean(h u)) / σ,
// dscale = Σ dy u and dshift = Σ dy.
func (b *builder) normalise(name string, x *gorgonia.Node, l, g *network.Layer) *gorgonia.Node {
	scale := b.parameter(name+".weight", l.Scale, l.Out)
	shift := b.parameter(name+".bias", l.Shift, l.Out)
	y := newTensor(nil, b.rows, l.Out)
	unit, inverse := make([]float32, b.rows*l.Out), make([]float32, b.rows)
	forward := &op{name: name, dims: []int{2, 1, 1}, result: y, wrt: []bool{true, true, true},
		run: func(in [][]float32) {
			shareRows(b.rows, l.Out, func(from, to int) {
				at, end := from*l.Out, to*l.Out
				l.Normalise(numbers(y)[at:end], in[0][at:end], unit[at:end], inverse[from:to])
			})
		},
	}
	// Both gradients take the output as an input, although they only read what
	// the forward pass has left beside it: that puts them behind it in the tape.
	forward.pull = func(in gorgonia.Nodes, out, dy *gorgonia.Node) (gorgonia.Nodes, error) {
		dx := newTensor(nil, b.rows, l.Out)
		pullX := b.apply(&op{name: name + ".dx", dims: []int{2, 1, 2}, result: dx, run: func(in [][]float32) {
			shareRows(b.rows, l.Out, func(from, to int) {
				at, end := from*l.Out, to*l.Out
				normPullback(numbers(dx)[at:end], in[0][at:end], in[1], unit[at:end], inverse[from:to])
			})
		}}, dy, in[1], out)
		pullScale := b.apply(&op{name: name + ".dscale", dims: []int{2, 2}, result: newTensor(g.Scale, l.Out), run: func(in [][]float32) {
			clear(g.Scale)
			shareRows(l.Out, b.rows, func(from, to int) {
				for row := range b.rows {
					at := row * l.Out
					for j := from; j < to; j++ {
						g.Scale[j] += in[0][at+j] * unit[at+j]
					}
				}
			})
		}}, dy, out)
		return gorgonia.Nodes{pullX, pullScale, b.sumRows(name+".dshift", g.Shift, dy)}, b.err
	}
	return b.apply(forward, x, scale, shift)
}

// normPullback writes dx of layer normalisation; see builder.normalise.
func normPullback(dx, dy, scale, unit, inverse []float32) {
	width := len(scale)
	for row, inv := range inverse {
		from, to := row*width, (row+1)*width
		d, u, out := dy[from:to], unit[from:to], dx[from:to]
		var sum, product float64
		for j, v := range d {
			h := float64(v) * float64(scale[j])
			sum += h
			product += h * float64(u[j])
		}
		mean, along := float32(sum/float64(width)), float32(product/float64(width))
		for j, v := range d {
			out[j] = (v*scale[j] - mean - u[j]*along) * inv
		}
	}
}

// activate adds y = f(x) elementwise.
func (b *builder) activate(name string, x *gorgonia.Node, width int) *gorgonia.Node {
	y := newTensor(nil, b.rows, width)
	forward := &op{name: name, dims: []int{2}, result: y, wrt: []bool{true},
		run: func(in [][]float32) { activate(b.activation, numbers(y), in[0]) },
	}
	forward.pull = func(_ gorgonia.Nodes, out, dy *gorgonia.Node) (gorgonia.Nodes, error) {
		dx := newTensor(nil, b.rows, width)
		return gorgonia.Nodes{b.apply(&op{name: name + ".dx", dims: []int{2, 2}, result: dx, run: func(in [][]float32) {
			pullback(b.activation, numbers(dx), in[0], in[1])
		}}, dy, out)}, b.err
	}
	return b.apply(forward, x)
}
