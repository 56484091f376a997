package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// position is the whole situation (R2): a plain value without pointers, copied by
// assignment. Arrays of two are by seat (rebel, federal), arrays of 33 by space.
//
// In a View hand of the other seat holds the cards that
// the viewer knows of, and legal is empty where the other seat decides.
type position struct {
	status   [numSpaces]uint8 // order to revolt, or unmarked
	unrest   [numSpaces]uint8 // 0 to 3
	agents   [numSpaces]uint8
	sleepers [numSpaces]uint8
	active   [numSpaces]uint8
	fedBases [numSpaces]uint8 // of both sides together at most 2 (R1.6)
	rebBases [numSpaces]uint8
	onMap    [numPieces]uint8 // pieces on the map by kind: sums of the arrays above, never above the limits of R1.1

	hand     [numSeats]cardSet
	known    [numSeats]cardSet // cards of the seat's hand that the other seat has seen: a subset of hand
	handSize [numSeats]uint8   // number of cards in hand, the hidden ones of a view included
	discards cardSet           // cards played or discarded, the running one included
	removed  cardSet           // cards taken out at set-up (R8.8)

	resources [numSeats]uint8 // 0 to 30
	reserves  [numSeats]uint8 // 0 to 2
	hacked    [numSeats]uint8 // on the side's HQ, 0 to 6
	shields   [numSeats]uint8 // 0 to 3
	smUsed    [numSeats]bool  // the side has used Social Media this round
	social    uint8           // space of the Social Media marker, 0 (A) to 5 (F)

	momentum MomentumSet
	owners   MomentumSet // of these, those of the Federal
	plague   uint8       // the space of the Plague marker; noSpace unless the key plague is in play

	pool         storySet
	slots        [numSlots]uint8 // active stories, newest first; 0 for none
	storyDiscard storySet
	drawn        uint8 // story drawn and not yet kept or discarded (D25); 0 for none

	round    uint8 // 1 to 5
	phase    phase
	side     uint8           // who plays cards, or chooses in a custom set-up
	pairLeft uint8           // cards left in the current pair, 0 to 2
	toDeal   [numSeats]uint8 // cards still to be dealt
	adminDue adminStep       // next step of the Administration Phase
	setUp    setUpFrame
	play     playFrame // the card that is being played
	op       opFrame   // the operation that is being carried out
	event    eventFrame
	news     newsFrame
	placing  placing // pieces that are being placed, swapped or exchanged
	testing  uint8   // space whose test (C2) is due; noSpace for none

	ask   ask           // the question at rest
	actor engine.Player // who answers it: 0, 1, Chance or Terminal
	legal actionSet     // what the actor may choose; empty at chance, at the end, and in the other seat's view

	winner   uint8 // nobody while the game goes on
	cause    cause
	decisive bool
}

// phase is a step of the game.
type phase uint8

const (
	setUpSpaces phase = iota // D41
	setUpBases               // D42
	setUpUnits               // D43
	setUpTests               // C2 of a custom set-up (R16.4)
	dealing                  // hands are dealt
	layingOut                // stories are laid out
	actionPhase
	administration
	over
)

var phaseNames = []string{"set_up_spaces", "set_up_bases", "set_up_units", "set_up_tests", "deal", "stories", "action", "administration", "over"}

// cause says how a game ended.
type cause uint8

const (
	undecided cause = iota
	domination
	endurance
	military
)

var causeNames = []string{"", "domination", "endurance", "military"}

// playFrame is the card that is being played (R8).
type playFrame struct {
	card      uint8 // 0 while the card is to be chosen (D1)
	mode      mode
	part      uint8  // how many of the card's parts, event and operation, have begun
	operation opKind // chosen and not yet begun, while D4 is asked; noOp otherwise

	// Before D1: whether a piece is being removed, from where, and the last
	// voluntary removal, below which the next must not fall (R7.2).
	removing   bool
	removeFrom uint8 // noSpace until D39 is answered
	lastSpace  uint8 // 0 at the beginning
	lastPiece  uint8
}

// mode is how a card is played (D2).
type mode uint8

const (
	noMode mode = iota
	modeEvent
	modeOps
	modeOpsEvent
	modeEventOps
	modeBurn
)

var modeNames = []string{"", "event", "ops", "ops_then_event", "event_then_ops", "burn"}

// opKind is an operation, in the order of the vocabulary.
type opKind uint8

const (
	fundraise opKind = iota
	recruit
	unrestOp
	attackOp
	surge
	moveOp
	tax
	deploy
	hunt
	pacify
	secure
	reservesOp
	socialMedia
	hack
	numOps
	noOp
)

var opNames = [numOps]string{
	"fundraise", "recruit", "unrest", "attack", "surge", "move", "tax", "deploy", "hunt", "pacify", "secure", "reserves",
	"social_media", "hack",
}

// opSide says who may perform an operation: one side, or either (R13.1).
type opSide uint8

const eitherSide opSide = numSeats

func (s opSide) String() string {
	if s == eitherSide {
		return "both"
	}
	return sideNames[s]
}

// Net Ops are the Rebel's alone (Q40).
var opSides = [numOps]opSide{
	opSide(rebel), opSide(rebel), opSide(rebel), opSide(rebel), opSide(rebel), eitherSide,
	opSide(federal), opSide(federal), opSide(federal), opSide(federal), opSide(federal), eitherSide, eitherSide, eitherSide,
}

// opMinOps returns the Ops that an operation needs (R11.6.1).
func opMinOps(k opKind) int {
	if k == surge {
		return maxOps
	}
	return 1
}

// opFrame is the operation that is being carried out. What a field means depends
// on kind.
type opFrame struct {
	kind  opKind // noOp for none
	stage opStage
	side  uint8
	ops   uint8

	// What an event that grants the operation may lift or narrow (R14.4).
	free     bool
	noUnrest bool
	noArrest bool
	ignore   bool     // Shields do not count
	margin   uint8    // agents that Secure needs more than militia
	limit    uint8    // most spaces that may be picked, noLimit for what the Ops allow
	within   spaceSet // spaces that may be picked

	picks spaceSet // spaces picked so far
	todo  spaceSet // of these, those still to be carried out
	bound uint8    // lowest index that may be picked next (R7.2)
	cost  uint8    // dollars that the picks, or groups, so far cost; 0 once they are paid

	// Net Ops (R10): the type of the spaces, the selections in the order in which the
	// effect is applied, how many of them were rolled, how many rolls and choices are
	// to come, and the selection that is being applied.
	typ      kind
	selected [maxSelected]uint8
	count    uint8
	rolled   uint8
	rolls    uint8
	choices  uint8
	at       uint8

	dice uint8 // still to be rolled
	hits uint8 // Attack: hits so far; Theft: sum so far

	// Move (R11.4, R12.3): the group that is being chosen, the groups that have been, and
	// how many of them have moved.
	from, to  uint8
	arrests   uint8 // entries on its road into spaces with enemy units
	sleepers  uint8 // D11 of the Rebel
	groups    [maxGroups]group
	numGroups uint8
	moved     uint8

	// Deploy (R12.2) with deploy=total: agents that may still be placed, and whether
	// the one base has been chosen.
	agentsLeft uint8
	baseChosen bool

	budget uint8 // Social Media: Ops left for attacks
}

// group is a group of a Move as it sets out.
type group struct {
	from, to uint8
	units    uint8 // agents, or sleepers
	active   uint8
}

// eventFrame is the event that is being resolved (R14).
type eventFrame struct {
	card   uint8 // 0 for none
	owner  uint8
	pc     uint8 // instruction
	stage  uint8 // of the instruction, stageBegin to stageEffect
	cur    spaceSet
	todo   spaceSet           // spaces of cur whose effect is to come
	named  [maxNames]spaceSet // selections kept for later
	bound  uint8              // lowest index that may be picked next
	left   uint8              // picks, pieces, steps or dice left
	sum    uint8              // dice rolled so far; relocate: sleepers chosen
	stored uint8              // amount kept by a money step
	from   uint8              // relocate: the origin
	to     uint8              // split steps: the space of the piece; relocate: the destination
}

// newsFrame is the change to the stories that is being carried out (R9, R13.3.3).
type newsFrame struct {
	do    newsDo
	by    uint8 // side that chooses
	stage uint8
	n     uint8 // stories left to draw or discard; newsReplace: the slot
	// optional says that nothing need be discarded.
	optional bool
}

// placing is a number of equal placements in one space (R3.4).
type placing struct {
	kind placingKind
	side uint8
	at   uint8
	left uint8
}

// placingKind says what comes and what goes with it.
type placingKind uint8

const (
	placeNothing placingKind = iota
	placeUnit
	placeBase
	swapBase    // two own units for a base
	replaceUnit // an own unit for an enemy unit
)

var placingNames = []string{"", "unit", "base", "swap", "replace"}

// setUpFrame is the state of an alternating custom set-up (R16.4).
type setUpFrame struct {
	done [numSeats]bool // no more spaces (D41)
}

// State is one game in progress. It implements engine.Stochastic, engine.Hidden,
// engine.Secretive, engine.Teller and engine.Narrator.
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
	for i, word := range p.legal {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, engine.Action(i<<6)+engine.Action(spaceSet(word).first()))
		}
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	var before standing
	if s.w != nil {
		before = s.g.standing(&s.p)
	}
	if s.p.actor == engine.Chance {
		if s.g.weight(&s.p, a) == 0 {
			return fmt.Errorf("%w: outcome %d is not possible here", engine.ErrIllegal, a)
		}
		s.g.happen(&s.p, s.w, a)
	} else {
		if a < 0 || a >= numActions || !s.p.legal.has(uint8(a)) {
			return s.refuse(a)
		}
		s.g.choose(&s.p, s.w, uint8(a))
	}
	if s.w != nil {
		s.g.tellStanding(&s.p, s.w, &before)
	}
	s.g.settle(&s.p, s.w)
	if checkInvariants {
		if err := s.g.check(&s.p); err != nil {
			panic(fmt.Sprintf("insurgency: %v after action %d (state %016x)", err, a, s.p.hash()))
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
	return fmt.Errorf("%w: %s is not possible in decision %s of the %s", engine.ErrIllegal, name, s.p.ask, sideNames[s.p.actor])
}

// String returns the id of a decision or chance event: D1 to D43, C1 to C10.
func (q ask) String() string {
	switch {
	case q == askNothing || q >= chanceEnd:
		return ""
	case q < numDecisions:
		return fmt.Sprintf("D%d", uint8(q))
	}
	return chanceNames[q-numDecisions]
}

// Returns implements engine.State: 1 for the winner and -1 for the loser of a
// finished game (R5.4: there is no draw; R21.4), zeroes before.
func (s *State) Returns(dst []float32) []float32 {
	switch s.p.winner {
	case rebel:
		return append(dst, 1, -1)
	case federal:
		return append(dst, -1, 1)
	}
	return append(dst, 0, 0)
}

// Describe implements engine.Describer, in the words of a view in which nothing is blank.
func (s *State) Describe(a engine.Action) string { return (&View{g: s.g, p: s.p}).Describe(a) }

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) {
	o := src.(*State)
	s.g, s.p = o.g, o.p
}

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.p.hash() }
