package bloc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// R16.1: nothing that is public is left to memory: of two positions that differ in one
// place, and look different to the seat that acts in both, the observations differ.
func TestObservationsTellSituationsApart(t *testing.T) {
	numbers := []any{nil, 0, 1, 2, 3, 4, 5, 7, 12, 24}
	compared := 0
	for i, name := range settings {
		g := enginetest.Game(t, name)
		m := &enginetest.Mutator{RNG: rand.NewPCG(6, uint64(i)), Words: []any{"workers", "students", "bikes", "lumber", "maneuvers", "steel_doors"},
			Numbers: numbers}
		play(t, g, enginetest.Times(1), func(s engine.State, _ *rand.PCG) {
			if s.ToAct() < 0 || m.N(4) > 0 {
				return
			}
			p := s.ToAct()
			for range 4 {
				other := mutated(t, g, s, m)
				if other == nil || other.ToAct() != p {
					continue
				}
				x, y := engine.Look(s, p), engine.Look(other, p)
				if x.Hash() == y.Hash() {
					continue
				}
				compared++
				if slices.Equal(suite.Observe(s, p), suite.Observe(other, p)) {
					a, _ := s.MarshalJSON()
					b, _ := other.MarshalJSON()
					t.Fatalf("%s: seat %d observes the same in\n%s\nand\n%s", name, p, a, b)
				}
			}
		})
	}
	if compared < 100 {
		t.Errorf("only %d pairs compared", compared)
	}
}

// mutated returns the state with one place of its position changed, nil if that is
// refused. The city stays: how a tile without a dead end is turned means nothing.
func mutated(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator) engine.State {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	doc, rest := enginetest.AtRest(doc)
	city := rest["city"]
	for _, k := range []string{"city", "decision", "staging", "barricade_pile", "loot_deck", "ops_deck"} {
		delete(rest, k) // the last four follow from the rest
	}
	m.Change(rest)
	rest["city"] = city
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	other, err := g.Load(text, engine.Lenient)
	if err != nil {
		return nil
	}
	return other
}

// R16.1 and section 5: pairs of situations that the seat to act could not tell apart by
// the layout of version 2, and their observations and texts now.
func TestSituationsThatLookedAlike(t *testing.T) {
	const coop = "bloc(scenario=beginner_city)"
	const five = `"maneuvers","move_state_highest","move_state_lowest","move_public_highest","move_public_lowest"`
	stop := `{"rest":{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1,"students":2}}}},"since":["BUILD","CELL_1",%q]}`
	const lumber = `{"rest":{"active":"workers","barricades":[{"cell":1,"arm":%q,"count":1}],"districts":{"the_park":{"blocs":{"workers":1}}},
		"hands":{"workers":["lumber"]}},"since":["PLAY_CARD","CARD_LUMBER","CELL_1",%q]}`
	const mutiny = `{"rest":{"step":"liberation","turn":4,"revealed_total":%d,
		"districts":{"the_park":{"blocs":{"workers":8},"cops":1,"occupation":["workers","strike_hall"]}}},"since":["MANIFESTATION_MUTINY_IN_THE_RANKS"]}`
	for _, c := range []struct {
		name, game, a, b string
		field            string
		text             bool
	}{
		{"the sixth ops card", coop, `{"active":"workers","ops_revealed":[` + five + `,"metro_lockdown","tactical_retreat"]}`,
			`{"active":"workers","ops_revealed":[` + five + `,"tactical_retreat","metro_lockdown"]}`, "ops_further_ahead", true},
		{"the order of the tenth and the eleventh", coop,
			`{"active":"workers","ops_revealed":[` + five +
				`,"metro_lockdown","move_workers_lowest","move_students_lowest","move_neighbors_lowest","strategic_rotation","tactical_retreat"]}`,
			`{"active":"workers","ops_revealed":[` + five +
				`,"metro_lockdown","move_workers_lowest","move_students_lowest","move_neighbors_lowest","tactical_retreat","strategic_rotation"]}`,
			"ops_further_ahead", true},
		{"what is to be built, at D10", coop, fmt.Sprintf(stop, "OCC_UNIQUE_1"), fmt.Sprintf(stop, "OCC_HALL"), "pending_occupation", true},
		{"who is certain of a card", coop, `{"active":"workers","hands":{"workers":["bikes"]},"known":[{},{"workers":{"bikes":1}},{},{}]}`,
			`{"active":"workers","hands":{"workers":["bikes"]},"known":[{},{},{"workers":{"bikes":1}},{}]}`, "own_hand_known_by", true},
		{"the other hand that is known", "bloc(scenario=beginner_city,players=2)",
			`{"active":"workers","hands":{"neighbors":["bikes"]},"known":[{},{"neighbors":{"bikes":1}}]}`,
			`{"active":"workers","hands":{"neighbors":["bikes"]}}`, "second_hand_known", true},
		{"the least arm that may follow", coop, fmt.Sprintf(lumber, "W", "ARM_E"), fmt.Sprintf(lumber, "E", "ARM_W"), "pending_rest", false},
		{"ops cards that are shown this Sunrise", coop, fmt.Sprintf(mutiny, 0), fmt.Sprintf(mutiny, 5), "ops_deck_sizes", true},
		{"the night in which a Metro Lockdown was drawn", coop, `{"night":2,"active":"workers","metro_lockdown":"students"}`,
			`{"night":2,"active":"workers","metro_lockdown":"students","metro_lockdown_expiring":true}`, "metro_lockdown_expiring", true},
	} {
		g := enginetest.Game(t, c.game)
		a, err := g.Load([]byte(c.a), engine.Lenient)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		b, err := g.Load([]byte(c.b), engine.Lenient)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p := a.ToAct()
		x, y := suite.Observe(a, p), suite.Observe(b, p)
		if p < 0 || b.ToAct() != p || !slices.Equal(x[:2747], y[:2747]) {
			t.Errorf("%s: version 2 could tell them apart, or seat %d acts", c.name, p)
		}
		if slices.Equal(suite.Field(t, x, c.field), suite.Field(t, y, c.field)) {
			t.Errorf("%s: %s is the same", c.name, c.field)
		}
		if u, v := engine.Look(a, p).(engine.Teller).Text(p), engine.Look(b, p).(engine.Teller).Text(p); c.text && u == v {
			t.Errorf("%s: the texts are the same", c.name)
		}
	}
}

// R15.1: an observer who knows of no question is asked none.
func TestNobodyIsAsked(t *testing.T) {
	g := enginetest.Game(t, "bloc(scenario=beginner_city)")
	s, err := g.Load([]byte(`{"rest":{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1},"cops":3}},"hands":{"workers":["molotovs_1"]}},
		"since":["ATTACK_DEFEAT","CELL_1"]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	obs := suite.Observe(s, 1)
	for _, name := range []string{"to_act", "asked", "decision"} {
		if x := suite.Field(t, obs, name); slices.Max(x) != 0 {
			t.Errorf("%s is %v", name, x)
		}
	}
	if suite.Field(t, obs, "pending_cell")[1] != 1 || suite.Field(t, obs, "pending_verb")[7] != 1 {
		t.Error("the attack and its cell are not observed")
	}
	if slices.Max(suite.Field(t, suite.Observe(s, 0), "decision")) != 1 {
		t.Error("the player asked does not observe its question")
	}
}
