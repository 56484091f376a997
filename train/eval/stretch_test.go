package eval

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// field is a game and contestants of the roster.
func field(t *testing.T, game string, names ...string) (g engine.Game, list []Contestant, named []Named) {
	t.Helper()
	g, err := env.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		list = append(list, Contestant{Name: name, New: func() (agents.Agent, error) { return roster.New(g, name) }})
		own, err := players.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, own)
	}
	return g, list, named
}

// TestStretchesAddUp: results are in every digit what they were when all games of a match were kept
// until its end: testdata has what the command printed then. Each match is of several stretches.
func TestStretchesAddUp(t *testing.T) {
	for _, c := range []struct {
		golden, game string
		names        []string
		games        int
		seed         uint64
	}{
		{"match_kuhn.json", "kuhn", []string{"random", "scripted"}, 6000, 3},
		{"match_leduc.json", "leduc", []string{"random", "scripted", "random"}, 6000, 5},
		{"team_bloc.json", "bloc(mode=semi_cooperative)", []string{"random"}, 1100, 5},
	} {
		want, err := os.ReadFile(filepath.Join("testdata", c.golden))
		if err != nil {
			t.Fatal(err)
		}
		g, list, _ := field(t, c.game, c.names...)
		for _, workers := range []int{1, 3} {
			var r any
			if len(list) == 1 {
				r, err = Team(t.Context(), TeamConfig{Game: g, Agent: list[0], Games: c.games, Seed: c.seed, Workers: workers})
			} else {
				r, err = Match(t.Context(), Config{Game: g, Contestants: list, Games: c.games, Seed: c.seed, Workers: workers})
			}
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := cli.PrintJSON(&got, r); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s with %d workers: %s", c.golden, workers, got.Bytes())
			}
		}
	}
}

// TestStretchesElsewhere: a match of more than one stretch of other processes is the same there.
func TestStretchesElsewhere(t *testing.T) {
	g, list, named := field(t, "kuhn", "random", "scripted")
	hands := &jobtest.Hands{Kinds: job.Kinds{MatchKind: DoMatch(players), TeamKind: DoTeam(players)}}
	var matches [2]*Result
	var teams [2]*TeamResult
	for i := range matches {
		match := Config{Game: g, Contestants: list, Games: 2*stretchElsewhere + 50, Seed: 7}
		team := TeamConfig{Game: g, Agent: list[0], Games: stretchElsewhere + 50, Seed: 7}
		done := 0
		match.Progress = func(n, _ int) { done = n }
		if i == 1 {
			match.Elsewhere, team.Elsewhere = &Elsewhere{Hands: hands, Agents: named}, &Elsewhere{Hands: hands, Agents: named[:1]}
		}
		var err error
		if matches[i], err = Match(t.Context(), match); err != nil {
			t.Fatal(err)
		}
		if teams[i], err = Team(t.Context(), team); err != nil {
			t.Fatal(err)
		}
		if done != matches[i].Games {
			t.Errorf("progress ended at %d of %d games", done, matches[i].Games)
		}
	}
	if !reflect.DeepEqual(matches[0], matches[1]) || !reflect.DeepEqual(teams[0], teams[1]) {
		t.Errorf("elsewhere %+v and %+v, here %+v and %+v", matches[1], teams[1], matches[0], teams[0])
	}
}

// TestBlocksAreBounded: what a match keeps until its end does not grow with it.
func TestBlocksAreBounded(t *testing.T) {
	for _, c := range []struct{ seats, contestants, units int }{
		{2, 2, mostBlocks}, {2, 2, MostGames}, {6, 2, MostGames / 6}, {2, 1000, MostGames / 2}, {4, 1, MostGames}, {8, 20, MostGames / 8},
	} {
		n := blockOf(c.seats, c.contestants, c.units)
		blocks := (c.units + n - 1) / n
		if bytes := blockBytes(c.seats, c.contestants, n).Times(int64(blocks)); blocks > mostBlocks || bytes > mostBlockBytes {
			t.Errorf("%+v: %d blocks of %d units, which take %v", c, blocks, n, bytes)
		}
		if c.units == mostBlocks && n != 1 {
			t.Errorf("%+v: blocks of %d units", c, n)
		}
	}
}

// TestBlocksSayTheSame: results by blocks of units are those by units, and intervals and ratings
// have about the same width, where line-ups differ, contestants sit at some tables twice, and the
// last block is not whole.
func TestBlocksSayTheSame(t *testing.T) {
	const block, tolerance = 16, 0.1
	for _, contestants := range []int{2, 3, 4} {
		p := newPlan(contestants, 3, 60_000, false)
		spec := &engine.Spec{Seats: 3, MinReturn: -20, MaxReturn: 20, Payoff: engine.ZeroSum}
		rng := rand.New(rand.NewPCG(1, uint64(contestants)))
		fine, coarse := newSummary(spec, contestants, p, 1), newSummary(spec, contestants, p, block)
		for u := range p.units {
			returns, own := make([]float32, 9), make([]float64, 9)
			luck := float32(rng.NormFloat64()) // the games of a unit have it in common
			for i := range returns {
				strength := float32(p.contestant(u*3+i/3, i%3)) / 4
				returns[i] = strength + luck*float32(i%3-1) + float32(rng.NormFloat64())
				own[i] = float64(returns[i] - luck*float32(i%3-1))
			}
			fine.unit(u, returns, own)
			coarse.unit(u, returns, own)
		}
		names := []string{"a", "b", "c", "d"}[:contestants]
		want, err := fine.result(names)
		if err != nil {
			t.Fatal(err)
		}
		got, err := coarse.result(names)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want, tolerance float64) {
			if !(math.Abs(got-want) <= tolerance) {
				t.Errorf("%d contestants: %s is %v by blocks, %v by units", contestants, what, got, want)
			}
		}
		if most := (p.units + block - 1) / block; len(coarse.duels) != most || len(coarse.tallies[0].units.closed) > most {
			t.Errorf("%d and %d blocks, want %d", len(coarse.duels), len(coarse.tallies[0].units.closed), most)
		}
		for i, w := range want.Agents {
			g := got.Agents[i]
			near("win rate", g.WinRate, w.WinRate, 0)
			near("mean return", g.MeanReturn, w.MeanReturn, 0)
			near("Elo", g.Elo, w.Elo, 1e-6)
			near("width of the win rate", g.CIHigh-g.CILow, w.CIHigh-w.CILow, tolerance*(w.CIHigh-w.CILow))
			near("width of the return", g.ReturnHigh-g.ReturnLow, w.ReturnHigh-w.ReturnLow, tolerance*(w.ReturnHigh-w.ReturnLow))
			near("width of the Elo", g.EloHigh-g.EloLow, w.EloHigh-w.EloLow, tolerance*(w.EloHigh-w.EloLow))
			fineMean, coarseMean := fine.tallies[i].compared.corrected, coarse.tallies[i].compared.corrected
			near("corrected mean", average(linearised(coarseMean.closed)), average(linearised(fineMean.closed)), 1e-12)
		}
		for i, w := range want.Pairs {
			near("score of a pair", got.Pairs[i].Score, w.Score, 0)
			near("width of a pair", got.Pairs[i].CIHigh-got.Pairs[i].CILow, w.CIHigh-w.CILow, tolerance*(w.CIHigh-w.CILow))
		}
	}
}

// TestBlockIntervalStaysHonest: a few units that all agree make no certainty, and the four draws
// that say so weigh no more beside blocks than beside their units.
func TestBlockIntervalStaysHonest(t *testing.T) {
	for _, each := range []float64{1, 64} {
		scores := make([]float64, 4096/int(each))
		for i := range scores {
			scores[i] = 1
		}
		if ci, want := unitInterval(scores, each), unitInterval(make([]float64, 4096), 1); math.Abs(ci.Low-(1-want.High)) > 1e-12 {
			t.Errorf("%d blocks of %v units: %v, want the mirror image of %v", len(scores), each, ci, want)
		}
	}
}

func average(numbers []float64) float64 {
	var m mean
	for _, x := range numbers {
		m.add(x)
	}
	return m.value()
}
