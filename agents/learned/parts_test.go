package learned

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine"
)

// TestPartsCanBeTakenAway: without advice the odds are those of the same network that nobody
// advises, without its policy those of one that knows nothing, and the values stay.
func TestPartsCanBeTakenAway(t *testing.T) {
	g, c := shaped(t, "tictactoe")
	net, err := network.New(c, rand.NewPCG(5, 1))
	if err != nil {
		t.Fatal(err)
	}
	weights := slices.Clone(net.Weights())
	for i := range weights {
		weights[i] *= 3 // opinions
	}
	const nats = 3
	c.Advice = nats
	whole, err := NewBrain(g, network.FromWeights(c, weights))
	if err != nil {
		t.Fatal(err)
	}
	c.Advice = 0
	unadvised, err := NewBrain(g, network.FromWeights(c, weights))
	if err != nil {
		t.Fatal(err)
	}
	_, ignorant := advised(t, "tictactoe", nats)
	for name, one := range map[string]struct{ got, want *Brain }{
		"without advice":         {whole.WithoutAdvice(), unadvised},
		"without advice, twice":  {whole.WithoutAdvice().WithoutAdvice(), unadvised},
		"without its policy":     {whole.WithoutPolicy(), ignorant},
		"without both":           {whole.WithoutAdvice().WithoutPolicy(), ignorant.WithoutAdvice()},
		"with nothing taken off": {whole, whole},
	} {
		got, want, as := one.got.NewPolicy(1), one.want.NewPolicy(1), whole.NewPolicy(1)
		differ := false
		positions(t, g, func(s engine.State, legal []engine.Action) {
			p, values := got.Evaluate(nil, s, s.ToAct(), legal)
			values = slices.Clone(values)
			q, _ := want.Evaluate(nil, s, s.ToAct(), legal)
			r, trained := as.Evaluate(nil, s, s.ToAct(), legal)
			for i := range p {
				if math.Abs(float64(p[i]-q[i])) > 1e-6 {
					t.Fatalf("%s: odds %v, want %v", name, p, q)
				}
				differ = differ || math.Abs(float64(p[i]-r[i])) > 0.01
			}
			if !slices.Equal(values, trained) {
				t.Fatalf("%s: values %v, those of the whole are %v", name, values, trained)
			}
		})
		if differ == (one.got == whole) {
			t.Errorf("%s: odds differ from those of the whole: %t", name, differ)
		}
	}
	if slices.Equal(weights, make([]float32, len(weights))) || whole.Network().Config().Advice != nats {
		t.Error("taking parts away has changed the whole")
	}
}
