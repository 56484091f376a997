package bloc

// The vocabulary of R13.3: first id of each group. data/actions.json lists the
// names; the loader compares the two.
const (
	actDone    = 0
	actYes     = 1
	actNo      = 2
	actCell    = 3  // CELL_0 to CELL_24
	actArm     = 28 // ARM_N, E, S, W
	actCount   = 32 // COUNT_1 to COUNT_10
	actOcc     = 42 // OCC_START, HALL, KITCHEN, UNIQUE_1, UNIQUE_2
	actFaction = 47 // FACTION_WORKERS to PRISONERS
	actCard    = 51 // the 15 loot cards in the order of loot_cards.json
	actFactory = 66 // CARD_MOLOTOVS_1_FACTORY, CARD_MOLOTOVS_2_FACTORY
	actAny     = 68
	actNothing = 69
	actVerb    = 70 // MOVE to END_ACTIONS
	numActions = 86
)

// Verb is one of the sixteen things that a faction may do in its turn (R5.2).
type Verb uint8

const (
	move Verb = iota
	moveFree
	barricade
	lootGraffiti
	lootBurn
	build
	swap
	attackDefeat
	attackKick
	attackVan
	useHall
	useHacker
	useWorkshop
	playCard
	trade
	endActions
	numVerbs
)

// noVerb stands for none.
const noVerb Verb = 0xFF

// verbSet is a set of verbs.
type verbSet uint16

func (s verbSet) has(v Verb) bool { return s>>v&1 != 0 }
