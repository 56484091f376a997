package enginetest

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// Margins plays so many games of each string at random and fails the test where the margins
// of a position break the contract of engine.Marginal, or are the same in all.
func Margins(t testing.TB, games int, texts ...string) {
	t.Helper()
	demand.That(t, games > 0, "games is %d: it must be 1 or more, those played of each game string", games)
	demand.That(t, len(texts) > 0, "texts is empty: there must be a game string or more")
	seen := map[float32]bool{}
	for _, text := range texts {
		playMargins(t, text, games, seen)
	}
	if len(seen) < 3 {
		t.Errorf("margins are never but %v", seen)
	}
}

func playMargins(t testing.TB, text string, games int, seen map[float32]bool) {
	t.Helper()
	g := Game(t, text)
	rng := rand.NewPCG(4, uint64(g.Spec().Seats))
	for range games {
		s, ok := g.New().(engine.Marginal)
		demand.That(t, ok, "%s: %T has no margins: it must be an engine.Marginal", text, g.New())
		look := func() []float32 {
			margins := s.Margins(nil)
			if len(margins) != g.Spec().Seats {
				t.Fatalf("%s: %d seats have margins %v", text, g.Spec().Seats, margins)
			}
			for _, m := range margins {
				if !(m >= -1 && m <= 1) {
					t.Fatalf("%s: margins are %v", text, margins)
				}
				seen[m] = true
			}
			return margins
		}
		demand.Play(t, g, s, rng, func() { look() })
		agree(t, text, s.Returns(nil), look())
	}
}

// agree fails the test where margins at the end of a game contradict its returns.
func agree(t testing.TB, text string, returns, margins []float32) {
	t.Helper()
	for i, r := range returns {
		if r > 0 && margins[i] < 0 {
			t.Fatalf("%s: returns are %v and margins %v", text, returns, margins)
		}
		for j := range returns {
			if r < returns[j] && margins[i] >= margins[j] {
				t.Fatalf("%s: returns are %v and margins %v", text, returns, margins)
			}
		}
	}
}
