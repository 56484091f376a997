package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine/enginetest"
)

// shapes are the architectures that the tests go through.
var shapes = []network.Config{
	{Inputs: 5, Actions: 3, Seats: 2, Hidden: []int{7}, Activation: network.Tanh},
	{Inputs: 6, Actions: 4, Seats: 3, Hidden: []int{8, 8}, Activation: network.ReLU},
	{Inputs: 8, Actions: 4, Seats: 1, Hidden: []int{8, 8}, Activation: network.Tanh, Residual: true},
	{Inputs: 5, Actions: 3, Seats: 2, Hidden: []int{6, 6}, Activation: network.Tanh, LayerNorm: true},
	{Inputs: 5, Actions: 6, Seats: 4, Hidden: []int{6, 9, 9}, Activation: network.Tanh, LayerNorm: true, Residual: true},
	{Inputs: 1, Actions: 1, Seats: 1, Hidden: []int{1}, Activation: network.Tanh},
	{Inputs: 5, Actions: 3, Seats: 3, Hidden: []int{7}, Activation: network.Tanh, Bins: 4},
	{Inputs: 5, Actions: 4, Seats: 2, Hidden: []int{7}, Activation: network.Tanh, Advice: 2},
}

// entities are architectures whose weights entities share: two kinds, of which one is described
// in two fields and named by two kinds of action.
func entities() (list []network.Config) {
	for _, hidden := range [][]int{{11}, {12, 10}, {10, 13, 10}} {
		list = append(list, network.Config{Inputs: 13, Actions: 10, Seats: 2, Hidden: hidden, Activation: network.Tanh, Entities: []network.Entities{
			{Count: 3, Width: 2, Fields: []network.EntityField{{Offset: 1, Size: 2, Each: 2, Next: 1}, {Offset: 7, Size: 1, Each: 1, Next: 3}},
				Actions: []int{1, 5}},
			{Count: 2, Width: 1, Fields: []network.EntityField{{Offset: 10, Size: 1, Each: 1, Next: 1}}},
		}})
	}
	list[1].LayerNorm, list[2].Residual = true, true
	return list
}

// skipRaces leaves out tests whose batches are too small to be shared out, and whose plain
// reference the race detector would watch for minutes.
func skipRaces(t *testing.T) {
	t.Helper()
	if enginetest.Race {
		t.Skip("one goroutine")
	}
}

// TestEntitiesAgreeWithFiniteDifferences compares the gradient by what entities share with
// differences of the loss where all that are the same move together.
func TestEntitiesAgreeWithFiniteDifferences(t *testing.T) {
	skipRaces(t)
	for _, c := range entities() {
		t.Run(testName(c), func(t *testing.T) {
			o := Objective{ClipRange: 0.2, ValueCoef: 0.5, EntropyCoef: 0.1}
			slow, batch, gradient, _ := gradientOf(t, c, o)
			ties := c.Ties()
			ties.Gather(gradient)
			moving := make([]float32, len(gradient))
			for i := range gradient {
				clear(moving)
				moving[i] = 1
				ties.Spread(moving)
				const step = 1e-6
				at := func(step float64) float64 {
					for j, m := range moving {
						slow.weights[j] += step * float64(m)
					}
					return slow.loss(o, batch)
				}
				up, down := at(step), at(-2*step)
				at(step)
				want := (up - down) / (2 * step)
				if math.Abs(float64(gradient[i])-want) > 2e-4*(1+math.Abs(want)) {
					t.Fatalf("gradient of weight %d is %v, by differences %v", i, gradient[i], want)
				}
			}
		})
	}
}

func testName(c network.Config) string {
	return fmt.Sprintf("%d-%v-%d+%dx%d,%s,norm=%t,residual=%t,advice=%d", c.Inputs, c.Hidden, c.Actions, c.Seats, c.Bins, c.Activation, c.LayerNorm,
		c.Residual, c.Advice)
}

// noisy returns a network with random numbers in every weight, biases too.
func noisy(t testing.TB, c network.Config, seed uint64) *network.Network {
	t.Helper()
	n, err := network.New(c, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range n.Weights() {
		n.Weights()[i] += float32(r.NormFloat64() * 0.4)
	}
	if ties := c.Ties(); ties != nil {
		ties.Spread(n.Weights())
	}
	return n
}

// fill puts random numbers into a batch: old policies far enough from the new
// one to be clipped on both sides, and old values likewise.
func fill(b *Batch, c network.Config, rows int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 3))
	b.Rows = rows
	for i := range b.Obs {
		b.Obs[i] = float32(r.NormFloat64())
	}
	for row := range rows {
		mask := b.Mask[row*c.Actions : (row+1)*c.Actions]
		for j := range mask {
			mask[j] = uint8(r.IntN(2))
		}
		b.Action[row] = int32(r.IntN(c.Actions))
		mask[b.Action[row]] = 1
		if advised := r.IntN(c.Actions); c.Advice > 0 && mask[advised] == 1 {
			mask[advised] += uint8(c.Advice)
		}
		b.LogProb[row] = float32(-2 * r.Float64())
		b.Advantage[row] = float32(r.NormFloat64())
		for k := range c.Seats {
			b.Return[row*c.Seats+k] = float32(r.NormFloat64())
			b.Value[row*c.Seats+k] = float32(r.NormFloat64())
		}
		for j := range c.Actions {
			b.Old[row*c.Actions+j] = float32(r.NormFloat64())
			b.Magnet[row*c.Actions+j] = float32(2 * r.NormFloat64())
		}
	}
}

// Each term alone and all together, so that a fault shows where it is.
var objectives = map[string]Objective{
	"policy":      {ClipRange: 0.2},
	"value":       {ClipRange: 0.2, ValueCoef: 1},
	"valueclip":   {ClipRange: 0.2, ValueCoef: 1, ValueClip: 0.3},
	"entropy":     {ClipRange: 0.2, EntropyCoef: 1},
	"proximal":    {ClipRange: 0.2, Proximal: 1},
	"magnet":      {ClipRange: 0.2, Magnet: 1},
	"imitate":     {ClipRange: 0.2, Imitate: true, ValueCoef: 0.5},
	"soften":      {ClipRange: 0.2, Imitate: true, Soften: 0.3},
	"alltogether": {ClipRange: 0.2, ValueCoef: 0.5, ValueClip: 0.3, EntropyCoef: 0.1, Proximal: 0.7, Magnet: 0.3},
}

// TestGradientAgreesWithFiniteDifferences compares the gradient of the graph
// with central differences of the plain float64 loss, for every weight of every
// kind of layer and every term of the objective.
func TestGradientAgreesWithFiniteDifferences(t *testing.T) {
	skipRaces(t)
	for _, c := range shapes {
		for name, o := range objectives {
			t.Run(testName(c)+"/"+name, func(t *testing.T) {
				slow, batch, got, stats := gradientOf(t, c, o)
				if want := slow.loss(o, batch); math.Abs(stats.Loss-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("loss is %v, plainly computed %v", stats.Loss, want)
				}
				slow.compare(t, got, func() float64 { return slow.loss(o, batch) })
			})
		}
	}
}

// gradientOf returns the gradient of the graph on a random batch, with the plain
// network of the same weights.
func gradientOf(t *testing.T, c network.Config, o Objective) (slow *slowNet, batch *Batch, gradient []float32, stats Stats) {
	t.Helper()
	n := noisy(t, c, 11)
	l, err := NewLearner(n, 9)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	fill(l.Batch(), c, 7, 5) // two rows do not count
	if gradient, stats, err = l.Gradient(o); err != nil {
		t.Fatal(err)
	}
	slow = &slowNet{c: c}
	for _, w := range n.Weights() {
		slow.weights = append(slow.weights, float64(w))
	}
	return slow, l.Batch(), gradient, stats
}

// compare compares a gradient with central differences of a loss that reads the
// weights.
func (n *slowNet) compare(t *testing.T, gradient []float32, loss func() float64) {
	t.Helper()
	const step = 1e-6
	for _, part := range n.c.Tensors() {
		for i := part.Offset; i < part.Offset+part.Size; i++ {
			w := n.weights[i]
			n.weights[i] = w + step
			up := loss()
			n.weights[i] = w - step
			down := loss()
			n.weights[i] = w
			want := (up - down) / (2 * step)
			if math.Abs(float64(gradient[i])-want) > 2e-4*(1+math.Abs(want)) {
				t.Fatalf("gradient of %s[%d] is %v, by differences %v", part.Name, i-part.Offset, gradient[i], want)
			}
		}
	}
}

// TestNeuRDAgreesWithFiniteDifferences compares the update of neural replicator
// dynamics, which is the gradient of Σ f_j z_j with the forces f_j taken as they
// are at the weights, with differences of that sum.
func TestNeuRDAgreesWithFiniteDifferences(t *testing.T) {
	skipRaces(t)
	for _, c := range shapes {
		for name, o := range map[string]Objective{
			"advantages": {ClipRange: 0.2, NeuRD: 1e9},
			"capped":     {ClipRange: 0.2, NeuRD: 2},
			"held":       {ClipRange: 0.2, NeuRD: 2, ValueCoef: 0.5, EntropyCoef: 0.1, Proximal: 0.7, Magnet: 0.3},
		} {
			t.Run(testName(c)+"/"+name, func(t *testing.T) {
				slow, batch, got, stats := gradientOf(t, c, o)
				if want := slow.loss(o, batch); math.Abs(stats.Loss-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("loss is %v, plainly computed %v; the terms are those of policy gradients", stats.Loss, want)
				}
				forces := slow.forces(o, batch)
				valueOnly := Objective{ClipRange: 1, ValueCoef: o.ValueCoef}
				slow.compare(t, got, func() float64 {
					return slow.work(forces, batch) + slow.loss(valueOnly, batch) - slow.loss(Objective{ClipRange: 1}, batch)
				})
			})
		}
	}
}

// TestForwardAgreesWithGraph demands that inference and the graph give the same
// outputs, bit for bit unless OpenBLAS multiplies, and that both agree with the plain
// network.
func TestForwardAgreesWithGraph(t *testing.T) {
	for _, c := range append(slices.Concat(shapes, entities()), network.Config{Inputs: 70, Actions: 200, Seats: 2, Hidden: []int{130, 130},
		Activation: network.ReLU}) {
		t.Run(testName(c), func(t *testing.T) {
			const rows = 150 // more than two tiles
			n := noisy(t, c, 3)
			for i := range n.Weights() {
				n.Weights()[i] *= 0.5
			}
			l, err := NewLearner(n, rows)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			fill(l.Batch(), c, rows, 8)
			if _, _, err := l.Gradient(Objective{ClipRange: 0.2}); err != nil {
				t.Fatal(err)
			}
			graph := l.out
			logits, values := make([]float32, rows*c.Actions), make([]float32, rows*c.Seats)
			n.Forward(n.NewWorkspace(rows), l.batch.Obs, logits, values)
			slow := &slowNet{c: c}
			for _, w := range n.Weights() {
				slow.weights = append(slow.weights, float64(w))
			}
			one := n.NewWorkspace(1)
			single, singleValues := make([]float32, c.Actions), make([]float32, c.Seats)
			for row := range rows {
				obs := l.batch.Obs[row*c.Inputs : (row+1)*c.Inputs]
				obs64 := make([]float64, len(obs))
				for j, x := range obs {
					obs64[j] = float64(x)
				}
				plain, plainValues := slow.forward(obs64)
				slow.advise(plain, l.batch, row)
				n.Forward(one, obs, single, singleValues)
				mask := l.batch.Mask[row*c.Actions : (row+1)*c.Actions]
				c.Advise(single, mask)
				c.Advise(logits[row*c.Actions:(row+1)*c.Actions], mask)
				fromGraph := graph[row*c.Outputs() : (row+1)*c.Outputs()]
				if c.Bins > 0 {
					heads := fromGraph[c.Actions:]
					fromGraph = slices.Clone(fromGraph[:c.Actions])
					for k := range c.Seats {
						fromGraph = append(fromGraph, network.Expectation(heads[k*c.Bins:(k+1)*c.Bins]))
						plainValues[k] = slowMean(plainValues[k*c.Bins : (k+1)*c.Bins])
					}
				}
				want := append(plain, plainValues[:c.Seats]...)
				got := slices.Concat(logits[row*c.Actions:(row+1)*c.Actions], values[row*c.Seats:(row+1)*c.Seats])
				alone := slices.Concat(single, singleValues)
				for j := range want {
					if g := fromGraph[j]; math.Abs(float64(got[j]-g)) > 1e-5 || !network.ForeignBLAS && got[j] != g {
						t.Fatalf("row %d output %d is %v, the graph has %v", row, j, got[j], g)
					}
					if math.Abs(float64(got[j])-want[j]) > 1e-4 {
						t.Fatalf("row %d output %d is %v, plainly computed %v", row, j, got[j], want[j])
					}
					if !network.ForeignBLAS && got[j] != alone[j] {
						t.Fatalf("row %d output %d is %v in a batch and %v alone", row, j, got[j], alone[j])
					}
				}
			}
		})
	}
}

// TestIllegalActionsTakeNoPart: whatever an illegal logit is, it changes neither
// the loss nor any gradient.
func TestIllegalActionsTakeNoPart(t *testing.T) {
	c := network.Config{Inputs: 1, Actions: 4, Seats: 1, Hidden: []int{1}, Activation: network.ReLU}
	b := newBatch(c, 1)
	b.Rows = 1
	copy(b.Mask, []uint8{1, 0, 1, 0})
	b.Action[0], b.LogProb[0], b.Advantage[0] = 2, -0.5, 1.5
	o := Objective{ClipRange: 0.2, ValueCoef: 1, EntropyCoef: 0.3}
	base := make([]float32, 5)
	want := o.evaluate(&c, b, []float32{0.3, 0, -0.2, 0, 0.1}, base)
	for _, illegal := range []float32{-1e30, 88, 1e30, float32(math.Inf(1)), float32(math.NaN())} {
		grad := make([]float32, 5)
		got := o.evaluate(&c, b, []float32{0.3, illegal, -0.2, illegal, 0.1}, grad)
		if got != want || !slices.Equal(grad, base) {
			t.Errorf("with illegal logits %v: stats %+v gradient %v, want %+v %v", illegal, got, grad, want, base)
		}
	}
	if base[1] != 0 || base[3] != 0 {
		t.Errorf("illegal actions have gradients %v", base)
	}
}

// TestSingleLegalActionIsCertain: with one choice the policy is certain, its
// entropy 0, and nothing is learned about it.
func TestSingleLegalActionIsCertain(t *testing.T) {
	c := network.Config{Inputs: 1, Actions: 2, Seats: 1, Hidden: []int{1}, Activation: network.ReLU}
	b := newBatch(c, 1)
	b.Rows = 1
	copy(b.Mask, []uint8{0, 1})
	b.Action[0], b.Advantage[0] = 1, 3
	grad := make([]float32, 3)
	o := Objective{ClipRange: 0.2, EntropyCoef: 1}
	s := o.evaluate(&c, b, []float32{50, -50, 0}, grad)
	if s.Entropy != 0 || s.KL != 0 || grad[0] != 0 || grad[1] != 0 {
		t.Errorf("stats %+v, gradient %v, want no entropy, divergence and gradient", s, grad)
	}
}

// TestAdamFollowsItsDefinition checks three steps against the formulas in
// float64, with and without the clip of the norm.
func TestAdamFollowsItsDefinition(t *testing.T) {
	for _, maxNorm := range []float32{0, 0.5} {
		gradients := [][]float64{{1, -2, 0.5}, {0.1, 0.1, -0.3}, {3, 0, 1e-4}}
		a := NewAdam(3)
		weights := []float32{1, 2, 3}
		want, m, v := []float64{1, 2, 3}, make([]float64, 3), make([]float64, 3)
		for step, g := range gradients {
			var g32 []float32
			norm := 0.0
			for _, x := range g {
				norm += x * x
				g32 = append(g32, float32(x))
			}
			norm = math.Sqrt(norm)
			if got := a.Update(weights, g32, 0.01, maxNorm); math.Abs(got-norm) > 1e-6 {
				t.Errorf("max norm %v, step %d: norm is %v, want %v", maxNorm, step, got, norm)
			}
			for i, x := range g {
				if maxNorm > 0 && norm > float64(maxNorm) {
					x *= float64(maxNorm) / norm
				}
				m[i] = 0.9*m[i] + 0.1*x
				v[i] = 0.999*v[i] + 0.001*x*x
				t := float64(step + 1)
				want[i] -= 0.01 * m[i] / (1 - math.Pow(0.9, t)) / (math.Sqrt(v[i]/(1-math.Pow(0.999, t))) + 1e-5)
			}
			for i := range want {
				if math.Abs(float64(weights[i])-want[i]) > 1e-6 {
					t.Errorf("max norm %v, step %d: weight %d is %v, want %v", maxNorm, step, i, weights[i], want[i])
				}
			}
		}
	}
}

// TestStepsReduceTheLoss lets the network fit values and a policy that are
// fixed, which any working gradient can do.
func TestStepsReduceTheLoss(t *testing.T) {
	c := shapes[4]
	n := noisy(t, c, 2)
	l, err := NewLearner(n, 16)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fill(l.Batch(), c, 16, 4)
	adam := NewAdam(c.NumWeights())
	var first, last Stats
	for i := range 200 {
		last, err = l.Step(Objective{ClipRange: 0.2, ValueCoef: 1}, adam, 0.01, 1)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = last
		}
	}
	if last.Value > first.Value/10 || last.Policy > first.Policy-0.1 {
		t.Errorf("after 200 steps value loss %v (first %v), policy loss %v (first %v)", last.Value, first.Value, last.Policy, first.Policy)
	}
}
