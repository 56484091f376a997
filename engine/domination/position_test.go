package domination_test

import (
	"testing"

	"powderkeg/engine/enginetest"
)

// R3.1: fields that are left out take the initial values, and a position about
// something on the table is one in card play.
func TestR3_1_FieldsLeftOut(t *testing.T) {
	s := load(t, secrets, `{"hands":{"0":["Surrender","Domination"]}}`)
	expect(t, s, map[string]string{
		"phase": `"card_play"`, "turn": `1`, "first_player": `0`, "active": `0`, "passed": `[false,false,false]`, "vp": `[0,0,0]`,
		"logistics": `[4,4,4]`, "draw_decks": `{"0":[{"unknown":{"Domination":3}}],"1":[{"unknown":{"Domination":4}}],"2":[{"unknown":{"Domination":4}}]}`,
		"hand_sizes": `{"0":2,"1":0,"2":0}`, "frame": `null`, "window_seat": `null`,
	})
	if open(s).P.Stack[23] != 5 || open(s).P.Stack[8] != 6 {
		t.Errorf("the stacks hold %d Surrender and %d Fog of War, want 5 and 6", open(s).P.Stack[23], open(s).P.Stack[8])
	}
	s = load(t, "domination(players=3,rotate_first_player=true,first_player=1)", `{"turn":3,"hands":{"0":["Domination"]}}`)
	if open(s).P.First != 0 {
		t.Errorf("with rotation from seat 1 on, seat %d is First Player of Game Turn 3, want 0", open(s).P.First)
	}
	s = load(t, secrets, `{"phase":"scoring_window","hands":{"2":["Airborne Forces"]}}`)
	expect(t, s, map[string]string{"passed": `[true,true,true]`, "window_seat": `2`})
}

// R3.2, R-04 and the limits of the phases: what breaks a rule is refused with the reason.
func TestR3_2_BadPositions(t *testing.T) {
	const pool = `"pool":["Airborne Forces","Bio Weapons","Fog of War","Global Disruption","Insurgents","Mega Storm","Military Base","Out of Supply","Surrender","Tactical Nukes"]`
	const mine = `"hands":{"0":["Domination"]}`
	enginetest.BadPositions(t, enginetest.Game(t, secrets), map[string]string{
		`{"phase":"war"}`:                                       `phase "war" is unknown; it is one of setup, end_of_game_turn`,
		`{"turn":10}`:                                           "turn is 10, it must be 0 to 9",
		`{"phase":"card_play","turn":0}`:                        "turn is 0, in phase card_play it must be 1 to 8 (R10.1)",
		`{"phase":"logistics_window","turn":8}`:                 "left out in the last Game Turn (R9.4)",
		`{"active":3}`:                                          "active is 3, it must be 0 to 2",
		`{"phase":"score","active":0}`:                          "active is 0, but nobody is in phase score",
		`{"active":0,"passed":[true,false,false]}`:              "active is 0, who is locked (R6.4)",
		`{"passed":[true,true]}`:                                "passed has 2 entries, it has one for each of the 3 seats",
		`{"phase":"scoring_window","passed":[true,true,false]}`: "everybody is locked (R6.6)",
		`{"phase":"start_of_game_turn","turn":2,"passed":[true,false,false]}`: "nobody is locked (R6.1)",
		`{"phase":"score","used_this_turn":true}`:                             "nobody has a turn in phase score",
		`{"active":0,"fog_players":[1]}`:                                      "Fog of War is played in phase scoring_window only (R8.4)",
		`{"pool":["Surrender"],"active":0}`:                                   "pool has 1 types, it has 10 (R5.4)",
		`{"pool":["Surrender","Surrender"]}`:                                  "Surrender is named twice",
		`{"pool":["Domination"]}`:                                             "Domination has no stack",
		`{"pool":["Attack Submarines"]}`:                                      "needs the game option extended_pool=true",
		`{"phase":"setup","pool":["Supply Depots"]}`:                          "drawn in ascending order, and 9 more do not exist",
		`{"stacks":{"Fog of War":7}}`:                                         "stacks.Fog of War is 7, it must be 0 to 6",
		`{"stacks":{"Ore Control":1}}`:                                        "Ore Control is not in the pool (R5.5)",
		`{"active":0,"hands":{"0":["Ore Control"]}}`:                          "players own 1 Ore Control, which is not in the pool",
		`{"active":0,"hands":{"0":["Fog"]}}`:                                  `hands.0 "Fog" is unknown; it is one of Domination, Agricultural Control`,
		`{"active":0,"hands":{"3":["Domination"]}}`:                           `unknown field "hands.3"; fields: 0, 1, 2`,
		`{"active":0,"hands":{"0":["Domination","Domination","Domination","Domination","Domination"]}}`: "seat 0 has 5 cards Domination, it has 4 in " +
			"all (R3.2)",
		`{"active":0,"hands":{"0":["Domination"]},"draw_decks":{"0":[]}}`: "seat 0 has 1 cards Domination, it has 4 in " +
			"all (R3.2)",
		`{"active":0,"hands":{"0":["Fog of War"]},"stacks":{"Fog of War":6}}`: "there are 7 Fog of War in the stack and " +
			"with the players, the game has 6 (R3.2)",
		`{"active":0,"hands":{"0":["Fog of War"]},"stacks":{"Fog of War":4}}`: "there are 5 Fog of War in the stack",
		`{"active":0,"hands":{"0":["Domination"]},"hand_sizes":{"0":2}}`: "hand_sizes.0 is 2, but it follows from the " +
			"rest that it is 1",
		`{"active":0,"draw_deck_sizes":{"0":2}}`: "draw_deck_sizes.0 is 2, but it follows " +
			"from the rest that it is 4",
		`{"active":0,"known":{"0":["Domination"]}}`: "known of seat 0 has 1 Domination, its hand " +
			"0 (R4.7)",
		`{"active":0,"hands":{"0":["Domination","Domination","Domination","Domination"]},"known":{"0":[]}}`: "with an empty draw deck the whole hand is " +
			"known (R4.7)",
		`{"active":0,"draw_decks":{"0":[{"unknown":{"Domination":3}},"Domination"]}}`: "the unknown part comes last",
		`{"areas":{"XXX":null}}`:                            `areas "XXX" is unknown; it is one of CAN, USA`,
		`{"areas":{"CAN":{"owner":3,"strength":"full"}}}`:   "areas.CAN.owner is 3, it must be 0 to 2",
		`{"areas":{"CAN":{"owner":0,"strength":"strong"}}}`: `strength "strong" is unknown; it is one of struggling, full`,
		`{"vp":[0,0,1245]}`:                                 "vp of seat 2 is 1245, it must be 0 to 1244",
		`{"logistics":[4,4,0]}`:                             "logistics of seat 2 is 0, it must be 1 to 10",
		`{"phase":"end_of_game_turn","vp":[1,0,0]}`:         "before the first Game Turn",
		`{"active":0,"window_seat":0}`:                      "the active player, who is not asked (R6.5)",
		`{"phase":"score","window_seat":0}`:                 "no window is open in phase score",
		`{"active":1,"first_player":0,"window_seat":2,` + mine +
			`}`: "before the first use of a turn nobody reacts, save after the draws (R6.5)",
		`{"active":0,"window_seat":1,"passed":[false,true,false],` + mine +
			`}`: "before the first use of a turn nobody reacts",
		`{"active":0,"used_this_turn":true,` + mine + `}`: "used_this_turn: the discard pile of seat 0 is empty (R7.7)",
		`{"phase":"scoring_window","fog_players":[0],"hands":{"0":["Fog of War","Fog of War","Fog of War","Fog of War","Fog of War","Fog of War"]}}`: "fog_players: 1 put Fog of War back on a stack of 0 (R8.4)",
		`{"active":0,"hands":{"0":["Domination"]},"decision":"D4"}`:                                                                                  "decision is D4, but the rest of the position does not wait for it",
		`{` + pool + `,"phase":"setup","first_player":0,"decision":"C1"}`:                                                                            "decision is C1",
		`[]`: "", `{"turn":"one"}`: `field "turn" is a string, it must be `, `{"cards":1}`: `unknown field "cards"; fields: phase, decision`,
	})
}

// R6.3, R6.5: a card that the active player resolves is a use in its turn, so that
// END_TURN is offered after it and not PASS. Another seat's Airborne Forces are none.
func TestR6_3_AFrameOfTheActivePlayerIsAUse(t *testing.T) {
	position := map[int]string{
		0: `{"rest":{"active":0,"hands":{"0":["Domination","Airborne Forces"],"1":["Domination"]}},"since":["TEXT_OF Airborne Forces"]}`,
		1: `{"rest":{"active":0,"window_seat":1,"hands":{"0":["Domination"],"1":["Domination","Airborne Forces"]}},"since":["TEXT_OF Airborne Forces"]}`,
	}
	for user, end := range map[int]string{0: "END_TURN", 1: "PASS"} {
		s := load(t, secrets, position[user])
		do(t, secrets, s, "BUILD_AT CAN", "DONE")
		if s.ToAct() == 0 {
			do(t, secrets, s, end)
		}
		if s.ToAct() != 1 {
			t.Errorf("after Airborne Forces of seat %d and %s seat %d is to act", user, end, s.ToAct())
		}
	}
}
