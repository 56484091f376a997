package enginetest

import (
	"powderkeg/engine"
)

// Counts are the sizes of a game's tree.
type Counts struct{ Chance, Decisions, Terminals, InfoStates int }

// Count walks the whole tree of a small game.
func Count(g engine.Game) Counts {
	var n Counts
	keys := map[string]bool{}
	var walk func(s engine.State)
	walk = func(s engine.State) {
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
				panic(err)
			}
			walk(c)
		}
	}
	walk(g.New())
	n.InfoStates = len(keys)
	return n
}
