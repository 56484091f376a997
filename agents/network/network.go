package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"powderkeg/agents/network/kernel"
)

// Network is an architecture and its weights. Forward may run on many
// goroutines at once as long as nobody writes the weights.
type Network struct {
	config  Config
	weights []float32
	layers  []Layer
	watched bool // hidden layers are looked at, since they may overflow
}

// New makes a network with fresh weights: orthogonal matrices with gain √2 in
// the torso, 1 at the value head (0.01 where it has bins) and 0.01 at the policy head, so that the first
// policy is nearly uniform, and biases of 0 (Saxe et al., 2013; Engstrom et al.,
// "Implementation matters in deep policy gradients", 2020).
func New(c Config, rng *rand.PCG) (*Network, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	n := FromWeights(c, make([]float32, c.NumWeights()))
	r := rand.New(rng)
	for _, l := range n.layers[:len(n.layers)-1] {
		orthogonal(l.Weight, l.Out, l.In, math.Sqrt2, r)
		for i := range l.Scale {
			l.Scale[i] = 1
		}
	}
	heads := n.layers[len(n.layers)-1]
	policy := c.Actions * heads.In
	orthogonal(heads.Weight[:policy], c.Actions, heads.In, 0.01, r)
	gain := 1.0
	if c.Bins > 0 { // all bins alike, so that the first values are 0
		gain = 0.01
	}
	orthogonal(heads.Weight[policy:], c.ValueOutputs(), heads.In, gain, r)
	if len(c.Entities) > 0 {
		n.tie(r)
	}
	return n, nil
}

// FromWeights makes a network over weights, which it keeps. It panics if the
// config is invalid or the length is not c.NumWeights().
func FromWeights(c Config, weights []float32) *Network {
	if err := c.Validate(); err != nil {
		panic(err)
	}
	if len(weights) != c.NumWeights() {
		panic(fmt.Sprintf("network: %d weights for a network of %d", len(weights), c.NumWeights()))
	}
	return &Network{config: c, weights: weights, layers: c.Layers(weights)}
}

// Config returns the architecture.
func (n *Network) Config() Config { return n.config }

// Layers returns the hidden layers and, last, the two heads as one, over the weights
// in place.
func (n *Network) Layers() []Layer { return n.layers }

// Weights returns the flat weights in place; Config().Tensors() says what is
// where.
func (n *Network) Weights() []float32 { return n.weights }

// Clone returns a network with weights of its own.
func (n *Network) Clone() *Network {
	return FromWeights(n.config, append([]float32(nil), n.weights...))
}

// Frozen returns a network over the same weights, which from now on nobody may change: it
// keeps them turned round as well, which a row alone is played by several times as fast,
// with the same result, unless matrices are multiplied outside Go. It returns n where that is
// done already.
func (n *Network) Frozen() *Network {
	if n.layers[0].turned.Data != nil {
		return n
	}
	frozen := n.Turned()
	frozen.watched = n.mayOverflow()
	return frozen
}

// Turned returns a network over the same weights that keeps them turned round as well, as a
// frozen one does. Whoever changes weights has it Turn them again before it is used.
func (n *Network) Turned() *Network {
	turned := *n
	if ForeignBLAS {
		return &turned
	}
	turned.layers = slices.Clone(n.layers)
	for i := range turned.layers {
		l := &turned.layers[i]
		l.turned = kernel.Turned(l.Weight, l.Out, l.In)
	}
	return &turned
}

// Turn turns the weights of a network that Turned has returned round again, after a change.
func (n *Network) Turn() {
	for i := range n.layers {
		if l := &n.layers[i]; l.turned.Data != nil {
			kernel.Turn(l.turned, l.Weight, 0, l.In)
		}
	}
}

// Widen returns a network of more inputs, those of n first, that computes the same
// whatever the others are: their weights are 0. It returns false where the first
// layer adds its inputs to its outputs, which ties their numbers together.
func (n *Network) Widen(inputs int) (*Network, bool) {
	c := n.config
	if inputs < c.Inputs {
		panic(fmt.Sprintf("network: widen %d inputs to %d", c.Inputs, inputs))
	}
	c.Inputs = inputs
	weights := make([]float32, c.NumWeights())
	wide := FromWeights(c, weights)
	if n.layers[0].Residual || wide.layers[0].Residual {
		return nil, false
	}
	from := n.config.Tensors()
	for i, to := range c.Tensors() {
		columns := from[i].Shape[len(from[i].Shape)-1]
		stride := to.Shape[len(to.Shape)-1]
		for row := range from[i].Size / columns {
			copy(weights[to.Offset+row*stride:][:columns], n.weights[from[i].Offset+row*columns:])
		}
	}
	return wide, true
}

// orthogonal fills w, shape [rows, cols], with a matrix whose shorter side is
// orthonormal, times gain: modified Gram-Schmidt over normal vectors, which are
// independent with probability 1.
func orthogonal(w []float32, rows, cols int, gain float64, r *rand.Rand) {
	count, length := rows, cols
	if rows > cols {
		count, length = cols, rows
	}
	vectors := make([][]float64, count)
	for i := range vectors {
		v := make([]float64, length)
		for j := range v {
			v[j] = r.NormFloat64()
		}
		for _, u := range vectors[:i] {
			var dot float64
			for j := range v {
				dot += u[j] * v[j]
			}
			for j := range v {
				v[j] -= dot * u[j]
			}
		}
		var norm float64
		for _, x := range v {
			norm += x * x
		}
		norm = math.Sqrt(norm)
		for j := range v {
			v[j] /= norm
		}
		vectors[i] = v
	}
	for i := range rows {
		for j := range cols {
			if rows <= cols {
				w[i*cols+j] = float32(gain * vectors[i][j])
			} else {
				w[i*cols+j] = float32(gain * vectors[j][i])
			}
		}
	}
}
