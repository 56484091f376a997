package jogu_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding"
	"powderkeg/env/encoding/encodingtest"
	encoder "powderkeg/env/encoding/jogu"
)

// Networks read layout 1, which must never change, and layout 2 begins with it.
func TestLayout1Stays(t *testing.T) {
	const hash = "adf30d36d53e3ca77b1e6aa8d5dabc801e8a7cd6913b3919b4769458c65a699c"
	old, layout := encoder.V1{}.Layout(), encoder.Encoder{}.Layout()
	if got := old.Hash(); got != hash || old.Version != 1 {
		t.Errorf("layout 1 has version %d and the hash %s", old.Version, got)
	}
	if layout.Version != 2 || layout.Size != 572 || len(layout.Fields) <= len(old.Fields) {
		t.Errorf("layout %d has %d numbers in %d fields", layout.Version, layout.Size, len(layout.Fields))
	}
	for i, f := range old.Fields {
		if g := layout.Fields[i]; g.Name != f.Name || g.Offset != f.Offset || g.Size != f.Size || g.Meaning != f.Meaning {
			t.Errorf("field %d is %s at %d, in layout 1 %s at %d", i, g.Name, g.Offset, f.Name, f.Offset)
		}
	}
	g := enginetest.Game(t, settings[0])
	encodingtest.Play(t, g, 3, func(s engine.State, _ *rand.PCG) {
		for p := range engine.Player(2) {
			first := make([]float32, old.Size)
			view := engine.Look(s, p)
			encoder.V1{}.Encode(first, view, p)
			if !slices.Equal(first, suite.Observe(s, p)[:old.Size]) {
				t.Fatalf("layout 2 does not begin with layout 1")
			}
		}
	})
}

// reach plays moves by name from a position.
func reach(t *testing.T, text, position string, moves ...string) engine.State {
	t.Helper()
	s := enginetest.Load[engine.State](t, text, position)
	enginetest.Do(t, text, s, moves...)
	return s
}

// Section 21 of the specification: the places that a Support Tower's owner alone
// knows (the examples OV39 and OV40), the order of known cards, the plays around the
// innermost one and the own ability still to come.
func TestEncodeWhatAPlayerKnowsBesides(t *testing.T) {
	const engineers, wu = "jogu(first=engineers,second=agents,start=first)", "jogu(first=wu,second=mibits,start=first)"
	tower := func(draw, known string) string {
		return `{"hand":[["support_tower"],["saboteur"]],"draw":[` + draw + `,[]],"draw_known":[` + known +
			`,[]],"board":[{"owner":0,"card":"engineer_unit_2","loc":4}]}`
	}
	four := tower(`["heavy_tower","bomb_tower","engineer_unit_1","engineer_unit_2"]`, `[[0,0],[0,0],[0,0],[0,0]]`)
	three := tower(`["heavy_tower","bomb_tower","engineer_unit_1"]`, `[[0,0],[0,0],[0,0]]`)
	nested := reach(t, wu, `{"hand":[["conjurer"],["gangan_bit","medic"]],"discard":[["conjurer","conjurer","master_of_earth"],[]],
		"board":[{"owner":1,"card":"scrambler","loc":2},{"owner":1,"card":"scrambler","loc":2},{"owner":1,"card":"scrambler","loc":3},{"owner":1,"card":"scrambler","loc":4}]}`,
		"CARD_conjurer", "LOC_2", "OWN_FIRST", "CARD_conjurer", "LOC_3", "OWN_FIRST", "CARD_conjurer", "LOC_4", "SCRAMBLER_FIRST")
	down := reach(t, "jogu(first=agents,second=guards,start=first)", `{"hand":[["smoke_n_screen","saboteur"],["explorer"]],
		"location_card":[4,3],"location_discard":[[5,6],[6]],"location_pile":[[6,{"unknown":[2,2,3,3,4,5]}],[{"unknown":[2,2,3,4,4,5,5,6]}]],"location_top_known":[true,false],
		"board":[{"owner":0,"card":"covert_senior_agent","loc":6},{"owner":0,"card":"smoke_n_screen","loc":6}]}`)
	known := reach(t, engineers, tower(`["heavy_tower",{"unknown":{"bomb_tower":2}},"engineer_unit_1","engineer_unit_2"]`, `[[1,1],[0,0],[1,1],[1,0]]`))
	for _, c := range []struct {
		about string
		s     engine.State
		p     engine.Player
		field string
		want  []float32
	}{
		{"SLOT_1", reach(t, engineers, four, "CARD_support_tower", "SLOT_1"), 1, "opponent_top_owner_knows", []float32{1, 1, 0}},
		{"SLOT_1", reach(t, engineers, four, "CARD_support_tower", "SLOT_1"), 1, "opponent_bottom_owner_knows", []float32{1. / 8}},
		{"SLOT_3", reach(t, engineers, four, "CARD_support_tower", "SLOT_3"), 1, "opponent_top_owner_knows", []float32{1, 1, 0}},
		{"END", reach(t, engineers, four, "CARD_support_tower", "END"), 1, "opponent_top_owner_knows", []float32{1, 1, 1}},
		{"END", reach(t, engineers, four, "CARD_support_tower", "END"), 1, "opponent_bottom_owner_knows", []float32{0}},
		{"SLOT_2 of a pile of three", reach(t, engineers, three, "CARD_support_tower", "SLOT_2"), 1, "opponent_bottom_owner_knows", []float32{1. / 8}},
		{"SLOT_2 of a pile of three", reach(t, engineers, three, "CARD_support_tower", "SLOT_2"), 1, "opponent_top_owner_knows", []float32{1, 1, 0}},
		{"SLOT_2 of a pile of three", reach(t, engineers, three, "CARD_support_tower", "SLOT_2"), 0, "own_pile_order",
			encodingtest.At(24, map[int]float32{0: 0.5, 1: 0.1, 2: 0.4})},
		{"an outer play", nested, 1, "outer_plays", encodingtest.At(48, map[int]float32{1: 1, 5: 1. / 8, 6: 1, 11: 2. / 8})},
		{"the innermost play", nested, 1, "play_own_ability", []float32{1}},
		{"the innermost play", nested, 0, "play_own_ability", []float32{1}},
		{"own face-down cards", down, 0, "own_face_down_order", encodingtest.At(15, map[int]float32{12: 0.4, 13: 0.1})},
		{"the other's face-down cards", down, 1, "own_face_down_order", encodingtest.At(15, nil)},
		{"known cards", known, 0, "own_pile_order", encodingtest.At(24, map[int]float32{0: 0.2, 1: 0.1, 4: 0.4})},
		{"known cards", known, 0, "own_pile_order_opponent_knows", encodingtest.At(24, map[int]float32{1: 1, 4: 1})},
		{"known cards", known, 1, "opponent_pile_order", encodingtest.At(24, map[int]float32{1: 0.1, 4: 0.4})},
		{"the Location Cards of both", down, 0, "own_locations_unknown", []float32{1, 1, 0.5, 0.5, 0}},
		{"the Location Cards of both", down, 0, "opponent_locations_unknown", []float32{1, 1, 1, 1, 0.5}},
		{"the Location Cards of both", down, 0, "opponent_has_location_card", []float32{1}},
		{"no Location Card", known, 0, "opponent_has_location_card", []float32{0}},
		{"known cards", known, 1, "opponent_bottom_owner_knows", []float32{1. / 8}},
	} {
		got := suite.Field(t, suite.Observe(c.s, c.p), c.field)
		if !encodingtest.Close(got, c.want) {
			t.Errorf("%s: %s of seat %d is %v, want %v", c.about, c.field, c.p, got, c.want)
		}
	}
}

// Two situations that look the same to the seat to act are the same to it: it may do
// the same, and where the same follows, its next observation is the same. The pairs
// are positions of games and what becomes of them by one small change that the seat
// can see. The same test finds what layout 1 does not show.
func TestEqualObservationsAreEqualSituations(t *testing.T) {
	if told := unlike(t, encoder.Encoder{}, enginetest.Times(3)); len(told) > 0 {
		t.Errorf("equal observations, then %s", told[0])
	}
	if told := unlike(t, encoder.V1{}, 3); len(told) == 0 {
		t.Error("the test finds nothing that layout 1 lacks")
	}
}

// unlike returns how situations differ that the encoder does not tell apart.
func unlike(t *testing.T, e encoding.Encoder, games int) []string {
	rng, told := rand.NewPCG(5, 21), []string{}
	encode := func(g engine.Game, s engine.State, p engine.Player) []float32 {
		dst := make([]float32, e.Layout().Size)
		e.Encode(dst, engine.Look(s, p), p)
		return dst
	}
	for _, name := range []string{
		"jogu(first=mibits,second=wu,start=first)", "jogu(first=engineers,second=mibits,start=first)",
		"jogu(first=agents,second=engineers,start=second)", "jogu(first=mibits,second=mibits)",
	} {
		g := enginetest.Game(t, name)
		for range games {
			for s := g.New(); s.ToAct() != engine.Terminal; {
				p := s.ToAct()
				for range 8 {
					if other := nudged(t, g, s, rng); p >= 0 && other != nil && other.ToAct() == p && slices.Equal(encode(g, s, p), encode(g, other, p)) {
						if what := differs(t, g, s, other, encode, rng); what != "" {
							told = append(told, name+": "+what)
						}
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return told
}

// differs plays two situations on with the same moves to the next decision of the
// seat to act and says what differs on the way.
func differs(t *testing.T, g engine.Game, s, other engine.State, encode func(engine.Game, engine.State, engine.Player) []float32,
	rng *rand.PCG) string {
	t.Helper()
	p, x, y := s.ToAct(), engine.Clone(g, s), engine.Clone(g, other)
	line := ""
	for range 30 {
		moves := engine.Moves(x)
		if x.ToAct() != y.ToAct() || !slices.Equal(moves, engine.Moves(y)) {
			here, _ := s.MarshalJSON()
			there, _ := other.MarshalJSON()
			return "after" + line + " other moves from\n" + string(here) + "\nand\n" + string(there)
		}
		if x.ToAct() == engine.Terminal {
			return ""
		}
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		line += " " + engine.MoveName(g, x, a)
		if x.Apply(a) != nil || y.Apply(a) != nil {
			t.Fatal("a possible move is refused")
		}
		if x.ToAct() == p && !slices.Equal(encode(g, x, p), encode(g, y, p)) {
			here, _ := s.MarshalJSON()
			there, _ := other.MarshalJSON()
			return "after" + line + " another observation from\n" + string(here) + "\nand\n" + string(there)
		}
	}
	return ""
}

// nudged returns a copy of s with one small change that the seat to act can see, nil
// if there is none.
func nudged(t *testing.T, g engine.Game, s engine.State, rng *rand.PCG) engine.State {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	doc, fields := enginetest.AtRest(doc)
	keys := slices.Sorted(maps.Keys(fields))
	k := keys[engine.Uint32N(rng, uint32(len(keys)))]
	if engine.Uint32N(rng, 2) == 0 { // where most of what is hard to show stands
		k = []string{"draw", "board", "draw_bottom"}[engine.Uint32N(rng, 3)]
	}
	fields[k] = nudge(fields[k], rng)
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	other, err := g.Load(changed, engine.Strict)
	if err != nil || other.ToAct() < 0 {
		return nil
	}
	if p := other.ToAct(); engine.Look(s, p).Hash() == engine.Look(other, p).Hash() {
		return nil
	}
	return other
}

// nudge changes one thing in v: two elements of a list change places, a number goes
// up or down by one, a truth value turns.
func nudge(v any, rng *rand.PCG) any {
	switch v := v.(type) {
	case map[string]any:
		if keys := slices.Sorted(maps.Keys(v)); len(keys) > 0 {
			k := keys[engine.Uint32N(rng, uint32(len(keys)))]
			v[k] = nudge(v[k], rng)
		}
	case []any:
		if len(v) == 0 {
			return v
		}
		i, j := engine.Uint32N(rng, uint32(len(v))), engine.Uint32N(rng, uint32(len(v)))
		if i != j && engine.Uint32N(rng, 2) == 0 {
			v[i], v[j] = v[j], v[i]
		} else {
			v[i] = nudge(v[i], rng)
		}
	case float64:
		return v + float64(engine.Uint32N(rng, 2))*2 - 1
	case bool:
		return !v
	}
	return v
}
