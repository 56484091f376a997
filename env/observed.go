package env

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env/encoding"
)

// Families lists every game as whoever plays, trains or serves chooses it: where a game
// can be observed in more than one way, its option encoder says which, and where its data can
// be replaced, its option edition names what replaces them (Editions).
func Families() engine.Families {
	families := games.Families()
	for i, f := range families {
		if f.Data != nil {
			f = withEditions(f)
			families[i] = f
		}
		if choices := encoders[f.Name]; len(choices) > 1 {
			families[i] = withEncoders(f, choices)
		}
	}
	return families
}

// NewGame makes the game that a game string names, such as
// "minuteman(scenario=partisan,encoder=planes)". Errors wrap option.ErrUsage and list the
// valid choices.
func NewGame(text string) (engine.Game, error) { return Families().New(text) }

// withEncoders adds the option encoder to a family. The rules do not know of it, but the
// text of the game (engine.Spec) does, so that networks and datasets name their observation.
func withEncoders(f engine.Family, choices []choice) engine.Family {
	o := option.Option{Name: "encoder", Kind: option.Choice, Default: choices[0].name, Help: "observation: "}
	for i, c := range choices {
		o.Choices = append(o.Choices, c.name)
		if i > 0 {
			o.Help += "; "
		}
		o.Help += c.name + ", " + c.help
	}
	f.Options = append(slices.Clone(f.Options), o)
	configure := f.Configure
	f.Configure = func(v option.Values) (engine.Game, error) {
		g, err := configure(v)
		if err != nil || v.IsDefault(o.Name) {
			return g, err
		}
		i := slices.Index(o.Choices, v.Choice(o.Name))
		return observed{g, choices[i].encoder(g)}, nil
	}
	return f
}

// observed is a game that is observed through another encoder than its usual one.
type observed struct {
	engine.Game
	encoder encoding.Encoder
}

// Encoder implements Encoded.
func (o observed) Encoder() encoding.Encoder { return o.encoder }
