package nn

import "math"

// Adam is the optimiser of Kingma and Ba ("Adam: a method for stochastic
// optimization", 2015, algorithm 1). Its exported fields are its whole state.
type Adam struct {
	Beta1, Beta2, Epsilon float64
	// Steps counts the updates. First and Second are the running means of the
	// gradient and of its square, as long as the weights.
	Steps         int64
	First, Second []float32
}

// NewAdam returns an optimiser for n weights with β = (0.9, 0.999) and
// ε = 1e-5, the ε of the PPO reference implementation.
func NewAdam(n int) *Adam {
	return &Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-5, First: make([]float32, n), Second: make([]float32, n)}
}

// Reset forgets all updates, as if the optimiser were new.
func (a *Adam) Reset() {
	a.Steps = 0
	clear(a.First)
	clear(a.Second)
}

// Update changes the weights by one step at the given learning rate. A gradient
// longer than maxNorm (if that is above 0) is shortened to it first. It returns
// the norm that the gradient had.
func (a *Adam) Update(weights, gradient []float32, rate, maxNorm float32) float64 {
	var squares float64
	for _, g := range gradient {
		squares += float64(g) * float64(g)
	}
	norm := math.Sqrt(squares)
	scale := float32(1)
	if maxNorm > 0 && norm > float64(maxNorm) {
		scale = float32(float64(maxNorm) / norm)
	}
	a.Steps++
	// m̂ = m/(1-β₁ᵗ) and √v̂ = √v/√(1-β₂ᵗ), with both corrections in the factors.
	first := float64(rate) / (1 - math.Pow(a.Beta1, float64(a.Steps)))
	root := 1 / math.Sqrt(1-math.Pow(a.Beta2, float64(a.Steps)))
	b1, b2, eps := float32(a.Beta1), float32(a.Beta2), float32(a.Epsilon)
	step, correct := float32(first), float32(root)
	m, v := a.First[:len(weights)], a.Second[:len(weights)]
	for i, g := range gradient[:len(weights)] {
		g *= scale
		mi := b1*m[i] + (1-b1)*g
		vi := b2*v[i] + (1-b2)*g*g
		m[i], v[i] = mi, vi
		weights[i] -= step * mi / (float32(math.Sqrt(float64(vi)))*correct + eps)
	}
	return norm
}
