package kernel

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
)

// BenchmarkRows measures the products of a first layer over observations as those of Insurgency:
// of 1,804 numbers 240 are hardly ever zero, and a twentieth of the others is not.
func BenchmarkRows(b *testing.B) {
	const rows, in, out = 512, 1804, 256
	r := rand.New(rand.NewPCG(1, 1))
	seen, x := make([]Row, rows), make([]float32, in)
	for i := range seen {
		for j := range x {
			density := 0.04
			if j%180 < 24 {
				density = 0.95
			}
			if x[j] = 0; r.Float64() < density {
				x[j] = r.Float32()
			}
		}
		seen[i].Set(x)
	}
	w := Turned(matrix(r, 1, in*out, 1).Data, out, in)
	y, g := matrix(r, rows, out, 1), blas32.General{Rows: out, Cols: in, Stride: in, Data: make([]float32, in*out)}
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			MultiplyRows(seen, w, y)
		}
	})
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			RowsGradient(y, seen, g, 0, in)
		}
	})
}
