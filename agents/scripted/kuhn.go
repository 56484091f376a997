package scripted

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/kuhn"
)

// kuhnPlayer plays an equilibrium of Kuhn poker. Those of the first seat form a family
// with one parameter (H. W. Kuhn, 1950); the second seat has one.
type kuhnPlayer struct {
	// Alpha is how often the first seat bluffs with the jack, from 0 to 1/3.
	Alpha float64
}

// Choose implements agents.Policy.
func (k kuhnPlayer) Choose(view engine.View, seat engine.Player, _ []engine.Action, rng *rand.PCG) engine.Action {
	s := view.(*kuhn.View)
	played, bets := s.History()
	if rand.New(rng).Float64() < k.bet(s.Card(seat), played, bets) {
		return kuhn.Bet
	}
	return kuhn.Pass
}

// bet returns the probability of a bet or call with a card (0 to 2 for J, Q, K)
// after so many decisions.
func (k kuhnPlayer) bet(card, played int, bets uint8) float64 {
	const j, q = 0, 1
	facing := played > 0 && bets>>(played-1)&1 != 0
	switch {
	case facing && card == j:
		return 0 // beats nothing
	case facing && card == q && played == 1:
		return 1. / 3 // makes the first seat's bluff break even
	case facing && card == q:
		return k.Alpha + 1./3 // makes the second seat's bluff break even
	case facing:
		return 1 // K is never beaten
	case card == q:
		return 0 // a bet folds out J and is called by K
	case played == 1 && card == j:
		return 1. / 3 // bluffs as often as makes a call with Q break even
	case played == 1:
		return 1
	case card == j:
		return k.Alpha
	}
	return 3 * k.Alpha // three value bets to a bluff, the rest is a trap
}
