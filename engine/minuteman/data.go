package minuteman

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"
)

// The printed matter of the game; data/rules.json, the list of rule numbers, is
// read by the rule tracer alone.
//
//go:embed data/map.json data/units.json data/tables.json data/scenarios.json data/decisions.json
var files embed.FS

// box is what is in the game's box, compiled from the data files.
type box struct {
	board
	counters
	tables
	scenarios map[string]*scenario
	variants  variants
	actions   []string
	decisions []string // ids in the order of data/decisions.json
}

// loadBox reads the data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b := &box{}
	for _, step := range []func(*box) error{readMap, readUnits, readTables, readScenarios, readDecisions} {
		if err := step(b); err != nil {
			return nil, fmt.Errorf("minuteman: data: %w", err)
		}
	}
	return b, nil
})

// decodeFile reads one data file.
func decodeFile(name string, v any) error {
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s.json: %w", name, err)
	}
	return nil
}

// decodePart reads one part of a file that was decoded as a whole.
func decodePart(part, v any) error {
	data, err := json.Marshal(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// source marks where a fact comes from.
type source struct {
	Source string `json:"source"`
	Cite   string `json:"cite"`
	Why    any    `json:"why"`
}

// check demands a reason with every mark.
func (s source) check(what string) error {
	switch s.Source {
	case "rulebook", "public":
		if s.Cite != "" {
			return nil
		}
	case "reconstructed":
		if s.Why != nil {
			return nil
		}
	}
	return fmt.Errorf("%s: source %q without its cite or why", what, s.Source)
}

// readDecisions reads the vocabulary of actions (968 tokens) and the ids of the
// decisions.
func readDecisions(b *box) error {
	var f struct {
		source
		Vocabulary struct {
			Verbs   []string `json:"verbs"`
			Classes []string `json:"unit_classes"`
			Amounts [2]int   `json:"amounts"`
			Players []string `json:"players"`
			Size    int      `json:"size"`
		} `json:"vocabulary"`
		Decisions []struct {
			ID string `json:"id"`
		} `json:"decisions"`
	}
	if err := decodeFile("decisions", &f); err != nil {
		return err
	}
	if err := f.check("decisions.json"); err != nil {
		return err
	}
	v := &f.Vocabulary
	if len(v.Verbs) != numVerbs || len(v.Classes) != numClasses || v.Amounts != [2]int{0, maxAmount} || len(v.Players) != maxSeats || v.Size != numActions {
		return fmt.Errorf("decisions.json: a vocabulary of %d verbs, %d classes, amounts %v, %d players, %d in all does not fit the engine",
			len(v.Verbs), len(v.Classes), v.Amounts, len(v.Players), v.Size)
	}
	b.actions = append(append(b.actions, v.Verbs...), v.Classes...)
	for i := range maxAmount + 1 {
		b.actions = append(b.actions, fmt.Sprint(i))
	}
	b.actions = append(b.actions, v.Players...)
	for h := range b.hexes {
		b.actions = append(b.actions, b.hexes[h].id)
	}
	for i, d := range f.Decisions {
		if i >= int(numDecisions) || d.ID != askNames[i] {
			return fmt.Errorf("decisions.json: decision %d is %s, the engine does not expect it there", i, d.ID)
		}
		b.decisions = append(b.decisions, d.ID)
	}
	if len(b.decisions) != int(numDecisions) {
		return fmt.Errorf("decisions.json has %d decisions, want %d", len(b.decisions), numDecisions)
	}
	return nil
}
