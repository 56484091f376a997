package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/jogu"
)

// own and other index pairs of things by side.
const (
	own   = 0
	other = 1
)

// board is the situation in numbers, as far as the player knows or expects it. It
// is a plain value: what a play would do is tried on a copy.
type board struct {
	strength   [2][places]float64
	spread     [places]float64 // variance of what the other's face-down cards add to its Strength
	room       jogu.Room
	gang       [2][places]int
	earths     [2][places]int // Masters of Earth
	scramblers [2][places]int
	named      [places]int // cards of both sides that make it a Battle Location
	struckOut  [places]int // cards of both sides that keep it from being one
	played     [2]int      // cards in play
	risk       [2]float64  // Morale in play, lost with the round
	morale     [2]float64
	stay       [2]float64 // Strength that fights in the next round too
	hand       [2]int
	count      [2]float64 // cards in hand and pile
	stock      [2]float64 // their worth
	shown      bool       // the other side knows the own Location Card
}

// add puts n cards into play or, if n is negative, takes them out, without what
// playing them does.
func (b *board) add(side int, c *card, place, n int) {
	x := float64(n)
	b.strength[side][place] += x * c.strength
	b.room.Used[place] += int16(n * c.capacity)
	b.room.Cards[place] += int8(n)
	b.played[side] += n
	b.risk[side] += x * c.morale
	if c.gang {
		b.gang[side][place] += n
	}
	if c.engineer {
		b.room.Engineers[place] += int8(n)
	}
	if c.tower {
		b.room.Towers[place] += int8(n)
	}
	for i := range c.effects {
		switch e := &c.effects[i]; e.Op {
		case jogu.AddBattleLocation:
			b.named[e.On(jogu.Place(place))] += n
		case jogu.RemoveBattleLocation:
			b.struckOut[e.On(jogu.Place(place))] += n
		case jogu.GainMorale:
			b.earths[side][place] += n
		case jogu.MoveSelf:
			b.scramblers[side][place] += n
		}
	}
}

// situation is what the player makes of a view before it decides.
type situation struct {
	state *jogu.View
	me    engine.Player
	decks [2][]card
	board board

	location int             // place of the own Location Card, -1 before Scout
	belief   [places]float64 // chance of each place to be the other's Location Card
	rounds   int             // rounds to come after this one
	points   [2]float64      // victory points
	majority float64         // victory points that decide the game
	first    bool            // the own side wins ties
	passed   [2]bool

	meanStrength, meanMorale, meanWorth [2]float64 // of a card still to be played
	roundMorale                         [2]float64 // Morale lost in a usual lost round
}

// seat returns the seat of a side.
func (t *situation) seat(side int) engine.Player {
	if side == own {
		return t.me
	}
	return 1 - t.me
}

// legal returns the places, bit 0 for place 0, to which an own card may be played on a
// board that may be a thought only.
func (t *situation) legal(b *board, c *card) uint8 {
	return t.state.LegalPlaces(t.me, c.kind, &b.room)
}

// read takes in the view of seat me.
func (t *situation) read(s *jogu.View, me engine.Player) {
	t.state, t.me = s, me
	t.board = board{shown: s.P.Locs[me].Revealed}
	for side := range 2 {
		p := t.seat(side)
		t.decks[side] = readDeck(t.decks[side][:0], s, p)
		t.passed[side] = s.P.Passed[p]
		t.points[side] = 0
		t.board.morale[side] = float64(s.P.Morale[p])
		t.readMeans(side)
		t.readPlay(side)
	}
	for _, winner := range s.P.Winners[:s.P.Scored] {
		if engine.Player(winner) == me {
			t.points[own]++
		} else {
			t.points[other]++
		}
	}
	t.rounds = int(s.P.EndMarker) - int(s.P.Round)
	t.majority = float64(s.P.EndMarker+1) / 2
	t.first = engine.Player(s.P.Start) == me
	t.location = s.LocationCard(me) - jogu.FirstPlace
	if t.location < 0 {
		t.location = -1
	}
	t.readBelief()
}

// readBelief weighs where the other's Location Card may be: every Location Card
// that it has not used is equally likely to be the current one.
func (t *situation) readBelief() {
	t.belief = [places]float64{}
	p := t.seat(other)
	if n := t.state.LocationCard(p); n != 0 {
		t.belief[n-jogu.FirstPlace] = 1
		return
	}
	left, total := &t.state.P.Locs[p].Unknown, 0.0
	for place := range t.belief {
		t.belief[place] = float64(left[place])
		total += t.belief[place]
	}
	for place := range t.belief {
		if total == 0 { // all ten are used, and a new pile begins
			t.belief[place] = 1. / places
		} else {
			t.belief[place] /= total
		}
	}
}

// readMeans reckons what the cards that a side can still play are like, and how
// many there are. Of the other side that is the cards not seen, some of which may
// lie face down.
func (t *situation) readMeans(side int) {
	p := t.seat(side)
	hand, unseen := &t.state.P.Seats[p].Hand, &t.state.P.Seats[p].Unknown
	var n, strength, morale, worth, deck float64
	for i := range t.decks[side] {
		c := &t.decks[side][i]
		k := float64(hand[i]) + float64(unseen[i])
		n += k
		strength += k * c.strength
		morale += k * c.morale
		worth += k * c.worth
		deck += float64(c.copies) * c.morale / jogu.DeckSize
	}
	const usualPlays = 5 // cards that a side has in play when a round ends
	t.roundMorale[side] = usualPlays * deck
	if n > 0 {
		t.meanStrength[side], t.meanMorale[side], t.meanWorth[side] = strength/n, morale/n, worth/n
	} else {
		t.meanStrength[side], t.meanMorale[side], t.meanWorth[side] = 2, 1, 2
	}
	b := &t.board
	b.hand[side] = int(t.state.P.Seats[p].HandSize)
	b.count[side] = float64(b.hand[side] + int(t.state.P.Seats[p].PileSize()))
	b.stock[side] = b.count[side] * t.meanWorth[side]
}

// readPlay reads the cards in play. A face-down card of the other side counts as
// what is expected of it.
func (t *situation) readPlay(side int) {
	b, p := &t.board, t.seat(side)
	hidden, variance := t.hiddenCard(side)
	for place := range places {
		counts := &t.state.P.Seats[p].Play[place]
		for i := range t.decks[side] {
			if n := int(counts[i]); n > 0 {
				b.add(side, &t.decks[side][i], place, n)
			}
			if c := &t.decks[side][i]; c.does(jogu.PlaceStayToken) {
				b.stay[side] += float64(t.state.P.Seats[p].Tokens[place]) * c.strength
			}
		}
		for slot := range t.state.FaceDown(p, place) {
			if i := t.state.FaceDownType(p, place, slot); i >= 0 {
				b.add(side, &t.decks[side][i], place, 1)
				continue
			}
			b.add(side, &hidden, place, 1)
			b.spread[place] += variance
		}
	}
}

// hiddenCard returns the mean of the types that may lie face down, weighed by how
// many of each are unseen, and the variance of its Strength.
func (t *situation) hiddenCard(side int) (mean card, variance float64) {
	mean = card{faceDown: true}
	unseen := &t.state.P.Seats[t.seat(side)].Unknown
	n, squares := 0.0, 0.0
	for i := range t.decks[side] {
		c := &t.decks[side][i]
		if !c.faceDown {
			continue
		}
		k := float64(unseen[i])
		n += k
		mean.strength += k * c.strength
		mean.morale += k * c.morale
		mean.worth += k * c.worth
		mean.capacity = c.capacity
		squares += k * c.strength * c.strength
	}
	if n == 0 {
		return mean, 0
	}
	mean.strength /= n
	mean.morale /= n
	mean.worth /= n
	return mean, squares/n - mean.strength*mean.strength
}
