// Package games is the explicit list of all games and the look-up by game
// string.
package games

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/connect4"
	"powderkeg/engine/domination"
	"powderkeg/engine/edition"
	"powderkeg/engine/goofspiel"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/jogu"
	"powderkeg/engine/kuhn"
	"powderkeg/engine/leduc"
	liarsdice "powderkeg/engine/liars_dice"
	"powderkeg/engine/minuteman"
	"powderkeg/engine/ruledata"
	"powderkeg/engine/tictactoe"
)

// Families lists every game, the reference games first.
func Families() engine.Families {
	return engine.Families{
		kuhn.Family,
		leduc.Family,
		tictactoe.Family,
		connect4.Family,
		liarsdice.Family,
		goofspiel.Family,
		jogu.Family,
		bloc.Family,
		domination.Family,
		insurgency.Family,
		minuteman.Family,
	}
}

// New makes the game that a game string names, such as
// "jogu(first=agents,second=engineers)". Errors wrap option.ErrUsage and list
// the valid choices.
func New(text string) (engine.Game, error) { return Families().New(text) }

// Find returns the family of that name.
func Find(name string) (engine.Family, error) { return Families().Find(name) }

// Rules returns the rules of a family and then its rulings, none for one that has none or
// that is not in the list.
func Rules(family string) []ruledata.Rule {
	f, err := Find(family)
	if err != nil || f.Rules == nil {
		return nil
	}
	rules, err := ruledata.Rules(f.Rules)
	if err != nil {
		return nil // TestRules finds it
	}
	return slices.Concat(rules, ruledata.Rulings(f.Rulings))
}

// Edition makes the edition of a game that the files of its folder describe, by their names:
// edition.json and the data files. It is nil where the report has faults; the error is of
// edition.json.
func Edition(files map[string][]byte) (*edition.Edition, edition.Report, error) {
	manifest, ok := files[edition.ManifestName]
	if !ok {
		return nil, edition.Report{}, fmt.Errorf("%s is missing: the folder is none that powderkeg edition has written", edition.ManifestName)
	}
	f, err := edition.ReadManifest(manifest, Families())
	if err != nil {
		return nil, edition.Report{}, err
	}
	folder := ruledata.Folder{}
	for name, data := range files {
		if base, ok := strings.CutSuffix(name, ".json"); ok && name != edition.ManifestName {
			folder[base] = data
		}
	}
	e, report := edition.Read(f, folder)
	return e, report, nil
}
