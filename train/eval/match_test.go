package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/train/eval"
)

func randomPlayer() (agents.Agent, error) { return random.New(), nil }

// last always plays the last legal action, first the first one.
type (
	last  struct{}
	first struct{}
)

func (last) Start(engine.Player, uint64) {}
func (last) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	return legal[len(legal)-1], nil
}
func (first) Start(engine.Player, uint64) {}
func (first) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	return legal[0], nil
}

func lastPlayer() (agents.Agent, error)  { return last{}, nil }
func firstPlayer() (agents.Agent, error) { return first{}, nil }

func Example() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := eval.Match(context.Background(), eval.Config{
		Game: g, Games: 1000, Seed: 1, Workers: 2,
		Contestants: []eval.Contestant{
			{Name: "bets", New: lastPlayer},
			{Name: "passes", New: firstPlayer},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range r.Agents {
		fmt.Printf("%s wins %d of %d games, %+.1f chips per game\n", a.Name, a.Wins, a.Games, a.MeanReturn)
	}
	// Output:
	// bets wins 1000 of 1000 games, +1.0 chips per game
	// passes wins 0 of 1000 games, -1.0 chips per game
}

// TestSameForAnyNumberOfWorkers also repeats the run of one worker.
func TestSameForAnyNumberOfWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{0, 1, 2, 7, 64} {
		r, err := eval.Match(context.Background(), eval.Config{
			Game: enginetest.Game(t, "leduc"), Games: 300, Seed: 9, Workers: workers,
			Contestants: []eval.Contestant{{"random", randomPlayer}, {"last", lastPlayer}, {"first", firstPlayer}},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers: got %s, want %s", workers, got, want)
		}
	}
}

// TestSeatRatesOfRandomTicTacToe compares with the exact chances of random play:
// x wins 737/1260, o wins 121/420, the rest is drawn. Four standard errors are
// allowed. The paired win rate of two equal players must be near a half.
func TestSeatRatesOfRandomTicTacToe(t *testing.T) {
	r, err := eval.Match(context.Background(), eval.Config{
		Game: enginetest.Game(t, "tictactoe"), Games: 20000, Seed: 5, Workers: 2,
		Contestants: []eval.Contestant{{"random", randomPlayer}, {"random", randomPlayer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Agents[1].Name != "random#2" {
		t.Errorf("the second of two equal names is %q, want random#2", r.Agents[1].Name)
	}
	x, o := 737.0/1260, 121.0/420
	want := []float64{x + (1-x-o)/2, o + (1-x-o)/2}
	for _, a := range r.Agents {
		for seat, s := range a.BySeat {
			if s.Games != 10000 {
				t.Errorf("%s held seat %d in %d games, want 10000", a.Name, seat, s.Games)
			}
			if math.Abs(s.WinRate-want[seat]) > 4*0.5/100 {
				t.Errorf("%s on seat %d: win rate %.4f, want %.4f within 0.02", a.Name, seat, s.WinRate, want[seat])
			}
		}
		if a.CILow > 0.5 || a.CIHigh < 0.5 || a.EloLow > 0 || a.EloHigh < 0 {
			t.Errorf("%s against its like: win rate in [%.3f, %.3f], Elo in [%.1f, %.1f], want 0.5 and 0 inside",
				a.Name, a.CILow, a.CIHigh, a.EloLow, a.EloHigh)
		}
	}
}

// TestIntervalsHoldTheirEstimate plays two contestants at a table of three, where either
// holds one seat in half of the units and two in the rest: the scripted player wins every
// game, so it has a whole game a seat when alone and half a one when not, two thirds over all
// seats that it holds.
func TestIntervalsHoldTheirEstimate(t *testing.T) {
	g := enginetest.Game(t, "domination(players=3)")
	r, err := eval.Match(context.Background(), eval.Config{
		Game: g, Games: 180, Seed: 3, Workers: 2,
		Contestants: []eval.Contestant{{"random", randomPlayer}, {"scripted", func() (agents.Agent, error) { return roster.New(g, "scripted") }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Agents[1].WinRate; math.Abs(got-2./3) > 0.02 {
		t.Errorf("the scripted player wins %.3f of the seats' games, want about two thirds", got)
	}
	for _, a := range r.Agents {
		if a.WinRate < a.CILow || a.WinRate > a.CIHigh || a.MeanReturn < a.ReturnLow || a.MeanReturn > a.ReturnHigh {
			t.Errorf("%s: win rate %.3f in [%.3f, %.3f], mean return %.3f in [%.3f, %.3f], want both inside", a.Name, a.WinRate, a.CILow, a.CIHigh,
				a.MeanReturn, a.ReturnLow, a.ReturnHigh)
		}
	}
	for _, p := range r.Pairs {
		if p.Score < p.CILow || p.Score > p.CIHigh {
			t.Errorf("%s against %s: score %.3f in [%.3f, %.3f], want inside", p.A, p.B, p.Score, p.CILow, p.CIHigh)
		}
	}
}

func TestFieldsOthersRelyOn(t *testing.T) {
	r, err := eval.Match(context.Background(), eval.Config{
		Game: enginetest.Game(t, "kuhn"), Games: 3, Seed: 1,
		Contestants: []eval.Contestant{{"a", randomPlayer}, {"b", lastPlayer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Game   *string
		Games  *int
		Seats  *int
		Agents []map[string]any
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Game == nil || *got.Game != "kuhn" || got.Games == nil || *got.Games != 4 || got.Seats == nil || *got.Seats != 2 || len(got.Agents) != 2 {
		t.Fatalf("3 games of kuhn between two: got %s, want game kuhn, games 4 (whole pairs), seats 2, two agents", data)
	}
	for _, field := range []string{"name", "wins", "win_rate", "ci_low", "ci_high", "elo"} {
		if _, ok := got.Agents[0][field]; !ok {
			t.Errorf("agents have no field %q: %s", field, data)
		}
	}
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"kuhn: 4 games", "win rate", "a ", "b "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the text lacks %q:\n%s", part, text.String())
		}
	}
}

func TestPayoffMatrix(t *testing.T) {
	r, err := eval.Match(context.Background(), eval.Config{
		Game: enginetest.Game(t, "kuhn"), Games: 600, Seed: 1,
		Contestants: []eval.Contestant{{"bets", lastPlayer}, {"passes", firstPlayer}, {"random", randomPlayer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := r.Payoffs()
	if m[0][1] != 1 || m[1][0] != -1 || !math.IsNaN(m[0][0]) {
		t.Errorf("payoffs of bets against passes are %v, want +1 and -1, and nothing on the diagonal", m)
	}
	for i := range m {
		for j := range m {
			if i != j && math.Abs(m[i][j]+m[j][i]) > 1e-9 {
				t.Errorf("payoffs [%d][%d] and [%d][%d] of a zero-sum game are %g and %g", i, j, j, i, m[i][j], m[j][i])
			}
		}
	}
}

// TestMatrixIsShown: as text, as a table in Markdown, and as a picture whose
// squares have the colours of gains and losses.
func TestMatrixIsShown(t *testing.T) {
	r := &eval.Result{
		Game: "kuhn", Agents: []eval.AgentResult{{Name: "bets"}, {Name: "passes"}, {Name: "absent"}},
		Pairs: []eval.PairResult{{A: "bets", B: "passes", ReturnA: 1, ReturnB: -1}},
	}
	var text strings.Builder
	if err := r.WriteMatrix(&text); err != nil {
		t.Fatal(err)
	}
	if fields := strings.Fields(text.String()); !slices.Equal(fields[len(fields)-8:],
		[]string{"1", "bets", "+1.00", "2", "passes", "-1.00", "3", "absent"}) {
		t.Errorf("the text is\n%s", text.String())
	}
	if want := "| | 1 | 2 | 3 |\n|---|---|---|---|\n| 1 bets |  | +1.00 |  |\n| 2 passes | -1.00 |  |  |\n| 3 absent |  |  |  |\n"; r.MatrixMarkdown() != want {
		t.Errorf("the table is\n%swant\n%s", r.MatrixMarkdown(), want)
	}
	path := filepath.Join(t.TempDir(), "matrix.png")
	if err := r.WriteHeatMap(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	red, blue := 0, 0
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			switch r, _, b, _ := picture.At(x, y).RGBA(); {
			case r > b+0x4000:
				red++
			case b > r+0x4000:
				blue++
			}
		}
	}
	if area := picture.Bounds().Dx() * picture.Bounds().Dy(); red < area/50 || blue < area/50 {
		t.Errorf("%d red and %d blue points of %d, want a square of each", red, blue, area)
	}
	if err := r.WriteHeatMap(filepath.Join(t.TempDir(), "matrix.doc")); err == nil || !strings.Contains(err.Error(), "matrix.doc") {
		t.Errorf("a format that nobody knows: error %v", err)
	}
}

// solitaire is a game of one seat.
type solitaire struct{ engine.Game }

func (solitaire) Spec() *engine.Spec { return &engine.Spec{Name: "solitaire", Seats: 1} }

func TestFaultsAreNamed(t *testing.T) {
	_, err := eval.Match(context.Background(), eval.Config{Game: solitaire{}, Games: 1, Contestants: []eval.Contestant{{"a", randomPlayer}}})
	if err == nil || !strings.Contains(err.Error(), "solitaire has one seat") {
		t.Errorf("error of a match of solitaire is %v, want that it has one seat", err)
	}
	_, err = eval.Match(context.Background(), eval.Config{Workers: -1, Solo: true})
	for _, part := range []string{"no game", "no contestants", "0 games", "-1 workers", "cannot play solo"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error of an empty match is %v, want it to name %q", err, part)
		}
	}
	broken := errors.New("no such network")
	_, err = eval.Match(context.Background(), eval.Config{
		Game: enginetest.Game(t, "kuhn"), Games: 10,
		Contestants: []eval.Contestant{{"random", randomPlayer}, {"lost", func() (agents.Agent, error) { return nil, broken }}},
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "lost") {
		t.Errorf("error is %v, want that of contestant lost", err)
	}
}

// TestCancelStopsAllWorkers cancels a long match and waits for its goroutines.
func TestCancelStopsAllWorkers(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := eval.Match(ctx, eval.Config{
		Game: enginetest.Game(t, "connect4"), Games: 1 << 22, Seed: 1, Workers: 4,
		Contestants: []eval.Contestant{{"a", randomPlayer}, {"b", randomPlayer}},
		Progress: func(done, total int) {
			if done == 100 {
				cancel()
			}
		},
	})
	cancel()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled match is %v, want context.Canceled", err)
	}
	// The runtime needs a moment to retire goroutines that have returned.
	for deadline := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before the match, %d after", before, after)
	}
}
