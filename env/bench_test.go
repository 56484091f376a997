package env_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/record"
)

// BenchmarkStep plays uniformly random games: bare, and with the observation and the mask of
// every decision. The rates by processor time hardly depend on what else the machine does.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu", "jogu(first=mibits,second=agents)",
		"domination", "domination(players=6)", "insurgency", "bloc", "minuteman"} {
		for _, look := range []string{"nothing", "both"} {
			b.Run("game="+name+"/look="+look, func(b *testing.B) {
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
				decisions, moves := 0, e.AllMoves()
				b.ReportAllocs()
				start := record.ProcessorSeconds()
				for b.Loop() {
					if e.Actor() < 0 {
						e.Restart()
					}
					if look == "both" {
						e.Observe(obs, mask)
					}
					legal := e.Legal()
					if err := e.Step(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
						b.Fatal(err)
					}
					decisions++
				}
				seconds := record.ProcessorSeconds() - start
				b.ReportMetric(float64(decisions)/seconds, "decisions/cpu-s")
				b.ReportMetric(float64(e.AllMoves()-moves)/seconds, "moves/cpu-s")
			})
		}
	}
}
