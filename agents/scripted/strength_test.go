package scripted_test

import (
	"context"
	"fmt"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/eval"
)

// fewer is how many games of a test are played: under the race detector, which looks for
// something else, a tenth of them.
func fewer(n int) int {
	if enginetest.Race {
		return n / 10
	}
	return n
}

// againstRandom returns the result of the scripted player in balanced games against random
// play, with solo alone at a table of random players.
func againstRandom(t *testing.T, text string, games int, solo bool) eval.AgentResult {
	t.Helper()
	g := enginetest.Game(t, text)
	r, err := eval.Match(context.Background(), eval.Config{
		Game: g, Games: games, Seed: 1, Workers: 2, Solo: solo,
		Contestants: []eval.Contestant{
			{Name: "scripted", New: func() (agents.Agent, error) { return agents.FromPolicy(scripted.Must(g)), nil }},
			{Name: "random", New: func() (agents.Agent, error) { return random.New(), nil }},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Agents[0]
}

func TestLeducBeatsRandom(t *testing.T) {
	if r := againstRandom(t, "leduc", 4000, false); r.MeanReturn < 0.6 {
		t.Errorf("leduc against random play: %.2f chips per game, want at least 0.6", r.MeanReturn)
	}
}

func TestLiarsDiceBeatsRandom(t *testing.T) {
	for text, want := range map[string]float64{"liars_dice": 0.65, "liars_dice(dice=5)": 0.8, "liars_dice(players=4,dice=2)": 0.2} {
		if r := againstRandom(t, text, 4000, false); r.MeanReturn < want {
			t.Errorf("%s against random play: %.2f per game, want at least %.2f", text, r.MeanReturn, want)
		}
	}
}

func TestConnect4BeatsRandom(t *testing.T) {
	if r := againstRandom(t, "connect4", 100, false); r.WinRate < 0.98 {
		t.Errorf("connect4 against random play: win rate %.3f, want at least 0.98", r.WinRate)
	}
}

// TestJoguBeatsRandom plays all 25 match-ups, seats balanced. The bar is 80% in each and 95%
// over all; under the race detector there are too few games to judge a single match-up by.
func TestJoguBeatsRandom(t *testing.T) {
	gamesEach, bar := fewer(40), 0.8
	if enginetest.Race {
		bar = 0
	}
	sum := 0.0
	factions := []string{"guards", "wu", "mibits", "agents", "engineers"}
	for _, first := range factions {
		for _, second := range factions {
			rate := againstRandom(t, fmt.Sprintf("jogu(first=%s,second=%s)", first, second), gamesEach, false).WinRate
			sum += rate / 25
			if rate < bar {
				t.Errorf("%s against %s: wins %.2f of %d games, want at least %.2f", first, second, rate, gamesEach, bar)
			}
		}
	}
	t.Logf("wins %.3f of %d games", sum, 25*gamesEach)
	if sum < 0.95 {
		t.Errorf("wins %.3f of all games, want at least 0.95", sum)
	}
}

// TestDominationBeatsRandom sets one player against a table of random ones. The bars are
// loose: it has not lost such a game in thousands.
func TestDominationBeatsRandom(t *testing.T) {
	for players, bar := range map[int]float64{2: 0.95, 3: 0.9, 4: 0.9, 6: 0.9} {
		r := againstRandom(t, fmt.Sprintf("domination(players=%d)", players), fewer(60), true)
		if r.WinRate < bar {
			t.Errorf("%d players: wins %.2f of %d games, want at least %.2f", players, r.WinRate, r.Games, bar)
		}
	}
}

// oneState is a city with one State District, which a team of beginners can hold.
const oneState = "commercial_3:3+immigrant_detention_center:1+garment_sweatshop:0+privatized_university:1+smartphone_factory:3+gentrifying_residential_zone:1+highway_overpass:1+the_stadium:0+the_plaza:0+mega_mall:1+polluted_slum:1+overcrowded_jail:1+the_park:1+global_shipping_center:2+highway_3:2+underfunded_high_school:1+commercial_2:1+the_projects:1+supermax_prison:1+commercial_1:3+street_market:2+highway_2:0+interior_ministry:2+the_old_polytechnic:3+highway_1:1"

// TestBlocWinsWhereRandomLoses compares teams in that city. The bars are loose: the scripted
// team wins some three quarters, a random one hardly ever.
func TestBlocWinsWhereRandomLoses(t *testing.T) {
	for _, players := range []int{2, 4} {
		g := enginetest.Game(t, fmt.Sprintf("bloc(players=%d,ops_difficulty=easy,city=%s)", players, oneState))
		team := func(player func(engine.Game) agents.Policy) float64 {
			r, err := eval.Team(context.Background(), eval.TeamConfig{
				Game: g, Games: fewer(60), Seed: 1, Workers: 2,
				Agent: eval.Contestant{Name: "team", New: func() (agents.Agent, error) { return agents.FromPolicy(player(g)), nil }},
			})
			if err != nil {
				t.Fatal(err)
			}
			return *r.WinRate
		}
		if got := team(scripted.Must); got < 0.5 {
			t.Errorf("%d players: the scripted team wins %.2f, want at least 0.5", players, got)
		}
		if got := team(func(engine.Game) agents.Policy { return random.Policy{} }); got > 0.1 {
			t.Errorf("%d players: a random team wins %.2f, want at most 0.1", players, got)
		}
	}
}
