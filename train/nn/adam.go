package nn

import (
	"math"

	"powderkeg/agents/network/kernel"
)

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
	// The order of the sums, on one processor, is part of what is learned.
	norm := math.Sqrt(kernel.SumSquares(gradient))
	scale := float32(1)
	if maxNorm > 0 && norm > float64(maxNorm) {
		scale = float32(float64(maxNorm) / norm)
	}
	a.Steps++
	b1, b2 := float32(a.Beta1), float32(a.Beta2)
	// m̂ = m/(1-β₁ᵗ) and √v̂ = √v/√(1-β₂ᵗ), with both corrections in the factors.
	first := float64(rate) / (1 - math.Pow(a.Beta1, float64(a.Steps)))
	root := 1 / math.Sqrt(1-math.Pow(a.Beta2, float64(a.Steps)))
	factors := &kernel.AdamFactors{
		Scale: scale, Decay1: b1, Rest1: 1 - b1, Decay2: b2, Rest2: 1 - b2,
		Rate: float32(first), Correct: float32(root), Epsilon: float32(a.Epsilon),
	}
	shareRows(len(weights), 1, func(from, to int) {
		kernel.Adam(weights[from:to], gradient[from:to], a.First[from:to], a.Second[from:to], factors)
	})
	return norm
}

// Move moves numbers w a share of the way to others, as many, on all processors: w + share (to - w).
func Move(w, to []float32, share float32) {
	shareRows(len(w), 1, func(from, end int) {
		to := to[from:end]
		for i, x := range w[from:end] {
			w[from+i] = x + share*(to[i]-x)
		}
	})
}

// Follow counts weights into their running mean after the given number of steps, at least 1, of
// which each but the last has been counted in: decay, below 1, is how much of the mean stays. The
// mean of the first steps is over all of them alike, so that what the mean began with is soon forgotten.
func Follow(mean, weights []float32, decay float64, steps int64) {
	Move(mean, weights, float32(1-min(decay, float64(steps)/float64(steps+9))))
}
