package minuteman

import "powderkeg/engine"

// Tokens of the vocabulary that agents name: verbs, and the first of the unit classes,
// amounts, seats and hexes; Spec.Actions has all.
const (
	Done              = engine.Action(actDone)
	Yes               = engine.Action(actYes)
	No                = engine.Action(actNo)
	Toggle            = engine.Action(actToggle)
	Build             = engine.Action(actBuild)
	AddOrganizer      = engine.Action(actAddOrganizer)
	Roll              = engine.Action(actRoll)
	AugmentNetwork    = engine.Action(actAugmentNetwork)
	NewNetwork        = engine.Action(actNewNetwork)
	NewMinuteman      = engine.Action(actNewMM)
	AugmentMinuteman  = engine.Action(actAugmentMM)
	NewMilitia        = engine.Action(actNewMilitia)
	NewAgent          = engine.Action(actNewAgent)
	AugmentAgent      = engine.Action(actAugmentAgent)
	NewDivision       = engine.Action(actNewDivision)
	Move              = engine.Action(actMove)
	ModeNormal        = engine.Action(actNormal)
	ModeAirRail       = engine.Action(actAirRail)
	ShowPassage       = engine.Action(actShowPassage)
	AttackMilitary    = engine.Action(actMilitary)
	AttackSedition    = engine.Action(actSedition)
	Revolution        = engine.Action(actRevolution)
	Assassinate       = engine.Action(actAssassinate)
	ForeignHelp       = engine.Action(actForeign)
	ReactRiots        = engine.Action(actReactRiots)
	ProposeFederalize = engine.Action(actFederalize)
	Accept            = engine.Action(actAccept)

	FirstClass  = engine.Action(actClass)
	FirstAmount = engine.Action(actAmount)
	FirstPlayer = engine.Action(actPlayer)
	FirstHex    = engine.Action(actHex)
)

// Decisions, as View.Decision numbers them; DecisionNames has all.
const (
	DecidesArmy           = int(askArmy)           // D1
	DecidesStarting       = int(askStarting)       // D2
	DecidesBrigade        = int(askBrigade)        // D3
	DecidesAugment        = int(askAugment)        // D4b
	DecidesExtra          = int(askExtra)          // D5
	DecidesToggle         = int(askToggle)         // D10
	DecidesSpread         = int(askSpread)         // D11
	DecidesResult         = int(askResult)         // D12
	DecidesRemoveRiot     = int(askRemoveRiot)     // D13
	DecidesExtraRiot      = int(askExtraRiot)      // D14
	DecidesConsolation    = int(askConsole)        // D14b
	DecidesArrival        = int(askArrival)        // D15
	DecidesBuild          = int(askBuild)          // D16
	DecidesCompose        = int(askCompose)        // D17
	DecidesMove           = int(askMove)           // D18
	DecidesDestination    = int(askDestination)    // D19
	DecidesPassage        = int(askPassage)        // D20
	DecidesWindow         = int(askWindow)         // D30
	DecidesAssassination  = int(askKill)           // D32
	DecidesAttack         = int(askAttack)         // D40
	DecidesTarget         = int(askTarget)         // D41
	DecidesAttackers      = int(askAttackers)      // D42
	DecidesBetrayal       = int(askBetrayal)       // D44
	DecidesDefender       = int(askDefender)       // D45
	DecidesLoss           = int(askLoss)           // D47
	DecidesRetreat        = int(askRetreat)        // D48
	DecidesRetreatZone    = int(askRetreatZone)    // D49
	DecidesHalf           = int(askHalf)           // D51
	DecidesReact          = int(askReact)          // D60
	DecidesReactPlace     = int(askReactPlace)     // D61
	DecidesGovBuild       = int(askGovBuild)       // D62
	DecidesGovResult      = int(askGovResult)      // D63
	DecidesGovMove        = int(askGovMove)        // D64
	DecidesMode           = int(askMode)           // D65
	DecidesGovDestination = int(askGovDestination) // D66
	DecidesReinforce      = int(askReinforce)      // D69
	DecidesLeave          = int(askLeave)          // D70
	DecidesNegotiation    = int(askNegotiate)      // D81
	DecidesAnswer         = int(askAnswer)         // D82
)

// Numbers of things, as Position, Chain and HexFacts have them.
const (
	PhaseA3, PhaseA4, PhaseG3, PhaseG4 = phaseA3, phaseA4, phaseG3, phaseG4

	Military, Infiltration, Subversion, Sedition = int(military), int(infiltration), int(subversion), int(sedition)

	Organizer, Passage = int(organizer), int(passage) // places in a hand

	JointRevolution  = actJointRevolution - actTruce // a proposal
	NorthWinterCover = int(northWinterCover)
	Winter           = winter
	BuildColumns     = len(table[[6]result]{}[0])
	HexLimit         = hexLimit
)
