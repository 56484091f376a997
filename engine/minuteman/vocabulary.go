package minuteman

import "powderkeg/engine"

// The vocabulary of data/decisions.json: verbs, unit classes, amounts, player
// tokens and hexes.
const (
	actDone = iota
	actYes
	actNo
	actToggle
	actBuild
	actAddMMWeak
	actAddMMStrong
	actAddAgentWeak
	actAddAgentStrong
	actAddOrganizer
	actRoll
	actAugmentNetwork
	actNewNetwork
	actNewMM
	actAugmentMM
	actNewMilitia
	actNewAgent
	actAugmentAgent
	actNewDivision
	actDecline
	actMove
	actNormal
	actAirRail
	actAirAssault
	actAmphibious
	actShowPassage
	actMilitary
	actInfiltration
	actSubversion
	actSedition
	actRevolution
	actAssassinate
	actForeign
	actReactRiots
	actReactBuilds
	actTruce
	actTarget
	actJointRevolution
	actFederalize
	actAccept
	actReject
	actUnfederalize
	actPileCanada
	actPileMexico
	numVerbs
)

// verb is a verb that a position keeps for a later token.
type verb uint8

const (
	numClasses = 15
	maxAmount  = 8

	actClass   = numVerbs
	actAmount  = actClass + numClasses
	actPlayer  = actAmount + maxAmount + 1
	actHex     = actPlayer + maxSeats
	numActions = actHex + numHexes
)

// class is a unit class (R3.4): units of one class in a hex are alike but for
// their marks.
type class uint8

const (
	networkWeak class = iota
	networkStrong
	networkUnderground
	minutemanWeak
	minutemanStrong
	minutemanWeakUnderground
	minutemanStrongUnderground
	militiaOne // the first Militia of the hex by arrival; the next two follow
	_
	_
	anArmy
	aCIG
	agentWeak
	agentStrong
	anInformer
)

// ask is a row of the table: a decision or a chance event that the game waits for. The
// decisions come first, in the order of data/decisions.json.
type ask = uint8

const (
	askArmy           ask = iota // D1
	askStarting                  // D2
	askBrigade                   // D3
	askMoveNet                   // D4
	askAugment                   // D4b
	askExtra                     // D5
	askToggle                    // D10
	askSpread                    // D11
	askResult                    // D12
	askRemoveRiot                // D13
	askExtraRiot                 // D14
	askConsole                   // D14b
	askArrival                   // D15
	askBuild                     // D16
	askCompose                   // D17
	askMove                      // D18
	askDestination               // D19
	askPassage                   // D20
	askWindow                    // D30
	askReaction                  // D31
	askKill                      // D32
	askAttack                    // D40
	askTarget                    // D41
	askAttackers                 // D42
	askRuthless                  // D43
	askBetrayal                  // D44
	askDefender                  // D45
	askSupport                   // D46
	askLoss                      // D47
	askRetreat                   // D48
	askRetreatZone               // D49
	askAdvance                   // D50
	askHalf                      // D51
	askReact                     // D60
	askReactPlace                // D61
	askGovBuild                  // D62
	askGovResult                 // D63
	askGovMove                   // D64
	askMode                      // D65
	askGovDestination            // D66
	askUnrest                    // D68
	askReinforce                 // D69
	askLeave                     // D70
	askNegotiate                 // D81
	askAnswer                    // D82
	askUnfederalize              // D83
	numDecisions
)

const (
	askDivision        = numDecisions + iota // C1: a random Army counter
	askSetupChit                             // C2
	askConvert                               // C3
	askMarker                                // C4
	askSpreadDie                             // C5
	askBuildDie                              // C6
	askMilitia                               // C7
	askMoveDie                               // C8
	askCombatDie                             // C9
	askBetrayalDie                           // C10
	askKillDie                               // C11
	askChit                                  // C12
	askReactDie                              // C13
	askPinDie                                // C14
	askRevDie                                // C15
	askForeignDie                            // C16
	askForeignDivision                       // C17
	askAirDie                                // C18
	askCIGDie                                // C19
	askOrderDie                              // C20
	askTie                                   // C21
	askStepDie                               // C22
	askNothing                               // the game is over
)

// Chance outcomes: dice, chits, special markers, counters and seats.
const (
	outDie     engine.Action = 0
	outChit                  = outDie + 6
	outMarker                = outChit + 10
	outCounter               = outMarker + engine.Action(numMarkers)
	outSeat                  = outCounter + numMasked
)
