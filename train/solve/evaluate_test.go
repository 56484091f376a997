package solve_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/train/solve"
)

// build makes the tree of a game by name.
func build(t testing.TB, name string) *solve.Tree {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return buildGame(t, g)
}

func buildGame(t testing.TB, g engine.Game) *solve.Tree {
	t.Helper()
	tree, err := solve.Build(context.Background(), g, solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// randomPolicy draws every distribution anew, some of them with zeroes.
func randomPolicy(t testing.TB, tree *solve.Tree, seed uint64) *solve.Policy {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	p, err := tree.Policy(func(_ []solve.InfoState, probabilities [][]float64) error {
		for _, row := range probabilities {
			sum := 0.0
			for k := range row {
				row[k] = max(0, rng.Float64()-0.3)
				sum += row[k]
			}
			if sum == 0 {
				row[rng.IntN(len(row))], sum = 1, 1
			}
			for k := range row {
				row[k] /= sum
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// near demands two numbers to agree but for rounding.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// TestAgainstTheSlowTwin compares values and best responses of random policies.
func TestAgainstTheSlowTwin(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		tree := build(t, name)
		for seed := range uint64(3) {
			p := randomPolicy(t, tree, seed)
			e := tree.Evaluate(p)
			w := slow{tree.Game(), behaviourOf(t, tree, p)}
			for i, want := range w.values(tree.Game().New()) {
				near(t, fmt.Sprintf("%s, policy %d, value of seat %d", name, seed, i), e.Values[i], want)
				near(t, fmt.Sprintf("%s, policy %d, best response of seat %d", name, seed, i), e.Responses[i], w.response(engine.Player(i)))
			}
			near(t, fmt.Sprintf("%s, policy %d, NashConv", name, seed), e.NashConv, e.Responses[0]-e.Values[0]+e.Responses[1]-e.Values[1])
			near(t, fmt.Sprintf("%s, policy %d, exploitability", name, seed), e.Exploitability, e.NashConv/2)
		}
	}
}

// TestBestResponseReachesItsValue evaluates the policy that is said to be the best
// response.
func TestBestResponseReachesItsValue(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		tree := build(t, name)
		p := randomPolicy(t, tree, 7)
		for seat := range engine.Player(2) {
			value, response := tree.BestResponse(p, seat)
			near(t, fmt.Sprintf("%s: value of seat %d's best response", name, seat), tree.Values(response)[seat], value)
			if gain := tree.Evaluate(response).Responses[seat]; math.Abs(gain-value) > 1e-12 {
				t.Errorf("%s: seat %d can still better its best response from %g to %g", name, seat, value, gain)
			}
		}
	}
}

// OpenSpiel's NashConv of uniform play at Leduc is 4.747222, its exploitability at
// Kuhn 0.458333 (the first iteration of its CFR).
func TestUniformPlay(t *testing.T) {
	for name, want := range map[string]float64{"kuhn": 0.458333, "leduc": 4.747222 / 2} {
		tree := build(t, name)
		if got := tree.Evaluate(tree.Uniform()).Exploitability; math.Abs(got-want) > 1e-6 {
			t.Errorf("exploitability of uniform play at %s is %.7f, want %.6f", name, got, want)
		}
	}
}
