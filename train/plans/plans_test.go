package plans

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/planner"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
	"powderkeg/train/solve"
)

// small learns to answer a random player in Kuhn poker.
func small() Config {
	c := Default("kuhn")
	c.Alone, c.Against, c.Hidden = true, "random", []int{16}
	c.Updates, c.Games, c.Share, c.Moments, c.Every, c.ClosingGames = 300, 400, 1, 1, 0, 10
	c.Rate, c.ValueRate, c.Lambda, c.Magnet = 0.02, 0.005, 1, 0.1
	return c
}

// TestKuhnIsAnswered: by single actions as plans, a planner learns the best response to a
// player that draws its actions, whose value is known exactly.
func TestKuhnIsAnswered(t *testing.T) {
	tr, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	for range tr.config.Updates {
		if _, err := tr.Update(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := solve.Build(context.Background(), tr.game, solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for seat := range engine.Player(2) {
		want, _ := tree.BestResponse(tree.Uniform(), seat)
		found := worth(t, tr.game.New(), seat, planner.NewPolicy(tr.planner, tr.net, 0))
		start := worth(t, tr.game.New(), seat, planner.NewPolicy(tr.planner, nil, 0))
		if math.Abs(found-want) > 1e-6 || start > want-0.5 {
			t.Errorf("seat %d: %.4f is learned, %.4f before; the best is %.4f", seat, found, start, want)
		}
	}
}

// worth is what a seat expects that plays by a policy against one that draws.
func worth(t *testing.T, s engine.State, seat engine.Player, p *planner.Policy) float64 {
	t.Helper()
	actor, sum := s.ToAct(), 0.0
	after := func(a engine.Action) float64 {
		next := enginetest.Game(t, "kuhn").New()
		next.CopyFrom(s)
		if err := next.Apply(a); err != nil {
			t.Fatal(err)
		}
		return worth(t, next, seat, p)
	}
	switch actor {
	case engine.Terminal:
		return float64(s.Returns(nil)[seat])
	case engine.Chance:
		outcomes := s.(engine.Stochastic).Outcomes(nil)
		for _, o := range outcomes {
			sum += after(o.Action) / float64(len(outcomes)) // all alike in this game
		}
		return sum
	case seat:
		return after(p.Choose(engine.Look(s, seat), seat, s.Legal(nil), rand.NewPCG(1, 1)))
	}
	legal := s.Legal(nil)
	for _, a := range legal {
		sum += after(a) / float64(len(legal))
	}
	return sum
}

// TestGradient compares the slopes of a network with finite differences.
func TestGradient(t *testing.T) {
	net, err := network.New(network.Config{Inputs: 3, Actions: 1, Seats: 1, Hidden: []int{5, 4}, Activation: network.ReLU}, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	x := []float32{1, -0.5, 2, 0.3, 0.7, -1}
	slope := []float32{0.5, -1, 2, 0.25} // of logit and value of either row
	loss := func() (sum float64) {
		var fresh *tape
		for i, y := range fresh.on(net, nil).forward(x, 2) {
			sum += float64(slope[i]) * float64(y)
		}
		return sum
	}
	gradient := make([]float32, net.Config().NumWeights())
	var tp *tape
	tp = tp.on(net, gradient)
	tp.forward(x, 2)
	tp.backward(x, slope, 2)
	for i, w := range net.Weights() {
		const h = 1e-2
		net.Weights()[i] = w + h
		up := loss()
		net.Weights()[i] = w - h
		down := loss()
		net.Weights()[i] = w
		if want := (up - down) / (2 * h); math.Abs(want-float64(gradient[i])) > 2e-3 {
			t.Errorf("weight %d: slope %.5f, want %.5f", i, gradient[i], want)
		}
	}
}

// quick is a training of a second or so in a team of planners.
func quick() Config {
	c := Default("bloc(ops_difficulty=easy)")
	c.From, c.Updates, c.Games, c.Hidden, c.Every, c.EvalGames, c.ClosingGames = "zoo:bloc", 2, 4, []int{8}, 2, 2, 2
	return c
}

// TestWorkersDecideNothing: the same training with one and with three.
func TestWorkersDecideNothing(t *testing.T) {
	var weights [][]float32
	var history []Stats
	for _, workers := range []int{1, 3} {
		c := quick()
		c.Workers = workers
		tr, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		var s Stats
		for range c.Updates {
			if s, err = tr.Update(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		history = append(history, s)
		weights = append(weights, slices.Concat(tr.net.Weights(), tr.values.Weights()))
	}
	if !slices.Equal(weights[0], weights[1]) || !reflect.DeepEqual(history[0], history[1]) {
		t.Error("three workers learn otherwise than one")
	}
	if history[0].Divergence == 0 || history[0].Departures == 0 || history[0].Norm == 0 {
		t.Errorf("nothing was learned: %+v", history[0])
	}
}

// stopping is a context that ends after it has been asked so many times.
type stopping struct {
	context.Context
	asks int
}

func (s *stopping) Err() error {
	if s.asks--; s.asks < 0 {
		return context.Canceled
	}
	return nil
}

// TestResume: a training that is stopped in the middle of an update goes on as if it had not
// been, and another one is refused in its folder.
func TestResume(t *testing.T) {
	for _, average := range []float64{0, 0.5} {
		t.Run(fmt.Sprintf("average=%v", average), func(t *testing.T) { testResume(t, average) })
	}
}

func testResume(t *testing.T, average float64) {
	c := quick()
	c.Workers, c.Updates, c.Every, c.Average = 1, 3, 0, average
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	if _, err := Run(context.Background(), c, whole, io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(&stopping{context.Background(), 20}, c, parts, io.Discard); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "after update") {
		t.Fatalf("error %v, want that it was stopped", err)
	}
	var told bytes.Buffer
	r, err := Run(context.Background(), c, parts, &told)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "going on with") || len(r.History) != c.Updates {
		t.Errorf("%d updates in the history, told %q", len(r.History), told.String())
	}
	read := func(dir string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, botName, "weights.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(read(whole), read(parts)) {
		t.Error("a training that was stopped has learned otherwise")
	}
	c.Rate *= 2
	if _, err := Run(context.Background(), c, parts, io.Discard); !errors.Is(err, option.ErrUsage) {
		t.Errorf("other settings in the same folder: error %v, want wrong usage", err)
	}
}

// TestMeanIsThePlayer: where a mean is asked for, it is what is evaluated and saved, and what is
// learned is the same.
func TestMeanIsThePlayer(t *testing.T) {
	c := quick()
	plain, averaged := c, c
	averaged.Average = 0.15 // above the share that stays of the first mean, below that of the second
	var trainers [2]*Trainer
	for i, c := range []Config{plain, averaged} {
		var err error
		if trainers[i], err = New(c); err != nil {
			t.Fatal(err)
		}
	}
	want := slices.Clone(trainers[0].net.Weights())
	for step := range 2 {
		for _, tr := range trainers {
			if _, err := tr.Update(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		stays := []float32{0.1, 0.15}[step]
		for i, w := range trainers[0].net.Weights() {
			want[i] = w + stays*(want[i]-w)
		}
	}
	if !slices.Equal(trainers[0].net.Weights(), trainers[1].net.Weights()) {
		t.Error("a mean changes what is learned")
	}
	saved, err := trainers[1].Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	player := trainers[1].net.Clone()
	if err := load(player, saved.Weights, ""); err != nil {
		t.Fatal(err)
	}
	for i, w := range player.Weights() {
		if math.Abs(float64(w-want[i])) > 1e-7 {
			t.Fatalf("weight %d of the player is %v, the mean %v", i, w, want[i])
		}
	}
	if slices.Equal(player.Weights(), trainers[1].net.Weights()) {
		t.Error("the player is the learner")
	}
}

// TestGoesOnFrom: a training begins where another one ended, which its bot tells of the network
// and its folder of the values too.
func TestGoesOnFrom(t *testing.T) {
	c := quick()
	c.Workers, c.Every = 1, 0
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Run(context.Background(), c, dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	begin := func(from, game string) *Trainer {
		next := c
		next.From, next.Game = from, game
		tr, err := New(next)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	whole := begin(dir, "bloc(ops_difficulty=hard)")
	bot := begin(filepath.Join(dir, botName), c.Game)
	fresh := begin("zoo:bloc", c.Game)
	head := func(net *network.Network) []float32 { return net.Layers()[len(c.Hidden)].Weight }
	if w := head(whole.net); slices.Max(w) == 0 || !slices.Equal(w, head(bot.net)) || slices.Max(head(fresh.net)) != 0 {
		t.Errorf("the network begins with %v, its bot with %v, without either %v", w, head(bot.net), head(fresh.net))
	}
	if slices.Max(head(whole.values)) == 0 || slices.Max(head(bot.values)) != 0 {
		t.Error("values: those of a run are not taken over, or a bot has some")
	}
	if !slices.Equal(whole.net.Weights(), bot.net.Weights()) {
		t.Error("a run's folder and its bot begin with different networks")
	}
	c.From, c.Weights = dir, "zoo:bloc_agendas"
	beside, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.net.Weights(), beside.net.Weights()) || !maps.Equal(begin("zoo:bloc_agendas", c.Game).advisers[0].Weights, beside.advisers[0].Weights) {
		t.Error("with weights of another the network is another, or the weights are not")
	}
	c.Weights = "zoo:jogu"
	if err := c.Validate(); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "weights: ") {
		t.Errorf("weights of a bot without an adviser: error %v, want wrong usage that names the setting", err)
	}
	c.Weights, c.Hidden = "", []int{4}
	if err := c.Validate(); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "[8], not [4]") {
		t.Errorf("another shape: error %v, want wrong usage that names both", err)
	}
}

// TestEachSideIsTold: where a game has one learning seat, an update tells of each by itself, and so
// do the closing games; together they are the whole.
func TestEachSideIsTold(t *testing.T) {
	c := small()
	c.Games, c.Updates = 101, 1
	tr, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := tr.Update(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Seats) != 2 || s.Seats[0].Games != 51 || s.Seats[1].Games != 50 || s.Seats[1].Seat != 1 || s.Seats[0].Departures == 0 {
		t.Fatalf("%+v, want 51 games of seat 0 and 50 of seat 1", s.Seats)
	}
	if mean := (51*s.Seats[0].Return + 50*s.Seats[1].Return) / 101; s.Seats[0].Return == s.Seats[1].Return || math.Abs(mean-s.Return) > 1e-9 {
		t.Errorf("returns %.4f and %.4f by seat, %.4f in all", s.Seats[0].Return, s.Seats[1].Return, s.Return)
	}
	e, err := tr.Compare(context.Background(), 40, closingSeeds)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Seats) != 2 || e.Seats[0].Games != 20 || e.Seats[1].Seat != 1 || math.Abs((e.Seats[0].Gain+e.Seats[1].Gain)/2-e.Gain) > 1e-9 {
		t.Errorf("%+v by seat, %.4f in all", e.Seats, e.Gain)
	}
}

// TestMinuteman: both sides learn in one network, each in its own games, by the weights of the bot
// that they begin from.
func TestMinuteman(t *testing.T) {
	c := Default("minuteman(scenario=partisan)")
	c.From, c.Alone, c.Games, c.Hidden, c.Temperature = "zoo:minuteman_partisan", true, 2, []int{8}, 0.6
	tr, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.advisers) == 0 {
		t.Error("the planner has weights of its own, want the bot's")
	}
	s, err := tr.Update(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range s.Seats {
		if seat.Games != 1 || seat.Departures <= 0 || seat.Departures > 0.5 {
			t.Errorf("%+v, want one game with some departures", seat)
		}
	}
	if s.Norm == 0 {
		t.Error("nothing was learned")
	}
}

// TestSeatsThatLearn: one that is not named never learns, alone or not.
func TestSeatsThatLearn(t *testing.T) {
	for _, alone := range []bool{false, true} {
		c := small()
		c.Alone, c.Seats = alone, []int{1}
		tr, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for number := range 3 {
			if p := tr.players[0]; p.learns(0, number) || !p.learns(1, number) {
				t.Errorf("alone: %t: in game %d seat 0 learns: %t, seat 1: %t; want that seat 1 does", alone, number, p.learns(0, number), p.learns(1, number))
			}
		}
	}
	c := small()
	c.Alone = false
	if err := c.Validate(); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "alone") {
		t.Errorf("both seats of a duel together: error %v, want wrong usage", err)
	}
	if c.Seats = []int{0}; c.Validate() != nil {
		t.Errorf("one seat of a duel: error %v", c.Validate())
	}
}

// TestFaultsAreNamed: all of them together.
func TestFaultsAreNamed(t *testing.T) {
	c := Default("kuhn")
	c.Rate, c.Share, c.From, c.Seats = math.NaN(), 2, "zoo:nobody", []int{0, 2, 0, 1}
	err := c.Validate()
	for _, want := range []string{"rate is NaN", "share is 2", "seat 2: kuhn has seats 0 to 1", "seat 0 is named twice", "from: "} {
		if err == nil || !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want wrong usage that names %q", err, want)
		}
	}
}

// TestCurvesAreMeans: of many updates a curve has means of as many each, of few what there is.
func TestCurvesAreMeans(t *testing.T) {
	history := make([]Stats, 4*mostPoints)
	best := 0.5
	for i := range history {
		history[i] = Stats{Update: i + 1, Return: float64(i % 4)}
	}
	history[9].Best = &best
	line, low, high := means(history, func(s *Stats) *float64 { return &s.Return })
	if len(line) != mostPoints || line[0].X != 2.5 || line[0].Y != 1.5 || !(low[0].Y < 1.5 && high[0].Y > 1.5) {
		t.Errorf("%d points, the first %v between %v and %v; want %d, and (2.5, 1.5) between others", len(line), line[0], low[0], high[0], mostPoints)
	}
	line, low, _ = means(history, func(s *Stats) *float64 { return s.Best })
	if len(line) != 1 || line[0].X != 10 || line[0].Y != best || low != nil {
		t.Errorf("of one evaluation: %v, band %v", line, low)
	}
}
