package scripted

import (
	"math/rand/v2"

	"powderkeg/engine"
	liarsdice "powderkeg/engine/liars_dice"
)

// liarsDice plays Liar's Dice by what it expects the dice to show. It makes the highest
// bid that it is sure enough of, which leaves the next seat the least room, and calls
// when no bid is likelier to hold than the last one is to fail.
type liarsDice struct{}

const (
	// How likely a bid must hold to be made as the highest: somewhere between the two, by
	// lot, so that a bid does not tell the dice.
	sureLow, sureHigh = 0.5, 0.9
	// trust is how often the last bidder is taken to hold a die that it has named. More of
	// it gains against players who never bluff, and loses to those who do.
	trust = 0.4
)

// Choose implements agents.Policy.
func (liarsDice) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	s := view.(*liarsdice.View)
	sure, likeliest, call := sureLow+(sureHigh-sureLow)*engine.Unit(rng), 0.0, 0.0
	choice := legal[len(legal)-1] // the call, but at the first bid
	if bids := s.Bids(); len(bids) > 0 {
		call = 1 - holds(s, seat, bids[len(bids)-1])
	}
	for _, a := range legal {
		if !s.IsBid(a) {
			continue
		}
		c := holds(s, seat, liarsdice.Bid(a))
		if c > call && (c >= sure || c > likeliest) {
			choice = a
		}
		likeliest = max(likeliest, c)
	}
	return choice
}

// holds returns how likely a bid holds, for all that the seat knows.
func holds(s *liarsdice.View, seat engine.Player, b liarsdice.Bid) float64 {
	missing, face := s.Unrank(b)
	others, helpful := (s.Seats()-1)*s.DicePerSeat(), 0
	for die, own := range s.Dice(seat) {
		if s.Counts(liarsdice.Face(die), face) {
			missing -= int(own)
			helpful++
		}
	}
	p := float64(helpful) / float64(s.Faces())
	blind := atLeast(missing, others, p)
	if bids := s.Bids(); len(bids) > 0 {
		if _, named := s.Unrank(bids[len(bids)-1]); named == face {
			return (1-trust)*blind + trust*atLeast(missing-1, others-1, p)
		}
	}
	return blind
}

// atLeast returns how likely at least k of n dice count, each with probability p.
func atLeast(k, n int, p float64) float64 {
	switch {
	case k <= 0 || k <= n && p == 1:
		return 1
	case k > n:
		return 0
	}
	exactly, fewer := 1.0, 0.0 // of i dice, and of less than i
	for range n {
		exactly *= 1 - p
	}
	for i := range k {
		fewer += exactly
		exactly *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return 1 - fewer
}
