package domination

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// R1.3, R7, R8: every card is one that the interpreter carries out as it is written.
func TestR7_8_CardsAreCarriedOutAsWritten(t *testing.T) {
	var c cardsFile
	readData(t, "cards", &c)
	b, seen, scores := testBox(t), map[string]bool{}, [Regions]int{}
	for i, r := range c.Cards {
		if err := cardFault(b, i, r); err != nil || seen[r.Name] || seen[r.ID] {
			t.Errorf("%s: %v, or its name or id is taken", r.Name, err)
		}
		seen[r.Name], seen[r.ID] = true, true
		for _, e := range b.Cards[i].ways[TextWay] {
			if e.op == vpPerArea {
				scores[e.resource]++
			}
		}
	}
	for i, n := range scores {
		if n != 1 {
			t.Errorf("%d cards score %s", n, b.Resources[i].Name)
		}
	}
	// optional_reductions stands within chain_left only.
	names := slices.Sorted(slices.Values(append(opNames[:], "optional_reductions")))
	if !slices.Equal(slices.Sorted(maps.Keys(c.Ops)), names) || !slices.Equal(slices.Sorted(maps.Keys(c.Params)), names) {
		t.Errorf("the ops described are not those of the engine, %v", names)
	}
}

// A card that the interpreter could not carry out as it is written would be noticed.
func TestR7_8_BadCardsAreNoticed(t *testing.T) {
	good := `{"index":1,"id":"x","name":"X","group":"action","build":4,"reduction":4,"copies":6,"buy_cost_logistics":0,
		"playable_any_time":false,"text_only_in_scoring":false,"text":"a sentence of some length","text_legal_when":"always",
		"effect":[{"op":"points","combined":6,"areas":"land","restrict":null,"up_to":true}],"source":"rulebook",
		"sources_by_field":{"name":"rulebook","copies":"reconstructed","build":"reconstructed","reduction":"reconstructed","text":"rulebook"}}`
	b := testBox(t)
	check := func(change map[string]any) error {
		var m map[string]any
		if err := json.Unmarshal([]byte(good), &m); err != nil {
			t.Fatal(err)
		}
		maps.Copy(m, change)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var c Card
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		return cardFault(b, 1, c)
	}
	if err := check(nil); err != nil {
		t.Fatalf("the card itself is refused: %v", err)
	}
	op := func(fields map[string]any) map[string]any { return map[string]any{"effect": []any{fields}} }
	for name, change := range map[string]map[string]any{
		"another index":             {"index": 2},
		"another group":             {"group": "starter"},
		"a value out of range":      {"build": 7},
		"no effect":                 {"effect": []any{}},
		"both kinds of windows":     {"playable_any_time": true, "text_only_in_scoring": true},
		"an unknown op":             op(map[string]any{"op": "conquer"}),
		"an unknown restriction":    op(map[string]any{"op": "points", "combined": 6, "areas": "land", "restrict": "on_sundays", "up_to": true}),
		"unknown areas":             op(map[string]any{"op": "points", "combined": 6, "areas": "moon", "up_to": true}),
		"no areas":                  op(map[string]any{"op": "points", "combined": 6, "up_to": true}),
		"an upgrade on land alone":  op(map[string]any{"op": "upgrade_all", "owner": "self", "areas": "land"}),
		"two numbers of points":     op(map[string]any{"op": "points", "builds": 2, "combined": 6, "areas": "land", "up_to": true}),
		"points without a number":   op(map[string]any{"op": "points", "areas": "land", "up_to": true}),
		"points that must be spent": op(map[string]any{"op": "points", "combined": 6, "areas": "land"}),
		"a chain of its own": op(map[string]any{"op": "chain_left", "each": map[string]any{"op": "optional_reductions", "amount": 2, "exact": true},
			"until": "declined_or_impossible"}),
		"a hit without a choice":    op(map[string]any{"op": "reduce_all", "owner": "chosen", "strength": "full", "areas": "all"}),
		"an unknown resource":       op(map[string]any{"op": "vp_per_area", "vp": 1, "resource": "Gold", "owner": "self"}),
		"a parameter of another op": op(map[string]any{"op": "upgrade_all", "owner": "self", "areas": "all", "max": 3}),
		"a fraction above one": op(map[string]any{"op": "storm", "players": "all", "fraction": []int{3, 2}, "round": "down", "count": "forces_before",
			"chooser": "self"}),
		"Fog of War outside scoring": op(map[string]any{"op": "deny_region_monopoly_vp", "players": "others", "duration": "this_scoring"}),
	} {
		if check(change) == nil {
			t.Errorf("a card with %s is accepted", name)
		}
	}
}
