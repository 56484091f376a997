package nn

import (
	"powderkeg/agents/network"
	"powderkeg/env/memory"
)

// RowBytes is about what each row of a Learner's batches takes: what it learns from, and what
// the graph keeps of each layer on the way there and back.
func RowBytes(c network.Config) memory.Size {
	row := memory.Of(4, c.Inputs).Plus(memory.Of(4*4, c.Outputs()), memory.Of(9, c.Actions), memory.Of(4*2, c.Seats))
	for _, width := range c.Hidden {
		row = row.Plus(memory.Of(4*6, width))
	}
	return row
}

// WeightBytes is about what a network takes that learns: its weights, their gradient in the
// graph and out of it, and the two moments of Adam.
func WeightBytes(c network.Config) memory.Size { return memory.Of(5*4, c.NumWeights()) }
