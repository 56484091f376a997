package learned_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/train/nn"
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
	net, err := nn.New(nn.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{32}, Activation: nn.ReLU}, rand.NewPCG(1, 1))
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

// At temperature 0 a batch chooses what the agent chooses seat by seat.
func TestActBatchChoosesAsActDoes(t *testing.T) {
	const n = 40
	brain, v, b := rows(t, "leduc", n)
	a := brain.NewAgent(0).(*learned.Agent)
	a.Start(0, 1)
	got := make([]int32, n)
	if err := a.ActBatch(b.Observations, b.Masks, n, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		var one agents.Agent = brain.NewAgent(0)
		e := v.Env(i)
		one.Start(e.Actor(), 1)
		want, err := one.Act(t.Context(), e.View(e.Actor()), e.Legal())
		if err != nil {
			t.Fatal(err)
		}
		if got[i] != int32(want) {
			t.Errorf("row %d: the batch chose %d, the agent alone %d", i, got[i], want)
		}
	}
}

func TestActBatchFollowsTheSeedOfStart(t *testing.T) {
	const n = 200
	brain, _, b := rows(t, "connect4", n)
	var traces [3][]int32
	for i, seed := range []uint64{1, 1, 2} {
		a := brain.NewAgent(1).(*learned.Agent)
		a.Start(0, seed)
		for _, rows := range []int{1, n, n} { // the second call grows the batch
			actions := make([]int32, rows)
			if err := a.ActBatch(b.Observations[:rows*len(b.Observations)/n], b.Masks[:rows*len(b.Masks)/n], rows, actions); err != nil {
				t.Fatal(err)
			}
			for row, action := range actions {
				if b.Masks[row*len(b.Masks)/n+int(action)] != 1 {
					t.Fatalf("seed %d, row %d: action %d is not legal", seed, row, action)
				}
			}
			traces[i] = append(traces[i], actions...)
		}
	}
	if !slices.Equal(traces[0], traces[1]) {
		t.Error("the same seed gave other actions")
	}
	if slices.Equal(traces[0], traces[2]) {
		t.Error("another seed gave the same actions")
	}
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
