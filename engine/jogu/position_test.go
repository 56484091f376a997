package jogu_test

import (
	"fmt"
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
		`{"phase":"war"}`:                                                                      `phase "war" is unknown; it is one of setup, reinforcement`,
		`{"factions":["guards"]}`:                                                              `factions has 1 entries, it has one for each of the 2 seats`,
		`{"factions":["guards","hours"]}`:                                                      `needs the game option expansion=true (R4.1)`,
		`{"factions":["elves","wu"]}`:                                                          `factions of seat 0 "elves" is unknown; it is one of guards, wu, mibits, agents, engineers`,
		`{"round":8}`:                                                                          `round is 8, beyond end_marker 7 (R12.2)`,
		`{"round":0}`:                                                                          `round is 0, it must be 1 to 10`,
		`{"end_marker":8}`:                                                                     `end_marker is 8, but no card of these factions moves it from 7 (R13.28)`,
		`{"end_marker":6}`:                                                                     `end_marker is 6, it must be 7 to 10`,
		`{"morale":[0,30]}`:                                                                    `morale of seat 0 is 0: a player at 0 has lost the game`,
		`{"morale":[30,671]}`:                                                                  `morale of seat 1 is 671, by round 1 it is at most 30 (R10.3)`,
		`{"morale":[30,-1]}`:                                                                   `morale of seat 1 is -1, it must be 0 to 65535`,
		`{"morale":[31,30]}`:                                                                   `morale of seat 0 is 31, by round 1 it is at most 30 (R10.3)`,
		`{"round":2,"vp_rounds":[0],"morale":[30,95]}`:                                         `morale of seat 1 is 95, by round 2 it is at most 94 (R10.3)`,
		`{"vp_rounds":[0]}`:                                                                    `vp_rounds has 1 winners, in round 1 of phase setup there are 0 (R10.6)`,
		`{"round":3,"vp_rounds":[0]}`:                                                          `vp_rounds has 1 winners, in round 3 of phase setup there are 2 (R10.6)`,
		`{"passed":[true,false],"phase":"scout"}`:                                              `passed of seat 0: nobody passes before phase deployment`,
		`{"active":0,"phase":"scout"}`:                                                         `active is 0, but nobody is in phase scout`,
		`{"hand":[["conjurer"],[]]}`:                                                           `hand of seat 0 "conjurer" is unknown; it is one of guardian_angel, dragoon`,
		`{"hand":[["explorer"],[]]}`:                                                           `location_card of seat 0 is missing in phase deployment (R7.1)`,
		full(`"draw":[[],null]`):                                                               `seat 0 has 0 cards guardian_angel in hand, draw, discard and board, its deck has 5 (R1.2)`,
		full(`"discard":[["knight_2","knight_2","knight_2"],[]]`):                              `seat 0 has 3 cards knight_2, its deck has 2 (R1.2)`,
		full(`"revealed_in_hand":[{"patriot":1},{}]`):                                          `revealed_in_hand of seat 0 has 1 patriot, its hand 0 (R16.2)`,
		full(`"pending_discards":[["explorer"],[]]`):                                           `pending_discards of seat 0: it has not begun to discard (R6.1)`,
		full(`"location_discard":[[2,2],[]]`):                                                  `seat 0 has 3 Location Cards of Location 2, it has 2 in all (R1.3)`,
		full(`"location_top_known":[true,false]`):                                              `location_top_known of seat 0: location_pile does not begin with a number`,
		full(`"board":[{"owner":0,"card":"patriot","loc":7,"tokens":0}]`):                      `board.loc is 7, it must be 2 to 6`,
		full(`"board":[{"owner":0,"card":"patriot","loc":3,"tokens":1}]`):                      `board: patriot bears no Stay token`,
		full(`"active":0,"passed":[true,false]`):                                               `active is 0, who has passed (R8.1)`,
		full(`"ratings":[1,2]`):                                                                `battle_locations, ratings and round_winner belong together`,
		full(`"ratings":[1,2],"battle_locations":[2],"round_winner":0`):                        `round_winner is 0 with ratings 1 and 2 (R10.5)`,
		full(`"ratings":[1,2],"battle_locations":[2,2],"round_winner":1`):                      `battle_locations: 2 is named twice`,
		full(`"game_over":{"winner":0,"by":"luck"}`):                                           `game_over.by "luck" is unknown; it is one of morale, victory_points, tie_break_last_round`,
		full(`"game_over":{"winner":0,"by":"morale"}`):                                         `morale of seat 1 is 30: a player at 0 has lost the game`,
		full(`"decision":"D6"`):                                                                `decision is D6, but the rest of the position does not wait for it`,
		full(`"draw_known":[[[1,1]],[]]`):                                                      `draw_known of seat 0 has 1 entries, its draw pile has 0`,
		full(`"stack":[{"card":"patriot","location":2,"stage":"placing"}]`):                    `stack: play 1 (patriot): it has no location in stage placing`,
		full(`"stack":[{"card":"dragoon","location":2,"stage":"acting"}]`):                     `stack: play 1 (dragoon): own_ability is not pending in stage acting`,
		full(`"stack":[{"card":"patriot","location":2,"stage":"acting"}]`):                     `stack: play 1 (patriot): it does not lie at its location`,
		full(`"stack":[{"card":"patriot","stage":"placing","scramblers":1}]`):                  `stack: play 1 (patriot): nothing is pending in stage placing`,
		`{"phase":"setup","factions":[null,"wu"],"hand":[["explorer"],[]]}`:                    `seat 0 has cards before its faction is drawn (R4.1)`,
		full(`"vp_rounds":[null]`):                                                             `vp_rounds: every marker shows a winner (R10.6)`,
		full(`"stack":[{"card":"?","location":2,"stage":"acting"}]`):                           `stack: play 1 is of no card of guards, which seat 0 plays`,
		full(`"stack":[{"location":2,"stage":"acting"}]`):                                      `stack: play 1 is of no card of guards`,
		full(`"stack":[{"card":"patriot","location":2}]`):                                      `stack: play 1 has no stage`,
		full(`"stack":[{"card":"patriot","location":2,"stage":null}]`):                         `stack: play 1 has no stage`,
		full(`"stack":[{"card":"patriot","location":2,"stage":"acting","chosen_location":3}]`): `play 1 (patriot): it does not lie at its location`,
		full(`"location_card":[0,2]`):                                                          `location_card of seat 0 is 0, it must be 2 to 6`,
		`{"phase":"cleanup","stack":[{"card":"patriot","location":2,"stage":"acting"}],"location_card":[2,3]}`: `stack: cards are played in phase deployment only`,
		full(`"hand":3`): `field "hand" is a number, it must be a list`,
	})
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(first=agents,second=engineers,start=first)"), map[string]string{
		`{"location_card":[2,3],"hand":[["assassin"],["bomb_tower"]],"board":[` + strings.Repeat(`{"owner":0,"card":"smoke_n_screen","loc":3},`, 3) +
			`{"owner":0,"card":"saboteur","loc":3},{"owner":0,"card":"smoke_n_screen","loc":3}]}`: `board: more than 3 face-down cards of seat 0 at Location 3 (R3.1)`,
		`{"location_card":[2,3],"hand":[["assassin"],[]],"draw":[null,[{"unknown":{"bomb_tower":1}},"heavy_tower"]],"draw_known":[null,[[0,0],[0,1]]]}`: `known to its owner too (R16.6)`,
	})
}

// A procedure in its middle needs the cards that it has looked at, turned up or put
// back, where it left them and known to those who saw them (R16.6, R-08).
func TestProceduresNeedTheirCards(t *testing.T) {
	const board = `"location_card":[2,3],"hand":[[],[]],"board":[{"owner":0,"card":"engineer_unit_1","loc":4},{"owner":0,"card":"support_tower","loc":4}],`
	const stack = `"stack":[{"card":"support_tower","location":4,"stage":"acting","effect":%d,"count":%d}]`
	support := func(effect, count int, rest string) string {
		return `{` + board + rest + fmt.Sprintf(stack, effect, count) + `}`
	}
	others := `{"unknown":{"engineer_unit_1":6,"engineer_unit_2":7,"engineer_unit_3":7,"bomb_tower":5,"support_tower":5,"heavy_tower":5}}`
	engineers := enginetest.Game(t, "jogu(first=engineers,second=mibits,start=first)")
	enginetest.BadPositions(t, engineers, map[string]string{
		support(1, 0, ``): `its player knows the top 3 cards of the draw pile, which it has looked at (R13.26)`,
		support(1, 0, `"draw":[["heavy_tower","heavy_tower","heavy_tower",`+others+`],null],"draw_known":[[[1,0],[0,0],[1,0],[0,0]],null],`): `its player knows the top 3 cards`,
		support(1, 0, `"draw":[["heavy_tower","heavy_tower",`+others+`,"heavy_tower"],null],"draw_known":[[[1,0],[1,0],[0,0],[1,0]],null],`): `its player knows the top 3 cards`,
		support(0, 1, ``):                                     `its player knows the 1 cards that it has looked at on top of the draw pile (R13.26)`,
		support(0, 4, ``):                                     `count is 4, at most 3`,
		support(1, 0, `"draw_bottom":[1,0],`):                 `draw_bottom of seat 0 is 1, but 0 cards follow the unknown part of draw`,
		`{` + board + `"draw_bottom":[null,41]}`:              `draw_bottom of seat 1 is 41`,
		`{"phase":"scout","draw_bottom":[0]}`:                 `draw_bottom has 1 entries`,
		`{` + board + `"draw":[null,[]],"draw_bottom":[0,1]}`: `draw_bottom of seat 1 is 1, it must be 0 to 0`,
	})
	if _, err := engineers.Load([]byte(support(1, 0, `"draw":[["heavy_tower","heavy_tower","heavy_tower",`+others+`],null],"draw_known":[[[1,0],[1,0],[1,0],[0,0]],null],`)), engine.Strict); err != nil {
		t.Errorf("a Support Tower that knows what it has looked at is refused: %v", err)
	}
	play := func(card string, effect, count int, previous bool) string {
		return fmt.Sprintf(`{"location_card":[2,3],"hand":[[],[]],"board":[{"owner":0,"card":%q,"loc":4}],
			"stack":[{"card":%q,"location":4,"stage":"acting","effect":%d,"count":%d,"previous_done":%v}]}`, card, card, effect, count, previous)
	}
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(first=mibits,second=agents,start=first)"), map[string]string{
		strings.Replace(play("medic", 0, 0, false), `"count":0`, `"chosen_location":3`, 1):      `chosen_location belongs to an effect that takes back a card in play`,
		strings.Replace(play("trojan_bit", 0, 0, false), `"count":0`, `"chosen_location":3`, 1): `at chosen_location no card can be taken (R13.16)`,
		play("medic", 0, 1, false):      `both players know the 1 cards that it has put under the draw pile (R13.14)`,
		play("trojan_bit", 1, 0, true):  `both players know the card that it has put under the draw pile (R13.16)`,
		play("trojan_bit", 0, 0, true):  `previous_done: there is no effect before the first`,
		play("trojan_bit", 0, 7, false): `count is 7, at most 0`,
		play("trojan_bit", 1, 2, false): `count is 2, at most 1`,
	})
	enginetest.BadPositions(t, enginetest.Game(t, "jogu(first=agents,second=mibits,start=first)"), map[string]string{
		play("saboteur", 0, 1, false): `both players know the 1 cards that it has turned up on the draw pile (R13.20)`,
		play("saboteur", 0, 3, false): `count is 3, at most 2`,
	})
}

// Before a run every Location is open to a Scrambler: 2, 0, null and nothing say the same.
func TestLowestDestinationBeforeARun(t *testing.T) {
	g, seen := enginetest.Game(t, "jogu(start=first)"), map[uint64]bool{}
	for _, lowest := range []string{`,"lowest_destination":2`, `,"lowest_destination":0`, `,"lowest_destination":null`, ``} {
		s, err := g.Load([]byte(`{"location_card":[2,3],"hand":[["explorer"],[]],"stack":[{"card":"explorer","stage":"placing"`+lowest+`}]}`), engine.Lenient)
		if err != nil {
			t.Fatalf("%s: %v", lowest, err)
		}
		seen[s.Hash()] = true
	}
	if len(seen) != 1 {
		t.Errorf("they are %d positions", len(seen))
	}
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
