package roster

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// TestNetworkGuidesSearch gives a search a network with random weights: priors are
// the network's probabilities, values those of the seats, and the search plays.
func TestNetworkGuidesSearch(t *testing.T) {
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(network.Config{Inputs: encoder.Layout().Size, Hidden: []int{16}, Actions: len(g.Spec().Actions), Seats: 2, Activation: network.Tanh}, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	brain, err := learned.NewBrain(g, net)
	if err != nil {
		t.Fatal(err)
	}
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	const seat = 1
	legal := s.Legal(nil)
	view := engine.Look(s, seat)

	probabilities, relative := brain.NewPolicy(1).Evaluate(nil, view, seat, legal)
	priors := make([]float32, len(legal))
	values := newGuide(g, brain).Evaluate(view, seat, legal, priors)
	if !slices.Equal(priors, probabilities) {
		t.Errorf("priors are %v, the network's probabilities %v", priors, probabilities)
	}
	// A value of 1 stands for 13 chips, the largest return of Leduc poker.
	for k := range relative {
		if want := 13 * relative[k]; math.Abs(float64(values[(seat+k)%2]-want)) > 1e-6 {
			t.Errorf("value of seat %d is %g, want %g", (seat+k)%2, values[(seat+k)%2], want)
		}
	}

	c := search.Default()
	c.Evaluator = newGuide(g, brain)
	a, err := search.New(g, c)
	if err != nil {
		t.Fatal(err)
	}
	a.Start(seat, 1)
	move, err := a.Act(context.Background(), view, legal)
	if err != nil || !slices.Contains(legal, move) {
		t.Errorf("the guided search plays %d, error %v; legal are %v", move, err, legal)
	}
}
