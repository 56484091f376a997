package minuteman_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
)

// numbers are put in the places of numbers: small ones, and some about the limits.
var numbers = []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24, 40, 61, 127, 255, 256, 895, 896, 70000}

// words are put in the places of strings beside those met on the way.
var words = []any{"2715", "2816", "0904", "MM1-ADAMS", "militia 1", "us_division 1", "CIG-1", "DIV-1", "FOR-1", "underground", "rebel_held",
	"waits", "placing", "A3", "G3", "G4", "N", "setup", "over", "military", "sedition", "attackers", "retreat", "zone", "advance", "console", "half",
	"D50", "C9", "ask", "lot", "turncoat", "leave", "amount", "PROPOSE_TRUCE", "MODE_AIR_RAIL"}

// TestMutatedPositionsAreRefusedOrPlayable is about R1.2 to R1.7: positions of real
// games with a few fields changed at random, most of them nearly right, read strictly or
// leniently, are refused with ErrPosition or can be seen, dealt anew and played on.
// Some 2,500 are tried, 200 times as many with POWDERKEG_SOAK.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	m := &enginetest.Mutator{RNG: rand.NewPCG(4, 4), Words: words, Numbers: numbers}
	accepted, tried := 0, 0
	games := []string{"minuteman", "minuteman(scenario=partisan)", "minuteman(scenario=occupation)",
		"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true)", "minuteman(government=unprepared,rebel=organized)",
		"minuteman(players=3,foreign_intervention=true)", "minuteman(players=4,foreign_intervention=true)"}
	for range enginetest.Times(1) {
		for _, name := range games {
			g := enginetest.Game(t, name)
			for s, ply := g.New(), 0; s.ToAct() != engine.Terminal; ply++ {
				if ply%3 == 0 {
					accepted += mutate(t, g, s, m)
					tried++
				}
				moves := engine.Moves(s)
				a := moves[m.N(len(moves))]
				if a == minuteman.Revolution && s.ToAct() >= 0 && m.N(40) > 0 {
					a = moves[0]
				}
				if err := s.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d of %d changed positions were accepted", accepted, tried)
	if accepted < 100 {
		t.Errorf("only %d changed positions were accepted", accepted)
	}
}

// mutate tries one changed position and returns 1 if it was accepted.
func mutate(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator) int {
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
	for range 1 + m.N(3) {
		m.Change(doc)
	}
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%s: %v\n%s\n%s", g.Spec().Text, e, debug.Stack(), changed)
		}
	}()
	how := engine.Strictness(m.N(2))
	c, err := g.Load(changed, how)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			t.Fatalf("the error %q does not wrap ErrPosition\n%s", err, changed)
		}
		return 0
	}
	for range 30 {
		if c.ToAct() == engine.Terminal {
			break
		}
		for p := range engine.Player(g.Spec().Seats) {
			v := engine.Clone(g, c).(engine.Hidden)
			v.Redact(p)
			v.(engine.Teller).Text(p)
			if how == engine.Strict {
				v.Redeal(p, m.RNG)
			}
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
		t.Fatalf("%s: played on from\n%s\nto\n%s\nwhich is not read again: %v", g.Spec().Text, changed, text, err)
	}
	return 1
}
