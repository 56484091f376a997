package domination

import (
	"strings"
	"testing"
)

// TestSituations asks in positions that have an answer. A name of several answers
// has them all.
func TestSituations(t *testing.T) {
	const pool = "fixed_pool=airborne_forces+amphibious_assault+bad_leadership+fog_of_war+bio_weapons+global_disruption+insurgents+mega_storm+surrender+military_base,auto_forced=false"
	for _, c := range []struct{ name, players, position, do, want string }{
		{
			"builds when it completes a Region and nobody can answer", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"CAN": {"owner": 0, "strength": "struggling"}, "USA": {"owner": 0, "strength": "struggling"}}}`,
			"", "BUILD_WITH Domination",
		},
		{
			"completes the Region first", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"CAN": {"owner": 0, "strength": "struggling"}, "USA": {"owner": 0, "strength": "struggling"}}}`,
			"BUILD_WITH Domination", "BUILD_AT MEX",
		},
		{
			"breaks a Region monopoly before the scoring, where it cannot have one", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"AND": {"owner": 1, "strength": "full"}, "NAF": {"owner": 1, "strength": "full"}, "MEA": {"owner": 1, "strength": "full"},
			            "WEU": {"owner": 1, "strength": "full"}, "WAU": {"owner": 1, "strength": "full"}, "CAN": {"owner": 1, "strength": "struggling"}, "USA": {"owner": 1, "strength": "struggling"}, "MEX": {"owner": 1, "strength": "struggling"}}}`,
			"", "ATTACK_WITH Domination",
		},
		{
			"breaks it where it also breaks one of a Resource", "2",
			`{"turn": 2, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"AND": {"owner": 1, "strength": "full"}, "NAF": {"owner": 1, "strength": "full"}, "MEA": {"owner": 1, "strength": "struggling"},
			            "BRA": {"owner": 1, "strength": "full"}, "SCO": {"owner": 1, "strength": "full"}}}`,
			"ATTACK_WITH Domination", "REDUCE_AT AND",
		},
		{
			"places Forces at Sea, where they count twice, when there is nothing else to gain", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"CAN": {"owner": 1, "strength": "full"}, "AND": {"owner": 1, "strength": "full"}, "NAF": {"owner": 1, "strength": "full"},
			            "MEA": {"owner": 1, "strength": "full"}, "WEU": {"owner": 1, "strength": "full"}, "WAU": {"owner": 1, "strength": "full"}}}`,
			"BUILD_WITH Domination", "BUILD_AT ARC",
		},
		{
			"goes for a Resource while it pays for many Game Turns", "2",
			`{"turn": 1, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Domination"]},
			  "areas": {"CAN": {"owner": 0, "strength": "full"}, "SAF": {"owner": 0, "strength": "full"}, "MEX": {"owner": 1, "strength": "full"}, "CAF": {"owner": 1, "strength": "full"}, "EAU": {"owner": 1, "strength": "full"}}}`,
			"BUILD_WITH Domination; BUILD_AT USA; BUILD_AT USA", "BUILD_AT WAU",
		},
		{
			"ends its turn after one use", "2",
			`{"turn": 3, "first_player": 0, "active": 0, "used_this_turn": true, "hands": {"0": ["Domination", "Military Base"], "1": ["Domination"]}}`,
			"", "END_TURN",
		},
		{
			"keeps Airborne Forces for the scoring", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "hands": {"0": ["Airborne Forces", "Domination"], "1": ["Domination"]},
			  "stacks": {"Bad Leadership": 1, "Military Base": 0, "Amphibious Assault": 0, "Airborne Forces": 0}}`,
			"", "BUILD_WITH Domination",
		},
		{
			"holds Airborne Forces in card play", "2",
			`{"turn": 2, "first_player": 1, "active": 1, "hands": {"0": ["Airborne Forces"], "1": ["Domination", "Domination"]}}`,
			"BUILD_WITH Domination; BUILD_AT CAN; DONE", "DECLINE",
		},
		{
			"plays Airborne Forces when all have passed", "2",
			`{"phase": "scoring_window", "turn": 8, "first_player": 0, "passed": [true, true], "hands": {"0": ["Airborne Forces"]},
			  "areas": {"CAN": {"owner": 1, "strength": "struggling"}}}`,
			"", "TEXT_OF Airborne Forces",
		},
		{
			"takes a Region with Airborne Forces from the one who has it", "2",
			`{"phase": "scoring_window", "turn": 8, "first_player": 0, "passed": [true, true], "hands": {"0": ["Airborne Forces"]},
			  "areas": {"CAN": {"owner": 1, "strength": "struggling"}, "USA": {"owner": 1, "strength": "struggling"}, "MEX": {"owner": 1, "strength": "struggling"}}}`,
			"TEXT_OF Airborne Forces", "REDUCE_AT CAN",
		},
		{
			"denies Region monopolies with Fog of War", "2",
			`{"phase": "scoring_window", "turn": 8, "first_player": 0, "passed": [true, true], "hands": {"0": ["Fog of War"]},
			  "areas": {"CAN": {"owner": 1, "strength": "full"}, "USA": {"owner": 1, "strength": "full"}, "MEX": {"owner": 1, "strength": "full"}}}`,
			"", "TEXT_OF Fog of War",
		},
		{
			"strikes the leader with Bad Leadership", "3",
			`{"turn": 8, "first_player": 0, "active": 0, "hands": {"0": ["Bad Leadership"]}, "vp": [100, 60, 110],
			  "areas": {"CAN": {"owner": 1, "strength": "full"}, "SAF": {"owner": 2, "strength": "full"}}}`,
			"TEXT_OF Bad Leadership", "TARGET_PLAYER 2",
		},
		{
			"attacks the leader", "3",
			`{"turn": 8, "first_player": 0, "active": 0, "hands": {"0": ["Domination"]}, "vp": [100, 110, 60],
			  "areas": {"NAT": {"owner": 2, "strength": "full"}, "IND": {"owner": 1, "strength": "full"}, "SOU": {"owner": 1, "strength": "full"}}}`,
			"ATTACK_WITH Domination", "REDUCE_AT IND",
		},
		{
			"removes the Force of an opponent with Global Disruption", "2",
			`{"turn": 4, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Global Disruption"]},
			  "areas": {"CAN": {"owner": 0, "strength": "full"}, "USA": {"owner": 1, "strength": "struggling"}}}`,
			"TEXT_OF Global Disruption", "REMOVE_AT USA",
		},
		{
			"loses its least Force where it has to lose one", "2",
			`{"turn": 4, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Global Disruption"]},
			  "areas": {"CAN": {"owner": 0, "strength": "full"}, "USA": {"owner": 0, "strength": "struggling"}}}`,
			"TEXT_OF Global Disruption", "REMOVE_AT USA",
		},
		{
			"surrenders nothing: takes what it may", "2",
			`{"turn": 4, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Surrender"]},
			  "areas": {"CAN": {"owner": 0, "strength": "full"}, "USA": {"owner": 1, "strength": "full"}, "MEX": {"owner": 1, "strength": "struggling"}}}`,
			"TEXT_OF Surrender", "REMOVE_AT USA",
		},
		{
			"goes on with Bio Weapons where the other has more to lose", "2",
			`{"turn": 8, "first_player": 1, "active": 1, "passed": [true, false], "hands": {"1": ["Bio Weapons"]},
			  "areas": {"CAN": {"owner": 1, "strength": "full"}, "USA": {"owner": 1, "strength": "full"}, "SOU": {"owner": 1, "strength": "full"}, "SPA": {"owner": 0, "strength": "full"}}}`,
			"TEXT_OF Bio Weapons; REDUCE_AT SPA; REDUCE_AT SPA", "ACCEPT",
		},
		{
			"hits its own Sea Forces last in a Mega Storm", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "passed": [false, true], "hands": {"0": ["Mega Storm"]},
			  "areas": {"NAT": {"owner": 0, "strength": "full"}, "CAN": {"owner": 0, "strength": "full"}}}`,
			"TEXT_OF Mega Storm", "REDUCE_AT CAN",
		},
		{
			"buys nothing for later in the last Game Turn", "2",
			`{"turn": 8, "first_player": 0, "active": 0, "hands": {"0": ["Domination"], "1": ["Domination"]}}`,
			"", "BUILD_WITH Domination",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var moves []string
			if c.do != "" {
				moves = strings.Split(c.do, "; ")
			}
			suite.Ask(t, "domination(players="+c.players+","+pool+")", c.position, moves, strings.Split(c.want, "; "))
		})
	}
}
