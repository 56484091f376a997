package domination

import "powderkeg/engine/flow"

// Position is the whole situation: a plain value without pointers, copied by
// assignment. It implements R3.1. The tags say how it stands in JSON (package
// engine/position), README.md what each field means there.
//
// In a view the hands and draw decks of other seats mean what the field comments say.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	Phase phase    `pos:"phase" word:"phase"`
	_     struct{} `pos:"decision" form:"decision"`
	Turn  uint8    `pos:"turn" max:"end"`                       // Game Turn, 0 before the first, one above the option turns at the end
	First SeatID   `pos:"first_player" word:"seat" none:"true"` // First Player, 0xFF before C2
	// whose turn it is in card play; elsewhere the First Player, 0xFF before C2
	Active    SeatID           `pos:"active" word:"seat" null:"no_turn"`
	Used      bool             `pos:"used_this_turn"`                             // the active player has used a card in this turn
	Passed    SeatSet          `pos:"passed" flags:"seat"`                        // locked out until the next Game Turn (R6.4)
	VP        [MaxSeats]uint16 `pos:"vp" by:"seat" max:"vp"`                      // Victory Points (R10.4)
	Logistics [MaxSeats]uint8  `pos:"logistics" by:"seat" min:"least" max:"most"` // Logistical Support values (R2.10)

	Pool    CardSet      `pos:"pool" set:"card"`      // types in the game; in set-up those drawn so far
	Stack   [Cards]uint8 `pos:"stacks" form:"stacks"` // cards left in the stacks by type; 0 for types outside the pool
	InStock CardSet      // types with cards left: kept with Stack, for every legal list

	Forces // the map

	Seats [MaxSeats]Player `by:"seat"` // of seats beyond the number of players all fields are zero

	Fog SeatSet `pos:"fog_players" set:"seat"` // played Fog of War in this scoring step; empty outside it (R8.4)

	// Window is how far a round of D14, D15 or D16 has come: the place, counted
	// clockwise from the active player (D14) or the First Player, of the seat to be
	// asked next. 0xFF if none is open.
	Window SeatID `pos:"window_seat" form:"window" secret:"R4.5"`

	// The draws of R6.2: the place of the drawing player, counted from the First
	// Player, and how many cards it has drawn. Zero in other phases.
	Drawing SeatID `pos:"drawer" form:"drawer" derived:"true"`
	Drawn   uint8  `pos:"draws_made" derived:"true"`

	Frame Frame `pos:"frame" when:"Way" derived:"true"` // the use that is being resolved; its Way is NoWay outside one
}

const (
	NoSeat   SeatID = 0xFF // nobody
	noWindow SeatID = 0xFF // no window is open
)

// Player is what belongs to one player. Arrays are indexed by card type.
type Player struct {
	Hand     [Cards]uint8 `pos:"hands.*" many:"card" secret:"R4.2"` // in another seat's view: what it knows of the hand
	HandSize uint8        `pos:"hand_sizes.*" derived:"true"`
	// draw deck but for Top; in another seat's view all cards that may be in the draw deck or unknown in the hand
	Deck     [Cards]uint8 `pos:"draw_decks.*" form:"deck" secret:"R4.2"`
	DeckSize uint8        `pos:"draw_deck_sizes.*" derived:"true"` // cards in Deck and Top; also true in views, where Deck may count more
	Discard  [Cards]uint8 `pos:"discards.*" many:"card"`
	Known    [Cards]uint8 `pos:"known.*" many:"card"` // lower bound that everybody knows of the hand, never above Hand (R4.7)

	Holds    CardSet `secret:"R4.2"` // types in hand: kept with it, for every legal list; empty in another seat's view
	Discards uint8   // cards in Discard

	// Dictated cards on top of the draw deck, the next to be drawn first; the rest
	// is zero. Play itself leaves the order open and draws it by chance, so there
	// are some in loaded positions only, and none in views: nobody knows the order.
	Top  [maxTop]CardID `pos:"-" hash:"true" secret:"R4.2"`
	Tops uint8          `pos:"-" hash:"true" secret:"R4.2"` // how many
}

// maxTop is how many cards of a draw deck can be dictated: as many as one
// player draws in a Game Turn with the longest Logistical track.
const maxTop = 20

// Frame is the use of a card that is not over (R7).
type Frame struct {
	Card   CardID `pos:"card" word:"card"`
	Way    Way    `pos:"way" word:"way"`
	Actor  SeatID `pos:"actor" word:"seat"`       // who uses the card
	Effect uint8  `pos:"effect"`                  // index of the effect that is being carried out
	Begun  bool   `pos:"-" hash:"true"`           // its numbers below have been set
	Points uint8  `pos:"points"`                  // points, Reductions or picks left of it; for Discard2Way 1 until the second card is chosen
	Spent  bool   `pos:"spent"`                   // one was made, so that DONE is possible
	Last   AreaID `pos:"lowest_area" word:"area"` // Area of the last point: the lowest one open to the next (R7.9)
	Region uint8  `pos:"region" word:"region"`    // next Region of D8, D9
	// Regions are those noted by Surrender, all for Global Disruption (R8.6, R8.7).
	Regions uint8 `pos:"regions" set:"region"`
	// Target is the chosen player (D7), the one whose Forces are hit (D11) or the
	// one who performs Reductions or was last to do so (D12, D13).
	Target SeatID          `pos:"target" word:"seat" none:"true"`
	Halves [MaxSeats]uint8 `pos:"storms_left" by:"seat"` // Reductions still to be begun on each seat (R8.9)
}

// Way is one of the five ways to use a card (R7).
type Way uint8

const (
	NoWay Way = iota
	BuildWay
	AttackWay
	TextWay
	Discard1Way
	Discard2Way
	numWays
)

var wayNames = [numWays]string{"", "build", "attack", "text", "discard1", "discard2"}

// phase is a step of the Game Turn (section 6 of the specification), finer than
// its phases: what stands between two questions has a name, so that positions can
// begin there.
type phase uint8

const (
	setUp           phase = iota // C1, C2
	endOfGameTurn                // before R6.1
	startOfGameTurn              // R6.2
	cardPlay                     // R6.3 to R6.6, with window (a) of D14 at its beginning
	scoringWindow                // R9.1
	scoringStep                  // R9.2, R9.3
	logisticsWindow              // R9.4
	logisticsStep                // R9.5
	over                         // R10.1
)

var phaseNames = [...]string{
	"setup", "end_of_game_turn", "start_of_game_turn", "card_play", "scoring_window", "score", "logistics_window",
	"advance_logistics", "over",
}

// take removes a card of type c from the hand, which must hold one, and what
// everybody knew of it (R4.7).
func (s *Player) take(c CardID) {
	s.Hand[c]--
	s.HandSize--
	if s.Hand[c] == 0 {
		s.Holds &^= 1 << c
	}
	if s.Known[c] > 0 {
		s.Known[c]--
	}
}

// give puts a card of type c into the hand.
func (s *Player) give(c CardID) {
	s.Hand[c]++
	s.HandSize++
	s.Holds |= 1 << c
}

// lay puts a card of type c on the discard pile.
func (s *Player) lay(c CardID) {
	s.Discard[c]++
	s.Discards++
}

// only returns the one type that the counts hold, and false if there are several
// or none.
func only(counts *[Cards]uint8) (CardID, bool) {
	found := CardID(Cards)
	for c, n := range counts {
		if n > 0 {
			if found < Cards {
				return 0, false
			}
			found = CardID(c)
		}
	}
	return found, found < Cards
}

// sum adds up counts.
func sum(counts *[Cards]uint8) int {
	n := 0
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// typesOf returns the set of types that the counts hold.
func typesOf(counts *[Cards]uint8) CardSet {
	var set CardSet
	for c, n := range counts {
		if n > 0 {
			set |= 1 << c
		}
	}
	return set
}
