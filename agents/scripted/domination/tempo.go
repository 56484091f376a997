package domination

import (
	"math"

	"powderkeg/engine"
	"powderkeg/engine/domination"
)

// scoreTurn (D1): a use is worth its gain less what is saved by keeping the card.
// One card a turn is enough: who ends its turn sees the answers before it uses the
// next card, and who has the last card to use has the last word before the scoring.
// Not to use any card gives up all further turns of the Game Turn.
func (t *situation) scoreTurn(a engine.Action) float64 {
	switch {
	case a == domination.ActEndTurn:
		return math.Inf(1)
	case a == domination.ActPass:
		return 0
	case a < domination.ActAttackWith:
		c := int(a - domination.ActBuildWith)
		return t.tryBuild(t.world.cards[c].build) - t.reserve(c) - t.held(c)
	case a < domination.ActTextOf:
		c := int(a - domination.ActAttackWith)
		return t.tryAttack(t.world.cards[c].reduction) - t.reserve(c) - t.held(c)
	case a < domination.ActDiscard1:
		c := int(a - domination.ActTextOf)
		return t.tryText(c) - t.reserve(c) - t.held(c)
	case a < domination.ActDiscard2First:
		c := int(a - domination.ActDiscard1)
		return t.boughtLater() + t.early() - t.reserve(c) - t.held(c)
	default:
		c := int(a - domination.ActDiscard2First)
		return t.boughtNow() + t.early() - t.reserve(c) - t.held(c) - t.second(c)
	}
}

// early is why to buy before the others have used their last cards: a purchase
// can wait for nothing, while what is done on the map can be undone until then.
func (t *situation) early() float64 { return t.measures.early * min(1, t.threat(t.me)) }

// second returns what the cheapest card costs that can be discarded after one of
// type c: the use that is made of it otherwise.
func (t *situation) second(c int) float64 {
	hand := &t.state.P.Seats[t.me].Hand
	best := math.Inf(1)
	for d := c; d < cards; d++ {
		if hand[d] > 1 || hand[d] == 1 && d != c {
			best = min(best, max(t.reserve(d), t.use(d)))
		}
	}
	return best
}

// held is what is lost by using a card of type c in a turn that would be of more use
// in a window of the scoring, when nobody can answer it any more.
func (t *situation) held(c int) float64 {
	if t.world.cards[c].text == landPoints {
		return t.tryText(c)
	}
	return 0
}

// scoreReaction (D14, D15, D16): a card for any moment is played at the last one,
// that of the scoring, if it gains more than it would later.
func (t *situation) scoreReaction(a engine.Action) float64 {
	if a == domination.ActDecline {
		return 0
	}
	if t.state.Decision() == domination.AnytimeDecision {
		return -1
	}
	c := int(a - domination.ActTextOf)
	if t.world.cards[c].text == denyRegions {
		return t.tryDenial() - t.reserve(c)
	}
	return t.tryText(c) - t.reserve(c)
}

// tryDenial returns the gain of Fog of War: the VPs that opponents do not get.
func (t *situation) tryDenial() float64 {
	gain := 0.0
	for s := range t.seats {
		if s != t.me && !t.state.P.Denied(domination.SeatID(s)) {
			regions, _, _ := t.state.Standing(domination.SeatID(s))
			gain -= t.stakes.weight[s] * t.world.atlas.regionVP * float64(regions)
		}
	}
	return gain
}
