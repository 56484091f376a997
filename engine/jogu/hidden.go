package jogu

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game. It implements engine.Teller.
type View struct {
	flow.View[*game, Position, actionSet]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules, R3.4 and R16.1 to R16.7: what is not blanked here is
// public, such as all discards (Q7), or known to the seat. It is the one place where
// secrets are told from what may be shown.
func (g *game) Blank(p *Position, seat engine.Player) {
	me := SeatID(seat)
	g.hideOpponent(p, 1-me)
	p.hideOwn(me)
	if p.Actor == engine.Player(1-me) {
		p.Words[0] = 0 // it tells what is in the hand
	}
}

// hideOpponent blanks the cards of seat o that the other seat may not see: the
// hand but for revealed cards and the pending D1 choice with its size (R16.2), the
// Location Card and its pile (R16.3-R16.4), face-down cards from their choice in
// D2 on (R16.5), and pile cards that only their owner knows (R16.6). All that is
// hidden is added up in unknown and locUnknown: that sum is public, since both
// decks are (R16.1).
func (g *game) hideOpponent(p *Position, o SeatID) {
	s := &p.Seats[o]
	for t := range s.Hand {
		s.Unknown[t] += s.Hand[t] - s.Revealed[t]
	}
	s.Hand = s.Revealed
	s.Pending = [Types]uint8{}
	s.hidePile(opponentKnows)
	for place := range s.Down {
		for i := 0; i < Slots && s.Down[place][i] != 0; i++ {
			if c := s.Down[place][i]; c != hiddenSlot {
				s.Unknown[c-1]++
				s.Down[place][i] = hiddenSlot
			}
		}
	}
	if p.Depth > 0 && p.Turn == o {
		g.hidePlay(p, s)
	}
	l := &p.Locs[o]
	if l.Card >= FirstPlace && l.Card != hiddenLoc && !l.Revealed {
		l.Unknown[l.Card-FirstPlace]++
		l.Card = hiddenLoc
	}
	l.hide(0)
}

// hidePlay blanks the face-down card that seat s is playing. Once it lies at its
// Location, it has been counted in its slot.
func (g *game) hidePlay(p *Position, s *Player) {
	f := &p.Frames[0] // a deck with face-down cards nests no plays
	if f.Card == hiddenPlay || !g.playing(p, f).FaceDown {
		return
	}
	if f.Stage == placing {
		s.Unknown[g.kind(p, f)]++
	}
	f.Card = hiddenPlay
}

// hideOwn blanks what a seat does not know of its own piles.
func (p *Position) hideOwn(me SeatID) {
	p.Seats[me].hidePile(ownerKnows)
	known := uint8(0)
	if p.Locs[me].TopKnown {
		known = 1
	}
	p.Locs[me].hide(known)
}

// hidePile blanks the fixed cards of the pile without the knowledge bit, those of a
// dictated order that nobody knows too.
func (s *Player) hidePile(bit PileCard) {
	fixed := s.Fixed[:s.Top+s.Bottom]
	for i, c := range fixed {
		if c&bit == 0 && !c.hidden() {
			s.Unknown[c.card()]++
			fixed[i] = c.blank()
		}
	}
}

// hide blanks the fixed cards of the Location pile but for the first known ones.
func (l *Locations) hide(known uint8) {
	for i := known; i < l.Top; i++ {
		if n := l.Fixed[i]; n != hiddenLoc {
			l.Unknown[n-FirstPlace]++
			l.Fixed[i] = hiddenLoc
		}
	}
}

// Redeal implements engine.Hidden, R16.8 and R-03. Deals that contradict the question
// at hand are dealt again: where the opponent is asked, there is a choice, and where
// a card is awaited from chance, more than one is possible.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G = view.G
	for {
		s.P = view.P
		s.G.deal(&s.P, SeatID(view.Seat), rng)
		if s.Rests() && s.P.Ask == view.P.Ask && s.P.Actor == view.P.Actor {
			s.Dealt()
			return
		}
	}
}

// deal fills the blanks of a view of seat me: the opponent's unseen cards go to
// the face-down slots first, then to the hand and the pile.
func (g *game) deal(p *Position, me SeatID, rng *rand.PCG) {
	o := 1 - me
	s := &p.Seats[o]
	if p.Decks[o] != noDeck {
		g.dealDown(p, s, o, rng)
	}
	for range int(s.HandSize) - sum(s.Hand[:]) {
		s.Hand[takeOne(&s.Unknown, allTypes, rng)]++
	}
	if p.discarding(o) {
		s.dealPending(rng)
	}
	for i := range p.Seats {
		p.Seats[i].dealPile(rng)
		p.Locs[i].deal(rng)
	}
}

// dealDown deals the face-down cards of seat o, the one being played included.
func (g *game) dealDown(p *Position, s *Player, o SeatID, rng *rand.PCG) {
	types := g.deckOf(p, o).faceDown
	for place := range s.Down {
		for i, c := range s.Down[place] {
			if c == hiddenSlot {
				s.Down[place][i] = takeOne(&s.Unknown, types, rng) + 1
			}
		}
	}
	f := &p.Frames[0]
	if p.Depth == 0 || p.Turn != o || f.Card != hiddenPlay {
		return
	}
	var t TypeID
	if f.Stage == placing {
		t = takeOne(&s.Unknown, types, rng)
	} else { // the card played last lies in the last slot
		t = s.Down[f.Place][s.downCount(f.Place)-1] - 1
	}
	f.Card = g.deckOf(p, o).first + CardID(t)
}

// dealPending puts each card of the hand into the pending D1 choice with chance
// 1/2, because even the size of that choice is hidden.
func (s *Player) dealPending(rng *rand.PCG) {
	coins := rng.Uint64()
	for t, n := range s.Hand {
		for range n {
			s.Pending[t] += uint8(coins & 1)
			coins >>= 1
		}
	}
}

// dealPile gives identities to the blanks of the pile.
func (s *Player) dealPile(rng *rand.PCG) {
	fixed := s.Fixed[:s.Top+s.Bottom]
	for i, c := range fixed {
		if c.hidden() {
			fixed[i] = c.as(takeOne(&s.Unknown, allTypes, rng))
		}
	}
}

// deal gives identities to the blanks of the Location Cards.
func (l *Locations) deal(rng *rand.PCG) {
	if l.Card == hiddenLoc {
		l.Card = takeLocation(&l.Unknown, rng)
	}
	for i, n := range l.Fixed[:l.Top] {
		if n == hiddenLoc {
			l.Fixed[i] = takeLocation(&l.Unknown, rng)
		}
	}
}

const allTypes typeSet = 1<<Types - 1

// takeOne takes one of the cards of the given types out of counts, each physical
// card with the same chance.
func takeOne(counts *[Types]uint8, types typeSet, rng *rand.PCG) TypeID {
	total := uint32(0)
	for t, n := range counts {
		if types.has(TypeID(t)) {
			total += uint32(n)
		}
	}
	x := engine.Uint32N(rng, total)
	for t := range counts {
		if !types.has(TypeID(t)) {
			continue
		}
		if n := uint32(counts[t]); x >= n {
			x -= n
			continue
		}
		counts[t]--
		return TypeID(t)
	}
	panic("jogu: a view has fewer cards than places")
}

// takeLocation takes one Location Card out of counts and returns its number.
func takeLocation(counts *[Places]uint8, rng *rand.PCG) uint8 {
	x := engine.Uint32N(rng, uint32(sum(counts[:])))
	for place := range counts {
		if n := uint32(counts[place]); x >= n {
			x -= n
			continue
		}
		counts[place]--
		return uint8(place) + FirstPlace
	}
	panic("jogu: a view has fewer Location Cards than places")
}

// Side implements engine.Sided by the name of the seat's faction (R4.1), which both know once it is drawn. Where both
// play the same one, A is the first seat's.
func (s *View) Side(seat engine.Player) string {
	d, other := s.P.Decks[seat], s.P.Decks[1-seat]
	switch {
	case d == noDeck:
		return ""
	case d == other:
		return s.G.box.decks[d].Name + " " + string(rune('A'+seat))
	}
	return s.G.box.decks[d].Name
}
