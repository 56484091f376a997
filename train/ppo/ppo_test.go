package ppo

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/train/rollout"
)

// bandit returns a small network and its learner.
func bandit(t testing.TB, c Config) (*network.Network, *Learner) {
	t.Helper()
	shape := network.Config{Inputs: 2, Actions: 4, Seats: 2, Hidden: []int{8}, Activation: network.Tanh}
	net, err := network.New(shape, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(c, net, 7)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return net, l
}

// play fills a rollout with the network's own play of single decisions, in which
// action 2 gains 1 and the others nothing, and action 0 is illegal. Every third
// row is an opponent's and holds numbers that must not be touched.
func play(net *network.Network, steps int, seed uint64) *rollout.Buffer {
	b := rollout.New(rollout.Shape{Steps: steps, Envs: 2, Inputs: 2, NumActions: 4, Seats: 2})
	rng := rand.NewPCG(seed, 1)
	w := net.NewWorkspace(1)
	logits, probs := make([]float32, 4), make([]float32, 4)
	nan := float32(math.NaN())
	for i := range b.Actors {
		obs, mask := []float32{float32(rng.Uint64() % 2), 1}, b.Masks[i*4:(i+1)*4]
		b.Obs[i].Set(obs)
		copy(mask, []uint8{0, 1, 1, 1})
		net.Forward(w, obs, logits, b.Values[i*2:(i+1)*2])
		normaliser, _ := network.Softmax(probs, logits, mask)
		a := network.Sample(probs, rng)
		b.Actions[i], b.LogProbs[i] = engine.Action(a), logits[a]-normaliser
		b.Actors[i] = engine.Player(i % 2)
		b.Ends[i] = rollout.Terminated
		if a == 2 {
			b.Rewards[i*2+i%2], b.Rewards[i*2+1-i%2] = 1, -1
		}
		b.Learn[i] = i%3 != 2
		if !b.Learn[i] {
			b.Obs[i].Set([]float32{nan, nan})
			b.LogProbs[i], b.Actions[i] = nan, 99
			clear(mask)
		}
	}
	return b
}

// TestUpdatesLearnWhichActionGains also shows that the decisions of opponents
// have no influence: their rows hold NaN and an impossible action.
func TestUpdatesLearnWhichActionGains(t *testing.T) {
	c := Default()
	c.LearningRate, c.Minibatch = Constant(0.01), 32
	net, l := bandit(t, c)
	var s Stats
	for i := range 30 {
		var err error
		if s, err = l.Update(play(net, 60, uint64(i)), Clock{}); err != nil {
			t.Fatal(err)
		}
	}
	logits, values, probs := make([]float32, 4), make([]float32, 2), make([]float32, 4)
	net.Forward(net.NewWorkspace(1), []float32{1, 1}, logits, values)
	network.Softmax(probs, logits, []uint8{0, 1, 1, 1})
	if probs[2] < 0.9 || probs[0] != 0 {
		t.Errorf("probabilities are %v, want action 2 above 0.9 and the illegal 0 at 0", probs)
	}
	if math.Abs(float64(values[0])-1) > 0.2 || math.Abs(float64(values[1])+1) > 0.2 {
		t.Errorf("values are %v, want about 1 for the actor and -1 for the other", values)
	}
	if s.Samples != 80 {
		t.Errorf("learned from %d samples, want the 80 that are not opponents'", s.Samples)
	}
}

// TestSeedsDecideTheUpdate: equal seeds give equal weights, others do not.
func TestSeedsDecideTheUpdate(t *testing.T) {
	weights := func(seed uint64) []float32 {
		c := Default()
		c.Minibatch = 16
		shape := network.Config{Inputs: 2, Actions: 4, Seats: 2, Hidden: []int{8}, Activation: network.ReLU}
		net, err := network.New(shape, rand.NewPCG(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(c, net, seed)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if _, err := l.Update(play(net, 40, 3), Clock{}); err != nil {
			t.Fatal(err)
		}
		return net.Weights()
	}
	if !slices.Equal(weights(1), weights(1)) {
		t.Error("equal seeds give other weights")
	}
	if slices.Equal(weights(1), weights(2)) {
		t.Error("other seeds give equal weights: the samples are not shuffled")
	}
}

func TestTargetKLEndsTheUpdateEarly(t *testing.T) {
	epochs := func(target float64) int {
		c := Default()
		c.LearningRate, c.TargetKL, c.Epochs = Constant(0.05), target, 6
		net, l := bandit(t, c)
		s, err := l.Update(play(net, 60, 1), Clock{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Epochs
	}
	if got := epochs(0); got != 6 {
		t.Errorf("without a target %d epochs were run, want 6", got)
	}
	if got := epochs(1e-9); got != 1 && got != 2 { // the first epoch is one minibatch, of the old policy itself
		t.Errorf("with a tiny target %d epochs were run, want it to stop as soon as the policy has moved", got)
	}
}

func TestEmptyRolloutsChangeNothing(t *testing.T) {
	net, l := bandit(t, Default())
	b := play(net, 10, 1)
	clear(b.Learn)
	before := slices.Clone(net.Weights())
	s, err := l.Update(b, Clock{})
	if err != nil || s.Samples != 0 || s.Epochs != 0 || !slices.Equal(net.Weights(), before) {
		t.Errorf("stats %+v, error %v, or the weights have changed", s, err)
	}
}

func TestDivergenceIsReported(t *testing.T) {
	net, l := bandit(t, Default())
	b := play(net, 10, 1)
	for i := range b.Rewards {
		b.Rewards[i] = float32(math.NaN())
	}
	if _, err := l.Update(b, Clock{}); err == nil || !strings.Contains(err.Error(), "learning rate") {
		t.Errorf("error is %v, want advice on the learning rate", err)
	}
}

func TestNormalise(t *testing.T) {
	x := []float32{1, 2, 3, 6}
	normalise(x)
	mean, variance := moments(len(x), func(i int) float64 { return float64(x[i]) })
	if math.Abs(mean) > 1e-6 || math.Abs(variance-1) > 1e-6 {
		t.Errorf("%v has mean %v and variance %v, want 0 and 1", x, mean, variance)
	}
	same := []float32{5, 5}
	normalise(same)
	if !slices.Equal(same, []float32{0, 0}) {
		t.Errorf("equal numbers become %v, want zeroes", same)
	}
}

func TestSchedule(t *testing.T) {
	s := Schedule{Start: 1, End: 0.5}
	for share, want := range map[float64]float32{-1: 1, 0: 1, 0.5: 0.75, 1: 0.5, 2: 0.5} {
		if got := s.At(Clock{Share: share, Made: 7}); got != want {
			t.Errorf("at %v: %v, want %v", share, got, want)
		}
	}
	s.Until = 0.5
	for share, want := range map[float64]float32{0: 1, 0.25: 0.75, 0.5: 0.5, 1: 0.5} {
		if got := s.At(Clock{Share: share}); got != want {
			t.Errorf("until half of the run, at %v: %v, want %v", share, got, want)
		}
	}
	law := Schedule{Start: 8, End: 1, Power: 1, Most: 4}
	for made, want := range map[int64]float32{0: 4, 1: 4, 3: 2, 7: 1, 1000: 1} {
		if got := law.At(Clock{Share: 0.5, Made: made}); got != want {
			t.Errorf("the power law after %d updates: %v, want %v", made, got, want)
		}
	}
}

// TestAverageIsThePlayer: the mean of the weights follows them by its decay, of the first
// steps evenly, and learning goes on by the learner's own.
func TestAverageIsThePlayer(t *testing.T) {
	c := Default()
	c.Average = 0.999
	c.LearningRate = Constant(0.01)
	net, l := bandit(t, c)
	start := slices.Clone(net.Weights())
	if _, err := l.Update(play(net, 60, 1), Clock{}); err != nil {
		t.Fatal(err)
	}
	own, mean := net.Weights(), l.Player().Weights()
	nearer := 0
	for i := range own {
		if math.Abs(float64(mean[i]-start[i])) < math.Abs(float64(own[i]-start[i])) {
			nearer++
		}
	}
	if slices.Equal(own, mean) || nearer < len(own)*2/3 {
		t.Errorf("%d of %d weights of the mean are nearer to the start than the learner's; want most of them", nearer, len(own))
	}
	l.Anchor()
	if !slices.Equal(own, l.Player().Weights()) {
		t.Error("after Anchor the mean begins elsewhere than at the present weights")
	}
	one := &average{net.Clone(), 0.75}
	clear(one.net.Weights())
	for i := range own {
		own[i] = 1
	}
	want := float32(0)
	for step := int64(1); step < 100; step++ {
		one.follow(net, step)
		want += (1 - min(0.75, float32(step)/float32(step+9))) * (1 - want)
		if got := one.net.Weights()[0]; math.Abs(float64(got-want)) > 1e-6 {
			t.Fatalf("after %d steps the mean is %v, want %v", step, got, want)
		}
	}
}

func TestConfigReportsAllFaults(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	c := Default()
	c.Epochs, c.ClipRange, c.Gamma, c.Entropy.End = 0, math.NaN(), 1.5, -1
	err := c.Validate()
	if err == nil || errors.Unwrap(err) != nil {
		t.Fatalf("error is %v", err)
	}
	for _, want := range []string{"epochs is 0", "clip_range is NaN", "gamma is 1.5", "entropy.end is -1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

// TestFilterKeepsTheLargestAdvantages: the quantile and the floor count amounts, and
// nothing need be left.
func TestFilterKeepsTheLargestAdvantages(t *testing.T) {
	for _, test := range []struct {
		name   string
		filter Filter
		want   []int32
	}{
		{"none", Filter{}, []int32{0, 1, 2, 3}},
		{"half", Filter{Quantile: 0.5}, []int32{0, 2}},
		{"floor", Filter{Floor: 0.25}, []int32{0, 2, 3}},
		{"the higher of both", Filter{Quantile: 0.25, Floor: 0.5}, []int32{2}},
		{"nobody", Filter{Floor: 5}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Default()
			c.Filter = test.filter
			_, l := bandit(t, c)
			b := rollout.New(rollout.Shape{Steps: 4, Envs: 1, Inputs: 2, NumActions: 4, Seats: 2})
			copy(b.Advantages, []float32{-0.375, 0.125, 1, -0.25})
			if got := l.filter(b, []int32{0, 1, 2, 3}); !slices.Equal(got, test.want) {
				t.Errorf("kept %v, want %v", got, test.want)
			}
		})
	}
}

// TestFilteredUpdates learn from what is left, and from nothing where that is nothing.
func TestFilteredUpdates(t *testing.T) {
	c := Default()
	c.Filter.Quantile = 0.75
	net, l := bandit(t, c)
	b := play(net, 60, 1)
	s, err := l.Update(b, Clock{})
	if err != nil || s.Samples < 20 || s.Samples > 40 { // ties are kept
		t.Errorf("learned from %d of 80 samples (error %v), want about a quarter", s.Samples, err)
	}
	c.Filter.Floor = 100
	net, l = bandit(t, c)
	before := slices.Clone(net.Weights())
	if s, err = l.Update(play(net, 60, 1), Clock{}); err != nil || s.Samples != 0 || !slices.Equal(net.Weights(), before) {
		t.Errorf("stats %+v, error %v, or weights that changed; no sample reaches the floor", s, err)
	}
}

// TestWarmupTeachesValuesAlone: the policy stays bit for bit, at every observation, while
// the values come nearer; afterwards both learn.
func TestWarmupTeachesValuesAlone(t *testing.T) {
	for _, bins := range []int{0, 11} {
		c := Default()
		c.LearningRate, c.Minibatch, c.Warmup = Constant(0.01), 32, 3
		net, err := network.New(network.Config{Inputs: 2, Actions: 4, Seats: 2, Hidden: []int{8}, Activation: network.Tanh, Bins: bins}, rand.NewPCG(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(c, net, 7)
		if err != nil {
			t.Fatal(err)
		}
		l.adam.First[0] = 1 // what lessons might have left
		look := func() ([]float32, []float32) {
			logits, values := make([]float32, 8), make([]float32, 4)
			net.Forward(net.NewWorkspace(2), []float32{0, 1, 1, 1}, logits, values)
			return logits, values
		}
		logits, values := look()
		for update := range 5 {
			if _, err := l.Update(play(net, 60, uint64(update)), Clock{Made: int64(update)}); err != nil {
				t.Fatal(err)
			}
			after, moved := look()
			if got, want := slices.Equal(logits, after), update < 3; got != want {
				t.Errorf("%d bins, update %d: the policy is what it was: %t, want %t", bins, update+1, got, want)
			}
			if slices.Equal(values, moved) {
				t.Errorf("%d bins, update %d: the values are what they were", bins, update+1)
			}
			values = moved
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCriticKnowsWhatIsHidden: the return follows from what another seat alone observes,
// so that the critic learns it and the player's values only its mean.
func TestCriticKnowsWhatIsHidden(t *testing.T) {
	c := Default()
	c.LearningRate, c.Minibatch, c.Critic.Hidden = Constant(0.01), 64, []int{16}
	c.Filter.Floor = 100 // the policy learns nothing; the critic takes every sample
	net, l := bandit(t, c)
	before := slices.Clone(net.Weights())
	var s Stats
	for update := range 30 {
		b := rollout.New(rollout.Shape{Steps: 64, Envs: 2, Inputs: 2, NumActions: 4, Seats: 2, Others: true})
		rng := rand.NewPCG(uint64(update), 1)
		for i := range b.Actors {
			b.Learn[i], b.Ends[i] = true, rollout.Terminated
			b.Obs[i].Set([]float32{1, 0})
			secret := float32(rng.Uint64()%2)*2 - 1
			b.Others[i].Set([]float32{secret, 0})
			b.Rewards[i*2], b.Rewards[i*2+1] = secret, -secret
		}
		var err error
		if s, err = l.Update(b, Clock{}); err != nil {
			t.Fatal(err)
		}
	}
	if s.Critic > 0.02 || s.Critic == 0 {
		t.Errorf("the critic's loss is %v, want next to none of the 0.5 that values without the secret have", s.Critic)
	}
	values := make([]float32, 4)
	l.Critic().Forward(l.Critic().NewWorkspace(2), []float32{1, 0, 1, 0, 1, 0, -1, 0}, make([]float32, 2), values)
	if values[0] < 0.8 || values[1] > -0.8 || values[2] > -0.8 || values[3] < 0.8 {
		t.Errorf("with the secret 1 and -1 the critic values %v, want about 1 -1 -1 1", values)
	}
	if !slices.Equal(net.Weights(), before) {
		t.Error("the player has learned from samples that were filtered out")
	}
}
