package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/agents/network"
)

// BenchmarkLearner measures whole learning steps on the yardstick network.
func BenchmarkLearner(b *testing.B) {
	const rows = 1024
	step, done, err := trainer(Yardstick, rows)
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

// BenchmarkForward measures inference on one goroutine: a row is dense or, as
// observations mostly are, nine tenths zero.
func BenchmarkForward(b *testing.B) {
	n, err := network.New(Yardstick, rand.NewPCG(1, 1))
	if err != nil {
		b.Fatal(err)
	}
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
