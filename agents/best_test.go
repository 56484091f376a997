package agents_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
)

// TestBestDrawsAmongEquals counts: three of five actions share the highest score.
func TestBestDrawsAmongEquals(t *testing.T) {
	scores := []int{2, 7, 1, 7, 7}
	counts, rng := make([]int, len(scores)), rand.NewPCG(1, 1)
	const n = 9000
	for range n {
		counts[agents.Best([]engine.Action{0, 1, 2, 3, 4}, rng, func(a engine.Action) int { return scores[a] })]++
	}
	for a, score := range scores {
		want := 0
		if score == 7 {
			want = n / 3
		}
		if counts[a] < want-200 || counts[a] > want+200 || want == 0 && counts[a] > 0 {
			t.Errorf("action %d of score %d is chosen %d of %d times, want about %d", a, score, counts[a], n, want)
		}
	}
}
