package jogu

import "powderkeg/engine"

// What encoders and agents read. All methods work on views; what a view hides
// is said at each. Seats are 0 and 1, places 0 to 4 stand for Locations 2 to 6,
// and types 0 to 9 are the card types of a seat's own faction in the order of
// data/cards.json. None of them allocates.

// Sizes of the arrays below, and limits that data/setup.json sets.
const (
	Places     = numPlaces
	Types      = maxTypes
	Slots      = maxSlots // face-down cards of one seat at a place
	MaxDepth   = maxFrames
	Rounds     = maxRounds
	DeckSize   = maxPile
	Decisions  = int(NoDecision)
	FirstPlace = firstLoc // number of the Location of place 0
	MaxHand    = 7
	FirstEnd   = 7  // where the end-game marker begins
	Capacity   = 10 // of every Location
)

// First action of each kind; the others follow in order.
const (
	ActEnd            engine.Action = actEnd
	ActOwnFirst       engine.Action = actOwnFirst
	ActScramblerFirst engine.Action = actScramblerFirst
	ActLocation       engine.Action = actLoc
	ActSlot           engine.Action = actSlot
	ActCard           engine.Action = actCard
)

// Counts is a number of cards by type.
type Counts = [maxTypes]uint8

// CardFacts is what is printed on a card.
type CardFacts struct {
	Key, Name, Text         string
	ID                      int // among all cards; ActCard + ID names it
	Strength, Morale        int
	Capacity                int // capacity strength as it is played
	Copies                  int
	Protected, FaceDown     bool
	Gang, Engineer, Tower   bool
	OpponentChoosesLocation bool
}

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

// Facts returns what is printed on type t of seat p's deck; t is below NumTypes.
func (s *View) Facts(p engine.Player, t int) CardFacts {
	d := s.G.deckOf(&s.P, SeatID(p))
	c, u := &d.cards[t], TypeID(t)
	return CardFacts{
		Key: c.Key, Name: c.Name, Text: c.Text, ID: c.ID,
		Strength: int(c.Strength), Morale: int(c.Morale), Capacity: int(c.Capacity), Copies: int(d.copies[t]),
		Protected: c.Protected, FaceDown: c.FaceDown,
		Gang: d.traits[gang].has(u), Engineer: d.traits[engineer].has(u), Tower: d.traits[tower].has(u),
		OpponentChoosesLocation: c.opponentChooses,
	}
}

// Effects returns what the ability of type t of seat p's deck does, in order. The result
// must not be changed.
func (s *View) Effects(p engine.Player, t int) []Effect {
	return s.G.deckOf(&s.P, SeatID(p)).cards[t].Effects
}

// Hand returns the cards in seat p's hand, pending D1 choices included; in the
// other seat's view those that it knows of. The result points into the state and
// must not be changed, here and below.
func (s *View) Hand(p engine.Player) *Counts { return &s.P.Seats[p].Hand }

// HandSize returns the number of cards in seat p's hand.
func (s *View) HandSize(p engine.Player) int { return int(s.P.Seats[p].HandSize) }

// Revealed returns the cards of seat p's hand that its opponent knows of.
func (s *View) Revealed(p engine.Player) *Counts { return &s.P.Seats[p].Revealed }

// Pending returns what seat p has chosen in D1 and not yet shown; zeroes in the
// other seat's view.
func (s *View) Pending(p engine.Player) *Counts { return &s.P.Seats[p].Pending }

// Discard returns seat p's discard.
func (s *View) Discard(p engine.Player) *Counts { return &s.P.Seats[p].Discard }

// FaceUp returns seat p's face-up cards at a place.
func (s *View) FaceUp(p engine.Player, place int) *Counts { return &s.P.Seats[p].Play[place] }

// Tokens returns how many of seat p's cards at a place bear a Stay token.
func (s *View) Tokens(p engine.Player, place int) int { return int(s.P.Seats[p].Tokens[place]) }

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

// PileSize returns the number of cards in seat p's draw pile.
func (s *View) PileSize(p engine.Player) int { return int(s.P.Seats[p].pileSize()) }

// Unseen returns, in seat p's own view, the cards of its pile whose places it
// does not know; in the other seat's view all cards of seat p that the viewer has
// not seen, wherever they are: hand, pile, face down.
func (s *View) Unseen(p engine.Player) *Counts { return &s.P.Seats[p].Unknown }

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

// PutUnder returns how many of the last cards of seat p's pile were put under it and
// have not been reached from above since, also where all cards above are known.
func (s *View) PutUnder(p engine.Player) int { return int(s.P.Seats[p].Bottom) }

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

// HasLocationCard reports whether seat p has a current Location Card, shown or not.
func (s *View) HasLocationCard(p engine.Player) bool { return s.P.Locs[p].Card != 0 }

// LocationsUnknown returns by place the Location Cards of seat p's pile that lie in
// unknown order, and in the other seat's view with them the current one and the next,
// unless it is shown.
func (s *View) LocationsUnknown(p engine.Player) *[numPlaces]uint8 { return &s.P.Locs[p].Unknown }

// LocationRevealed reports whether seat p's current Location Card is public.
func (s *View) LocationRevealed(p engine.Player) bool { return s.P.Locs[p].Revealed }

// NextLocation returns the number of the Location Card on top of seat p's pile if
// its owner has looked at it and the view does not hide it, else 0.
func (s *View) NextLocation(p engine.Player) int {
	if l := &s.P.Locs[p]; l.TopKnown && l.Fixed[0] != hiddenLoc {
		return int(l.Fixed[0])
	}
	return 0
}

// LookedAhead reports whether seat p knows the top of its Location pile.
func (s *View) LookedAhead(p engine.Player) bool { return s.P.Locs[p].TopKnown }

// LocationDiscard returns seat p's used Location Cards by place, since the last
// reshuffle: what the Location markers show (R1.7).
func (s *View) LocationDiscard(p engine.Player) *[numPlaces]uint8 { return &s.P.Locs[p].Discard }

// Used returns the capacity strength of all cards at a place.
func (s *View) Used(place int) int { return int(s.P.Room.Used[place]) }

// CardsAt returns the number of cards of both seats at a place.
func (s *View) CardsAt(place int) int { return int(s.P.Room.Cards[place]) }

// Strength returns the Strength of seat p's cards at a place, as far as their
// types are shown.
func (s *View) Strength(p engine.Player, place int) int {
	n := int(s.G.strengthAt(&s.P, SeatID(p), Place(place)))
	for slot := range maxSlots {
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

// Round returns the round, 1 to 10.
func (s *View) Round() int { return int(s.P.Round) }

// EndMarker returns the space of the end-game marker, 7 to 10.
func (s *View) EndMarker() int { return int(s.P.EndMarker) }

// StartPlayer returns the start player of the round, -1 before it is drawn.
func (s *View) StartPlayer() engine.Player {
	if s.P.Start == noSeat {
		return -1
	}
	return engine.Player(s.P.Start)
}

// Passed reports whether seat p has passed for the round.
func (s *View) Passed(p engine.Player) bool { return s.P.Passed[p] }

// Morale returns seat p's morale.
func (s *View) Morale(p engine.Player) int { return int(s.P.Morale[p]) }

// RoundsPlayed returns the number of victory point markers on the track.
func (s *View) RoundsPlayed() int { return int(s.P.Scored) }

// RoundWinner returns who won marker i, which is below RoundsPlayed.
func (s *View) RoundWinner(i int) engine.Player { return engine.Player(s.P.Winners[i]) }

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

// Depth returns the number of plays that are not over, 0 to 9.
func (s *View) Depth() int { return int(s.P.Depth) }

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

// LastRound returns the last Resolution: whether there was one, the set of Battle
// Locations (bit 0 for place 0), and who won.
func (s *View) LastRound() (known bool, battle uint8, winner engine.Player) {
	if !s.P.resolved() {
		return false, 0, -1
	}
	return true, uint8(s.P.LastBattle), engine.Player(s.P.LastWinner)
}

// LastRating returns seat p's Strategy Rating in the last Resolution, and the
// number of its Location Card, 0 for none.
func (s *View) LastRating(p engine.Player) (rating, locationCard int) {
	return int(s.P.LastRatings[p]), int(s.P.LastCards[p])
}

// Winner returns the winner of a finished game, -1 before.
func (s *View) Winner() engine.Player {
	if s.P.End.Winner == noSeat {
		return -1
	}
	return engine.Player(s.P.End.Winner)
}
