package nn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/network"
)

// TestHeadsOfLegalActions: the products of legal actions alone are those of all, bit for bit, on
// any number of processors, where few are legal and where many are.
func TestHeadsOfLegalActions(t *testing.T) {
	if network.ForeignBLAS {
		t.Skip("OpenBLAS adds up in an order of its own")
	}
	const size = 90
	for _, hidden := range []int{64, 41} { // whole vectors, and not
		for _, legal := range []int{0, 1, 5, 150} {
			for _, procs := range []int{1, 2, 5} {
				processors(t, procs)
				c := network.Config{Inputs: 3, Actions: 200, Seats: 3, Hidden: []int{hidden}, Activation: network.ReLU}
				net := noisy(t, c, 9)
				l := &net.Layers()[1]
				r := rand.New(rand.NewPCG(uint64(legal), uint64(hidden)))
				batch := newBatch(c, size)
				batch.Rows = size - 7
				x, dy := make([]float32, size*hidden), make([]float32, size*c.Outputs())
				for i := range x {
					x[i] = max(0, float32(r.NormFloat64()))
				}
				needed := make([]bool, len(dy))
				for row := range batch.Rows {
					for range legal {
						batch.Mask[row*c.Actions+r.IntN(c.Actions)] = 1
					}
					for j := range c.Outputs() {
						if j >= c.Actions || batch.Mask[row*c.Actions+j] != 0 {
							dy[row*c.Outputs()+j], needed[row*c.Outputs()+j] = float32(r.NormFloat64()), true
						}
					}
				}
				var out [2][3][]float32
				for i, way := range []products{plain{rows: size}, newHeadLayer(batch, c)} {
					gradient := c.Layers(make([]float32, c.NumWeights()))[1]
					y, dx := make([]float32, len(dy)), make([]float32, len(x))
					for _, list := range [][]float32{y, dx, gradient.Weight} { // as of another batch
						for j := range list {
							list[j] = 7
						}
					}
					if h, ok := way.(*headLayer); ok {
						h.take(dy, c.Outputs())
						if few := legal < 30; h.few != few {
							t.Errorf("%d legal actions are few: %t", legal, h.few)
						}
					}
					way.forward(l, y, x)
					way.inputGradient(l, dx, dy)
					way.weightGradient(&gradient, dy, x)
					for j := range y {
						if !needed[j] {
							y[j] = 0
						}
					}
					out[i] = [3][]float32{y, dx, gradient.Weight}
				}
				for i, name := range []string{"outputs", "gradient by the inputs", "gradient by the weights"} {
					if !slices.Equal(out[0][i], out[1][i]) {
						t.Errorf("%s: other %s", fmt.Sprintf("%d units, %d legal actions, %d processors", hidden, legal, procs), name)
					}
				}
			}
		}
	}
}
