package learned

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/games"
)

// advised returns a brain whose network knows nothing, with so much advice.
func advised(t *testing.T, name string, advice int) (engine.Game, *Brain) {
	t.Helper()
	g, c := shaped(t, name)
	c.Advice = advice
	b, err := NewBrain(g, network.FromWeights(c, make([]float32, c.NumWeights())))
	if err != nil {
		t.Fatal(err)
	}
	return g, b
}

// TestAdviceHasItsWeight: where the network knows nothing, the scripted player's action has
// e^n against 1 of each other one, and at temperature 0 it is played.
func TestAdviceHasItsWeight(t *testing.T) {
	const nats = 3
	g, b := advised(t, "tictactoe", nats)
	drawing, greedy := b.NewPolicy(1), b.NewPolicy(0)
	player, rng := scripted.Must(g), rand.NewPCG(1, 2)
	positions(t, g, func(s engine.State, legal []engine.Action) {
		p, _ := drawing.Evaluate(nil, s, s.ToAct(), legal)
		likely, high := 0, math.Exp(nats)/(math.Exp(nats)+float64(len(legal)-1))
		for i, x := range p {
			want := high / math.Exp(nats)
			if x > 0.5 {
				likely, want = i, high
			}
			if math.Abs(float64(x)-want) > 1e-5 {
				t.Fatalf("probabilities %v, want %v for one and %v for the others", p, high, high/math.Exp(nats))
			}
		}
		if got := greedy.Choose(s, s.ToAct(), legal, rng); got != legal[likely] {
			t.Fatalf("at temperature 0 it plays %d, want %d", got, legal[likely])
		}
		// Among equals the scripted player draws, so that it is asked until it says the same.
		for range 200 {
			if player.Choose(s, s.ToAct(), legal, rng) == legal[likely] {
				return
			}
		}
		t.Fatalf("the scripted player never plays %d of %v", legal[likely], legal)
	})
}

// TestAdviceFollowsFromTheView: in every game, and whatever was asked before.
func TestAdviceFollowsFromTheView(t *testing.T) {
	for _, family := range games.Families() {
		name := family.Name
		g, b := advised(t, name, 5)
		one, other := b.NewPolicy(1), b.NewPolicy(1)
		rng, s := rand.NewPCG(4, 4), g.New()
		for n := 0; n < 200 && s.ToAct() != engine.Terminal; n++ {
			if s.ToAct() == engine.Chance {
				if err := s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			legal, seat := s.Legal(nil), s.ToAct()
			view := engine.Look(s, seat)
			p, _ := one.Evaluate(nil, view, seat, legal)
			if n%3 == 0 {
				q, _ := other.Evaluate(nil, view, seat, legal)
				for i := range p {
					if p[i] != q[i] {
						t.Fatalf("%s: probabilities %v and %v in one situation", name, p, q)
					}
				}
			}
			if err := s.Apply(legal[network.Sample(p, rng)]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestNoAdviceIsNoAdviser: a nil one marks nothing.
func TestNoAdviceIsNoAdviser(t *testing.T) {
	g, b := advised(t, "kuhn", 0)
	mask := []uint8{1, 1}
	if a := b.NewAdviser(); a != nil {
		t.Errorf("an adviser without advice: %v", a)
	} else if a.Mark(mask, g.New(), 0, []engine.Action{0, 1}); mask[0] != 1 || mask[1] != 1 {
		t.Errorf("it marks %v", mask)
	}
}

// TestAdviceIsBounded: by what a mask's entry can hold.
func TestAdviceIsBounded(t *testing.T) {
	for _, advice := range []int{-1, 101} {
		c := network.Config{Inputs: 1, Actions: 1, Seats: 1, Hidden: []int{1}, Activation: network.ReLU, Advice: advice}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "advice is") {
			t.Errorf("advice of %d: error %v", advice, err)
		}
	}
}
