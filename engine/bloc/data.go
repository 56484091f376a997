package bloc

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"powderkeg/engine/flow"
	"powderkeg/engine/ruledata"
)

// The printed matter of the game. Its structs carry the data as the files have it; names
// become numbers while they are read (named). That the data are whole and agree with the
// rules is shown by data_test.go.
//
//go:embed data/actions.json data/agenda_cards.json data/city.json data/components.json data/factions.json
//go:embed data/loot_cards.json data/manifestation_cards.json data/police_ops_cards.json
//go:embed data/scenarios.json data/tables.json data/tiles.json
var files embed.FS

// What people may read of the rules (package ruledata).
var (
	//go:embed data/rules.json
	rulesRead []byte
	//go:embed RULINGS.md
	rulingsRead string
)

// Sizes that the arrays of a position are made for (R1.1, R1.2).
const (
	Cells          = 25
	Side           = 5 // cells in a row and in a column
	Arms           = 4
	numTiles       = 30
	Types          = 8 // of tiles, in the order of tiles.json
	Factions       = 4
	Occupations    = 5 // occupations of one faction
	LootCards      = 15
	OpsCards       = 25
	Manifestations = 10
	Agendas        = 10
	maxPlayers     = 4
	blocsEach      = 10
	Sides          = 6 // of a die
	MoraleSteps    = 5 // of the police
)

// box is what is in the game's box.
type box struct {
	files     ruledata.Files
	tiles     [numTiles]tile
	facts     [numTiles][2]TileFacts // of tiles, repressed and liberated, for views
	notLaid   TileFacts
	factions  [Factions]faction
	loot      [LootCards]card
	ops       [OpsCards]card
	manifest  [Manifestations]card
	agendas   [Agendas]agenda
	scenarios []scenario
	actions   []string
	kinds     *flow.Kinds

	zigzag       [Cells]CellID // cell of the k-th placement (R2.2)
	beginner     [Cells]placed
	highwayOrder []TileID // which highway the Overpass replaces (R2.2)
	overpass     TileID
	dice         [blocsEach + 1]uint8 // action dice by blocs in the city (R4.3)
	morale       [MoraleSteps]moraleStep
	removedOps   [3]uint8 // Paramilitary Operations taken out: easy, medium, hard (R2.6)
	paramilitary OpsID    // the ops card of that name
	lockdown     OpsID    // the ops card that a faction keeps before it (R8.9)
	pieces       pieces
	limits       limits
	// Verbs of abilities: which occupation of which faction they use.
	abilities [Verbs]ability
	turnCards uint32 // loot cards of the window turn, a bit set
}

// pieces says how many of each there are (R1.1).
type pieces struct{ cops, vans, barricades uint8 }

// limits are those of R1.2 that are no sizes.
type limits struct {
	Dice       uint8 `json:"action_dice_unspent_max"`
	Barricades uint8 `json:"barricades_per_connection"`
	VanHits    uint8 `json:"riot_van_hits"` // that destroy a van

	// Sizes, for readers.
	PlayersMin uint8 `json:"players_min"`
	PlayersMax uint8 `json:"players_max"`
	Vans       uint8 `json:"riot_vans_per_district"`
	Occs       uint8 `json:"occupations_per_district"`
	Emergency  uint8 `json:"riot_vans_target_for_emergency"`
}

// moraleStep is a step of the police morale track (R8.1).
type moraleStep struct {
	Index int
	Name  string
	Cards uint8 `json:"ops_cards"` // a turn
}

// loadBox reads the shipped data once. Its error is a fault of the program; it is passed on so
// that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := newBox(files)
	if err != nil {
		return nil, fmt.Errorf("bloc: data: %w", err)
	}
	return b, nil
})

// newBox reads and compiles data files.
func newBox(files ruledata.Files) (*box, error) {
	b := &box{files: files}
	for _, read := range []func(*box) error{
		readComponents, readTiles, readCity, readTables, readFactions, readLoot, readOps, readManifestations, readAgendas,
		readScenarios, readActions, readKinds,
	} {
		if err := read(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// named reads a word of the data as its place in a list.
func named[T ~uint8](dst *T, text []byte, words []string) error {
	i := slices.Index(words, string(text))
	if i < 0 || len(text) == 0 {
		return fmt.Errorf("%q is none of %q", text, words)
	}
	*dst = T(i)
	return nil
}

// fill copies records into an array, which they must fill.
func fill[T any](dst, records []T) error {
	if len(records) != len(dst) {
		return fmt.Errorf("%d records, the engine is made for %d", len(records), len(dst))
	}
	copy(dst, records)
	return nil
}

// readComponents reads R1.1 and R1.2: how many pieces there are.
func readComponents(b *box) error {
	var file componentsFile
	if err := ruledata.Read(b.files, "components", &file); err != nil {
		return err
	}
	b.limits = file.Limits
	for name, n := range map[string]*uint8{"riot_cops": &b.pieces.cops, "riot_vans": &b.pieces.vans, "barricades": &b.pieces.barricades} {
		*n = file.count(name)
	}
	return nil
}

type componentsFile struct {
	ruledata.Source
	Components []struct {
		Name       string
		Count      uint8
		PerFaction uint8 `json:"per_faction"`
		Sides      uint8
	}
	Limits limits
}

func (f *componentsFile) count(name string) uint8 {
	for _, c := range f.Components {
		if c.Name == name {
			return c.Count
		}
	}
	return 0
}

var difficultyNames = [3]string{"easy", "medium", "hard"}

type tablesFile struct {
	Dice struct {
		ruledata.Source
		Rows []struct {
			Min  int `json:"blocs_min"`
			Max  int `json:"blocs_max"`
			Dice uint8
		}
	} `json:"action_dice_by_blocs"`
	Morale struct {
		ruledata.Source
		Start uint8
		Steps []moraleStep
	} `json:"police_morale_track"`
	Difficulty struct {
		ruledata.Source
		Removed map[string]uint8 `json:"paramilitary_operations_removed"`
	} `json:"police_ops_difficulty"`

	// What police.go, advanced.go and liberation.go carry out as formulas stands there for
	// readers; TestTables compares the two.
	Reaction   json.RawMessage `json:"reaction_roll"`
	Stop       json.RawMessage `json:"barricades_stop"`
	Liberation json.RawMessage `json:"liberation_blocs_needed"`
	Countdown  json.RawMessage
}

// readTables reads the tables that are no formulas.
func readTables(b *box) error {
	var file tablesFile
	if err := ruledata.Read(b.files, "tables", &file); err != nil {
		return err
	}
	for _, r := range file.Dice.Rows {
		for n := r.Min; n <= min(r.Max, blocsEach); n++ {
			b.dice[n] = r.Dice
		}
	}
	for i, name := range difficultyNames {
		b.removedOps[i] = file.Difficulty.Removed[name]
	}
	return fill(b.morale[:], file.Morale.Steps) // five steps (Ruling 23)
}

type actionsFile struct {
	ruledata.Source
	Size    int
	Actions []struct {
		ID          int
		Name, Group string
	}
	Decisions []struct {
		ID, Name, Who string
		Groups        []string `json:"action_groups"`
		Pass          bool     `json:"pass_allowed"`
	}
	Chance []struct{ ID, What string }
}

// readActions reads the vocabulary of R13.3.
func readActions(b *box) error {
	var file actionsFile
	if err := ruledata.Read(b.files, "actions", &file); err != nil {
		return err
	}
	for _, a := range file.Actions {
		b.actions = append(b.actions, a.Name)
	}
	if len(b.actions) != numActions {
		return fmt.Errorf("%d actions, the engine has %d", len(b.actions), numActions)
	}
	return nil
}
