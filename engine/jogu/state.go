package jogu

import (
	"fmt"
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// position is the whole situation: a plain value without pointers, copied by
// assignment. It implements R3.1, R3.2 and R3.3: cards of one type and owner at one
// Location are alike except for Stay tokens and the order of face-down cards,
// so counts suffice.
//
// In a View hiddenCard and hiddenLoc stand for what
// the seat may not see, and the counts of the other seat's cards mean what the
// field comments say.
type position struct {
	seats [numSeats]seat

	frames [maxFrames]frame // stack of nested plays, frames[depth-1] on top
	depth  uint8            // 0 to maxFrames; 0 outside a play

	phase phase
	ask   ask           // the question at rest
	actor engine.Player // who answers it: 0, 1, Chance or Terminal
	legal uint64        // bit a is set if the actor may choose action a; 0 at chance, at the end, and in the other seat's view
	turn  uint8         // whose turn in deployment, who discards in Reinforcement; else 0

	round     uint8 // 1 to 10
	endMarker uint8 // 1 to 10, not below round
	start     uint8 // start player of the round, noSeat before C3

	room Room // sums kept with the cards, because every legal list needs them

	scored  uint8  // victory point markers on the track, 0 to 10
	winners uint16 // bit i is set if seat 1 won the marker i

	// The last Resolution, public (R10.1-R10.6).
	lastBattle  placeSet         // Battle Locations
	resolved    bool             // there was one
	lastRatings [numSeats]uint16 // Strategy Ratings
	lastCards   [numSeats]uint8  // Location Cards, 2 to 6, 0 for none
	lastWinner  uint8            // noSeat before the first Resolution

	winner uint8 // of the game, noSeat while it goes on
	cause  cause
}

// noSeat stands for nobody.
const noSeat uint8 = 0xFF

// seat is what belongs to one player. Arrays over types are indexed by the card
// type of the seat's own deck, arrays over Locations by Location number - 2.
type seat struct {
	deck uint8 // index in box.decks, noDeck until it is drawn

	// hand counts the cards in hand, pending D1 choices included. In the other
	// seat's view it holds the revealed ones only.
	hand     [maxTypes]uint8
	revealed [maxTypes]uint8 // of these the opponent knows to be in the hand; never above hand (R16.2)
	pending  [maxTypes]uint8 // chosen in D1, not yet public; zero in the other seat's view
	handSize uint8           // number of cards in hand, 0 to 7

	discard [maxTypes]uint8
	play    [numPlaces][maxTypes]uint8 // face-up cards in play
	tokens  [numPlaces]uint8           // how many of the deck's one tokened type bear a Stay token there
	down    [numPlaces][maxSlots]uint8 // face-down cards in order of play: type+1, hiddenSlot, 0 for an empty slot; no gaps

	// The draw pile from the top: top fixed cards, middle cards in unknown order,
	// bottom fixed cards. fixed holds the top part and then the bottom part, each
	// top first; the rest is zero. A card that was put under the pile belongs to
	// the bottom part, also with middle 0, until it is reached from above: that a
	// card went down is public (R16.7, R-07), and what follows from it must stay the
	// same whichever it was.
	top, middle, bottom uint8
	fixed               [maxPile]pileCard
	// unknown counts the cards of the middle. In the seat's own view the fixed
	// cards that it does not know are added. In the other seat's view it counts
	// all cards that the viewer has not seen: hidden ones of the hand, the pile and
	// the face-down slots.
	unknown [maxTypes]uint8

	// Location Cards, by number 2 to 6 or hiddenLoc. The pile from the top is
	// locFixed[:locTop], then the cards of locUnknown in unknown order. In a view
	// the hidden cards of locFixed and locCard are counted in locUnknown.
	locTop      uint8
	locFixed    [maxLoc]uint8
	locUnknown  [numPlaces]uint8
	locDiscard  [numPlaces]uint8
	locCard     uint8 // current Location Card, 0 for none
	locRevealed bool  // Patriot has shown it
	locTopKnown bool  // the owner knows the top of the pile

	passed bool
	morale uint16 // 0 to 30, and more where Masters of Earth gave it (R2.9)
}

const (
	noDeck uint8 = 0xFF
	// hiddenCard stands for a card type that the viewer may not see, hiddenSlot for
	// a face-down card of such a type, hiddenLoc for a Location Card.
	hiddenCard uint8 = 0x0F
	hiddenSlot       = hiddenCard + 1
	hiddenLoc  uint8 = 0x0F
)

// pileCard is a card at a fixed place of a draw pile: the type in the low four
// bits and who knows that it is there (R16.6).
type pileCard uint8

const (
	ownerKnows    pileCard = 1 << 4
	opponentKnows pileCard = 1 << 5
	bothKnow               = ownerKnows | opponentKnows
)

func (c pileCard) card() uint8         { return uint8(c) & 0x0F }
func (c pileCard) bits() pileCard      { return c & bothKnow }
func newPileCard(t uint8) pileCard     { return pileCard(t) }
func (c pileCard) hidden() bool        { return c.card() == hiddenCard }
func (c pileCard) blank() pileCard     { return c.bits() | pileCard(hiddenCard) }
func (c pileCard) as(t uint8) pileCard { return c.bits() | pileCard(t) }

// ifCertain returns c as the opponent knows it where any of the candidates may be
// c: it still knows the card if it knew all of them and they are of one type.
func (c pileCard) ifCertain(candidates []pileCard) pileCard {
	for _, o := range candidates {
		if o&opponentKnows == 0 || o.card() != c.card() {
			return c &^ opponentKnows
		}
	}
	return c | opponentKnows
}

// noPlace is the place of a card that has none yet.
const noPlace uint8 = numPlaces

// frame is one play that is not over (R9.6). All frames belong to the player
// whose turn it is, since nobody plays a card in the other's turn.
type frame struct {
	card       uint8 // type, or hiddenCard
	place      uint8 // noPlace until the Location is chosen
	stage      stage
	own        bool  // the card's own ability is still to come
	scramblers uint8 // Scrambler triggers still to come, 0 to 8
	bound      uint8 // lowest Location number - 2 that the next Scrambler of the run may move to (R9.4.2)
	effect     uint8 // index of the effect that is being carried out
	count      uint8 // what is done of it: Medic's picks; Trojan Bit's Location + 1; draws
	previous   bool  // the effect before it was carried out
}

// stage is how far a play has come.
type stage uint8

const (
	placing    stage = iota // the Location is to be chosen
	triggering              // triggers are carried out one by one
	scrambling              // a Scrambler is to be moved
	acting                  // the own ability is being carried out
)

var stageNames = [...]string{"placing", "triggering", "scrambling", "acting"}

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

var phaseNames = [...]string{"setup", "reinforcement", "reinforcement_draw", "scout", "deployment", "resolution", "cleanup", "over"}

// ask is a decision or a chance event that the game waits for.
type ask uint8

const (
	askDiscard     ask = iota // D1
	askTurn                   // D2
	askPlace                  // D3
	askStorm                  // D4
	askOrder                  // D5
	askScrambler              // D6
	askConjure                // D7
	askSomething              // D8
	askMedic                  // D9
	askTrojanPlace            // D10a
	askTrojanCard             // D10b
	askBomb                   // D11
	askSupport                // D12
	numDecisions
)

const (
	askFaction  = numDecisions + iota // a faction drawn by lot (Q5)
	askStart                          // C3
	askDraw                           // top card of a draw pile (C1); turn or its opponent
	askLocation                       // top Location Card (C2, C5)
	askHit                            // C4
	askNothing                        // the game is over
)

var askNames = [...]string{
	"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10a", "D10b", "D11", "D12",
	"faction", "C3", "draw", "location", "C4", "",
}

// cause says how a game was decided (R12.4).
type cause uint8

const (
	undecided cause = iota
	byMorale
	byVictoryPoints
	byTieBreak
)

var causeNames = [...]string{"", "morale", "victory_points", "tie_break_last_round"}

var causeWords = [...]string{"", "the other has no morale left", "more victory points", "equal victory points, and the last round"}

// pileSize returns the number of cards in the draw pile.
func (s *seat) pileSize() uint8 { return s.top + s.middle + s.bottom }

// downCount returns the number of face-down cards at a Location.
func (s *seat) downCount(place uint8) uint8 {
	n := uint8(0)
	for n < maxSlots && s.down[place][n] != 0 {
		n++
	}
	return n
}

// popTop takes the top card, which must be a fixed one.
func (s *seat) popTop() pileCard {
	c := s.fixed[0]
	s.removeFixed(0)
	return c
}

// removeFixed takes out the fixed card of index i, counted from the top of the
// top part.
func (s *seat) removeFixed(i uint8) {
	n := s.top + s.bottom
	copy(s.fixed[i:n-1], s.fixed[i+1:n])
	s.fixed[n-1] = 0
	if i < s.top {
		s.top--
	} else {
		s.bottom--
	}
}

// pushBottom lays a card under the pile.
func (s *seat) pushBottom(c pileCard) {
	s.fixed[s.top+s.bottom] = c
	s.bottom++
}

// loseRevealed implements R16.2: a card of type t has left the hand, and with it
// what the opponent knew of one.
func (s *seat) loseRevealed(t uint8) {
	if s.revealed[t] > 0 {
		s.revealed[t]--
	}
}

// takeFromHand removes a card of type t.
func (s *seat) takeFromHand(t uint8) {
	s.hand[t]--
	s.handSize--
	s.loseRevealed(t)
}

// drawTop implements R16.6 (Drawing): the top card, which is a fixed one, comes
// into the hand, and the opponent's knowledge with it.
func (s *seat) drawTop() {
	c := s.popTop()
	s.hand[c.card()]++
	s.handSize++
	if c&opponentKnows != 0 {
		s.revealed[c.card()]++
	}
}

// only returns the one type that the counts hold, and false if there are several
// or none.
func only(counts *[maxTypes]uint8) (uint8, bool) {
	found := uint8(noType)
	for t, n := range counts {
		if n > 0 {
			if found != noType {
				return 0, false
			}
			found = uint8(t)
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

// deckOf returns the deck of seat s.
func (g *game) deckOf(p *position, s uint8) *deck { return &g.box.decks[p.seats[s].deck] }

// hash mixes every field that tells positions apart.
func (p *position) hash() uint64 {
	h := engine.NewHash()
	for i := range p.seats {
		s := &p.seats[i]
		h = h.Bytes(s.hand[:]).Bytes(s.revealed[:]).Bytes(s.pending[:]).Bytes(s.discard[:]).Bytes(s.unknown[:])
		for place := range s.play {
			h = h.Bytes(s.play[place][:])
			h = h.Word(uint64(s.tokens[place]) | uint64(s.down[place][0])<<8 | uint64(s.down[place][1])<<16 |
				uint64(s.down[place][2])<<24 | uint64(s.locUnknown[place])<<32 | uint64(s.locDiscard[place])<<40)
		}
		h = h.Word(uint64(s.deck) | uint64(s.handSize)<<8 | uint64(s.top)<<16 | uint64(s.middle)<<24 |
			uint64(s.bottom)<<32 | uint64(s.locTop)<<40 | uint64(s.locCard)<<48 | flags(s.locRevealed, s.locTopKnown, s.passed)<<56)
		for _, c := range s.fixed[:s.top+s.bottom] {
			h = h.Word(uint64(c))
		}
		h = h.Bytes(s.locFixed[:s.locTop]).Word(uint64(s.morale))
	}
	for i := range p.frames[:p.depth] {
		f := &p.frames[i]
		h = h.Word(uint64(f.card) | uint64(f.place)<<8 | uint64(f.stage)<<16 | uint64(f.scramblers)<<24 |
			uint64(f.bound)<<32 | uint64(f.effect)<<40 | uint64(f.count)<<48 | flags(f.own, f.previous, false)<<56)
	}
	h = h.Word(uint64(p.depth) | uint64(p.phase)<<8 | uint64(p.ask)<<16 | uint64(uint8(p.actor))<<24 |
		uint64(p.turn)<<32 | uint64(p.round)<<40 | uint64(p.endMarker)<<48 | uint64(p.start)<<56)
	h = h.Word(uint64(p.scored) | uint64(p.winners)<<8 | uint64(p.lastBattle)<<24 | flags(p.resolved, false, false)<<32 |
		uint64(p.lastCards[0])<<36 | uint64(p.lastCards[1])<<40 | uint64(p.lastWinner)<<44 | uint64(p.cause)<<52 | uint64(p.winner)<<56)
	h = h.Word(uint64(p.lastRatings[0]) | uint64(p.lastRatings[1])<<16)
	return uint64(h)
}

func flags(a, b, c bool) uint64 {
	n := uint64(0)
	if a {
		n |= 1
	}
	if b {
		n |= 2
	}
	if c {
		n |= 4
	}
	return n
}

// State is one game in progress. It implements engine.Stochastic,
// engine.Hidden, engine.Teller, engine.Secretive and engine.Narrator.
type State struct {
	g *game
	p position
	w *flow.Witness // nil while nobody listens
}

// ToAct implements engine.State.
func (s *State) ToAct() engine.Player { return s.p.actor }

// Legal implements engine.State. It reads the set that Apply left behind.
func (s *State) Legal(dst []engine.Action) []engine.Action { return s.p.choices(dst) }

// choices appends the legal actions in ascending order.
func (p *position) choices(dst []engine.Action) []engine.Action {
	for set := p.legal; set != 0; set &= set - 1 {
		dst = append(dst, engine.Action(bits.TrailingZeros64(set)))
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	if s.p.actor == engine.Chance {
		if s.g.weight(&s.p, a) == 0 {
			return fmt.Errorf("%w: outcome %d is not possible here", engine.ErrIllegal, a)
		}
		s.g.happen(&s.p, s.w, a)
	} else {
		if a < 0 || a >= 64 || s.p.legal>>a&1 == 0 {
			return s.refuse(a)
		}
		s.g.choose(&s.p, s.w, uint8(a))
	}
	s.g.settle(&s.p, s.w)
	if checkInvariants {
		if err := s.g.check(&s.p); err != nil {
			panic(fmt.Sprintf("jogu: %v after action %d (state %016x)", err, a, s.p.hash()))
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

// Returns implements engine.State: 1 for the winner and -1 for the loser of a
// finished game (R12.4), zeroes before.
func (s *State) Returns(dst []float32) []float32 {
	switch s.p.winner {
	case 0:
		return append(dst, 1, -1)
	case 1:
		return append(dst, -1, 1)
	}
	return append(dst, 0, 0)
}

// Describe implements engine.Describer, in the words of a view in which nothing is blank.
func (s *State) Describe(a engine.Action) string { return (&View{g: s.g, p: s.p}).Describe(a) }

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) {
	o := src.(*State)
	s.g = o.g
	s.p = o.p // by itself, else the compiler copies it twice
}

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.p.hash() }
