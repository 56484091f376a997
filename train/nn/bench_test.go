package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
)

// BenchmarkLearner measures whole learning steps on the yardstick network.
func BenchmarkLearner(b *testing.B) {
	const rows = 1024
	step, done, err := Exercise(Yardstick, rows)
	if err != nil {
		b.Fatal(err)
	}
	defer done()
	b.ReportAllocs()
	for b.Loop() {
		if err := step(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
}

// BenchmarkForward measures inference on one goroutine, of the network that learns and of
// a frozen one: a row is dense or, as observations mostly are, nine tenths zero.
func BenchmarkForward(b *testing.B) {
	learns, err := network.New(Yardstick, rand.NewPCG(1, 1))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("learns", func(b *testing.B) { forward(b, learns) })
	b.Run("frozen", func(b *testing.B) { forward(b, learns.Frozen()) })
}

func forward(b *testing.B, n *network.Network) {
	for _, rows := range []int{1, 16, 256} {
		for _, density := range []float64{1, 0.1} {
			b.Run(fmt.Sprintf("rows=%d/density=%v", rows, density), func(b *testing.B) {
				w := n.NewWorkspace(rows)
				obs, logits, values := make([]float32, rows*512), make([]float32, rows*512), make([]float32, rows*2)
				r := rand.New(rand.NewPCG(1, 1))
				for i := range obs {
					if r.Float64() < density {
						obs[i] = r.Float32()
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					n.Forward(w, obs, logits, values)
				}
				b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

// BenchmarkProduct measures the products of a layer on one goroutine, by the matrix
// library of the build: with the tags purego or openblas, by another one. Layers are
// rows x inputs x outputs; a density of 0.1 is that of observations.
func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range []struct {
		rows, in, out int
		density       float64
	}{
		{1, 580, 256, 1}, {1, 580, 256, 0.1}, {1, 256, 256, 0.5}, {64, 580, 128, 0.1}, {64, 256, 256, 0.5},
		{1024, 580, 128, 1}, {1024, 580, 128, 0.1}, {1024, 256, 256, 0.5}, {4096, 2000, 256, 1}, {4096, 2000, 256, 0.1},
	} {
		matrix := func(rows, cols int, density float64) blas32.General {
			m := network.Matrix(make([]float32, rows*cols), rows, cols)
			for i := range m.Data {
				if r.Float64() < density {
					m.Data[i] = float32(r.NormFloat64())
				}
			}
			return m
		}
		x, w, y := matrix(size.rows, size.in, size.density), matrix(size.out, size.in, 1), matrix(size.rows, size.out, 1)
		into := matrix(size.rows, size.in, 1)
		for _, form := range []struct {
			name    string
			ta, tb  blas.Transpose
			a, b, c blas32.General
		}{
			{"forward", blas.NoTrans, blas.Trans, x, w, y},
			{"weights", blas.Trans, blas.NoTrans, y, x, w},
			{"inputs", blas.NoTrans, blas.NoTrans, y, w, into},
		} {
			if form.name != "forward" && (size.rows < 1024 || form.name == "inputs" && size.density != 0.5) {
				continue // what a layer behind observations, or in play, does not do
			}
			b.Run(fmt.Sprintf("%s/%dx%dx%d/density=%v", form.name, size.rows, size.in, size.out, size.density), func(b *testing.B) {
				for b.Loop() {
					clear(form.c.Data)
					network.Multiply(form.ta, form.tb, form.a, form.b, form.c)
				}
				b.ReportMetric(2e-9*float64(size.rows*size.in*size.out)*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
			})
		}
	}
}
