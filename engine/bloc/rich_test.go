package bloc_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// rich makes a random position of a late game as JSON: crowded districts with
// occupations, police beside them, full hands. Random play from the start hardly gets
// there.
func rich(g engine.Game, rng *rand.PCG) string {
	n := func(n int) int { return int(engine.Uint32N(rng, uint32(n))) }
	own := map[string][]string{
		"workers": {"garment_sweatshop", "smartphone_factory", "global_shipping_center"}, "students": {"underfunded_high_school", "the_old_polytechnic",
			"privatized_university"},
		"neighbors": {"polluted_slum", "the_projects", "gentrifying_residential_zone"}, "prisoners": {"overcrowded_jail", "immigrant_detention_center",
			"supermax_prison"},
	}
	kinds := map[string][]string{
		"workers": {"strike_hall", "propaganda_workshop"}, "students": {"social_center", "hacker_space"},
		"neighbors": {"guerrilla_garden", "comrade_cafe"}, "prisoners": {"molotov_factory", "scavengers_hideout"},
	}
	seats := []string{"workers", "students", "neighbors", "prisoners"}
	if g.Spec().Seats == 3 {
		seats = seats[:3]
	}
	var deck []string
	for i, key := range []string{"molotovs_1", "molotovs_2", "fireworks", "bikes", "smoke_bombs", "bolt_cutters", "police_scanner", "energy_drinks",
		"megaphone", "lumber", "signal_jammer", "gas_masks", "medic_kit", "steel_doors", "sound_system"} {
		for range []int{7, 4, 5, 5, 3, 4, 4, 4, 4, 4, 2, 5, 4, 2, 3}[i] {
			deck = append(deck, key)
		}
	}
	districts, hands, agendas := map[string]map[string]any{}, map[string][]string{}, map[string]string{}
	at := func(tile string) map[string]any {
		if districts[tile] == nil {
			districts[tile] = map[string]any{"blocs": map[string]int{}}
		}
		return districts[tile]
	}
	public := []string{"street_market", "the_park", "the_plaza"}
	cops, vans := 30, 6
	for i, f := range seats {
		home := own[f][n(3)]
		others := 1 + n(3)
		at(home)["blocs"].(map[string]int)[f] += 10 - others
		at(public[n(3)])["blocs"].(map[string]int)[f] += others
		for k, kind := range append([]string{"faction_start", "assembly_hall", "peoples_kitchen"}, kinds[f]...) {
			tile := append(own[f], public[n(3)], "interior_ministry")[k]
			if n(3) > 0 && at(tile)["occupation"] == nil {
				at(tile)["occupation"] = []string{f, kind}
			}
		}
		for range n(6) {
			card := n(len(deck))
			hands[f] = append(hands[f], deck[card])
			deck = append(deck[:card], deck[card+1:]...)
		}
		agendas[f] = []string{"nihilist", "vanguardist", "social_federation", "sectarian_hegemony"}[i]
	}
	for _, tile := range []string{"telecom_network_hub", "international_airport", "interior_ministry", own[seats[n(3)]][n(3)], public[n(3)],
		"commercial_2"} {
		d := at(tile)
		if k := min(cops, n(7)); k > 0 && d["cops"] == nil {
			d["cops"], cops = k, cops-k
		}
		if vans > 0 && n(2) == 0 && d["van"] == nil {
			d["van"], vans = n(2), vans-1
		}
	}
	for _, tile := range slices.Sorted(maps.Keys(districts)) {
		d := districts[tile]
		if d["liberated"] = n(6) == 0 && tile != "commercial_2"; d["liberated"] == true {
			continue
		}
		delete(d, "liberated")
	}
	p := map[string]any{"districts": districts, "hands": hands, "seats": seats, "morale_step": n(5),
		"phase": []string{"sunset_2", "sunrise_1A", "sunrise_2"}[n(3)]}
	if p["phase"] == "sunset_2" {
		p["active"], p["dice"] = seats[n(len(seats))], []int{1 + n(6), 1 + n(6), 6, 6, 6}
	}
	if g.Spec().Payoff == engine.GeneralSum {
		p["agendas"] = agendas
	}
	text, _ := json.Marshal(p)
	return string(text)
}

// Late games are played to their end from crowded positions, with every check of a
// position on the way.
func TestCrowdedGamesPlayOut(t *testing.T) {
	decisions, endings := [bloc.Decisions]int{}, map[string]int{}
	for i, name := range []string{
		"bloc(city=beginner)", "bloc(city=beginner,mode=semi_cooperative)", "bloc(scenario=beginner_city,players=3)",
		"bloc(scenario=smash_the_state,city=beginner,players=3,mode=semi_cooperative,auto_forced=true)", "bloc(scenario=beginner_city,players=2)",
	} {
		g := enginetest.Game(t, name)
		rng := rand.NewPCG(9, uint64(i))
		for range enginetest.Times(8) {
			text := rich(g, rng)
			s, err := g.Load([]byte(text), engine.Lenient)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			end := playCrowded(t, g, s.(*bloc.State), rng, &decisions)
			endings[end]++
		}
	}
	for d, n := range decisions {
		if n == 0 && d > 0 && d < 28 { // D1 belongs to the set-up; D29 to D33 are rare and have scripts
			t.Errorf("D%d was never asked", d+1)
		}
	}
	t.Logf("decisions %v, endings %v", decisions, endings)
}

// playCrowded plays to the end and returns how the game ended.
func playCrowded(t *testing.T, g engine.Game, s *bloc.State, rng *rand.PCG, decisions *[bloc.Decisions]int) string {
	t.Helper()
	for ply := 0; s.ToAct() != engine.Terminal; ply++ {
		if d := open(s).Decision(); d >= 0 {
			decisions[d]++
		}
		if ply%40 == 0 || open(s).Decision() > 22 {
			text, err := s.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			again, err := g.Load(text, engine.Lenient)
			if err != nil || again.Hash() != s.Hash() {
				t.Fatalf("a position does not survive being read: %v\n%s", err, text)
			}
			for p := range engine.Player(g.Spec().Seats) {
				before, after := view(s, p), view(deal(s, p, rng), p)
				if before.ToAct() != engine.Nobody && after.Hash() != before.Hash() { // TestTwoWorldsLookAlike follows the others
					t.Fatalf("seat %d can tell a new deal\n%s", p, text)
				}
			}
		}
		moves := engine.Moves(s)
		if len(moves) > 1 && moves[len(moves)-1] == 85 && engine.Uint32N(rng, 4) > 0 {
			moves = moves[:len(moves)-1]
		}
		if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(fields(t, s)["result"].(map[string]any)["by"])
}
