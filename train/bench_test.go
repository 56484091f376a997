package train

import "testing"

// BenchmarkUpdate measures whole updates, play and learning together.
func BenchmarkUpdate(b *testing.B) {
	for _, game := range []string{"connect4", "jogu"} {
		b.Run("game="+game, func(b *testing.B) {
			c := Default()
			c.Game, c.Envs = game, 128
			r := trainer(b, c)
			updates(b, r, 1) // the first one touches fresh memory
			b.ReportAllocs()
			for b.Loop() {
				updates(b, r, 1)
			}
			b.ReportMetric(float64(c.Envs*c.Steps)*float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
