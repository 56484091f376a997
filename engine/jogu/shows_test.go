package jogu_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
)

// What is told of each move to the seat that does not make it (R16.1-R16.7): the
// move is played from the position and must be shown, or not, to each seat.
func TestR16_MovesThatAreShown(t *testing.T) {
	const lookedAtTwo = `{"rest":{"hand":[["support_tower"],[]],"board":[{"owner":0,"card":"engineer_unit_1","loc":4}],"draw":[["heavy_tower","bomb_tower"],[]]},"since":["CARD_support_tower"]}`
	const agents = `jogu(first=agents,second=engineers)`
	for _, c := range []struct {
		name, game, position, move string
		shown                      [2]bool
	}{
		{"C3 is public", "jogu", `{}`, "START_0", [2]bool{true, true}},
		{"R6.3 a draw is its owner's", "jogu(start=first)", `{}`, "DRAW_patriot", [2]bool{true, false}},
		{"R16.2 a pending discard is its owner's", "jogu", `{"phase":"reinforcement","start_player":0,"hand":[["patriot","explorer"],["conjurer"]]}`,
			"CARD_patriot", [2]bool{true, false}},
		{"R16.2 so is the end of the discards", "jogu", `{"phase":"reinforcement","start_player":0,"hand":[["patriot","explorer"],["conjurer"]]}`, "END",
			[2]bool{true, false}},
		{"a card played face up", "jogu", `{"hand":[["patriot","explorer"],["conjurer"]]}`, "CARD_patriot", [2]bool{true, true}},
		{"R16.5 a card played face down", agents, `{"hand":[["saboteur","smoke_n_screen"],[]]}`, "CARD_smoke_n_screen", [2]bool{true, false}},
		{"R16.7 a pass", "jogu", `{"hand":[["patriot"],["conjurer"]]}`, "END", [2]bool{true, true}},
		{"R16.7 which card a Support Tower puts down", `jogu(first=engineers,second=agents)`, lookedAtTwo, "SLOT_1", [2]bool{true, false}},
		{"R16.7 that it puts none down", `jogu(first=engineers,second=agents)`, lookedAtTwo, "END", [2]bool{true, true}},
	} {
		g, err := games.New(c.game)
		if err != nil {
			t.Fatal(err)
		}
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

// The Location of a card played face down is told without naming the card.
func TestR16_5_FaceDownCardsAreNotNamed(t *testing.T) {
	g, err := games.New("jogu(first=agents,second=engineers)")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Load([]byte(`{"hand":[["saboteur","smoke_n_screen"],[]]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	play := func(name string) engine.Action {
		a, err := engine.FindMove(g, s, name)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if err := s.Apply(play("CARD_smoke_n_screen")); err != nil {
		t.Fatal(err)
	}
	a := play("LOC_5")
	got := s.(engine.Describer).Describe(a)
	if want := "put a card face down at Location 5 (capacity 0 of 10)"; got != want || !s.(engine.Secretive).Shows(1, a) {
		t.Errorf("the other seat is told %q, want %q", got, want)
	}
}
