package bloc

// The vocabulary of R13.3: first id of each group. data/actions.json lists the
// names; the loader compares the two.
const (
	ActDone    = 0
	ActYes     = 1
	ActNo      = 2
	ActCell    = 3  // CELL_0 to CELL_24
	ActArm     = 28 // ARM_N, E, S, W
	ActCount   = 32 // COUNT_1 to COUNT_10
	ActOcc     = 42 // OCC_START, HALL, KITCHEN, UNIQUE_1, UNIQUE_2
	ActFaction = 47 // FACTION_WORKERS to PRISONERS
	ActCard    = 51 // the 15 loot cards in the order of loot_cards.json
	ActFactory = 66 // CARD_MOLOTOVS_1_FACTORY, CARD_MOLOTOVS_2_FACTORY
	ActAny     = 68
	ActNothing = 69
	ActVerb    = 70 // MOVE to END_ACTIONS
	numActions = 86
)

// Verb is one of the sixteen things that a faction may do in its turn (R5.2).
type Verb uint8

// Verbs, in the order of the actions.
const (
	VerbMove Verb = iota
	VerbMoveFree
	VerbBarricade
	VerbLootGraffiti
	VerbLootBurn
	VerbBuild
	VerbSwap
	VerbAttackDefeat
	VerbAttackKick
	VerbAttackVan
	VerbUseHall
	VerbUseHacker
	VerbUseWorkshop
	VerbPlayCard
	VerbTrade
	VerbEndActions
	Verbs = int(VerbEndActions) + 1
)

// NoVerb stands for none.
const NoVerb Verb = 0xFF

// verbSet is a set of verbs.
type verbSet uint16

func (s verbSet) has(v Verb) bool { return s>>v&1 != 0 }
