package domination_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	encoder "powderkeg/env/encoding/domination"
	"powderkeg/env/encoding/encodingtest"
)

// settings cover the numbers of players and the ends of the options' ranges; the
// tests of package env cover the default game.
var settings = []string{
	"domination(players=2,turns=3)", "domination(players=6)",
	"domination(players=3,extended_pool=true,rotate_first_player=true,auto_forced=false)",
	"domination(players=4,turns=20,copies_per_stack=12,logistics_max=20)",
}

var suite = encodingtest.Suite{Encoder: encoder.Encoder{}, Games: settings, Times: 3}

func TestEncoder(t *testing.T) { suite.Run(t) }

// rotated moves every seat of a JSON position one to the left.
func rotated(t *testing.T, s engine.State, n int) []byte {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	whole, m := enginetest.AtRest(m) // the answers since count seats from the actor
	turn := func(seat any) any { return float64((int(seat.(float64)) + 1) % n) }
	push := func(list any) any { l := list.([]any); return append([]any{l[n-1]}, l[:n-1]...) }
	for _, name := range []string{"passed", "vp", "logistics"} {
		m[name] = push(m[name])
	}
	for _, name := range []string{"first_player", "active", "window_seat", "drawer"} {
		if m[name] != nil {
			m[name] = turn(m[name])
		}
	}
	for _, name := range []string{"hands", "hand_sizes", "draw_decks", "draw_deck_sizes", "discards", "known"} {
		out := map[string]any{}
		for i := range n {
			out[fmt.Sprint((i+1)%n)] = m[name].(map[string]any)[fmt.Sprint(i)]
		}
		m[name] = out
	}
	for _, f := range m["areas"].(map[string]any) {
		if f != nil {
			f.(map[string]any)["owner"] = turn(f.(map[string]any)["owner"])
		}
	}
	for i, seat := range m["fog_players"].([]any) {
		m["fog_players"].([]any)[i] = turn(seat)
	}
	data, err = json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A position and the same one with all seats moved by one look the same to the
// seats that sit in the same place.
func TestEncodeTakesTheObserversSide(t *testing.T) {
	for _, name := range settings[:2] {
		g := enginetest.Game(t, name)
		n := engine.Player(g.Spec().Seats)
		encodingtest.Play(t, g, 2, func(s engine.State, _ *rand.PCG) {
			moved, err := g.Load(rotated(t, s, int(n)), engine.Strict)
			if err != nil {
				t.Fatal(err)
			}
			for p := range n {
				if a, b := suite.Observe(s, p), suite.Observe(moved, (p+1)%n); !slices.Equal(a, b) {
					t.Fatalf("seat %d sees %v, moved by one %v", p, a, b)
				}
			}
		})
	}
}

// A position reckoned by hand: seat 2 of three has used Mega Storm in its turn and
// hits seat 0, which sits to its left.
func TestEncodeByHand(t *testing.T) {
	g := enginetest.Game(t, "domination(players=3,fixed_pool=airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+tactical_nukes)")
	s, err := g.Load([]byte(`{"rest": {
		"turn": 6, "first_player": 1, "active": 2, "passed": [true, false, false], "vp": [30, 12, 45], "logistics": [5, 1, 10],
		"areas": {"CAN": {"owner": 0, "strength": "full"}, "USA": {"owner": 0, "strength": "full"}, "MEX": {"owner": 0, "strength": "struggling"},
			"WEU": {"owner": 0, "strength": "struggling"}, "EAS": {"owner": 0, "strength": "struggling"}, "NAT": {"owner": 2, "strength": "full"}, "SOU": {"owner": 1, "strength": "struggling"}, "AND": {"owner": 0, "strength": "full"}},
		"hands": {"0": ["Domination", "Fog of War", "Fog of War"], "1": [], "2": ["Surrender", "Domination", "Mega Storm"]},
		"known": {"0": ["Fog of War"]},
		"draw_decks": {"0": [{"unknown": {"Domination": 3}}], "1": ["Domination", "Domination"], "2": [{"unknown": {"Insurgents": 2}}]},
		"discards": {"2": ["Domination"]}, "stacks": {"Surrender": 3}
	}, "since": ["TEXT_OF Mega Storm", "REDUCE_AT USA"]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	zero, two := suite.Observe(s, 0), suite.Observe(s, 2)
	if a := s.ToAct(); a != 2 {
		t.Fatalf("seat %d is to act, want 2", a)
	}
	areas := func(obs []float32, a int) []float32 { return suite.Field(t, obs, "areas")[a*9 : a*9+9] }
	seat := func(obs []float32, k int) []float32 { return suite.Field(t, obs, "seats")[k*12 : k*12+12] }
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"Canada seen by its owner", areas(zero, 0), encodingtest.At(9, map[int]float32{1: 1, 8: 1})},
		{"Canada seen from two seats on", areas(two, 0), encodingtest.At(9, map[int]float32{2: 1, 8: 1})},
		{"USA", areas(zero, 1), encodingtest.At(9, map[int]float32{1: 1, 7: 1})},
		{"Brazil", areas(zero, 4), encodingtest.At(9, map[int]float32{0: 1})},
		{"Southern Ocean seen by seat 2", areas(two, 24), encodingtest.At(9, map[int]float32{3: 1, 7: 1})},
		{"seat 0 to itself", seat(zero, 0), []float32{1, 0.3, 0.25, 0.3, 0.3, 0, 1, 0, 0, 1. / 6, 0, 0.14}},
		{"seat 1 to seat 0", seat(zero, 1), []float32{1, 0.12, 0.05, 0, 0.2, 0, 0, 1, 0, 0, 0, 0.02}},
		{"seat 2 to itself", seat(two, 0), []float32{1, 0.45, 0.5, 0.2, 0.2, 0.2, 0, 0, 1, 0, 0, 0.04}},
		{"the fourth seat", seat(two, 3), encodingtest.At(12, nil)},
		{"own_hand", suite.Field(t, zero, "own_hand"), encodingtest.At(27, map[int]float32{0: 0.25, 8: 0.5})},
		{"own_hand_known", suite.Field(t, zero, "own_hand_known"), encodingtest.At(27, map[int]float32{8: 0.25})},
		{"own_deck", suite.Field(t, zero, "own_deck"), encodingtest.At(27, map[int]float32{0: 0.75})},
		{"own_discards", suite.Field(t, two, "own_discards"), encodingtest.At(27, map[int]float32{0: 0.25, 15: 0.25})},
		{"opponent_hands_known", suite.Field(t, two, "opponent_hands_known"), encodingtest.At(135, map[int]float32{8: 0.25})},
		{"opponent_unseen", suite.Field(t, two, "opponent_unseen"), encodingtest.At(135, map[int]float32{0: 1, 8: 0.25, 27: 0.5})},
		{"opponent_discards", suite.Field(t, zero, "opponent_discards"), encodingtest.At(135, map[int]float32{27: 0.25, 27 + 15: 0.25})},
		{"stack of Surrender", suite.Field(t, zero, "stacks")[23:24], []float32{0.5}},
		{"pool", suite.Field(t, zero, "pool"), encodingtest.At(27, map[int]float32{2: 1, 8: 1, 9: 1, 10: 1, 13: 1, 15: 1, 16: 1, 18: 1, 23: 1, 24: 1})},
		{"turns_left", suite.Field(t, zero, "turns_left"), encodingtest.At(21, map[int]float32{2: 1})},
		{"options", suite.Field(t, zero, "options"), []float32{0.5, 0.5, 0}},
		{"actor to seat 0", suite.Field(t, zero, "actor"), encodingtest.At(6, map[int]float32{2: 1})},
		{"actor to itself", suite.Field(t, two, "actor"), encodingtest.At(6, map[int]float32{0: 1})},
		{"decision", suite.Field(t, zero, "decision"), encodingtest.At(16, map[int]float32{10: 1})},
		{"used_this_turn", suite.Field(t, zero, "used_this_turn"), []float32{1}},
		{"use_card", suite.Field(t, zero, "use_card"), encodingtest.At(27, map[int]float32{15: 1})},
		{"use_way", suite.Field(t, zero, "use_way"), encodingtest.At(5, map[int]float32{2: 1})},
		{"user", suite.Field(t, two, "user"), encodingtest.At(6, map[int]float32{0: 1})},
		{"points_left", suite.Field(t, two, "points_left"), []float32{0.2}},
		{"lowest_area", suite.Field(t, two, "lowest_area"), []float32{1. / 24}},
		{"target to seat 2", suite.Field(t, two, "target"), encodingtest.At(6, map[int]float32{1: 1})},
		{"target to itself", suite.Field(t, zero, "target"), encodingtest.At(6, map[int]float32{0: 1})},
		{"region", suite.Field(t, zero, "region"), encodingtest.At(6, nil)},
		{"fog_of_war", suite.Field(t, zero, "fog_of_war"), encodingtest.At(6, nil)},
	} {
		if !encodingtest.Close(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The Region of D8 and D9, and the Fog of War of a scoring step.
func TestEncodeRegionAndFog(t *testing.T) {
	g := enginetest.Game(t, "domination(fixed_pool=airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+tactical_nukes)")
	s, err := g.Load([]byte(`{"rest": {"active": 0, "hands": {"0": ["Global Disruption"]},
		"areas": {"NAF": {"owner": 0, "strength": "full"}, "SAF": {"owner": 1, "strength": "full"}}}, "since": ["TEXT_OF Global Disruption"]}`),
		engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	if got := suite.Field(t, suite.Observe(s, 1), "region"); !slices.Equal(got, encodingtest.At(6, map[int]float32{2: 1})) {
		t.Errorf("region is %v, want Africa", got)
	}
	s, err = g.Load([]byte(`{"phase": "scoring_window", "hands": {"1": ["Airborne Forces"]}, "fog_players": [0]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	if got := suite.Field(t, suite.Observe(s, 1), "fog_of_war"); !slices.Equal(got, encodingtest.At(6, map[int]float32{1: 1})) {
		t.Errorf("fog_of_war is %v, want the opponent's", got)
	}
}
