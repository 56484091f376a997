package domination_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// What is told of each move to the seats that do not make it (R4.1, R4.5).
func TestR4_1_MovesThatAreShown(t *testing.T) {
	for _, c := range []struct {
		name, game, position, move string
		shown                      [2]bool
	}{
		{"C1 is public", "domination", `{}`, "POOL Bio Weapons", [2]bool{true, true}},
		{"C2 is public", "domination(fixed_pool=" + fixedPool + ")", `{}`, "FIRST_PLAYER 1", [2]bool{true, true}},
		{"R4.2 a draw is its owner's", "domination(fixed_pool=" + fixedPool + ")",
			`{"phase":"start_of_game_turn","turn":2,"draw_decks":{"0":[{"unknown":{"Domination":4,"Surrender":1}}]}}`, "DRAW Surrender", [2]bool{true, false}},
		{"R4.1 a use", "domination(fixed_pool=" + fixedPool + ")", `{"active":0,"hands":{"0":["Domination"]}}`, "BUILD_WITH Domination",
			[2]bool{true, true}},
		{"R4.5 a question declined", "domination(fixed_pool=" + fixedPool + ")",
			`{"phase":"scoring_window","hands":{"0":["Airborne Forces"]}}`, "DECLINE", [2]bool{true, false}},
		{"R4.5 a reaction", "domination(fixed_pool=" + fixedPool + ")",
			`{"phase":"scoring_window","hands":{"0":["Airborne Forces"]}}`, "TEXT_OF Airborne Forces", [2]bool{true, true}},
		{"D9 declined", "domination(fixed_pool=" + fixedPool + ")",
			`{"rest":{"active":0,"areas":{"CAN":{"owner":0,"strength":"full"},"USA":{"owner":1,"strength":"full"}},"hands":{"0":["Surrender"]}},
			"since":["TEXT_OF Surrender"]}`, "DECLINE", [2]bool{true, true}},
	} {
		g := enginetest.Game(t, c.game)
		s, err := g.Load([]byte(c.position), engine.Lenient)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		a, err := engine.FindMove(g, s, c.move)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for p, want := range c.shown {
			if got := s.(engine.Secretive).Shows(engine.Player(p), a); got != want {
				t.Errorf("%s: %s is shown to seat %d: %v, want %v", c.name, c.move, p, got, want)
			}
		}
	}
}
