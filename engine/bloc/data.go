package bloc

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"sync"
)

// The printed matter of the game.
//
//go:embed data/actions.json data/agenda_cards.json data/city.json data/components.json data/factions.json
//go:embed data/loot_cards.json data/manifestation_cards.json data/police_ops_cards.json data/primitives.json
//go:embed data/scenarios.json data/tables.json data/tiles.json
var files embed.FS

// What people may read of the rules (package ruledata).
var (
	//go:embed data/rules.json
	rulesRead []byte
	//go:embed RULINGS.md
	rulingsRead string
)

// Sizes that the arrays of a position are made for (R1.1, R1.2). The loader checks
// the data against them.
const (
	numCells    = 25
	side        = 5 // cells in a row and in a column
	numArms     = 4
	numTiles    = 30
	numTypes    = 8 // of tiles, in the order of tiles.json
	numFactions = 4
	numOccs     = 5 // occupations of one faction
	numLoot     = 15
	numOps      = 25
	numManifest = 10
	numAgendas  = 10
	maxPlayers  = 4
	blocsEach   = 10
	sides       = 6 // of a die
	noTable     = 0xFF
)

// tileType is the type of a tile. The first four are the districts of the
// faction with the same number.
type tileType uint8

const (
	state tileType = numFactions + iota
	public
	commercial
	highway
)

var typeNames = [numTypes]string{"workers", "students", "neighbors", "prisoners", "state", "public", "commercial", "highway"}

// roads is how the arms of a tile are joined (R3.1, R3.2).
type roads uint8

const (
	fourWay roads = iota
	threeWay
	curves
	straight
)

var roadNames = [...]string{"4way", "3way", "highway_curves", "highway_straight"}

// tile is one of the thirty tiles.
type tile struct {
	key, name  string
	typ        tileType
	pile       uint8    // 0, 1, 2 for the letters A, B, C; noPile for the others
	id         uint8    // police ID, 0 for a highway
	difficulty [2]uint8 // repressed, liberated; 0 for a side that it lacks
	roads      roads
	metro      bool
	centers    uint8
	circle     bool
	liberable  bool // it has a liberated side that it does not start with
	free       bool // it starts liberated: an Autonomous Zone
}

const noPile = 0xFF

// occupation is one kind of occupation of one faction.
type occupation struct {
	key, name, text string
	program         []effect // carried out by its verb; nil for a standing ability
	standing        effect   // opNone for the others
	uses            [2]uint8 // a turn, repressed and liberated; 0 where nothing limits it
}

// card is a loot, police ops or manifestation card.
type card struct {
	key, name, text string
	copies          uint8
	window          window
	highest         bool // police ops cards: priority
	effects         []effect
	table           [sides + 1]uint8 // manifestation cards: value by liberated difficulty
}

// window is when a loot card may be played (R11.2).
type window uint8

const (
	turnWindow window = iota
	attackWindow
	reactionWindow
	repressionWindow
	liberationWindow
)

var windowNames = [...]string{"turn", "attack", "reaction", "repression", "liberation"}

// box is what is in the game's box, compiled from the data files.
type box struct {
	tiles     [numTiles]tile
	factions  [numFactions]faction
	loot      [numLoot]card
	ops       [numOps]card
	manifest  [numManifest]card
	agendas   [numAgendas]agenda
	scenarios []scenario
	actions   []string
	decisions []string // names of D1 to D33

	zigzag        [numCells]uint8 // cell of the k-th placement (R2.2)
	beginner      [numCells]placed
	highwayOrder  []uint8 // which highway the Overpass replaces (R2.2)
	overpass      uint8
	dice          [blocsEach + 1]uint8 // action dice by blocs in the city (R4.3)
	morale        [5]uint8             // ops cards a turn by morale step (R8.1)
	moraleNames   [5]string
	removedOps    [3]uint8 // Paramilitary Operations taken out: easy, medium, hard (R2.6)
	paramilitary  uint8    // the ops card of that name
	lockdown      uint8    // the ops card that a faction keeps before it (R8.9)
	nihilist      uint8
	vanguardist   uint8
	cops, vans    uint8
	barricades    uint8
	maxBarricades uint8 // of one connection
	maxDice       uint8 // unspent
	vanHits       uint8 // that destroy a van
	// Verbs of abilities: which occupation of which faction they use.
	abilities [numVerbs]ability
	// Loot cards by what they do outside the own turn.
	scanner, gasMasks, medicKit, steelDoors, soundSystem uint8
}

// placed is a tile in a cell.
type placed struct{ tile, rotation uint8 }

// faction is one of the four sides.
type faction struct {
	key  string
	occs [numOccs]occupation
	// Where its standing abilities are, by op; noOcc for one that it lacks.
	standing [numPrimitives]uint8
}

// noOcc stands for no kind of occupation.
const noOcc = 0xFF

// loadBox reads the data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := readBox()
	if err != nil {
		return nil, fmt.Errorf("bloc: data: %w", err)
	}
	return b, nil
})

// source marks where a fact comes from.
type source struct {
	Source string          `json:"source"`
	Cite   json.RawMessage `json:"cite"`
	Why    string          `json:"why"`
}

// check demands a reason with every mark.
func (s source) check(what string) error {
	switch s.Source {
	case "rulebook", "public":
		if len(s.Cite) > 0 || s.Why != "" {
			return nil
		}
	case "reconstructed":
		if s.Why != "" {
			return nil
		}
	}
	return fmt.Errorf("%s: source %q without its cite or why", what, s.Source)
}

// decodeFile reads one data file and refuses fields that nothing declares.
func decodeFile(name string, v any) error {
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s.json: %w", name, err)
	}
	return nil
}

// readBox reads, checks and compiles all data files.
func readBox() (*box, error) {
	b := &box{}
	for _, step := range []func(*box) error{
		readComponents, readPrimitives, readTiles, readCity, readTables, readFactions, readLoot, readOps,
		readManifestations, readAgendas, readScenarios, readActions,
	} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// index looks a word up in a list.
func index[T ~uint8](what, word string, words []string) (T, error) {
	for i, w := range words {
		if w == word && w != "" {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("%s %q is unknown", what, word)
}

// tileOf returns the number of a tile key.
func (b *box) tileOf(key string) (uint8, error) {
	for i := range b.tiles {
		if b.tiles[i].key == key {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no tile", key)
}
