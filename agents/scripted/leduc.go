package scripted

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/leduc"
)

// leducPolicy plays a tight game of Leduc poker with a few bluffs.
type leducPolicy struct{}

// Choose implements agents.Policy.
func (leducPolicy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	s := view.(*leduc.View)
	raise, stay := leducOdds(s, seat)
	x := rand.New(rng).Float64()
	switch {
	case x < raise && legal[len(legal)-1] == leduc.Raise:
		return leduc.Raise
	case x < raise+stay || legal[0] != leduc.Fold:
		return leduc.Call // a check costs nothing, so it is never replaced by a fold
	}
	return leduc.Fold
}

// leducOdds returns how often to raise, and how often else to call a bet; the
// rest folds to one.
func leducOdds(s *leduc.View, seat engine.Player) (raise, stay float64) {
	const j, q, k = 0, 1, 2
	rank, public := s.Card(int(seat))/2, s.Card(2)
	owed := s.Paid(1-seat) - s.Paid(seat)
	switch {
	case public < 0 && rank == k:
		return 1, 0 // beats or ties any card without a pair
	case public < 0 && rank == q && owed == 0:
		return 0.3, 0 // takes the lead now and then, so that a raise is not always K
	case public < 0 && rank == q:
		return 0, 1 // ahead of J, and any card may pair
	case public < 0 && owed == 0:
		return 0.1, 0 // a rare bluff
	case public < 0:
		return 0, 0.3 // J pairs one time in five; too dear to see each time
	case public/2 == rank:
		return 1, 0 // a pair is never beaten
	case rank == k && owed == 0, rank == q && public/2 == j && owed == 0:
		return 0.4, 0 // often the best hand: 2 of the 4 other cards are lower and do not pair
	case rank == k:
		return 0, 0.7 // still beats all but the pair
	case owed == 0:
		return 0.15, 0 // a bluff that the public card has paired
	case rank == q && public/2 == j:
		return 0, 0.4
	}
	return 0, 0.1 // beats a bluff at best
}
