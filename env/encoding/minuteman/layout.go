package minuteman

import (
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

// Where the fields of the compact view begin.
var (
	globalsAt = addGlobals(&compactLayout)
	chainAt   = addChain(&compactLayout)
	citiesAt  = compactLayout.Add("cities", -1, 1,
		"Population I hexes in order of number, zero where not in play; owner: 1 mine, 2/3, 1/3, 0 the next seats; Minutemen and Agents divided by 3, "+
			"step by 6, room for so many units by 6; price: for the unit that is being moved 1 where no die is needed, else the price column from 1 to 7 "+
			"over 8, 0 where it may not go",
		[]string{"riot", "unrest", "informer", "network_weak", "network_strong", "network_underground", "network_owner", "network_done", "minutemen",
			"minutemen_strong",
			"agents", "cig_step", "government_army", "zone_government", "zone_rebels", "room", "price"}, minuteman.Cities, citySize)
	mmAt = compactLayout.Add("minutemen", 0, 1, "by counter, own colour first; done in this phase, strength used in this turn",
		[]string{"on_map", "column", "row", "strong", "underground", "done", "fought", "owner"}, minuteman.Minutemen, mmSize)
	militiaAt = addMilitia(&compactLayout)
	armyAt    = compactLayout.Add("army", 0, 1,
		"US, Security, Foreign, Canada, Mexico; airborne 1/2 or marine 1; attack divided by 14, defence by 12, means of an untried one; done 1/2, 1 if "+
			"it advanced",
		[]string{"on_map", "column", "row", "government", "airborne_or_marine", "untried", "attack", "defence", "pinned", "air_rail",
			"done"}, minuteman.Armies, armySize)
	agentsAt = compactLayout.Add("agents", 0, 1, "by counter", []string{"on_map", "column", "row", "strong", "done", "fought"}, minuteman.Agents,
		agentSize)
	cigsAt = compactLayout.Add("cigs", 0, 1, "by counter: step divided by 6, placed in this turn, has built or moved, attacked",
		[]string{"on_map", "column", "row", "step", "placed_now", "built_or_moved", "attacked"}, minuteman.CIGs, cigSize)
	unrestAt = compactLayout.Add("unrest_elsewhere", 0, 1, "Unrests outside Population I by number", []string{"column", "row"}, unrestRows, 2)
	nearAt   = compactLayout.Add("near_hexes", 0, 1,
		"the chosen hex, its ring of 6, its ring of 12, clockwise from N; passable: the side from the chosen hex; cost for the chosen unit, or for "+
			"Militia and Army where none is chosen, divided by 3, no more than 1; strengths divided by 20",
		[]string{"playable", "passable", "clear", "south_winter_cover", "north_winter_cover", "rough_brushland", "population_i", "population_ii", "coast",
			"cost",
			"zone_government", "zone_rebels", "riot", "rebel_defence", "rebel_attack", "government_defence", "government_attack",
			"target"}, nearRows, nearSize)
	regionsAt = compactLayout.Add("regions", 0, 1,
		"Canada; Mexico; US columns to 13 rows to 11, from 12; 14-22 to 14, from 15; 23-29 to 14, from 15; 30-36 to 15, from 16; 37 up to 14, from 15: "+
			"each number over its limit",
		[]string{"riots", "unrests", "networks", "strong_networks", "minutemen", "militia", "militia_attack", "army", "army_attack", "agents", "cig_steps",
			"informers"}, regionRows, regionSize)
)

// addMilitia adds a row for every Militia.
func addMilitia(l *encoding.Layout) int {
	return l.Add("militia", 0, 1, "three colours, own first, Canada, Mexico; attack and defence divided by 8, means of an untried one; done 1/2, 1 if "+
		"it advanced",
		[]string{"on_map", "column", "row", "untried", "attack", "defence", "done", "owner", "surrounded"}, minuteman.Militias, militiaSize)
}

// addGlobals adds what is not on the map to a layout, in the order in which globals
// writes it, and returns where it begins. Seats come from the observer's on.
func addGlobals(l *encoding.Layout) int {
	kinds := []string{"networks", "minutemen", "militia", "army", "agents", "cigs", "informers"}
	piles := []string{"networks_mine", "networks_next", "networks_third", "minutemen_mine", "minutemen_next", "minutemen_third",
		"militia_mine", "militia_next", "militia_third", "militia_canada", "militia_mexico", "armored", "infantry", "airborne", "marine",
		"security", "foreign", "brigades_canada", "brigades_mexico", "agents", "cigs"}
	at := l.Add("phase", 0, 1, "one-hot", minuteman.PhaseNames(), minuteman.Phases)
	l.Add("decision", 0, 1, "one-hot: the question that is asked, none at a chance event and at the end", minuteman.DecisionNames(), minuteman.Decisions)
	l.Add("government", 0, 1, "1 if the observer is the Government", nil, 1)
	l.Add("turn", 0, 1, "Game-Turn, divided by 24", nil, 1)
	l.Add("turns_to_deadline", 0, 1, "Game-Turns left to declare the Revolution, divided by 24", nil, 1)
	l.Add("season", 0, 1, "one-hot", []string{"spring", "summer", "fall", "winter"}, 4)
	l.Add("revolution", 0, 1, "1 after the Revolution", nil, 1)
	l.Add("turns_of_revolution", 0, 1, "Game-Turns since it, divided by 24", nil, 1)
	l.Add("due", 0, 1, "reinforcements: Divisions divided by 4, own Militia by 6, Militia of others by 12",
		[]string{"divisions", "militia_mine", "militia_others"}, 3)
	l.Add("build_track", 0, 1, "divided by 100, no more than 1", nil, 1)
	l.Add("builds_to_next_column", 0, 1, "builds to the next reaction column, divided by 19, 0 in the last", nil, 1)
	l.Add("riot_index", 0, 1, "Riots and half the Unrests, divided by 15, no more than 1", nil, 1)
	l.Add("reaction_column", 0, 1, "reaction columns from 0, divided by 8", []string{"by_riots", "by_builds"}, 2)
	l.Add("own_markers", 0, 1, "special markers in hand, over the 16, 10, 8 and 6 of the game", []string{"assassin", "betrayal", "organizer", "passage"},
		4)
	l.Add("other_hands", 0, 1, "special markers of the next seats, divided by 40", nil, 3)
	l.Add("pool", 0, 1, "special markers in the pool, divided by 40", nil, 1)
	l.Add("piles", 0, 1, "share of the counters that are off the map and not drawn; of several colours the observer's first", piles, minuteman.Piles)
	l.Add("scenario", 0, 1, "one-hot", []string{"basic", "partisan", "occupation", "civil_war", "several_players"}, 5)
	l.Add("set_up", 0, 1, "1 for each variant of the set-up", []string{"unprepared", "prepared", "uncoordinated", "organized", "dispersed"}, 5)
	l.Add("players", 0, 1, "one-hot", []string{"2", "3", "4"}, 3)
	l.Add("options", 0, 1, "1 for each rule in play", []string{"canada_mexico", "foreign_intervention", "air_assault", "amphibious_assault",
		"elite_units"}, 5)
	l.Add("air_rail", 0, 1, "Air/Rail points left, divided by 10, no more than 1", nil, 1)
	l.Add("foreign", 0, 1, "foreign intervention: the observer's, another's, own Movement Phases to come divided by 3",
		[]string{"mine", "others", "phases_left"}, 3)
	l.Add("abroad", 0, 1, "Brigades held by the Rebel, and a Minuteman's build there",
		[]string{"canada_rebel", "canada_built", "mexico_rebel", "mexico_built"}, 4)
	l.Add("committed", 0, 1, "committed Front Line Divisions, divided by 16", nil, 1)
	l.Add("cities_held", 0, 1, "Partisan cities by number that the Rebel occupies", nil, 8)
	l.Add("cities_cut", 0, 1, "Partisan cities by number that no line reaches", nil, 8)
	l.Add("order", 0, 1, "order of movement: how many seats after the observer's, divided by 3, 0 for the observer and for none", nil, 3)
	l.Add("federalized", 0, 1, "1 for the federalized seat", nil, 4)
	l.Add("eliminated", 0, 1, "1 for each eliminated one of the next seats", nil, 3)
	l.Add("most_minutemen", 0, 1, "1 for the owner of more than half of the Minutemen", nil, 4)
	l.Add("units", 0, 1, "units on the map, over their limits", kinds, 7)
	l.Add("balance", -1, 1, "Militia less Army, Networks less CIGs, Minutemen less Agents, over the limits of Army, Networks and Minutemen",
		[]string{"militia_army", "networks_cigs", "minutemen_agents"}, 3)
	l.Add("level", 0, 1, "one-hot: level of the ladder if the game ended now",
		[]string{"government_decisive", "government_substantive", "government_marginal", "draw", "rebel_marginal", "rebel_substantive",
			"rebel_decisive"}, 7)
	l.Add("truces", 0, 1, "on display from the last negotiation, by pairs of seats from the observer's on",
		[]string{"1_2", "1_3", "1_4", "2_3", "2_4", "3_4"}, 6)
	l.Add("targets", 0, 1, "by speaker, the Rebels from the observer's on: whom he has named as TARGET", nil, 4, 3)
	l.Add("pact", 0, 1, "the Rebel with an open pact of federalization, in that order", nil, 3)
	return at
}

// addChain adds the decision under way, in the order in which decision writes it.
func addChain(l *encoding.Layout) int {
	at := l.Add("attack", 0, 1, "one-hot: kind of the attack under way", []string{"military", "infiltration", "subversion", "sedition"}, 4)
	l.Add("chosen_class", 0, 1, "one-hot", nil, minuteman.Classes)
	l.Add("chosen_hex", 0, 1,
		"where the choice stands; present and no column: a verb is chosen and the hex is next, or a pile, row 1 for that of Mexico",
		[]string{"present", "column", "row"}, 3)
	l.Add("target_hex", 0, 1, "the same of a target or destination", []string{"present", "column", "row"}, 3)
	l.Add("strengths", 0, 1, "totals as they count, divided by 40, no more than 1: known attack, known defence, defence with means for the untried",
		[]string{"attack", "known_defence", "defence"}, 3)
	l.Add("odds_column", 0, 1, "one-hot: column in which the attack would be resolved as it stands", nil, 7)
	l.Add("die_modifier", -1, 1, "of the attack", nil, 1)
	l.Add("multipliers", 0, 1, "of the attack", []string{"informer", "ruthless", "betrayal_tried", "betrayed"}, 4)
	l.Add("build", 0, 1, "of the attempt: points divided by 9, column by 6, Organizers by 8, helpers by 3",
		[]string{"points", "column", "organizers", "helpers"}, 4)
	l.Add("pieces_left", 0, 1, "pieces still to choose, divided by 6, no more than 1", nil, 1)
	l.Add("price", 0, 1, "of a Minuteman's way, divided by 60, no more than 1", nil, 1)
	l.Add("chances", 0, 1, "of that way", []string{"success", "stop", "elimination"}, 3)
	l.Add("passage", 0, 1, "Passage markers shown, divided by 6", nil, 1)
	l.Add("retreat", 0, 1, "one-hot: class of the hexes of a retreat", []string{"vacant", "friend", "enemy"}, 3)
	l.Add("second_half", 0, 1, "1 for the second half of D14b", nil, 1)
	l.Add("placing", 0, 1, "one-hot: type of the counter that D1 places", []string{"armored", "infantry", "airborne", "marine", "security"}, 5)
	l.Add("proposal", 0, 1, "one-hot", []string{"truce", "target", "joint_revolution", "federalization"}, 4)
	l.Add("maker", 0, 1, "one-hot: who makes it", nil, 4)
	return at
}
