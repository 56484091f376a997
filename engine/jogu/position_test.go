package jogu_test

import (
	"os"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// Every limit of the rules is checked when a position is read, and the error
// names the field, the value and the limit.
func TestBadPositions(t *testing.T) {
	full := func(s string) string { // a whole position with one thing wrong
		return `{"location_card":[2,3],"hand":[["explorer"],["conjurer"]],` + s + `}`
	}
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(start=first)"), map[string]string{
		`{"phase":"war"}`:                                               `phase "war" is unknown; it is one of setup, reinforcement`,
		`{"factions":["guards"]}`:                                       `factions has 1 entries, it has one for each of the 2 seats`,
		`{"factions":["guards","hours"]}`:                               `needs the game option expansion=true (R4.1)`,
		`{"factions":["elves","wu"]}`:                                   `factions of seat 0 "elves" is unknown; it is one of guards, wu, mibits, agents, engineers`,
		`{"round":8}`:                                                   `round is 8, beyond end_marker 7 (R12.2)`,
		`{"round":0}`:                                                   `round is 0, it must be 1 to 10`,
		`{"end_marker":8}`:                                              `end_marker is 8, but no card of these factions moves it from 7 (R13.28)`,
		`{"end_marker":6}`:                                              `end_marker is 6, it must be 7 to 10`,
		`{"morale":[0,30]}`:                                             `morale of seat 0 is 0: a player at 0 has lost the game`,
		`{"morale":[30,671]}`:                                           `morale of seat 1 is 671, by round 1 it is at most 30 (R10.3)`,
		`{"morale":[30,-1]}`:                                            `morale of seat 1 is -1, it must be 0 to 65535`,
		`{"morale":[31,30]}`:                                            `morale of seat 0 is 31, by round 1 it is at most 30 (R10.3)`,
		`{"round":2,"vp_rounds":[0],"morale":[30,95]}`:                  `morale of seat 1 is 95, by round 2 it is at most 94 (R10.3)`,
		`{"vp_rounds":[0]}`:                                             `vp_rounds has 1 winners, in round 1 of phase setup there are 0 (R10.6)`,
		`{"round":3,"vp_rounds":[0]}`:                                   `vp_rounds has 1 winners, in round 3 of phase setup there are 2 (R10.6)`,
		`{"passed":[true,false],"phase":"scout"}`:                       `passed of seat 0: nobody passes before phase deployment`,
		`{"active":0,"phase":"scout"}`:                                  `active is 0, but nobody is in phase scout`,
		`{"hand":[["conjurer"],[]]}`:                                    `hand of seat 0 "conjurer" is unknown; it is one of guardian_angel, dragoon`,
		`{"hand":[["explorer"],[]]}`:                                    `location_card of seat 0 is missing in phase deployment (R7.1)`,
		full(`"draw":[[],null]`):                                        `seat 0 has 0 cards guardian_angel in hand, draw, discard and board, its deck has 5 (R1.2)`,
		full(`"discard":[["knight_2","knight_2","knight_2"],[]]`):       `seat 0 has 3 cards knight_2, its deck has 2 (R1.2)`,
		full(`"revealed_in_hand":[{"patriot":1},{}]`):                   `revealed_in_hand of seat 0 has 1 patriot, its hand 0 (R16.2)`,
		full(`"pending_discards":[["explorer"],[]]`):                    `pending_discards is [[explorer] []], but it follows from the rest that it is [[] []]; a moment in the middle of a procedure is written as`,
		full(`"stack":[{"card":"explorer","stage":"placing"}]`):         `but it follows from the rest that it is []; a moment in the middle`,
		full(`"stack":{}`):                                              `stack is map[], but`,
		`{"phase":"reinforcement","active":1}`:                          `active is 1, the other begins to discard (R6.1); a moment in the middle of a procedure is written as`,
		`{"rest":{"hand":[["explorer"],[]]},"since":["CARD_explorer"]}`: `rest: bad position: location_card of seat 0 is missing`,
		`{"rest":` + full(`"round":1`) + `,"since":["CARD_patriot"]}`:   `since: bad position: illegal: "CARD_patriot" is not possible here`,
		`{"rest":` + full(`"round":1`) + `,"since":["CARD_explorer"],"hand":[["explorer"],["conjurer"]]}`: `hand is [[explorer] [conjurer]], but it follows from rest and since that it is [[] [conjurer]]`,
		`{"rest":` + full(`"round":1`) + `,"since":[],"pending_discards":[["explorer"],[]]}`:              `pending_discards is [[explorer] []], but it follows from`,
		`{"rest":` + full(`"round":1`) + `,"since":["CARD_explorer"],"stack":[]}`:                         `stack is [], but it follows from rest and since that it is [map[card:explorer`,
		full(`"location_discard":[[2,2],[]]`):                                                             `seat 0 has 3 Location Cards of Location 2, it has 2 in all (R1.3)`,
		full(`"location_top_known":[true,false]`):                                                         `location_top_known of seat 0: location_pile does not begin with a number`,
		full(`"board":[{"owner":0,"card":"patriot","loc":7,"tokens":0}]`):                                 `board.loc is 7, it must be 2 to 6`,
		full(`"board":[{"owner":0,"card":"patriot","loc":3,"tokens":1}]`):                                 `board: patriot bears no Stay token`,
		full(`"active":0,"passed":[true,false]`):                                                          `active is 0, who has passed (R8.1)`,
		full(`"ratings":[1,2]`):                                                                           `battle_locations, ratings and round_winner belong together`,
		full(`"ratings":[1,2],"battle_locations":[2],"round_winner":0`):                                   `round_winner is 0 with ratings 1 and 2 (R10.5)`,
		full(`"ratings":[1,2],"battle_locations":[2,2],"round_winner":1`):                                 `battle_locations: 2 is named twice`,
		full(`"game_over":{"winner":0,"by":"luck"}`):                                                      `game_over.by "luck" is unknown; it is one of morale, victory_points, tie_break_last_round`,
		full(`"game_over":{"winner":0,"by":"morale"}`):                                                    `morale of seat 1 is 30: a player at 0 has lost the game`,
		full(`"decision":"D6"`):                                                                           `decision is D6, but the rest of the position does not wait for it`,
		full(`"draw_known":[[[1,1]],[]]`):                                                                 `draw_known of seat 0 has 1 entries, its draw pile has 0`,
		`{"phase":"setup","factions":[null,"wu"],"hand":[["explorer"],[]]}`:                               `seat 0 has cards before its faction is drawn (R4.1)`,
		full(`"vp_rounds":[null]`):                                                                        `vp_rounds: every marker shows a winner (R10.6)`,
		full(`"location_card":[0,2]`):                                                                     `location_card of seat 0 is 0, it must be 2 to 6`,
		full(`"hand":3`):                                                                                  `field "hand" is a number, it must be a list`,
	})
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(first=agents,second=engineers,start=first)"), map[string]string{
		`{"location_card":[2,3],"hand":[["assassin"],["bomb_tower"]],"board":[` + strings.Repeat(`{"owner":0,"card":"smoke_n_screen","loc":3},`, 3) +
			`{"owner":0,"card":"saboteur","loc":3},{"owner":0,"card":"smoke_n_screen","loc":3}]}`: `board: more than 3 face-down cards of seat 0 at Location 3 (R3.1)`,
		`{"location_card":[2,3],"hand":[["assassin"],[]],"draw":[null,[{"unknown":{"bomb_tower":1}},"heavy_tower"]],"draw_known":[null,[[0,0],[0,1]]]}`: `known to its owner too (R16.6)`,
	})
}

// The number of cards under a pile belongs to the pile.
func TestBottomOfAPile(t *testing.T) {
	const board = `"location_card":[2,3],"hand":[[],[]],"board":[{"owner":0,"card":"engineer_unit_1","loc":4},{"owner":0,"card":"support_tower","loc":4}],`
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(first=engineers,second=mibits,start=first)"), map[string]string{
		`{` + board + `"draw_bottom":[1,0]}`:                  `draw_bottom of seat 0 is 1, but 0 cards follow the unknown part of draw`,
		`{` + board + `"draw_bottom":[null,41]}`:              `draw_bottom of seat 1 is 41`,
		`{"phase":"scout","draw_bottom":[0]}`:                 `draw_bottom has 1 entries`,
		`{` + board + `"draw":[null,[]],"draw_bottom":[0,1]}`: `draw_bottom of seat 1 is 1, it must be 0 to 0`,
	})
}

// A lenient position may lack cards, but breaks no other limit.
func TestLenientPositionsMayLackCards(t *testing.T) {
	g := enginetest.Game(t, "jogu(start=first)")
	const few = `{"hand":[["explorer"],["conjurer"]],"draw":[[],[]]}`
	if _, err := g.Load([]byte(few), engine.Lenient); err != nil {
		t.Errorf("%s: %v", few, err)
	}
	if _, err := g.Load([]byte(few), engine.Strict); err == nil {
		t.Errorf("%s is accepted as a whole position", few)
	}
	const many = `{"hand":[["knight_2","knight_2","knight_2"],[]]}`
	if _, err := g.Load([]byte(many), engine.Lenient); err == nil || !strings.Contains(err.Error(), "its deck has 2") {
		t.Errorf("%s: error %v, want one that names the limit", many, err)
	}
}

// The example of README.md is a whole position and waits for what README.md says.
func TestReadmeExample(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```json\n")
	example, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("README.md has no example in JSON")
	}
	s, err := enginetest.Game(t, "jogu").Load([]byte(example), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s, map[string]string{"decision": `"D11"`, "active": `1`})
}
