package train

import (
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/train/eval"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
	"powderkeg/train/solve"
)

// small is a run of a second or so on the given game.
func small(game string) Config {
	text, err := os.ReadFile("testdata/small.yaml")
	if err != nil {
		panic(err) // it is beside the tests
	}
	c, err := ParseConfig(text)
	if err != nil {
		panic(err)
	}
	c.Game = game
	return c
}

// skipRaces leaves out tests that play much on one goroutine, where there is no race
// to find, and take minutes under the race detector.
func skipRaces(t *testing.T) {
	t.Helper()
	if enginetest.Race {
		t.Skip("nothing runs beside it")
	}
}

// updates makes n updates.
func updates(t testing.TB, r *Trainer, n int) {
	t.Helper()
	for range n {
		if _, err := r.Update(); err != nil {
			t.Fatal(err)
		}
	}
}

// trainer returns a fresh one that the test closes.
func trainer(t testing.TB, c Config) *Trainer {
	t.Helper()
	r, err := NewTrainer(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// reopened saves the trainer, through the files, and returns one that goes on from there,
// which the test closes.
func reopened(t *testing.T, c Config, r *Trainer) *Trainer {
	t.Helper()
	saved, err := r.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	path, err := (checkpoints.Store{Dir: t.TempDir()}).Save(saved)
	if err != nil {
		t.Fatal(err)
	}
	if saved, err = checkpoints.Open(path); err != nil {
		t.Fatal(err)
	}
	resumed, err := ResumeTrainer(c, saved)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resumed.Close() })
	return resumed
}

// TestResumedRunsAreTheSameBitForBit saves after each update, through the files,
// and goes on from there: in the middle of games and of lessons, with opponents in
// the pool and some of them retired, and in leduc with a magnet.
func TestResumedRunsAreTheSameBitForBit(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc", "tictactoe", "connect4", "jogu", "domination"} {
		t.Run(game, func(t *testing.T) {
			c := small(game)
			c.MaxDecisions = 25 // truncates some games of connect4 and jogu
			c.Envs, c.Steps = 8, 16
			if game == "leduc" {
				c.PPO.Proximal, c.PPO.Magnet, c.PPO.MagnetRate, c.PPO.NeuRD = ppo.Constant(1), ppo.Constant(0.1), 0.2, 10
			}
			c.SkipForced = game == "domination"
			if game == "leduc" || game == "jogu" {
				c.Archive.Share, c.Archive.Games, c.League.Paired = 0.5, 5, game == "jogu"
			}
			if game == "leduc" {
				c.PPO.Critic.Hidden = []int{8}
			}
			if game == "leduc" || game == "tictactoe" {
				c.Network.Advice = 2
			}
			if game == "connect4" {
				c.Network.Bins, c.PPO.Warmup, c.PPO.Filter.Quantile, c.PPO.ValueLambda = 5, 3, 0.5, 0.8
			}
			if game == "jogu" {
				c.PPO.Average, c.PPO.LearningRate = 0.9, ppo.Schedule{Start: 1e-3, Power: 0.5}
			}
			if game == "tictactoe" {
				c.PPO.Average = 0.9
				c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions = "scripted", 3, 2000 // they end on the way
				c.Lessons.Players, c.Lessons.Learner = []string{"scripted", "random"}, 0.3
			}
			straight := trainer(t, c)
			resumed := trainer(t, c)
			for i := range 7 {
				updates(t, straight, 1)
				updates(t, resumed, 1)
				if !slices.Equal(straight.net.Weights(), resumed.net.Weights()) {
					t.Fatalf("after %d updates, resumed before each, the weights differ", i+1)
				}
				resumed = reopened(t, c, resumed)
			}
		})
	}
}

// TestWorkersDoNotMatter: the pure Go build reaches the same weights with any
// number of them.
func TestWorkersDoNotMatter(t *testing.T) {
	if network.ForeignBLAS {
		t.Skip("OpenBLAS adds up a batch's rows in an order that depends on its size")
	}
	var want []float32
	var said UpdateMetrics
	for _, workers := range []int{1, 3, 8} {
		c := small("leduc")
		c.Workers, c.MaxDecisions = workers, 5 // truncates the longer games
		r := trainer(t, c)
		updates(t, r, 3)
		m, err := r.Update()
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, said = slices.Clone(r.net.Weights()), m
		}
		if !slices.Equal(r.net.Weights(), want) {
			t.Errorf("with %d workers the weights differ from those with 1", workers)
		}
		if !reflect.DeepEqual(m, said) || m.Truncated == 0 {
			t.Errorf("with %d workers the metrics are %+v, with 1 %+v; some games must be truncated", workers, m, said)
		}
	}
}

// tree returns the whole tree of a small game.
func tree(t testing.TB, g engine.Game) *solve.Tree {
	t.Helper()
	whole, err := solve.Build(t.Context(), g, solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// learnedPolicy is what the trainer's network plays now on the seats for which holds
// is true, and uniform play on the others.
func learnedPolicy(t testing.TB, r *Trainer, whole *solve.Tree, holds func(seat engine.Player) bool) *solve.Policy {
	t.Helper()
	brain, err := learned.NewBrain(r.Game(), r.Network())
	if err != nil {
		t.Fatal(err)
	}
	player := brain.NewPolicy(1)
	policy, err := whole.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			row, _ := player.Evaluate(nil, s.View, s.Seat, s.Legal)
			for k, p := range row {
				probabilities[i][k] = float64(p)
				if !holds(s.Seat) {
					probabilities[i][k] = 1 / float64(len(row))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// TestKuhnReachesTheBestResponse trains against a fixed opponent, uniformly random
// play, and compares what the learned policy gains, computed over the whole tree,
// with the most that can be gained.
func TestKuhnReachesTheBestResponse(t *testing.T) {
	skipRaces(t)
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	c := small("kuhn")
	c.Updates, c.Envs, c.Steps = 60, 64, 32
	c.PPO.LearningRate, c.PPO.Entropy = ppo.Schedule{Start: 0.005, End: 0.0005}, ppo.Schedule{Start: 0.02, End: 0}
	c.PPO.TargetKL = 0
	c.League = league.Config{Share: 1, Agents: []league.Named{{Name: "random", Share: 1}}}
	r := trainer(t, c)
	updates(t, r, c.Updates)
	whole := tree(t, g)
	uniform := whole.Evaluate(whole.Uniform())
	for me := engine.Player(0); me < 2; me++ {
		got := whole.Values(learnedPolicy(t, r, whole, func(seat engine.Player) bool { return seat == me }))[me]
		want := uniform.Responses[me]
		t.Logf("seat %d: gains %.4f, the best is %.4f, uniform play gains %.4f", me, got, want, uniform.Values[me])
		if got < want-0.01 || got > want+1e-6 {
			t.Errorf("seat %d gains %.4f, want the best response's %.4f within 0.01", me, got, want)
		}
	}
}

// TestKuhnSelfPlayComesNearEquilibrium runs the shipped config and computes, over
// the whole tree, what best responses would gain against the learned policy in sum
// (NashConv: 0 in an equilibrium, 0.92 for uniform play) and the game's value.
func TestKuhnSelfPlayComesNearEquilibrium(t *testing.T) {
	skipRaces(t)
	text, err := os.ReadFile("../experiments/configs/kuhn/ppo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	r := trainer(t, c)
	updates(t, r, c.Updates)
	whole := tree(t, r.Game())
	e := whole.Evaluate(learnedPolicy(t, r, whole, func(engine.Player) bool { return true }))
	t.Logf("NashConv %.4f, values %.4f, uniform play has %.4f", e.NashConv, e.Values, whole.Evaluate(whole.Uniform()).NashConv)
	// Six seeds gave 0.06 to 0.10, too small an entropy bonus 0.3 to 0.7
	// (experiments/reports/0002-kuhn-entropy.md).
	if e.NashConv > 0.15 {
		t.Errorf("best responses gain %.4f in sum, want at most 0.15", e.NashConv)
	}
	if want := -1.0 / 18; math.Abs(e.Values[0]-want) > 0.02 {
		t.Errorf("the first seat gains %.4f, want %.4f within 0.02", e.Values[0], want)
	}
}

// TestTicTacToeBeatsRandomPlay states the score after a few seconds of
// self-play.
func TestTicTacToeBeatsRandomPlay(t *testing.T) {
	skipRaces(t)
	c := small("tictactoe")
	c.Updates, c.Envs, c.Steps = 60, 64, 32
	c.Network.Hidden = []int{64, 64}
	c.PPO.LearningRate = ppo.Schedule{Start: 0.003, End: 0.0003}
	c.Evaluation.Against = []string{"random"}
	c.Evaluation.Temperature = 0
	r := trainer(t, c)
	updates(t, r, c.Updates)
	err := r.Evaluate(t.Context(), 1000, true, func(m EvaluationMetrics, _ *eval.Result) error {
		t.Logf("win rate %.3f [%.3f, %.3f]", m.WinRate, m.CILow, m.CIHigh)
		if m.WinRate < 0.93 {
			t.Errorf("win rate %.3f over %d games, want at least 0.93", m.WinRate, m.Games)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
