package human

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/games"
)

// stopper is an input at which a person presses Ctrl-C in the place of an answer, and then names a file.
type stopper struct {
	stop context.CancelFunc
	io.Reader
}

func (s *stopper) Read(p []byte) (int, error) {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	return s.Reader.Read(p)
}

// Whoever stops a game by Ctrl-C is offered its replay; what ends a program otherwise asks nothing.
func TestStoppedGameIsOffered(t *testing.T) {
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for _, person := range []bool{true, false} {
		ctx, stop := context.WithCancel(t.Context())
		var out strings.Builder
		saved := ""
		err := Session{
			Game: g, Seats: []Seat{{Name: "you"}, {Name: "random", Agent: random.New()}}, Seed: 1,
			In: &stopper{stop, strings.NewReader("game.json\n")}, Out: &out,
			Save:        func(name string, _ []byte) error { saved = name; return nil },
			Interrupted: func(context.Context) bool { return person },
		}.Play(ctx)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("person %v: the error is %v", person, err)
		}
		if want := map[bool]string{true: "game.json"}[person]; saved != want {
			t.Errorf("person %v: saved to %q, want %q; the terminal shows\n%s", person, saved, want, out.String())
		}
	}
}

// Moves that were made before are not told again unless asked for, and the game goes on from them.
func TestGameGoesOn(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	s := g.New()
	var played []engine.Action
	for _, name := range []string{"K", "Q"} {
		a, err := engine.FindMove(g, s, name)
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, a)
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := (Session{
		Game: g, Seats: []Seat{{Name: "you"}, {Name: "random", Agent: random.New()}}, Played: played,
		In: strings.NewReader("history\nbet\n"), Out: &out,
	}).Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(out.String(), "your choice")
	if !ok || strings.Contains(before, "is dealt") || !strings.Contains(before, "seat 0: K") || !strings.Contains(after, "Seat 0 is dealt K") {
		t.Errorf("the terminal shows\n%s", out.String())
	}
}

func TestLinesAreFoldedBetweenWords(t *testing.T) {
	for _, c := range []struct {
		width      int
		text, want string
	}{
		{0, "one two three", "one two three"},
		{8, "one two three", "one two\n  three"},
		{7, "one two three", "one two\n  three"},
		{6, "one two three", "one\n  two\n  three"},
		{9, "  one two three\nfour\n", "  one two\n    three\nfour\n"},
		{4, "incomparable", "incomparable"},
		{8, "an incomparable one", "an\n  incomparable one"},
		{7, "héé tüü éé", "héé tüü\n  éé"},
	} {
		if got := fold(c.text, c.width); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
