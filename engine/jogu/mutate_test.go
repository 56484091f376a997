package jogu_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// numbers are put in the places of numbers: small ones, and some about the limits.
var numbers = []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 41, 255, 256, 70000}

// Positions of real games with a few fields changed at random, most of them
// nearly right, are refused with ErrPosition or can be played on: nothing that a
// user writes makes the engine panic or leads it out of its limits.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	m := &enginetest.Mutator{RNG: rand.NewPCG(4, 4), Words: []any{"scrambler", "acting", "deployment"}, Numbers: numbers}
	accepted := 0
	for _, name := range []string{
		"jogu(first=mibits,second=wu,start=first)", "jogu(first=engineers,second=agents,start=first)",
		"jogu(first=agents,second=mibits,start=first,auto_forced=false)", "jogu(first=hours,second=mibits,expansion=true,start=first)",
	} {
		g := enginetest.Game(t, name)
		for range enginetest.Times(2) {
			for s := g.New(); s.ToAct() != engine.Terminal; {
				for i := range 4 {
					accepted += mutate(t, g, s, m, engine.Strictness(i%2))
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[m.N(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("only %d changed positions were accepted", accepted)
	}
}

// mutate tries one changed position and returns 1 if it was accepted.
func mutate(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator, how engine.Strictness) int {
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	if m.N(2) == 0 {
		delete(doc, "decision")
	}
	for range 1 + m.N(2) {
		m.Change(doc)
	}
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%v\n%s", e, changed)
		}
	}()
	c, err := g.Load(changed, how)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			t.Fatalf("the error %q does not wrap ErrPosition\n%s", err, changed)
		}
		return 0
	}
	for range 20 {
		if c.ToAct() == engine.Terminal {
			break
		}
		for p := range engine.Player(2) {
			v, deal := engine.Look(c, p), g.New().(engine.Hidden)
			v.(engine.Teller).Text(p)
			deal.Redeal(v, m.RNG)
		}
		moves := engine.Moves(c)
		if err := c.Apply(moves[m.N(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := c.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := g.Load(text, how); err != nil || again.Hash() != c.Hash() {
		t.Fatalf("played on from\n%s\nto\n%s\nwhich is not read again: %v", changed, text, err)
	}
	return 1
}
