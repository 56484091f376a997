package values

import (
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
	"powderkeg/train/nn"
)

// parts is into how many parts a minibatch is cut, whose gradients are added up in their order:
// the result does not depend on the processors that share them.
const parts = 4

// net is a network that learns from lists. Its weights stand as those of the architecture, but
// that the first matrix is turned, [inputs, hidden], so that a list gathers its rows.
type net struct {
	config  network.Config
	flat    []float32
	first   int // numbers of the first matrix
	width   int // of the first layer
	layers  []network.Layer
	adam    *nn.Adam
	workers int
	parts   [parts]*part
}

func newNet(c network.Config, seed uint64, workers int) (*net, error) {
	start, err := network.New(c, rand.NewPCG(seed, 0x76616c))
	if err != nil {
		return nil, err
	}
	n := &net{config: c, flat: make([]float32, c.NumWeights()), first: c.Inputs * c.Hidden[0], width: c.Hidden[0], workers: workers}
	n.layers = c.Layers(n.flat)
	n.adam = nn.NewAdam(len(n.flat))
	copy(n.flat, start.Weights())
	turn(n.flat[:n.first], start.Weights()[:n.first], n.width, c.Inputs)
	for i := range n.parts {
		n.parts[i] = newPart(n)
	}
	return n, nil
}

// turn writes the transpose of a matrix [rows, cols] to dst.
func turn(dst, m []float32, rows, cols int) {
	for i := range rows {
		for j, x := range m[i*cols : (i+1)*cols] {
			dst[j*rows+i] = x
		}
	}
}

// network returns the network as any other.
func (n *net) network() *network.Network {
	weights := append([]float32(nil), n.flat...)
	turn(weights[:n.first], n.flat[:n.first], n.config.Inputs, n.width)
	return network.FromWeights(n.config, weights)
}

// part works on a part of a batch, with a gradient of its own.
type part struct {
	net       *net
	gradient  []float32
	layers    []network.Layer // over the gradient
	positions int             // that a batch has
	lists     []uint64
	moments   []listed
	values    [][]float32 // by layer, [positions, width], the last one of the heads
	errors    [][]float32
	view      view
	told      []float32
	wrong     []float32 // gradients by what was told
	base      []float32 // of the first layer
}

// listed is a moment of a batch: its list, its first position, and how its outcomes stand.
type listed struct {
	number   int // what the caller calls it
	from, to int // of the base
	first    int // position
	came     int
	outcomes []outcome // in lists
	ply      int
}

// mostPositions bounds those of a batch: an event of chance has at most mostOutcomes.
const mostPositions = 512

// hiddenUnit is what the first layer must be a multiple of.
const hiddenUnit = kernel.GatherUnit

func newPart(n *net) *part {
	p := &part{net: n, gradient: make([]float32, len(n.flat))}
	p.layers = n.config.Layers(p.gradient)
	for _, l := range p.layers {
		p.values = append(p.values, make([]float32, mostPositions*l.Out))
		p.errors = append(p.errors, make([]float32, mostPositions*l.Out))
	}
	p.told, p.wrong = make([]float32, mostOutcomes*n.config.Seats), make([]float32, mostOutcomes*n.config.Seats)
	p.base = make([]float32, n.width)
	return p
}

// lesson says what to make of a moment: told are the values [outcomes, seats] of an event of
// chance, of any other moment [1, seats]. It writes to errors the gradients of the loss by them,
// if there are any to be learned from.
type lesson func(part int, m *listed, told, errors []float32)

// run shows moments of a store to the network. Those that are learned from change the gradients.
func (n *net) run(s *Store, moments []int32, learn bool, f lesson) {
	var waiting sync.WaitGroup
	tickets := make(chan struct{}, max(1, n.workers))
	for i := range parts {
		tickets <- struct{}{}
		waiting.Go(func() {
			from, to := i*len(moments)/parts, (i+1)*len(moments)/parts
			n.parts[i].run(s, i, moments[from:to], from, learn, f)
			<-tickets
		})
	}
	waiting.Wait()
}

func (p *part) run(s *Store, number int, moments []int32, offset int, learn bool, f lesson) {
	if learn {
		clear(p.gradient)
	}
	p.begin()
	for i, m := range moments {
		s.look(int(m), p.net.width, &p.view)
		if p.positions+max(1, len(p.view.outcomes)) > mostPositions {
			p.batch(number, learn, f)
		}
		p.add(offset + i)
	}
	p.batch(number, learn, f)
}

func (p *part) begin() { p.positions, p.lists, p.moments = 0, p.lists[:0], p.moments[:0] }

// add adds the moment of p.view to the batch. The first layer of each outcome is that of what
// was before it and what is new.
func (p *part) add(number int) {
	n, v := p.net, &p.view
	if len(p.moments) < cap(p.moments) {
		p.moments = p.moments[:len(p.moments)+1]
	} else {
		p.moments = append(p.moments, listed{})
	}
	m := &p.moments[len(p.moments)-1]
	m.number, m.ply, m.came, m.first, m.from = number, v.ply, v.came, p.positions, len(p.lists)
	p.lists = append(p.lists, v.base...)
	m.to = len(p.lists)
	p.lists = append(p.lists, v.after...)
	copy(p.base, n.layers[0].Bias)
	kernel.Gather(p.base, p.lists[m.from:m.to], n.flat[:n.first])
	m.outcomes = m.outcomes[:0]
	for _, o := range v.outcomes {
		o.from, o.to = o.from+m.to, o.to+m.to
		o.returns = append([]float32(nil), o.returns...) // the view's is used again
		m.outcomes = append(m.outcomes, o)
		if !o.over {
			kernel.Gather(p.position(p.base), p.lists[o.from:o.to], n.flat[:n.first])
		}
	}
	if len(m.outcomes) == 0 {
		p.position(p.base)
	}
}

// position adds a position with that first layer, and returns it to be changed.
func (p *part) position(first []float32) []float32 {
	z := p.values[0][p.positions*len(first):][:len(first)]
	copy(z, first)
	p.positions++
	return z
}

// batch evaluates what was added, hands it over, and learns from it.
func (p *part) batch(number int, learn bool, f lesson) {
	if p.positions > 0 {
		p.forward()
	}
	last := len(p.values) - 1
	seats, width := p.net.config.Seats, p.net.config.Outputs()
	if learn {
		clear(p.errors[last][:p.positions*width])
	}
	for i := range p.moments {
		m := &p.moments[i]
		rows := max(1, len(m.outcomes))
		told, errs := p.told[:rows*seats], p.wrong[:rows*seats]
		clear(errs)
		k := m.first
		for row := range rows {
			if len(m.outcomes) > 0 && m.outcomes[row].over {
				copy(told[row*seats:], m.outcomes[row].returns)
				continue
			}
			copy(told[row*seats:][:seats], p.values[last][k*width+p.net.config.Actions:])
			k++
		}
		f(number, m, told, errs)
		if !learn {
			continue
		}
		k = m.first
		for row := range rows {
			if len(m.outcomes) > 0 && m.outcomes[row].over {
				continue
			}
			copy(p.errors[last][k*width+p.net.config.Actions:][:seats], errs[row*seats:])
			k++
		}
	}
	if learn && p.positions > 0 {
		p.backward()
	}
	p.begin()
}

func matrix(data []float32, rows, cols int) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: data[:rows*cols]}
}

func (p *part) forward() {
	rows := p.positions
	x := p.values[0][:rows*p.net.width]
	kernel.ReLU(x, x)
	for i := 1; i < len(p.net.layers); i++ {
		l := &p.net.layers[i]
		y := p.values[i][:rows*l.Out]
		network.AddBias(y, l.Bias)
		kernel.Gemm(blas.NoTrans, blas.Trans, matrix(x, rows, l.In), matrix(l.Weight, l.Out, l.In), matrix(y, rows, l.Out))
		if i < len(p.net.layers)-1 {
			kernel.ReLU(y, y)
		}
		x = y
	}
}

// backward adds to the gradient what the errors of the heads make.
func (p *part) backward() {
	rows := p.positions
	for i := len(p.layers) - 1; i > 0; i-- {
		l, g := &p.net.layers[i], &p.layers[i]
		dy, x, dx := p.errors[i][:rows*l.Out], p.values[i-1][:rows*l.In], p.errors[i-1][:rows*l.In]
		kernel.Gemm(blas.Trans, blas.NoTrans, matrix(dy, rows, l.Out), matrix(x, rows, l.In), matrix(g.Weight, l.Out, l.In))
		kernel.SumRows(g.Bias, dy, l.Out)
		clear(dx)
		kernel.Gemm(blas.NoTrans, blas.NoTrans, matrix(dy, rows, l.Out), matrix(l.Weight, l.Out, l.In), matrix(dx, rows, l.In))
		kernel.ReLUGradient(dx, dx, x)
	}
	n := p.net
	dz := p.errors[0][:rows*n.width]
	kernel.SumRows(p.layers[0].Bias, dz, n.width)
	for i := range p.moments {
		m := &p.moments[i]
		if len(m.outcomes) == 0 {
			p.scatter(p.lists[m.from:m.to], dz[m.first*n.width:][:n.width])
			continue
		}
		clear(p.base)
		k := m.first
		for j := range m.outcomes {
			o := &m.outcomes[j]
			if o.over {
				continue
			}
			row := dz[k*n.width:][:n.width]
			p.scatter(p.lists[o.from:o.to], row)
			axpy(1, row, p.base)
			k++
		}
		p.scatter(p.lists[m.from:m.to], p.base)
	}
}

// scatter adds a row to those of the first matrix's gradient that a list names.
func (p *part) scatter(list []uint64, row []float32) {
	for _, e := range list {
		x, at := kernel.Parts(e)
		axpy(x, row, p.gradient[at:][:len(row)])
	}
}

func axpy(a float32, x, y []float32) {
	blas32.Axpy(a, blas32.Vector{N: len(x), Inc: 1, Data: x}, blas32.Vector{N: len(y), Inc: 1, Data: y})
}

// step changes the weights by the gradients of the last run, all of them shrinking by decay.
func (n *net) step(rate, decay float32) {
	sum := n.parts[0].gradient
	for _, p := range n.parts[1:] {
		axpy(1, p.gradient, sum)
	}
	if decay > 0 {
		blas32.Scal(1-rate*decay, blas32.Vector{N: len(n.flat), Inc: 1, Data: n.flat})
	}
	n.adam.Update(n.flat, sum, rate, 0)
}
