package encodingtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/kuhn"
)

// faulty is the encoder of Kuhn poker, or with faults what is put in its place.
type faulty struct {
	layout func() *encoding.Layout
	encode func(dst []float32)
}

func (f faulty) Layout() *encoding.Layout {
	if f.layout != nil {
		return f.layout()
	}
	return kuhn.Encoder{}.Layout()
}

func (f faulty) Encode(dst []float32, view engine.View, p engine.Player) {
	kuhn.Encoder{}.Encode(dst[:f.Layout().Size], view, p)
	if f.encode != nil {
		f.encode(dst)
	}
}

// changed is the layout of Kuhn poker with its first field changed.
func changed(change func(f *encoding.Field)) func() *encoding.Layout {
	return func() *encoding.Layout {
		l := *kuhn.Encoder{}.Layout()
		l.Fields = append([]encoding.Field{}, l.Fields...)
		change(&l.Fields[0])
		return &l
	}
}

var (
	kept  []float32
	calls float32
)

func TestFaultyEncoders(t *testing.T) {
	sound := func(t testing.TB) { Suite{Encoder: faulty{}, Games: []string{"kuhn"}, Times: 3}.run(t, "kuhn") }
	if v := trial.Of(t, sound); v.Failed() {
		t.Fatalf("a sound encoder: %q, panic %v", v.Lines, v.Panic)
	}
	for name, test := range map[string]struct {
		encode func(dst []float32)
		words  string
	}{
		"out of range":   {func(dst []float32) { dst[0] = 2 }, "[0] is 2, outside 0 to 1"},
		"no number":      {func(dst []float32) { dst[0] = float32(math.NaN()) }, "[0] is NaN, outside"},
		"not written":    {func(dst []float32) { dst[0] = guard }, "is -12345, outside"},
		"writes beside":  {func(dst []float32) { dst[:len(dst)+1][len(dst)] = 0 }, "writes beside its buffer"},
		"remembers":      {func(dst []float32) { calls++; dst[0] = float32(int(calls) % 2) }, "depends on what it cannot see"},
		"allocates":      {func([]float32) { kept = make([]float32, 9) }, "allocations per observation, want 0"},
		"panics":         {func([]float32) { panic("boom") }, "kuhn panics: boom"},
		"takes too much": {func(dst []float32) { dst[len(dst)+5] = 0 }, "kuhn panics: runtime error: index out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "allocates" && enginetest.Race {
				return // there is nothing to count
			}
			trial.Finds(t, func(t testing.TB) { Suite{Encoder: faulty{encode: test.encode}, Times: 3}.run(t, "kuhn") }, test.words)
		})
	}
}

func TestSuitesThatMakeNoSense(t *testing.T) {
	games := []string{"kuhn"}
	var none *kuhn.Encoder
	with := func(layout func() *encoding.Layout) Suite {
		return Suite{Encoder: faulty{layout: layout}, Games: games, Times: 1}
	}
	for words, u := range map[string]Suite{
		"Suite.Encoder is nil: it must be an encoder":      {Games: games, Times: 1},
		"Suite.Encoder is nil":                             {Encoder: none, Games: games, Times: 1},
		"Suite.Games is empty":                             {Encoder: kuhn.Encoder{}, Times: 1},
		"Suite.Times is 0: it must be 1 or more":           {Encoder: kuhn.Encoder{}, Games: games},
		"Suite.Every is -1: it must be 0 or more":          {Encoder: kuhn.Encoder{}, Games: games, Times: 1, Every: -1},
		"Suite.Encoder.Layout() is nil":                    with(func() *encoding.Layout { return nil }),
		"the numbers from 99, 2 of them: they must lie in": with(changed(func(f *encoding.Field) { f.Offset, f.Size = 99, 2 })),
		"the numbers from -1":                              with(changed(func(f *encoding.Field) { f.Offset = -1 })),
		"Suite.Encoder panics: boom":                       with(func() *encoding.Layout { panic("boom") }),
	} {
		trial.Finds(t, u.check, words)
	}
	trial.Finds(t, func(t testing.TB) { Suite{Encoder: kuhn.Encoder{}, Times: 1}.run(t, "chess") }, "unknown game")
	trial.Finds(t, func(t testing.TB) { Suite{Encoder: kuhn.Encoder{}}.Field(t, nil, "gone") }, "no field gone")
}

func TestArgumentsOfPlayAndPairs(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	each := func(engine.State, *rand.PCG) {}
	for words, call := range map[string]func(t testing.TB){
		"the game is nil":                   func(t testing.TB) { Play(t, nil, 1, each) },
		"n is 0: it must be 1 or more":      func(t testing.TB) { Play(t, g, 0, each) },
		"each is nil":                       func(t testing.TB) { Play(t, g, 1, nil) },
		"the encoder is nil":                func(t testing.TB) { Pairs(t, g, nil, 1, 1) },
		"games is -1: it must be 1 or more": func(t testing.TB) { Pairs(t, g, kuhn.Encoder{}, -1, 1) },
		"two situations look alike to seat": func(t testing.TB) { Pairs(t, enginetest.Game(t, "tictactoe"), blind{}, 9, 1) },
		"is nil: it must be a game":         func(t testing.TB) { Pairs(t, nil, kuhn.Encoder{}, 1, 1) },
	} {
		trial.Finds(t, call, words)
	}
}

// blind shows nothing of any game.
type blind struct{}

func (blind) Layout() *encoding.Layout {
	l := &encoding.Layout{Game: "any", Version: 1}
	l.Add("nothing", 0, 1, "always 0", nil, 1)
	return l
}

func (blind) Encode(dst []float32, _ engine.View, _ engine.Player) { clear(dst) }
