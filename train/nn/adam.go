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
	squares := sumSquares(gradient)
	norm := math.Sqrt(squares)
	scale := float32(1)
	if maxNorm > 0 && norm > float64(maxNorm) {
		scale = float32(float64(maxNorm) / norm)
	}
	a.Steps++
	b1, b2 := float32(a.Beta1), float32(a.Beta2)
	// m̂ = m/(1-β₁ᵗ) and √v̂ = √v/√(1-β₂ᵗ), with both corrections in the factors.
	first := float64(rate) / (1 - math.Pow(a.Beta1, float64(a.Steps)))
	root := 1 / math.Sqrt(1-math.Pow(a.Beta2, float64(a.Steps)))
	kernel.Adam(weights, gradient, a.First, a.Second, &kernel.AdamFactors{
		Scale: scale, Decay1: b1, Rest1: 1 - b1, Decay2: b2, Rest2: 1 - b2,
		Rate: float32(first), Correct: float32(root), Epsilon: float32(a.Epsilon),
	})
	return norm
}

// sumSquares adds up four numbers in turn, so that an addition need not wait for the
// one before it.
func sumSquares(x []float32) float64 {
	var sums [4]float64
	for ; len(x) >= 4; x = x[4:] {
		for j, v := range (*[4]float32)(x) {
			sums[j] += float64(v) * float64(v)
		}
	}
	for j, v := range x {
		sums[j] += float64(v) * float64(v)
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}
