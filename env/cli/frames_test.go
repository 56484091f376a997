package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/replay"
	"powderkeg/env"
)

// recorded is a game of Leduc, in which seat 0 holds one card and seat 1 the other given.
func recorded(t *testing.T, hidden string) (engine.Game, *replay.Record) {
	t.Helper()
	g, err := env.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	r := replay.New(g)
	s := g.New()
	for _, want := range []string{"", hidden, "call", "call"} {
		move := engine.Moves(s)[0]
		for _, a := range engine.Moves(s) {
			if engine.MoveName(g, s, a) == want {
				move = a
			}
		}
		r.Add(g, s, move)
		if err := s.Apply(move); err != nil {
			t.Fatal(err)
		}
	}
	r.Close(s)
	return g, r
}

// The pictures of a seat are the same in two games that it cannot tell apart, and those of the
// seat that can are not.
func TestFramesTellNoSecrets(t *testing.T) {
	g, _ := recorded(t, "")
	s := g.New()
	if err := s.Apply(engine.Moves(s)[0]); err != nil {
		t.Fatal(err)
	}
	moves := engine.Moves(s)
	one, other := engine.MoveName(g, s, moves[0]), engine.MoveName(g, s, moves[len(moves)-1])
	draw := func(hidden string, seat engine.Player) []byte {
		g, r := recorded(t, hidden)
		folder := filepath.Join(t.TempDir(), "pictures")
		n, err := writeFrames(g, r, seat, folder, 60)
		if err != nil || n < 2 {
			t.Fatalf("%d pictures, %v", n, err)
		}
		var list frames
		var all []byte
		text, err := os.ReadFile(filepath.Join(folder, "frames.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &list); err != nil || len(list.Frames) != n || list.Seat != int(seat) {
			t.Fatalf("%d pictures of seat %d listed, want %d of %d; %v", len(list.Frames), list.Seat, n, seat, err)
		}
		for _, f := range list.Frames {
			picture, err := os.ReadFile(filepath.Join(folder, f.File))
			if err != nil || !bytes.HasPrefix(picture, []byte("<svg ")) {
				t.Fatalf("%s: %.40q, %v", f.File, picture, err)
			}
			all = append(all, picture...)
		}
		return append(all, text...)
	}
	if !bytes.Equal(draw(one, 0), draw(other, 0)) {
		t.Errorf("seat 0 sees whether seat 1 holds %s or %s", one, other)
	}
	if bytes.Equal(draw(one, 1), draw(other, 1)) {
		t.Errorf("seat 1 does not see its own card")
	}
}

// A game is drawn at most so many times, its end last, and into a new folder alone.
func TestFramesAreSpread(t *testing.T) {
	g, r := recorded(t, "")
	for _, most := range []int{2, 3, 60} {
		folder := filepath.Join(t.TempDir(), "pictures")
		if n, err := writeFrames(g, r, 0, folder, most); err != nil || n > most || n < 2 {
			t.Errorf("%d pictures for at most %d: %v", n, most, err)
		}
		if _, err := writeFrames(g, r, 0, folder, most); Code(err) != codeUsage {
			t.Errorf("pictures over others: %v, exit code %d", err, Code(err))
		}
	}
}
