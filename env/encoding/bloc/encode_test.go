package bloc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding"
	encoder "powderkeg/env/encoding/bloc"
	"powderkeg/env/encoding/encodingtest"
)

// play calls each at every state of random games.
func play(t testing.TB, g engine.Game, n int, each func(s engine.State, rng *rand.PCG)) {
	t.Helper()
	rng := rand.NewPCG(5, 5)
	for i := range 2 * n {
		s := g.New()
		if i%2 == 1 {
			s = dawn(t, g)
		}
		for s.ToAct() != engine.Terminal {
			each(s, rng)
			moves := engine.Moves(s)
			// END_ACTIONS, the last action, seldom: long turns show more.
			if len(moves) > 1 && moves[len(moves)-1] == 85 && engine.Uint32N(rng, 6) > 0 {
				moves = moves[:len(moves)-1]
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		each(s, rng)
	}
}

// dawn is a Sunrise with districts to be liberated, which random play hardly reaches.
func dawn(t testing.TB, g engine.Game) engine.State {
	t.Helper()
	district := func(tile, f string, n int) string {
		return fmt.Sprintf(`%q:{"blocs":{%q:%d,"students":1},"occupation":[%q,"faction_start"],"cops":1}`, tile, f, n, f)
	}
	agendas := ""
	if g.Spec().Payoff == engine.GeneralSum {
		agendas = `"agendas":{"workers":"sectarian_hegemony","students":"nihilist","neighbors":"vanguardist"},`
	}
	position := fmt.Sprintf(`{"phase":"sunrise_1A","seats":["workers","students","neighbors"%s],%s"city":[%s],"districts":{%s,%s,
		"commercial_2":{"shopping_centers":[0,0,4]},"commercial_3":{"shopping_centers":[0,0,4]}},
		"ops_revealed":["metro_lockdown","maneuvers","move_state_highest","move_state_lowest","move_public_highest","move_public_lowest","move_workers_lowest"],
		"hands":{"workers":["medic_kit","sound_system","gas_masks"],"students":["bikes","sound_system"]}}`,
		map[bool]string{true: "", false: `,"prisoners"`}[g.Spec().Seats == 3], agendas, city,
		district("garment_sweatshop", "workers", 9), district("polluted_slum", "neighbors", 9))
	s, err := g.Load([]byte(position), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// city has all tiles that the settings need.
var city = func() string {
	tiles := []string{
		"telecom_network_hub", "communal_gardens", "commercial_1", "gentrifying_residential_zone", "the_old_polytechnic",
		"supermax_prison", "mega_mall", "smartphone_factory", "international_airport", "garment_sweatshop",
		"the_park", "highway_1", "commercial_3", "immigrant_detention_center", "highway_3",
		"commercial_2", "interior_ministry", "highway_2", "the_projects", "global_shipping_center",
		"polluted_slum", "community_defense_hq", "the_plaza", "overcrowded_jail", "privatized_university",
	}
	cells := make([]string, len(tiles))
	for i, tile := range tiles {
		rotation := map[string]int{"commercial_1": 2, "garment_sweatshop": 1, "polluted_slum": 2}[tile]
		cells[i] = fmt.Sprintf(`{"tile":%q,"rotation":%d}`, tile, rotation)
	}
	return strings.Join(cells, ",")
}()

// settings cover all numbers of players, both modes and the largest scenarios.
var settings = []string{
	"bloc(mode=semi_cooperative)", "bloc(players=2,scenario=burn_down_the_company_town)",
	"bloc(players=3,scenario=autonomous_zone_1,mode=semi_cooperative)", "bloc(scenario=abolish_the_police)",
}

var suite = encodingtest.Suite{Encoder: encoder.Encoder{}, Games: settings, Times: 3, Every: 2, Play: play}

func TestEncoder(t *testing.T) { suite.Run(t) }

// Every field must vary, or it tells nothing.
func TestEveryFieldIsUsed(t *testing.T) {
	layout := encoder.Encoder{}.Layout()
	low, high := make([]float32, layout.Size), make([]float32, layout.Size)
	for _, name := range settings {
		g := enginetest.Game(t, name)
		play(t, g, 12, func(s engine.State, _ *rand.PCG) {
			if s.ToAct() < 0 {
				return
			}
			for i, x := range suite.Observe(s, s.ToAct()) {
				low[i], high[i] = min(low[i], x), max(high[i], x)
			}
		})
	}
	for _, f := range layout.Fields {
		if f.Name == "players" || f.Name == "scenario" {
			continue // fixed for a game
		}
		if slices.Max(high[f.Offset:f.Offset+f.Size]) == 0 && slices.Min(low[f.Offset:f.Offset+f.Size]) == 0 {
			t.Errorf("%s is zero throughout", f.Name)
		}
	}
}

// A position whose numbers were written down by hand from the layout.
func TestAKnownPosition(t *testing.T) {
	g := enginetest.Game(t, "bloc(scenario=beginner_city)")
	s, err := g.Load([]byte(`{"active":"students","dice":[2,6,6],"nights_left":3,"night":4,"morale_step":2,
		"districts":{"street_market":{"blocs":{"students":2,"workers":1},"cops":5},"smartphone_factory":{"van":1},
		"underfunded_high_school":{"cops":4},"the_old_polytechnic":{"blocs":{"students":1}},
		"the_plaza":{"occupation":["workers","assembly_hall"]}},"barricades":[{"cell":12,"arm":"W","count":2}],
		"hands":{"students":["bikes","bikes"],"workers":["lumber"]}}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	obs := suite.Observe(s, 1)
	at := func(name string, plane, cell int) float32 { return suite.Field(t, obs, name)[plane*25+cell] }
	for _, c := range []struct {
		what      string
		got, want float32
	}{
		{"own blocs", at("present", 0, 10), 1},
		{"two of them", at("blocs", 0, 10), 0.5},
		{"one bloc of the faction in the seat before", at("blocs", 3, 10), 0.25},
		{"five cops", at("cops", 0, 10), 1.25},
		{"police where a van is", at("police", 0, 7), 1},
		{"none in a district beside it", at("police", 0, 8), 0},
		{"three of a group of four may come", at("coming", 0, 7), 0.75},
		{"one of them is stopped by two barricades", at("coming", 0, 12), 0.5},
		{"none comes from cops in a clash", at("coming", 0, 15), 0},
		{"blocs of cell 4 reach cell 3", at("reach", 0, 3), 1},
		{"and not their own", at("reach", 0, 4), 0},
		{"a van", at("van", 0, 7), 1},
		{"with one hit", at("van_hits", 0, 7), 1. / 3},
		{"the Assembly Hall of the workers", at("occupations", 3*5+1, 22), 1},
		{"cell 4 is an own district", at("tile_type", 0, 4), 1},
		{"cell 7 is one of the workers", at("tile_type", 3, 7), 1},
		{"cell 11 is a highway", at("tile_type", 7, 11), 1},
		{"police ID 20", at("police_id", 0, 10), 20. / 26},
		{"difficulty 4", at("difficulty", 0, 10), 4. / 6},
		{"12 W leads a row up", at("connection_rows", 3, 12), -0.25},
		{"and a column left", at("connection_columns", 3, 12), -0.25},
		{"over a highway", at("connection_highway", 3, 12), 1},
		{"with two barricades", at("connection_barricades", 3, 12), 2. / 3},
		{"seen from the other end too", at("connection_barricades", 2, 6), 2. / 3},
		{"but not at that entrance", at("entrance_barricades", 2, 6), 0},
		{"no connection east of cell 4", at("connections", 1, 4), 0},
		{"two sixes", suite.Field(t, obs, "dice")[5], 1},
		{"three dice that show at least two", suite.Field(t, obs, "dice_at_least")[1], 1.5},
		{"two that show at least three", suite.Field(t, obs, "dice_at_least")[2], 1},
		{"two bikes", suite.Field(t, obs, "hand")[3], 1},
		{"a card of the workers", suite.Field(t, obs, "hand_size")[3], 0.25},
		{"which is not seen", suite.Field(t, obs, "hand")[3*15+9], 0},
		{"three unseen bikes of five", suite.Field(t, obs, "loot_unseen")[3], 3. / 5},
		{"night 4", suite.Field(t, obs, "night")[0], 0.5},
		{"morale", suite.Field(t, obs, "morale")[2], 1},
		{"D2", suite.Field(t, obs, "decision")[1], 1},
	} {
		if d := c.got - c.want; d > 1e-5 || d < -1e-5 {
			t.Errorf("%s: %g, want %g", c.what, c.got, c.want)
		}
	}
}

// Hashes of the layouts of versions 2 and 3.
const (
	version2 = "bb6a6e81d38bb3783acd8f62b4a47995691deb4987a7e9abbeb86ebf6f9fb972"
	version3 = "1d2412f46b228861983554196113216b6580ad7f013f1b1cb5669c6df8e33dd4"
)

// Networks were trained on the layouts of versions 2 and 3: they are beginnings of the
// present one and never change.
func TestLayoutIsVersioned(t *testing.T) {
	layout := encoder.Encoder{}.Layout()
	if older, ok := layout.Beginning(2, version2); !ok || older.Size != 2747 {
		t.Error("the layout does not begin with that of version 2")
	}
	if older, ok := layout.Beginning(3, version3); !ok || older.Size != 3086 {
		t.Error("the layout does not begin with that of version 3")
	}
	if _, err := json.Marshal(layout); err != nil {
		t.Fatal(err)
	}
	var check encoding.Layout = *layout
	if check.Game != "bloc" || check.Version != 4 {
		t.Errorf("layout of %s, version %d", check.Game, check.Version)
	}
	end := 0
	for _, f := range layout.Fields {
		if f.Offset != end {
			t.Errorf("%s begins at %d, want %d", f.Name, f.Offset, end)
		}
		end += f.Size
	}
	if end != layout.Size {
		t.Errorf("fields end at %d of %d", end, layout.Size)
	}
}

// A game that grows must not move what networks read: its new decisions and the like are
// shown by fields of their own behind the others, such as decision_more.
func TestLayoutStandsAlone(t *testing.T) {
	names := make([]string, bloc.Phases)
	for i := range names {
		names[i] = bloc.PhaseName(i)
	}
	sizes, labels := map[string]int{}, []string(nil)
	for _, f := range (encoder.Encoder{}).Layout().Fields {
		sizes[strings.TrimSuffix(f.Name, "_more")] += f.Size
		if strings.HasPrefix(f.Name, "phase") {
			labels = append(labels, f.Labels...)
		}
	}
	const advice = "leave the field and its size in layout.go as they are, add %s_more for what is new behind the last field, and raise Version"
	for name, size := range map[string]int{
		"decision": bloc.Decisions, "scenario": bloc.Scenarios, "pending_verb": bloc.Verbs, "uses": bloc.Uses, "trade_give": bloc.Offers,
		"trade_want": bloc.Offers, "phase": bloc.Phases,
	} {
		if sizes[name] != size {
			t.Errorf("field %s has %d numbers, the game has %d: "+advice, name, sizes[name], size, name)
		}
	}
	if !slices.Equal(labels, names) {
		t.Errorf("the phases are %q, field phase has %q: "+advice, names, labels, "phase")
	}
}

// An edition may have more copies of a card than the box.
func TestCopiesOfAnEdition(t *testing.T) {
	g := enginetest.Edition(t, "bloc(scenario=beginner_city)",
		enginetest.Set{File: "loot_cards", At: "cards[bikes].copies", Value: 12}, enginetest.Set{File: "loot_cards", At: "cards[lumber].copies", Value: 1},
		enginetest.Set{File: "loot_cards", At: "cards[molotovs_1].copies", Value: 3})
	s, err := g.Load([]byte(`{"active":"workers","hands":{"workers":["bikes","bikes","bikes"]}}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	if x := suite.Field(t, suite.Observe(s, 0), "loot_unseen")[bloc.CardBikes]; x != 9./12 {
		t.Errorf("unseen bikes are %g, want 9 of 12", x)
	}
}

// TestReachAgainstEveryDistrict compares the plane with what each district with own blocs
// reaches by itself.
func TestReachAgainstEveryDistrict(t *testing.T) {
	compared := 0
	for _, name := range settings {
		g := enginetest.Game(t, name)
		play(t, g, 3, func(s engine.State, _ *rand.PCG) {
			b := enginetest.Open[*bloc.View](s)
			if s.ToAct() < 0 || b.P.Asked == bloc.NoFaction || !b.Laid() {
				return
			}
			want := bloc.CellSet(0)
			if from := b.Pending().From; from != bloc.NoCell {
				want = b.Reach(from)
			} else {
				for c, n := range b.P.Blocs[b.P.Asked] {
					if n > 0 && b.P.Cops[c] == 0 && b.P.Van[c] == 0 {
						want |= b.Reach(bloc.CellID(c))
					}
				}
			}
			for c, x := range suite.Field(t, suite.Observe(s, s.ToAct()), "reach") {
				if x != float32(want>>c&1) {
					t.Fatalf("%s: cell %d shows %g, want %d\n%s", name, c, x, want>>c&1, b.Text(0))
				}
				compared++
			}
		})
	}
	if compared < 10_000 {
		t.Errorf("%d districts compared, want at least 10000", compared)
	}
}
