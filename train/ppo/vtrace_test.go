package ppo

import (
	"math"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
	"powderkeg/train/rollout"
)

// older is a rollout that a network played before its weights were moved, with games that go on
// in the next rollout and some that were cut off.
func older(net *network.Network, seed uint64) *rollout.Buffer {
	b := play(net, 40, seed)
	for i := range b.Ends {
		b.Ends[i] = []rollout.End{rollout.Running, rollout.Terminated, rollout.Running, rollout.Truncated}[i%4]
		if b.Ends[i] == rollout.Truncated {
			copy(b.NextValues[i*b.Seats:], []float32{0.25, -0.25})
		}
	}
	last := b.Steps * b.Envs
	b.NextActors[last], b.NextActors[last+1] = 1, rollout.Opponent
	b.Obs[last].Set([]float32{1, 1})
	for i := range net.Weights() {
		net.Weights()[i] += 0.3 * float32(math.Sin(float64(i)))
	}
	b.Age = 1
	return b
}

// TestOlderPlayIsCorrected: ratios and values are those that the network gives decision by
// decision, and what was cut off keeps the value that it had.
func TestOlderPlayIsCorrected(t *testing.T) {
	c := Default()
	c.Minibatch = 7 // of which the samples are no multiple
	c.VTrace = VTrace{Rho: 1.5, C: 0.75}
	net, l := bandit(t, c)
	b := older(net, 3)
	want := rollout.New(b.Shape)
	for _, pair := range [][2][]float32{{want.Values, b.Values}, {want.NextValues, b.NextValues}, {want.Rewards, b.Rewards}} {
		copy(pair[0], pair[1])
	}
	copy(want.Actors, b.Actors)
	copy(want.NextActors, b.NextActors)
	copy(want.Ends, b.Ends)
	copy(want.Learn, b.Learn)
	w := net.NewWorkspace(1)
	seen, logits, values, probs := make([]float32, 2), make([]float32, 4), make([]float32, 2), make([]float32, 4)
	ratios := make([]float32, len(b.Actors))
	learned, sum := 0, 0.0
	for i := range ratios {
		if !b.Learn[i] {
			continue
		}
		b.Seen(seen, i)
		net.Forward(w, seen, logits, values)
		copy(want.Values[i*2:], values)
		network.Softmax(probs, logits, b.Masks[i*4:(i+1)*4])
		ratios[i] = probs[b.Actions[i]] / float32(math.Exp(float64(b.LogProbs[i])))
		learned++
		sum += min(float64(ratios[i]), 1.5)
	}
	last := b.Steps * b.Envs
	b.Seen(seen, last)
	net.Forward(w, seen, logits, want.NextValues[last*2:(last+1)*2])
	want.Trace(1, 0.95, 0.95, ratios, rollout.Bounds{Rho: 1.5, C: 0.75})
	got := l.correct(b)
	if math.Abs(got-sum/float64(learned)) > 1e-5 || got > 0.99 {
		t.Errorf("the mean of rho is %v, want %v", got, sum/float64(learned))
	}
	near := func(name string, a, b []float32) {
		t.Helper()
		for i := range a {
			if !(math.Abs(float64(a[i]-b[i])) < 1e-4) && !math.IsNaN(float64(b[i])) {
				t.Fatalf("%s: number %d is %v, want %v", name, i, a[i], b[i])
			}
		}
	}
	near("advantages", b.Advantages, want.Advantages)
	near("returns", b.Returns, want.Returns)
	near("next values", b.NextValues, want.NextValues)
	if !slices.Equal(b.Learn, want.Learn) {
		t.Error("other decisions are learned from")
	}
}

// TestTheCriticJudgesOlderPlayAnew: with a critic the values are its own.
func TestTheCriticJudgesOlderPlayAnew(t *testing.T) {
	c := Default()
	c.Critic.Hidden = []int{4}
	net, l := bandit(t, c)
	b := older(net, 3)
	b.Others = make([]kernel.Row, (b.Steps+1)*b.Envs)
	for i := range b.Others {
		b.Others[i].Set([]float32{float32(2 * i % 3), float32((2*i + 1) % 3)})
	}
	l.correct(b)
	w := l.Critic().NewWorkspace(1)
	whole, certain, values := make([]float32, 4), make([]float32, 1), make([]float32, 2)
	for i, learn := range b.Learn {
		if !learn {
			continue
		}
		b.Whole(whole, i)
		l.Critic().Forward(w, whole, certain, values)
		for k, v := range values {
			if got := b.Values[i*2+k]; math.Abs(float64(got-v)) > 1e-5 {
				t.Fatalf("decision %d has value %v in place %d, the critic says %v", i, got, k, v)
			}
		}
	}
}

// TestWhereNothingIsCorrected: with a bound of 0 older play is learned from as if it were new,
// bit for bit, and new play is never touched.
func TestWhereNothingIsCorrected(t *testing.T) {
	learn := func(most float64, age int64) ([]float32, Stats) {
		c := Default()
		c.VTrace = VTrace{Rho: most, C: most}
		net, l := bandit(t, c)
		b := older(net, 5)
		b.Age = age
		s, err := l.Update(b, Clock{})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(net.Weights()), s
	}
	plain, s := learn(1, 0)
	if s.Rho != 0 {
		t.Errorf("new play has a mean rho of %v", s.Rho)
	}
	if w, _ := learn(0, 1); !slices.Equal(w, plain) {
		t.Error("with a bound of 0 the update is another one")
	}
	w, s := learn(1, 1)
	if slices.Equal(w, plain) || !(s.Rho > 0.1 && s.Rho < 1) {
		t.Errorf("older play is not corrected; the mean rho is %v", s.Rho)
	}
	c := Default()
	c.VTrace.C = 2
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "vtrace.c is 2") {
		t.Errorf("error %v", err)
	}
}
