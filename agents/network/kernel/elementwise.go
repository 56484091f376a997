package kernel

import "math"

// SumRows adds the first len(sum) numbers of each row to sum, in the order of the rows, which
// begin stride numbers apart.
func SumRows(sum, rows []float32, stride int) {
	if len(sum) == 0 || len(rows) < len(sum) {
		return
	}
	n := (len(rows)-len(sum))/stride + 1
	done := sumRows(sum, rows, stride, n)
	for i := range n {
		for j, v := range rows[i*stride:][done:len(sum)] {
			sum[done+j] += v
		}
	}
}

// SumSquares returns the sum of the squares of x, added up in four sums by turns, so that an
// addition need not wait for the one before it. Squares of a float32 are exact.
func SumSquares(x []float32) float64 {
	var sums [4]float64
	x = x[sumSquares(&sums, x):]
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3] // an array would be in memory
	for ; len(x) >= 4; x = x[4:] {
		v := (*[4]float32)(x)
		v0, v1, v2, v3 := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
		s0 += v0 * v0
		s1 += v1 * v1
		s2 += v2 * v2
		s3 += v3 * v3
	}
	sums = [4]float64{s0, s1, s2, s3}
	for j, v := range x {
		sums[j] += float64(v) * float64(v)
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// ReLU sets y = max(x, +0); the two may be the same, and are as long.
func ReLU(y, x []float32) {
	y = y[:len(x)]
	done := relu(y, x)
	for i, v := range x[done:] {
		y[done+i] = max(v, 0)
	}
}

// ReLUGradient sets dx = dy where y, which ReLU gave, is not 0, and +0 elsewhere. All are
// as long.
func ReLUGradient(dx, dy, y []float32) {
	dx, dy = dx[:len(y)], dy[:len(y)]
	for i := reluGradient(dx, dy, y); i < len(y); i++ {
		// Whether a unit is on cannot be predicted, so a mask instead of a branch.
		on := math.Float32bits(y[i]) << 1
		on = uint32(-int32((on | -on) >> 31))
		dx[i] = math.Float32frombits(math.Float32bits(dy[i]) & on)
	}
}

// AdamFactors are those of a step of Adam. The assembly reads them in their order.
type AdamFactors struct {
	Scale            float32 // of the gradient
	Decay1, Rest1    float32 // β₁, 1-β₁
	Decay2, Rest2    float32 // β₂, 1-β₂
	Rate             float32 // learning rate over 1-β₁ᵗ
	Correct, Epsilon float32 // 1/√(1-β₂ᵗ), ε
}

// Adam moves the weights w by the gradient g and the means m of g and v of g². All are as
// long. With g' = Scale g it sets
//
//	m = Decay1 m + Rest1 g'
//	v = Decay2 v + Rest2 g'²
//	w = w - Rate m / (Correct √v + Epsilon)
func Adam(w, g, m, v []float32, f *AdamFactors) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	for i := adam(w, g, m, v, f); i < len(w); i++ {
		x := g[i] * f.Scale
		m[i] = float32(f.Decay1*m[i]) + float32(f.Rest1*x)
		v[i] = float32(f.Decay2*v[i]) + float32(float32(f.Rest2*x)*x)
		root := float32(math.Sqrt(float64(v[i])))
		w[i] -= float32(f.Rate*m[i]) / (float32(root*f.Correct) + f.Epsilon)
	}
}
