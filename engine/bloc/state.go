package bloc

import "powderkeg/engine/flow"

// position implements R1.3 (State): the whole situation, a plain value without
// pointers, copied by assignment. Factions are numbered in the order of
// factions.json, cells 5*row+column.
//
// In a View hands of others hold only what the viewer
// knows of them, the loot deck holds everything unseen, and hiddenAgenda and
// hiddenOffer stand for what is not shown.
type position struct {
	flow.Rest[actionSet] // the question at rest

	_    struct{} `pos:"phase" form:"phase"`
	step stage    `pos:"step" word:"step"`
	_    struct{} `pos:"decision" form:"decision"`

	// The city and its seats.
	tile       [numCells]uint8    `pos:"city" form:"city"`      // noTile before it is laid
	rotation   [numCells]uint8    `pos:"-" hash:"true"`         // quarter turns clockwise, 0 to 3
	redraws    uint8              `pos:"redraws" max:"redraws"` // cities drawn in vain
	seats      [numFactions]uint8 `pos:"seats" by:"place" word:"faction"`
	night      uint8              `pos:"night" max:"8"` // 1 and up
	nightsLeft uint8              `pos:"nights_left" max:"8"`
	firstSeat  uint8              `pos:"first_faction" form:"first"` // with the first faction marker, noSeat before C7
	turn       uint8              `pos:"turn" max:"factions"`        // how many factions have had their turn this night
	_          struct{}           `pos:"active" form:"active"`

	// What follows from tiles and rotations, kept by survey.
	links     [4 * numCells]end // the other end of the connection at an end, noLink for none
	near      [numCells]cellSet // adjacent districts (R3.4)
	over      [numCells]uint8   // bit arm is set if the connection there runs over a highway
	highways  uint8             // ends of highway connections
	districts cellSet           // cells that are no highway
	metro     cellSet           // with a metro station
	ofType    [numTypes]cellSet
	byID      [numCells]uint8 // districts by ascending police ID; zeroes behind the last

	// Pieces.
	blocs     [numFactions][numCells]uint8 `pos:"districts" form:"districts"`
	attacked  [numFactions][numCells]uint8 `pos:"-" hash:"true"` // of these, have attacked in the present clash; never above blocs (R5.5)
	cops      [numCells]uint8              `pos:"-" hash:"true"`
	van       [numCells]uint8              `pos:"-" hash:"true"` // 0 for none, 1 plus the hits taken, 1 to 3
	holder    [numCells]uint8              `pos:"-" hash:"true"` // 0 for no occupation, else 1 + 5*faction + kind
	centers   [3][numCells]uint8           `pos:"-" hash:"true"` // shopping centres: unlooted, graffitied, burned
	liberated cellSet                      `pos:"-" hash:"true"`
	// Flags of one Sunrise (R9.2-R9.5).
	protected  cellSet             `pos:"-" hash:"true"`                // the occupation cannot be evicted
	cancelled  [numCells]uint8     `pos:"-" hash:"true"`                // cops whose attacks are void
	boost      [numCells]uint8     `pos:"-" hash:"true"`                // counts as that many blocs more
	barricades [4 * numCells]uint8 `pos:"barricades" form:"barricades"` // by slot, see slot
	copsLeft   uint8               `pos:"staging.cops"`
	vansLeft   uint8               `pos:"staging.vans"`
	destroyed  uint8               `pos:"vans_destroyed" max:"vans"` // vans out of the game
	pile       uint8               `pos:"barricade_pile"`            // barricades not in the city
	moraleStep uint8               `pos:"morale_step" max:"morale"`
	lockdown   uint8               `pos:"metro_lockdown" word:"faction"` // with the Metro Lockdown before it, or noFaction

	// Kept with the pieces, because every legal list needs it.
	mat    [numFactions]uint8          // blocs on the mat; with those in the city always 10
	place  [numFactions][numOccs]uint8 // where an occupation stands, noCell on the mat: the inverse of holder
	police cellSet                     // with a cop or a van
	with   [numFactions]cellSet        // with a bloc of the faction

	// Cards. Decks and discards are counts by kind.
	hand     [numFactions][numLoot]uint8 `pos:"hands" form:"hands"`
	handSize [numFactions]uint8          `pos:"-" hash:"true"`
	// known[v][f] counts cards of faction f's hand of which player v is certain;
	// zero where v decides for f. In a view, what other players know of others is zero.
	known      [maxPlayers]knowledge `pos:"known" form:"known"`
	deck       [numLoot]uint8        `pos:"loot_deck" count:"loot" max:"cards"`
	discard    [numLoot]uint8        `pos:"loot_discard" count:"loot" max:"cards"`
	drawn      [numLoot]uint8        `pos:"drawn" count:"loot" max:"cards"`           // cards being drawn by who, not in the hand yet
	ops        [numOps]uint8         `pos:"ops_deck" count:"ops" max:"cards"`         // ops deck but for the prefix, in unknown order
	prefix     [maxPrefix]uint8      `pos:"ops_revealed" word:"ops" len:"prefixSize"` // revealed top of the ops deck, from the top
	prefixSize uint8                 `pos:"-" hash:"true"`
	opsDiscard [numOps]uint8         `pos:"ops_discard" count:"ops" max:"cards"`
	manifest   [numManifest]uint8    `pos:"manifestations" count:"manifestation" max:"cards"` // not turned up, the boxed ones included
	agenda     [numFactions]uint8    `pos:"agendas" form:"agendas"`                           // noAgenda, hiddenAgenda or the card
	bonusDice  [numFactions]uint8    `pos:"bonus_dice" count:"faction" max:"bonus"`           // of the next turn
	deckSize   uint8                 `pos:"-" hash:"true"`                                    // in a view the deck counts more
	drawnSize  uint8                 `pos:"-" hash:"true"`

	// This turn; zero outside a turn.
	dice      [sides]uint8     `pos:"dice" many:"die"`        // unspent action dice by value - 1
	extraDice uint8            `pos:"extra_dice" max:"extra"` // rolled beside those of step 1
	uses      [numUses]uint8   `pos:"uses" count:"use" max:"2"`
	bolt      uint8            `pos:"bolt_cutters" max:"2"`  // what Bolt Cutters take off the next advanced action, 0 if none are pending
	jammers   uint8            `pos:"jammers" max:"jammers"` // Signal Jammers played
	trades    uint8            `pos:"trades" max:"trades"`   // proposals made
	barred    [numBars]cellSet `pos:"barred" form:"barred"`
	revealed  uint8            `pos:"revealed_total" max:"revealed"` // ops cards shown by manifestations this Sunrise

	// What is going on.
	now   pending `pos:"pending,inline" null:"idle"`
	asked uint8   // faction that decides, noFaction at chance and at the end
	// shown[v] is what player v sees while others are asked in secret; none at any
	// other time (R15.1).
	shown [maxPlayers]moment `pos:"shown" by:"seat" when:"step" null:"seen"`

	winners uint8  `pos:"result" form:"result"` // bit set of factions, of a finished game
	ending  ending `pos:"-" hash:"true"`
}

// knowledge counts cards of hands by faction.
type knowledge = [numFactions][numLoot]uint8

// Sentinels.
const (
	noFaction    = 0xFF
	noSeat       = 0xFF
	noAgenda     = 0xFF
	hiddenAgenda = 0xFE
	// maxPrefix is the most ops cards that can be known: the whole deck.
	maxPrefix = 34
)

// pending is what has been chosen of something that is not over. All of it is
// zero at D2, but for the sentinels.
type pending struct {
	verb    verb    `pos:"verb" word:"verb"`             // the action under way, noVerb
	program program `pos:"program" word:"program"`       // the card or ability under way, noProgram
	counter uint8   `pos:"counter" max:"small"`          // next effect of the program
	who     uint8   `pos:"who" word:"faction"`           // faction that acts in this step, noFaction
	cell    uint8   `pos:"cell" word:"cell"`             // the district that it is about, noCell
	from    uint8   `pos:"from" word:"cell"`             // source of a move, or where D33 builds; noCell
	count   uint8   `pos:"count" max:"small"`            // blocs that move; cops that a card kicks out
	left    uint8   `pos:"left" max:"small"`             // choices, draws, dice, victims that are still to come
	keep    uint8   `pos:"keep" form:"keep"`             // cards to keep of those drawn
	lostTo  force   `pos:"-" hash:"true"`                // what the lost blocs were lost to; in JSON keep, too, which is 0 by then
	last    uint8   `pos:"last" max:"small"`             // the least that the next choice of a set may be (R13.4)
	enough  bool    `pos:"enough"`                       // DONE is legal in D7 and D29
	occ     uint8   `pos:"occupation" form:"occupation"` // kind chosen in D9, noOcc
	basic   bool    `pos:"basic"`                        // the advanced action counts as basic (R6.1)
	bonus   uint8   `pos:"bonus" max:"small"`            // of the attack
	roll    uint8   `pos:"roll" max:"small"`             // reaction roll, 1 to 6
	order   uint8   `pos:"order" max:"small"`            // place in the night's order of the faction that is asked next
	scan    uint8   `pos:"scan" max:"small"`             // index in byID of the district that is looked at
	decider uint8   `pos:"decider" word:"faction"`       // names the victims, noFaction
	// Liberating factions and the chooser (R9.6).
	liberating uint8              `pos:"liberating" set:"faction"`
	chooser    uint8              `pos:"chooser" word:"faction"`
	lost       [numFactions]uint8 `pos:"lost" count:"faction" max:"blocs"` // blocs just defeated and not saved
	partner    uint8              `pos:"partner" word:"faction"`           // of the trade, noFaction
	give       uint8              `pos:"give" form:"give"`                 // offers, see trade.go
	want       uint8              `pos:"want" form:"want"`
	// torched is the district where a manifestation card has just destroyed a van, for its
	// next effect, noCell at any other time.
	torched uint8
}

// clearPending is the value of pending when nothing is going on.
var clearPending = pending{
	verb: noVerb, program: noProgram, who: noFaction, cell: noCell, from: noCell, torched: noCell, occ: noOcc, decider: noFaction, chooser: noFaction, partner: noFaction,
}

// Kinds of uses counted in a turn.
const (
	useOfHall uint8 = iota
	useOfHacker
	useOfWorkshop
	useOfSocial
	useOfFactory
	numUses
)

// Kinds of advanced actions that can be barred (R5.6).
const (
	barLoot = iota
	barBuild
	barSwap
	numBars
)

// ending says how a game ended.
type ending uint8

const (
	undecided ending = iota
	noBlocs          // a faction had no bloc in the city
	winAlone         // one faction met a lone objective
	succeeded        // the insurrection succeeded
	timeOut          // the last night is over
)

var endingNames = [...]string{"", "no_blocs", "win_alone", "success", "time_out"}

// order returns the faction whose turn is the i-th of the night.
func (g *game) order(p *position, i uint8) uint8 {
	return p.seats[(p.firstSeat+i)%g.factions]
}

// owner returns the player that decides for a faction (R2.7).
func (g *game) owner(p *position, f uint8) uint8 {
	for s := range g.factions {
		if p.seats[s] == f {
			return s % g.players
		}
	}
	return 0
}

// inPlay reports whether a faction is in the game.
func (g *game) inPlay(p *position, f uint8) bool {
	for s := range g.factions {
		if p.seats[s] == f {
			return true
		}
	}
	return false
}

// difficulty returns that of the side of a district that lies up (R5.2).
func (g *game) difficulty(p *position, c uint8) uint8 {
	return g.box.tiles[p.tile[c]].difficulty(p.liberated.has(c))
}

// lib is 1 for a liberated district, 0 for a repressed one.
func (p *position) lib(c uint8) uint8 { return uint8(p.liberated >> c & 1) }

// total returns the blocs of all factions in a district.
func (p *position) total(c uint8) uint8 {
	return p.blocs[0][c] + p.blocs[1][c] + p.blocs[2][c] + p.blocs[3][c]
}

// owns reports whether a district holds an occupation of a faction.
func (p *position) owns(f, c uint8) bool {
	return p.holder[c] != 0 && (p.holder[c]-1)/numOccs == f
}

// matOccs returns the kinds of occupations on a faction's mat, a bit set.
func (p *position) matOccs(f uint8) uint32 {
	set := uint32(0)
	for k, c := range p.place[f] {
		if c == noCell {
			set |= 1 << k
		}
	}
	return set
}

// numDice returns the number of unspent dice.
func (p *position) numDice() uint8 {
	n := uint8(0)
	for _, d := range p.dice {
		n += d
	}
	return n
}

// bestDie returns the highest unspent die, 0 if there is none.
func (p *position) bestDie() uint8 {
	for v := uint8(sides); v > 0; v-- {
		if p.dice[v-1] > 0 {
			return v
		}
	}
	return 0
}
