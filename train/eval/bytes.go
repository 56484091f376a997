package eval

import (
	"fmt"
	"math/bits"

	"powderkeg/engine/option"
)

// MostGames bounds the games of a match, so that no count of them overflows.
const MostGames = 1 << 40

// mostLineups bounds the line-ups of a match, each of which has to be played.
const mostLineups = 1 << 20

// checkLineups reports that contestants make more line-ups than can be played.
func (c Config) checkLineups() error {
	k, seats := uint64(len(c.Contestants)), uint64(c.Game.Spec().Seats)
	if c.Solo {
		k, seats = k-1, seats-1
	}
	n := uint64(1)
	for i := uint64(1); k >= seats && i <= seats; i++ { // k over i, which is a whole number at each i
		high, low := bits.Mul64(n, k-seats+i)
		if high != 0 {
			n = mostLineups + 1
			break
		}
		if n = low / i; n > mostLineups {
			break
		}
	}
	if n > mostLineups {
		return fmt.Errorf("%w: %d contestants at tables of %d make more than %d line-ups, each of which would have to play; let fewer take part, or one "+
			"alone against the others",
			option.ErrUsage, len(c.Contestants), c.Game.Spec().Seats, mostLineups)
	}
	return nil
}
