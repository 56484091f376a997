package learned

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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

// TestAdvisersWeighForTheirSeats: a seat that is advised by other weights is advised otherwise
// somewhere in a game, another one as by the scripted player, and a checkpoint keeps them.
func TestAdvisersWeighForTheirSeats(t *testing.T) {
	g, plain := advised(t, "insurgency", 5)
	c := plain.Network().Config()
	c.Advisers = []network.Adviser{{Seats: []int{1}, Weights: map[string]float64{"blue": 0.3, "card": -2, "dollars[0]": -1}}}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var kept network.Config
	if err := json.Unmarshal(text, &kept); err != nil || !reflect.DeepEqual(kept, c) {
		t.Fatalf("a config comes back as %+v (error %v), want %+v", kept, err, c)
	}
	weighed, err := NewBrain(g, network.FromWeights(kept, make([]float32, c.NumWeights())))
	if err != nil {
		t.Fatal(err)
	}
	one, other := plain.NewAdviser(), weighed.NewAdviser()
	differs := [2]int{}
	masks := [2][]uint8{make([]uint8, c.Actions), make([]uint8, c.Actions)}
	rng, s := rand.NewPCG(4, 4), g.New()
	for s.ToAct() != engine.Terminal {
		if s.ToAct() == engine.Chance {
			if err := s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		legal, seat := s.Legal(nil), s.ToAct()
		view := engine.Look(s, seat)
		for i, a := range []*Adviser{one, other} {
			clear(masks[i])
			for _, x := range legal {
				masks[i][x] = 1
			}
			a.Mark(masks[i], view, seat, legal)
		}
		if !slices.Equal(masks[0], masks[1]) {
			differs[seat]++
		}
		if err := s.Apply(legal[slices.IndexFunc(legal, func(x engine.Action) bool { return len(legal) == 1 || masks[0][x] > 1 })]); err != nil {
			t.Fatal(err)
		}
	}
	if differs[0] != 0 || differs[1] == 0 {
		t.Errorf("seat 0 is advised otherwise %d times, seat 1 %d times; want never, and now and then", differs[0], differs[1])
	}
}

// TestAdviceOfASeat has that seat's weight, and the others' is as it was.
func TestAdviceOfASeat(t *testing.T) {
	g, err := games.New("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAdviser(g, network.Config{Advice: 5, Advisers: []network.Adviser{{Seats: []int{1}, Advice: 9}}})
	if err != nil {
		t.Fatal(err)
	}
	s := g.New()
	for _, want := range []uint8{6, 10, 6, 10} {
		legal := s.Legal(nil)
		mask := make([]uint8, len(g.Spec().Actions))
		for _, x := range legal {
			mask[x] = 1
		}
		a.Mark(mask, s, s.ToAct(), legal)
		if got := slices.Max(mask); got != want {
			t.Errorf("seat %d is advised with a mask of %d, want %d", s.ToAct(), got, want)
		}
		if err := s.Apply(legal[0]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFaultsOfAdvisersAreTold: seats and weights that there are not, games whose player has none,
// and advisers without advice.
func TestFaultsOfAdvisersAreTold(t *testing.T) {
	for _, x := range []struct {
		game    string
		adviser network.Adviser
		want    string
	}{
		{"minuteman", network.Adviser{Seats: []int{2}}, "advisers[0].seats: 2 is no seat, minuteman has seats 0 to 1"},
		{"bloc", network.Adviser{Weights: map[string]float64{"army": 1}}, `advisers[0].weights: there is no weight "army"; weights: die1, `},
		{"jogu", network.Adviser{Weights: map[string]float64{"army": 1}},
			"advisers[0].weights: wrong usage: scripted: the player of jogu has no weights that can be changed"},
	} {
		g, err := games.New(x.game)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewAdviser(g, network.Config{Advice: 5, Advisers: []network.Adviser{x.adviser}}); err == nil ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want %q", x.game, err, x.want)
		}
	}
	c := network.Config{Inputs: 1, Actions: 1, Seats: 1, Hidden: []int{1}, Activation: network.ReLU,
		Advisers: []network.Adviser{{Advice: 101, Weights: map[string]float64{"army": math.Inf(1)}}}}
	for _, want := range []string{"advisers without advice", "advisers[0].advice is 101", "advisers[0].weights.army is +Inf"} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
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
