package eval_test

import (
	"context"
	"reflect"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/engine/enginetest"
	"powderkeg/train/eval"
)

// TestTeamCountsGamesBySeatsThatGain plays tic-tac-toe, which one seat wins or none,
// and a cooperative game, which all win or none.
func TestTeamCountsGamesBySeatsThatGain(t *testing.T) {
	for _, c := range []struct {
		game     string
		possible []bool // by number of seats
	}{
		{"tictactoe", []bool{true, true, false}},
		{"bloc(players=3,scenario=beginner)", []bool{true, false, false, true}},
	} {
		config := eval.TeamConfig{
			Game: enginetest.Game(t, c.game), Games: 20, Seed: 1,
			Agent: eval.Contestant{Name: "random", New: func() (agents.Agent, error) { return random.New(), nil }},
		}
		r, err := eval.Team(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for n, games := range r.Winners {
			if sum += games; games > 0 && !c.possible[n] {
				t.Errorf("%s: %d games gained by %d seats, want none", c.game, games, n)
			}
		}
		if sum != r.Games || len(r.Winners) != len(c.possible) {
			t.Errorf("%s: winners %v of %d games, want %d counts that add up", c.game, r.Winners, r.Games, len(c.possible))
		}
		if won := float64(r.Games-r.Winners[0]) / float64(r.Games); r.WinRate != won || r.CILow > won || r.CIHigh < won {
			t.Errorf("%s: win rate %v [%v, %v], want %v inside", c.game, r.WinRate, r.CILow, r.CIHigh, won)
		}
		config.Workers = 3
		again, err := eval.Team(context.Background(), config)
		if err != nil || !reflect.DeepEqual(again.Winners, r.Winners) {
			t.Errorf("%s: three workers: %v (error %v), want %v as with one", c.game, again.Winners, err, r.Winners)
		}
	}
}

// TestTeamRefuses names what is missing.
func TestTeamRefuses(t *testing.T) {
	if _, err := eval.Team(context.Background(), eval.TeamConfig{Game: enginetest.Game(t, "tictactoe"), Games: 1}); err == nil {
		t.Error("no agent: got no error")
	}
}
