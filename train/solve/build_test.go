package solve_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// TestTreesHaveTheKnownCounts compares with OpenSpiel's api_test
// (TOTAL_NUM_STATES and PERFECT_RECALL_NUM_STATES) and, for tic-tac-toe, with the
// 255,168 games and 549,946 nodes that are known of it.
func TestTreesHaveTheKnownCounts(t *testing.T) {
	skipRaces(t)
	for name, want := range map[string]solve.Counts{
		"kuhn":       {Chance: 4, Decisions: 24, Terminals: 30, InfoStates: 12},
		"leduc":      {Chance: 157, Decisions: 3780, Terminals: 5520, InfoStates: 936},
		"liars_dice": {Chance: 7, Decisions: 147456, Terminals: 147420, InfoStates: 24576},
	} {
		if got := build(t, name).Counts(); got != want {
			t.Errorf("%s has %+v, want %+v", name, got, want)
		}
	}
	tree := build(t, "tictactoe")
	if got := tree.Counts().Terminals; tree.Nodes() != 549946 || got != 255168 {
		t.Errorf("tictactoe has %d nodes and %d games, want 549946 and 255168", tree.Nodes(), got)
	}
}

// TestKeysRemember demands perfect recall of the keys of the games with hidden
// information. The board of tic-tac-toe does not tell how it came about.
func TestKeysRemember(t *testing.T) {
	skipRaces(t)
	for name, want := range map[string]bool{"kuhn": false, "leduc": false, "liars_dice": false, "tictactoe": true} {
		if got := build(t, name).Forgets(); got != want {
			t.Errorf("%s: keys forget: %t, want %t", name, got, want)
		}
	}
}

// TestForgetfulKeysGetTheirRecallBack has a seat decide twice and then forget what
// it did first. The second time it can do as well as the payoffs allow.
func TestForgetfulKeysGetTheirRecallBack(t *testing.T) {
	tree := buildGame(t, forgetful())
	if n := tree.Counts().InfoStates; n != 3 || !tree.Forgets() {
		t.Errorf("%d information states, forgets: %t; want 3 of which two share a key", n, tree.Forgets())
	}
	near(t, "best response", tree.Evaluate(tree.Uniform()).Responses[0], 3)
}

// TestViewsAreThoseOfTheirSeat demands of every information state that its view
// hides what the seat does not know and has the key and actions that it says.
func TestViewsAreThoseOfTheirSeat(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		tree, rng := build(t, name), rand.NewPCG(1, 1)
		for seat := range engine.Player(2) {
			for _, s := range tree.InfoStates(seat) {
				deal := tree.Game().New().(engine.Hidden)
				deal.Redeal(s.View, rng)
				again := engine.Look(deal, seat)
				key := string(s.View.(engine.Recaller).InfoState(nil, seat))
				if s.Seat != seat || s.View.ToAct() != seat || again.Hash() != s.View.Hash() || key != s.Key || len(s.View.Legal(nil)) != len(s.Legal) {
					t.Fatalf("%s: information state %q of seat %d has the view %q of seat %d with the actions %v, want %v", name, s.Key, seat, key, s.View.ToAct(),
						s.View.Legal(nil), s.Legal)
				}
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	uneven := newToy("uneven", 1, engine.GeneralSum, lot([]uint32{1, 1},
		decide(0, "same", end(1), end(0)),
		decide(0, "same", end(1), end(0), end(2))))
	for name, c := range map[string]struct {
		ctx    context.Context
		game   engine.Game
		limits solve.Limits
		want   error // nil: any
		text   string
	}{
		"a tree above the limit": {nil, enginetest.Game(t, "leduc"), solve.Limits{MaxNodes: 9456}, solve.ErrTooLarge,
			"leduc: too large: the tree has more than 9456 nodes"},
		"a limit below one":   {nil, enginetest.Game(t, "leduc"), solve.Limits{MaxNodes: -1}, nil, "want 1 to 2147483647"},
		"a game without keys": {nil, enginetest.Game(t, "jogu"), solve.Limits{}, solve.ErrNoInfoStates, "jogu has no information states"},
		"an ended context":    {ended, enginetest.Game(t, "kuhn"), solve.Limits{}, context.Canceled, "kuhn: context canceled"},
		"a key with other actions": {nil, uneven, solve.Limits{}, nil,
			`information state "0same" of seat 0 allows the actions [0 1] in one state and [0 1 2] in another`},
	} {
		ctx := c.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		_, err := solve.Build(ctx, c.game, c.limits)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v, want one line with %q", name, err, c.text)
		}
	}
	if _, err := solve.Build(context.Background(), enginetest.Game(t, "leduc"), solve.Limits{MaxNodes: 9457}); err != nil {
		t.Errorf("a tree of exactly the limit: %v", err)
	}
}

func TestBuildTellsOfItsProgress(t *testing.T) {
	var told []int
	skipRaces(t)
	_, err := solve.Build(context.Background(), enginetest.Game(t, "tictactoe"), solve.Limits{Progress: func(n int) { told = append(told, n) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(told) < 5 || told[0] <= 0 || told[len(told)-1] <= told[0] {
		t.Errorf("progress is %v, want a growing number of nodes", told)
	}
}

func TestPoliciesAreChecked(t *testing.T) {
	tree := build(t, "kuhn")
	sure := errors.New("the network is gone")
	for want, fill := range map[string]func(row []float64) error{
		"add up to 1.2, want 1":         func(row []float64) error { row[0], row[1] = 0.6, 0.6; return nil },
		"add up to 0, want 1":           func([]float64) error { return nil },
		"each must be from 0 to 1":      func(row []float64) error { row[0], row[1] = -0.5, 1.5; return nil },
		"probabilities are [NaN 1]":     func(row []float64) error { row[0], row[1] = math.NaN(), 1; return nil },
		"probabilities are [+Inf 0]":    func(row []float64) error { row[0] = math.Inf(1); return nil },
		"the network is gone":           func([]float64) error { return sure },
		`information state "0J:": prob`: func([]float64) error { return nil },
	} {
		_, err := tree.Policy(func(_ []solve.InfoState, probabilities [][]float64) error {
			for _, row := range probabilities {
				if err := fill(row); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	// What single precision loses is made up for.
	third := float64(float32(1) / 3)
	p, err := tree.Policy(func(_ []solve.InfoState, probabilities [][]float64) error {
		for _, row := range probabilities {
			row[0], row[1] = third, 1-third+1e-6
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if row := p.Probabilities(1, 2); math.Abs(row[0]+row[1]-1) > 1e-15 {
		t.Errorf("probabilities %v add up to %.17g", row, row[0]+row[1])
	}
}

// TestTicTacToe compares the best responses to uniform play with an expectimax over
// boards, and demands the draw that optimal play gives.
func TestTicTacToe(t *testing.T) {
	skipRaces(t)
	tree := build(t, "tictactoe")
	e := tree.Evaluate(tree.Uniform())
	for seat := range engine.Player(2) {
		want := expectimax(tree.Game(), tree.Game().New(), seat, map[uint64]float64{})
		if math.Abs(e.Responses[seat]-want) > 1e-9 {
			t.Errorf("best response of seat %d to uniform play gets %.9f, want %.9f", seat, e.Responses[seat], want)
		}
	}
	s := solver(t, tree, solve.Default(solve.CFRPlus))
	for range 60 {
		s.Iterate()
	}
	if e := tree.Evaluate(s.Average()); math.Abs(e.Values[0]) > 0.01 || e.Exploitability > 0.01 {
		t.Errorf("after 60 iterations the value is %g and the exploitability %g, want 0 within 0.01", e.Values[0], e.Exploitability)
	}
}

// expectimax returns what the seat gets from s on if it plays at its best against
// uniform play.
func expectimax(g engine.Game, s engine.State, seat engine.Player, known map[uint64]float64) float64 {
	if s.ToAct() == engine.Terminal {
		return float64(s.Returns(nil)[seat])
	}
	if v, ok := known[s.Hash()]; ok {
		return v
	}
	legal := s.Legal(nil)
	best, mean := math.Inf(-1), 0.0
	for _, a := range legal {
		next := engine.Clone(g, s)
		if err := next.Apply(a); err != nil {
			panic(err)
		}
		v := expectimax(g, next, seat, known)
		best, mean = max(best, v), mean+v/float64(len(legal))
	}
	if s.ToAct() != seat {
		best = mean
	}
	known[s.Hash()] = best
	return best
}

// TestByViewIsByKey: what a seat sees holds all that its key does, in games that have both.
func TestByViewIsByKey(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "liars_dice(faces=3)"} {
		want := build(t, name)
		got, err := solve.Build(context.Background(), enginetest.Game(t, name), solve.Limits{ByView: true})
		if err != nil {
			t.Fatal(err)
		}
		if got.Counts() != want.Counts() {
			t.Errorf("%s: by view %+v, by key %+v", name, got.Counts(), want.Counts())
		}
		if g, w := got.Evaluate(got.Uniform()), want.Evaluate(want.Uniform()); math.Abs(g.NashConv-w.NashConv) > 1e-12 {
			t.Errorf("%s: NashConv of uniform play is %g by view, %g by key", name, g.NashConv, w.NashConv)
		}
	}
}

// TestBuildAmong deals Kuhn poker by hand: the tree behind the six deals is worth what the game is.
func TestBuildAmong(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	var deals []engine.State
	for _, cards := range []string{`"J","Q"`, `"J","K"`, `"Q","J"`, `"Q","K"`, `"K","J"`, `"K","Q"`} {
		s, err := g.Load([]byte(`{"cards":[`+cards+`],"actions":[]}`), engine.Strict)
		if err != nil {
			t.Fatal(err)
		}
		deals = append(deals, s)
	}
	tree, err := solve.BuildAmong(context.Background(), g, deals, solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Counts(), (solve.Counts{Chance: 1, Decisions: 24, Terminals: 30, InfoStates: 12}); got != want {
		t.Errorf("the tree has %+v, want %+v", got, want)
	}
	whole := build(t, "kuhn")
	got, want := tree.Evaluate(tree.Uniform()), whole.Evaluate(whole.Uniform())
	near(t, "value of random play", got.Values[0], want.Values[0])
	near(t, "NashConv of random play", got.NashConv, want.NashConv)
	p, _, err := solve.Run(context.Background(), tree, solve.Default(solve.CFRPlus), solve.Schedule{Iterations: 2000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := tree.Evaluate(p); math.Abs(e.Values[0]+1.0/18) > 1e-3 {
		t.Errorf("the value is %g, want -1/18", e.Values[0])
	}
	if _, err := solve.BuildAmong(context.Background(), g, nil, solve.Limits{}); err == nil {
		t.Error("a game without a start was built")
	}
}
