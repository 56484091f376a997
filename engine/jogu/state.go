package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// State is one game in progress. It implements engine.Stochastic,
// engine.Hidden, engine.Teller, engine.Secretive and engine.Narrator (R16.9, R16.10).
type State struct {
	flow.State[*game, Position, actionSet]
}

// actionSet holds a flow.Set.
type actionSet [1]uint64

// Returns implements engine.State: 1 for the winner and -1 for the loser of a
// finished game (R12.4), zeroes before.
func (s *State) Returns(dst []float32) []float32 {
	switch s.P.End.Winner {
	case 0:
		return append(dst, 1, -1)
	case 1:
		return append(dst, -1, 1)
	}
	return append(dst, 0, 0)
}

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
