package dataset

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// Once its batch has grown, an episode allocates nothing.
func TestEpisodesAllocateNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	for _, c := range []Config{
		{Game: "leduc", Agents: []string{"scripted", "random"}, Episodes: 1},
		{Game: "jogu", Agents: []string{"random"}, Episodes: 1},
		{Game: "leduc", Agents: []string{checkpoint(t, "leduc")}, Episodes: 1, Logits: true},
	} {
		w, err := newPlayer(collector(t, c).plan)
		if err != nil {
			t.Fatal(err)
		}
		var b Batch
		if got := testing.AllocsPerRun(20, func() {
			b.reset()
			if err := w.play(t.Context(), &b, 0); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%s by %s: %v allocations per episode, want none", c.Game, c.Agents[0], got)
		}
	}
}

// BenchmarkCollect plays episodes on one worker; a row is a decision.
func BenchmarkCollect(b *testing.B) {
	for _, game := range []string{"leduc", "jogu"} {
		b.Run(game, func(b *testing.B) {
			w, err := newPlayer(collector(b, Config{Game: game, Agents: []string{"random"}, Episodes: maxEpisodes}).plan)
			if err != nil {
				b.Fatal(err)
			}
			var batch Batch
			rows := 0
			for n := int64(0); b.Loop(); n++ {
				batch.reset()
				if err := w.play(b.Context(), &batch, n); err != nil {
					b.Fatal(err)
				}
				rows += batch.Rows()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
