package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

func TestStartAt(t *testing.T) {
	g := enginetest.Game(t, "leduc")
	const position = `{"cards":["Js","Kh"],"round1":["call"]}`
	started, err := engine.StartAt(g, []byte(position))
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.Load([]byte(position), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	s := started.New()
	if s.Hash() != want.Hash() || s.ToAct() != 1 || started.Spec() != g.Spec() {
		t.Errorf("seat %d is to act at the start of %s", s.ToAct(), started.Spec().Text)
	}
	// Playing on changes neither the start nor another state.
	if err := s.Apply(s.Legal(nil)[0]); err != nil {
		t.Fatal(err)
	}
	if again := started.New(); again.Hash() != want.Hash() {
		t.Error("the start has changed")
	}
	if engine.Original(started) != g || engine.Original(g) != g {
		t.Error("Original does not return the game as it was")
	}
	for position, part := range map[string]string{
		`{"cards":["Js","Js"]}`:                           "not possible",
		`{"cards":["Js","Kh"],"round1":["raise","fold"]}`: "the game is over",
	} {
		if _, err := engine.StartAt(g, []byte(position)); !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error %v, want %q", position, err, part)
		}
	}
}

func TestHeadings(t *testing.T) {
	var opened, told []string
	log := engine.NewLog(enginetest.Game(t, "jogu"), 0, func(line string) { told = append(told, line) })
	round := &engine.Event{Kind: "round", Seen: 1, Text: "Round 1"}
	log.Event(round)
	log.Headings(func(line string) { opened = append(opened, line) })
	log.Event(round)
	log.Event(&engine.Event{Kind: "round", Seen: 2, Text: "not for seat 0"})
	log.Event(&engine.Event{Kind: "battle", Seen: 1, Text: "a battle"})
	if got := fmt.Sprint(told, opened); got != "[Round 1 a battle] [Round 1]" {
		t.Errorf("told and opened are %s", got)
	}
}
