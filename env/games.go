package env

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/bloc"
	"powderkeg/env/encoding/connect4"
	"powderkeg/env/encoding/domination"
	"powderkeg/env/encoding/insurgency"
	"powderkeg/env/encoding/jogu"
	"powderkeg/env/encoding/kuhn"
	"powderkeg/env/encoding/leduc"
	liarsdice "powderkeg/env/encoding/liars_dice"
	"powderkeg/env/encoding/minuteman"
	"powderkeg/env/encoding/tictactoe"
)

// encoders lists the games of this project with what makes the newest encoder of each. It
// is where a game registers what this part of the house knows of it.
var encoders = map[string]func(engine.Game) encoding.Encoder{
	"kuhn":       one(kuhn.Encoder{}),
	"leduc":      one(leduc.Encoder{}),
	"tictactoe":  one(tictactoe.Encoder{}),
	"connect4":   one(connect4.Encoder{}),
	"liars_dice": liarsdice.For,
	"jogu":       one(jogu.Encoder{}),
	"bloc":       one(bloc.Encoder{}),
	"domination": one(domination.Encoder{}),
	"insurgency": one(insurgency.Encoder{}),
	"minuteman":  one(minuteman.Compact{}),
}

// one is the maker of an encoder that is the same for all options of its game.
func one(e encoding.Encoder) func(engine.Game) encoding.Encoder {
	return func(engine.Game) encoding.Encoder { return e }
}

// Encoded is a game that brings its own encoder, as one from outside of this
// project does.
type Encoded interface {
	engine.Game
	Encoder() encoding.Encoder
}

// EncoderFor returns the newest encoder of a game.
func EncoderFor(g engine.Game) (encoding.Encoder, error) {
	g = engine.Original(g) // an encoder may ask the game itself
	if own, ok := g.(Encoded); ok {
		return own.Encoder(), nil
	}
	if encoder, ok := encoders[g.Spec().Name]; ok {
		return encoder(g), nil
	}
	return nil, fmt.Errorf("env: game %s has no encoder", g.Spec().Name)
}

// ObservedBy returns numbers of the observation that seat p makes of a view, by a key
// of encoding.Layout.Find. Scripts look at observations by it.
func ObservedBy(g engine.Game, view engine.View, p engine.Player, key string) ([]float32, error) {
	e, err := EncoderFor(g)
	if err != nil {
		return nil, err
	}
	offset, size, err := e.Layout().Find(key)
	if err != nil {
		return nil, err
	}
	obs := make([]float32, e.Layout().Size)
	e.Encode(obs, view, p)
	return obs[offset : offset+size], nil
}
