package engine

import "powderkeg/engine/option"

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
