package agents

import (
	"cmp"
	"math/rand/v2"

	"powderkeg/engine"
)

// Best returns the action with the highest score. Of several that share it, each is
// drawn with the same probability. There is at least one action.
func Best[S cmp.Ordered](legal []engine.Action, rng *rand.PCG, score func(engine.Action) S) engine.Action {
	best, highest, ties := legal[0], score(legal[0]), uint32(1)
	for _, a := range legal[1:] {
		switch s := score(a); {
		case s > highest:
			best, highest, ties = a, s, 1
		case s == highest:
			if ties++; engine.Uint32N(rng, ties) == 0 {
				best = a
			}
		}
	}
	return best
}
