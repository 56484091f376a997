package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestExp holds powers against math.Exp, also where vectors leave one to it.
func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 708, -708, 708.5, -708.5,
		709.78, 709.79, -744, -746, 1e-300, -1e300}
	for n := range 3000 {
		x := make([]float64, n%70)
		for i := range x {
			if x[i] = r.NormFloat64() * 20; n%3 == 0 && r.IntN(20) == 0 {
				x[i] = odd[r.IntN(len(odd))]
			}
		}
		y := slices.Clone(x)
		Exp(y, y)
		for i := range x {
			if want := math.Exp(x[i]); math.Float64bits(y[i]) != math.Float64bits(want) && want == want {
				t.Fatalf("number %d of %d: e to the %v is %v, want %v", i, len(x), x[i], y[i], want)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for n := range 2000 {
		mask := make([]uint8, n%(Most+1))
		var want []int32
		for i := range mask {
			if r.IntN(10) <= n%11 {
				mask[i] = uint8(1 + r.IntN(255))
				want = append(want, int32(i))
			}
		}
		var list [Most]int32
		if got := list[:Places(&list, mask)]; !slices.Equal(got, want) {
			t.Fatalf("%v has %v, want %v", mask, got, want)
		}
	}
}
