package jogu_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding/encodingtest"
	encoder "powderkeg/env/encoding/jogu"
)

// settings cover all decks; the tests of package env cover the default game.
var settings = []string{"jogu(first=any,second=any,expansion=true)", "jogu(first=agents,second=engineers,auto_forced=false)"}

var suite = encodingtest.Suite{Encoder: encoder.Encoder{}, Games: settings, Times: 20}

func TestEncoder(t *testing.T) { suite.Run(t) }

// swap exchanges the seats of a JSON position. The answers since it rested name no seat.
func swap(t *testing.T, s engine.State) []byte {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	m, rest := enginetest.AtRest(m)
	swapFields(rest)
	swapped, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return swapped
}

// swapFields exchanges the seats in the fields of a position at rest.
func swapFields(m map[string]any) {
	for name, v := range m {
		list, ok := v.([]any)
		switch {
		case name == "board":
			for _, b := range list {
				card := b.(map[string]any)
				card["owner"] = 1 - card["owner"].(float64)
			}
		case name == "vp_rounds":
			for i := range list {
				list[i] = 1 - list[i].(float64)
			}
		case name == "start_player" || name == "active" || name == "round_winner":
			if v != nil {
				m[name] = 1 - v.(float64)
			}
		case name == "game_over" && v != nil:
			o := v.(map[string]any)
			o["winner"] = 1 - o["winner"].(float64)
		case ok && name != "battle_locations" && name != "stack":
			list[0], list[1] = list[1], list[0]
		}
	}
}

// A position and its mirror image, the seats exchanged, look the same to the seat
// that stands where the other stood.
func TestEncodeTakesTheObserversSide(t *testing.T) {
	g := enginetest.Game(t, settings[0])
	encodingtest.Play(t, g, 8, func(s engine.State, _ *rand.PCG) {
		mirrored, err := g.Load(swap(t, s), engine.Strict)
		if err != nil {
			t.Fatal(err)
		}
		for p := range engine.Player(2) {
			if a, b := suite.Observe(s, p), suite.Observe(mirrored, 1-p); !slices.Equal(a, b) {
				t.Fatalf("seat %d sees %v, seat %d of the mirror image %v", p, a, 1-p, b)
			}
		}
	})
}

// A position reckoned by hand: the second seat's Support Tower, seen by both.
// Types of agents: smoke_n_screen 0, covert_junior_agent 1, saboteur 2,
// covert_senior_agent 3, assassin 4; of engineers: units 0 to 2, heavy_tower 3,
// bomb_tower 4, support_tower 5.
func TestEncodeByHand(t *testing.T) {
	g := enginetest.Game(t, "jogu(first=agents,second=engineers,start=second)")
	s, err := g.Load([]byte(`{"rest": {
		"round": 3, "morale": [24, 15], "vp_rounds": [1, 0], "passed": [true, false],
		"hand": [["assassin", "saboteur", "saboteur"], ["heavy_tower", "heavy_tower", "engineer_unit_1", "support_tower"]],
		"revealed_in_hand": [{}, {"heavy_tower": 1}],
		"draw": [["saboteur"], ["engineer_unit_3", "bomb_tower", "heavy_tower", "engineer_unit_3"]],
		"draw_known": [[[0, 0]], [[1, 0], [1, 1], [1, 0], [1, 1]]],
		"discard": [["smoke_n_screen", "smoke_n_screen", "smoke_n_screen"], []],
		"board": [
			{"owner": 0, "card": "covert_senior_agent", "loc": 5, "tokens": 0},
			{"owner": 1, "card": "engineer_unit_2", "loc": 5, "tokens": 0}],
		"location_card": [6, 4], "location_revealed": [false, true], "location_discard": [[2, 2], [3, 6]],
		"location_pile": [[3], [5]],
		"battle_locations": [2, 3], "ratings": [30, 10], "round_winner": 0, "last_location_cards": [2, 3]
	}, "since": ["CARD_support_tower"]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	own, other := suite.Observe(s, 1), suite.Observe(s, 0)
	for _, c := range []struct {
		name      string
		obs, want []float32
	}{
		{"own_faction", own, encodingtest.At(6, map[int]float32{4: 1})},
		{"opponent_faction", own, encodingtest.At(6, map[int]float32{3: 1})},
		{"own_hand", own, encodingtest.At(10, map[int]float32{0: 0.5, 3: 1})},
		{"own_hand_known", own, encodingtest.At(10, map[int]float32{3: 0.5})},
		{"opponent_hand_known", other, encodingtest.At(10, map[int]float32{3: 0.5})},
		{"opponent_hand_size", own, []float32{3 * (1. / 7)}},
		{"opponent_discard", own, encodingtest.At(10, map[int]float32{0: 3 * (1. / 12)})},
		{"own_board", own, encodingtest.At(50, map[int]float32{31: 0.25, 35: 0.25})},
		{"opponent_board", own, encodingtest.At(50, nil)},
		{"opponent_face_down", own, encodingtest.At(5, map[int]float32{3: 1. / 3})},
		{"own_board", other, encodingtest.At(50, map[int]float32{33: 0.25})},
		{"own_face_down", other, encodingtest.At(5, map[int]float32{3: 1. / 3})},
		{"own_strength", other, encodingtest.At(5, map[int]float32{3: 0.4})},
		{"opponent_strength", own, encodingtest.At(5, nil)},
		{"capacity_used", own, encodingtest.At(5, map[int]float32{3: 0.9})},
		{"own_top", own, encodingtest.At(30, map[int]float32{2: 1, 14: 1, 23: 1})},
		{"own_top_opponent_knows", own, []float32{0, 1, 0}},
		{"own_deeper", own, encodingtest.At(10, map[int]float32{2: 1. / 7})},
		{"own_pile_size", own, []float32{0.1}},
		{"opponent_top", other, encodingtest.At(20, map[int]float32{14: 1})},
		{"opponent_deeper", other, encodingtest.At(10, map[int]float32{2: 1. / 7})},
		{"opponent_unseen", other, encodingtest.At(10, map[int]float32{0: 1. / 7, 2: 1. / 7, 3: 2 * (1. / 8)})},
		{"opponent_unseen", own, encodingtest.At(10, map[int]float32{2: 3 * (1. / 4), 3: 1. / 8, 4: 1. / 4})},
		{"own_location_card", own, encodingtest.At(5, map[int]float32{2: 1})},
		{"own_location_revealed", own, []float32{1}},
		{"opponent_location_card", own, encodingtest.At(6, map[int]float32{5: 1})},
		{"opponent_location_card", other, encodingtest.At(6, map[int]float32{2: 1})},
		{"own_locations_left", own, []float32{1, 0.5, 1, 1, 0.5}},
		{"opponent_locations_left", own, []float32{0, 1, 1, 1, 1}},
		{"round", own, encodingtest.At(10, map[int]float32{2: 1})},
		{"end_marker", own, encodingtest.At(4, map[int]float32{0: 1})},
		{"start_player", own, []float32{1}},
		{"passed", own, []float32{0, 1}},
		{"morale", own, []float32{0.5, 24 * (1. / 30)}},
		{"round_winners", own, encodingtest.At(10, map[int]float32{0: 1, 1: -1})},
		{"last_battle_locations", own, []float32{1, 1, 0, 0, 0}},
		{"last_ratings", own, []float32{10. / 60, 30. / 80}},
		{"last_winner", own, []float32{-1}},
		{"last_own_location", own, encodingtest.At(5, map[int]float32{1: 1})},
		{"last_opponent_location", own, encodingtest.At(5, map[int]float32{0: 1})},
		{"to_act", own, []float32{1}},
		{"to_act", other, []float32{0}},
		{"decision", other, encodingtest.At(13, map[int]float32{12: 1})},
		{"play_own", own, []float32{1}},
		{"play_own", other, []float32{0}},
		{"play_card", other, encodingtest.At(10, map[int]float32{5: 1})},
		{"play_location", other, encodingtest.At(5, map[int]float32{3: 1})},
		{"play_depth", other, []float32{1. / 9}},
	} {
		got := suite.Field(t, c.obs, c.name)
		if !encodingtest.Close(got, c.want) {
			t.Errorf("%s is %v, want %v", c.name, got, c.want)
		}
	}
}
