package engine

import (
	"fmt"
	"strings"

	"powderkeg/engine/option"
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
