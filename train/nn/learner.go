package nn

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// Learner computes gradients of a network with a gorgonia graph. It belongs to
// one goroutine. The graph reads the network's weights in place, so that a step
// sees what the last one wrote.
type Learner struct {
	net       *network.Network
	batch     *Batch
	objective Objective
	stats     Stats
	out       []float32 // of the heads, in the last run
	gradient  []float32
	ties      *network.Ties // nil without entities
	machine   gorgonia.VM
	// Of a learner that takes rows: how its first layer multiplies them, nil where they have
	// to be written out for it, to wide [size, Inputs].
	rows *rowLayer
	wide []float32
	// heads is nil where all of their outputs are made.
	heads *headLayer
}

// NewLearner builds the graph for batches of up to size rows.
func NewLearner(net *network.Network, size int) (*Learner, error) {
	return newLearner(net, size, false)
}

// NewRowLearner builds the graph for batches of up to size rows, of whose observations what is
// not zero is given (Batch.Seen). It learns the same, bit for bit.
func NewRowLearner(net *network.Network, size int) (*Learner, error) {
	return newLearner(net, size, true)
}

func newLearner(net *network.Network, size int, takesRows bool) (*Learner, error) {
	if size < 1 {
		return nil, fmt.Errorf("nn: batch size is %d, it must be at least 1", size)
	}
	c := net.Config()
	l := &Learner{net: net, batch: newBatch(c, size), gradient: make([]float32, len(net.Weights())), ties: c.Ties()}
	b := &builder{graph: gorgonia.NewGraph(), activation: c.Activation, rows: size}
	first := &net.Layers()[0]
	switch {
	case !takesRows:
		l.batch.Obs = make([]float32, size*c.Inputs)
	case network.ForeignBLAS || len(c.Entities) > 0 || first.Residual:
		l.batch.Seen, l.wide = make([]kernel.Row, size), make([]float32, size*c.Inputs)
	default:
		l.batch.Seen = make([]kernel.Row, size)
		l.rows = &rowLayer{batch: l.batch, turned: kernel.Turned(first.Weight, first.Out, first.In)}
		b.first = l.rows
	}
	if l.heads = newHeadLayer(l.batch, c); l.heads != nil {
		b.heads = l.heads
	}
	var obs *gorgonia.Node
	switch {
	case l.rows != nil: // read beside the graph
		obs = b.input("observations", nil, 1, 1)
	case l.wide != nil:
		obs = b.input("observations", l.wide, size, c.Inputs)
	default:
		obs = b.input("observations", l.batch.Obs, size, c.Inputs)
	}
	out := b.torso(obs, net.Layers(), c.Layers(l.gradient))
	loss := b.loss(l, out)
	if b.err != nil {
		return nil, b.err
	}
	// gorgonia.Grad would do, but hangs a constant that all graphs of the process
	// share into this one.
	one := b.graph.AddNode(gorgonia.NewConstant(float32(1)))
	if _, err := gorgonia.Backpropagate(gorgonia.Nodes{loss}, gorgonia.Nodes{one}, b.parameters); err != nil {
		return nil, fmt.Errorf("nn: graph: %w", err)
	}
	l.machine = gorgonia.NewTapeMachine(b.graph)
	return l, nil
}

// loss adds the objective as one operation: the terms share the softmax, and
// their gradient falls out of the same pass, so that gorgonia's chain of a
// dozen elementwise operations over [rows, Actions] is not needed.
func (b *builder) loss(l *Learner, out *gorgonia.Node) *gorgonia.Node {
	c := l.net.Config()
	grad := newTensor(nil, b.rows, c.Outputs())
	value := gorgonia.NewF32(0)
	forward := &op{name: "loss", dims: []int{2}, result: value, wrt: []bool{true},
		run: func(in [][]float32) {
			l.out = in[0]
			l.stats = l.objective.evaluate(&c, l.batch, in[0], numbers(grad))
			if l.heads != nil {
				l.heads.take(numbers(grad), c.Outputs())
			}
			*value = gorgonia.F32(l.stats.Loss)
		},
	}
	// It is the end of the graph, so that the gradient flowing in is always 1. The
	// loss is an input only to put the gradient behind it in the tape.
	forward.pull = func(_ gorgonia.Nodes, loss, one *gorgonia.Node) (gorgonia.Nodes, error) {
		d := b.apply(&op{name: "loss.dx", dims: []int{0, 0}, result: grad, run: func([][]float32) {}}, loss, one)
		return gorgonia.Nodes{d}, b.err
	}
	return b.apply(forward, out)
}

// Batch returns the batch to be filled before Gradient.
func (l *Learner) Batch() *Batch { return l.batch }

// Gradient runs the graph on the batch and returns the gradient of the loss with
// respect to the flat weights, valid until the next call, which the caller may
// change.
func (l *Learner) Gradient(o Objective) ([]float32, Stats, error) {
	if l.batch.Rows < 1 || l.batch.Rows > len(l.batch.Action) {
		return nil, Stats{}, fmt.Errorf("nn: batch has %d rows, it must have from 1 to %d", l.batch.Rows, len(l.batch.Action))
	}
	l.objective = o
	if l.wide != nil {
		width := l.net.Config().Inputs
		Share(l.batch.Rows, CopyRows, func(_, from, to int) {
			for row := from; row < to; row++ {
				l.batch.Seen[row].Expand(l.wide[row*width:][:width])
			}
		})
	}
	defer l.machine.Reset()
	if err := l.machine.RunAll(); err != nil {
		return nil, Stats{}, fmt.Errorf("nn: learning step: %w", err)
	}
	return l.gradient, l.stats, nil
}

// Step computes the gradient on the batch and lets adam change the weights by
// it.
func (l *Learner) Step(o Objective, adam *Adam, rate, maxNorm float32) (Stats, error) {
	gradient, stats, err := l.Gradient(o)
	if err != nil {
		return stats, err
	}
	if o.ValueHead {
		for _, part := range l.net.Config().Tensors() {
			if !strings.HasPrefix(part.Name, "value.") {
				clear(gradient[part.Offset : part.Offset+part.Size])
			}
		}
	}
	if l.ties != nil {
		l.ties.Gather(gradient)
	}
	stats.GradNorm = adam.Update(l.net.Weights(), gradient, rate, maxNorm)
	if l.ties != nil {
		l.ties.Spread(l.net.Weights())
	}
	return stats, nil
}

// Close frees the machine. The learner must not be used afterwards.
func (l *Learner) Close() error { return l.machine.Close() }
