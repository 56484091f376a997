package minuteman

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Seats: 0 is the Government at the start, 1 to 3 are Rebels (R1.1).
const (
	maxSeats = 4
	noSeat   = uint8(0xFF)
)

// mark is a set of flags of a unit (R2).
type mark uint16

const (
	underground mark = 1 << iota // Network, Minuteman
	untried                      // Militia, Army: strength unknown to all
	pinned                       // Army
	rebelHeld                    // Army under a Rebel (R30.1)
	frontLine                    // Army that never left the Front Line (R25.11)
	airRail                      // moved by Air/Rail in this Game-Turn
	moved                        // has moved in this Movement Phase, or may not
	acted                        // has toggled, attempted or helped a build in this phase
	attacked                     // has attacked in this Combat Phase
	advanced                     // has advanced in this Combat Phase
	fought                       // strength used in this Game-Turn (R10.2); fought in G4 (R18)
	placedNow                    // CIG placed in G1 of this Game-Turn
	noRail                       // began G3 where Air/Rail does not take it up (R17.2)
)

// unit is one slot.
type unit struct {
	hex   int16 // noHex while it is off the map
	marks mark
	next  uint8 // the unit that came to the hex next, noUnit for the last one
	step  uint8 // 0 weak and 1 strong; a CIG 1 to 6; 0 of Militia and Army
}

// position is the whole situation (R2): a plain value without pointers, copied
// by assignment.
type position struct {
	units [numUnits]unit
	head  [numHexes]uint8 // first unit of a hex by arrival, noUnit for none (R3.4)
	// Counters of Militia and Army slots: index among the masked counters; in a view
	// hiddenCounter is added to the first of its group if it is untried. cand is the
	// set of counters of its group that an untried one can be, bit 0 for the first.
	counter [numMasked]uint8
	cand    [numMasked]uint16

	onMap    unitSet // units with a hex
	occupied hexSet  // hexes with a unit
	unrest   hexSet  // R1.5; disjoint from riot
	riot     citySet // real Riot markers
	informer citySet // one Informer each
	legal    [(numActions + 63) / 64]uint64

	phase  phase
	step   uint8 // of the phase, numbered by the phase's own code
	count  uint8 // of the step
	window uint8 // seats whose phase window is over, numSeats when all are
	ask    ask
	part   uint8 // how far the chain of one decision has come: 0 for its first token
	actor  engine.Player
	seat   uint8 // whose part of a phase it is

	// The chain under way and the last member of a set taken in order (R3.5).
	selHex    int16
	selClass  class
	selPlayer uint8
	lastHex   int16
	lastClass uint8
	die       uint8 // last die that a later step needs

	turn     uint8  // 0 in the set-up, then 1 to 24
	revTurn  uint8  // Game-Turn of the Revolution, 0 before
	track    uint16 // cumulative build track
	airRail  uint8  // Air/Rail points left in halves
	assaults uint8  // bit 0: air assault done this turn, bit 1: amphibious assault
	commit   uint8  // committed Front Line Divisions
	hand     [maxSeats][numMarkers]uint8
	handSize [maxSeats]uint8
	pool     [numMarkers]uint8
	poolSize uint8
	due      [maxSeats]uint8 // reinforcements of R20.3: Divisions, Militia by seat

	foreignSeat  uint8 // who declared foreign intervention, noSeat before
	foreignStage foreignStage
	foreignLeft  uint8               // own Movement Phases until the Divisions come
	foreignCount uint8               // Divisions still to be placed now
	foreignPlace uint8               // 1 to 6, 0 before the die
	sides        [numCountries]uint8 // 0 if the Government holds the country's Brigades, 1 the Rebel (R29.2)
	built        [numCountries]bool  // a Minuteman's build succeeded there (R29.6)

	gov        uint8           // seat of the Government
	order      [3]uint8        // seats in order of movement, noSeat beyond the Rebels
	fed        uint8           // federalized seat, noSeat
	pact       uint8           // seat with an accepted pact, noSeat
	gone       uint8           // bit set of eliminated seats
	fedTurn    uint8           // Game-Turn in which he was federalized
	rank, roll [maxSeats]uint8 // of the order of movement (C20): rank so far, die of this round
	truces     uint8           // pairs of seats with an accepted truce, as pairOf numbers them (R28.5)
	named      [maxSeats]uint8 // whom each seat has named as TARGET (R28.5), noSeat
	result     int8            // of the game, on the ladder
	cause      cause
	winners    uint8 // bit set of winning seats in a game of several players
	original   bool  // the Government of the set-up still is the Government

	// Riot step (R7.1).
	riotsBefore citySet
	riotsToDo   citySet
	tried       citySet // hexes abroad with an attempt in this phase (R29.6)

	queue   [numArmyQueue]uint8 // Army counters drawn in the set-up and not yet placed
	queued  uint8
	chits   [10]uint8 // set-up chits not drawn
	rows    uint16    // numbers drawn for a row of Networks
	picks   uint8     // seats that drew a Pick in this phase B (R14.1)
	placed  uint8     // reinforcements placed in this Movement Phase (R20.5)
	late    bool      // the reinforcement of R23 (Unprepared) is dealt with in this Game-Turn
	lot     uint8     // seat that a tie die named (C21), noSeat
	ties    uint8     // seats among which it is cast
	refused bool      // a Revolution was refused in this phase window (R28.7)
	draw    draw
	build   build
	move    move
	kill    kill
	combat  combat
	rising  rising
	propose propose
}

const (
	numArmyQueue  = 28
	hiddenCounter = 0x80
)

// draw is a counter to be drawn at random and placed untried (C1, C7, C17).
type draw struct {
	groups uint16 // bit set of the groups that it comes from, 0 for no draw
	hex    int16  // noHex to lay it into the queue of the set-up
	marks  mark
	ask    ask
}

// build is a build attempt or result under way (R7.4, R16.2).
type build struct {
	stage   buildStage
	seat    uint8 // who builds
	builder uint8 // Network, CIG or, alone, Minuteman
	hex     int16
	helpers unitSet
	markers uint8 // organizers
	points  uint8 // at the die
	react   uint8 // seats asked in D31
	free    bool
	newNet  bool // OPT_NEW_NETWORK may be chosen
}

// move is the movement of one unit (R8, R17).
type move struct {
	stage moveStage
	unit  uint8
	dest  int16
	mode  uint8 // verb of D65
	shown uint8 // Passage markers
	price uint16
}

// kill is an assassination (R13).
type kill struct {
	stage  killStage
	seat   uint8
	n      uint8
	class  class
	hex    int16
	player uint8
}

// rising is the Revolution being declared (R20.2, R20.3).
type rising struct {
	stage   risingStage
	seat    uint8
	answers uint8 // seats asked for their consent, or that have rolled
	army    uint8 // the unit that leaves
}

// propose is a proposal under way (R28.5).
type propose struct {
	stage uint8
	kind  uint8
	to    uint8
}

// cause says how a game ended.
type cause uint8

const (
	undecided cause = iota
	byElimination
	byForfeit
	byCount
)

var causeNames = [...]string{"", "elimination", "forfeit", "count"}

// State implements engine.State.
type State struct {
	g *game
	p position
	w *flow.Witness // of the listener, which belongs to this state alone
}

// ToAct implements engine.State.
func (s *State) ToAct() engine.Player { return s.p.actor }

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action) []engine.Action { return s.p.choices(dst) }

// choices appends the legal actions in ascending order.
func (p *position) choices(dst []engine.Action) []engine.Action {
	for i, w := range p.legal {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, engine.Action(i<<6+trailing(w)))
		}
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	p := &s.p
	if p.actor == engine.Chance {
		if s.g.weight(p, int(a)) == 0 {
			return s.refuse(a)
		}
		s.g.happen(p, s.w, int(a))
	} else {
		if a < 0 || a >= numActions || p.legal[a>>6]>>(a&63)&1 == 0 {
			return s.refuse(a)
		}
		s.g.choose(p, s.w, int(a))
	}
	if !s.g.settle(p, s.w) {
		panic("minuteman: nothing is possible at " + askNames[p.ask])
	}
	if checkInvariants {
		if err := s.g.validate(p); err != nil {
			panic(err)
		}
	}
	return nil
}

func (s *State) refuse(a engine.Action) error {
	if s.p.actor == engine.Terminal {
		return fmt.Errorf("%w: the game is over", engine.ErrIllegal)
	}
	return fmt.Errorf("%w: %s is not possible at %s (%s)", engine.ErrIllegal, engine.MoveName(s.g, s, a), askNames[s.p.ask], s.g.rules[s.p.ask])
}

// Returns implements engine.State and R24.5.
func (s *State) Returns(dst []float32) []float32 {
	for seat := range s.g.seats {
		dst = append(dst, s.g.returnOf(&s.p, uint8(seat)))
	}
	return dst
}

// Describe implements engine.Describer, in the words of a view in which nothing is blank.
func (s *State) Describe(a engine.Action) string { return (&View{g: s.g, p: s.p}).Describe(a) }

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.p = src.(*State).p }

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.p.hash() }
