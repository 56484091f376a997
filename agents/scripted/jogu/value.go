package jogu

import (
	"math"

	"powderkeg/engine/jogu"
)

// What the player assumes about a round. The figures were chosen by matches of
// the player against variants of itself.
const (
	usualCards = 5.5 // cards that a side plays in a round: forty over seven rounds
	roomUsed   = 0.6 // part of the free Capacity that further cards can fill
	elsewhere  = 0.8 // what a point of Strength adds to a rating at a place that may not be a battle
	cardSpread = 6.0 // standard deviation of what one unknown further card adds to a rating
	baseSpread = 1.0 // standard deviation of a rating that nobody adds to
)

// value returns the chance to win the game from a board, if the own side plays
// about so many further cards in this round, and then passes.
func (t *situation) value(b *board, more float64) float64 {
	c := t.contest(b)
	return t.valueIn(&c, b, more)
}

// valueIn is value, given the contest on the board.
func (t *situation) valueIn(c *contest, b *board, more float64) float64 {
	win, theirs := t.winRound(c, b, more)
	morale, risk := b.morale, b.risk
	for side := range 2 {
		for place, n := range b.earths[side] {
			spare := jogu.Capacity - b.strength[own][place] - b.strength[other][place]
			morale[side] += float64(n) * max(0, spare)
		}
	}
	count, stock := b.count, b.stock
	for side, n := range [2]float64{more, theirs} {
		risk[side] += n * t.meanMorale[side]
		count[side] -= n
		stock[side] += b.stay[side] - n*t.meanWorth[side]
	}
	won, lost := t.points, t.points
	won[own]++
	lost[other]++
	if t.rounds == 0 { // equal points go to the winner of the last round (R12.3)
		won[own] += 0.5
		lost[other] += 0.5
	}
	return win*t.outlook(won, [2]float64{morale[own], morale[other] - risk[other]}, count, stock) +
		(1-win)*t.outlook(lost, [2]float64{morale[own] - risk[own], morale[other]}, count, stock)
}

// plan returns the value of a board if the own side goes on with as many cards as
// suits it best. Passing now is value(b, 0).
func (t *situation) plan(b *board) float64 {
	c := t.contest(b)
	best := t.valueIn(&c, b, 0)
	for more := 1; more <= min(b.hand[own], 4); more++ {
		best = max(best, t.valueIn(&c, b, float64(more)))
	}
	return best
}

// contest is what decides the round on a board, whatever is still played: by each place that may be
// the other's Location Card.
type contest struct {
	fields [places]field
	n      int // fields
}

// field is the contest where the other's Location Card names a place.
type field struct {
	place    int
	chance   float64
	w        [places]float64 // battles
	lead     float64         // of the own rating
	variance float64         // of that
	gain     float64         // what one further card adds to the other's rating, at least 1
}

func (t *situation) contest(b *board) (c contest) {
	var ahead [places]float64
	for i := range ahead {
		ahead[i] = b.strength[own][i] - b.strength[other][i]
	}
	for place, chance := range t.belief {
		if chance <= 0 {
			continue
		}
		f := &c.fields[c.n]
		c.n++
		*f = field{place: place, chance: chance, w: t.battles(b, place), variance: baseSpread * baseSpread}
		for i, x := range &f.w {
			f.lead += x * ahead[i]
			f.variance += x * x * b.spread[i]
		}
		f.gain = max(1, t.further(b, other, place, &f.w, 1))
	}
	return c
}

// winRound returns the chance to win the round, weighed over the places where
// the other's Location Card may be, and how many cards the other side may be
// expected to play still.
func (t *situation) winRound(c *contest, b *board, more float64) (win, theirs float64) {
	for i := range c.fields[:c.n] {
		f := &c.fields[i]
		p, n := t.winRoundIf(f, b, more)
		win += f.chance * p
		theirs += f.chance * n
	}
	return win, theirs
}

// battles returns the weight of every place in the ratings, 0 for no battle, if
// the other's Location Card names that place (R10.2).
func (t *situation) battles(b *board, place int) (w [places]float64) {
	if t.location >= 0 {
		w[t.location] = weight(t.location)
	}
	w[place] = weight(place)
	for i := range w {
		if b.named[i] > 0 {
			w[i] = weight(i)
		}
		if b.struckOut[i] > 0 {
			w[i] = 0
		}
	}
	return w
}

// winRoundIf is winRound where the other's Location Card names the place of a field.
func (t *situation) winRoundIf(f *field, b *board, more float64) (win, theirs float64) {
	lead, variance := f.lead+t.further(b, own, t.location, &f.w, more), f.variance
	theirs = t.reply(f, b, lead, more)
	lead -= t.further(b, other, f.place, &f.w, theirs)
	// The other's plays are uncertain in number and kind, the own in kind only.
	variance += cardSpread * cardSpread * (theirs + more/2)
	if !t.passed[other] && b.hand[other] > 0 {
		variance += cardSpread * cardSpread / 2
	}
	tie := -0.5
	if t.first {
		tie = 0.5
	}
	return normal((lead + tie) / math.Sqrt(variance)), theirs
}

// free returns how much Strength further cards may bring to a place.
func (b *board) free(place int) float64 {
	return roomUsed * float64(max(0, jogu.Capacity-b.room.Used[place]))
}

// further returns what n further cards of a side add to its rating. A side plays
// to its own Location first, as long as there is room; the other side then to the
// one that has been shown to it; and what is left where it hopes for a battle.
func (t *situation) further(b *board, side, place int, w *[places]float64, n float64) float64 {
	strength := n * t.meanStrength[side]
	if place < 0 {
		return strength * elsewhere
	}
	here := min(strength, b.free(place))
	gain, rest := here*w[place], strength-here
	if side == other && b.shown && place != t.location {
		there := min(rest, b.free(t.location))
		gain += there * w[t.location]
		rest -= there
	}
	return gain + rest*elsewhere
}

// reply guesses how many cards the other side will still play: none once it has
// passed; as many as it needs to take the lead if the own side stops; some of
// them if the own side goes on, since more of the contest is then to come.
func (t *situation) reply(f *field, b *board, lead, more float64) float64 {
	if t.passed[other] || b.hand[other] == 0 {
		return 0
	}
	hand := float64(b.hand[other])
	usual := min(hand, max(1, usualCards-float64(b.played[other])))
	need := max(0, lead/f.gain+0.5)
	if more == 0 {
		return min(need, usual)
	}
	return min(hand, 0.3*max(need, usual))
}

// outlook returns the chance to win the game after a round: the race to the
// victory points that decide it, or to the other's last morale. A race to a and b
// wins with chance p each is won with probability I_p(a, b), the regularised
// incomplete beta function, which also serves for parts of a win.
func (t *situation) outlook(points, morale, count, stock [2]float64) float64 {
	switch {
	case morale[own] <= 0:
		return 0
	case morale[other] <= 0:
		return 1
	case t.rounds == 0 && points[own] > points[other]:
		return 1
	case t.rounds == 0:
		return 0
	}
	a := wins(t.majority-points[own], morale[other]/t.roundMorale[other])
	b := wins(t.majority-points[other], morale[own]/t.roundMorale[own])
	if a <= 0 || b <= 0 { // decided on points, but played to the end
		if a <= 0 {
			return 0.99
		}
		return 0.01
	}
	return race(a, b, t.roundChance(count, stock))
}

// wins joins the two ways to win, whichever is nearer counting most: the norm of
// order -4 of how many rounds each takes.
func wins(byPoints, byMorale float64) float64 {
	if byPoints <= 0 {
		return 0
	}
	p, m := byPoints*byPoints, byMorale*byMorale
	return 1 / math.Sqrt(math.Sqrt(1/(p*p)+1/(m*m)))
}

// roundChance returns the chance to win a later round, from the worth of the cards
// that each side can play in it: what it has over the rounds to come, but not
// more than a full hand.
func (t *situation) roundChance(count, stock [2]float64) float64 {
	var perRound [2]float64
	for side := range 2 {
		if count[side] > 0 {
			cards := min(count[side]/float64(t.rounds), jogu.MaxHand)
			perRound[side] = max(0, stock[side]/count[side]) * cards
		}
	}
	const steepness = 0.03 // an average card more a round wins some 10% more rounds
	return min(mostChance, max(leastChance, normal(steepness*(perRound[own]-perRound[other]))))
}
