package eval_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/engine"
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
		if config.Game.Spec().Payoff == engine.ZeroSum {
			if r.WinRate != nil {
				t.Errorf("%s: equals win %v of their games, want that nobody does", c.game, *r.WinRate)
			}
		} else if won := float64(r.Games-r.Winners[0]) / float64(r.Games); *r.WinRate != won || *r.CILow > won || *r.CIHigh < won {
			t.Errorf("%s: win rate %v [%v, %v], want %v inside", c.game, *r.WinRate, *r.CILow, *r.CIHigh, won)
		}
		config.Workers = 3
		again, err := eval.Team(context.Background(), config)
		if err != nil || !reflect.DeepEqual(again.Winners, r.Winners) {
			t.Errorf("%s: three workers: %v (error %v), want %v as with one", c.game, again.Winners, err, r.Winners)
		}
	}
}

// TestTeamCountsEndings plays Bloc by Bloc, which says how it ended, with any number of
// workers, and tic-tac-toe, which does not.
func TestTeamCountsEndings(t *testing.T) {
	config := eval.TeamConfig{
		Game: enginetest.Game(t, "bloc(mode=semi_cooperative)"), Games: 12, Seed: 1, Workers: 3,
		Agent: eval.Contestant{Name: "random", New: func() (agents.Agent, error) { return random.New(), nil }},
	}
	r, err := eval.Team(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	// Random teams lose, and each lost game has one ending.
	if got := r.Endings["no blocs"] + r.Endings["time out"]; r.Winners[0] != 12 || got != 12 {
		t.Errorf("12 games: %d lost, endings %v, want 12 without blocs or out of time", r.Winners[0], r.Endings)
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "\nendings: ") {
		t.Errorf("the text %q (error %v) lacks the endings", text.String(), err)
	}
	config.Game = enginetest.Game(t, "tictactoe")
	if r, err = eval.Team(context.Background(), config); err != nil || len(r.Endings) != 0 {
		t.Errorf("tictactoe: endings %v (error %v), want none", r.Endings, err)
	}
}

// TestTeamRefuses names what is missing.
func TestTeamRefuses(t *testing.T) {
	if _, err := eval.Team(context.Background(), eval.TeamConfig{Game: enginetest.Game(t, "tictactoe"), Games: 1}); err == nil {
		t.Error("no agent: got no error")
	}
}
