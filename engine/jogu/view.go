package jogu

import "powderkeg/engine"

// What encoders and agents read. All methods work on views; what a view hides
// is said at each. Seats are 0 and 1, places 0 to 4 stand for Locations 2 to 6,
// and types 0 to 9 are the card types of a seat's own faction in the order of
// data/cards.json. None of them allocates.

// Counts is a number of cards by type.
type Counts = [Types]uint8

// Faction returns the index in Factions of seat p's deck, -1 before it is drawn.
func (s *View) Faction(p engine.Player) int {
	if s.P.Decks[p] == noDeck {
		return -1
	}
	return int(s.P.Decks[p])
}

// NumTypes returns the number of card types in seat p's deck.
func (s *View) NumTypes(p engine.Player) int {
	if s.P.Decks[p] == noDeck {
		return 0
	}
	return len(s.G.deckOf(&s.P, SeatID(p)).cards)
}

// Copies returns the number of copies of each type in seat p's deck, zeroes
// before it is drawn.
func (s *View) Copies(p engine.Player) *Counts {
	if s.P.Decks[p] == noDeck {
		return &noCards.copies
	}
	return &s.G.deckOf(&s.P, SeatID(p)).copies
}

// Facts returns what is printed on type t of seat p's deck; t is below NumTypes. It must
// not be changed.
func (s *View) Facts(p engine.Player, t int) *Card { return &s.G.deckOf(&s.P, SeatID(p)).cards[t] }

// FaceDown returns the number of seat p's face-down cards at a place.
func (s *View) FaceDown(p engine.Player, place int) int {
	return int(s.P.Seats[p].downCount(Place(place)))
}

// FaceDownType returns the type of seat p's face-down card in a slot, counted from
// 0 in order of play, or -1 if the view hides it or the slot is empty.
func (s *View) FaceDownType(p engine.Player, place, slot int) int {
	c := s.P.Seats[p].Down[place][slot]
	if c == 0 || c == hiddenSlot {
		return -1
	}
	return int(c) - 1
}

// FixedCards returns how many cards of seat p's pile lie at fixed places: top ones
// from the top down, then bottom ones. The cards between them are in unknown
// order; without any, all cards count as top ones.
func (s *View) FixedCards(p engine.Player) (top, bottom int) {
	seat := &s.P.Seats[p]
	if seat.Middle == 0 {
		return int(seat.Top + seat.Bottom), 0
	}
	return int(seat.Top), int(seat.Bottom)
}

// FixedCard returns the card at fixed place i of seat p's pile, counted from the
// top of the top part and on through the bottom part: its type, -1 if the view
// hides it, and whether the owner and its opponent know it.
func (s *View) FixedCard(p engine.Player, i int) (t int, owner, opponent bool) {
	c := s.P.Seats[p].Fixed[i]
	if c.hidden() {
		return -1, c&ownerKnows != 0, c&opponentKnows != 0
	}
	return int(c.card()), c&ownerKnows != 0, c&opponentKnows != 0
}

// LocationCard returns the number of seat p's current Location Card, 0 if it has
// none or the view hides it.
func (s *View) LocationCard(p engine.Player) int {
	if n := s.P.Locs[p].Card; n != hiddenLoc {
		return int(n)
	}
	return 0
}

// NextLocation returns the number of the Location Card on top of seat p's pile if
// its owner has looked at it and the view does not hide it, else 0.
func (s *View) NextLocation(p engine.Player) int {
	if l := &s.P.Locs[p]; l.TopKnown && l.Fixed[0] != hiddenLoc {
		return int(l.Fixed[0])
	}
	return 0
}

// Strength returns the Strength of seat p's cards at a place, as far as their
// types are shown.
func (s *View) Strength(p engine.Player, place int) int {
	n := int(s.G.strengthAt(&s.P, SeatID(p), Place(place)))
	for slot := range s.FaceDown(p, place) {
		if t := s.FaceDownType(p, place, slot); t >= 0 {
			n += int(s.G.deckOf(&s.P, SeatID(p)).cards[t].Strength)
		}
	}
	return n
}

// CanPlay reports whether seat p could play a card of type t to a place now.
func (s *View) CanPlay(p engine.Player, t, place int) bool {
	return s.G.legalPlaces(&s.P, SeatID(p), TypeID(t)).has(Place(place))
}

// LegalPlaces returns the places, bit 0 for place 0, to which seat p could play a card of type
// t if they were so taken up.
func (s *View) LegalPlaces(p engine.Player, t int, room *Room) uint8 {
	return uint8(s.G.deckOf(&s.P, SeatID(p)).cards[t].legal(room))
}

// Decision returns the decision that the actor faces, NoDecision at chance and at
// the end.
func (s *View) Decision() Decision {
	if s.P.Actor < 0 {
		return NoDecision
	}
	return Decision(s.P.Ask)
}

// Turn returns the player whose turn it is in Deployment: the owner of every card
// that is being played. It is -1 in other phases.
func (s *View) Turn() engine.Player {
	if s.P.Phase != deployment {
		return -1
	}
	return engine.Player(s.P.Turn)
}

// Play describes the innermost play that is not over.
type Play struct {
	Card       int  // type in the deck of Turn, -1 if the view hides it
	Place      int  // where the card lies, -1 until that is chosen
	OwnAbility bool // the card's own ability is still to come
	Scramblers int  // Scrambler triggers still to come
	Lowest     int  // lowest place that the next Scrambler of the run may move to
	MedicPicks int  // in D9, the cards that may still be put back, 1 to 3; else 0
	Chosen     int  // in D10b, the place where the Trojan Bit takes a card; else -1
}

// Play returns the innermost play that is not over. Depth must not be 0.
func (s *View) Play() Play {
	f := &s.P.Frames[s.P.Depth-1]
	play := Play{Card: int(s.G.kind(&s.P, f)), Place: int(f.Place), OwnAbility: f.Own, Scramblers: int(f.Scramblers), Lowest: int(f.Bound), Chosen: -1}
	if f.Card == hiddenPlay {
		play.Card = -1
	}
	if f.Place == noPlace {
		play.Place = -1
	}
	switch s.P.asked() {
	case MedicDecision:
		play.MedicPicks = int(s.G.currentEffect(&s.P).N - f.Count)
	case TrojanCardDecision:
		play.Chosen = int(f.Chosen)
	}
	return play
}

// OuterPlay returns the place of play i around the innermost one, counted outward
// from 0 to Depth-2, and its Scrambler triggers still to come. Its own ability, which
// plays the card within it, is being carried out.
func (s *View) OuterPlay(i int) (place, scramblers int) {
	f := &s.P.Frames[int(s.P.Depth)-2-i]
	return int(f.Place), int(f.Scramblers)
}
