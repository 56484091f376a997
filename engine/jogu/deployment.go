package jogu

// deployment implements R8.1-R8.2 and R8.6-R8.7, D2: turns alternate from the
// start player on; a player who has passed is skipped, and the phase ends when
// both have.
func (g *game) deployment(p *position) bool {
	if p.seats[p.turn].passed {
		if p.seats[1-p.turn].passed {
			p.phase, p.turn = resolution, 0
			return false
		}
		p.turn = 1 - p.turn
	}
	types := g.playable(p, p.turn, &p.seats[p.turn].hand)
	return p.decide(askTurn, p.turn, 1<<actEnd|g.cardActions(p, p.turn, types))
}

// chooseTurn carries out an action of D2: a pass, final for the round and recorded
// like any other if it was forced (Q36), or the choice of a card.
func (g *game) chooseTurn(p *position, a uint8) {
	if a == actEnd {
		p.seats[p.turn].passed = true
		p.turn = 1 - p.turn
		return
	}
	g.choosePlay(p, g.cardType(p, p.turn, a))
}

// playable implements R8.5: the types among the counts that seat s could play
// somewhere. A card without a legal Location can't be chosen.
func (g *game) playable(p *position, s uint8, counts *[maxTypes]uint8) typeSet {
	var set typeSet
	for t, n := range counts {
		if n > 0 && g.legalPlaces(p, s, uint8(t)) != 0 {
			set |= 1 << t
		}
	}
	return set
}

// legalPlaces implements R8.3, R8.4 and the formula of section 17: the Locations to
// which seat s may play a card of type t. Above Capacity nothing fits but Towers
// (R13.27, Q18), and at exactly Capacity a card of Strength 0 does (R8.4). Knights
// have one Location (R13.4), Engineers a lower limit (R13.23).
func (g *game) legalPlaces(p *position, s, t uint8) placeSet {
	c := &g.deckOf(p, s).cards[t]
	limit := min(g.box.capacity, c.limit)
	var set placeSet
	for place := range uint8(numPlaces) {
		if c.anyCapacity || p.used[place]+uint16(c.Capacity) <= limit {
			set |= 1 << place
		}
	}
	set &= c.places
	if c.emptyOnly {
		set &= p.emptyPlaces()
	}
	if c.moreEngineers {
		set &= g.engineerPlaces(p)
	}
	return set
}

// emptyPlaces implements R13.8: the Locations without any card of either player.
func (p *position) emptyPlaces() placeSet {
	var set placeSet
	for place, n := range p.cards {
		if n == 0 {
			set |= 1 << place
		}
	}
	return set
}

// engineerPlaces implements R13.24-R13.27, R2.7 and Q11: the Locations with more
// Engineers than Towers, of both players (R19.2).
func (g *game) engineerPlaces(p *position) placeSet {
	var set placeSet
	for place := range uint8(numPlaces) {
		if g.traitCount(p, engineer, place) > g.traitCount(p, tower, place) {
			set |= 1 << place
		}
	}
	return set
}

// traitCount returns the number of cards with a trait at a Location, of both
// players.
func (g *game) traitCount(p *position, tr trait, place uint8) int {
	n := 0
	for s := range uint8(numSeats) {
		types := g.deckOf(p, s).traits[tr]
		for t := uint8(0); types != 0; t, types = t+1, types>>1 {
			if types&1 != 0 {
				n += int(p.seats[s].play[place][t])
			}
		}
	}
	return n
}

// lay puts a card of seat s into a Location face up (R2.1).
func (g *game) lay(p *position, s, t, place uint8) {
	p.seats[s].play[place][t]++
	p.cards[place]++
	p.used[place] += uint16(g.deckOf(p, s).cards[t].Capacity)
}

// lift takes a face-up card of seat s out of a Location.
func (g *game) lift(p *position, s, t, place uint8) {
	p.seats[s].play[place][t]--
	p.cards[place]--
	p.used[place] -= uint16(g.deckOf(p, s).cards[t].Capacity)
}

// layDown implements R13.17, R13.18, R13.19 and R13.21: a card is played face down
// behind those that lie there already. It counts with its capacity strength (R2.4).
func (g *game) layDown(p *position, s, t, place uint8) {
	seat := &p.seats[s]
	seat.down[place][seat.downCount(place)] = t + 1
	p.cards[place]++
	p.used[place] += uint16(g.deckOf(p, s).cards[t].Capacity)
}

// liftDown takes a face-down card out of its slot and returns its type; the
// cards played later move up.
func (g *game) liftDown(p *position, s, place, slot uint8) uint8 {
	down := &p.seats[s].down[place]
	t := down[slot] - 1
	copy(down[slot:], down[slot+1:])
	down[maxSlots-1] = 0
	p.cards[place]--
	p.used[place] -= uint16(g.deckOf(p, s).cards[t].Capacity)
	return t
}
