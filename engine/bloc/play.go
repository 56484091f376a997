package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// State is one game in progress. It implements engine.Stochastic, engine.Hidden,
// engine.Secretive, engine.Describer, engine.Ender and engine.Narrator.
type State struct {
	flow.State[*game, Position, actionSet]
}

func (s *State) board() Board { return Board{s.G, &s.P, s.W} }

// actionSet holds a flow.Set.
type actionSet [(numActions + 63) / 64]uint64

// Returns implements engine.State and R10.1: 1 for a player whose faction has won a
// finished game, -1 for one whose has lost, zeroes before. With two players all win or
// all lose.
func (s *State) Returns(dst []float32) []float32 {
	for player := range s.G.players {
		switch {
		case s.P.Ending == undecided:
			dst = append(dst, 0)
		case s.P.Winners>>s.P.Seats[player]&1 != 0:
			dst = append(dst, 1)
		default:
			dst = append(dst, -1)
		}
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }

// Check implements flow.Rules.
func (g *game) Check(p *Position) error { return Board{g, p, nil}.check(engine.Lenient) }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.box.kinds }
