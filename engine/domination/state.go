package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// State is one game in progress. It implements engine.Stochastic,
// engine.Secretive, engine.Hidden, engine.Describer, engine.Narrator and
// engine.Marginal.
type State struct {
	flow.State[*game, Position, actionSet]
}

// Returns implements engine.State and R10.2: each of k winners of a finished game
// gets 1/k, everybody else 0, as does everybody before the end.
func (s *State) Returns(dst []float32) []float32 {
	winners, share := s.G.board(&s.P).winners(), float32(0)
	if winners != 0 {
		share = 1 / float32(winners.Size())
	}
	for i := range s.G.seats {
		if winners.Has(i) {
			dst = append(dst, share)
		} else {
			dst = append(dst, 0)
		}
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
