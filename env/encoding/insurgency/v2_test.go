package insurgency_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding/encodingtest"
	encoder "powderkeg/env/encoding/insurgency"
)

var settings = []string{"insurgency", "insurgency(scenario=resistance,auto_forced=false)", "insurgency(scenario=custom,event_tag=none)"}

var suite = encodingtest.Suite{Encoder: encoder.Encoder{}, Games: settings, Times: 4}

func TestEncoder(t *testing.T) { suite.Run(t) }

// The two seats see the same map and tracks, and each other's numbers exchanged.
func TestEncodeTakesTheObserversSide(t *testing.T) {
	g := enginetest.Game(t, settings[0])
	encodingtest.Play(t, g, 3, func(s engine.State, _ *rand.PCG) {
		a, b := suite.Observe(s, 0), suite.Observe(s, 1)
		for _, name := range []string{"space_constants", "victory_points", "resources", "momentum", "stories", "played_or_removed", "operation",
			"progress"} {
			if !slices.Equal(suite.Field(t, a, name), suite.Field(t, b, name)) {
				t.Fatalf("%s looks different to the two seats", name)
			}
		}
		for x, y := range map[string]string{"known_enemy_hand": "own_hand_seen", "own_hand_seen": "known_enemy_hand"} {
			if !slices.Equal(suite.Field(t, a, x), suite.Field(t, b, y)) {
				t.Fatalf("%s of the Rebel is not %s of the Federal", x, y)
			}
		}
		for _, name := range []string{"card_in_play", "cards_left_in_pair", "decision"} {
			x, y := suite.Field(t, a, name), suite.Field(t, b, name)
			for i := range x {
				if x[i] != -y[i] {
					t.Fatalf("%s is %v to the Rebel and %v to the Federal", name, x, y)
				}
			}
		}
	})
}

// R21.3: the blocks of the observation and how many numbers each has, 1804 in all, of
// which 165 are constants of the map.
func TestR21_3_Layout(t *testing.T) {
	layout := encoder.Encoder{}.Layout()
	sizes := map[string]int{}
	for _, f := range layout.Fields {
		sizes[f.Name] = f.Size
	}
	for block, names := range map[int][]string{
		825: {"spaces"},
		165: {"space_constants"},
		30:  {"victory_points", "resources", "reserves", "social_media", "rebellion_power", "rebellion_power_factor", "hacked", "shields", "stock"},
		17:  {"momentum"},
		460: {"own_hand", "known_enemy_hand", "own_hand_seen", "played_or_removed", "unseen"},
		100: {"card_in_play", "card_mode", "card_ops"},
		120: {"stories"},
		8:   {"round", "event_deck", "hand_sizes", "cards_left_in_pair", "social_media_used"},
		73: {"decision", "operation", "progress", "selection", "sleepers_chosen", "relocated", "agents_left", "base_made",
			"opponent_done", "last_removal"},
		6: {"scenario", "observer", "deploy_each"},
	} {
		sum := 0
		for _, name := range names {
			sum += sizes[name]
			delete(sizes, name)
		}
		if sum != block {
			t.Errorf("%v have %d numbers, want %d", names, sum, block)
		}
	}
	if layout.Size != 1804 || len(sizes) > 0 || layout.Version != 2 {
		t.Errorf("version %d has %d numbers, want 1804; in no block are %v", layout.Version, layout.Size, sizes)
	}
}

// indexOf returns the number of a space in the data.
func indexOf(t *testing.T, id string) int {
	t.Helper()
	data, err := os.ReadFile("../../../engine/insurgency/data/map.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Spaces []struct{ ID string } }
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for i, s := range m.Spaces {
		if s.ID == id {
			return i
		}
	}
	t.Fatalf("no space %s", id)
	return -1
}

// A position reckoned by hand: the Rebel forms its second group of a Move.
func TestEncodeByHand(t *testing.T) {
	g := enginetest.Game(t, "insurgency(auto_forced=false)")
	s, err := g.Load([]byte(`{"rest": {
		"round": 3, "to_play": "rebel", "cards_left_in_pair": 2, "social_media": "E", "rebel_used_social_media": true,
		"rebel_resources": 15, "federal_resources": 6, "federal_reserves": 2,
		"rebel_hq": {"hacked": 3, "shields": 1}, "momentum": [{"key": "plague", "owner": "federal", "space": "mesa"}],
		"space": {"south": {"sleepers": 1, "active": 0, "unrest": 2}, "texas": {"sleepers": 7, "active": 1}},
		"active_stories": {"slot1": 14, "slot2": 1, "slot3": 9}, "pool": [2, 5, 18], "story_discards": [13],
		"rebel_hand": [31, 36, 61], "rebel_hand_known": [36], "federal_hand": [11, 15, 20], "federal_hand_known": [11]
	}, "since": ["CARD_61", "MODE_ops", "OP_move", "SPACE_texas", "SPACE_south", "AMOUNT_2", "AMOUNT_1", "SPACE_texas", "SPACE_plains"]}`),
		engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	own, other := suite.Observe(s, 0), suite.Observe(s, 1)
	row := func(obs []float32, id string) []float32 {
		return suite.Field(t, obs, "spaces")[indexOf(t, id)*25:][:25]
	}
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"South", row(own, "south"), encodingtest.At(25, map[int]float32{4: 1, 5: 2. / 3, 7: 1. / 30, 10: 0.5, 12: 1, 13: 1, 14: 0.5, 17: 2. / 30,
			18: 1. / 30})},
		{"Texas", row(own, "texas"), encodingtest.At(25, map[int]float32{4: 1, 7: 7. / 30, 8: 1. / 30, 10: 0.5, 12: 1, 13: 1, 15: 2. / 30, 16: 1. / 30,
			20: 1})},
		{"Plains", row(own, "plains"), encodingtest.At(25, map[int]float32{4: 1, 12: 1, 19: 1})},
		{"Mesa", row(own, "mesa"), encodingtest.At(25, map[int]float32{0: 1, 11: 1, 12: 1})},
		{"Washington suburb", row(own, "washington_suburb"), encodingtest.At(25, map[int]float32{1: 1, 6: 2. / 30, 12: 1, 13: -1})},
		{"Canada", row(own, "canada"), encodingtest.At(25, map[int]float32{0: 1})},
		{"Mesa's constants", suite.Field(t, own, "space_constants")[indexOf(t, "mesa")*5:][:5], []float32{2. / 3, 0, 1, 0, 0}},
		{"resources", suite.Field(t, own, "resources"), []float32{0.5, 0.2}},
		{"reserves", suite.Field(t, own, "reserves"), []float32{1, 0, 0, 0, 0, 1}},
		{"social_media", suite.Field(t, own, "social_media"), encodingtest.At(6, map[int]float32{4: 1})},
		{"rebellion_power", suite.Field(t, own, "rebellion_power"), []float32{2. / 11}},
		{"rebellion_power_factor", suite.Field(t, own, "rebellion_power_factor"), encodingtest.At(5, map[int]float32{0: 1})},
		{"hacked", suite.Field(t, own, "hacked"), []float32{0.5, 0}},
		{"shields", suite.Field(t, own, "shields"), []float32{1. / 3, 0}},
		{"momentum", suite.Field(t, own, "momentum"), encodingtest.At(17, map[int]float32{9: 1})},
		{"own_hand", suite.Field(t, own, "own_hand"), encodingtest.At(92, map[int]float32{30: 1, 35: 1})},
		{"known_enemy_hand", suite.Field(t, own, "known_enemy_hand"), encodingtest.At(92, map[int]float32{10: 1})},
		{"own_hand_seen", suite.Field(t, own, "own_hand_seen"), encodingtest.At(92, map[int]float32{35: 1})},
		{"own_hand of the Federal", suite.Field(t, other, "own_hand"), encodingtest.At(92, map[int]float32{10: 1, 14: 1, 19: 1})},
		{"card_in_play", suite.Field(t, other, "card_in_play"), encodingtest.At(92, map[int]float32{60: -1})},
		{"card_mode", suite.Field(t, other, "card_mode"), encodingtest.At(5, map[int]float32{1: 1})},
		{"card_ops", suite.Field(t, other, "card_ops"), encodingtest.At(3, map[int]float32{1: 1})},
		{"story 14", suite.Field(t, own, "stories")[13*6 : 14*6], encodingtest.At(6, map[int]float32{1: 1})},
		{"story 13", suite.Field(t, own, "stories")[12*6 : 13*6], encodingtest.At(6, map[int]float32{4: 1})},
		{"story 18", suite.Field(t, own, "stories")[17*6 : 18*6], encodingtest.At(6, map[int]float32{0: 1})},
		{"round", suite.Field(t, own, "round"), []float32{0.5}},
		{"hand_sizes", suite.Field(t, own, "hand_sizes"), []float32{2. / 9, 3. / 9}},
		{"cards_left_in_pair", suite.Field(t, own, "cards_left_in_pair"), []float32{0, 1}},
		{"cards_left_in_pair of the Federal", suite.Field(t, other, "cards_left_in_pair"), []float32{0, -1}},
		{"social_media_used", suite.Field(t, own, "social_media_used"), []float32{1, 0}},
		{"decision", suite.Field(t, own, "decision"), encodingtest.At(43, map[int]float32{10: 1})},
		{"operation", suite.Field(t, own, "operation"), encodingtest.At(14, map[int]float32{5: 1})},
		{"progress", suite.Field(t, own, "progress"), []float32{1. / 8, 0, 0, 0, 0, 0}},
		{"scenario", suite.Field(t, own, "scenario"), []float32{1, 0, 0}},
		{"observer", suite.Field(t, other, "observer"), []float32{0, 1}},
		{"decision of the Federal", suite.Field(t, other, "decision"), encodingtest.At(43, map[int]float32{10: -1})},
		{"deploy_each", suite.Field(t, other, "deploy_each"), []float32{0}},
	} {
		if !encodingtest.Close(c.got, c.want) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}
