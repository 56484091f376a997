package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Position is the whole situation (R2): a plain value without pointers, copied by
// assignment. Arrays of two are by seat (rebel, federal). The tags say how it stands in
// JSON (package engine/position), README.md what each field means there.
//
// In a View Hand of the other seat holds the cards that the viewer knows of, and Words are
// empty where the other seat decides.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	_        struct{}         `pos:"scenario" form:"scenario"`
	_        struct{}         `pos:"event_tag" form:"event_tag"`
	Phase    phase            `pos:"phase" word:"phase"`
	_        struct{}         `pos:"decision" form:"decision"`
	Round    uint8            `pos:"round" min:"1"`                          // 1 to 5
	Side     Side             `pos:"to_play" word:"side" null:"nobodyPlays"` // who plays cards, or chooses in a custom set-up
	PairLeft uint8            `pos:"cards_left_in_pair" max:"2"`             // cards left in the current pair, 0 to 2
	_        struct{}         `pos:"board,omitzero" form:"board"`
	Spaces   [numSpaces]Site  `by:"space"`
	OnMap    [numPieces]uint8 // pieces on the map by kind: sums over spaces, never above the limits of R1.1

	Resources  [numSeats]uint8 `pos:"*_resources" by:"side" max:"money"`
	Reserves   [numSeats]uint8 `pos:"*_reserves" by:"side" max:"reserves"`
	Social     Marker          `pos:"social_media" word:"marker"`         // space of the Social Media marker, 0 (A) to 5 (F)
	SocialUsed [numSeats]bool  `pos:"*_used_social_media" by:"side"`      // the side has used Social Media this round
	Hacked     [numSeats]uint8 `pos:"*_hq.hacked" by:"side" max:"hacked"` // on the side's HQ
	Shields    [numSeats]uint8 `pos:"*_hq.shields" by:"side" max:"shields"`

	Momentum MomentumSet `pos:"momentum" form:"momentum"`
	Owners   MomentumSet `pos:"-" hash:"true"` // of these, those of the Federal
	Plague   SpaceID     `pos:"-" hash:"true"` // the space of the Plague marker; noSpace unless the key plague is in play

	Slots        [numSlots]StoryID `pos:"active_stories.slot*" by:"slot" word:"story"` // newest first; 0 for none
	Pool         StorySet          `pos:"pool" set:"storyCard"`
	StoryDiscard StorySet          `pos:"story_discards" set:"storyCard"`
	Drawn        StoryID           `pos:"story_drawn" word:"story" derived:"true"` // drawn and not yet kept or discarded (D25); 0 for none

	Hand     [numSeats]CardSet `pos:"-" hash:"true" secret:"R19.2"`
	Known    [numSeats]CardSet `pos:"-" hash:"true"` // cards of the seat's hand that the other seat has seen: a subset of Hand
	HandSize [numSeats]uint8   `pos:"-" hash:"true"` // number of cards in hand, the hidden ones of a view included
	_        struct{}          `pos:"rebel_hand" form:"rebelHand"`
	_        struct{}          `pos:"rebel_hand_known" form:"rebelKnown"`
	_        struct{}          `pos:"federal_hand" form:"federalHand"`
	_        struct{}          `pos:"federal_hand_known" form:"federalKnown"`
	Discards CardSet           `pos:"event_discards" set:"card"` // cards played or discarded, the running one included
	Removed  CardSet           `pos:"removed_events" set:"card"` // cards taken out at set-up (R8.8)

	ToDeal   [numSeats]uint8 `pos:"to_deal.*" by:"side" max:"127"` // cards still to be dealt
	Done     [numSeats]bool  `pos:"spaces_done.*" by:"side"`       // takes no more spaces in a custom set-up (D41)
	AdminDue adminStep       `pos:"step" word:"step"`              // next step of the Administration Phase, 0 outside it
	Removal  RemovalFrame    `pos:"removal,inline" null:"noRemoval" derived:"true"`
	Card     CardFrame       `pos:"card,inline" null:"noCard" derived:"true"`           // the card that is being played
	Op       OperationFrame  `pos:"operation,inline" null:"noOperation" derived:"true"` // the operation that is being carried out
	Event    EventFrame      `pos:"event,inline" null:"noEvent" derived:"true"`
	News     NewsFrame       `pos:"news,inline" null:"noNews" derived:"true"`
	Placing  PlacingFrame    `pos:"placing,inline" null:"noPlacing" derived:"true"` // pieces that are being placed, swapped or exchanged
	Testing  SpaceID         `pos:"testing" word:"space" derived:"true"`            // space whose test (C2) is due; noSpace for none

	Result Result `pos:"game_over,inline" null:"playing"`

	// What follows from the rest: filled in where a position is written or compared with a
	// document, else zero.
	VP        [numSeats]uint8  `pos:"vp.*" by:"side" derived:"true"`
	Stocks    [numPieces]uint8 `pos:"stock.*" by:"piece kind" derived:"true"`
	PowerNow  uint8            `pos:"rebellion_power" derived:"true"`
	RPFNow    uint8            `pos:"rpf" derived:"true"`
	EdgeNow   Side             `pos:"edge" word:"side" derived:"true"`
	EventDeck uint8            `pos:"event_deck" derived:"true"`
	Stories   uint8            `pos:"story_deck" derived:"true"`
}

// Site is what a space is like: its markers and pieces.
type Site struct {
	Status       Status `pos:"space.*.status,sorted" word:"status"` // order to revolt, or unmarked
	Unrest       uint8  `pos:"space.*.unrest" max:"unrest"`
	Agents       uint8  `pos:"space.*.agents" max:"agents"`
	Sleepers     uint8  `pos:"space.*.sleepers" max:"militia"`
	Active       uint8  `pos:"space.*.active" max:"militia"`
	FederalBases uint8  `pos:"space.*.federal_bases" max:"bases"` // of both sides together at most 2 (R1.6)
	RebelBases   uint8  `pos:"space.*.rebel_bases" max:"bases"`
	Plague       bool   `pos:"space.*.plague" derived:"true"` // the Plague marker
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

// Result is how a game ended.
type Result struct {
	Winner   Side  `pos:"winner" word:"side"` // nobody while the game goes on
	Cause    cause `pos:"by" word:"cause"`
	Decisive bool  `pos:"decisive"`
}

// cause says how a game ended.
type cause uint8

const (
	undecided cause = iota
	domination
	endurance
	military
)

var causeNames = []string{"", "domination", "endurance", "military"}

// CardFrame is the card that is being played (R8).
type CardFrame struct {
	Number    CardID `pos:"number"` // 0 while the card is to be chosen (D1)
	Mode      mode   `pos:"mode" word:"mode"`
	Part      uint8  `pos:"part"`                       // how many of the card's parts, event and operation, have begun
	Operation opKind `pos:"operation" word:"operation"` // chosen and not yet begun, while D4 is asked; noOp otherwise
}

// RemovalFrame is a voluntary removal before D1: the last one, below which the next must not
// fall (R7.2), and whether another is under way.
type RemovalFrame struct {
	LastSpace SpaceID  `pos:"last_space" word:"space"` // 0 at the beginning
	LastPiece ownPiece `pos:"last_piece" word:"piece"`
	Asking    bool     `pos:"asking"`
	From      SpaceID  `pos:"from" word:"space"` // noSpace until D39 is answered
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

	noOp = numOps
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

// OperationFrame is the operation that is being carried out. Each Kind has the struct of its
// procedure, and the others stay as newOperation leaves them.
type OperationFrame struct {
	Kind   opKind      `pos:"kind" word:"operation"` // noOp for none
	Stage  opStage     `pos:"stage" word:"stage"`
	Side   Side        `pos:"side" word:"side"`
	Ops    uint8       `pos:"ops"`
	Terms  Terms       `pos:",inline"`
	Pick   Picking     `pos:",inline"` // Attack, Tax, Deploy, Hunt and Pacify
	Net    NetOps      `pos:",inline"` // Fundraise, Recruit and Unrest
	Attack AttackRolls `pos:",inline"`
	Theft  TheftRolls  `pos:",inline"`
	Group  Forming     `pos:",inline"` // Move: the group that is being chosen
	Move   Moving      `pos:",inline"`
	Budget uint8       `pos:"attack_budget"` // Social Media: Ops left for attacks
	Deploy Deploying   `pos:",inline"`
}

// Terms are what an event that grants an operation lifts or narrows (R14.4).
type Terms struct {
	Free     bool     `pos:"free"` // an event grants it, and nothing is paid
	NoUnrest bool     `pos:"no_unrest"`
	NoArrest bool     `pos:"no_arrest"`
	Ignore   bool     `pos:"ignore_shield"`           // Shields do not count
	Margin   uint8    `pos:"agents_over_militia"`     // agents that Secure needs more than militia
	Limit    uint8    `pos:"max_spaces" word:"limit"` // most spaces that may be picked, noLimit for what the Ops allow
	Within   SpaceSet `pos:"within" form:"within"`    // spaces that may be picked
}

// Picking is an operation on spaces, which are picked, paid together and then carried out
// (R7.2).
type Picking struct {
	Spaces SpaceSet `pos:"picks" set:"space"` // picked so far
	Todo   SpaceSet `pos:"todo" set:"space"`  // of these, those still to be carried out
	Bound  SpaceID  // lowest index that may be picked next
	Cost   uint8    // dollars that the picks so far cost; 0 once they are paid
}

// NetOps are the selections of spaces of one type (R10), in the order in which the effect is
// applied.
type NetOps struct {
	Kind     kind                 `pos:"type" word:"kind"` // noKind until it is chosen
	Selected [maxSelected]SpaceID `pos:"selections" len:"Count" word:"space"`
	Count    uint8                `pos:"-" hash:"true"`
	Rolled   uint8                `pos:"rolled"` // of the selections; they come first
	Rolls    uint8                `pos:"rolls_left"`
	Choices  uint8                `pos:"choices_left"`
	At       uint8                `pos:"selection"` // the selection that is being applied
	Bound    SpaceID              // lowest index that may be chosen next
}

// AttackRolls are an Attack in one space while its militia roll (R11.5.2).
type AttackRolls struct {
	Dice uint8 `pos:"dice_left"` // still to be rolled
	Hits uint8 `pos:"hits"`      // so far
}

// TheftRolls are the effect Theft of a Hack while it is rolled for (R13.4.2).
type TheftRolls struct {
	Dice uint8 `pos:"theft_dice_left,omitzero"` // still to be rolled
	Sum  uint8 `pos:"theft_sum,omitzero"`       // of those rolled
}

// Forming is the group of a Move that is being chosen (D10 to D12).
type Forming struct {
	From     SpaceID `pos:"from" word:"space"` // noSpace where none is being chosen
	To       SpaceID `pos:"to" word:"space"`   // noSpace until D10 is answered
	Sleepers uint8   `pos:"sleepers"`          // D11 of the Rebel
	Arrests  uint8   // entries on its road into spaces with enemy units
}

// Moving is the groups of a Move that have been chosen (R11.4, R12.3), and how many of them
// have moved.
type Moving struct {
	Groups    [maxGroups]Group `pos:"groups" len:"NumGroups"`
	NumGroups uint8            `pos:"-" hash:"true"`
	Moved     uint8            `pos:"moved"`
	Cost      uint8            // dollars that the groups so far cost; 0 once they are paid
}

// Deploying is what a Deploy with deploy=total may still do (R12.2).
type Deploying struct {
	AgentsLeft uint8 `pos:"agents_left"` // agents that may still be placed
	BaseChosen bool  `pos:"base_chosen"` // the one base has been chosen
}

// Group is a group of a Move as it sets out.
type Group struct {
	From   SpaceID `pos:"from" word:"space"`
	To     SpaceID `pos:"to" word:"space"`
	Units  uint8   `pos:"units"` // agents, or sleepers
	Active uint8   `pos:"active"`
}

// EventFrame is the event that is being resolved (R14).
type EventFrame struct {
	Card     CardID             `pos:"-" hash:"true"` // 0 for none
	Owner    Side               `pos:"-" hash:"true"`
	PC       uint8              `pos:"instruction"`
	Stage    eventStage         `pos:"stage" word:"event stage"` // of the instruction
	Cur      SpaceSet           `pos:"selected" set:"space"`
	Todo     SpaceSet           `pos:"todo" set:"space"`   // spaces of Cur whose effect is to come
	Named    [maxNames]SpaceSet `pos:"named" form:"named"` // selections kept for later
	Bound    SpaceID            // lowest index that may be picked next
	Left     uint8              `pos:"left"`                          // how many of what the instruction counts (N, or dice) are still to come
	Sum      uint8              `pos:"sum"`                           // money: of the dice rolled so far
	Stored   uint8              `pos:"stored"`                        // amount kept by a money step
	Split    SpaceID            `pos:"split,omitzero" word:"space"`   // split steps: the space of the piece; noSpace before
	Convert  SpaceID            `pos:"convert,omitzero" word:"space"` // convert: the space whose units are replaced; noSpace before
	Relocate Relocation         `pos:",inline"`
}

// Relocation is a relocate step.
type Relocation struct {
	From     SpaceID     `pos:"from" word:"space"` // noSpace until D38 is answered
	To       SpaceID     `pos:"to" word:"space"`
	Asking   relocateAsk `pos:"relocating,omitzero" word:"relocating"` // which units are asked for
	Sleepers uint8       `pos:"relocated,omitzero"`                    // those that go
}

// NewsFrame is the change to the stories that is being carried out (R9, R13.3.3).
type NewsFrame struct {
	Do    newsDo    `pos:"do" word:"news"`
	By    Side      `pos:"by" word:"side"` // side that chooses
	Stage newsStage `pos:"stage"`
	N     uint8     `pos:"left"`          // stories left to draw or discard
	Slot  uint8     `pos:"-" hash:"true"` // replace_active: the slot that is refilled, once it is chosen
	// Optional says that nothing need be discarded.
	Optional bool `pos:"optional"`
}

// PlacingFrame is a number of equal placements in one space (R3.4).
type PlacingFrame struct {
	Kind placingKind `pos:"kind" word:"placing"`
	Side Side        `pos:"side" word:"side"`
	At   SpaceID     `pos:"space" word:"space"`
	Left uint8       `pos:"left"`
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

// State is one game in progress. It implements engine.Stochastic, engine.Hidden,
// engine.Secretive, engine.Describer and engine.Narrator.
type State struct {
	flow.State[*game, Position, actionSet]
}

// Returns implements engine.State: 1 for the winner and -1 for the loser of a
// finished game (R5.4: there is no draw; R21.4), zeroes before.
func (s *State) Returns(dst []float32) []float32 {
	switch s.P.Result.Winner {
	case rebel:
		return append(dst, 1, -1)
	case federal:
		return append(dst, -1, 1)
	}
	return append(dst, 0, 0)
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
