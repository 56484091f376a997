package bloc_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// Most rules are pinned by the scripts under testdata; here are those that need more
// than a position and some moves.
var (
	load   = enginetest.Load[*bloc.State]
	do     = enginetest.Do[*bloc.State]
	fields = enginetest.Fields
)

// R2.12, R10.3, R2.2 and R2.6, Ruling 32 and R-07: what a scenario does not allow is refused with the
// rule's number.
func TestR2_12_RefusedSettings(t *testing.T) {
	city := func(change func(cells []string)) string {
		cells := strings.Split(beginnerCity, "+")
		change(cells)
		return "bloc(city=" + strings.Join(cells, "+") + ")"
	}
	for text, want := range map[string]string{
		"bloc(scenario=autonomous_zone_2,players=3)":               "not for players=3, but for 2, 4 (R10.3)",
		"bloc(scenario=let_the_infighting_begin,players=2)":        "not for players=2, but for 3, 4 (R10.3)",
		"bloc(scenario=let_the_infighting_begin,mode=cooperative)": "not played mode=cooperative, only semi_cooperative (R10.3)",
		"bloc(scenario=occupy_everything,mode=semi_cooperative)":   "not played mode=semi_cooperative, only cooperative (R10.3)",
		"bloc(players=2,mode=semi_cooperative)":                    "players=2 is played mode=cooperative only (R2.12)",
		"bloc(scenario=beginner,ops_difficulty=hard)":              "played ops_difficulty=easy only (R2.6)",
		"bloc(scenario=routine_traffic_stop,use_overpass=true)":    "has the Overpass already (R2.2)",
		"bloc(scenario=beginner_city,use_overpass=true)":           "needs a random city (R2.2)",
		"bloc(scenario=beginner_city,city=x)":                      "has a city of its own",
		"bloc(scenario=autonomous_zone_1,city=beginner)":           "community_defense_hq is missing, which scenario autonomous_zone_1 needs (R10.3)",
		"bloc(city=the_park:0+the_plaza:1)":                        "2 tiles, a city has 25",
		"bloc(players=5)":                                          "players is a whole number from 2 to 4",
		city(func(c []string) { c[3] = "the_moon:0" }):             `cell 3: "the_moon" is no tile (R1.1)`,
		city(func(c []string) { c[3] = "the_park:4" }):             `cell 3: rotation "4" is not 0 to 3 (R2.2)`,
		city(func(c []string) {
			c[1], c[2], c[5], c[6] = "commercial_1:3", "the_park:0", "underfunded_high_school:0", "supermax_prison:0"
		}): "not every district can be reached from every other (R2.2)",
		city(func(c []string) {
			c[7], c[9], c[19] = "financial_district:0", "mega_mall:0",
				"communal_gardens:0"
		}): "no workers district to start in (R2.10)",
	} {
		if _, err := games.New(text); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := games.New("bloc(city=" + beginnerCity + ")"); err != nil {
		t.Errorf("the beginner city written out: %v", err)
	}
}

// beginnerCity is the beginner city as the option city writes it.
const beginnerCity = "telecom_network_hub:0+the_park:0+commercial_1:2+gentrifying_residential_zone:0+the_old_polytechnic:0+" +
	"supermax_prison:0+underfunded_high_school:0+smartphone_factory:0+international_airport:0+garment_sweatshop:1+" +
	"street_market:0+highway_1:0+commercial_3:0+immigrant_detention_center:0+highway_3:0+" +
	"commercial_2:0+interior_ministry:0+highway_2:0+the_projects:0+global_shipping_center:0+" +
	"polluted_slum:2+privatized_university:0+the_plaza:0+overcrowded_jail:0+the_stadium:1"

// R1.1, R1.2, R1.3, R2.3, R2.4, R2.5 and R2.6: what lies ready before anything is
// drawn, for each scenario and number of players; the tables of R10.3 (Ruling 15,
// Ruling 25).
func TestR1_1_BoxOfEachScenario(t *testing.T) {
	// Nights and Paramilitary Operations of each scenario with 2, 3 and 4 players; 0
	// where it is not played.
	for id, want := range map[string]struct{ nights, paramilitary [3]int }{
		"standard":                   {[3]int{8, 8, 8}, [3]int{2, 2, 2}},
		"beginner":                   {[3]int{6, 8, 6}, [3]int{1, 1, 1}},
		"beginner_city":              {[3]int{6, 8, 6}, [3]int{1, 1, 1}},
		"routine_traffic_stop":       {[3]int{6, 8, 6}, [3]int{2, 2, 2}},
		"abolish_the_police":         {[3]int{8, 8, 8}, [3]int{2, 2, 2}},
		"burn_down_the_company_town": {[3]int{6, 8, 6}, [3]int{2, 2, 2}},
		"occupy_everything":          {[3]int{6, 6, 6}, [3]int{2, 2, 2}},
		"asymmetrical_struggle":      {[3]int{8, 8, 8}, [3]int{2, 2, 2}},
		"let_the_infighting_begin":   {[3]int{0, 6, 6}, [3]int{3, 3, 3}},
		"collective_liberation":      {[3]int{8, 8, 8}, [3]int{3, 3, 3}},
		"smash_the_state":            {[3]int{8, 8, 8}, [3]int{3, 3, 3}},
		"autonomous_zone_1":          {[3]int{6, 8, 6}, [3]int{3, 3, 3}},
		"autonomous_zone_2":          {[3]int{8, 0, 8}, [3]int{3, 3, 3}},
	} {
		for i := range 3 {
			if want.nights[i] == 0 {
				continue
			}
			text := fmt.Sprintf("bloc(scenario=%s,players=%d)", id, i+2)
			x := fields(t, enginetest.Game(t, text).New())
			loot, ops := 0, 0
			for _, n := range x["loot_deck"].(map[string]any) {
				loot += int(n.(float64))
			}
			deck := x["ops_deck"].(map[string]any)
			for _, n := range deck {
				ops += int(n.(float64))
			}
			removed := 3 - want.paramilitary[i]
			if id == "abolish_the_police" {
				removed += 2
				if deck["emergency_reinforcements"] != nil {
					t.Errorf("%s: Emergency Reinforcements are in the deck (R10.3)", text)
				}
			}
			if loot != 60 || ops != 34-removed || deck["paramilitary_operations"] != float64(want.paramilitary[i]) ||
				x["nights_left"] != float64(want.nights[i]) || x["barricade_pile"] != 40.0 {
				t.Errorf("%s: %d loot cards, %d ops cards with %v Paramilitary Operations, %v nights, %v barricades",
					text, loot, ops, deck["paramilitary_operations"], x["nights_left"], x["barricade_pile"])
			}
		}
	}
}

// R2.7, R2.11, C1 and C7: factions and the first of them by lot, each with equal chance;
// two players have seats 0 and 2, 1 and 3 (Ruling 3).
func TestR2_7_FactionsAndSeats(t *testing.T) {
	for players, factions := range map[int]int{2: 4, 3: 3, 4: 4} {
		text := fmt.Sprintf("bloc(scenario=beginner_city,players=%d)", players)
		s := enginetest.Game(t, text).New().(*bloc.State)
		for left := 4; left > max(1, 4-factions); left-- {
			if got := s.Outcomes(nil); len(got) != left || int(engine.Total(got)) != left {
				t.Errorf("%s: lots %v, want %d with equal weights", text, got, left)
			}
			if err := s.Apply(s.Outcomes(nil)[0].Action); err != nil {
				t.Fatal(err)
			}
		}
		for seat := range factions {
			if f := open(s).P.Seats[seat]; open(s).Owner(f) != engine.Player(seat%players) {
				t.Errorf("%s: seat %d belongs to player %d", text, seat, open(s).Owner(f))
			}
		}
		rng := rand.NewPCG(1, 7)
		for open(s).P.Night == 0 {
			moves := engine.Moves(s)
			if moves[0] < 4 && s.ToAct() == engine.Chance && len(moves) != factions {
				t.Errorf("%s: %d factions may be first", text, len(moves))
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// R2.9, R11.6 and C6: the chances of the agenda deals, computed here by listing all of
// them. In the infighting deal the first faction gets Nihilist or Vanguardist with a
// chance of 1/(n+2) each.
func TestR2_9_AgendaDeals(t *testing.T) {
	for text, want := range map[string]map[string]float64{
		"bloc(mode=semi_cooperative)":                                {"AGENDA_NIHILIST": 1. / 10, "AGENDA_SOCIAL_FEDERATION": 1. / 10},
		"bloc(scenario=asymmetrical_struggle,mode=semi_cooperative)": {"AGENDA_NIHILIST": 0, "AGENDA_VANGUARDIST": 1. / 9},
		"bloc(scenario=let_the_infighting_begin)": {"AGENDA_NIHILIST": 1. / 6, "AGENDA_VANGUARDIST": 1. / 6,
			"AGENDA_SECTARIAN_HEGEMONY": 4. / 6 / 8},
		"bloc(scenario=let_the_infighting_begin,players=3)": {"AGENDA_NIHILIST": 1. / 5, "AGENDA_SECTARIAN_HEGEMONY": 3. / 5 / 8},
	} {
		g := enginetest.Game(t, text)
		rng := rand.NewPCG(2, 9)
		s := g.New().(*bloc.State)
		for {
			o := s.Outcomes(nil)
			if strings.HasPrefix(engine.MoveName(g, s, o[0].Action), "AGENDA") {
				break
			}
			if err := s.Apply(engine.Sample(o, rng)); err != nil {
				t.Fatal(err)
			}
		}
		// chance adds up the chances that seat k gets a card over all deals.
		var chance func(s *bloc.State, k int, card string, p float64) float64
		chance = func(s *bloc.State, k int, card string, p float64) float64 {
			outcomes, sum := s.Outcomes(nil), 0.0
			total := float64(engine.Total(outcomes))
			for _, o := range outcomes {
				q := p * float64(o.Weight) / total
				if k == 0 {
					if engine.MoveName(g, s, o.Action) == card {
						sum += q
					}
					continue
				}
				next := engine.Clone(g, s).(*bloc.State)
				if err := next.Apply(o.Action); err != nil {
					t.Fatal(err)
				}
				sum += chance(next, k-1, card, q)
			}
			return sum
		}
		for card, w := range want {
			for k := range 3 {
				if got := chance(s, k, card, 1); math.Abs(got-w) > 1e-9 {
					t.Errorf("%s: seat %d gets %s with chance %.4f, want %.4f", text, k, card, got, w)
				}
			}
		}
	}
}

// R10.4: each option of the ten agendas, met and missed by one.
func TestR10_4_AgendaOptions(t *testing.T) {
	const text = "bloc(mode=semi_cooperative,city=beginner)"
	success := `"telecom_network_hub":{"occupation":["students","assembly_hall"]},"international_airport":{"occupation":["prisoners","assembly_hall"]},"interior_ministry":{"occupation":["workers","assembly_hall"]}`
	two := `"telecom_network_hub":{"occupation":["workers","propaganda_workshop"]},"international_airport":{"occupation":["workers","assembly_hall"]}`
	three := two + `,"interior_ministry":{"occupation":["workers","peoples_kitchen"]}`
	own := func(n int, liberated bool) string {
		var parts []string
		for i, t := range []string{"garment_sweatshop", "smartphone_factory", "global_shipping_center"}[:n] {
			parts = append(parts, fmt.Sprintf(`%q:{"occupation":["workers",%q],"liberated":%v}`, t,
				[]string{"faction_start", "strike_hall", "peoples_kitchen"}[i], liberated))
		}
		return strings.Join(parts, ",")
	}
	free := func(n int) string {
		var parts []string
		for _, t := range []string{"polluted_slum", "the_projects", "the_old_polytechnic"}[:n] {
			parts = append(parts, fmt.Sprintf(`%q:{"liberated":true,"blocs":{"workers":1}}`, t))
		}
		return strings.Join(parts, ",")
	}
	blocs := func(n int) string { return fmt.Sprintf(`"the_plaza":{"blocs":{"workers":%d}}`, n) }
	burned := func(c ...int) string {
		full := []int{3, 4, 4}
		var parts []string
		for i, n := range c {
			parts = append(parts, fmt.Sprintf(`"commercial_%d":{"shopping_centers":[%d,0,%d]}`, i+1, full[i]-n, n))
		}
		return strings.Join(parts, ",")
	}
	all := func(parts ...string) string { return strings.Join(parts, ",") }
	for _, c := range []struct {
		agenda      string
		option      int
		met, missed string
		more, fewer string // fields beside districts
	}{
		{"social_neighborhood_power", 0, all(success, own(2, false)), all(success, own(1, false)), "", ""},
		{"social_neighborhood_power", 1, all(success, own(1, true), blocs(6)), all(success, own(1, true), blocs(5)), "", ""},
		{"social_federation", 0, all(success, own(3, false)), all(success, own(2, false)), "", ""},
		{"social_federation", 1, all(success, free(3)), all(success, free(2)), "", ""},
		{"social_open_the_commons", 0, all(success,
			`"the_park":{"occupation":["workers","strike_hall"]},"the_plaza":{"occupation":["neighbors","assembly_hall"]}`),
			all(success, `"the_park":{"occupation":["workers","strike_hall"]}`), "", ""},
		{"social_open_the_commons", 1, all(success, `"the_park":{"liberated":true}`, blocs(7)), all(success, blocs(7)), "", ""},
		{"social_hold_the_streets", 0, all(success, own(2, false)), all(success, own(2, false)),
			`,"barricades":[{"cell":5,"arm":"N","count":3},{"cell":5,"arm":"E","count":3},{"cell":5,"arm":"S","count":2}]`,
			`,"barricades":[{"cell":5,"arm":"N","count":3},{"cell":5,"arm":"E","count":3},{"cell":5,"arm":"S","count":1}]`},
		{"social_hold_the_streets", 1, all(success, own(2, false)),
			all(success, own(1, false), `"smartphone_factory":{"occupation":["workers","strike_hall"],"cops":1}`), "", ""},
		{"social_expropriation", 0, all(success, burned(3, 4, 1)), all(success, burned(3, 4)), `,"hands":{"workers":["bikes","bikes","lumber"]}`,
			`,"hands":{"workers":["bikes","bikes","lumber"]}`},
		{"social_expropriation", 1, all(success, own(2, true)), all(success, own(1, true)), "", ""},
		{"sectarian_one_true_line", 0, all(success, own(3, false)), all(success, own(2, false)), "", ""},
		{"sectarian_one_true_line", 1, all(two, own(3, false)), all(two, own(2, false)), "", ""},
		{"sectarian_hegemony", 0, all(success, blocs(8)), all(success, blocs(7)), "", ""},
		{"sectarian_hegemony", 1, all(two, blocs(9)), all(two, `"the_plaza":{"blocs":{"workers":9,"students":9}}`), "", ""},
		{"sectarian_home_turf", 0, all(success, own(2, true)), all(success, own(1, true)), "", ""},
		{"sectarian_home_turf", 1, all(two, own(1, true), `"the_park":{"occupation":["workers","strike_hall"]}`),
			all(two, own(1, false), `"the_park":{"occupation":["workers","strike_hall"]}`), "", ""},
		{"vanguardist", 0, three, two, "", ""},
		{"vanguardist", 1, all(two, blocs(7), `"the_park":{"occupation":["workers","strike_hall"]}`),
			all(two, blocs(6), `"the_park":{"occupation":["workers","strike_hall"]}`), "", ""},
		{"nihilist", 0, burned(3, 4, 3), burned(3, 4, 2), "", ""},
		{"nihilist", 1, all(burned(3, 4, 1), blocs(5)), all(burned(2, 3, 3), blocs(5)), "", ""},
	} {
		for want, s := range map[bool]*bloc.State{
			true:  load(t, text, fmt.Sprintf(`{"active":"workers","agendas":{"workers":%q},"districts":{%s}%s}`, c.agenda, c.met, c.more)),
			false: load(t, text, fmt.Sprintf(`{"active":"workers","agendas":{"workers":%q},"districts":{%s}%s}`, c.agenda, c.missed, c.fewer)),
		} {
			if got := open(s).Meets(0, c.option); got != want {
				t.Errorf("%s, option %d: met %v, want %v\n%s", c.agenda, c.option, got, want, open(s).Text(0))
			}
		}
	}
}

// R10.1 and R10.5: returns, and the bounds that random games of all settings keep.
func TestR10_5_BoundsAndReturns(t *testing.T) {
	for _, text := range settings {
		g := enginetest.Game(t, text)
		spec := g.Spec()
		if spec.MaxDecisions > 64004 || spec.MaxDecisions < 6*8000 && spec.Seats != 3 {
			t.Errorf("%s: at most %d decisions", text, spec.MaxDecisions)
		}
		if want := map[bool]engine.Payoff{true: engine.GeneralSum,
			false: engine.Cooperative}[open(g.New().(*bloc.State)).SemiCooperative()]; spec.Payoff != want {
			t.Errorf("%s: payoff %s, want %s", text, spec.Payoff, want)
		}
	}
	for result, want := range map[string][]float32{
		`{"winners":["prisoners"],"by":"win_alone"}`:        {-1, -1, -1, 1},
		`{"winners":["workers","students"],"by":"success"}`: {1, 1, -1, -1},
		`{"winners":[],"by":"time_out"}`:                    {-1, -1, -1, -1},
	} {
		s := load(t, "bloc(mode=semi_cooperative,city=beginner)", `{"result":`+result+`,"nights_left":0,"night":8}`)
		if got := s.Returns(nil); s.ToAct() != engine.Terminal || !slices.Equal(got, want) {
			t.Errorf("%s: returns %v, want %v", result, got, want)
		}
	}
	s := load(t, "bloc(scenario=beginner_city,players=2)",
		`{"result":{"winners":["workers","students","neighbors","prisoners"],"by":"success"},"nights_left":0,"night":6}`)
	if got := s.Returns(nil); !slices.Equal(got, []float32{1, 1}) {
		t.Errorf("two players who win together get %v", got)
	}
}

// R13.2: chance events and their weights; R13.3: the vocabulary; R13.1 and Ruling 15.
func TestR13_2_ChanceAndVocabulary(t *testing.T) {
	g := enginetest.Game(t, "bloc")
	if len(g.Spec().Actions) != 86 || g.Spec().Actions[85] != "END_ACTIONS" || g.Spec().Actions[60] != "CARD_LUMBER" {
		t.Errorf("R13.3: %d actions", len(g.Spec().Actions))
	}
	s := load(t, "bloc(scenario=beginner_city)",
		`{"active":"workers","dice":[6],"districts":{"commercial_3":{"blocs":{"workers":1}}},"hands":{"workers":["bikes"]}}`)
	do(t, "bloc(scenario=beginner_city)", s, "LOOT_GRAFFITI", "CELL_12")
	for _, o := range s.Outcomes(nil) {
		name, want := engine.MoveName(g, s, o.Action), uint32(0)
		switch name {
		case "LOOT_MOLOTOVS_1":
			want = 7
		case "LOOT_BIKES":
			want = 4 // one of five is in the hand
		case "LOOT_STEEL_DOORS":
			want = 2
		default:
			continue
		}
		if o.Weight != want {
			t.Errorf("C11: %s has weight %d, want %d", name, o.Weight, want)
		}
	}
	do(t, "bloc(scenario=beginner_city)", s, "LOOT_BIKES")
	if o := s.Outcomes(nil); len(o) != 6 || engine.Total(o) != 6 {
		t.Errorf("C9: outcomes %v", o)
	}
}

// R6.6: whoever is asked about a reaction, whatever the die shows, is asked the same in the
// position that is written down then.
func TestR6_6_RollIsWrittenDown(t *testing.T) {
	const text = "bloc(scenario=beginner_city)"
	for _, face := range []string{"REACTION_1", "REACTION_2"} {
		s := load(t, text, `{"active":"workers","dice":[4],"districts":{"garment_sweatshop":{"blocs":{"workers":1}}},"hands":{"workers":["police_scanner"]}}`)
		do(t, text, s, "LOOT_GRAFFITI", "CELL_9", "LOOT_BIKES", face)
		position, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := enginetest.Game(t, text).Load(position, engine.Lenient)
		if err != nil {
			t.Errorf("%s: the position is refused: %v", face, err)
			continue
		}
		if again.Hash() != s.Hash() || !slices.Equal(again.Legal(nil), s.Legal(nil)) || len(s.Legal(nil)) != 2 {
			t.Errorf("%s: seat %d may do %v, and in the position read again %v", face, s.ToAct(), s.Legal(nil), again.Legal(nil))
		}
	}
}
