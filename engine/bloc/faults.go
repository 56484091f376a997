package bloc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// maxNumber bounds the numbers on agenda and loot cards.
const maxNumber = 5

// data is what an edition may replace: how many there are of each card, the numbers on them,
// and what they are called. What the cards do are the ops of data/primitives.json, each with
// one form that the engine carries out.
var data = engine.Data{
	Files: files, Version: 4,
	Names: []string{
		"actions", "agenda_cards", "city", "components", "factions", "loot_cards", "manifestation_cards", "police_ops_cards", "scenarios",
		"tables", "tiles",
	},
	Open: []ruledata.Open{
		{File: "loot_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{{Name: "copies", Low: 1, High: 12}, {Name: "text"}}},
		{File: "loot_cards", At: "cards[]", Mark: "name_source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "loot_cards", At: "cards[].effects[]", Mark: "^source", Fields: []ruledata.Field{
			{Name: "n", Low: 1, High: 3}, {Name: "add", Low: 1, High: 3}, {Name: "max", Low: 1, High: maxNumber}, {Name: "minus", Low: 1, High: 4},
		}},
		{File: "manifestation_cards", At: "cards[]", Mark: "copies_source", Fields: []ruledata.Field{{Name: "copies", Low: 1, High: 6}}},
		{File: "manifestation_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{
			{Name: "name"}, {Name: "text"}, {Name: "table_by_liberated_difficulty", High: maxNumber},
		}},
		{File: "police_ops_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{
			{Name: "title"}, {Name: "copies", Low: 1, High: 4}, {Name: "text"},
		}},
		{File: "agenda_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "agenda_cards", At: "cards[].options[]", Mark: "^source", Fields: []ruledata.Field{{Name: "text"}}},
		{File: "agenda_cards", At: "cards[].options[].all[]", Fields: []ruledata.Field{{Name: "n", Low: 1, High: blocsEach}}},
		{File: "tiles", At: "tiles[]", Mark: "field_sources.name", Fields: []ruledata.Field{{Name: "name"}}},
	},
	Fixed: []ruledata.Fixed{
		{What: "what loot, manifestation and police ops cards do, and their windows and priorities",
			Why: "each is an op that the engine carries out in one form (R11.3 to R11.5)"},
		{What: "agenda_cards.json, the conditions", Why: "R11.6 is written for them; their numbers can be replaced"},
		{What: "tiles.json, everything but names", Why: "cities are drawn and observed for these tiles"},
		{What: "city.json, rotations and the beginner city", Why: "R3.1 and Ruling 26 are written for them"},
		{What: "scenarios.json, default_ops_difficulty_by_label", Why: "it is an option of the game string"},
	},
	Load: func(files ruledata.Files) (engine.Compiled, error) { return newBox(files) },
}

// Faults implements engine.Compiled: the decks are whole (R11.3 to R11.5), and morale comes
// first on a manifestation card, whose table knows every liberated difficulty (R9.6, R11.4).
func (b *box) Faults() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, x := range []struct {
		name  string
		cards []card
		size  int
	}{{"loot_cards", b.loot[:], 60}, {"manifestation_cards", b.manifest[:], 28}, {"police_ops_cards", b.ops[:], 34}} {
		var file deckFile
		if err := ruledata.Read(b.files, x.name, &file); err != nil {
			fault("%v", err)
		}
		seen, total := map[string]bool{}, 0
		for i, c := range x.cards {
			if c.Index != i || c.Text == "" || c.Name == "" && c.Title == "" || c.Copies == 0 || seen[c.Key] {
				fault("%s.json: card %d %s lacks a name, a text or copies, or comes twice", x.name, i, c.Key)
			}
			seen[c.Key] = true
			total += int(c.Copies)
		}
		if total != x.size || file.Size != x.size {
			fault("%s.json: the cards are %d in all, want %d", x.name, total, x.size)
		}
	}
	for i := range b.manifest {
		c := &b.manifest[i]
		if e := c.Effects[0]; e.Op != opMorale || e.Delta != -1 {
			fault("manifestation_cards.json: on %s morale comes first", c.Key)
		}
		for _, tile := range b.tiles {
			if _, ok := c.Table[tile.Liberated]; tile.Liberable && !ok {
				fault("manifestation_cards.json: %s has no value for difficulty %d", c.Key, tile.Liberated)
			}
		}
	}
	for i := range b.scenarios {
		s := &b.scenarios[i]
		for k, n := range s.removedOps {
			if n > b.ops[k].Copies {
				fault("police_ops_cards.json: scenario %s takes out %d of %s, there are %d", s.ID, n, b.ops[k].Key, b.ops[k].Copies)
			}
		}
	}
	if n := b.ops[b.paramilitary].Copies; n < b.removedOps[0] {
		fault("police_ops_cards.json: %d are taken out of %s on easy, there are %d", b.removedOps[0], b.ops[b.paramilitary].Key, n)
	}
	return faults
}
