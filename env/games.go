package env

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/bloc"
	"powderkeg/env/encoding/connect4"
	"powderkeg/env/encoding/domination"
	"powderkeg/env/encoding/goofspiel"
	"powderkeg/env/encoding/insurgency"
	"powderkeg/env/encoding/jogu"
	"powderkeg/env/encoding/kuhn"
	"powderkeg/env/encoding/leduc"
	liarsdice "powderkeg/env/encoding/liars_dice"
	"powderkeg/env/encoding/minuteman"
	"powderkeg/env/encoding/tictactoe"
)

// encoders lists the games of this project with what makes the newest encoder of each, the
// usual one first. It is where a game registers what this part of the house knows of it.
var encoders = map[string][]choice{
	"kuhn":       one(kuhn.Encoder{}),
	"leduc":      one(leduc.Encoder{}),
	"tictactoe":  one(tictactoe.Encoder{}),
	"connect4":   one(connect4.Encoder{}),
	"liars_dice": {{encoder: liarsdice.For}},
	"goofspiel":  {{encoder: goofspiel.For}},
	"jogu":       one(jogu.Encoder{}),
	"bloc":       one(bloc.Encoder{}),
	"domination": one(domination.Encoder{}),
	"insurgency": one(insurgency.Encoder{}),
	"minuteman": {
		{"compact", "a row for every unit and city (3,905 numbers)", always(minuteman.Compact{})},
		{"planes", "a plane of numbers for every hex, for convolutions", always(minuteman.Planes{})},
	},
}

// choice is one way to observe a game. Where there are several, they have names and help
// for the option encoder (Families).
type choice struct {
	name, help string
	encoder    func(engine.Game) encoding.Encoder
}

// one is the only way to observe a game, the same for all its options.
func one(e encoding.Encoder) []choice { return []choice{{encoder: always(e)}} }

// always makes an encoder that is the same for all options of its game.
func always(e encoding.Encoder) func(engine.Game) encoding.Encoder {
	return func(engine.Game) encoding.Encoder { return e }
}

// Encoded is a game that brings its own encoder, as one from outside of this
// project does.
type Encoded interface {
	engine.Game
	Encoder() encoding.Encoder
}

// EncoderFor returns the encoder that a game is observed through: the one that it brings,
// or the newest of its usual ones.
func EncoderFor(g engine.Game) (encoding.Encoder, error) {
	g = engine.Original(g) // an encoder may ask the game itself
	if own, ok := g.(Encoded); ok {
		return own.Encoder(), nil
	}
	if choices, ok := encoders[g.Spec().Name]; ok {
		return choices[0].encoder(g), nil
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
