package jogu

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.View.
type View struct {
	g    *game
	p    position
	seat engine.Player // whose view it is
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) {
	view := v.(*View)
	view.g, view.seat = s.g, seat
	view.p = s.p
	if seat != engine.Everything {
		view.blank()
	}
}

// ToAct implements engine.View.
func (s *View) ToAct() engine.Player { return s.p.actor }

// Legal implements engine.View.
func (s *View) Legal(dst []engine.Action) []engine.Action { return s.p.choices(dst) }

// Hash implements engine.View.
func (s *View) Hash() uint64 { return s.p.hash() }

// MarshalJSON implements engine.View.
func (s *View) MarshalJSON() ([]byte, error) { return s.g.encode(&s.p) }

// blank implements R3.4 and R16.1 to R16.7: what is not blanked here is public, such
// as all discards (Q7), or known to the seat. It is the one place where secrets are told
// from what may be shown.
func (s *View) blank() {
	me := uint8(s.seat)
	s.g.hideOpponent(&s.p, 1-me)
	s.p.seats[me].hideOwn()
	if s.p.actor == engine.Player(1-me) {
		s.p.legal = 0 // it tells what is in the hand
	}
}

// hideOpponent blanks the cards of seat o that the other seat may not see: the
// hand but for revealed cards and the pending D1 choice with its size (R16.2), the
// Location Card and its pile (R16.3-R16.4), face-down cards from their choice in
// D2 on (R16.5), and pile cards that only their owner knows (R16.6). All that is
// hidden is added up in unknown and locUnknown: that sum is public, since both
// decks are (R16.1).
func (g *game) hideOpponent(p *position, o uint8) {
	s := &p.seats[o]
	for t := range s.hand {
		s.unknown[t] += s.hand[t] - s.revealed[t]
	}
	s.hand = s.revealed
	s.pending = [maxTypes]uint8{}
	s.hidePile(opponentKnows)
	for place := range s.down {
		for i, c := range s.down[place] {
			if c != 0 && c != hiddenSlot {
				s.unknown[c-1]++
				s.down[place][i] = hiddenSlot
			}
		}
	}
	if p.depth > 0 && p.turn == o {
		g.hidePlay(p, s)
	}
	if s.locCard >= firstLoc && s.locCard != hiddenLoc && !s.locRevealed {
		s.locUnknown[s.locCard-firstLoc]++
		s.locCard = hiddenLoc
	}
	s.hideLocations(0)
}

// hidePlay blanks the face-down card that seat s is playing. Once it lies at its
// Location, it has been counted in its slot.
func (g *game) hidePlay(p *position, s *seat) {
	f := &p.frames[0] // a deck with face-down cards nests no plays
	if f.card == hiddenCard || !g.box.decks[s.deck].faceDown.has(f.card) {
		return
	}
	if f.stage == placing {
		s.unknown[f.card]++
	}
	f.card = hiddenCard
}

// hideOwn blanks what a seat does not know of its own piles.
func (s *seat) hideOwn() {
	s.hidePile(ownerKnows)
	known := uint8(0)
	if s.locTopKnown {
		known = 1
	}
	s.hideLocations(known)
}

// hidePile blanks the fixed cards of the pile without the knowledge bit, those of a
// dictated order that nobody knows too.
func (s *seat) hidePile(bit pileCard) {
	fixed := s.fixed[:s.top+s.bottom]
	for i, c := range fixed {
		if c&bit == 0 && !c.hidden() {
			s.unknown[c.card()]++
			fixed[i] = c.blank()
		}
	}
}

// hideLocations blanks the fixed cards of the Location pile but for the first
// known ones.
func (s *seat) hideLocations(known uint8) {
	for i := known; i < s.locTop; i++ {
		if n := s.locFixed[i]; n != hiddenLoc {
			s.locUnknown[n-firstLoc]++
			s.locFixed[i] = hiddenLoc
		}
	}
}

// Redeal implements engine.Hidden, R16.8 and R-03. Deals that contradict the question
// at hand are dealt again: where the opponent is asked, there is a choice, and where
// a card is awaited from chance, more than one is possible.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.g = view.g
	for {
		s.p = view.p
		s.g.deal(&s.p, uint8(view.seat), rng)
		if s.g.advance(&s.p, nil) && s.p.ask == view.p.ask && s.p.actor == view.p.actor && s.g.open(&s.p) {
			return
		}
	}
}

// open reports whether the question is one that the game would wait at.
func (g *game) open(p *position) bool {
	return p.actor < 0 || !g.autoForced || p.legal&(p.legal-1) != 0
}

// deal fills the blanks of a view of seat me: the opponent's unseen cards go to
// the face-down slots first, then to the hand and the pile.
func (g *game) deal(p *position, me uint8, rng *rand.PCG) {
	o := 1 - me
	s := &p.seats[o]
	if s.deck != noDeck {
		g.dealDown(p, s, o, rng)
	}
	for range int(s.handSize) - sum(s.hand[:]) {
		s.hand[takeOne(&s.unknown, allTypes, rng)]++
	}
	if p.discarding(o) {
		s.dealPending(rng)
	}
	for i := range p.seats {
		p.seats[i].dealPiles(rng)
	}
}

// dealDown deals the face-down cards of seat o, the one being played included.
func (g *game) dealDown(p *position, s *seat, o uint8, rng *rand.PCG) {
	types := g.box.decks[s.deck].faceDown
	for place := range s.down {
		for i, c := range s.down[place] {
			if c == hiddenSlot {
				s.down[place][i] = takeOne(&s.unknown, types, rng) + 1
			}
		}
	}
	f := &p.frames[0]
	if p.depth == 0 || p.turn != o || f.card != hiddenCard {
		return
	}
	if f.stage == placing {
		f.card = takeOne(&s.unknown, types, rng)
	} else { // the card played last lies in the last slot
		f.card = s.down[f.place][s.downCount(f.place)-1] - 1
	}
}

// dealPending puts each card of the hand into the pending D1 choice with chance
// 1/2, because even the size of that choice is hidden.
func (s *seat) dealPending(rng *rand.PCG) {
	coins := rng.Uint64()
	for t, n := range s.hand {
		for range n {
			s.pending[t] += uint8(coins & 1)
			coins >>= 1
		}
	}
}

// dealPiles gives identities to the blanks of both piles.
func (s *seat) dealPiles(rng *rand.PCG) {
	fixed := s.fixed[:s.top+s.bottom]
	for i, c := range fixed {
		if c.hidden() {
			fixed[i] = c.as(takeOne(&s.unknown, allTypes, rng))
		}
	}
	if s.locCard == hiddenLoc {
		s.locCard = takeLocation(&s.locUnknown, rng)
	}
	for i, n := range s.locFixed[:s.locTop] {
		if n == hiddenLoc {
			s.locFixed[i] = takeLocation(&s.locUnknown, rng)
		}
	}
}

const allTypes typeSet = 1<<maxTypes - 1

// takeOne takes one of the cards of the given types out of counts, each physical
// card with the same chance.
func takeOne(counts *[maxTypes]uint8, types typeSet, rng *rand.PCG) uint8 {
	total := uint32(0)
	for t, n := range counts {
		if types.has(uint8(t)) {
			total += uint32(n)
		}
	}
	x := engine.Uint32N(rng, total)
	for t := range counts {
		if !types.has(uint8(t)) {
			continue
		}
		if n := uint32(counts[t]); x >= n {
			x -= n
			continue
		}
		counts[t]--
		return uint8(t)
	}
	panic("jogu: a view has fewer cards than places")
}

// takeLocation takes one Location Card out of counts and returns its number.
func takeLocation(counts *[numPlaces]uint8, rng *rand.PCG) uint8 {
	x := engine.Uint32N(rng, uint32(sum(counts[:])))
	for place := range counts {
		if n := uint32(counts[place]); x >= n {
			x -= n
			continue
		}
		counts[place]--
		return uint8(place) + firstLoc
	}
	panic("jogu: a view has fewer Location Cards than places")
}
