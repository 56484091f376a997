package minuteman

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"powderkeg/engine/flow"
	"powderkeg/engine/ruledata"
)

// The printed matter of the game. data_test.go and tables_test.go hold it to the map,
// the charts and the counter sheet of the rulebook.
//
//go:embed data/map.json data/units.json data/tables.json data/scenarios.json data/decisions.json
var files embed.FS

// box is what is in the game's box, compiled from the data files.
type box struct {
	files ruledata.Files
	board
	counters
	tables
	scenarios map[string]*scenario
	variants  variants
	actions   []string
	kinds     *flow.Kinds // of events
}

// prose is what a file tells people alone; nothing reads it.
type prose = json.RawMessage

// record is what every record of the data may say of itself.
type record struct {
	ruledata.Source
	// Notes are words, and facts that the functions of their rules state themselves.
	Notes prose
}

// loadBox reads the shipped data once. Its error is a fault of the program; it is passed on so
// that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := newBox(files)
	if err != nil {
		return nil, fmt.Errorf("minuteman: data: %w", err)
	}
	return b, nil
})

// newBox reads and compiles data files.
func newBox(files ruledata.Files) (*box, error) {
	b := &box{files: files}
	for _, step := range []func(*box) error{readMap, readUnits, readTables, readScenarios, readVocabulary} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	b.kinds = flow.NewKinds(b.word, kindsOfEvents)
	return b, nil
}

// decisionsFile is data/decisions.json, of which only the vocabulary is read: the
// questions are rows of the table.
type decisionsFile struct {
	ruledata.Source
	Vocabulary struct {
		Verbs                []string
		Classes              []string `json:"unit_classes"`
		Players              []string
		Amounts, Hexes, Size prose
	}
	Decisions, Chance prose
}

// readVocabulary lays out the 968 tokens of the vocabulary of actions.
func readVocabulary(b *box) error {
	var f decisionsFile
	if err := ruledata.Read(b.files, "decisions", &f); err != nil {
		return err
	}
	b.actions = append(f.Vocabulary.Verbs, f.Vocabulary.Classes...)
	for i := range maxAmount + 1 {
		b.actions = append(b.actions, fmt.Sprint(i))
	}
	b.actions = append(b.actions, f.Vocabulary.Players...)
	for h := range b.hexes {
		b.actions = append(b.actions, b.hexes[h].id)
	}
	if len(b.actions) != numActions {
		return fmt.Errorf("decisions.json: a vocabulary of %d tokens, want %d", len(b.actions), numActions)
	}
	return nil
}

// lookUp reads one of a list of names.
func lookUp[T ~uint8](names []string, name string) (T, error) {
	for i, n := range names {
		if n == name {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %q", name, names)
}
