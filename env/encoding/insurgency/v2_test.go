package insurgency_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env/encoding"
	encoder "powderkeg/env/encoding/insurgency"
)

func game(t *testing.T, text string) engine.Game {
	t.Helper()
	g, err := games.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// observe encodes what seat p sees of s.
func observe(g engine.Game, s engine.State, p engine.Player) []float32 {
	dst := make([]float32, encoder.Encoder{}.Layout().Size)
	encoder.Encoder{}.Encode(dst, engine.Look(s, p), p)
	return dst
}

// play calls each at every state of random games.
func play(t *testing.T, g engine.Game, n int, each func(s engine.State, rng *rand.PCG)) {
	t.Helper()
	rng := rand.NewPCG(5, 5)
	for range n {
		s := g.New()
		for s.ToAct() != engine.Terminal {
			each(s, rng)
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		each(s, rng)
	}
}

var settings = []string{"insurgency", "insurgency(scenario=resistance,auto_forced=false)", "insurgency(scenario=custom,event_tag=none)"}

const guard = float32(-4321)

func TestEncodeFillsItsBufferAndStaysInRange(t *testing.T) {
	layout := encoder.Encoder{}.Layout()
	buffer := make([]float32, layout.Size+2)
	for _, name := range settings {
		g := game(t, name)
		play(t, g, 4, func(s engine.State, _ *rand.PCG) {
			for p := range engine.Player(2) {
				view := engine.Look(s, p)
				for i := range buffer {
					buffer[i] = guard
				}
				encoder.Encoder{}.Encode(buffer[1:layout.Size+1], view, p)
				if buffer[0] != guard || buffer[layout.Size+1] != guard {
					t.Fatal("Encode writes beside its buffer")
				}
				for _, f := range layout.Fields {
					for i, x := range buffer[1+f.Offset : 1+f.Offset+f.Size] {
						if x < f.Min || x > f.Max {
							t.Fatalf("%s: %s[%d] is %g, outside %g to %g", name, f.Name, i, x, f.Min, f.Max)
						}
					}
				}
			}
		})
	}
}

func TestEncodeShowsNoSecret(t *testing.T) {
	for _, name := range settings {
		g := game(t, name)
		play(t, g, 3, func(s engine.State, rng *rand.PCG) {
			for p := range engine.Player(2) {
				other := g.New().(engine.Hidden)
				other.Redeal(engine.Look(s, p), rng)
				if !slices.Equal(observe(g, s, p), observe(g, other, p)) {
					t.Fatalf("%s: the observation of seat %d depends on what it cannot see", name, p)
				}
			}
		})
	}
}

// The two seats see the same map and tracks, and each other's numbers exchanged.
func TestEncodeTakesTheObserversSide(t *testing.T) {
	g, layout := game(t, settings[0]), encoder.Encoder{}.Layout()
	play(t, g, 3, func(s engine.State, _ *rand.PCG) {
		a, b := observe(g, s, 0), observe(g, s, 1)
		for _, name := range []string{"space_constants", "victory_points", "resources", "momentum", "stories", "played_or_removed", "operation", "progress"} {
			if !slices.Equal(field(t, a, layout, name), field(t, b, layout, name)) {
				t.Fatalf("%s looks different to the two seats", name)
			}
		}
		for x, y := range map[string]string{"known_enemy_hand": "own_hand_seen", "own_hand_seen": "known_enemy_hand"} {
			if !slices.Equal(field(t, a, layout, x), field(t, b, layout, y)) {
				t.Fatalf("%s of the Rebel is not %s of the Federal", x, y)
			}
		}
		for _, name := range []string{"card_in_play", "cards_left_in_pair", "decision"} {
			x, y := field(t, a, layout, name), field(t, b, layout, name)
			for i := range x {
				if x[i] != -y[i] {
					t.Fatalf("%s is %v to the Rebel and %v to the Federal", name, x, y)
				}
			}
		}
	})
}

// field returns the numbers of one field.
func field(t *testing.T, obs []float32, layout *encoding.Layout, name string) []float32 {
	t.Helper()
	for _, f := range layout.Fields {
		if f.Name == name {
			return obs[f.Offset : f.Offset+f.Size]
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

// at makes numbers that are zero but for the given ones.
func at(n int, values map[int]float32) []float32 {
	list := make([]float32, n)
	for i, v := range values {
		list[i] = v
	}
	return list
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
	g := game(t, "insurgency(auto_forced=false)")
	s, err := g.Load([]byte(`{
		"round": 3, "to_play": "rebel", "cards_left_in_pair": 2, "social_media": "E", "rebel_used_social_media": true,
		"rebel_resources": 15, "federal_resources": 6, "federal_reserves": 2,
		"rebel_hq": {"hacked": 3, "shields": 1}, "momentum": [{"key": "plague", "owner": "federal", "space": "mesa"}],
		"space": {"south": {"sleepers": 1, "active": 0, "unrest": 2}, "texas": {"sleepers": 7, "active": 1}},
		"active_stories": {"slot1": 14, "slot2": 1, "slot3": 9}, "pool": [2, 5, 18], "story_discards": [13],
		"rebel_hand": [31, 36], "rebel_hand_known": [36], "federal_hand": [11, 15, 20], "federal_hand_known": [11],
		"event_discards": [61], "card": {"number": 61, "mode": "ops", "part": 1},
		"operation": {"kind": "move", "stage": "move_units", "ops": 2, "from": "texas", "to": "plains",
			"groups": [{"from": "texas", "to": "south", "units": 2, "active": 1}]}
	}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	layout := encoder.Encoder{}.Layout()
	own, other := observe(g, s, 0), observe(g, s, 1)
	row := func(obs []float32, id string) []float32 {
		return field(t, obs, layout, "spaces")[indexOf(t, id)*25:][:25]
	}
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"South", row(own, "south"), at(25, map[int]float32{4: 1, 5: 2. / 3, 7: 1. / 30, 10: 0.5, 12: 1, 13: 1, 14: 0.5, 17: 2. / 30, 18: 1. / 30})},
		{"Texas", row(own, "texas"), at(25, map[int]float32{4: 1, 7: 7. / 30, 8: 1. / 30, 10: 0.5, 12: 1, 13: 1, 15: 2. / 30, 16: 1. / 30, 20: 1})},
		{"Plains", row(own, "plains"), at(25, map[int]float32{4: 1, 12: 1, 19: 1})},
		{"Mesa", row(own, "mesa"), at(25, map[int]float32{0: 1, 11: 1, 12: 1})},
		{"Washington suburb", row(own, "washington_suburb"), at(25, map[int]float32{1: 1, 6: 2. / 30, 12: 1, 13: -1})},
		{"Canada", row(own, "canada"), at(25, map[int]float32{0: 1})},
		{"Mesa's constants", field(t, own, layout, "space_constants")[indexOf(t, "mesa")*5:][:5], []float32{2. / 3, 0, 1, 0, 0}},
		{"resources", field(t, own, layout, "resources"), []float32{0.5, 0.2}},
		{"reserves", field(t, own, layout, "reserves"), []float32{1, 0, 0, 0, 0, 1}},
		{"social_media", field(t, own, layout, "social_media"), at(6, map[int]float32{4: 1})},
		{"rebellion_power", field(t, own, layout, "rebellion_power"), []float32{2. / 11}},
		{"rebellion_power_factor", field(t, own, layout, "rebellion_power_factor"), at(5, map[int]float32{0: 1})},
		{"hacked", field(t, own, layout, "hacked"), []float32{0.5, 0}},
		{"shields", field(t, own, layout, "shields"), []float32{1. / 3, 0}},
		{"momentum", field(t, own, layout, "momentum"), at(17, map[int]float32{9: 1})},
		{"own_hand", field(t, own, layout, "own_hand"), at(92, map[int]float32{30: 1, 35: 1})},
		{"known_enemy_hand", field(t, own, layout, "known_enemy_hand"), at(92, map[int]float32{10: 1})},
		{"own_hand_seen", field(t, own, layout, "own_hand_seen"), at(92, map[int]float32{35: 1})},
		{"own_hand of the Federal", field(t, other, layout, "own_hand"), at(92, map[int]float32{10: 1, 14: 1, 19: 1})},
		{"card_in_play", field(t, other, layout, "card_in_play"), at(92, map[int]float32{60: -1})},
		{"card_mode", field(t, other, layout, "card_mode"), at(5, map[int]float32{1: 1})},
		{"card_ops", field(t, other, layout, "card_ops"), at(3, map[int]float32{1: 1})},
		{"story 14", field(t, own, layout, "stories")[13*6 : 14*6], at(6, map[int]float32{1: 1})},
		{"story 13", field(t, own, layout, "stories")[12*6 : 13*6], at(6, map[int]float32{4: 1})},
		{"story 18", field(t, own, layout, "stories")[17*6 : 18*6], at(6, map[int]float32{0: 1})},
		{"round", field(t, own, layout, "round"), []float32{0.5}},
		{"hand_sizes", field(t, own, layout, "hand_sizes"), []float32{2. / 9, 3. / 9}},
		{"cards_left_in_pair", field(t, own, layout, "cards_left_in_pair"), []float32{0, 1}},
		{"cards_left_in_pair of the Federal", field(t, other, layout, "cards_left_in_pair"), []float32{0, -1}},
		{"social_media_used", field(t, own, layout, "social_media_used"), []float32{1, 0}},
		{"decision", field(t, own, layout, "decision"), at(43, map[int]float32{10: 1})},
		{"operation", field(t, own, layout, "operation"), at(14, map[int]float32{5: 1})},
		{"progress", field(t, own, layout, "progress"), []float32{1. / 8, 0, 0, 0, 0, 0}},
		{"scenario", field(t, own, layout, "scenario"), []float32{1, 0, 0}},
		{"observer", field(t, other, layout, "observer"), []float32{0, 1}},
		{"decision of the Federal", field(t, other, layout, "decision"), at(43, map[int]float32{10: -1})},
		{"deploy_each", field(t, other, layout, "deploy_each"), []float32{0}},
	} {
		if !slices.EqualFunc(c.got, c.want, func(a, b float32) bool { return a-b < 1e-6 && b-a < 1e-6 }) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}
