package bloc

// Numbers, in the order of the data.

// FactionID is a faction.
type FactionID uint8

// String returns the key of a faction.
func (f FactionID) String() string { return typeNames[f] }

// Home returns the type of the districts of a faction.
func (f FactionID) Home() TileType { return TileType(f) }

// Factions.
const (
	Workers FactionID = iota
	Students
	Neighbors
	Prisoners
)

// Types of tiles behind the factions' own.
const (
	TypeState TileType = Factions + iota
	TypePublic
	TypeCommercial
	TypeHighway
)

// Kinds of occupations; the last two are of the faction alone.
const (
	OccFactionStart OccID = iota
	OccAssemblyHall
	OccPeoplesKitchen
	OccFirstOwn
	OccSecondOwn
)

// Loot cards.
const (
	CardMolotovs1 LootID = iota
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

// Manifestation cards.
const (
	ManifestMassLooting ManifestID = iota
	ManifestPopularAssembly
	ManifestLeakedOrders
	ManifestGeneralStrike
	ManifestStreetFortifications
	ManifestMutinyInTheRanks
	ManifestSpontaneousMarch
	ManifestMassJailbreak
	ManifestRiotVanTorched
	ManifestWaveOfOccupations
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
	AgendaNeighborhoodPower AgendaID = iota
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

// Scenarios, in the order of the option.
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
	Scenarios // how many there are
)

// factionSet is a set of factions, bit f for faction f.
type factionSet uint8

// moraleID is a step of the police morale track, by its name.
type moraleID uint8

// CellID is a cell of the city, 5*row+column.
type CellID uint8

// Arm is one of the four sides of a cell, clockwise from the north.
type Arm uint8

// TileID is one of the thirty tiles, in the order of tiles.json.
type TileID uint8

// OccID is a kind of occupation, by its place in its faction's list.
type OccID uint8

// LootID is a loot card.
type LootID uint8

// OpsID is a police ops card.
type OpsID uint8

// ManifestID is a manifestation card.
type ManifestID uint8

// AgendaID is an agenda card.
type AgendaID uint8

// TileType is the type of a tile. The first four are the districts of the faction with the
// same number.
type TileType uint8

// What stands for none, or for what a view hides.
const (
	NoFaction    FactionID = 0xFF
	NoCell       CellID    = 0xFF
	noTile       TileID    = 0xFF
	NoEnd        End       = 0xFF // of an arm without a connection
	NoOcc        OccID     = 0xFF
	NoAgenda     AgendaID  = 0xFF
	HiddenAgenda AgendaID  = 0xFE
	noSeat                 = 0xFF
)

// Offer is what a trade gives or asks for (R5.9): 0 before it is chosen, 1 plus the loot
// card, OfferAny or OfferNothing; in a view HiddenOffer.
type Offer uint8

// Offers that are no cards.
const (
	OfferAny     Offer = LootCards + 1
	OfferNothing Offer = LootCards + 2
	HiddenOffer  Offer = 0xFF
	Offers             = int(OfferNothing) + 1 // without the hidden one
)

// Holding is what a district holds: 0 for no occupation, else 1 + 5*faction + kind.
type Holding uint8

func holding(f FactionID, kind OccID) Holding { return Holding(1 + Occupations*uint8(f) + uint8(kind)) }

// Faction returns whose occupation it is.
func (h Holding) Faction() FactionID { return FactionID((h - 1) / Occupations) }

// Kind returns the kind of occupation.
func (h Holding) Kind() OccID { return OccID((h - 1) % Occupations) }
