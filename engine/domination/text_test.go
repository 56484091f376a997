package domination_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// R2.4, R7.9: a player can play from the text: it has the borders, the order of the Areas,
// the lowest one that is open, what a card bought is for, and who has used a card.
func TestR7_9_TextHasBordersAndOrder(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":0,"hands":{"0":["Domination","Domination","Military Base"],"1":["Domination"]}}`)
	read := func(part string, want bool) {
		t.Helper()
		if text := view(s, 0).Text(0); strings.Contains(text, part) != want {
			t.Errorf("%q in the text: %v\n%s", part, !want, text)
		}
	}
	read("MEX Mexico            Agriculture    -   USA AND NAT NPA\n", true)
	read("The points of a card go down this list", true)
	text := view(s, 0).Text(0)
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, a := range facts.Areas {
		next := strings.Index(text, " "+a.ID+" "+a.Name)
		if next <= at {
			t.Errorf("%s does not come after the Area of the next lower index", a.Name)
		}
		at = next
	}
	do(t, secrets, s, "TEXT_OF Military Base")
	read("from CAN on", false)
	do(t, secrets, s, "BUILD_AT MEX")
	read("left, from MEX on)", true)
	do(t, secrets, s, "DONE")
	read("active, has used a card", true)
	do(t, secrets, s, "DISCARD1 Domination")
	read("Seat 0 is asked: Buy a card into your discard", true)
	do(t, secrets, s, "BUY Surrender", "END_TURN")
	read("has used a card", false)
}

// R4.6: two situations in which a seat decides and that it can tell apart at all have
// different texts: each is compared with changed ones.
func TestR4_6_TextTellsSituationsApart(t *testing.T) {
	m := &enginetest.Mutator{RNG: rand.NewPCG(4, 6), Words: []any{"Airborne Forces", "text", "full", "scoring_window"},
		Numbers: []any{nil, 0, 1, 2, 3, 4, 5, 6}}
	compared := 0
	g := enginetest.Game(t, "domination(players=3,fixed_pool="+fixedPool+")")
	randomGames(t, 3, 6, func(s *domination.State, _ *rand.PCG) {
		if s.ToAct() < 0 {
			return
		}
		p := s.ToAct()
		data, err := json.Marshal(changes(t, s, m, engine.Strict))
		if err != nil {
			t.Fatal(err)
		}
		other, err := g.Load(data, engine.Lenient)
		if err != nil || other.ToAct() != p {
			return
		}
		compared++
		a, b := view(s, p), view(other.(*domination.State), p)
		if x, y := sight(t, a), sight(t, b); x != y && a.Text(p) == b.Text(p) {
			t.Errorf("seat %d reads the same of\n%s\nand\n%s", p, x, y)
		}
	})
	if compared < 100 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

// sight is the JSON of a view without what changes nothing that follows: which of the two
// effects of Bio Weapons somebody's Reductions belong to (R8.5).
func sight(t *testing.T, v *domination.View) string {
	t.Helper()
	doc := fields(t, v)
	if frame, ok := doc["frame"].(map[string]any); ok && v.Decision() == domination.BioStepDecision {
		delete(frame, "effect")
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
