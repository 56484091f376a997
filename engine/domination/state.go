package domination

import (
	"fmt"
	"math/bits"

	"powderkeg/engine"
)

// position is the whole situation: a plain value without pointers, copied by
// assignment. It implements R3.1.
//
// In a view (a position after redact) the hands and draw decks of other seats
// mean what the field comments say.
type position struct {
	seats [maxSeats]seat // of seats beyond the number of players all fields are zero

	stack   [numCards]uint8 // cards left in the stacks by type; 0 for types outside the pool
	inStock cardSet         // types with cards left: kept with stack, for every legal list
	pool    cardSet         // types in the game; in set-up those drawn so far

	// The map. No two sets of own overlap (R2.1), and full lies within their union.
	own  [maxSeats]areaSet // Areas that hold a Force of the seat
	full areaSet           // Areas whose Force is Full

	frame frame // the use that is being resolved; frame.way is wayNone outside one

	phase phase
	ask   ask           // the question at rest
	actor engine.Player // who answers it: a seat, Chance or Terminal
	legal actionSet     // what the actor may choose; empty at chance, at the end, and in another seat's view

	turn   uint8   // Game Turn, 0 before the first, one above the option turns at the end
	first  uint8   // First Player, noSeat before C2
	active uint8   // whose turn it is in card play; elsewhere the First Player, noSeat before C2
	used   bool    // the active player has used a card in this turn
	passed seatSet // locked out until the next Game Turn (R6.4)
	fog    seatSet // played Fog of War in this scoring step; empty outside it (R8.4)

	// window is how far a round of D14, D15 or D16 has come: the place, counted
	// clockwise from the active player (D14) or the First Player, of the seat to be
	// asked next. noWindow if none is open.
	window uint8

	// The draws of R6.2: the place of the drawing player, counted from the First
	// Player, and how many cards it has drawn. Zero in other phases.
	drawing, drawn uint8
}

const (
	noSeat   uint8 = 0xFF // nobody
	noWindow uint8 = 0xFF // no window is open
)

// seat is what belongs to one player. Arrays are indexed by card type.
type seat struct {
	hand     [numCards]uint8 // in another seat's view: what it knows of the hand
	known    [numCards]uint8 // lower bound that everybody knows of the hand, never above hand (R4.7)
	deck     [numCards]uint8 // draw deck but for top; in another seat's view all cards that may be in the draw deck or unknown in the hand
	discard  [numCards]uint8
	holds    cardSet // types in hand: kept with it, for every legal list; empty in another seat's view
	handSize uint8
	deckSize uint8 // cards in deck and top; also true in views, where deck may count more
	discards uint8 // cards in discard

	// Dictated cards on top of the draw deck, the next to be drawn first; the rest
	// is zero. Play itself leaves the order open and draws it by chance, so there
	// are some in loaded positions only, and none in views: nobody knows the order.
	top  [maxTop]uint8
	tops uint8 // how many

	logistics uint8  // Logistical Support value (R2.10)
	vp        uint16 // Victory Points
}

// maxTop is how many cards of a draw deck can be dictated: as many as one
// player draws in a Game Turn with the longest Logistical track.
const maxTop = 20

// frame is the use of a card that is not over (R7).
type frame struct {
	card   uint8
	way    way
	actor  uint8 // who uses the card
	effect uint8 // index of the effect that is being carried out
	begun  bool  // its numbers below have been set
	points uint8 // points, Reductions or picks left of it; for wayDiscard2 1 until the second card is chosen
	spent  bool  // one was made, so that DONE is possible
	last   uint8 // Area of the last point: the lowest one open to the next (R7.9)
	region uint8 // next Region of D8, D9
	// regions are those noted by Surrender, all for Global Disruption (R8.6, R8.7).
	regions uint8
	// target is the chosen player (D7), the one whose Forces are hit (D11) or the
	// one who performs Reductions or was last to do so (D12, D13).
	target uint8
	halves [maxSeats]uint8 // Reductions still to be begun on each seat (R8.9)
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

// ask is a decision or a chance event that the game waits for.
type ask uint8

const (
	askTurn            ask = iota // D1
	askSecondDiscard              // D2
	askBuy                        // D3
	askBuildStep                  // D4
	askAttackStep                 // D5
	askMixedStep                  // D6
	askPlayer                     // D7
	askDisruptRegion              // D8
	askSurrenderRegion            // D9
	askInsurgentPick              // D10
	askStormStep                  // D11
	askBioStep                    // D12
	askBioResponse                // D13
	askAnytime                    // D14
	askScoring                    // D15
	askLogistics                  // D16
	numDecisions
)

const (
	askPool    = numDecisions + iota // C1
	askFirst                         // C2
	askDraw                          // C4, a card of the reshuffled deck when it is drawn
	askNothing                       // the game is over
)

var askNames = [...]string{
	"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16",
	"C1", "C2", "draw", "",
}

// take removes a card of type c from the hand, which must hold one, and what
// everybody knew of it (R4.7).
func (s *seat) take(c uint8) {
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
func (s *seat) give(c uint8) {
	s.hand[c]++
	s.handSize++
	s.holds |= 1 << c
}

// lay puts a card of type c on the discard pile.
func (s *seat) lay(c uint8) {
	s.discard[c]++
	s.discards++
}

// only returns the one type that the counts hold, and false if there are several
// or none.
func only(counts *[numCards]uint8) (uint8, bool) {
	found := uint8(numCards)
	for c, n := range counts {
		if n > 0 {
			if found < numCards {
				return 0, false
			}
			found = uint8(c)
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

// hash mixes every field that tells positions apart.
func (p *position) hash() uint64 {
	h := engine.NewHash()
	for i := range p.seats {
		s := &p.seats[i]
		if *s == (seat{}) {
			continue // a seat beyond the number of players
		}
		h = h.Bytes(s.hand[:]).Bytes(s.known[:]).Bytes(s.deck[:]).Bytes(s.discard[:]).Bytes(s.top[:s.tops])
		h = h.Word(uint64(s.handSize) | uint64(s.deckSize)<<8 | uint64(s.logistics)<<16 | uint64(s.vp)<<24).Word(uint64(p.own[i]))
	}
	h = h.Bytes(p.stack[:]).Word(uint64(p.full) | uint64(p.pool)<<32)
	f := &p.frame
	h = h.Word(uint64(f.card) | uint64(f.way)<<8 | uint64(f.actor)<<16 | uint64(f.effect)<<24 | uint64(f.points)<<32 |
		uint64(f.last)<<40 | uint64(f.region)<<48 | uint64(f.regions)<<56)
	h = h.Word(uint64(f.target) | uint64(bit(f.begun))<<8 | uint64(bit(f.spent))<<9 | uint64(bit(p.used))<<10 |
		uint64(p.passed)<<16 | uint64(p.fog)<<24 | uint64(p.window)<<32 | uint64(p.drawing)<<40 | uint64(p.drawn)<<48).Bytes(f.halves[:])
	h = h.Word(uint64(p.phase) | uint64(p.ask)<<8 | uint64(uint8(p.actor))<<16 | uint64(p.turn)<<24 | uint64(p.first)<<32 | uint64(p.active)<<40)
	return uint64(h)
}

// State is one game in progress. It implements engine.Stochastic,
// engine.Secretive, engine.Hidden and engine.Teller.
type State struct {
	g *game
	p position
}

// ToAct implements engine.State.
func (s *State) ToAct() engine.Player { return s.p.actor }

// Legal implements engine.State. It reads the set that Apply left behind.
func (s *State) Legal(dst []engine.Action) []engine.Action {
	for i, w := range s.p.legal {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, engine.Action(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	if s.p.actor == engine.Chance {
		if s.g.weight(&s.p, a) == 0 {
			return fmt.Errorf("%w: outcome %d is not possible here", engine.ErrIllegal, a)
		}
		s.g.happen(&s.p, a)
	} else {
		if !s.p.legal.has(a) {
			return s.refuse(a)
		}
		s.g.choose(&s.p, int(a))
	}
	s.g.settle(&s.p)
	if checkInvariants {
		if err := s.g.check(&s.p); err != nil {
			panic(fmt.Sprintf("domination: %v after action %d (state %016x)", err, a, s.p.hash()))
		}
	}
	return nil
}

// refuse says why action a is illegal.
func (s *State) refuse(a engine.Action) error {
	name := fmt.Sprintf("action %d", a)
	if a >= 0 && int(a) < len(s.g.spec.Actions) {
		name = s.g.spec.Actions[a]
	}
	if s.p.actor == engine.Terminal {
		return fmt.Errorf("%w: %s after the end of the game", engine.ErrIllegal, name)
	}
	return fmt.Errorf("%w: %s is not possible in decision %s of seat %d", engine.ErrIllegal, name, askNames[s.p.ask], s.p.actor)
}

// Returns implements engine.State and R10.2: each of k winners of a finished game
// gets 1/k, everybody else 0, as does everybody before the end.
func (s *State) Returns(dst []float32) []float32 {
	winners, share := s.g.winners(&s.p), float32(0)
	if winners != 0 {
		share = 1 / float32(winners.size())
	}
	for i := range s.g.seats {
		if winners.has(i) {
			dst = append(dst, share)
		} else {
			dst = append(dst, 0)
		}
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.p.hash() }
