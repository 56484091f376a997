package enginetest_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
	"powderkeg/engine/games"
	"powderkeg/engine/kuhn"
)

// faults are the ways in which a game is broken: each that is not nil takes the place of what
// Kuhn poker does.
type faults struct {
	spec     func(s *engine.Spec)
	load     func(data []byte, how engine.Strictness) (engine.State, error) // of Kuhn poker's states
	new      func() engine.State
	toAct    func(s *kuhn.State) engine.Player
	legal    func(s *kuhn.State, dst []engine.Action) []engine.Action
	mask     func(s *kuhn.State, dst []uint8)
	outcomes func(s *kuhn.State, dst []engine.Outcome) []engine.Outcome
	draw     func(s *kuhn.State, rng *rand.PCG) engine.Action
	apply    func(s *state, a engine.Action) error
	returns  func(s *kuhn.State, dst []float32) []float32
	copyFrom func(s, src *state)
	hash     func(s *kuhn.State) uint64
	marshal  func(s *kuhn.State) ([]byte, error)
	describe func(s *kuhn.State, a engine.Action) string
	newView  func() engine.View
	see      func(s *state, p engine.Player, v engine.View)
	redeal   func(s *kuhn.State, v engine.View, rng *rand.PCG)
	shows    func(s *kuhn.State, p engine.Player, a engine.Action) bool
	listen   func(s *kuhn.State, tell func(e *engine.Event))
}

// broken is Kuhn poker with faults.
type broken struct {
	faults
	made engine.Spec
}

func newBroken(t testing.TB, f faults) *broken {
	g := &broken{faults: f, made: *enginetest.Game(t, "kuhn").Spec()}
	if f.spec != nil {
		f.spec(&g.made)
	}
	return g
}

func (g *broken) Spec() *engine.Spec { return &g.made }

func (g *broken) New() engine.State {
	if g.new != nil {
		return g.new()
	}
	return &state{State: &kuhn.State{}, faults: &g.faults}
}

func (g *broken) Load(data []byte, how engine.Strictness) (engine.State, error) {
	load := kuhnGame.Load
	if g.load != nil {
		load = g.load
	}
	s, err := load(data, how)
	if err != nil {
		return nil, err
	}
	return &state{State: s.(*kuhn.State), faults: &g.faults}, nil
}

var kuhnGame = func() engine.Game {
	g, err := games.New("kuhn")
	if err != nil {
		panic(err)
	}
	return g
}()

// state is one of Kuhn poker with faults.
type state struct {
	*kuhn.State
	*faults
}

func (s *state) ToAct() engine.Player {
	if s.toAct != nil {
		return s.toAct(s.State)
	}
	return s.State.ToAct()
}

func (s *state) Legal(dst []engine.Action) []engine.Action {
	if s.legal != nil {
		return s.legal(s.State, dst)
	}
	return s.State.Legal(dst)
}

func (s *state) Mask(dst []uint8) {
	if s.mask != nil {
		s.mask(s.State, dst)
		return
	}
	s.State.Mask(dst)
}

func (s *state) Draw(rng *rand.PCG, room []engine.Outcome) (engine.Action, []engine.Outcome) {
	if s.draw != nil {
		return s.draw(s.State, rng), room
	}
	return s.State.Draw(rng, room)
}

func (s *state) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.outcomes != nil {
		return s.outcomes(s.State, dst)
	}
	return s.State.Outcomes(dst)
}

func (s *state) Apply(a engine.Action) error {
	if s.apply != nil {
		return s.apply(s, a)
	}
	return s.State.Apply(a)
}

func (s *state) Returns(dst []float32) []float32 {
	if s.returns != nil {
		return s.returns(s.State, dst)
	}
	return s.State.Returns(dst)
}

func (s *state) CopyFrom(src engine.State) {
	from := src.(*state)
	if s.copyFrom != nil {
		s.copyFrom(s, from)
		return
	}
	s.State.CopyFrom(from.State)
}

func (s *state) Hash() uint64 {
	if s.hash != nil {
		return s.hash(s.State)
	}
	return s.State.Hash()
}

func (s *state) MarshalJSON() ([]byte, error) {
	if s.marshal != nil {
		return s.marshal(s.State)
	}
	return s.State.MarshalJSON()
}

func (s *state) Describe(a engine.Action) string {
	if s.describe != nil {
		return s.describe(s.State, a)
	}
	return s.State.Describe(a)
}

func (s *state) NewView() engine.View {
	if s.newView != nil {
		return s.newView()
	}
	return s.State.NewView()
}

func (s *state) See(p engine.Player, v engine.View) {
	if s.see != nil {
		s.see(s, p, v)
		return
	}
	s.State.See(p, v)
}

func (s *state) Redeal(v engine.View, rng *rand.PCG) {
	if s.redeal != nil {
		s.redeal(s.State, v, rng)
		return
	}
	s.State.Redeal(v, rng)
}

func (s *state) Shows(p engine.Player, a engine.Action) bool {
	if s.shows != nil {
		return s.shows(s.State, p, a)
	}
	return s.State.Shows(p, a)
}

func (s *state) Listen(tell func(e *engine.Event)) {
	if s.listen != nil {
		s.listen(s.State, tell)
		return
	}
	s.State.Listen(tell)
}

// bare is a state of nothing but what engine.State demands.
type bare struct{ engine.State }

func (s bare) CopyFrom(src engine.State) { s.State.CopyFrom(src.(bare).State) }

// playable is a view that is a state.
type playable struct {
	engine.State
	engine.Teller
}

func (p playable) ToAct() engine.Player                      { return p.State.ToAct() }
func (p playable) Legal(dst []engine.Action) []engine.Action { return p.State.Legal(dst) }
func (p playable) Hash() uint64                              { return p.State.Hash() }
func (p playable) MarshalJSON() ([]byte, error)              { return p.State.MarshalJSON() }

// loading makes a Load that reads what Kuhn poker reads, and changes what comes of it.
func loading(change func(data []byte, s engine.State, err error) (engine.State, error)) func([]byte, engine.Strictness) (engine.State, error) {
	return func(data []byte, how engine.Strictness) (engine.State, error) {
		s, err := kuhnGame.Load(data, how)
		return change(data, s, err)
	}
}

// TestSoundGame is the measure of the tests below: without a fault nothing is found.
func TestSoundGame(t *testing.T) {
	for _, every := range []int{0, 1, 3} {
		v := trial.Of(t, func(t testing.TB) {
			enginetest.Run(t, enginetest.Suite{Game: newBroken(t, faults{}), Games: 20, Every: every, Position: kuhn.Position{}})
		})
		if v.Failed() {
			t.Errorf("every %d: %q, panic %v", every, v.Lines, v.Panic)
		}
	}
}
