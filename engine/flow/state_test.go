package flow

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
)

// A toy over the shell: a die says how many steps a pawn may take at most, a seat says
// in secret how many it takes, and the first at ten has won. A single step is taken
// unasked.
const (
	askDie uint8 = iota
	askSteps
	askEnd
)

type toyPosition struct {
	Rest[[1]uint64]
	die, turn uint8
	at        [2]uint8
}

type toy struct {
	spec  engine.Spec
	table []Row[*toy, toyPosition]
	kinds *Kinds
}

func newToy() *toy {
	return &toy{
		spec:  engine.Spec{Name: "toy", Seats: 2, Actions: []string{"step 1", "step 2", "step 3"}, Outcomes: []string{"1", "2", "3"}},
		kinds: NewKinds(nil, []Kind{{Name: "rolled", Text: "A roll of {die}"}}),
		table: []Row[*toy, toyPosition]{
			askDie:   {Name: "die", Rule: "R1", Do: (*toy).rolled, Odds: Die[*toy, toyPosition](0, 3)},
			askSteps: {Name: "D1", Rules: []string{"R2", "R3"}, Do: (*toy).steps},
			askEnd:   {},
		},
	}
}

func (g *toy) Spec() *engine.Spec                                          { return &g.spec }
func (g *toy) Table() []Row[*toy, toyPosition]                             { return g.table }
func (g *toy) Kinds() *Kinds                                               { return g.kinds }
func (g *toy) Encode(p *toyPosition) ([]byte, error)                       { return fmt.Appendf(nil, "%v", p.at), nil }
func (g *toy) Blank(p *toyPosition, seat engine.Player)                    { p.at[1-seat] = 0 }
func (g *toy) Check(*toyPosition) error                                    { return nil }
func (g *toy) Describe(_ *toyPosition, a engine.Action) string             { return g.spec.Actions[a] }
func (g *toy) Veil(*toyPosition, engine.Action) string                     { return "some steps" }
func (g *toy) Waits(p *toyPosition) bool                                   { return p.Choices().Size() > 1 }
func (g *toy) Shows(p *toyPosition, s engine.Player, _ engine.Action) bool { return s == p.Actor }

func (g *toy) Hash(p *toyPosition) uint64 {
	return uint64(engine.NewHash().Bytes([]byte{p.Ask, uint8(p.Actor), p.die, p.turn, p.at[0], p.at[1]}))
}

func (g *toy) Next(p *toyPosition, _ *Witness) bool {
	switch {
	case p.at[0] >= 10 || p.at[1] >= 10:
		return p.Put(askEnd, engine.Terminal)
	case p.die == 0:
		return p.Put(askDie, engine.Chance)
	}
	p.Offer().AddBits(0, 1<<p.die-1)
	return p.Put(askSteps, engine.Player(p.turn))
}

func (g *toy) rolled(p *toyPosition, w *Witness, a engine.Action) {
	if p.die = uint8(a) + 1; w != nil {
		w.All("rolled", "R1", Arg("die", int(p.die)))
	}
}

func (g *toy) steps(p *toyPosition, _ *Witness, a engine.Action) {
	p.at[p.turn] += uint8(a) + 1
	p.die, p.turn = 0, 1-p.turn
}

type toyState = State[*toy, toyPosition, [1]uint64]

func newToyState(at ...uint8) *toyState {
	p := toyPosition{}
	copy(p.at[:], at)
	s := NewState[*toy, toyPosition, [1]uint64](newToy(), &p)
	s.Settle()
	return &s
}

func apply(t *testing.T, s *toyState, moves ...engine.Action) {
	t.Helper()
	for _, a := range moves {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
}

func TestShellPlays(t *testing.T) {
	s := newToyState()
	if got := s.Outcomes(nil); s.ToAct() != engine.Chance || len(got) != 3 || got[2] != (engine.Outcome{Action: 2, Weight: 1}) ||
		len(s.Legal(nil)) != 0 {
		t.Fatalf("the game begins with seat %d and the outcomes %v", s.ToAct(), got)
	}
	apply(t, s, 2)
	if s.ToAct() != 0 || !slices.Equal(s.Legal(nil), []engine.Action{0, 1, 2}) || len(s.Outcomes(nil)) != 0 {
		t.Fatalf("after a roll of 3 seat %d has %v", s.ToAct(), s.Legal(nil))
	}
	apply(t, s, 1)
	if apply(t, s, 0); s.P.at != [2]uint8{2, 1} || s.ToAct() != engine.Chance {
		t.Errorf("a single step is not taken unasked: %+v", s.P)
	}
	if s = newToyState(9, 0); s.ToAct() != engine.Chance {
		t.Fatal("the pawn has not arrived")
	}
	if apply(t, s, 0); s.ToAct() != engine.Terminal || len(s.Legal(nil)) != 0 {
		t.Errorf("at ten seat %d is to act", s.ToAct())
	}
}

func TestShellRefuses(t *testing.T) {
	chance, seat, end := newToyState(), newToyState(), newToyState(10, 0)
	apply(t, seat, 1)
	for name, c := range map[string]struct {
		s    *toyState
		a    engine.Action
		want string
	}{
		"an impossible outcome": {chance, 3, "outcome 3 is not possible here"},
		"a negative outcome":    {chance, -1, "outcome -1 is not possible here"},
		"an illegal action":     {seat, 2, "step 3 is not possible in decision D1 of seat 0 (R2)"},
		"an action unheard of":  {seat, 64, "action 64 is not possible in decision D1 of seat 0 (R2)"},
		"a move after the end":  {end, 0, "step 1 after the end of the game"},
		"a negative action":     {seat, -1, "action -1 is not possible"},
	} {
		before := c.s.Hash()
		if err := c.s.Apply(c.a); !errors.Is(err, engine.ErrIllegal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if c.s.Hash() != before {
			t.Errorf("%s changes the state", name)
		}
	}
}

// Moves are told, forced ones too, to those who get to know of them, and veiled to the
// others.
func TestShellTellsMoves(t *testing.T) {
	s := newToyState()
	var told []string
	s.Listen(func(e *engine.Event) {
		told = append(told, fmt.Sprintf("%d %t %s %s %v %s", e.Seen, e.Veiled, e.Kind, e.Rule, e.Args, e.Text))
	})
	other := newToyState()
	other.Copy(s)
	apply(t, other, 1)
	if len(told) != 0 {
		t.Errorf("a copy tells %q", told)
	}
	apply(t, s, 1, 1, 0)
	want := []string{
		"3 false rolled R1 [{die 2}] A roll of 2",
		"2 true move R2 [{seat 0} {decision D1}] Seat 0: some steps",
		"1 false move R2 [{seat 0} {decision D1} {action step 2}] Seat 0: step 2",
		"3 false rolled R1 [{die 1}] A roll of 1",
		"1 true move R3 [{seat 1} {decision D1}] Seat 1: some steps",
		"2 false move R3 [{seat 1} {decision D1} {action step 1}] Seat 1: step 1",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told is\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	s.Listen(nil)
	if apply(t, s, 2); len(told) != len(want) {
		t.Error("a listener that has left is told")
	}
}

func TestShellResumes(t *testing.T) {
	for decision, want := range map[any]bool{nil: true, "D1": true, "die": false, "D2": false, 1: false} {
		s := newToyState()
		apply(t, s, 1)
		s.P.Rest = Rest[[1]uint64]{}
		err := s.Resume(decision)
		if (err == nil) != want || err != nil && !errors.Is(err, engine.ErrPosition) {
			t.Errorf("a position that waits for D1 is resumed at %v: %v", decision, err)
		}
		if want && (s.ToAct() != 0 || len(s.Legal(nil)) != 2) {
			t.Errorf("resumed at %v, seat %d is to act", decision, s.ToAct())
		}
	}
}

func TestShellShows(t *testing.T) {
	s := newToyState(4, 5)
	var v View[*toy, toyPosition, [1]uint64]
	if s.Show(1, &v); v.P.at != [2]uint8{0, 5} || s.P.at != [2]uint8{4, 5} || v.ToAct() != engine.Chance {
		t.Errorf("seat 1 sees %v of %v", v.P.at, s.P.at)
	}
	if s.Show(engine.Everything, &v); v.P.at != s.P.at || v.Hash() != s.Hash() {
		t.Errorf("everything is %v, want %v", v.P.at, s.P.at)
	}
}

func TestShellAsks(t *testing.T) {
	s := newToyState()
	var v View[*toy, toyPosition, [1]uint64]
	for i, want := range [][2]string{{"die", "R1"}, {"D1", "R2"}, {"", ""}} {
		s.Show(0, &v)
		question, rule := s.Asks()
		seen, by := v.Asks()
		if got, looked := [2]string{question, rule}, [2]string{seen, by}; got != want || looked != want {
			t.Errorf("question %d is %v, in the view %v, want %v", i, got, looked, want)
		}
		switch i {
		case 0:
			apply(t, s, 2)
		case 1:
			s = newToyState(10, 0)
		}
	}
}

// A position that does not begin with the question would be read wrongly.
func TestShellWantsTheQuestionFirst(t *testing.T) {
	defer func() {
		if e := recover(); e == nil || !strings.Contains(fmt.Sprint(e), "begins with") {
			t.Errorf("it is taken, or breaks down by %v", e)
		}
	}()
	NewState[*toy, toyPosition, [2]uint64](newToy(), &toyPosition{})
}

func TestSet(t *testing.T) {
	s := Set(make([]uint64, 2))
	s.Add(3)
	s.AddBits(60, 0b100111) // across the words
	want := []engine.Action{3, 60, 61, 62, 65}
	if got := s.Append(nil); !slices.Equal(got, want) || s.Size() != 5 || s.First() != 3 {
		t.Errorf("the set holds %v, %d of them, the first %d", got, s.Size(), s.First())
	}
	for _, a := range []engine.Action{-1, 4, 64, 128, 1 << 30} {
		if s.Has(a) {
			t.Errorf("the set has %d", a)
		}
	}
	s.Clear()
	s.AddBits(64, 1)
	if s.First() != 64 || s.Size() != 1 {
		t.Errorf("the set holds %v", s.Append(nil))
	}
	defer func() {
		if recover() == nil {
			t.Error("no action is the first")
		}
	}()
	Set{0}.First()
}
