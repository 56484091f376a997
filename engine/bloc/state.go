package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Position implements R1.3 (State): the whole situation, a plain value without
// pointers, copied by assignment. Factions are numbered in the order of
// factions.json, cells 5*row+column.
//
// In a View, the hands of others hold only the cards that the viewer knows, the loot deck holds
// all unseen cards, and HiddenAgenda and HiddenOffer replace what is not shown.
type Position struct {
	flow.Rest[actionSet] // the question at rest

	_    struct{} `pos:"phase" form:"phase"`
	Step Stage    `pos:"step" word:"step" secret:"R15.1"`
	_    struct{} `pos:"decision" form:"decision"`

	// The city and its seats.
	Tile       [Cells]TileID       `pos:"city" form:"city"`      // noTile before it is laid
	Rotation   [Cells]uint8        `pos:"-" hash:"true"`         // quarter turns clockwise, 0 to 3
	Redraws    uint8               `pos:"redraws" max:"redraws"` // cities drawn in vain
	Seats      [Factions]FactionID `pos:"seats" by:"place" word:"faction" none:"true"`
	Night      uint8               `pos:"night" max:"8"` // 1 and up
	NightsLeft uint8               `pos:"nights_left" max:"8"`
	FirstSeat  uint8               `pos:"first_faction" form:"first"` // with the first faction marker, noSeat before C7
	Turn       uint8               `pos:"turn" max:"factions"`        // how many factions have had their turn this night
	_          struct{}            `pos:"active" form:"active"`

	Survey

	// Pieces.
	Blocs     [Factions][Cells]uint8 `pos:"districts" form:"districts"`
	Attacked  [Factions][Cells]uint8 `pos:"-" hash:"true"` // of these, have attacked in the present clash; never above blocs (R5.5)
	Cops      [Cells]uint8           `pos:"-" hash:"true"`
	Van       [Cells]uint8           `pos:"-" hash:"true"` // 0 for none, 1 plus the hits taken, 1 to 3
	Holder    [Cells]Holding         `pos:"-" hash:"true"` // 0 for no occupation, else 1 + 5*faction + kind
	Centers   [3][Cells]uint8        `pos:"-" hash:"true"` // shopping centres by what has become of them
	Liberated CellSet                `pos:"-" hash:"true"`
	// Flags of one Sunrise (R9.2-R9.5).
	Protected  CellSet          `pos:"-" hash:"true"`                // the occupation cannot be evicted
	Cancelled  [Cells]uint8     `pos:"-" hash:"true"`                // cops whose attacks are void
	Boost      [Cells]uint8     `pos:"-" hash:"true"`                // counts as that many blocs more
	Barricades [4 * Cells]uint8 `pos:"barricades" form:"barricades"` // by slot, see slot
	CopsLeft   uint8            `pos:"staging.cops"`
	VansLeft   uint8            `pos:"staging.vans"`
	Destroyed  uint8            `pos:"vans_destroyed" max:"vans"` // vans out of the game
	Pile       uint8            `pos:"barricade_pile"`            // barricades not in the city
	MoraleStep uint8            `pos:"morale_step" max:"morale"`
	Lockdown   FactionID        `pos:"metro_lockdown" word:"faction" none:"true"` // with the Metro Lockdown before it, or NoFaction
	Expiring   bool             `pos:"metro_lockdown_expiring"`                   // it was drawn last night, and ends with its holder's turn (R8.9)

	// Derived from the pieces, because every list of legal actions needs it.
	Mat    [Factions]uint8               // blocs on the mat; with those in the city always 10
	Place  [Factions][Occupations]CellID // where an occupation stands, NoCell on the mat: the inverse of holder
	Police CellSet                       // with a cop or a van
	With   [Factions]CellSet             // with a bloc of the faction

	// Cards. Decks and discards are counts by kind.
	Hand     [Factions][LootCards]uint8 `pos:"hands" form:"hands" secret:"R2.8"`
	HandSize [Factions]uint8            `pos:"-" hash:"true"`
	// Known[v][f] counts cards of faction f's hand of which player v is certain;
	// zero where v decides for f. In a view, what other players know of others is zero.
	Known      [maxPlayers]knowledge `pos:"known" form:"known" secret:"R15.2"`
	Deck       [LootCards]uint8      `pos:"loot_deck" count:"loot" max:"cards" secret:"R2.8"`
	Discard    [LootCards]uint8      `pos:"loot_discard" count:"loot" max:"cards"`
	Drawn      [LootCards]uint8      `pos:"drawn" count:"loot" derived:"true" secret:"R15.2"` // cards being drawn by who, not in the hand yet
	Ops        [OpsCards]uint8       `pos:"ops_deck" count:"ops" max:"cards"`                 // ops deck but for the prefix, in unknown order
	Prefix     [maxPrefix]OpsID      `pos:"ops_revealed" word:"ops" len:"PrefixSize"`         // revealed top of the ops deck, from the top
	PrefixSize uint8                 `pos:"-" hash:"true"`
	OpsDiscard [OpsCards]uint8       `pos:"ops_discard" count:"ops" max:"cards"`
	Manifest   [Manifestations]uint8 `pos:"manifestations" count:"manifestation" max:"cards"` // not turned up, the boxed ones included
	Agenda     [Factions]AgendaID    `pos:"agendas" form:"agendas" secret:"R2.9"`             // NoAgenda, HiddenAgenda or the card
	BonusDice  [Factions]uint8       `pos:"bonus_dice" count:"faction" max:"bonus"`           // of the next turn
	DeckSize   uint8                 `pos:"-" hash:"true"`                                    // in a view the deck counts more
	DrawnSize  uint8                 `pos:"-" hash:"true"`

	// This turn; zero outside a turn.
	Dice      [Sides]uint8     `pos:"dice" many:"die"`        // unspent action dice by value - 1
	ExtraDice uint8            `pos:"extra_dice" max:"extra"` // rolled beside those of step 1
	Uses      [Uses]uint8      `pos:"uses" count:"use" max:"2"`
	Bolt      uint8            `pos:"bolt_cutters" max:"2"`  // what Bolt Cutters take off the next advanced action, 0 if none are pending
	Jammers   uint8            `pos:"jammers" max:"jammers"` // Signal Jammers played
	Trades    uint8            `pos:"trades" max:"trades"`   // proposals made
	Barred    [numBars]CellSet `pos:"barred" form:"barred"`
	Revealed  uint8            `pos:"revealed_total" max:"revealed"` // ops cards shown by manifestations this Sunrise

	// What is going on.
	Now   UnderWay  `pos:"pending,inline" null:"idle" derived:"true"`
	Asked FactionID `secret:"R15.1"` // faction that decides, NoFaction at chance and at the end
	// Shown[v] is what player v sees while others are asked in secret; none at any
	// other time (R15.1).
	Shown [maxPlayers]Moment `pos:"shown" by:"seat" when:"Step" null:"seen" derived:"true" secret:"R15.1"`

	Winners uint8  `pos:"result" form:"result"` // bit set of factions, of a finished game
	Ending  Ending `pos:"-" hash:"true"`
}

// Survey is what follows from tiles and rotations.
type Survey struct {
	Links     [4 * Cells]End // the other end of the connection at an end, NoEnd for none
	Near      [Cells]CellSet // adjacent districts (R3.4)
	Over      [Cells]uint8   // bit arm is set if the connection there runs over a highway
	Highways  uint8          // ends of highway connections
	Districts CellSet        // cells that are no highway
	Metro     CellSet        // with a metro station
	OfType    [Types]CellSet
	ByID      [Cells]CellID // districts by ascending police ID; zeroes behind the last
}

// knowledge counts cards of hands by faction.
type knowledge = [Factions][LootCards]uint8

// maxPrefix is the most ops cards that can be known: the whole deck.
const maxPrefix = 34

// Kinds of uses counted in a turn.
const (
	useOfHall = iota
	useOfHacker
	useOfWorkshop
	useOfSocial
	useOfFactory
	Uses // how many there are
)

// Kinds of advanced actions that can be barred (R5.6).
const (
	BarLoot Bar = iota
	BarBuild
	BarSwap
	numBars
)

// Bar is a kind of advanced action that can be barred.
type Bar uint8

// What has become of a shopping centre, an index of Position.Centers.
const (
	Unlooted CenterState = iota
	Graffitied
	Burned
)

// CenterState is what has become of a shopping centre.
type CenterState uint8

var centerNames = [...]string{"unlooted", "graffitied", "burned"}

// ending says how a game ended.
type Ending uint8

const (
	undecided Ending = iota
	noBlocs          // a faction had no bloc in the city
	winAlone         // one faction met a lone objective
	succeeded        // the insurrection succeeded
	timeOut          // the last night is over
)

var endingNames = [...]string{"", "no_blocs", "win_alone", "success", "time_out"}

// order returns the faction whose turn is the i-th of the night.
func (b Board) order(i uint8) FactionID {
	return b.Seats[(b.FirstSeat+i)%b.factions]
}

// owner returns the player that decides for a faction (R2.7).
func (b Board) owner(f FactionID) engine.Player {
	for s := range b.factions {
		if b.Seats[s] == f {
			return engine.Player(s % b.players)
		}
	}
	return 0
}

// inPlay reports whether a faction is in the game.
func (b Board) inPlay(f FactionID) bool {
	for s := range b.factions {
		if b.Seats[s] == f {
			return true
		}
	}
	return false
}

// difficulty returns that of the side of a district that lies up (R5.2).
func (b Board) difficulty(c CellID) uint8 {
	return b.box.tiles[b.Tile[c]].difficulty(b.Liberated.Has(c))
}

// lib is 1 for a liberated district, 0 for a repressed one.
func (p *Position) lib(c CellID) uint8 { return uint8(p.Liberated >> c & 1) }

// total returns the blocs of all factions in a district.
func (p *Position) total(c CellID) uint8 {
	return p.Blocs[0][c] + p.Blocs[1][c] + p.Blocs[2][c] + p.Blocs[3][c]
}

// owns reports whether a district holds an occupation of a faction.
func (p *Position) owns(f FactionID, c CellID) bool {
	return p.Holder[c] != 0 && p.Holder[c].Faction() == f
}

// matOccs returns the kinds of occupations on a faction's mat, a bit set.
func (p *Position) matOccs(f FactionID) uint32 {
	set := uint32(0)
	for k, c := range p.Place[f] {
		if c == NoCell {
			set |= 1 << k
		}
	}
	return set
}

// numDice returns the number of unspent dice.
func (p *Position) numDice() uint8 {
	n := uint8(0)
	for _, d := range p.Dice {
		n += d
	}
	return n
}

// bestDie returns the highest unspent die, 0 if there is none.
func (p *Position) bestDie() uint8 {
	for v := uint8(Sides); v > 0; v-- {
		if p.Dice[v-1] > 0 {
			return v
		}
	}
	return 0
}
