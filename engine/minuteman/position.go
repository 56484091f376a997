package minuteman

import "powderkeg/engine/flow"

// position is the whole situation (R2): a plain value without pointers, copied by
// assignment. The tags say how it stands in JSON (package engine/position), README.md
// what each field means there.
type position struct {
	flow.Rest[tokens] // the question at rest

	phase phase    `pos:"phase" word:"phase"`
	_     struct{} `pos:"decision" form:"decision"`
	turn  uint8    `pos:"turn" max:"turns"` // 0 in the set-up, then 1 to 24

	units [numUnits]unit `pos:"units" form:"units"`
	// Counters of Militia and Army slots: index among the masked counters; in a view
	// hiddenCounter is added to the first of its group if it is untried. cand is the
	// set of counters of its group that an untried one can be, bit 0 for the first.
	counter  [numMasked]uint8  `pos:"-" hash:"true"`
	cand     [numMasked]uint16 `pos:"-" hash:"true"`
	head     [numHexes]UnitID  // first unit of a hex by arrival, noUnit for none (R3.4)
	onMap    unitSet           // units with a hex
	occupied hexSet            // hexes with a unit

	riot     citySet `pos:"riots" set:"city"`     // real Riot markers
	unrest   hexSet  `pos:"unrest" set:"hex"`     // R1.5; disjoint from riot
	informer citySet `pos:"informers" set:"city"` // one Informer each

	revTurn  uint8                       `pos:"revolution_turn" max:"turns"` // Game-Turn of the Revolution, 0 before
	track    uint16                      `pos:"build_track"`                 // cumulative build track
	hand     [maxSeats][numMarkers]uint8 `pos:"hands" form:"hands"`          // of other seats zero in a view
	handSize [maxSeats]uint8             `pos:"hand_sizes" by:"seat" derived:"true"`
	pool     [numMarkers]uint8           `pos:"pool" form:"pool"` // zero in a view
	poolSize uint8                       `pos:"-" hash:"true"`
	due      [maxSeats]uint8             `pos:"reinforcements_due" by:"seat" max:"24"` // Divisions, Militia by seat (R20.3)
	commit   uint8                       `pos:"committed" max:"16"`                    // committed Front Line Divisions
	airRail  uint8                       `pos:"air_rail_halves" max:"40"`              // Air/Rail points left in halves
	assaults uint8                       `pos:"assaults_done" max:"3"`                 // bit 0: air assault done this turn, bit 1: amphibious assault

	foreignSeat  SeatID              `pos:"foreign.seat" word:"seat"` // who declared foreign intervention, noSeat before
	foreignStage foreignStage        `pos:"foreign.stage" form:"foreign_stage"`
	foreignLeft  uint8               `pos:"foreign.movement_phases_left" max:"3"` // own Movement Phases until the Divisions come
	foreignCount uint8               `pos:"foreign.divisions" max:"6"`            // Divisions still to be placed now
	foreignPlace uint8               `pos:"foreign.place" max:"6"`                // 1 to 6, 0 before the die
	sides        [numCountries]uint8 `pos:"country_sides" max:"1"`                // 0 if the Government holds the country's Brigades, 1 the Rebel (R29.2)
	built        [numCountries]bool  `pos:"country_built"`                        // a Minuteman's build succeeded there (R29.6)

	gov      SeatID           `pos:"players.government" max:"seat"`        // seat of the Government
	order    [3]SeatID        `pos:"players.order" form:"order"`           // seats in order of movement, noSeat beyond the Rebels
	fed      SeatID           `pos:"players.federalized" word:"seat"`      // federalized seat, noSeat
	fedTurn  uint8            `pos:"players.federalized_turn" max:"turns"` // Game-Turn in which he was federalized
	pact     SeatID           `pos:"players.pact" word:"seat"`             // seat with an accepted pact, noSeat
	gone     SeatSet          `pos:"players.eliminated" set:"seat"`
	truces   uint8            `pos:"players.truces" form:"truces"`    // pairs of seats with an accepted truce, as pairOf numbers them (R28.5)
	named    [maxSeats]SeatID `pos:"players.targets" form:"targets"`  // whom each seat has named as TARGET (R28.5), noSeat
	rank     [maxSeats]uint8  `pos:"players.ranks" by:"seat" max:"4"` // of the order of movement (C20): so far
	roll     [maxSeats]uint8  `pos:"players.rolls" by:"seat" max:"6"` // die of this round
	lot      SeatID           `pos:"players.lot" word:"seat"`         // seat that a tie die named (C21), noSeat
	ties     SeatSet          `pos:"players.ties" set:"seat"`         // seats among which it is cast
	original bool             `pos:"players.original_government"`     // the Government of the set-up still is the Government

	// How far the phase has come. step and count are numbered by the phase's own code.
	step   uint8  `pos:"flow.step" max:"40"`
	count  uint8  `pos:"flow.count" max:"60"`
	window uint8  `pos:"flow.window" max:"windows"` // seats whose phase window is over, numSeats when all are
	part   uint8  `pos:"flow.part" max:"2"`         // how far the chain of one decision has come: 0 for its first token
	seat   SeatID `pos:"flow.seat" word:"seat"`     // whose part of a phase it is
	// What a die or chit has given for a later step stands under one key.
	firstChit uint8 `pos:"flow.die" form:"die"` // first of two chits, from 0 (C12)
	column    uint8 `pos:"-" hash:"true"`       // reaction column chosen in D60, from 0
	cigStep   uint8 `pos:"-" hash:"true"`       // step of the set-up's CIG, 0 before the die (C22)
	// The tokens of the chain under way.
	selHex   HexID   `pos:"flow.hex" word:"hex"`
	selClass class   `pos:"flow.class" max:"class"`
	pile     country `pos:"flow.country" max:"2"` // of a Militia abroad (R29.1)
	// The last member of a set taken in order (R3.5) stands under one key.
	lastHex    HexID   `pos:"flow.last_hex" min:"0" max:"hexes"` // where the ascending order of hexes has come to
	lastClass  class   `pos:"flow.last_class" form:"last_class"` // the class within it
	lastPile   country `pos:"-" hash:"true"`                     // of the Militia abroad (R29.1)
	secondChit bool    `pos:"-" hash:"true"`                     // of the two of a unit, the first is drawn (R28.1)
	placed     uint8   `pos:"flow.placed" max:"militia"`         // reinforcements placed in this Movement Phase (R20.5)
	late       bool    `pos:"flow.late"`                         // the reinforcement of R23 (Unprepared) is dealt with in this Game-Turn
	refused    bool    `pos:"flow.refused"`                      // a Revolution was refused in this phase window (R28.7)
	picks      SeatSet `pos:"flow.picks" set:"seat"`             // seats that drew a Pick in this phase B (R14.1)
	// Riot step (R7.1).
	riotsBefore citySet `pos:"flow.riots_before" set:"city"`
	riotsToDo   citySet `pos:"flow.riots_to_do" set:"city"`
	tried       citySet `pos:"flow.tried_abroad" set:"city"` // hexes abroad with an attempt in this phase (R29.6)

	queue  [numArmyQueue]uint8 `pos:"set_up.queue" form:"queue"` // Army counters drawn in the set-up and not yet placed
	queued uint8               `pos:"-" hash:"true"`
	chits  [10]uint8           `pos:"set_up.chits" max:"2"`   // set-up chits not drawn
	rows   uint16              `pos:"set_up.rows" max:"1023"` // numbers drawn for a row of Networks, bit 0 for 1

	draw    draw    `pos:"draw" form:"draw"`
	build   build   `pos:"build" when:"stage"`
	move    move    `pos:"move" when:"stage"`
	kill    kill    `pos:"assassination" when:"stage"`
	combat  combat  `pos:"combat,inline" null:"no_combat"`
	rising  rising  `pos:"rising" when:"stage"`
	propose propose `pos:"proposal" when:"kind"`
	end     ending  `pos:"result" when:"by"`
}

// tokens is a set of tokens.
type tokens [(numActions + 63) / 64]uint64

const (
	numArmyQueue  = 28
	hiddenCounter = 0x80
)

// HexID indexes data/map.json, CityID its Population I hexes; UnitID is a slot, and SeatID
// a seat.
type (
	HexID  int16
	CityID int8
	UnitID uint8
	SeatID uint8
)

// SeatSet is a set of seats, bit p for seat p.
type SeatSet uint8

func (s SeatSet) has(seat SeatID) bool { return s>>seat&1 != 0 }

// Seats: 0 is the Government at the start, 1 to 3 are Rebels (R1.1).
const (
	maxSeats = 4
	noSeat   = SeatID(0xFF)
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

// unit is one slot.
type unit struct {
	hex   HexID  `pos:"-" hash:"true"` // noHex while it is off the map
	marks mark   `pos:"-" hash:"true"`
	next  UnitID `pos:"-" hash:"true"` // the unit that came to the hex next, noUnit for the last one
	step  uint8  `pos:"-" hash:"true"` // 0 weak and 1 strong; a CIG 1 to 6; 0 of Militia and Army
}

// draw is a counter to be drawn at random and placed untried (C1, C7, C17).
type draw struct {
	groups uint16 `pos:"-" hash:"true"` // bit set of the groups that it comes from, 0 for no draw
	hex    HexID  `pos:"-" hash:"true"` // noHex to lay it into the queue of the set-up
	marks  mark   `pos:"-" hash:"true"`
	ask    ask    `pos:"-" hash:"true"`
}

// build is a build attempt or result under way (R7.4, R16.2).
type build struct {
	stage   buildStage `pos:"stage" word:"build_stage"`
	seat    SeatID     `pos:"seat" max:"seat"`     // who builds
	builder UnitID     `pos:"builder" word:"unit"` // Network, CIG or, alone, Minuteman; it may be gone
	hex     HexID      `pos:"hex" word:"hex"`
	helpers unitSet    `pos:"helpers" set:"unit"`
	markers uint8      `pos:"organizers" max:"8"`
	points  uint8      `pos:"points" max:"40"` // at the die
	react   uint8      `pos:"react" max:"4"`   // seats asked in D31
	free    bool       `pos:"free"`
	newNet  bool       `pos:"new_network"`   // OPT_NEW_NETWORK may be chosen
	die     uint8      `pos:"-" hash:"true"` // as it counted, for D63
	last    uint8      `pos:"-" hash:"true"` // last token of D17
}

// move is the movement of one unit (R8, R17).
type move struct {
	stage moveStage `pos:"stage" word:"move_stage"`
	unit  UnitID    `pos:"unit" word:"unit"`
	dest  HexID     `pos:"destination" word:"hex"`
	mode  uint8     `pos:"mode" word:"verb"` // verb of D65
	shown uint8     `pos:"passage" max:"6"`  // Passage markers
	price uint16    `pos:"price" max:"price"`
}

// kill is an assassination (R13).
type kill struct {
	stage  killStage `pos:"stage" word:"kill_stage"`
	seat   SeatID    `pos:"seat" max:"seat"`
	n      uint8     `pos:"markers" max:"3"`
	class  class     `pos:"class" max:"class"`
	hex    HexID     `pos:"hex" word:"hex"`
	player SeatID    `pos:"player" word:"seat"`
}

// rising is the Revolution being declared (R20.2, R20.3).
type rising struct {
	stage   risingStage `pos:"stage" word:"rising_stage"`
	seat    SeatID      `pos:"seat" max:"seat"`
	answers SeatID      `pos:"answers" word:"seat"` // the Rebel who is asked, or rolls, next
	army    UnitID      `pos:"army" word:"unit"`    // the unit that leaves
}

// propose is a proposal under way (R28.5).
type propose struct {
	kind uint8  `pos:"verb" word:"verb"`
	to   SeatID `pos:"to" max:"seat"`
	sent bool   `pos:"sent"`
}

// ending is how the game has ended.
type ending struct {
	level   int8    `pos:"level" min:"-3" max:"3"` // on the ladder (R24.4)
	by      cause   `pos:"by" word:"cause"`
	winners SeatSet `pos:"winners" set:"seat"`
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

// start is an attack, an assassination and so on before anything of it is said; a
// document leaves out what it says nothing of.
func (p *position) blankProcedures() {
	p.build = build{builder: noUnit, hex: noHex}
	p.move = move{unit: noUnit, dest: noHex}
	p.kill = kill{hex: noHex, player: noSeat}
	p.combat = combat{victim: noSeat, target: noHex, retreater: noUnit, zone: noHex}
	p.rising = rising{answers: noSeat, army: noUnit}
}

// dropProcedures clears what is not under way.
func (p *position) dropProcedures() {
	if p.build.stage == buildNone {
		p.build = build{}
	}
	if p.move.stage == moveNone {
		p.move = move{}
	}
	if p.kill.stage == killNone {
		p.kill = kill{}
	}
	if p.combat.stage == combatNone {
		p.combat = combat{}
	}
	if p.rising.stage == risingNone {
		p.rising = rising{}
	}
}
