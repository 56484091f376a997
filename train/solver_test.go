package train

import (
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/train/solve"
)

// TestLearnersApproachTheEquilibriumOfKuhn: both algorithms through what the command
// "solve" runs, for a few seconds.
func TestLearnersApproachTheEquilibriumOfKuhn(t *testing.T) {
	skipRaces(t)
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	whole := tree(t, g)
	for _, a := range []struct {
		learning Learning
		most     float64 // about twice of what several seeds came to
	}{{PPO, 0.25}, {MMD, 0.25}} {
		learner, err := NewSolver(whole, a.learning, 60, 1)
		if err != nil {
			t.Fatal(err)
		}
		_, points, err := solve.Follow(t.Context(), whole, learner, solve.Schedule{Iterations: 60, Every: 30}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := learner.Close(); err != nil {
			t.Error(err)
		}
		if len(points) != 2 || points[1].Iteration != 60 {
			t.Fatalf("%s was evaluated %d times, want after 30 and 60 updates", a.learning, len(points))
		}
		t.Logf("%s: exploitability %.3f after 30 updates, %.3f after 60", a.learning, points[0].Exploitability, points[1].Exploitability)
		if points[1].Exploitability > a.most { // uniform play has 0.458
			t.Errorf("%s: exploitability %.3f, want at most %.2f", a.learning, points[1].Exploitability, a.most)
		}
	}
}

// TestUnknownLearningsAreRefused names those that there are.
func TestUnknownLearningsAreRefused(t *testing.T) {
	if _, err := forSolving("kuhn", "nfsp", 10, 1); err == nil || !strings.Contains(err.Error(), "ppo, mmd") {
		t.Errorf("an unknown algorithm is refused with %v, want the known ones named", err)
	}
}
