package bloc_test

import (
	"strings"
	"testing"
)

// R16.1 and R16.2: the text for a person holds what is public and what its player knows,
// and says in words what the scenario wants and what cards, occupations and agenda options
// do.
func TestTextTellsWhatIsKnown(t *testing.T) {
	const text = "bloc(scenario=smash_the_state,mode=semi_cooperative,city=beginner)"
	const known = `"ops_revealed":["maneuvers","move_state_highest","move_state_lowest","move_public_highest","move_public_lowest","metro_lockdown","move_workers_lowest","move_students_lowest","move_neighbors_lowest","strategic_rotation","tactical_retreat"]`
	turn := load(t, text, `{"active":"workers","dice":[3],"extra_dice":1,"uses":{"assembly_hall":1},"bolt_cutters":2,"jammers":1,"barred":{"loot":[2]},
		"bonus_dice":{"students":2},"loot_discard":{"bikes":1},"ops_discard":{"chief_of_police_fired":1},`+known+`,
		"districts":{"the_park":{"blocs":{"workers":2},"attacked":{"workers":1},"cops":1}},
		"hands":{"workers":["medic_kit"],"students":["lumber","gas_masks"]},"known":[{"students":{"lumber":1}},{"workers":{"medic_kit":1}},{},{}],
		"agendas":{"workers":"nihilist","students":"vanguardist"}}`)
	stop := load(t, text, `{"rest":{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1,"students":2}}}},
		"since":["BUILD","CELL_1","OCC_UNIQUE_1"]}`)
	dawn := load(t, text, `{"rest":{"step":"liberation","turn":4,"revealed_total":4,
		"districts":{"the_park":{"blocs":{"workers":6},"cops":2,"occupation":["workers","strike_hall"],"protected":true,"cancelled":2,"boost":2}}},
		"since":["MANIFESTATION_MUTINY_IN_THE_RANKS","CELL_1"]}`)
	gate := load(t, "bloc(scenario=autonomous_zone_1)", `{}`)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a turn", view(turn, 0).Text(0), []string{
			"at the end of a night every State district is liberated and holds an occupation",
			"1 extra dice rolled", "Bolt Cutters ready (2 less", "1 Signal Jammers", "assembly hall used 1 times", "loot stopped in cells 2", "2 bonus dice",
			"W2'", "the next 11: Maneuvers", "Tactical Retreat", "discarded: 1 Chief of Police Fired", "discard: Bikes", "Loot cards not seen: ",
			"of this hand others know: seat 1 Medic Kit", "hand (2): Lumber, 1 unknown", "Medic Kit: ", "Strategic Rotation: ", "Hacker Space: ",
			"agenda Nihilist",
		}},
		{"D10", view(stop, 1).Text(1), []string{"Under way: build an occupation; in The Park (cell 1, difficulty 4); to build Strike Hall."}},
		{"a manifestation", view(dawn, 0).Text(0), []string{
			"Under way: manifestation Mutiny in the Ranks;", "2 still to come", "liberated by the workers", "the workers choose",
			"Mutiny in the Ranks: Police morale",
			"This Sunrise: The Park, occupation protected, 2 attacks of cops void, counts as 2 more blocs.", "4 ops cards to be shown this Sunrise",
		}},
		{"a gate", open(gate).Text(0), []string{"Nobody wins while police are in "}},
	} {
		for _, part := range c.want {
			if !strings.Contains(c.text, part) {
				t.Errorf("%s: %q is not in\n%s", c.name, part, c.text)
			}
		}
	}
	if other := view(turn, 2).Text(2); strings.Contains(other, "Medic Kit: ") || strings.Contains(other, "Nihilist") {
		t.Errorf("seat 2 reads of another's hand or agenda\n%s", other)
	}
}
