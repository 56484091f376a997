package env_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// BenchmarkStep plays uniformly random games with the legal list, the mask and
// the observation of every decision.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu", "jogu(first=mibits,second=agents)", "domination", "domination(players=6)"} {
		b.Run("game="+name, func(b *testing.B) {
			g, err := games.New(name)
			if err != nil {
				b.Fatal(err)
			}
			e, err := env.New(g, env.Options{})
			if err != nil {
				b.Fatal(err)
			}
			obs := make([]float32, e.Encoder().Layout().Size)
			mask := make([]uint8, len(g.Spec().Actions))
			rng := rand.NewPCG(1, 2)
			e.Reset(1)
			moves := 0
			b.ReportAllocs()
			for b.Loop() {
				if e.Actor() < 0 {
					moves += e.Moves()
					e.Restart()
				}
				e.Observe(obs, mask)
				legal := e.Legal()
				if err := e.Step(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
