package network

import (
	"fmt"

	"powderkeg/agents/network/kernel"
)

// Workspace holds the numbers between the layers of a forward pass. It belongs
// to one goroutine.
type Workspace struct {
	rows   int
	hidden [2][]float32 // [rows, widest layer], input and output by turns
	output []float32    // [rows, Outputs]
	shared []*Shared    // by layer, of nil without entities
	seen   []float32    // [rows, Inputs], of rows that must be written out, nil before

	layers, actions int // of the network
	fault           fault
}

// NewWorkspace returns a workspace for up to rows observations at a time.
func (n *Network) NewWorkspace(rows int) *Workspace {
	widest := 0
	for _, width := range n.config.Hidden {
		widest = max(widest, width)
	}
	w := &Workspace{rows: rows, output: make([]float32, rows*n.config.Outputs()), layers: len(n.layers), actions: n.config.Actions}
	for i := range w.hidden {
		w.hidden[i] = make([]float32, rows*widest)
	}
	for i := range n.layers {
		w.shared = append(w.shared, n.layers[i].NewShared(rows))
	}
	return w
}

// Forward evaluates len(obs)/Inputs observations, obs [rows, Inputs], and
// writes logits [rows, Actions], unmasked, and values [rows, Seats] in the
// actor's perspective (see the package comment). Nothing is allocated. A row's
// result is the same in whatever batch it comes in the pure Go build. It panics
// if the shapes do not fit or rows exceeds the workspace's. Whether its numbers are finite is
// to be asked of the workspace (Workspace.Err) before anything is chosen by them.
func (n *Network) Forward(w *Workspace, obs, logits, values []float32) {
	c := &n.config
	rows := len(obs) / c.Inputs
	if rows*c.Inputs != len(obs) || rows*c.Actions != len(logits) || rows*c.Seats != len(values) || rows > w.rows {
		panic(fmt.Sprintf("network: forward: observations %d, logits %d, values %d for [rows, %d], [rows, %d], [rows, %d] of at most %d rows",
			len(obs), len(logits), len(values), c.Inputs, c.Actions, c.Seats, w.rows))
	}
	n.forward(w, obs, nil, rows, logits, values)
}

// ForwardRows is Forward for observations of which what is not zero is given, with the same
// result.
func (n *Network) ForwardRows(w *Workspace, seen []kernel.Row, logits, values []float32) {
	c := &n.config
	if n.layers[0].takesRows() {
		if rows := len(seen); rows*c.Actions != len(logits) || rows*c.Seats != len(values) || rows > w.rows {
			panic(fmt.Sprintf("network: forward: %d rows, logits %d, values %d for [rows, %d], [rows, %d] of at most %d rows",
				rows, len(logits), len(values), c.Actions, c.Seats, w.rows))
		}
		n.forward(w, nil, seen, len(seen), logits, values)
		return
	}
	if w.seen == nil {
		w.seen = make([]float32, w.rows*c.Inputs)
	}
	for i := range seen {
		seen[i].Expand(w.seen[i*c.Inputs:][:c.Inputs])
	}
	n.Forward(w, w.seen[:len(seen)*c.Inputs], logits, values)
}

// takesRows reports whether a first layer can multiply lists of numbers: it stands turned, and
// neither is what it reads shared nor added to what it gives.
func (l *Layer) takesRows() bool { return l.turned.Data != nil && l.sharing == nil && !l.Residual }

// forward evaluates observations obs, or seen where that is not nil.
func (n *Network) forward(w *Workspace, obs []float32, seen []kernel.Row, rows int, logits, values []float32) {
	c := &n.config
	w.fault.found = false
	x, side := obs, 0
	last := len(n.layers) - 1
	for i := range last {
		l := &n.layers[i]
		y := w.hidden[side][:rows*l.Out]
		if i == 0 && seen != nil {
			AddBias(y, l.Bias)
			kernel.MultiplyRows(seen, l.turned, Matrix(y, rows, l.Out))
		} else {
			l.infer(y, x, rows, w.shared[i])
		}
		if n.watched {
			w.look(y, i, l.Out)
		}
		if l.Scale != nil {
			l.Normalise(y, y, nil, nil)
		}
		c.Activation.Apply(y, y)
		if l.Residual {
			for j, v := range x {
				y[j] += v
			}
		}
		x, side = y, 1-side
	}
	y := w.output[:rows*c.Outputs()]
	n.layers[last].infer(y, x, rows, w.shared[last])
	w.look(y, last, c.Outputs())
	for row := range rows {
		out := y[row*c.Outputs():]
		copy(logits[row*c.Actions:(row+1)*c.Actions], out)
		c.readValues(values[row*c.Seats:(row+1)*c.Seats], out[c.Actions:c.Outputs()])
	}
}
