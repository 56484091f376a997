package network

import (
	"errors"
	"fmt"
	"math"
)

// ErrNotFinite is wrapped by errors about networks whose numbers are infinite or none at all, by
// which nothing can be chosen.
var ErrNotFinite = errors.New("not finite")

// Finite fails if a weight is infinite or none, which it names as a checkpoint does.
func (n *Network) Finite() error {
	if notFinite(n.weights) < 0 {
		return nil
	}
	for _, t := range n.config.Tensors() {
		part := n.weights[t.Offset : t.Offset+t.Size]
		if i := notFinite(part); i >= 0 {
			return fmt.Errorf("%w: tensor %s: number %d of %v is %v", ErrNotFinite, t.Name, i, t.Shape, part[i])
		}
	}
	return nil
}

// notFinite returns the place of the first number that is infinite or none, -1 without one.
func notFinite(x []float32) int {
	const exponent = 0xff << 23 // all its bits are set in both kinds alone
	for i, v := range x {
		if math.Float32bits(v)&exponent == exponent {
			return i
		}
	}
	return -1
}

// fault is what a forward pass came upon that was not finite.
type fault struct {
	layer, at int // of the last layer, the heads, at is the place in the row
	number    float32
	found     bool
}

// look keeps the first number of y, the rows of a layer, that is not finite.
func (w *Workspace) look(y []float32, layer, width int) {
	if w.fault.found {
		return
	}
	if i := notFinite(y); i >= 0 {
		w.fault = fault{layer, i % width, y[i], true}
	}
}

// Err says why nothing may be chosen by what the last Forward found, nil if all of it was
// finite. Hidden layers are watched in networks from files whose weights let them overflow:
// what is none can be 0 behind an activation, and look sound.
func (w *Workspace) Err() error {
	f := &w.fault
	switch {
	case !f.found:
		return nil
	case f.layer < w.layers-1:
		return fmt.Errorf("%w: layer %d gives %v as number %d", ErrNotFinite, f.layer, f.number, f.at)
	case f.at < w.actions:
		return fmt.Errorf("%w: the logit of action %d is %v", ErrNotFinite, f.at, f.number)
	}
	return fmt.Errorf("%w: value %d is %v", ErrNotFinite, f.at-w.actions, f.number)
}

// mostObserved is more than any number of an observation.
const mostObserved = 1 << 20

// mayOverflow says whether a hidden layer may give a number that is not finite, whatever is
// observed: each is bounded by the sum of what its weights make of the bounds below it.
func (n *Network) mayOverflow() bool {
	const most = math.MaxFloat32 / 2
	below := float64(mostObserved)
	for i := range n.layers[:len(n.layers)-1] {
		l := &n.layers[i]
		own := 0.0
		for row := range l.Out {
			sum := math.Abs(float64(l.Bias[row]))
			for _, v := range l.Weight[row*l.In : (row+1)*l.In] {
				sum += math.Abs(float64(v)) * below
			}
			own = max(own, sum)
		}
		if !(own < most) {
			return true
		}
		if l.Scale != nil {
			own = 0
			for j, s := range l.Scale {
				own = max(own, math.Abs(float64(s))*math.Sqrt(float64(l.Out))+math.Abs(float64(l.Shift[j])))
			}
		}
		if n.config.Activation == Tanh {
			own = 1
		}
		if l.Residual {
			own += below
		}
		if !(own < most) {
			return true
		}
		below = own
	}
	return false
}
