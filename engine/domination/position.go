package domination

import "powderkeg/engine/flow"

// position is the whole situation: a plain value without pointers, copied by
// assignment. It implements R3.1. The tags say how it stands in JSON (package
// engine/position), README.md what each field means there.
//
// In a view the hands and draw decks of other seats mean what the field comments say.
type position struct {
	flow.Rest           // the question at rest
	legal     actionSet // what the actor may choose; empty at chance, at the end, and in another seat's view

	phase     phase            `pos:"phase" word:"phase"`
	_         struct{}         `pos:"decision" form:"decision"`
	turn      uint8            `pos:"turn" max:"end"`                             // Game Turn, 0 before the first, one above the option turns at the end
	first     seatID           `pos:"first_player" word:"seat"`                   // First Player, noSeat before C2
	active    seatID           `pos:"active" form:"active"`                       // whose turn it is in card play; elsewhere the First Player, noSeat before C2
	used      bool             `pos:"used_this_turn"`                             // the active player has used a card in this turn
	passed    seatSet          `pos:"passed" flags:"seat"`                        // locked out until the next Game Turn (R6.4)
	vp        [maxSeats]uint16 `pos:"vp" by:"seat" max:"vp"`                      // Victory Points (R10.4)
	logistics [maxSeats]uint8  `pos:"logistics" by:"seat" min:"least" max:"most"` // Logistical Support values (R2.10)

	pool    cardSet         `pos:"pool" set:"card"`      // types in the game; in set-up those drawn so far
	stack   [numCards]uint8 `pos:"stacks" form:"stacks"` // cards left in the stacks by type; 0 for types outside the pool
	inStock cardSet         // types with cards left: kept with stack, for every legal list

	// The map. No two sets of own overlap (R2.1), and full lies within their union.
	own  [maxSeats]areaSet `pos:"areas" form:"areas"` // Areas that hold a Force of the seat
	full areaSet           `pos:"-" hash:"true"`      // Areas whose Force is Full

	seats [maxSeats]seat `by:"seat"` // of seats beyond the number of players all fields are zero

	fog seatSet `pos:"fog_players" set:"seat"` // played Fog of War in this scoring step; empty outside it (R8.4)

	// window is how far a round of D14, D15 or D16 has come: the place, counted
	// clockwise from the active player (D14) or the First Player, of the seat to be
	// asked next. noWindow if none is open.
	window seatID `pos:"window_seat" form:"window"`

	// The draws of R6.2: the place of the drawing player, counted from the First
	// Player, and how many cards it has drawn. Zero in other phases.
	drawing seatID `pos:"drawer" form:"drawer"`
	drawn   uint8  `pos:"draws_made"`

	frame frame `pos:"frame" when:"way"` // the use that is being resolved; frame.way is wayNone outside one
}

const (
	noSeat   seatID = 0xFF // nobody
	noWindow seatID = 0xFF // no window is open
)

// seat is what belongs to one player. Arrays are indexed by card type.
type seat struct {
	hand     [numCards]uint8 `pos:"hands.*" many:"card"` // in another seat's view: what it knows of the hand
	handSize uint8           `pos:"hand_sizes.*" derived:"true"`
	deck     [numCards]uint8 `pos:"draw_decks.*" form:"deck"`         // draw deck but for top; in another seat's view all cards that may be in the draw deck or unknown in the hand
	deckSize uint8           `pos:"draw_deck_sizes.*" derived:"true"` // cards in deck and top; also true in views, where deck may count more
	discard  [numCards]uint8 `pos:"discards.*" many:"card"`
	known    [numCards]uint8 `pos:"known.*" many:"card"` // lower bound that everybody knows of the hand, never above hand (R4.7)

	holds    cardSet // types in hand: kept with it, for every legal list; empty in another seat's view
	discards uint8   // cards in discard

	// Dictated cards on top of the draw deck, the next to be drawn first; the rest
	// is zero. Play itself leaves the order open and draws it by chance, so there
	// are some in loaded positions only, and none in views: nobody knows the order.
	top  [maxTop]cardID `pos:"-" hash:"true"`
	tops uint8          `pos:"-" hash:"true"` // how many
}

// maxTop is how many cards of a draw deck can be dictated: as many as one
// player draws in a Game Turn with the longest Logistical track.
const maxTop = 20

// frame is the use of a card that is not over (R7).
type frame struct {
	card   cardID `pos:"card" word:"card"`
	way    way    `pos:"way" word:"way"`
	actor  seatID `pos:"actor" word:"seat"`       // who uses the card
	effect uint8  `pos:"effect"`                  // index of the effect that is being carried out
	begun  bool   `pos:"-" hash:"true"`           // its numbers below have been set
	points uint8  `pos:"points"`                  // points, Reductions or picks left of it; for wayDiscard2 1 until the second card is chosen
	spent  bool   `pos:"spent"`                   // one was made, so that DONE is possible
	last   areaID `pos:"lowest_area" word:"area"` // Area of the last point: the lowest one open to the next (R7.9)
	region uint8  `pos:"region" word:"region"`    // next Region of D8, D9
	// regions are those noted by Surrender, all for Global Disruption (R8.6, R8.7).
	regions uint8 `pos:"regions" set:"region"`
	// target is the chosen player (D7), the one whose Forces are hit (D11) or the
	// one who performs Reductions or was last to do so (D12, D13).
	target seatID          `pos:"target" word:"seat"`
	halves [maxSeats]uint8 `pos:"storms_left" by:"seat" max:"areas"` // Reductions still to be begun on each seat (R8.9)
}

// way is one of the five ways to use a card (R7).
type way uint8

const (
	wayNone way = iota
	wayBuild
	wayAttack
	wayText
	wayDiscard1
	wayDiscard2
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
func (s *seat) take(c cardID) {
	s.hand[c]--
	s.handSize--
	if s.hand[c] == 0 {
		s.holds &^= 1 << c
	}
	if s.known[c] > 0 {
		s.known[c]--
	}
}

// give puts a card of type c into the hand.
func (s *seat) give(c cardID) {
	s.hand[c]++
	s.handSize++
	s.holds |= 1 << c
}

// lay puts a card of type c on the discard pile.
func (s *seat) lay(c cardID) {
	s.discard[c]++
	s.discards++
}

// only returns the one type that the counts hold, and false if there are several
// or none.
func only(counts *[numCards]uint8) (cardID, bool) {
	found := cardID(numCards)
	for c, n := range counts {
		if n > 0 {
			if found < numCards {
				return 0, false
			}
			found = cardID(c)
		}
	}
	return found, found < numCards
}

// sum adds up counts.
func sum(counts *[numCards]uint8) int {
	n := 0
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// typesOf returns the set of types that the counts hold.
func typesOf(counts *[numCards]uint8) cardSet {
	var set cardSet
	for c, n := range counts {
		if n > 0 {
			set |= 1 << c
		}
	}
	return set
}
