package eval

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// constant takes the first or the last legal action.
type constant struct{ last bool }

func (constant) Start(engine.Player, uint64) {}

func (c constant) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	if c.last {
		return legal[len(legal)-1], nil
	}
	return legal[0], nil
}

func always(name string, last bool) Contestant {
	return Contestant{Name: name, New: func() (agents.Agent, error) { return constant{last}, nil }}
}

// TestParts: in Kuhn poker whoever always bets, against one who always passes, wins the pot of
// the antes, and has 1 more than one who always passes, too, has on average. Variants play the
// same games.
func TestParts(t *testing.T) {
	c := PartsConfig{
		Game: enginetest.Game(t, "kuhn"), Units: 400, Seed: 2, Workers: 1,
		Variants: []Contestant{always("bets", true), always("passes", false), always("bets too", true)},
		Opponent: always("passes", false), Advised: always("", false).New,
	}
	r, err := Parts(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	whole, part, same := r.Variants[0], r.Variants[1], r.Variants[2]
	if r.Games != 800 || whole.Return != (Estimate{1, 1, 1}) || whole.Gained < 1-1e-9 || part.Gained < 0.4 || part.Gained > 0.6 {
		t.Errorf("%d games; who bets has %v, %.3f above nothing; who passes %.3f", r.Games, whole.Return, whole.Gained, part.Gained)
	}
	for seat := range 2 {
		if d := whole.Seats[seat].Mean - part.Seats[seat].Mean; math.Abs(d-part.MoreBySeat[seat].Mean) > 1e-9 || part.MoreBySeat[seat].Low <= 0.8 {
			t.Errorf("seat %d: the whole has %v more, means differ by %v", seat, part.MoreBySeat[seat], d)
		}
		// Each seat decides once a game against one who passes: the first bets, the second answers a pass.
		if d := r.Departures[seat]; d != (Departures{Choices: 400, Departed: 400}) || d.Share() != 1 {
			t.Errorf("seat %d: departures %+v", seat, d)
		}
	}
	if same.More != (Estimate{}) {
		t.Errorf("the same player in the same games: the whole has %v more", same.More)
	}
	c.Workers = 3
	again, err := Parts(context.Background(), c)
	if err != nil || !reflect.DeepEqual(r, again) {
		t.Errorf("three workers find otherwise than one (%v)", err)
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "seat 1 departs from its advice in 400 of 400 choices, 100.00%") {
		t.Errorf("it says %q (%v)", text.String(), err)
	}
}

// TestPartsOfTeams: in a cooperative game a variant holds all seats, and nobody is its opponent.
func TestPartsOfTeams(t *testing.T) {
	c := PartsConfig{Game: enginetest.Game(t, "bloc(scenario=beginner)"), Units: 2, Seed: 1, Variants: []Contestant{always("first", false)}}
	r, err := Parts(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Games != 2 || r.Opponent != "" || r.Departures != nil || len(r.Variants[0].Seats) != c.Game.Spec().Seats {
		t.Errorf("%+v", r)
	}
	for _, s := range r.Variants[0].Seats {
		if s.Mean != r.Variants[0].Return.Mean {
			t.Errorf("a seat has %v, the team %v", s, r.Variants[0].Return)
		}
	}
	if _, err := Parts(context.Background(), PartsConfig{Game: enginetest.Game(t, "kuhn"), Variants: c.Variants, Units: 1, Workers: -1}); err == nil ||
		!strings.Contains(err.Error(), "an opponent") || !strings.Contains(err.Error(), "1 units") || !strings.Contains(err.Error(), "-1 workers") {
		t.Errorf("error %v, want all faults", err)
	}
}
