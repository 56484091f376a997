package engine

import (
	"fmt"
	"strings"

	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
)

// Family is a game before its options are chosen.
type Family struct {
	Name    string
	Title   string
	Options []option.Option
	// Configure makes the game that the values describe. The values have passed
	// the checks of Options; what remains are conditions between options. Errors
	// wrap option.ErrUsage.
	Configure func(option.Values) (Game, error)
	// Rules is the game's data/rules.json, Rulings its RULINGS.md, empty where it has
	// none. Package ruledata reads them.
	Rules   []byte
	Rulings string
	// Data says how the game is played by other data than those that ship (package
	// edition), nil where it cannot be.
	Data *Data
}

// Data are the data that a game plays by, of which an owner's own values may replace what
// is reconstructed.
type Data struct {
	// Files holds the shipped files, Names those that are read, without data/ and .json.
	Files ruledata.Files
	Names []string
	// Open are the fields that may be replaced, Fixed the reconstructed ones that may not.
	Open  []ruledata.Open
	Fixed []ruledata.Fixed
	// Version is that of the rules (Spec.Version), with which the form of the data moves.
	Version int
	// Load compiles data files, of which everything but the open fields is as shipped. Its
	// error says which record cannot be read, and why.
	Load func(ruledata.Files) (Compiled, error)
}

// Compiled is what Data.Load makes of the files.
type Compiled interface {
	// Faults says what breaks what the rules rely on, one sentence each, none where the data
	// can be played by. The shipped data have none.
	Faults() []string
	// Configure is that of the family, for these data. Only data without faults may be
	// played.
	Configure(option.Values) (Game, error)
}

// Configured returns the Family.Configure of a game that plays by the data that load compiles,
// which ship.
func Configured[T Compiled](load func() (T, error)) func(option.Values) (Game, error) {
	return func(v option.Values) (Game, error) {
		compiled, err := load()
		if err != nil {
			return nil, err
		}
		return compiled.Configure(v)
	}
}

// Families are the games that can be chosen by name.
type Families []Family

// New makes the game that a game string names, such as
// "jogu(first=agents,second=engineers)". Errors wrap option.ErrUsage and list
// the valid choices.
func (f Families) New(text string) (Game, error) {
	name, arguments, err := option.Split(text)
	if err != nil {
		return nil, err
	}
	family, err := f.Find(name)
	if err != nil {
		return nil, err
	}
	values, err := option.Check(family.Name, family.Options, arguments)
	if err != nil {
		return nil, err
	}
	return family.Configure(values)
}

// Find returns the family of that name. Errors wrap option.ErrUsage and list the names.
func (f Families) Find(name string) (Family, error) {
	var names []string
	for _, family := range f {
		if family.Name == name {
			return family, nil
		}
		names = append(names, family.Name)
	}
	return Family{}, fmt.Errorf("%w: unknown game %q; games: %s", option.ErrUsage, option.Shorten(name), strings.Join(names, ", "))
}
