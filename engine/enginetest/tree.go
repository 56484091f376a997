package enginetest

import (
	"fmt"

	"powderkeg/engine"
)

// Counts are the sizes of a game's tree.
type Counts struct{ Chance, Decisions, Terminals, InfoStates int }

// Count walks the whole tree of a small game. It panics where the game refuses a possible
// move, or goes on for longer than Spec.MaxMoves.
func Count(g engine.Game) Counts {
	var n Counts
	keys := map[string]bool{}
	var walk func(s engine.State, moves int)
	walk = func(s engine.State, moves int) {
		if s.ToAct() != engine.Terminal && moves >= g.Spec().MaxMoves {
			panic(fmt.Sprintf("enginetest.Count: %s is not over after %d moves, the bound of Spec.MaxMoves", g.Spec().Text, moves))
		}
		switch seat := s.ToAct(); seat {
		case engine.Terminal:
			n.Terminals++
			return
		case engine.Chance:
			n.Chance++
		default:
			n.Decisions++
			if r, ok := s.(engine.Recaller); ok {
				keys[string(r.InfoState(nil, seat))] = true
			}
		}
		c := engine.Clone(g, s)
		for _, a := range engine.Moves(s) {
			c.CopyFrom(s)
			if err := c.Apply(a); err != nil {
				panic(fmt.Sprintf("enginetest.Count: %s refuses a possible move: %v", g.Spec().Text, err))
			}
			walk(c, moves+1)
		}
	}
	walk(g.New(), 0)
	n.InfoStates = len(keys)
	return n
}
