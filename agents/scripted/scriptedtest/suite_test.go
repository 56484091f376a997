package scriptedtest

import (
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
)

// chooser is a player that is a function.
type chooser func(legal []engine.Action) engine.Action

func (c chooser) Choose(_ engine.View, _ engine.Player, legal []engine.Action, _ *rand.PCG) engine.Action {
	return c(legal)
}

func first(legal []engine.Action) engine.Action { return legal[0] }

// of makes suites of one player.
func of(c chooser) Suite {
	return Suite{New: func(engine.Game) agents.Policy { return c }, Games: []string{"kuhn"}, Times: 4}
}

var (
	kept  []int
	calls int
)

func TestFaultyPlayers(t *testing.T) {
	run := func(c chooser) func(t testing.TB) {
		return func(t testing.TB) { of(c).run(t, 0, "kuhn") }
	}
	if v := trial.Of(t, run(first)); v.Failed() {
		t.Fatalf("a sound player: %q, panic %v", v.Lines, v.Panic)
	}
	trial.Finds(t, run(func([]engine.Action) engine.Action { return 7 }), "illegal: action #7")
	trial.Finds(t, run(func(legal []engine.Action) engine.Action { calls++; return legal[calls%2] }), "with other hidden parts")
	trial.Finds(t, run(func([]engine.Action) engine.Action { panic("boom") }), "kuhn panics: boom")
	if !enginetest.Race {
		trial.Finds(t, run(func(legal []engine.Action) engine.Action { kept = make([]int, 9); return legal[0] }), "allocations in")
	}
}

func TestSuitesThatMakeNoSense(t *testing.T) {
	sound := of(first)
	change := func(f func(u *Suite)) Suite { u := sound; f(&u); return u }
	for words, u := range map[string]Suite{
		"Suite.New is nil":                        change(func(u *Suite) { u.New = nil }),
		"Suite.Games is empty":                    change(func(u *Suite) { u.Games = nil }),
		"Suite.Times is 0: it must be 1 or more":  change(func(u *Suite) { u.Times = 0 }),
		"Suite.Every is -1: it must be 0 or more": change(func(u *Suite) { u.Every = -1 }),
	} {
		trial.Finds(t, u.check, words)
	}
	decided := func(engine.Game, engine.State, engine.View, []engine.Action) {}
	nobody := change(func(u *Suite) { u.New = func(engine.Game) agents.Policy { return nil } })
	for words, call := range map[string]func(t testing.TB){
		"f is nil":                            func(t testing.TB) { sound.Decisions(t, nil) },
		"what Suite.New makes of kuhn is nil": func(t testing.TB) { nobody.Decisions(t, decided) },
		"unknown game":                        func(t testing.TB) { change(func(u *Suite) { u.Games = []string{"chess"} }).Decisions(t, decided) },
		"want is empty":                       func(t testing.TB) { sound.Ask(t, "kuhn", "{}", []string{"J", "Q"}, nil) },
		"player -1 is to act after the moves": func(t testing.TB) { sound.Ask(t, "kuhn", "{}", nil, []string{"bet"}) },
		"chooses pass, want [bet] of 2":       func(t testing.TB) { sound.Ask(t, "kuhn", "{}", []string{"J", "Q"}, []string{"bet"}) },
		"bad position":                        func(t testing.TB) { sound.Ask(t, "kuhn", "", nil, []string{"bet"}) },
	} {
		trial.Finds(t, call, words)
	}
}
