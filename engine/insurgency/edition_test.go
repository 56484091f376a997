package insurgency_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// An edition is a game as any other, and plays by its values: here an event has another
// effect, which is another list of steps, and a story another factor.
func TestEditionConforms(t *testing.T) {
	effect := []any{
		map[string]any{"op": "money", "side": "federal", "sign": "+", "amount": 5},
		map[string]any{"op": "shift", "dir": "order", "steps": 1,
			"at": map[string]any{"how": "choose", "n": 2, "filter": map[string]any{"kind": []any{"region"}}}},
		map[string]any{"op": "choice", "by": "opponent", "options": []any{
			map[string]any{"label": "pay", "do": []any{map[string]any{"op": "money", "side": "opponent", "sign": "-", "amount": 3}}},
			map[string]any{"label": "show", "do": []any{map[string]any{"op": "inspect_hand", "of": "opponent"}}},
		}},
	}
	g := enginetest.Edition(t, "insurgency",
		enginetest.Set{File: "event_cards", At: "cards[1].effect", Value: effect},
		enginetest.Set{File: "event_cards", At: "cards[1].text",
			Value: "The Federal gains $5 and moves two regions toward Order; the Rebel pays $3 or shows the hand."},
		enginetest.Set{File: "story_cards", At: "cards[1].vf", Value: 9},
		enginetest.Set{File: "tables", At: "rebellion_power_factor.rows[5].rpf", Value: 2},
	)
	enginetest.Run(t, enginetest.Suite{Game: g, Games: 1, Every: 17, Position: insurgency.PlainPosition, Reveals: handSeen})
	enginetest.Allocs(t, g)
	if s := insurgency.BoxOf(g).Story(1); s.Virality != 9 {
		t.Errorf("story 1 has Virality %d, the edition says 9", s.Virality)
	}
	if s := insurgency.BoxOf(enginetest.Game(t, "insurgency")).Story(1); s.Virality != 1 {
		t.Errorf("the shipped story 1 has Virality %d", s.Virality)
	}
}
