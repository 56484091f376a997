package domination_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	encoder "powderkeg/env/encoding/domination"
	"powderkeg/env/encoding/encodingtest"
)

// Version 2 begins with version 1, so that the two can be compared and an older network
// sees what it was trained on.
func TestVersion2BeginsWithVersion1(t *testing.T) {
	v1, v2 := encoder.V1{}.Layout(), encoder.Encoder{}.Layout()
	if v1.Version != 1 || v2.Version != 2 || v2.Size <= v1.Size || !reflect.DeepEqual(v1.Fields, v2.Fields[:len(v1.Fields)]) {
		t.Fatalf("versions %d and %d, sizes %d and %d, fields %d and %d", v1.Version, v2.Version, v1.Size, v2.Size, len(v1.Fields), len(v2.Fields))
	}
	// The hash of version 1 as it was, by which its networks are known.
	const hash = "8cb7f27f2e1546d582713789af4dc3214a705fe3e39b5499c56c414b1f96d059"
	if older, ok := v2.Beginning(1, hash); !ok || older.Size != v1.Size {
		t.Error("the networks of version 1 are refused")
	}
	g := enginetest.Game(t, settings[2])
	old := make([]float32, v1.Size)
	encodingtest.Play(t, g, 1, func(s engine.State, _ *rand.PCG) {
		view := engine.Look(s, 1)
		encoder.V1{}.Encode(old, view, 1)
		if !slices.Equal(old, suite.Observe(s, 1)[:v1.Size]) {
			t.Fatal("the numbers of version 1 are others in version 2")
		}
	})
}

// What version 2 adds, number by number.
func TestEncodeOrderAndBorders(t *testing.T) {
	g := enginetest.Game(t, "domination(players=3,first_player=0,fixed_pool=airborne_forces+attack_helicopters+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+tactical_nukes)")
	s, err := g.Load([]byte(`{"rest": {"active": 0, "hands": {"0": ["Airborne Forces"]},
		"areas": {"CAN": {"owner": 0, "strength": "full"}, "NAT": {"owner": 0, "strength": "full"},
			"USA": {"owner": 1, "strength": "full"}, "SAF": {"owner": 2, "strength": "full"}, "ARC": {"owner": 1, "strength": "struggling"}}},
		"since": ["TEXT_OF Airborne Forces", "BUILD_AT MEX"]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	own, other := suite.Observe(s, 0), suite.Observe(s, 1)
	open := suite.Field(t, own, "open_areas")
	borders := func(obs []float32, a int) []float32 {
		return []float32{suite.Field(t, obs, "next_to_own_land")[a], suite.Field(t, obs, "next_to_own_sea")[a], suite.Field(t, obs, "isolated")[a]}
	}
	for _, c := range []struct {
		name      string
		got, want []float32
	}{
		{"phase", suite.Field(t, own, "phase"), []float32{1, 0, 0}},
		{"the Areas below Mexico", open[:2], []float32{0, 0}},
		{"the Areas from Mexico on", open[2:], slices.Repeat([]float32{1}, 23)},
		{"point_made", suite.Field(t, other, "point_made"), []float32{1}},
		{"borders of the United States", borders(own, 1), []float32{1, 1, 1}},
		{"borders of the United States for their owner", borders(other, 1), []float32{0, 0, 1}},
		{"borders of Canada", borders(own, 0), []float32{0, 1, 0}},
		{"borders of Canada for seat 1", borders(other, 0), []float32{1, 1, 0}},
		{"borders of Southern Africa", borders(own, 8), []float32{0, 0, 1}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	// The same points in the two windows of the scoring step.
	for phase, want := range map[string][]float32{"scoring_window": {0, 1, 0}, "logistics_window": {0, 0, 1}} {
		s, err := g.Load([]byte(`{"rest": {"phase": "`+phase+`", "hands": {"0": ["Airborne Forces"]}}, "since": ["TEXT_OF Airborne Forces"]}`),
			engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		if got := suite.Field(t, suite.Observe(s, 0), "phase"); !slices.Equal(got, want) {
			t.Errorf("phase in %s is %v, want %v", phase, got, want)
		}
	}
}

// Two situations in which a seat decides and that it can tell apart at all have different
// observations: each is compared with changed ones.
func TestEncodeTellsSituationsApart(t *testing.T) {
	m := &enginetest.Mutator{RNG: rand.NewPCG(3, 4), Words: []any{"Airborne Forces", "text", "full", "scoring_window"},
		Numbers: []any{nil, 0, 1, 2, 3, 4, 5, 6}}
	compared := 0
	for name, games := range map[string]int{settings[0]: 1,
		"domination(players=3,fixed_pool=airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+tactical_nukes)": 6} {
		g := enginetest.Game(t, name)
		playWithWindows(t, g, enginetest.Times(games), func(s engine.State) {
			for range 6 {
				other := changed(t, g, s, m)
				if other == nil || other.ToAct() != s.ToAct() {
					continue
				}
				compared++
				p := s.ToAct()
				if a, b := seen(t, g, s, p), seen(t, g, other, p); a != b && slices.Equal(suite.Observe(s, p), suite.Observe(other, p)) {
					t.Fatalf("seat %d observes the same of\n%s\nand\n%s", p, a, b)
				}
			}
		})
	}
	if compared < 100 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

// playWithWindows calls each at every decision of random games in which seats pass early
// and react with the cards that they have kept.
func playWithWindows(t *testing.T, g engine.Game, n int, each func(s engine.State)) {
	t.Helper()
	rng := rand.NewPCG(6, 6)
	for range n {
		for s := g.New(); s.ToAct() != engine.Terminal; {
			moves := engine.Moves(s)
			a := moves[engine.Uint32N(rng, uint32(len(moves)))]
			switch d := enginetest.Open[*domination.View](s).Decision(); {
			case d == domination.TurnDecision && moves[0] == domination.ActPass && engine.Uint32N(rng, 3) == 0:
				a = moves[0]
			case d >= domination.AnytimeDecision && d <= domination.LogisticsDecision:
				a = moves[len(moves)-1]
			}
			if s.ToAct() >= 0 {
				each(s)
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// changed returns the position with a few random changes, nil if that is none.
func changed(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator) engine.State {
	t.Helper()
	whole, doc := enginetest.AtRest(enginetest.Fields(t, s))
	for _, name := range []string{"decision", "hand_sizes", "draw_deck_sizes", "known", "stacks"} {
		if m.N(3) > 0 {
			delete(doc, name)
		}
	}
	switch m.N(6) {
	case 0:
		doc["phase"] = []string{"card_play", "scoring_window", "logistics_window"}[m.N(3)]
		for _, name := range []string{"active", "passed", "fog_players"} {
			delete(doc, name)
		}
	case 1:
		if since, _ := whole["since"].([]any); len(since) > 1 {
			whole["since"] = since[:1+m.N(len(since)-1)]
		}
	default:
		for range 1 + m.N(2) {
			m.Change(doc)
		}
	}
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	other, err := g.Load(data, engine.Lenient)
	if err != nil {
		return nil
	}
	return other
}

// seen returns what a seat may know, as JSON. Which of the two effects of Bio Weapons
// somebody's Reductions belong to changes nothing that follows (R8.5).
func seen(t *testing.T, g engine.Game, s engine.State, p engine.Player) string {
	t.Helper()
	view := engine.Look(s, p)
	doc := enginetest.Fields(t, view)
	if frame, ok := doc["frame"].(map[string]any); ok && view.(*domination.View).Decision() == domination.BioStepDecision {
		delete(frame, "effect")
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
