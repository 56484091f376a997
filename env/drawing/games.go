package drawing

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/drawing/bloc"
	"powderkeg/env/drawing/connect4"
	"powderkeg/env/drawing/domination"
	"powderkeg/env/drawing/goofspiel"
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
	// colour returns the number of a seat's colour in the palette, nil where seats have them in order.
	colour func(engine.View, engine.Player) int
}

// tables lists the games of this project with their drawings. It is where a game registers
// its own.
var tables = map[string]table{
	"kuhn":       {draw: of(kuhn.Draw), cards: kuhn.Cards},
	"leduc":      {draw: of(leduc.Draw), cards: leduc.Cards},
	"tictactoe":  {draw: of(tictactoe.Draw)},
	"connect4":   {draw: of(connect4.Draw)},
	"liars_dice": {draw: of(liarsdice.Draw)},
	"goofspiel":  {draw: of(goofspiel.Draw)},
	"jogu":       {draw: of(jogu.Draw), cards: jogu.Cards},
	"bloc":       {draw: of(bloc.Draw), cards: bloc.Cards, colour: bloc.Colour},
	"domination": {draw: of(domination.Draw), cards: domination.Cards},
	"insurgency": {draw: of(insurgency.Draw), cards: insurgency.Cards, colour: insurgency.Colour},
	"minuteman":  {draw: of(minuteman.Draw), cards: minuteman.Cards},
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
