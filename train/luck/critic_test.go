package luck_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/luck"
)

// The critic's values are what the network thinks from the view of the seat to act; at chance the
// mean over all seats, or what the first one thinks where all gain the same; at the end what was
// gained.
func TestCriticAsksWhoeverKnows(t *testing.T) {
	for _, name := range []string{"jogu", "domination", "bloc(ops_difficulty=easy)"} {
		g := enginetest.Game(t, name)
		spec := g.Spec()
		ref := "zoo:" + spec.Name
		brain, err := learned.Open(g, ref)
		if err != nil {
			t.Fatal(err)
		}
		critic, policy := luck.NewCritic(g, brain), brain.NewPolicy(1)
		looking := spec.Seats
		if spec.Payoff == engine.Cooperative {
			looking = 1
		}
		got, largest := make([]float64, spec.Seats), float64(max(spec.MaxReturn, -spec.MinReturn))
		s := g.New()
		rng := rand.NewPCG(1, 1)
		for s.ToAct() != engine.Terminal {
			critic.Values(got, s)
			want := make([]float64, spec.Seats)
			from, looking := 0, looking
			if s.ToAct() >= 0 {
				from, looking = int(s.ToAct()), 1
			}
			for p := from; p < from+looking; p++ {
				_, values := policy.Evaluate(nil, engine.Look(s, engine.Player(p)), engine.Player(p), []engine.Action{0})
				for k, v := range values {
					want[(p+k)%spec.Seats] += float64(v) * largest / float64(looking)
				}
			}
			for p := range want {
				if math.Abs(got[p]-want[p]) > 1e-5 {
					t.Fatalf("%s: seat %d has %g, want %g", name, p, got[p], want[p])
				}
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		critic.Values(got, s)
		for p, x := range s.Returns(nil) {
			if got[p] != float64(x) {
				t.Errorf("%s: at the end seat %d has %g, returns are %g", name, p, got[p], x)
			}
		}
	}
}

// TestNobodyIsMeasuredByANetworkThatOverflows: what it says of luck is none, and the measurement
// fails by its name.
func TestNobodyIsMeasuredByANetworkThatOverflows(t *testing.T) {
	g := enginetest.Game(t, "jogu")
	brain, err := learned.Open(g, "zoo:jogu")
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, "jogu", luck.NewCritic(g, brain))
	c.Games, c.Workers = 2, 1
	if _, err := luck.Measure(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for i := range brain.Network().Weights() {
		brain.Network().Weights()[i] = 3e38
	}
	if _, err := luck.Measure(t.Context(), c); !errors.Is(err, network.ErrNotFinite) || !strings.Contains(err.Error(), "jogu: not finite") {
		t.Errorf("error %v", err)
	}
}
