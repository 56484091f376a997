package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// towns are three of two numbers and a third in another field that runs the other way, roads two
// of one; actions 1 to 3 and 5 to 7 name towns, 8 and 9 roads.
func towns(hidden ...int) Config {
	return Config{Inputs: 13, Actions: 10, Seats: 2, Hidden: hidden, Activation: Tanh, Entities: []Entities{
		{Count: 3, Width: 2, Fields: []EntityField{{Offset: 1, Size: 2, Each: 2, Next: 1}, {Offset: 7, Size: 1, Each: 1, Next: 3}}, Actions: []int{1, 5}},
		{Count: 2, Width: 1, Fields: []EntityField{{Offset: 10, Size: 1, Each: 1, Next: 1}}, Actions: []int{8}},
	}}
}

// slowEntities computes the outputs from the definition: every weight of an entity is looked up
// at entity 0's.
func slowEntities(n *Network, obs []float32) []float64 {
	c := n.config
	relevant := func(e Entities, entity int) (list []int) { // inputs
		for _, f := range e.Fields {
			for i := range f.Size {
				list = append(list, f.Offset+entity*f.Each+i*f.Next)
			}
		}
		return list
	}
	x := make([]float64, len(obs))
	for i, v := range obs {
		x[i] = float64(v)
	}
	trunk := len(x)
	own := make([][][]float64, len(c.Entities)) // [kind][entity][unit]
	for depth := range n.layers {
		l := &n.layers[depth]
		heads := depth == len(n.layers)-1
		weight := func(row, col int) float64 { return float64(l.Weight[row*l.In+col]) }
		start := func(kind, units int) int { // of a kind's units
			for _, e := range c.Entities[:kind] {
				units += e.Count * e.Width
			}
			return units
		}
		plain := func(row int) float64 {
			sum := float64(l.Bias[row])
			for j := range trunk {
				sum += weight(row, j) * x[j]
			}
			if depth > 0 {
				for kind, all := range own {
					for _, units := range all {
						for k, v := range units {
							sum += weight(row, start(kind, trunk)+k) * v
						}
					}
				}
			}
			return sum
		}
		if heads {
			out := make([]float64, l.Out)
			for row := range out {
				out[row] = plain(row)
			}
			for kind, e := range c.Entities {
				for _, first := range e.Actions {
					for entity := range e.Count {
						row := first + entity
						sum := float64(l.Bias[row])
						for j := range trunk {
							sum += weight(row, j) * x[j]
						}
						for k, v := range own[kind][entity] {
							sum += weight(first, start(kind, trunk)+k) * v
						}
						out[row] = sum
					}
				}
			}
			return out
		}
		units := c.trunk(l.Out)
		above, ownAbove := make([]float64, units), make([][][]float64, len(c.Entities))
		for row := range above {
			above[row] = math.Tanh(plain(row))
		}
		for kind, e := range c.Entities {
			for entity := range e.Count {
				var list []float64
				for k := range e.Width {
					row := start(kind, units) + k
					sum := float64(l.Bias[row])
					if depth == 0 {
						first := relevant(e, 0)
						for i, j := range relevant(e, entity) {
							sum += weight(row, first[i]) * x[j]
						}
					} else {
						for j := range trunk {
							sum += weight(row, j) * x[j]
						}
						for i, v := range own[kind][entity] {
							sum += weight(row, start(kind, trunk)+i) * v
						}
					}
					list = append(list, math.Tanh(sum))
				}
				ownAbove[kind] = append(ownAbove[kind], list)
			}
		}
		x, trunk, own = above, units, ownAbove
	}
	return nil
}

func TestEntitiesAreComputedByTheirDefinition(t *testing.T) {
	for _, hidden := range [][]int{{11}, {12, 10}, {9, 13, 10}} {
		c := towns(hidden...)
		fresh, err := New(c, rand.NewPCG(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []*Network{fresh, noisy(t, c, 1)} {
			obs := make([]float32, c.Inputs)
			for i := range obs {
				obs[i] = float32(r.NormFloat64())
			}
			logits, values := make([]float32, c.Actions), make([]float32, c.Seats)
			n.Forward(n.NewWorkspace(1), obs, logits, values)
			want := slowEntities(n, obs)
			for i, got := range slices.Concat(logits, values) {
				if math.Abs(float64(got)-want[i]) > 1e-5 {
					t.Errorf("%v: output %d is %v, by the definition %v", hidden, i, got, want[i])
				}
			}
		}
	}
}

// TestWorkspacesAreForAllOfAShape: what one network has computed with is no part of what another
// computes.
func TestWorkspacesAreForAllOfAShape(t *testing.T) {
	for _, c := range shapes {
		n, other := noisy(t, c, 1), noisy(t, c, 2)
		obs := make([]float32, c.Inputs)
		for i := range obs {
			obs[i] = float32(i%3) - 1
		}
		outputs := func(n *Network, w *Workspace) []float32 {
			logits, values := make([]float32, c.Actions), make([]float32, c.Seats)
			n.Forward(w, obs, logits, values)
			return slices.Concat(logits, values)
		}
		if got, want := outputs(n, other.NewWorkspace(1)), outputs(n, n.NewWorkspace(1)); !slices.Equal(got, want) {
			t.Errorf("%s: %v in the workspace of another network, %v in its own", c.testName(), got, want)
		}
	}
}

// TestTiesGather: moving a shared weight moves all that are the same, and the sum over them is
// what gathering gives.
func TestTiesGather(t *testing.T) {
	c := towns(12, 10)
	ties := c.Ties()
	shared := 0
	r := rand.New(rand.NewPCG(1, 3))
	gradient := make([]float32, c.NumWeights())
	for i := range gradient {
		gradient[i] = float32(r.NormFloat64())
	}
	gathered := slices.Clone(gradient)
	ties.Gather(gathered)
	for i := range gradient {
		moved := make([]float32, len(gradient))
		moved[i] = 1
		ties.Spread(moved)
		var want float64
		for j, m := range moved {
			want += float64(m * gradient[j])
		}
		if math.Abs(float64(gathered[i])-want) > 1e-5 {
			t.Fatalf("gradient of weight %d is %v, want %v", i, gathered[i], want)
		}
		if want == 0 {
			shared++
		}
	}
	if shared < len(gradient)/4 {
		t.Errorf("%d of %d weights are another or zero, they must be a quarter at least", shared, len(gradient))
	}
}

func TestConfigReportsFaultyEntities(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"3 of width 0 with 2 fields": func(c *Config) { c.Entities[0].Width = 0 },
		"1 of width 2":               func(c *Config) { c.Entities[0].Count = 1 },
		"a field of 2 numbers from 9 is not within 13 inputs":    func(c *Config) { c.Entities[0].Fields[0].Offset = 9 },
		"5 numbers describe each of 3, more than there are":      func(c *Config) { c.Entities[0].Fields[0].Size, c.Entities[0].Fields[1].Size = 4, 1 },
		"a field of 2 numbers from 1 is not within 13 inputs":    func(c *Config) { c.Entities[0].Fields[0].Next = 0 },
		"a field of 2 numbers from -1":                           func(c *Config) { c.Entities[0].Fields[0].Offset = -1 },
		"entities[1]: actions from 9 are not within 10":          func(c *Config) { c.Entities[1].Actions[0] = 9 },
		"entities[1]: action 7 names an entity already":          func(c *Config) { c.Entities[1].Actions[0] = 7 },
		"hidden[1] is 8, of which entities have 8; the trunk":    func(c *Config) { c.Hidden[1] = 8 },
		"entities[0]: a field of 1 numbers from 7 is not within": func(c *Config) { c.Entities[0].Fields[1].Each = math.MaxInt },
	} {
		c := towns(12, 10)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
