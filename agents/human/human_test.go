package human_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/replay"
)

func Example() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = human.Session{
		Game:  g,
		Seats: []human.Seat{{Name: "you"}, {Name: "random", Agent: random.New()}},
		Seed:  2,
		In:    strings.NewReader("bet\n"),
		Out:   os.Stdout,
	}.Play(context.Background())
	fmt.Println("error:", err)
	// Output:
	// Kuhn poker (kuhn)
	//   seat 0: you
	//   seat 1: random
	//   Seat 0 is dealt K
	//   Seat 1 is dealt a card
	//
	// seat 0: K
	// seat 1: ?
	// betting:
	//
	// Check, or bet 1 chip.
	//     1  pass  check
	//     2  bet
	// Seat 0, your choice (1-2, or ? for help):   You: bet
	//   Seat 1: call
	//   Both cards are shown: K, J
	//   Seat 0 wins 2 chips
	//
	// seat 0: K
	// seat 1: J
	// betting: bet bet
	//
	// Game over: seat 0 (you) wins.
	//   seat 0 (you): +2
	//   seat 1 (random): -2
	// error: <nil>
}

// TestAnswers gives one line and sees what comes of it at the first decision of
// connect4 or kuhn.
func TestAnswers(t *testing.T) {
	for _, c := range []struct{ game, moves, answer, want, shown string }{
		{"kuhn", "K Q", "2", "bet", ""},
		{"kuhn", "K Q", "  BET ", "bet", ""},
		{"kuhn", "K Q", "b", "bet", ""},
		{"kuhn", "K Q", "check", "pass", ""}, // the description
		{"kuhn", "K Q bet", "fold", "pass", ""},
		{"kuhn", "K Q", "3\n1", "pass", "There is no choice 3; there are 1 to 2."},
		{"kuhn", "K Q", "0\n1", "pass", "There is no choice 0"},
		{"kuhn", "K Q", "\n\n1", "pass", ""},
		{"kuhn", "K Q", "raise\n1", "pass", `No choice is called "raise"`},
		{"kuhn", "K Q", "?\n1", "pass", "tells all moves"},
		{"kuhn", "K Q", "rules 1.1\nRULES R1.1\n1", "pass", "\nR1.1  "},
		{"kuhn", "K Q", "rules zebra\n1", "pass", `No rule has the number or the word "zebra"; the chapters are R1`},
		{"kuhn", "K Q", "list che\nlist\n1", "pass", "    1  pass  check\nSeat 0"},
		{"kuhn", "K Q", "list zebra\n1", "pass", `No choice has "zebra" in it.`},
		{"kuhn", "K Q", "show\n1", "pass", "seat 1: ?"},
		{"connect4", "", "column\n4", "column_4", `"column" could be column_1 or column_2`},
		{"connect4", "", "column_7", "column_7", ""},
		{"connect4", "", "_5", "column_5", ""},    // what the name is about
		{"connect4", "", "umn 5", "column_5", ""}, // a part that no other choice has
	} {
		g := enginetest.Game(t, c.game)
		s := enginetest.After(t, g, strings.Fields(c.moves)...)
		p := s.ToAct()
		var out strings.Builder
		a := human.New(g, human.NewTerminal(strings.NewReader(c.answer+"\n"), &out))
		a.Start(p, 0)
		got, err := a.Act(context.Background(), engine.Look(s, p), s.Legal(nil))
		if err != nil || engine.MoveName(g, s, got) != c.want {
			t.Errorf("%s, answer %q: got %s, error %v, want %s\n%s", c.game, c.answer, engine.MoveName(g, s, got), err, c.want, out.String())
		}
		if !strings.Contains(out.String(), c.shown) {
			t.Errorf("%s, answer %q: the output lacks %q:\n%s", c.game, c.answer, c.shown, out.String())
		}
	}
}

func TestForcedChoiceIsMade(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	s := enginetest.After(t, g, strings.Fields("a1 b1 c1 b2 a2 a3 b3 c2")...)
	var out strings.Builder
	a := human.New(g, human.NewTerminal(strings.NewReader(""), &out))
	a.Start(0, 0)
	got, err := a.Act(context.Background(), s, s.Legal(nil))
	if err != nil || engine.MoveName(g, s, got) != "c3" {
		t.Errorf("the last square: got %s, error %v, want c3", engine.MoveName(g, s, got), err)
	}
	if !strings.Contains(out.String(), "one choice: c3") {
		t.Errorf("the forced choice is not announced:\n%s", out.String())
	}
}

func TestLeaving(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	for name, in := range map[string]io.Reader{
		"quit":         strings.NewReader("quit\n"),
		"end of input": strings.NewReader(""),
	} {
		a := human.New(g, human.NewTerminal(in, io.Discard))
		a.Start(0, 0)
		s := g.New()
		if _, err := a.Act(context.Background(), s, s.Legal(nil)); !errors.Is(err, human.ErrQuit) {
			t.Errorf("%s: error is %v, want ErrQuit", name, err)
		}
	}
	long := strings.NewReader(strings.Repeat("x", 1<<20))
	a := human.New(g, human.NewTerminal(long, io.Discard))
	a.Start(0, 0)
	s := g.New()
	if _, err := a.Act(context.Background(), s, s.Legal(nil)); err == nil || errors.Is(err, human.ErrQuit) {
		t.Errorf("a line of a megabyte: error is %v, want that of a line too long", err)
	}
}

// TestCancelWhileWaiting cancels a person who does not answer, and then takes the
// answer that comes late.
func TestCancelWhileWaiting(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	in, typed := io.Pipe()
	defer typed.Close() // ends the read that may be going on
	a := human.New(g, human.NewTerminal(in, io.Discard))
	a.Start(0, 0)
	s := g.New()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Act(ctx, s, s.Legal(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	go func() { io.WriteString(typed, "column_3\n") }()
	if got, err := a.Act(context.Background(), s, s.Legal(nil)); err != nil || engine.MoveName(g, s, got) != "column_3" {
		t.Errorf("after the cancel: got %s, error %v, want column_3", engine.MoveName(g, s, got), err)
	}
}

// TestTwoPeopleKeepTheirSecrets plays kuhn at one terminal. Between the turns
// there must be a curtain, and after it nothing of the other's card.
func TestTwoPeopleKeepTheirSecrets(t *testing.T) {
	var out strings.Builder
	err := human.Session{
		Game:  enginetest.Game(t, "kuhn"),
		Seats: []human.Seat{{Name: "Ann"}, {Name: "Bob"}},
		Seed:  2,
		In:    strings.NewReader("pass\n\nbet\n\nbet\n"),
		Out:   &out,
	}.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(out.String(), strings.Repeat("\n", 60))
	if len(parts) != 3 {
		t.Fatalf("%d curtains in a game of three turns, want 2:\n%s", len(parts)-1, out.String())
	}
	for i, part := range parts {
		own, other := i%2, 1-i%2
		if !strings.Contains(part, fmt.Sprintf("seat %d: ?", other)) || strings.Contains(part, fmt.Sprintf("seat %d: ?", own)) {
			t.Errorf("turn %d does not show the card of seat %d alone:\n%s", i+1, own, part)
		}
		for _, card := range "JQK" {
			if strings.Contains(part, fmt.Sprintf("deal %c to seat %d", card, other)) {
				t.Errorf("turn %d tells the card of seat %d:\n%s", i+1, other, part)
			}
		}
	}
}

// TestSavesReplay refuses the first name, saves under the second, and plays the
// file again.
func TestSavesReplay(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	saved := map[string][]byte{}
	var out strings.Builder
	err := human.Session{
		Game:  g,
		Seats: []human.Seat{{Name: "you"}, {Name: "random", Agent: random.New()}},
		Seed:  1,
		In:    strings.NewReader("1\n1\n1\n1\n1\n1\n1\n1\n1\nbad\ngood.json\n"),
		Out:   &out,
		Save: func(name string, data []byte) error {
			if name != "good.json" {
				return errors.New("no such folder")
			}
			saved[name] = data
			return nil
		},
	}.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "That did not work: no such folder") || !strings.Contains(out.String(), "Saved to good.json.") {
		t.Errorf("output lacks the refusal or the success:\n%s", out.String())
	}
	r, err := replay.Parse(saved["good.json"])
	if err != nil {
		t.Fatal(err)
	}
	end, err := replay.Play(g, r, nil)
	if err != nil || end.ToAct() != engine.Terminal {
		t.Errorf("the replay ends at seat %d, error %v, want the end of the game", end.ToAct(), err)
	}
	if got, _ := json.Marshal(r.Players); string(got) != `["you","random"]` {
		t.Errorf("players are %s, want you and random", got)
	}
}

func TestLeftGameIsToldAndSaved(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	var out strings.Builder
	var data []byte
	err := human.Session{
		Game:  g,
		Seats: []human.Seat{{Name: "you"}, {Name: "random", Agent: random.New()}},
		In:    strings.NewReader("b2\nquit\nleft.json\n"),
		Out:   &out,
		Save:  func(_ string, d []byte) error { data = d; return nil },
	}.Play(context.Background())
	if err != nil {
		t.Errorf("leaving is reported as %v, want no error", err)
	}
	if !strings.Contains(out.String(), "The game ends here, undecided.") {
		t.Errorf("output does not say that the game is undecided:\n%s", out.String())
	}
	r, err := replay.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Play(g, r, nil); err != nil || len(r.Moves) != 2 || r.Returns != nil {
		t.Errorf("replay has moves %v, returns %v, error %v, want two moves of an unfinished game", r.Moves, r.Returns, err)
	}
}

func TestSeatsMustFit(t *testing.T) {
	err := human.Session{Game: enginetest.Game(t, "kuhn"), Seats: []human.Seat{{Name: "you"}}, In: strings.NewReader(""),
		Out: io.Discard}.Play(context.Background())
	if err == nil || !strings.Contains(err.Error(), "1 players for the 2 seats of kuhn") {
		t.Errorf("error is %v, want that one player is too few", err)
	}
}
