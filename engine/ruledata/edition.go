package ruledata

import (
	"fmt"
	"maps"
	"slices"
)

// Folder holds a game's data files by their names without data/ and .json, such as cards.
type Folder map[string][]byte

// ReadFile implements Files.
func (f Folder) ReadFile(name string) ([]byte, error) {
	for key, data := range f {
		if name == "data/"+key+".json" {
			return data, nil
		}
	}
	return nil, fmt.Errorf("no file %s among %q", name, slices.Sorted(maps.Keys(f)))
}

// Open says which fields of some records an owner of the game may replace, because the
// rulebook does not print them (package edition).
type Open struct {
	// File is the name of the data file, without .json.
	File string
	// At is where the records stand: keys with dots between, [] behind that of a list and .*
	// behind that of an object, for each of its elements, [NAME] for the element of a list that
	// is called so; "" is the file itself.
	At string
	// Mark is the place of the source mark in the record that says whether the fields are
	// reconstructed, with ^ before it in the record around it; with "" they always are.
	Mark   string
	Fields []Field
	// Derived says that the fields follow from others, such as sums: they are replaced
	// together with those, and need not be looked up.
	Derived bool
}

// Field is a field that may be replaced.
type Field struct {
	Name string
	// Low and High bound a whole number, or all numbers of a list or table. Where both are 0
	// the field is of another kind.
	Low, High int
	// Words are the texts that it may have; nil admits any for people to read.
	Words []string
	// Null admits null besides.
	Null bool
	// Free is a field whose form the game checks: effects, lists, tables.
	Free bool
}

// Fixed says which reconstructed values cannot be replaced, and why.
type Fixed struct{ What, Why string }
