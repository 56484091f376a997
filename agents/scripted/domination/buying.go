package domination

// later returns the worth in VPs of owning a card more of type c from now on, in
// the Game Turns to come. wait is how many cards are drawn before it is.
func (t *situation) worth(c int, wait float64) float64 {
	k, d := &world.cards[c], &t.deck
	turns := float64(t.later) - wait/d.support
	if turns <= 0 {
		return 0
	}
	before := min(d.support, d.owned) * d.quality
	after := min(d.support, d.owned+1) * (d.owned*d.quality + k.quality) / (d.owned + 1)
	return turns*(after-before)*t.measures.pointVP - k.cost*float64(t.later)*d.quality*t.measures.pointVP
}

// buyable tells whether card type c can be bought (R7.3).
func (t *situation) buyable(c int) bool {
	return t.state.Stack(c) > 0 && (world.cards[c].cost == 0 || t.deck.support > 1)
}

// bestLater returns what the best card that can be bought onto the discard pile is
// worth.
func (t *situation) bestLater() float64 {
	best := 0.0
	for c := range world.cards {
		if t.buyable(c) {
			best = max(best, t.worth(c, t.deck.undrawn))
		}
	}
	return best
}

// bestNow returns what the best card that can be bought into the hand is worth: the
// use that it is good for at once, and having it later.
func (t *situation) bestNow() float64 {
	best := 0.0
	for c := range world.cards {
		if t.buyable(c) {
			best = max(best, t.now(c))
		}
	}
	return best
}

// now returns what card type c is worth in hand.
func (t *situation) now(c int) float64 {
	return t.use(c) + t.worth(c, t.deck.undrawn)
}

// reserve is what is saved by not using a card of type c in this Game Turn.
func (t *situation) reserve(c int) float64 {
	if t.later == 0 {
		return 0
	}
	return t.measures.keep * world.cards[c].quality * t.measures.pointVP
}
