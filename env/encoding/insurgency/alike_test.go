package insurgency_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
	"powderkeg/env/encoding/encodingtest"
)

// What differs for the seat that is to act must look different to it, in numbers and in
// words. Positions of random games are changed in a few places; two that its view tells
// apart (by their hashes) must have different observations and texts.
func TestWhatDiffersLooksDifferent(t *testing.T) {
	pairs := 0
	for i, name := range append(settings, "insurgency(deploy=each)") {
		g := enginetest.Game(t, name)
		m := &enginetest.Mutator{RNG: rand.NewPCG(uint64(i), 3), Words: []any{"texas", "south", "midwest"}}
		for n := range 31 {
			m.Numbers = append(m.Numbers, float64(n))
		}
		n := 0
		encodingtest.Play(t, g, enginetest.Times(1), func(s engine.State, _ *rand.PCG) {
			if n++; s.ToAct() < 0 || n%8 != 0 {
				return
			}
			for range 10 {
				other, ok := mutant(t, g, s, m)
				if ok && other.ToAct() == s.ToAct() {
					pairs += compare(t, g, s, other)
				}
			}
		})
	}
	t.Logf("%d pairs were compared", pairs)
	if pairs < 100 {
		t.Errorf("%d pairs were compared: the test lost its force", pairs)
	}
}

// mutant loads a position with one or two places changed. In the middle of a card it goes on
// from one of the answers before, mostly, as the game might have.
func mutant(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator) (engine.State, bool) {
	t.Helper()
	whole, fields := enginetest.AtRest(enginetest.Fields(t, s))
	for _, derived := range []string{"vp", "stock", "rebellion_power", "rpf", "edge", "event_deck", "story_deck", "removed_events"} {
		delete(fields, derived)
	}
	on := 0
	if since, _ := whole["since"].([]any); len(since) > 0 && m.N(4) > 0 {
		n := m.N(len(since))
		whole["since"], on = since[:n], m.N(len(since)-n+2)
	} else {
		for range 1 + m.N(2) {
			m.Change(fields)
		}
	}
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	other, err := g.Load(data, engine.Lenient)
	for ; err == nil && on > 0 && other.ToAct() != engine.Terminal; on-- {
		moves := engine.Moves(other)
		err = other.Apply(moves[m.N(len(moves))])
	}
	return other, err == nil && enginetest.Open[*insurgency.View](other).P.Round <= 6 // no strict position has more
}

// compare returns 1 if the seat to act can tell two states apart, and demands that
// their observations and texts differ then. Who put an event into play is no rule's
// business.
func compare(t *testing.T, g engine.Game, a, b engine.State) int {
	t.Helper()
	p := a.ToAct()
	x, y := view(a, p), view(b, p)
	if x.Hash() == y.Hash() || sameBut(t, x, y, "momentum") {
		return 0
	}
	if fmt.Sprint(suite.Observe(a, p)) == fmt.Sprint(suite.Observe(b, p)) {
		t.Fatalf("one observation of two situations: %s", difference(t, x, y))
	}
	if x.Text(p) == y.Text(p) {
		t.Fatalf("one text of two situations: %s", difference(t, x, y))
	}
	return 1
}

func view(s engine.State, p engine.Player) *insurgency.View {
	return engine.Look(s, p).(*insurgency.View)
}

// sameBut reports whether two views have the same fields, the owners in one list apart.
func sameBut(t *testing.T, a, b engine.View, list string) bool {
	t.Helper()
	x, y := enginetest.Fields(t, a), enginetest.Fields(t, b)
	for _, fields := range []map[string]any{x, y} {
		for _, row := range fields[list].([]any) {
			delete(row.(map[string]any), "owner")
		}
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// difference lists the fields in which two views differ.
func difference(t *testing.T, a, b engine.View) string {
	t.Helper()
	x, y, list := enginetest.Fields(t, a), enginetest.Fields(t, b), ""
	for k := range x {
		if fmt.Sprint(x[k]) != fmt.Sprint(y[k]) {
			list += fmt.Sprintf("\n%s: %v\n%s: %v", k, x[k], k, y[k])
		}
	}
	return list + fmt.Sprintf("\ncard %v in %v", x["card"], x["decision"])
}
