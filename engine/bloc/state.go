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

	// The city. What follows from tiles and rotations is kept by survey and not
	// hashed.
	tile     [numCells]uint8 // noTile before it is laid
	rotation [numCells]uint8 // quarter turns clockwise, 0 to 3

	links     [4 * numCells]end // the other end of the connection at an end, noLink for none
	near      [numCells]cellSet // adjacent districts (R3.4)
	over      [numCells]uint8   // bit arm is set if the connection there runs over a highway
	highways  uint8             // ends of highway connections
	districts cellSet           // cells that are no highway
	metro     cellSet           // with a metro station
	ofType    [numTypes]cellSet
	byID      [numCells]uint8 // districts by ascending police ID; zeroes behind the last

	// Pieces.
	blocs      [numFactions][numCells]uint8
	attacked   [numFactions][numCells]uint8 // of these, have attacked in the present clash; never above blocs (R5.5)
	mat        [numFactions]uint8           // blocs on the mat; with those in the city always 10
	cops       [numCells]uint8
	van        [numCells]uint8             // 0 for none, 1 plus the hits taken, 1 to 3
	holder     [numCells]uint8             // 0 for no occupation, else 1 + 5*faction + kind
	place      [numFactions][numOccs]uint8 // where an occupation stands, noCell on the mat: the inverse of holder
	centers    [3][numCells]uint8          // shopping centres: unlooted, graffitied, burned
	barricades [4 * numCells]uint8         // by slot, see slot
	pile       uint8                       // barricades not in the city, at most 40
	copsLeft   uint8                       // cops in staging
	vansLeft   uint8                       // vans in staging
	destroyed  uint8                       // vans out of the game
	liberated  cellSet
	// Flags of one Sunrise (R9.2-R9.5).
	protected cellSet         // the occupation cannot be evicted
	cancelled [numCells]uint8 // cops whose attacks are void
	boost     [numCells]uint8 // counts as that many blocs more

	// Sets kept with the pieces, because every legal list needs them.
	police cellSet              // with a cop or a van
	with   [numFactions]cellSet // with a bloc of the faction

	// Cards. Deck and discards are counts by kind.
	hand     [numFactions][numLoot]uint8
	handSize [numFactions]uint8
	// known[v][f] counts cards of faction f's hand of which player v is certain;
	// zero where v decides for f. In a view, what other players know of others is zero.
	known      [maxPlayers][numFactions][numLoot]uint8
	deck       [numLoot]uint8
	deckSize   uint8
	discard    [numLoot]uint8
	drawn      [numLoot]uint8 // cards being drawn by who, not in the hand yet
	drawnSize  uint8
	ops        [numOps]uint8 // ops deck but for the prefix, in unknown order
	opsDiscard [numOps]uint8
	prefix     [maxPrefix]uint8 // revealed top of the ops deck, from the top
	prefixSize uint8
	manifest   [numManifest]uint8 // manifestation cards not turned up, the boxed ones included
	agenda     [numFactions]uint8 // noAgenda, hiddenAgenda or the card
	bonusDice  [numFactions]uint8 // of the next turn
	moraleStep uint8              // 0 to 4
	lockdown   uint8              // faction with the Metro Lockdown before it, or noFaction
	seats      [numFactions]uint8 // faction in each seat, noFaction
	redraws    uint8              // cities drawn in vain
	firstSeat  uint8              // with the first faction marker, noSeat before C7
	night      uint8              // 1 and up
	nightsLeft uint8
	turn       uint8 // how many factions have had their turn this night
	winners    uint8 // bit set of factions, of a finished game
	ending     ending

	// This turn; zero outside a turn.
	dice      [sides]uint8 // unspent action dice by value - 1
	extraDice uint8        // rolled beside those of step 1, 0 to 14
	uses      [numUses]uint8
	bolt      uint8 // what Bolt Cutters take off the next advanced action, 0 if none are pending
	jammers   uint8 // Signal Jammers played
	trades    uint8 // proposals made
	barred    [numBars]cellSet
	revealed  uint8 // ops cards shown by manifestations this Sunrise

	// What is going on.
	step  stage
	who   uint8 // faction that acts in this step, noFaction
	asked uint8 // faction that decides, noFaction at chance and at the end
	now   pending
	// shown[v] is what player v sees while others are asked in secret; none at any
	// other time (R15.1).
	shown [maxPlayers]moment
}

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
	verb    verb    // the action under way, noVerb
	program program // the card or ability under way, noProgram
	counter uint8   // next effect of the program
	cell    uint8   // the district that it is about, noCell
	from    uint8   // source of a move, or the van's district of a manifestation; noCell
	count   uint8   // blocs that move; cops that a card kicks out
	left    uint8   // choices, draws, dice, victims that are still to come
	keep    uint8   // cards to keep of those drawn
	last    uint8   // the least that the next choice of a set may be (R13.4)
	enough  bool    // DONE is legal in D7 and D29
	occ     uint8   // kind chosen in D9, noOcc
	basic   bool    // the advanced action counts as basic (R6.1)
	bonus   uint8   // of the attack
	roll    uint8   // reaction roll, 1 to 6
	order   uint8   // place in the night's order of the faction that is asked next
	scan    uint8   // index in byID of the district that is looked at
	decider uint8   // names the victims, noFaction
	// Liberating factions, a bit set, and the chooser (R9.6).
	liberating uint8
	chooser    uint8
	lost       [numFactions]uint8 // blocs just defeated and not saved
	partner    uint8              // of the trade, noFaction
	give, want uint8              // offers, see trade.go
}

// clearPending is the value of pending when nothing is going on.
var clearPending = pending{
	verb: noVerb, program: noProgram, cell: noCell, from: noCell, occ: noOcc, decider: noFaction, chooser: noFaction, partner: noFaction,
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
