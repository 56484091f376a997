package minuteman

import "powderkeg/engine/flow"

// Position is the whole situation (R2): a plain value without pointers, copied by
// assignment. The tags say how it stands in JSON (package engine/position), README.md
// what each field means there.
type Position struct {
	flow.Rest[tokens] // the question at rest

	Phase phase    `pos:"phase" word:"phase"`
	_     struct{} `pos:"decision" form:"decision"`
	Turn  uint8    `pos:"turn" max:"turns"` // 0 in the set-up, then 1 to 24

	Units [numUnits]Slot `pos:"units" form:"units"`
	// Counters of Militia and Army slots: index among the masked counters; in a view
	// hiddenCounter is added to the first of its group if it is untried. Cand is the
	// set of counters of its group that an untried one can be, bit 0 for the first.
	Counter  [numMasked]CounterID `pos:"-" hash:"true" secret:"R19"`
	Cand     [numMasked]uint16    `pos:"-" hash:"true"`
	Head     [numHexes]UnitID     // first unit of a hex by arrival, noUnit for none (R3.4)
	OnMap    unitSet              // units with a hex
	Occupied hexSet               // hexes with a unit

	Riot     citySet `pos:"riots" set:"city"`     // real Riot markers
	Unrest   hexSet  `pos:"unrest" set:"hex"`     // R1.5; disjoint from riot
	Informer citySet `pos:"informers" set:"city"` // one Informer each

	RevTurn  uint8                       `pos:"revolution_turn" max:"turns"`     // Game-Turn of the Revolution, 0 before
	Track    uint16                      `pos:"build_track"`                     // cumulative build track
	Hand     [maxSeats][numMarkers]uint8 `pos:"hands" form:"hands" secret:"R21"` // of other seats zero in a view
	HandSize [maxSeats]uint8             `pos:"hand_sizes" by:"seat" derived:"true"`
	Pool     [numMarkers]uint8           `pos:"pool" form:"pool" secret:"R21"` // zero in a view
	PoolSize uint8                       `pos:"-" hash:"true"`
	Due      [maxSeats]uint8             `pos:"reinforcements_due" by:"seat" max:"24"` // Divisions, Militia by seat (R20.3)
	Commit   uint8                       `pos:"committed" max:"16"`                    // committed Front Line Divisions
	AirRail  uint8                       `pos:"air_rail_halves" max:"40"`              // Air/Rail points left in halves
	Assaults uint8                       `pos:"assaults_done" max:"3"`                 // bit 0: air assault done this turn, bit 1: amphibious assault

	Foreign Intervention        `pos:"foreign,inline"`
	Sides   [numCountries]uint8 `pos:"country_sides" max:"1"` // 0 if the Government holds the country's Brigades, 1 the Rebel (R29.2)
	Built   [numCountries]bool  `pos:"country_built"`         // a Minuteman's build succeeded there (R29.6)

	Gov      SeatID           `pos:"players.government" max:"seat"`        // seat of the Government
	Order    [3]SeatID        `pos:"players.order" form:"order"`           // seats in order of movement, noSeat beyond the Rebels
	Fed      SeatID           `pos:"players.federalized" word:"seat"`      // federalized seat, noSeat
	FedTurn  uint8            `pos:"players.federalized_turn" max:"turns"` // Game-Turn in which he was federalized
	Pact     SeatID           `pos:"players.pact" word:"seat"`             // seat with an accepted pact, noSeat
	Gone     SeatSet          `pos:"players.eliminated" set:"seat"`
	Truces   PairSet          `pos:"players.truces" form:"truces"`           // pairs of seats with an accepted truce (R28.5)
	Named    [maxSeats]SeatID `pos:"players.targets" form:"targets"`         // whom each seat has named as TARGET (R28.5), noSeat
	Rank     [maxSeats]uint8  `pos:"players.ranks" by:"seat" max:"4"`        // of the order of movement (C20): so far
	Roll     [maxSeats]uint8  `pos:"players.rolls" by:"seat" max:"6"`        // die of this round
	Lot      SeatID           `pos:"players.lot" word:"seat" derived:"true"` // seat that a tie die named (C21), noSeat
	Ties     SeatSet          `pos:"players.ties" set:"seat" derived:"true"` // seats among which it is cast
	Original bool             `pos:"players.original_government"`            // the Government of the set-up still is the Government

	Progress `pos:",inline"` // how far the phase has come
	_        struct{}        `pos:"flow.step,omitzero" form:"older"` // read only: older names
	_        struct{}        `pos:"flow.count,omitzero" form:"older"`
	_        struct{}        `pos:"flow.die,omitzero" form:"older"`
	Window   uint8           `pos:"flow.window"`                      // seats whose phase window is over, numSeats when all are
	Part     uint8           `pos:"flow.part" max:"2" derived:"true"` // how far the chain of one decision has come: 0 for its first token
	Seat     SeatID          `pos:"flow.seat" word:"seat"`            // whose part of a phase it is
	// The tokens of the chain under way, or of the last one.
	SelHex   HexID   `pos:"flow.hex" word:"hex"`
	SelClass class   `pos:"flow.class" max:"class"`
	Pile     country `pos:"flow.country" derived:"true"` // of a Militia abroad (R29.1)
	// The last member of a set taken in order (R3.5).
	LastHex   HexID   `pos:"flow.last_hex" min:"0" max:"hexes"` // where the ascending order of hexes has come to
	LastClass class   `pos:"flow.last_class" max:"class"`       // the class within it
	Placed    uint8   `pos:"flow.placed" max:"militia"`         // reinforcements placed in this Movement Phase (R20.5)
	Late      bool    `pos:"flow.late"`                         // the reinforcement of R23 (Unprepared) is dealt with in this Game-Turn
	Refused   bool    `pos:"flow.refused"`                      // a Revolution was refused in this phase window (R28.7)
	Picks     SeatSet `pos:"flow.picks" set:"seat"`             // seats that drew a Pick in this phase B (R14.1)
	// Riot step (R7.1).
	RiotsBefore citySet `pos:"flow.riots_before" set:"city"`
	RiotsToDo   citySet `pos:"flow.riots_to_do" set:"city"`
	Tried       citySet `pos:"flow.tried_abroad" set:"city"` // hexes abroad with an attempt in this phase (R29.6)

	Queue  [numArmyQueue]CounterID `pos:"set_up.queue" form:"queue" secret:"R19" derived:"true"` // Army counters drawn in the set-up and not yet placed
	Queued uint8                   `pos:"-" hash:"true"`
	Chits  [10]uint8               `pos:"set_up.chits" derived:"true"` // set-up chits not drawn
	Rows   uint16                  `pos:"set_up.rows" derived:"true"`  // numbers drawn for a row of Networks, bit 0 for 1

	// What is under way (Rests).
	Draw    Draw          `pos:"draw" form:"draw" derived:"true"`
	Build   Attempt       `pos:"build" when:"Stage" derived:"true"`
	Move    Movement      `pos:"move" when:"Stage" derived:"true"`
	Kill    Assassination `pos:"assassination" when:"Stage" derived:"true"`
	Combat  Combat        `pos:"combat,inline" null:"no_combat" derived:"true"`
	Rising  Rising        `pos:"rising" when:"Stage" derived:"true"`
	Propose Proposal      `pos:"proposal" when:"Kind" derived:"true"`
	End     Ending        `pos:"result" when:"By"`
}

// tokens is a set of tokens.
type tokens [(numActions + 63) / 64]uint64

const (
	numArmyQueue  = 28
	hiddenCounter = 0x80
)

// HexID indexes data/map.json, CityID its Population I hexes; UnitID is a slot, CounterID a
// counter of Militia and Army, and SeatID a seat.
type (
	HexID     int16
	CityID    int8
	UnitID    uint8
	CounterID uint8
	SeatID    uint8
)

// team is a side of the war: the Government's with a federalized Rebel, or the Rebels'.
type team uint8

const (
	governmentTeam team = iota
	rebelTeam
)

// other returns the enemy of a team.
func (t team) other() team { return 1 - t }

// PairSet is a set of pairs of different seats, as pairOf numbers them.
type PairSet uint8

// Has reports whether a pair is in the set.
func (s PairSet) Has(a, b SeatID) bool { return s>>pairOf(a, b)&1 != 0 }

// SeatSet is a set of seats, bit p for seat p.
type SeatSet uint8

// Has reports whether a seat is in the set.
func (s SeatSet) Has(seat SeatID) bool { return s>>seat&1 != 0 }

// Seats: 0 is the Government at the start, 1 to 3 are Rebels (R1.1).
const (
	maxSeats = 4
	noSeat   = SeatID(0xFF)
	NoSeat   = noSeat // for what reads positions
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

var markNames = []string{"underground", "untried", "pinned", "rebel_held", "front_line", "air_rail", "moved", "acted",
	"attacked", "advanced", "fought", "placed_now", "no_rail"}

// Intervention is that of foreign powers (R30).
type Intervention struct {
	Seat  SeatID       `pos:"seat" word:"seat"` // who declared it, noSeat before
	Stage foreignStage `pos:"stage" form:"foreign_stage"`
	Left  uint8        `pos:"movement_phases_left" max:"3"` // own Movement Phases until the Divisions come
	Count uint8        `pos:"divisions" max:"6"`            // Divisions still to be placed now
	Place uint8        `pos:"place" max:"6"`                // 1 to 6, 0 before the die
}

// Slot is a unit, on the map or off it.
type Slot struct {
	Hex   HexID  `pos:"-" hash:"true"` // noHex while it is off the map
	Marks mark   `pos:"-" hash:"true"`
	Next  UnitID `pos:"-" hash:"true"` // the unit that came to the hex next, noUnit for the last one
	Step  uint8  `pos:"-" hash:"true"` // 0 weak and 1 strong; a CIG 1 to 6; 0 of Militia and Army
}

// Draw is a counter to be drawn at random and placed untried (C1, C7, C17).
type Draw struct {
	Groups groupSet `pos:"-" hash:"true"` // the groups that it comes from, none for no draw
	Hex    HexID    `pos:"-" hash:"true"` // noHex to lay it into the queue of the set-up
	Marks  mark     `pos:"-" hash:"true"`
	Ask    ask      `pos:"-" hash:"true"`
}

// Attempt is a build attempt or result under way (R7.4, R16.2).
type Attempt struct {
	Stage   buildStage `pos:"stage" word:"build_stage"`
	Seat    SeatID     `pos:"seat"`                // who builds
	Builder UnitID     `pos:"builder" word:"unit"` // Network, CIG or, alone, Minuteman; it may be gone
	Hex     HexID      `pos:"hex" word:"hex"`
	Helpers unitSet    `pos:"helpers" set:"unit"`
	Markers uint8      `pos:"organizers"`
	Points  uint8      `pos:"points"` // at the die
	React   uint8      `pos:"react"`  // seats asked in D31
	Free    bool       `pos:"free"`
	NewNet  bool       `pos:"new_network"` // OPT_NEW_NETWORK may be chosen
	Spread  uint8      `pos:"spread"`      // Riots still to be placed in D11
	Die     uint8      `pos:"die"`         // as it counted, for D63
	Last    uint8      `pos:"last_token"`  // last token of D17
}

// Movement is that of one unit (R8, R17).
type Movement struct {
	Stage moveStage `pos:"stage" word:"move_stage"`
	Unit  UnitID    `pos:"unit" word:"unit"`
	Dest  HexID     `pos:"destination" word:"hex"`
	Mode  verb      `pos:"mode" word:"verb"` // verb of D65
	Shown uint8     `pos:"passage"`          // Passage markers
	Price uint16    `pos:"price"`
}

// Assassination is one that is being tried (R13).
type Assassination struct {
	Stage  killStage `pos:"stage" word:"kill_stage"`
	Seat   SeatID    `pos:"seat"`
	N      uint8     `pos:"markers"`
	Class  class     `pos:"class"`
	Hex    HexID     `pos:"hex" word:"hex"`
	Player SeatID    `pos:"player" word:"seat"`
}

// Rising is the Revolution being declared (R20.2, R20.3).
type Rising struct {
	Stage   risingStage `pos:"stage" word:"rising_stage"`
	Seat    SeatID      `pos:"seat"`
	Answers SeatID      `pos:"answers" word:"seat"` // the Rebel who is asked, or rolls, next
	Army    UnitID      `pos:"army" word:"unit"`    // the unit that leaves
}

// Proposal is a proposal under way (R28.5).
type Proposal struct {
	Kind verb   `pos:"verb" word:"verb"`
	To   SeatID `pos:"to"`
	Sent bool   `pos:"sent"`
}

// Ending is how the game has ended.
type Ending struct {
	Level   int8    `pos:"level" min:"-3" max:"3"` // on the ladder (R24.4)
	By      cause   `pos:"by" word:"cause"`
	Winners SeatSet `pos:"winners" set:"seat"`
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
