package solve_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// trees holds those of the games by name, which nothing changes.
var trees = map[string]*solve.Tree{}

// build makes the tree of a game by name.
func build(t testing.TB, name string) *solve.Tree {
	t.Helper()
	if trees[name] == nil {
		trees[name] = buildGame(t, enginetest.Game(t, name))
	}
	return trees[name]
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
	for _, g := range []engine.Game{enginetest.Game(t, "kuhn"), enginetest.Game(t, "leduc"), kuhnFor(3), signals(), oddOneOut(), prisoners()} {
		tree := buildGame(t, g)
		for seed := range uint64(3) {
			name := fmt.Sprintf("%s, policy %d", g.Spec().Text, seed)
			p := randomPolicy(t, tree, seed)
			e := tree.Evaluate(p)
			w := slow{g, behaviourOf(t, tree, p)}
			conv := 0.0
			for i, want := range w.values(g.New()) {
				near(t, fmt.Sprintf("%s: value of seat %d", name, i), e.Values[i], want)
				response := w.response(engine.Player(i))
				near(t, fmt.Sprintf("%s: best response of seat %d", name, i), e.Responses[i], response)
				conv += response - want
			}
			near(t, name+": NashConv", e.NashConv, conv)
			if g.Spec().Payoff == engine.ZeroSum {
				near(t, name+": exploitability", e.Exploitability, conv/float64(tree.Seats()))
			} else if !math.IsNaN(e.Exploitability) {
				t.Errorf("%s: exploitability is %g, want none: the game is not zero-sum", name, e.Exploitability)
			}
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

// policyOf gives every information state the distribution found by its key.
func policyOf(t testing.TB, tree *solve.Tree, byKey behaviour) *solve.Policy {
	t.Helper()
	p, err := tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			copy(probabilities[i], byKey[s.Key])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestByHand evaluates games small enough to do so on paper.
func TestByHand(t *testing.T) {
	// Both prisoners toss a coin: 3, 0, 5 and 1 are equally likely. Telling all
	// gives 5 or 1.
	tree := buildGame(t, prisoners())
	e := tree.Evaluate(tree.Uniform())
	for i := range 2 {
		near(t, "value of a tossing prisoner", e.Values[i], 9./4)
		near(t, "best response of a prisoner", e.Responses[i], 3)
	}
	near(t, "NashConv of tossing prisoners", e.NashConv, 1.5)
	e = tree.Evaluate(policyOf(t, tree, behaviour{"0": {0, 1}, "1": {0, 1}}))
	near(t, "NashConv of telling prisoners", e.NashConv, 0)

	// Three coins are an equilibrium. If the first seat always shows the first side,
	// another gets 2 or -1 by showing the second, since the third one tosses.
	tree = buildGame(t, oddOneOut())
	near(t, "NashConv of three coins", tree.Evaluate(tree.Uniform()).NashConv, 0)
	e = tree.Evaluate(policyOf(t, tree, behaviour{"0": {1, 0}, "1": {0.5, 0.5}, "2": {0.5, 0.5}}))
	for i, want := range []float64{0, 0.5, 0.5} {
		near(t, fmt.Sprintf("value of seat %d beside a pure one", i), e.Values[i], 0)
		near(t, fmt.Sprintf("best response of seat %d", i), e.Responses[i], want)
	}
	near(t, "NashConv with a pure seat", e.NashConv, 1)
	near(t, "exploitability with a pure seat", e.Exploitability, 1./3)
}

// Kuhn's solution: with alpha in [0, 1/3] the first seat bets J with alpha, K with
// 3 alpha, calls with Q after check and bet with alpha + 1/3; the second bets J
// with 1/3 and calls with Q with 1/3.
func TestKuhnsSolutionCannotBeExploited(t *testing.T) {
	tree := build(t, "kuhn")
	for _, alpha := range []float64{0, 0.2, 1. / 3} {
		b := behaviour{}
		for key, bet := range map[string]float64{
			"0J:": alpha, "0Q:": 0, "0K:": 3 * alpha,
			"0J:pb": 0, "0Q:pb": alpha + 1./3, "0K:pb": 1,
			"1J:p": 1. / 3, "1Q:p": 0, "1K:p": 1,
			"1J:b": 0, "1Q:b": 1. / 3, "1K:b": 1,
		} {
			b[key] = []float64{1 - bet, bet}
		}
		e := tree.Evaluate(policyOf(t, tree, b))
		near(t, fmt.Sprintf("alpha %g: exploitability", alpha), e.Exploitability, 0)
		near(t, fmt.Sprintf("alpha %g: value", alpha), e.Values[0], -1./18)
	}
}

// TestBestResponseBeatsAllPurePolicies tries every pure policy of each seat.
func TestBestResponseBeatsAllPurePolicies(t *testing.T) {
	for _, g := range []engine.Game{enginetest.Game(t, "kuhn"), signals(), oddOneOut(), prisoners()} {
		tree := buildGame(t, g)
		p := randomPolicy(t, tree, 3)
		for seat := range engine.Player(tree.Seats()) {
			states := tree.InfoStates(seat)
			if len(states) > 12 {
				continue // the first seat of signals has 2¹⁸ pure policies
			}
			b := behaviourOf(t, tree, p)
			best := math.Inf(-1)
			for bits := range 1 << len(states) {
				for i, s := range states {
					b[s.Key] = [][]float64{{1, 0}, {0, 1}}[bits>>i&1]
				}
				best = max(best, slow{g, b}.values(g.New())[seat])
			}
			got, _ := tree.BestResponse(p, seat)
			near(t, fmt.Sprintf("%s: best response of seat %d", g.Spec().Text, seat), got, best)
		}
	}
}

// TestWithChangesOneSeat: each seat's best response, put into the joint policy one at a time,
// makes what Evaluate says of it, and leaves the policy as it was.
func TestWithChangesOneSeat(t *testing.T) {
	tree := build(t, "leduc")
	uniform := tree.Uniform()
	e := tree.Evaluate(uniform)
	for seat := range engine.Player(2) {
		_, response := tree.BestResponse(uniform, seat)
		other := tree.Uniform().With(1-seat, response)
		joint := other.With(seat, response).With(1-seat, uniform)
		if got, want := tree.Values(joint)[seat], e.Responses[seat]; math.Abs(got-want) > 1e-9 {
			t.Errorf("seat %d: the response among uniform players has %g, want %g", seat, got, want)
		}
		if got := tree.Values(uniform)[seat]; got != e.Values[seat] {
			t.Errorf("seat %d: uniform play has changed from %g to %g", seat, e.Values[seat], got)
		}
	}
}

// TestAskSparesWhatDoesNotCome: who is asked one state after another is worth what the same answers in
// all states are, and is not asked where it never comes.
func TestAskSparesWhatDoesNotCome(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		tree := build(t, name)
		for seed := range uint64(3) {
			whole := randomPolicy(t, tree, seed)
			at, choices := map[string]int{}, 0
			for seat := range engine.Player(tree.Seats()) {
				for i, s := range tree.InfoStates(seat) {
					at[s.Key] = i
					if len(s.Legal) > 1 {
						choices++
					}
				}
			}
			asked := 0
			p, err := tree.Ask(func(s solve.InfoState, probabilities []float64) error {
				asked++
				copy(probabilities, whole.Probabilities(s.Seat, at[s.Key]))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got, want := tree.Evaluate(p), tree.Evaluate(whole)
			if math.Abs(got.NashConv-want.NashConv) > 1e-9 || asked > choices || name == "leduc" && asked == choices {
				t.Errorf("%s: NashConv is %g, want %g; %d of %d choices were asked about", name, got.NashConv, want.NashConv, asked, choices)
			}
		}
	}
	broken := fmt.Errorf("broken")
	if _, err := build(t, "kuhn").Ask(func(solve.InfoState, []float64) error { return broken }); err != broken {
		t.Errorf("its error comes back as %v", err)
	}
	if _, err := build(t, "kuhn").Ask(func(solve.InfoState, []float64) error { return nil }); err == nil {
		t.Error("odds of nothing are taken")
	}
}
