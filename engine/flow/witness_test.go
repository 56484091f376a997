package flow

import (
	"reflect"
	"testing"

	"powderkeg/engine"
)

func table() *Kinds {
	return NewKinds(func(name string, value any) string {
		if name == "cards" && value == "bio" {
			return "Bio Weapons"
		}
		return ""
	}, []Kind{
		{"draw", "Seat {seat} draws {cards}", "Seat {seat} draws a card"},
		{"score", "Seat {seat} scores {vp}", ""},
		{"win", "Seat {seat} wins{}", ""},
	})
}

func TestWitness(t *testing.T) {
	var got []engine.Event
	w := NewWitness(table(), 3, func(e *engine.Event) { got = append(got, *e) })
	w.All("score", "R9.3", Arg("seat", 2), Arg("vp", 12))
	w.Some(1<<1, "draw", "R6.2", Arg("seat", 1), Arg("cards", []string{"bio", "fog"}))
	w.Others(1<<1, "draw", "R6.2", Arg("seat", 1))
	w.Some(7, "draw", "R6.2", Arg("seat", 0), Arg("cards", []string{}))
	w.All("win", "R9.4", Arg("seat", 1), Said(", as start player"))
	w.Others(7, "draw", "R6.2", Arg("seat", 0)) // nobody is left to be told less
	want := []engine.Event{
		{Kind: "score", Rule: "R9.3", Seen: 7, Text: "Seat 2 scores 12"},
		{Kind: "draw", Rule: "R6.2", Seen: 2, Text: "Seat 1 draws Bio Weapons, fog"},
		{Kind: "draw", Rule: "R6.2", Seen: 5, Veiled: true, Text: "Seat 1 draws a card"},
		{Kind: "draw", Rule: "R6.2", Seen: 7, Text: "Seat 0 draws none"},
		{Kind: "win", Rule: "R9.4", Seen: 7, Text: "Seat 1 wins, as start player"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d: %+v", len(got), len(want), got)
	}
	for i, e := range got {
		if len(e.Args) == 0 || e.Kind == "win" && len(e.Args) != 1 {
			t.Errorf("event %d has the arguments %v", i, e.Args)
		}
		e.Args = nil
		if e.Kind != want[i].Kind || e.Rule != want[i].Rule || e.Seen != want[i].Seen || e.Veiled != want[i].Veiled || e.Text != want[i].Text {
			t.Errorf("event %d is %+v, want %+v", i, e, want[i])
		}
	}
	if NewWitness(table(), 2, nil) != nil {
		t.Error("without a listener there is a witness")
	}
}

func TestWitnessFaults(t *testing.T) {
	w := NewWitness(table(), 2, func(*engine.Event) {})
	for name, fault := range map[string]func(){
		"a kind without a row":      func() { w.All("battle", "R1") },
		"an argument that is short": func() { w.All("score", "R9.3", Arg("seat", 1)) },
		"two rows of a kind":        func() { NewKinds(nil, []Kind{{Name: "a"}, {Name: "a"}}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is not refused", name)
				}
			}()
			fault()
		}()
	}
}

// place is a type that events have as a number.
type place uint8

func plainly(value any) any {
	if p, ok := value.(place); ok {
		return int(p)
	}
	return value
}

// What a kind tells by places: to those who may know all, and less of it to the others.
func TestTell(t *testing.T) {
	var got []engine.Event
	w := NewWitness(table(), 3, func(e *engine.Event) { got = append(got, *e) })
	drawn := Veil("Seat {seat} draws a card", Tells("draw", "seat (cards)", "Seat {seat} draws {cards}"))
	scored := Tells("score", "seat vp", "Seat {seat} scores {vp}")
	w.Tell(1<<1, drawn, "R6.2", plainly, []any{place(1), "bio"})
	w.Tell(Everybody, scored, "R9.3", plainly, []any{2, 12})
	w.Tell(1<<0, scored, "R9.3", plainly, []any{0, 3}) // the others are told nothing
	want := []engine.Event{
		{Kind: "draw", Rule: "R6.2", Args: []engine.Arg{Arg("seat", 1), Arg("cards", "bio")}, Seen: 2, Text: "Seat 1 draws Bio Weapons"},
		{Kind: "draw", Rule: "R6.2", Args: []engine.Arg{Arg("seat", 1)}, Seen: 5, Veiled: true, Text: "Seat 1 draws a card"},
		{Kind: "score", Rule: "R9.3", Args: []engine.Arg{Arg("seat", 2), Arg("vp", 12)}, Seen: 7, Text: "Seat 2 scores 12"},
		{Kind: "score", Rule: "R9.3", Args: []engine.Arg{Arg("seat", 0), Arg("vp", 3)}, Seen: 1, Text: "Seat 0 scores 3"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("told\n%+v\nwant\n%+v", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("an event with too few values was told")
		}
	}()
	w.Tell(Everybody, scored, "R9.3", plainly, []any{2})
}
