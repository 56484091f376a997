package roster

import (
	"slices"
	"testing"

	"powderkeg/env"
)

// A network plays the scenario, the seats and the payoff that it was trained for, and no other.
func TestNetworksFitTheirGame(t *testing.T) {
	for game, want := range map[string][]string{
		"jogu": {"jogu"}, "jogu(first=agents,start=first)": {"jogu"}, "jogu(expansion=true)": nil, "connect4": nil,
		"domination": {"domination"}, "domination(players=3)": {"domination_three"}, "domination(players=4,turns=3)": {"domination_four"},
		"domination(players=5)": {"domination_five"}, "domination(players=6)": {"domination_six"},
		"insurgency": {"insurgency"}, "insurgency(deploy=each,voluntary_removal=false)": {"insurgency"},
		"insurgency(scenario=resistance)": {"insurgency_resistance"}, "insurgency(scenario=custom)": nil,
		"bloc": {"bloc_plans", "bloc"}, "bloc(mode=cooperative,ops_difficulty=hard)": {"bloc_plans", "bloc"},
		"bloc(mode=semi_cooperative)": {"bloc_agendas"}, "bloc(players=3)": nil, "bloc(scenario=beginner)": nil,
		"minuteman": {"minuteman"}, "minuteman(government=prepared)": {"minuteman"}, "minuteman(scenario=partisan)": {"minuteman_partisan"},
		"minuteman(scenario=occupation)": nil, "minuteman(players=3)": nil, "minuteman(encoder=planes)": nil,
	} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		if got := Networks(g); !slices.Equal(got, want) {
			t.Errorf("%s is played by the networks %q, want %q", game, got, want)
		}
	}
}
