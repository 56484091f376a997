package replay_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/replay"
)

const kuhnGame = `{"format":"powderkeg-replay/1","game":"kuhn","rules":1,"moves":["K","J","bet","pass"],"returns":[1,-1],"hash":"HASH"}`

func record(t *testing.T, change func(*replay.Record)) (engine.Game, *replay.Record) {
	t.Helper()
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	r := replay.New(g, "first", "second")
	s := g.New()
	for _, name := range []string{"K", "J", "bet", "pass"} {
		a, err := engine.FindMove(g, s, name)
		if err != nil {
			t.Fatal(err)
		}
		r.Add(g, s, a)
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	r.Close(s)
	change(r)
	return g, r
}

func TestPlayVerifies(t *testing.T) {
	for want, change := range map[string]func(*replay.Record){
		"":                        func(*replay.Record) {},
		"version 9 of the rules":  func(r *replay.Record) { r.Rules = 9 },
		`move 2: illegal: "K"`:    func(r *replay.Record) { r.Moves[1] = "K" },
		`"fold" is unknown`:       func(r *replay.Record) { r.Moves[3] = "fold" },
		"comes after the end":     func(r *replay.Record) { r.Moves = append(r.Moves, "bet") },
		"the record says 00":      func(r *replay.Record) { r.Hash = "00" },
		"the record says [2 -2]":  func(r *replay.Record) { r.Returns = []float32{2, -2} },
		"the last state has hash": func(r *replay.Record) { r.Moves = r.Moves[:3] },
		"bad position":            func(r *replay.Record) { r.Position = json.RawMessage(`{"cards":["X"]}`) },
	} {
		g, r := record(t, change)
		_, err := replay.Play(g, r, nil)
		if want == "" {
			if err != nil {
				t.Errorf("the true record is refused: %v", err)
			}
			continue
		}
		if !errors.Is(err, replay.ErrRecord) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestPlayFromAPosition(t *testing.T) {
	g, r := record(t, func(r *replay.Record) {
		r.Position = json.RawMessage(`{"cards":["K","J"]}`)
		r.Moves = r.Moves[2:]
	})
	var seats []engine.Player
	if _, err := replay.Play(g, r, func(s engine.State, _ engine.Action) { seats = append(seats, s.ToAct()) }); err != nil {
		t.Fatal(err)
	}
	if len(seats) != 2 || seats[0] != 0 || seats[1] != 1 {
		t.Errorf("the moves were made by the seats %v, want 0 and 1", seats)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                      "it ends in the middle",
		`{"format":"chess-pgn"}`: `format is "chess-pgn"`,
		`{"move":[]}`:            `unknown field "move"`,
	} {
		if _, err := replay.Parse([]byte(text)); !errors.Is(err, replay.ErrRecord) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(kuhnGame))
	g, err := games.New("kuhn")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := replay.Parse(data); err == nil {
			_, _ = replay.Play(g, r, nil) // must not panic
		}
	})
}
