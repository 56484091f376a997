package env_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/minuteman"
)

// The option encoder chooses what environments of a game observe, and the text of the game
// says so.
func TestGameNamesItsEncoder(t *testing.T) {
	for text, want := range map[string]encoding.Encoder{
		"minuteman":                  minuteman.Compact{},
		"minuteman(encoder=compact)": minuteman.Compact{},
		"minuteman(scenario=partisan,encoder=planes)":   minuteman.Planes{},
		"minuteman(encoder = planes, elite_units=true)": minuteman.Planes{},
	} {
		g, err := env.NewGame(text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := env.New(g, env.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if e.Encoder() != want {
			t.Errorf("%s is observed through %T, want %T", text, e.Encoder(), want)
		}
		e.Reset(1)
		e.Observe(make([]float32, want.Layout().Size), make([]uint8, len(g.Spec().Actions)))
		planes := want == encoding.Encoder(minuteman.Planes{})
		if named := strings.Contains(g.Spec().Text, "encoder=planes"); named != planes {
			t.Errorf("%s has the text %s", text, g.Spec().Text)
		}
		again, err := env.NewGame(g.Spec().Text)
		if err != nil || again.Spec().Text != g.Spec().Text {
			t.Errorf("%s is made again as %v, %v", g.Spec().Text, again, err)
		}
	}
	for text, want := range map[string]string{
		"minuteman(encoder=tiles)": "encoder is one of compact, planes",
		"kuhn(encoder=planes)":     `kuhn has no option "encoder"`,
	} {
		if _, err := env.NewGame(text); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// The options that people and clients read list the encoders.
func TestListingsNameEncoders(t *testing.T) {
	list, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		i := slices.IndexFunc(l.Options, func(o option.Option) bool { return o.Name == "encoder" })
		if (i >= 0) != (l.Name == "minuteman") {
			t.Errorf("%s lists its encoders: %v", l.Name, i >= 0)
		}
	}
}
