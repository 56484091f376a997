package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network/kernel"
	"powderkeg/engine/enginetest"
)

// shapes are the architectures that the tests go through.
var shapes = []Config{
	{Inputs: 5, Actions: 3, Seats: 2, Hidden: []int{7}, Activation: Tanh},
	{Inputs: 6, Actions: 4, Seats: 3, Hidden: []int{8, 8}, Activation: ReLU},
	{Inputs: 8, Actions: 4, Seats: 1, Hidden: []int{8, 8}, Activation: Tanh, Residual: true},
	{Inputs: 5, Actions: 3, Seats: 2, Hidden: []int{6, 6}, Activation: Tanh, LayerNorm: true},
	{Inputs: 5, Actions: 6, Seats: 4, Hidden: []int{6, 9, 9}, Activation: Tanh, LayerNorm: true, Residual: true},
	{Inputs: 1, Actions: 1, Seats: 1, Hidden: []int{1}, Activation: Tanh},
	towns(12, 10),
	towns(11),
}

func (c Config) testName() string {
	return fmt.Sprintf("%d-%v-%d+%d,%s,norm=%t,residual=%t", c.Inputs, c.Hidden, c.Actions, c.Seats, c.Activation, c.LayerNorm, c.Residual)
}

// noisy returns a network with random numbers in every weight, biases too.
func noisy(t testing.TB, c Config, seed uint64) *Network {
	t.Helper()
	n, err := New(c, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range n.weights {
		n.weights[i] += float32(r.NormFloat64() * 0.4)
	}
	if ties := c.Ties(); ties != nil {
		ties.Spread(n.weights)
	}
	return n
}

// TestForwardAllocatesNothing covers one row, a full batch and more than one
// tile each way.
func TestForwardAllocatesNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	c := Config{Inputs: 100, Actions: 300, Seats: 2, Hidden: []int{256, 256}, Activation: ReLU, LayerNorm: true, Residual: true}
	n := noisy(t, c, 1)
	frozen := n.Frozen()
	w := n.NewWorkspace(200)
	obs, logits, values := make([]float32, 200*100), make([]float32, 200*300), make([]float32, 200*2)
	for _, rows := range []int{1, 64, 200} {
		for _, net := range []*Network{n, frozen} {
			got := testing.AllocsPerRun(5, func() { net.Forward(w, obs[:rows*100], logits[:rows*300], values[:rows*2]) })
			if got != 0 {
				t.Errorf("%d rows, frozen %t: %v allocations, want none", rows, net == frozen, got)
			}
		}
	}
}

// A frozen network gives what the network gives, bit for bit, and so does one that is turned
// again when its weights have changed; of whole observations and of what is not zero in them.
func TestFrozenGivesTheSame(t *testing.T) {
	for _, c := range append(slices.Clone(shapes), Config{Inputs: 100, Actions: 300, Seats: 2, Hidden: []int{130, 64}, Activation: ReLU}) {
		n := noisy(t, c, 1)
		changed := n.Clone()
		clear(changed.Weights())
		turned := changed.Turned()
		copy(changed.Weights(), n.Weights())
		frozen := n.Frozen()
		r := rand.New(rand.NewPCG(4, 4))
		for _, rows := range []int{1, 5, 40} {
			obs := make([]float32, rows*c.Inputs)
			for i := range obs {
				if r.IntN(4) == 0 {
					obs[i] = float32(r.NormFloat64())
				}
			}
			seen := make([]kernel.Row, rows)
			for i := range seen {
				seen[i].Set(obs[i*c.Inputs:][:c.Inputs])
			}
			turned.Turn()
			var out [5][]float32
			for i, net := range []*Network{n, frozen, n, frozen, turned} {
				logits, values := make([]float32, rows*c.Actions), make([]float32, rows*c.Seats)
				if w := net.NewWorkspace(rows); i < 2 {
					net.Forward(w, obs, logits, values)
				} else {
					net.ForwardRows(w, seen, logits, values)
				}
				out[i] = slices.Concat(logits, values)
			}
			for i, got := range out {
				if !slices.Equal(got, out[0]) {
					t.Errorf("%s, %d rows: way %d gives something else", c.testName(), rows, i)
				}
			}
		}
	}
}

// TestOrthogonalInitialisation checks W Wᵀ = gain² 1 on the shorter side.
func TestOrthogonalInitialisation(t *testing.T) {
	for _, size := range [][2]int{{5, 9}, {9, 5}, {4, 4}} {
		rows, cols := size[0], size[1]
		w := make([]float32, rows*cols)
		orthogonal(w, rows, cols, 2, rand.New(rand.NewPCG(1, 1)))
		at := func(i, j int) float64 { return float64(w[i*cols+j]) }
		if rows > cols {
			at = func(i, j int) float64 { return float64(w[j*cols+i]) }
		}
		for a := range min(rows, cols) {
			for b := range min(rows, cols) {
				dot, want := 0.0, 0.0
				for j := range max(rows, cols) {
					dot += at(a, j) * at(b, j)
				}
				if a == b {
					want = 4
				}
				if math.Abs(dot-want) > 1e-5 {
					t.Errorf("%dx%d: vectors %d and %d have product %v, want %v", rows, cols, a, b, dot, want)
				}
			}
		}
	}
}

func TestTensorsTileTheWeights(t *testing.T) {
	for _, c := range shapes {
		offset := 0
		for _, part := range c.Tensors() {
			size := 1
			for _, n := range part.Shape {
				size *= n
			}
			if part.Offset != offset || part.Size != size {
				t.Errorf("%s: %s is at %d with %d numbers, want %d and %d", c.testName(), part.Name, part.Offset, part.Size, offset, size)
			}
			offset += size
		}
		if offset != c.NumWeights() {
			t.Errorf("%s: tensors have %d numbers, the network %d", c.testName(), offset, c.NumWeights())
		}
	}
}

func TestConfigReportsAllFaults(t *testing.T) {
	err := Config{Inputs: 0, Actions: -1, Seats: 1 << 20, Hidden: []int{4, 0}, Activation: "gelu"}.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"inputs is 0", "actions is -1", "seats is 1048576", "hidden[1] is 0", `"gelu"`, "relu or tanh"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

// A widened network computes the same, whatever stands in the new places.
func TestWidenKeepsTheOutputs(t *testing.T) {
	for _, c := range shapes {
		n := noisy(t, c, 3)
		wide, ok := n.Widen(c.Inputs + 4)
		if tied := n.layers[0].Residual; ok == tied {
			t.Errorf("%s: widened %t, its first layer is residual %t", c.testName(), ok, tied)
		}
		if !ok {
			continue
		}
		const rows = 3
		r := rand.New(rand.NewPCG(5, 5))
		obs, more := make([]float32, rows*c.Inputs), make([]float32, rows*(c.Inputs+4))
		for i := range more {
			more[i] = float32(r.NormFloat64())
		}
		for row := range rows {
			copy(obs[row*c.Inputs:(row+1)*c.Inputs], more[row*(c.Inputs+4):])
		}
		logits, values := make([]float32, rows*c.Actions), make([]float32, rows*c.Seats)
		wideLogits, wideValues := make([]float32, rows*c.Actions), make([]float32, rows*c.Seats)
		n.Forward(n.NewWorkspace(rows), obs, logits, values)
		wide.Forward(wide.NewWorkspace(rows), more, wideLogits, wideValues)
		near := func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-5 }
		if !slices.EqualFunc(logits, wideLogits, near) || !slices.EqualFunc(values, wideValues, near) {
			t.Errorf("%s: logits %v and values %v become %v and %v", c.testName(), logits, values, wideLogits, wideValues)
		}
	}
	equal, err := New(Config{Inputs: 4, Actions: 2, Seats: 2, Hidden: []int{6}, Activation: ReLU, Residual: true}, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := equal.Widen(6); ok {
		t.Error("a layer becomes residual by being widened")
	}
}
