package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestElementwise holds the results against one number at a time; Adam is held against
// its definition in train/nn.
func TestElementwise(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{0, 1, 7, 8, 9, 64, 75, 200} {
		const rows = 5
		x, dy, many := matrix(r, 1, n, 0.5).Data, matrix(r, 1, n, 1).Data, matrix(r, rows, n, 1)
		y, dx, sum := make([]float32, n), make([]float32, n), make([]float32, n)
		ReLU(y, x)
		ReLUGradient(dx, dy, y)
		SumRows(sum, many.Data, many.Stride)
		for j, v := range x {
			var want, gradient, total float32
			if v > 0 {
				want, gradient = v, dy[j]
			}
			for i := range rows {
				total += many.Data[i*many.Stride+j]
			}
			if math.Float32bits(y[j]) != math.Float32bits(want) || math.Float32bits(dx[j]) != math.Float32bits(gradient) || sum[j] != total {
				t.Fatalf("%d numbers: %v gives %v, gradient %v, sum %v; want %v, %v, %v", n, v, y[j], dx[j], sum[j], want, gradient, total)
			}
		}
	}
}

// TestSumSquares holds the sum against four that are added up one number at a time.
func TestSumSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for n := range 70 {
		x := matrix(r, 1, n, 0.8).Data
		var sums [4]float64
		for i, v := range x {
			sums[i%4] += float64(v) * float64(v)
		}
		if got, want := SumSquares(x), sums[0]+sums[1]+sums[2]+sums[3]; got != want {
			t.Fatalf("%d numbers: %v, want %v", n, got, want)
		}
	}
}
