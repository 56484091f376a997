package domination

// worth returns what it is worth, in VPs, to own a card more of type c in the Game
// Turns to come: more cards to draw if there are too few, and better ones on the
// average. Before it is drawn the draw deck runs out.
func (t *situation) worth(c int) float64 {
	k, d := &t.world.cards[c], &t.deck
	turns := float64(t.later) - d.undrawn/d.support
	if turns <= 0 {
		return 0
	}
	before := min(d.support, d.owned) * d.quality
	after := min(d.support, d.owned+1) * (d.owned*d.quality + k.quality) / (d.owned + 1)
	return turns*(after-before)*t.measures.pointVP - k.cost*float64(t.later)*d.quality*t.measures.pointVP
}

// buyable reports whether card type c can be bought (R7.3).
func (t *situation) buyable(c int) bool {
	return t.state.P.Stack[c] > 0 && (t.world.cards[c].cost == 0 || t.deck.support > 1)
}

// Entries of memo.buying.
const (
	later = iota
	now
)

// boughtLater returns what the best card that can be bought onto the discard pile
// is worth.
func (t *situation) boughtLater() float64 {
	return t.memo.buying.get(later, func() float64 {
		best := 0.0
		for c := range t.world.cards {
			if t.buyable(c) {
				best = max(best, t.worth(c))
			}
		}
		return best
	})
}

// boughtNow returns what the best card that can be bought into the hand is worth.
func (t *situation) boughtNow() float64 {
	return t.memo.buying.get(now, func() float64 {
		best := 0.0
		for c := range t.world.cards {
			if t.buyable(c) {
				best = max(best, t.inHand(c))
			}
		}
		return best
	})
}

// inHand returns what a card of type c that comes into the hand is worth: its use at
// once, and having it later.
func (t *situation) inHand(c int) float64 { return t.use(c) + t.worth(c) }

// reserve is what is saved by not using a card of type c in this Game Turn.
func (t *situation) reserve(c int) float64 {
	if t.later == 0 {
		return 0
	}
	return t.measures.keep * t.world.cards[c].quality * t.measures.pointVP
}
