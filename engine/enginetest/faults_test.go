package enginetest_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
	"powderkeg/engine/kuhn"
)

// errOther wraps nothing that a game may return.
var errOther = errors.New("an error of another kind")

// specs are facts that make no sense, each with words of the line that says so.
var specs = map[string]func(s *engine.Spec){
	"spec is incomplete":                      func(s *engine.Spec) { s.Title = "" },
	"Spec().Seats is 0: it must be 1 or more": func(s *engine.Spec) { s.Seats = 0 },
	"Spec().MaxMoves is 0":                    func(s *engine.Spec) { s.MaxMoves = 0 },
	"bounds make no sense: 0 decisions":       func(s *engine.Spec) { s.MaxDecisions = 0 },
	"bounds make no sense: 3 decisions":       func(s *engine.Spec) { s.MaxReturn = -9 },
	"action 1 has the name \"pass\"":          func(s *engine.Spec) { s.Actions = []string{"pass", "pass"} },
	"outcome 0 has the name \"\"":             func(s *engine.Spec) { s.Outcomes = []string{"", "Q", "K"} },
	"exceed the bounds of 1 and 5":            func(s *engine.Spec) { s.MaxDecisions = 1 },
	"is outside -1 to 1":                      func(s *engine.Spec) { s.MinReturn, s.MaxReturn = -1, 1 },
	"a cooperative game returns":              func(s *engine.Spec) { s.Payoff = engine.Cooperative },
	"move 1 is outside the vocabulary of 1":   func(s *engine.Spec) { s.Actions = s.Actions[:1] },
}

func TestSpecsThatMakeNoSense(t *testing.T) {
	for words, spec := range specs {
		t.Run(words, func(t *testing.T) { finds(t, faults{spec: spec}, words) })
	}
}

// finds demands that Run finds a fault, with the words.
func finds(t *testing.T, f faults, words ...string) {
	t.Helper()
	trial.Finds(t, func(t testing.TB) {
		enginetest.Run(t, enginetest.Suite{Game: newBroken(t, f), Games: 20, Reveals: func(before, after engine.View) bool { return false }})
	}, words...)
}

// Each promise of the engine's interfaces is broken on purpose, and Run must say so.
func TestBrokenPromises(t *testing.T) {
	for name, test := range map[string]struct {
		faults
		words string
	}{
		"no state":            {faults{new: func() engine.State { return nil }}, "Suite.Game.New() is nil"},
		"over from the start": {faults{toAct: func(*kuhn.State) engine.Player { return engine.Terminal }}, "Suite.Game.New() is over"},
		"nothing but a state": {faults{new: newBare}, "has outcomes, but its state is not Stochastic"},
		"tells nothing":       {faults{new: newBare}, "does not tell what happens"},
		"describes nothing":   {faults{new: newBare}, "not a Describer"},
		"a view without a text": {faults{
			newView: func() engine.View { return &kuhn.State{} }, see: func(*state, engine.Player, engine.View) {},
		}, "a view is not a Teller"},
		"a view that can be played": {faults{
			newView: func() engine.View { return playable{&kuhn.State{}, &kuhn.View{}} }, see: func(*state, engine.Player, engine.View) {},
		}, "a view can be played on"},

		"reads unknown fields": {faults{load: loading(func(_ []byte, s engine.State, err error) (engine.State, error) {
			if err != nil {
				return kuhnGame.New(), nil
			}
			return s, nil
		})}, "a position with an unknown field gives the error <nil>"},
		"other errors of positions": {faults{load: loading(func(_ []byte, s engine.State, err error) (engine.State, error) {
			if err != nil {
				return nil, errOther
			}
			return s, nil
		})}, "want ErrPosition"},
		"refuses the empty position": {faults{load: loading(func(data []byte, s engine.State, err error) (engine.State, error) {
			if string(data) == "{}" {
				return nil, engine.ErrPosition
			}
			return s, err
		})}, "the empty position is refused"},
		"begins elsewhere": {faults{load: loading(func(data []byte, s engine.State, err error) (engine.State, error) {
			if string(data) == "{}" {
				return s, s.Apply(0)
			}
			return s, err
		})}, "the empty position is"},
		"refuses its own positions": {faults{load: loading(func(data []byte, s engine.State, err error) (engine.State, error) {
			if strings.Contains(string(data), "bet") {
				return nil, engine.ErrPosition
			}
			return s, err
		})}, "the position is refused"},
		"reads positions as another": {faults{load: loading(func(data []byte, s engine.State, err error) (engine.State, error) {
			if err == nil && s.ToAct() >= 0 {
				return s, s.Apply(0)
			}
			return s, err
		})}, "the position changes when loaded"},
		"no JSON":        {faults{marshal: func(*kuhn.State) ([]byte, error) { return []byte("{"), nil }}, "the position is not JSON"},
		"loads no state": {faults{load: loading(func([]byte, engine.State, error) (engine.State, error) { return nil, nil })}, "panics"},

		"another mask": {faults{mask: func(s *kuhn.State, dst []uint8) {
			s.Mask(dst)
			dst[kuhn.Bet] = 0
		}}, "the mask is [1 0], want [1 1]"},
		"a mask after the end": {faults{mask: func(_ *kuhn.State, dst []uint8) { copy(dst, []uint8{1, 1}) }}, "the mask is [1 1], want [0 0]"},
		"a mask with gaps": {faults{mask: func(s *kuhn.State, dst []uint8) {
			if s.ToAct() >= 0 {
				s.Mask(dst)
			}
		}}, "the mask is [7 7], want [0 0]"},
		"draws another outcome": {faults{draw: func(s *kuhn.State, rng *rand.PCG) engine.Action {
			a := engine.Moves(s)[0]
			if err := s.Apply(a); err != nil {
				panic(err)
			}
			rng.Uint64()
			return a
		}}, "Draw leads by outcome 0 to"},
		"draws too often": {faults{draw: func(s *kuhn.State, rng *rand.PCG) engine.Action {
			a, _ := s.Draw(rng, nil)
			rng.Uint64()
			return a
		}}, "Draw leads by outcome"},

		"an unlikely outcome": {faults{outcomes: func(s *kuhn.State, dst []engine.Outcome) []engine.Outcome {
			dst = s.Outcomes(dst)
			for i := range dst {
				dst[i].Weight = 0
			}
			return dst
		}}, "has weight 0"},
		"weights without bound": {faults{outcomes: func(s *kuhn.State, dst []engine.Outcome) []engine.Outcome {
			dst = s.Outcomes(dst)
			for i := range dst {
				dst[i].Weight = 1 << 31
			}
			return dst
		}}, "weights add up to"},
		"outcomes at a decision": {faults{outcomes: func(s *kuhn.State, dst []engine.Outcome) []engine.Outcome {
			return append(s.Outcomes(dst), engine.Outcome{Action: 7, Weight: 1})[:max(1, len(s.Outcomes(nil)))]
		}}, "there are outcomes at a decision"},
		"moves at chance": {faults{legal: func(s *kuhn.State, dst []engine.Action) []engine.Action {
			if s.ToAct() == engine.Chance {
				return append(dst, 0)
			}
			return s.Legal(dst)
		}}, "is legal at a chance node"},
		"moves after the end": {faults{legal: func(s *kuhn.State, dst []engine.Action) []engine.Action {
			if s.ToAct() == engine.Terminal {
				return append(dst, 0)
			}
			return s.Legal(dst)
		}}, "is legal after the end"},
		"no move": {faults{legal: func(_ *kuhn.State, dst []engine.Action) []engine.Action { return dst }}, "there is no move"},
		"moves in disorder": {faults{legal: func(s *kuhn.State, dst []engine.Action) []engine.Action {
			if s.ToAct() < 0 {
				return dst
			}
			return append(dst, 1, 0)
		}}, "not in ascending order"},
		"a seat too many": {faults{toAct: func(s *kuhn.State) engine.Player {
			if s.ToAct() >= 0 {
				return 2
			}
			return s.ToAct()
		}}, "seat 2 of 2 is to act"},
		"no words":       {faults{describe: func(*kuhn.State, engine.Action) string { return "" }}, "is empty or said of another move"},
		"the same words": {faults{describe: func(*kuhn.State, engine.Action) string { return "moves" }}, "is empty or said of another move"},

		"refuses a legal move": {faults{apply: func(s *state, a engine.Action) error {
			if s.ToAct() >= 0 {
				return engine.ErrIllegal
			}
			return s.State.Apply(a)
		}}, "a possible move is refused"},
		"admits an illegal move": {faults{apply: func(s *state, a engine.Action) error {
			if a < 0 {
				return nil
			}
			return s.State.Apply(a)
		}}, "is impossible, yet Apply returns <nil>"},
		"other errors of moves": {faults{apply: func(s *state, a engine.Action) error {
			if s.State.Apply(a) != nil {
				return errOther
			}
			return nil
		}}, "want ErrIllegal"},
		"half a move": {faults{apply: func(s *state, a engine.Action) error {
			err := s.State.Apply(a)
			if err != nil && s.ToAct() >= 0 {
				return errors.Join(err, s.State.Apply(0))
			}
			return err
		}}, "refused moves changed the state"},
		"moves after the end are made": {faults{apply: func(s *state, a engine.Action) error {
			if s.ToAct() == engine.Terminal {
				return nil
			}
			return s.State.Apply(a)
		}}, "Apply after the end"},

		"a return too few":      {faults{returns: func(_ *kuhn.State, dst []float32) []float32 { return append(dst, 0) }}, "1 returns for 2 seats"},
		"returns out of bounds": {faults{returns: func(_ *kuhn.State, dst []float32) []float32 { return append(dst, 9, -9) }}, "return 9 is outside"},
		"returns in play":       {faults{returns: func(_ *kuhn.State, dst []float32) []float32 { return append(dst, 1, -1) }}, "pays at its end returns"},
		"returns do not add up": {faults{returns: func(_ *kuhn.State, dst []float32) []float32 { return append(dst, 1, 1) }}, "a zero-sum game returns"},

		"a copy that shares":    {faults{copyFrom: func(s, src *state) { s.State = src.State }}, "a possible move is refused"},
		"a copy of nothing":     {faults{copyFrom: func(_, _ *state) {}}, "leads a copy elsewhere"},
		"a hash of the address": {faults{hash: func(*kuhn.State) uint64 { addresses++; return addresses }}, "the empty position is"},

		"a view of everything": {faults{see: func(s *state, p engine.Player, v engine.View) {
			s.State.See(engine.Everything, v)
		}}, "sees another position after a draw that is hidden from it"},
		"looking changes the state": {faults{see: func(s *state, p engine.Player, v engine.View) {
			s.State.See(p, v)
			if p == 1 {
				_ = s.State.Apply(0)
			}
		}}, "looks, and the state changes"},
		"a view that is not filled anew": {faults{see: func(s *state, p engine.Player, v engine.View) {
			if v.(*kuhn.View).ToAct() == engine.Chance {
				s.State.See(p, v)
			}
		}}, "in a view used before"},
		"not everything": {faults{see: func(s *state, p engine.Player, v engine.View) {
			s.State.See(max(p, 0), v)
		}}, "the view of everything lacks something"},
		"the view of another": {faults{see: func(s *state, p engine.Player, v engine.View) {
			if p != engine.Everything {
				p = 1 - p
			}
			s.State.See(p, v)
		}}, "seat"},
		"an unfinished deal": {faults{redeal: func(s *kuhn.State, v engine.View, _ *rand.PCG) {
			s.Position = v.(*kuhn.View).Position
		}}, "the new deal is not legal"},
		"another deal": {faults{redeal: func(s *kuhn.State, _ engine.View, _ *rand.PCG) { *s = kuhn.State{} }}, "sees another position after a new deal"},
		"draws are told": {faults{shows: func(*kuhn.State, engine.Player, engine.Action) bool { return true }},
			"is drawn, and has the same information state"},
		"secrets are told": {faults{listen: func(s *kuhn.State, tell func(e *engine.Event)) {
			if tell == nil {
				s.Listen(nil)
				return
			}
			s.Listen(func(e *engine.Event) {
				e.Seen = 3
				tell(e)
			})
		}}, "of a draw that is hidden from it"},
	} {
		t.Run(name, func(t *testing.T) { finds(t, test.faults, test.words) })
	}
}

func newBare() engine.State { return bare{&state{State: &kuhn.State{}, faults: &faults{}}} }

// addresses stands in for what differs from call to call.
var addresses uint64

// A game that breaks down fails its test in a line, wherever it does.
func TestBreaksDown(t *testing.T) {
	for name, f := range map[string]faults{
		"New":      {new: func() engine.State { panic("boom") }},
		"Load":     {load: func([]byte, engine.Strictness) (engine.State, error) { panic("boom") }},
		"ToAct":    {toAct: func(*kuhn.State) engine.Player { panic("boom") }},
		"Legal":    {legal: func(*kuhn.State, []engine.Action) []engine.Action { panic("boom") }},
		"Outcomes": {outcomes: func(*kuhn.State, []engine.Outcome) []engine.Outcome { panic("boom") }},
		"Apply":    {apply: func(*state, engine.Action) error { panic("boom") }},
		"Returns":  {returns: func(*kuhn.State, []float32) []float32 { panic("boom") }},
		"CopyFrom": {copyFrom: func(_, _ *state) { panic("boom") }},
		"Hash":     {hash: func(*kuhn.State) uint64 { panic("boom") }},
		"Marshal":  {marshal: func(*kuhn.State) ([]byte, error) { panic("boom") }},
		"Describe": {describe: func(*kuhn.State, engine.Action) string { panic("boom") }},
		"NewView":  {newView: func() engine.View { panic("boom") }},
		"See":      {see: func(*state, engine.Player, engine.View) { panic("boom") }},
		"Redeal":   {redeal: func(*kuhn.State, engine.View, *rand.PCG) { panic("boom") }},
		"Shows":    {shows: func(*kuhn.State, engine.Player, engine.Action) bool { panic("boom") }},
		"Listen":   {listen: func(*kuhn.State, func(*engine.Event)) { panic("boom") }},
	} {
		t.Run(name, func(t *testing.T) { finds(t, f, "panics: boom") })
	}
}
