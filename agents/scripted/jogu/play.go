package jogu

import (
	"slices"

	"powderkeg/engine/jogu"
)

// zone says where a card that is tried is counted so far.
type zone uint8

const (
	gone zone = iota // it has been chosen and lies nowhere yet
	inHand
	inDiscard
)

// try returns the value of playing card type i of the own deck to a place, with
// all that the play brings about. nested says how many plays that the card may
// bring about are tried in turn.
func (t *situation) try(b board, i, place int, from zone, nested int) float64 {
	c := &t.decks[own][i]
	t.lay(&b, c, place, from)
	if nested == 0 {
		return t.plan(&b)
	}
	if next, ok := c.plays(); ok {
		return t.tryBest(&b, next, i, from, nested-1)
	}
	if c.engineer {
		return t.tryTower(&b, place)
	}
	return t.plan(&b)
}

// tryTower returns the value of a board on which an Engineer has just been
// played: he is there to carry a Tower, which may follow in the next turn, if
// the other side does not put one of its own on him first.
func (t *situation) tryTower(b *board, place int) float64 {
	best := t.plan(b)
	if !t.passed[other] && slices.ContainsFunc(t.decks[other], func(c card) bool { return c.tower }) {
		return best
	}
	hand := &t.state.P.Seats[t.me].Hand
	for i := range t.decks[own] {
		if c := &t.decks[own][i]; c.tower && hand[i] > 0 && t.legal(b, c)>>place&1 != 0 {
			best = max(best, t.try(*b, i, place, inHand, 0))
		}
	}
	return best
}

// tryBest returns the value of the best play out of a zone. One card of type
// played has just come from the zone before and is not there any more. If nothing
// can be played, the value is that of the board.
func (t *situation) tryBest(b *board, from zone, played int, before zone, nested int) float64 {
	counts := t.state.P.Seats[t.me].Hand
	if from == inDiscard {
		counts = t.state.P.Seats[t.me].Discard
	}
	if before == from {
		counts[played]--
	}
	best := -1.0
	for i := range t.decks[own] {
		if counts[i] > 0 {
			if v, ok := t.tryPlaces(b, i, from, nested); ok {
				best = max(best, v)
			}
		}
	}
	if best < 0 {
		return t.plan(b)
	}
	return best
}

// tryPlaces returns the value of a card at the place where it will lie: the best
// one, or for a Storm Prodigy, which the other side places, the worst. ok is
// false if it fits nowhere.
func (t *situation) tryPlaces(b *board, i int, from zone, nested int) (value float64, ok bool) {
	c := &t.decks[own][i]
	legal := t.legal(b, c)
	for place := range places {
		if legal>>place&1 == 0 {
			continue
		}
		v := t.try(*b, i, place, from, nested)
		if !ok || (v > value) != (c.stormed) {
			value = v
		}
		ok = true
	}
	return value, ok
}

// lay puts an own card into play and carries out what that does to the board.
func (t *situation) lay(b *board, c *card, place int, from zone) {
	if from == inHand {
		b.hand[own]--
		b.count[own]--
		b.stock[own] -= c.worth
	}
	b.add(own, c, place, 1)
	t.act(b, c, place)
	t.disturb(b, place)
}

// act carries out the ability of an own card that has just been played.
func (t *situation) act(b *board, c *card, place int) {
	done := false
	for i := range c.effects {
		e := &c.effects[i]
		if done = done || !e.IfPrevious; done {
			done = t.carryOut(b, c, e, place)
		}
	}
}

// carryOut carries out one effect, and reports whether there was anything to be done.
func (t *situation) carryOut(b *board, c *card, e *jogu.Effect, place int) bool {
	switch e.Op {
	case jogu.PlaceStayToken:
		b.stay[own] += c.strength
	case jogu.RevealLocationCard:
		b.shown = true
	case jogu.LoseMorale:
		b.morale[own] -= float64(e.N)
	case jogu.MoveCards:
		t.gather(b, place)
	case jogu.DrawCards:
		b.hand[own] += int(e.N) // the cards drawn were in the stock before
	case jogu.BottomFromPlay:
		return t.withdraw(b)
	case jogu.BottomFromDiscard:
		n := min(float64(e.N), float64(t.returnable()))
		b.count[own] += n
		b.stock[own] += n * t.meanWorth[own]
	case jogu.Mill:
		n := min(float64(e.N), max(0, b.count[other]-float64(b.hand[other])))
		b.count[other] -= n
		b.stock[other] -= n * t.meanWorth[other]
	case jogu.RandomDiscard:
		if b.hand[other] > 0 {
			b.hand[other]--
			b.count[other]--
			b.stock[other] -= t.meanWorth[other]
		}
	case jogu.DiscardInPlay:
		if victim, ok := t.victim(place); ok {
			b.add(other, &victim, place, -1)
		}
	case jogu.DiscardSelf:
		b.add(own, c, place, -1)
	}
	return true
}

// gather moves the Gang cards of both sides to a place. They keep their Strength
// of one type, which is that of the Gangan Bit.
func (t *situation) gather(b *board, place int) {
	for side := range 2 {
		for i := range t.decks[side] {
			c := &t.decks[side][i]
			if !c.gang {
				continue
			}
			for from := range places {
				if n := b.gang[side][from]; from != place && n > 0 {
					b.add(side, c, from, -n)
					b.add(side, c, place, n)
				}
			}
		}
	}
}

// disturb moves the other's Scramblers away from a place that has been played to.
// They go where the other side wants them, most likely to its own Location.
func (t *situation) disturb(b *board, place int) {
	n := b.scramblers[other][place]
	if n == 0 {
		return
	}
	for i := range t.decks[other] {
		c := &t.decks[other][i]
		if !c.does(jogu.MoveSelf) {
			continue
		}
		b.add(other, c, place, -n)
		rest := 1 - t.belief[place]
		for to, chance := range t.belief {
			if to != place && rest > 0 {
				b.strength[other][to] += float64(n) * c.strength * chance / rest
			}
		}
		b.played[other] += n
		b.risk[other] += float64(n) * c.morale
	}
}

// withdraw takes the own card that is lying worst back to the pile, if there is one.
func (t *situation) withdraw(b *board) bool {
	worst, at, value := -1, 0, 0.0
	for place := range places {
		counts := &t.state.P.Seats[t.me].Play[place]
		for i := range t.decks[own] {
			c := &t.decks[own][i]
			if counts[i] == 0 || c.protected {
				continue
			}
			if v := t.use(c, place); worst < 0 || v < value {
				worst, at, value = i, place, v
			}
		}
	}
	if worst < 0 {
		return false
	}
	c := &t.decks[own][worst]
	b.add(own, c, at, -1)
	b.count[own]++
	b.stock[own] += c.worth
	return true
}

// use returns what an own card at a place adds to the rating, on average.
func (t *situation) use(c *card, place int) float64 {
	chance := t.belief[place]
	if place == t.location {
		chance = 1
	}
	return chance * weight(place) * c.strength
}

// returnable counts the own discarded cards that a Medic may put back.
func (t *situation) returnable() int {
	n := 0
	counts := &t.state.P.Seats[t.me].Discard
	for i := range t.decks[own] {
		if !t.decks[own][i].protected {
			n += int(counts[i])
		}
	}
	return n
}

// victim returns the other's card at a place that a Bomb Tower had best discard:
// the strongest, or a face-down one if that may be expected to be stronger.
func (t *situation) victim(place int) (victim card, ok bool) {
	p := t.seat(other)
	if t.state.FaceDown(p, place) > 0 {
		victim, _ = t.hiddenCard(other)
		ok = true
	}
	counts := &t.state.P.Seats[p].Play[place]
	for i := range t.decks[other] {
		c := &t.decks[other][i]
		if counts[i] > 0 && !c.protected && (!ok || c.strength > victim.strength) {
			victim, ok = *c, true
		}
	}
	return victim, ok
}
