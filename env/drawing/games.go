package drawing

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/drawing/bloc"
	"powderkeg/env/drawing/connect4"
	"powderkeg/env/drawing/domination"
	"powderkeg/env/drawing/insurgency"
	"powderkeg/env/drawing/jogu"
	"powderkeg/env/drawing/kuhn"
	"powderkeg/env/drawing/leduc"
	liarsdice "powderkeg/env/drawing/liars_dice"
	"powderkeg/env/drawing/minuteman"
	"powderkeg/env/drawing/tictactoe"
)

// table is what this part of the house knows of a game.
type table struct {
	draw  func(engine.Game, engine.View) ([]byte, error)
	cards func(engine.Game) []Card // nil for a game without any
}

// tables lists the games of this project with their drawings. It is where a game registers
// its own.
var tables = map[string]table{
	"kuhn":       {of(kuhn.Draw), kuhn.Cards},
	"leduc":      {of(leduc.Draw), leduc.Cards},
	"tictactoe":  {of(tictactoe.Draw), nil},
	"connect4":   {of(connect4.Draw), nil},
	"liars_dice": {of(liarsdice.Draw), nil},
	"jogu":       {of(jogu.Draw), jogu.Cards},
	"bloc":       {of(bloc.Draw), bloc.Cards},
	"domination": {of(domination.Draw), domination.Cards},
	"insurgency": {of(insurgency.Draw), insurgency.Cards},
	"minuteman":  {of(minuteman.Draw), minuteman.Cards},
}

// of makes a drawing of any view from one of the game's own type, which is nil if the game's
// embedded data cannot be read.
func of[V engine.View](draw func(engine.Game, V) []byte) func(engine.Game, engine.View) ([]byte, error) {
	return func(g engine.Game, v engine.View) ([]byte, error) {
		own, ok := v.(V)
		if !ok {
			return nil, fmt.Errorf("a drawing of %s is made of what a seat of it sees, not of that of another game", g.Spec().Name)
		}
		picture := draw(g, own)
		if picture == nil {
			return nil, fmt.Errorf("%w of game %s: the data of the map or the cards cannot be read", ErrNoDrawing, g.Spec().Name)
		}
		return picture, nil
	}
}
