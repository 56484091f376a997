package table_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/replay"
)

func Example() {
	g, err := games.New("tictactoe")
	if err != nil {
		fmt.Println(err)
		return
	}
	record := replay.New(g, "random", "random")
	t := table.New(g)
	returns, err := t.Play(context.Background(), []agents.Agent{random.New(), random.New()}, table.Seeds{Chance: 3, Agents: 3}, table.Options{
		Each: func(s engine.State, a engine.Action) { record.Add(g, s, a) },
	})
	fmt.Println(returns, err, record.Moves)
	// Output: [1 -1] <nil> [b2 a2 a3 c2 a1 b1 b3 c1 c3]
}

// TestSameSeedSameGame plays each game twice from each of some seeds, and tells
// the games of different seeds apart.
func TestSameSeedSameGame(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice"} {
		g := enginetest.Game(t, name)
		tb := table.New(g)
		play := func(seed uint64) []string {
			r := replay.New(g)
			if _, err := tb.Play(context.Background(), []agents.Agent{random.New(), random.New()}, table.Seeds{Chance: seed, Agents: seed}, table.Options{
				Each: func(s engine.State, a engine.Action) { r.Add(g, s, a) },
			}); err != nil {
				t.Fatal(err)
			}
			r.Close(tb.State())
			if _, err := replay.Play(g, r, nil); err != nil {
				t.Errorf("%s: seed %d: the record cannot be replayed: %v", name, seed, err)
			}
			return r.Moves
		}
		distinct := map[string]bool{}
		for seed := range uint64(20) {
			one, again := play(seed), play(seed)
			if !slices.Equal(one, again) {
				t.Errorf("%s: seed %d gave %v, then %v", name, seed, one, again)
			}
			distinct[strings.Join(one, " ")] = true
		}
		if len(distinct) < 10 {
			t.Errorf("%s: 20 seeds gave %d different games, want at least 10", name, len(distinct))
		}
	}
}

// viewer plays at random and checks that it is shown nothing but its view.
type viewer struct {
	agents.Agent
	t    *testing.T
	g    engine.Game
	seat engine.Player
	// lines is what it was told.
	lines []string
}

func (v *viewer) Start(seat engine.Player, seed uint64) {
	v.seat = seat
	v.Agent.Start(seat, seed)
}

func (v *viewer) Watch(line string) { v.lines = append(v.lines, line) }

func (v *viewer) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	deal := v.g.New().(engine.Hidden)
	deal.Redeal(view, rand.NewPCG(uint64(v.seat), view.Hash()))
	if engine.Look(deal, v.seat).Hash() != view.Hash() {
		v.t.Errorf("%s: seat %d is shown more than it may see: %s", v.g.Spec().Name, v.seat, view.(engine.Teller).Text(v.seat))
	}
	return v.Agent.Act(ctx, view, legal)
}

func TestAgentsSeeTheirViewOnly(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "liars_dice"} {
		g := enginetest.Game(t, name)
		tb := table.New(g)
		for seed := range uint64(30) {
			seats := []agents.Agent{&viewer{Agent: random.New(), t: t, g: g}, &viewer{Agent: random.New(), t: t, g: g}}
			if _, err := tb.Play(context.Background(), seats, table.Seeds{Chance: seed, Agents: seed}, table.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSpectatorsLearnNoSecrets checks who is told which card is dealt.
func TestSpectatorsLearnNoSecrets(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	start, err := g.Load([]byte(`{}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	seats := []agents.Agent{&viewer{Agent: random.New(), t: t, g: g}, &viewer{Agent: random.New(), t: t, g: g}}
	if _, err := table.New(g).Play(context.Background(), seats, table.Seeds{}, table.Options{Start: start}); err != nil {
		t.Fatal(err)
	}
	for p, agent := range seats {
		lines := agent.(*viewer).lines
		for seat, line := range lines[:2] {
			card, ok := strings.CutPrefix(line, fmt.Sprintf("Seat %d is dealt ", seat))
			if !ok || (card == "a card") != (seat != p) {
				t.Errorf("seat %d is told of the deal to seat %d: %q, want the card only if it is its own", p, seat, line)
			}
		}
		if !strings.HasPrefix(lines[2], "Seat 0: ") {
			t.Errorf("seat %d is told next: %q, want what seat 0 does", p, lines[2])
		}
	}
}

// fixed plays one action, legal or not.
type fixed engine.Action

func (fixed) Start(engine.Player, uint64) {}
func (f fixed) Act(context.Context, engine.View, []engine.Action) (engine.Action, error) {
	return engine.Action(f), nil
}

func TestRefusals(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	tb := table.New(g)
	for _, bad := range []engine.Action{-1, 9, 1 << 20} {
		_, err := tb.Play(context.Background(), []agents.Agent{fixed(bad), random.New()}, table.Seeds{}, table.Options{})
		if !errors.Is(err, engine.ErrIllegal) || !strings.Contains(err.Error(), "seat 0") {
			t.Errorf("action %d: error is %v, want ErrIllegal of seat 0", bad, err)
		}
	}
	if _, err := tb.Play(context.Background(), []agents.Agent{random.New()}, table.Seeds{}, table.Options{}); err == nil {
		t.Error("one agent at a game of two seats is accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tb.Play(ctx, []agents.Agent{random.New(), random.New()}, table.Seeds{}, table.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error after cancel is %v, want context.Canceled", err)
	}
}
