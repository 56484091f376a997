package bloc

// Numbers of what the methods of a View return and take, in the order of the data.

// Factions.
const (
	Workers = iota
	Students
	Neighbors
	Prisoners
)

// Types of tiles behind the factions' own.
const (
	TypeState = Factions + iota
	TypePublic
	TypeCommercial
	TypeHighway
)

// Kinds of occupations; the last two are of the faction alone.
const (
	OccFactionStart = iota
	OccAssemblyHall
	OccPeoplesKitchen
	OccFirstOwn
	OccSecondOwn
)

// Loot cards.
const (
	CardMolotovs1 = iota
	CardMolotovs2
	CardFireworks
	CardBikes
	CardSmokeBombs
	CardBoltCutters
	CardPoliceScanner
	CardEnergyDrinks
	CardMegaphone
	CardLumber
	CardSignalJammer
	CardGasMasks
	CardMedicKit
	CardSteelDoors
	CardSoundSystem
)

// Verbs.
const (
	VerbMove = iota
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
)

// Decisions, D1 to D33.
const (
	AskStartDistrict = iota
	AskTurnMenu
	AskMoveSource
	AskMoveCount
	AskMoveDestination
	AskBarricadeCell
	AskBarricadeArm
	AskAdvancedCell
	AskOccupationChoice
	AskStopAdvanced
	AskAttackCell
	AskAttackBoost
	AskKickArm
	AskAttackContinue
	AskReactionCard
	AskDiscardDrawn
	AskCardChoice
	AskCardCell
	AskTradePartner
	AskTradeGive
	AskTradeWant
	AskTradeResponse
	AskTradePick
	AskRepressionCard
	AskRepressionVictim
	AskMedicKitChoice
	AskMedicCell
	AskLiberationCard
	AskManifestArm
	AskManifestCops
	AskManifestVan
	AskMarchOrNot
	AskOccupyCell
)

// Agenda cards.
const (
	AgendaNeighborhoodPower = iota
	AgendaFederation
	AgendaOpenTheCommons
	AgendaHoldTheStreets
	AgendaExpropriation
	AgendaOneTrueLine
	AgendaHegemony
	AgendaHomeTurf
	AgendaVanguardist
	AgendaNihilist
)

// Scenarios.
const (
	ScenarioStandard = iota
	ScenarioBeginner
	ScenarioBeginnerCity
	ScenarioRoutineTrafficStop
	ScenarioAbolishThePolice
	ScenarioBurnDownTheCompanyTown
	ScenarioOccupyEverything
	ScenarioAsymmetricalStruggle
	ScenarioLetTheInfightingBegin
	ScenarioCollectiveLiberation
	ScenarioSmashTheState
	ScenarioAutonomousZone1
	ScenarioAutonomousZone2
)

// Offers of a trade that are no cards, as Pending has them; a card is 1 plus its number.
const (
	OfferAny     = offerAny
	OfferNothing = offerNothing
)
