package learned_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/vec"
)

// rows returns n decisions of random play of a game, and a brain with random
// weights for it.
func rows(t *testing.T, text string, n int) (*learned.Brain, *vec.Vec, *vec.Buffers) {
	t.Helper()
	g, err := games.New(text)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{32},
		Activation: network.ReLU}, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	brain, err := learned.NewBrain(g, net)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vec.New(g, vec.Config{Envs: n, Workers: 1, Autoreset: vec.SameStep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	b := v.NewBuffers(n)
	v.Reset(1, b)
	actions, rng := make([]engine.Action, n), rand.NewPCG(2, 2)
	for range 5 {
		for i := range actions {
			legal := v.Env(i).Legal()
			actions[i] = legal[engine.Uint32N(rng, uint32(len(legal)))]
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
	}
	return brain, v, b
}

// The probabilities of an action are those that the policy evaluates to; at
// temperature 0 the action taken has them all.
func TestProbabilitiesAreThoseOfTheLastAct(t *testing.T) {
	brain, v, _ := rows(t, "leduc", 20)
	for _, temperature := range []float64{0, 1} {
		for i := range 20 {
			e := v.Env(i)
			a := brain.NewAgent(temperature).(*learned.Agent)
			a.Start(e.Actor(), 1)
			action, err := a.Act(t.Context(), e.View(e.Actor()), e.Legal())
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float32, len(e.Game().Spec().Actions))
			if temperature == 0 {
				want[action] = 1
			} else {
				p, _ := brain.NewPolicy(1).Evaluate(nil, e.View(e.Actor()), e.Actor(), e.Legal())
				for k, legal := range e.Legal() {
					want[legal] = p[k]
				}
			}
			if got := a.Probabilities(); !slices.Equal(got, want) {
				t.Errorf("temperature %v, row %d: probabilities %v, want %v", temperature, i, got, want)
			}
		}
	}
}
