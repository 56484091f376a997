package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// State is one game in progress. It implements engine.Stochastic, engine.Secretive,
// engine.Hidden, engine.Describer and engine.Narrator.
type State struct {
	flow.State[*game, Position, tokens]
}

// newState returns a state at a position.
func (g *game) newState(p *Position) *State {
	return &State{flow.NewState[*game, Position, tokens](g, p)}
}

// Returns implements engine.State and R24.5.
func (s *State) Returns(dst []float32) []float32 {
	for seat := range s.G.Seats {
		dst = append(dst, s.G.returnOf(&s.P, SeatID(seat)))
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
