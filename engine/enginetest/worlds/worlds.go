// Package worlds makes states that a seat cannot tell apart, for tests of what reaches it.
package worlds

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/position"
)

// Elsewhere returns a state that a seat cannot tell from s, with what it does not know dealt
// anew, and that can be written down. In the middle of a procedure it is found by dealing the
// position before it anew and giving the same answers. Elsewhere returns nil if no deal that it
// tries takes them, or the seat would see another situation then.
func Elsewhere(t testing.TB, g engine.Game, s engine.State, seat engine.Player, rng *rand.PCG) engine.State {
	t.Helper()
	view, deal := engine.Look(s, seat), g.New().(engine.Hidden)
	deal.Redeal(view, rng)
	if _, err := deal.MarshalJSON(); err == nil {
		return deal
	}
	var doc struct {
		Rest  json.RawMessage
		Since []string
	}
	text, err := s.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	rest, err := g.Load(doc.Rest, engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		deal.Redeal(engine.Look(rest, seat), rng)
		if position.Play(g, deal, doc.Since) != nil || engine.Look(deal, seat).Hash() != view.Hash() {
			continue
		}
		if _, err := deal.MarshalJSON(); err == nil {
			return deal
		}
	}
	return nil
}
