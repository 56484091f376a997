package jogu

import "powderkeg/engine/flow"

// SeatID is a seat, NoSeat for nobody.
type SeatID uint8

const NoSeat SeatID = 0xFF

// DeckID is a faction, by its index in data/factions.json; noDeck before one is drawn.
type DeckID uint8

const noDeck DeckID = 0xFF

// CardID is a card type among those of all decks, TypeID among those of its own deck.
type (
	CardID uint8
	TypeID uint8
)

const noType TypeID = 0xFF

// Place is a Location, 0 for Location 2 up to 4 for Location 6; noPlace for none.
type Place uint8

const noPlace Place = 0xFF

// Here stands in a card's text for the Location of the card itself.
const Here = noPlace

// Position is the whole situation: a plain value without pointers, copied by
// assignment. It implements R3.1, R3.2 and R3.3: cards of one type and owner at one
// Location are alike except for Stay tokens and the order of face-down cards,
// so counts suffice. The tags say how it stands in JSON (package engine/position),
// README.md what each field means there.
//
// In a view hiddenCard, hiddenPlay and hiddenLoc stand for what
// the seat may not see, and the counts of the other seat's cards mean what the
// field comments say.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	Phase     phase            `pos:"phase" word:"phase"`
	_         struct{}         `pos:"decision" form:"decision"`
	Decks     [numSeats]DeckID `pos:"factions" by:"seat" word:"faction" none:"true"` // noDeck until it is drawn
	Round     uint8            `pos:"round" min:"1" max:"rounds"`
	EndMarker uint8            `pos:"end_marker" min:"first_end" max:"last_end"` // not below Round
	Start     SeatID           `pos:"start_player" word:"seat"`                  // of the round, NoSeat before C3
	Turn      SeatID           `pos:"active" word:"seat" null:"idle"`            // whose turn in deployment, who discards in Reinforcement; else 0
	Passed    [numSeats]bool   `pos:"passed" by:"seat"`
	Morale    [numSeats]uint16 `pos:"morale" by:"seat"` // 0 to 30, and more where Masters of Earth gave it (R2.9)

	Winners [Rounds]SeatID `pos:"vp_rounds" word:"seat" none:"true" len:"Scored"` // of the rounds, one victory point marker each
	Scored  uint8          `pos:"-" hash:"true"`                                  // victory point markers on the track

	Seats [numSeats]Player    `by:"seat"`
	_     struct{}            `pos:"board" form:"board"`
	Locs  [numSeats]Locations `by:"seat"`

	// The last Resolution, public (R10.1-R10.6).
	LastBattle  PlaceSet         `pos:"battle_locations" set:"location" null:"unresolved"`
	LastRatings [numSeats]uint16 `pos:"ratings" by:"seat" null:"unresolved"` // Strategy Ratings
	LastWinner  SeatID           `pos:"round_winner" word:"seat"`            // NoSeat before the first Resolution
	LastCards   [numSeats]uint8  `pos:"last_location_cards" by:"seat" word:"location_card"`

	Frames [MaxDepth]Frame `pos:"stack" len:"Depth" derived:"true"` // plays that are not over, Frames[Depth-1] on top
	Depth  uint8           `pos:"-" hash:"true"`                    // 0 outside a play

	End Ending `pos:"game_over" when:"By"`

	Room Room // sums kept with the cards, because every legal list needs them
}

// resolved reports whether there was a Resolution.
func (p *Position) resolved() bool { return p.LastWinner != NoSeat }

// Ending says how the game was decided.
type Ending struct {
	Winner SeatID `pos:"winner" word:"seat"` // NoSeat while the game goes on
	By     cause  `pos:"by" word:"cause"`
}

// Player is what belongs to one player. Arrays over types are indexed by the card
// type of the seat's own deck, arrays over Locations by Location number - 2.
type Player struct {
	// Hand counts the cards in hand, pending D1 choices included. In the other
	// seat's view it holds the revealed ones only.
	Hand     [Types]uint8 `pos:"hand" form:"hand" secret:"R16.2"`
	HandSize uint8        `pos:"-" hash:"true"` // number of cards in hand, 0 to 7
	// of these the opponent knows to be in the hand; never above Hand (R16.2)
	Revealed [Types]uint8 `pos:"revealed_in_hand" form:"revealed"`
	// chosen in D1, not yet public; zero in the other seat's view
	Pending [Types]uint8 `pos:"pending_discards" form:"pending" derived:"true" secret:"R16.2"`

	// The draw pile from the top: Top fixed cards, Middle cards in unknown order,
	// Bottom fixed cards. Fixed holds the top part and then the bottom part, each
	// top first; the rest is zero. A card that was put under the pile belongs to
	// the bottom part, also with Middle 0, until it is reached from above: that a
	// card went down is public (R16.7, R-07), and what follows from it must stay the
	// same whichever it was.
	Fixed       [DeckSize]PileCard `pos:"draw" form:"draw" secret:"R16.6"`
	_           struct{}           `pos:"draw_known" form:"draw_known"`
	Top, Middle uint8              `pos:"-" hash:"true"`
	Bottom      uint8              `pos:"draw_bottom" form:"draw_bottom"`
	// Unknown counts the cards of the middle. In the seat's own view the fixed
	// cards that it does not know are added. In the other seat's view it counts
	// all cards that the viewer has not seen: hidden ones of the hand, the pile and
	// the face-down slots.
	Unknown [Types]uint8 `pos:"-" hash:"true" secret:"R16.1"`

	Discard [Types]uint8         `pos:"discard" form:"discard"`
	Play    [Places][Types]uint8 `pos:"-" hash:"true"` // face-up cards in play
	Tokens  [Places]uint8        `pos:"-" hash:"true"` // how many of the deck's one tokened type bear a Stay token there
	// face-down cards in order of play: type+1, hiddenSlot, 0 for an empty slot; no gaps
	Down [Places][Slots]TypeID `pos:"-" hash:"true" secret:"R16.5"`
}

// Locations are the Location Cards of one player, by number 2 to 6 or hiddenLoc. The pile
// from the top is Fixed[:Top], then the cards of Unknown in unknown order. In a view
// the hidden ones of Fixed and Card are counted in Unknown.
type Locations struct {
	Card     uint8         `pos:"location_card" word:"location_card" secret:"R16.3"` // the current one, 0 for none
	Revealed bool          `pos:"location_revealed"`                                 // Patriot has shown it
	Fixed    [maxLoc]uint8 `pos:"location_pile" form:"location_pile" secret:"R16.4"`
	Top      uint8         `pos:"-" hash:"true"`
	Unknown  [Places]uint8 `pos:"-" hash:"true" secret:"R16.4"`
	TopKnown bool          `pos:"location_top_known"`               // the owner knows the top of the pile
	Discard  [Places]uint8 `pos:"location_discard" many:"location"` // used since the last reshuffle: what the Location markers show (R1.7)
}

const (
	// hiddenCard stands for a card type that the viewer may not see, hiddenSlot for
	// a face-down card of such a type, hiddenPlay for one that is being played, hiddenLoc
	// for a Location Card.
	hiddenCard TypeID = 0x0F
	hiddenSlot        = hiddenCard + 1
	hiddenPlay CardID = numCards
	hiddenLoc  uint8  = 0x0F
)

// PileCard is a card at a fixed place of a draw pile: the type in the low four
// bits and who knows that it is there (R16.6).
type PileCard uint8

const (
	ownerKnows    PileCard = 1 << 4
	opponentKnows PileCard = 1 << 5
	bothKnow               = ownerKnows | opponentKnows
)

func (c PileCard) card() TypeID         { return TypeID(c) & 0x0F }
func (c PileCard) bits() PileCard       { return c & bothKnow }
func newPileCard(t TypeID) PileCard     { return PileCard(t) }
func (c PileCard) hidden() bool         { return c.card() == hiddenCard }
func (c PileCard) blank() PileCard      { return c.bits() | PileCard(hiddenCard) }
func (c PileCard) as(t TypeID) PileCard { return c.bits() | PileCard(t) }

// ifCertain returns c as the opponent knows it where any of the candidates may be
// c: it still knows the card if it knew all of them and they are of one type.
func (c PileCard) ifCertain(candidates []PileCard) PileCard {
	for _, o := range candidates {
		if o&opponentKnows == 0 || o.card() != c.card() {
			return c &^ opponentKnows
		}
	}
	return c | opponentKnows
}

// Frame is one play that is not over (R9.6). All frames belong to the player
// whose turn it is, since nobody plays a card in the other's turn.
type Frame struct {
	Card       CardID `pos:"card" word:"card" secret:"R16.5"` // global id, or hiddenPlay
	Place      Place  `pos:"location" word:"location"`        // noPlace until the Location is chosen
	Stage      stage  `pos:"stage" word:"stage"`
	Own        bool   `pos:"own_ability"`                        // the card's own ability is still to come
	Scramblers uint8  `pos:"scramblers"`                         // Scrambler triggers still to come, 0 to 8
	Bound      Place  `pos:"lowest_destination" word:"location"` // lowest place that the next Scrambler of the run may move to (R9.4.2)
	Effect     uint8  `pos:"effect"`                             // index of the effect that is being carried out
	Count      uint8  `pos:"count"`                              // cards that the effect has dealt with so far
	Chosen     Place  `pos:"chosen_location" word:"location"`    // where the Trojan Bit takes its card, noPlace until then
	Previous   bool   `pos:"previous_done"`                      // the effect before it was carried out
}

// stage is how far a play has come.
type stage uint8

const (
	placing    stage = iota // the Location is to be chosen
	triggering              // triggers are carried out one by one
	scrambling              // a Scrambler is to be moved
	acting                  // the own ability is being carried out
)

var stageNames = []string{"placing", "triggering", "scrambling", "acting"}

// phase is a step of the round.
type phase uint8

const (
	setUp phase = iota
	reinforcement
	reinforcementDraw
	scout
	deployment
	resolution
	cleanup
	over
)

var phaseNames = []string{"setup", "reinforcement", "reinforcement_draw", "scout", "deployment", "resolution", "cleanup", "over"}

// cause says how a game was decided (R12.4).
type cause uint8

const (
	undecided cause = iota
	byMorale
	byVictoryPoints
	byTieBreak
)

var causeNames = []string{"", "morale", "victory_points", "tie_break_last_round"}

var causeWords = []string{"", "the other has no morale left", "more victory points", "equal victory points, and the last round"}

// PileSize returns the number of cards in the draw pile.
func (s *Player) PileSize() uint8 { return s.Top + s.Middle + s.Bottom }

// downCount returns the number of face-down cards at a Location.
func (s *Player) downCount(place Place) uint8 {
	n := uint8(0)
	for n < Slots && s.Down[place][n] != 0 {
		n++
	}
	return n
}

// popTop takes the top card, which must be a fixed one.
func (s *Player) popTop() PileCard {
	c := s.Fixed[0]
	s.removeFixed(0)
	return c
}

// removeFixed takes out the fixed card of index i, counted from the top of the
// top part.
func (s *Player) removeFixed(i uint8) {
	n := s.Top + s.Bottom
	copy(s.Fixed[i:n-1], s.Fixed[i+1:n])
	s.Fixed[n-1] = 0
	if i < s.Top {
		s.Top--
	} else {
		s.Bottom--
	}
}

// pushBottom lays a card under the pile.
func (s *Player) pushBottom(c PileCard) {
	s.Fixed[s.Top+s.Bottom] = c
	s.Bottom++
}

// loseRevealed implements R16.2: a card of type t has left the hand, and with it
// what the opponent knew of one.
func (s *Player) loseRevealed(t TypeID) {
	if s.Revealed[t] > 0 {
		s.Revealed[t]--
	}
}

// takeFromHand removes a card of type t.
func (s *Player) takeFromHand(t TypeID) {
	s.Hand[t]--
	s.HandSize--
	s.loseRevealed(t)
}

// drawTop implements R16.6 (Drawing): the top card, which is a fixed one, comes
// into the hand, and the opponent's knowledge with it.
func (s *Player) drawTop() {
	c := s.popTop()
	s.Hand[c.card()]++
	s.HandSize++
	if c&opponentKnows != 0 {
		s.Revealed[c.card()]++
	}
}

// only returns the one type that the counts hold, and false if there are several
// or none.
func only(counts *[Types]uint8) (TypeID, bool) {
	found := noType
	for t, n := range counts {
		if n > 0 {
			if found != noType {
				return 0, false
			}
			found = TypeID(t)
		}
	}
	return found, found != noType
}

// sum adds up counts.
func sum(counts []uint8) int {
	n := 0
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// typesOf returns the set of types that the counts hold.
func typesOf(counts *[Types]uint8) typeSet {
	var set typeSet
	for t, n := range counts {
		if n > 0 {
			set |= 1 << t
		}
	}
	return set
}

// deckOf returns the deck of seat s.
func (g *game) deckOf(p *Position, s SeatID) *deck { return &g.box.decks[p.Decks[s]] }
