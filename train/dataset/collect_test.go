package dataset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/train/dataset"
)

// clone copies a batch out of the collector's memory.
func clone(b *dataset.Batch) *dataset.Batch {
	c := *b
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		copyField(v.Field(i))
	}
	return &c
}

func copyField(f reflect.Value) {
	switch f.Kind() {
	case reflect.Struct:
		for i := range f.NumField() {
			copyField(f.Field(i))
		}
	case reflect.Slice:
		f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
	}
}

// collected returns the batches of a config, and the collector.
func collected(t *testing.T, c dataset.Config, workers int) (*dataset.Collector, []*dataset.Batch) {
	t.Helper()
	collector, err := dataset.NewCollector(c)
	if err != nil {
		t.Fatal(err)
	}
	var list []*dataset.Batch
	if err := collector.Collect(t.Context(), 0, c.Episodes, workers, func(b *dataset.Batch) error {
		list = append(list, clone(b))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return collector, list
}

// dump writes batches such that two are equal in writing exactly if they are
// equal bit for bit, but for the bits of NaN.
func dump(list []*dataset.Batch) string { return fmt.Sprintf("%+v", deref(list)) }

func deref(list []*dataset.Batch) (out []dataset.Batch) {
	for _, b := range list {
		out = append(out, *b)
	}
	return out
}

func TestBatchesDoNotDependOnTheWorkers(t *testing.T) {
	for _, c := range []dataset.Config{
		{Game: "kuhn", Agents: []string{"random"}, Episodes: 1500, Seed: 1},
		{Game: "leduc", Agents: []string{"scripted", "random"}, Episodes: 1500, Seed: 2, Text: true},
		{Game: "connect4", Agents: []string{"mcts(sims=5)", "random"}, Episodes: 20, Seed: 3},
		{Game: "jogu", Agents: []string{"random"}, Episodes: 25, Seed: 4, MaxDecisions: 500},
	} {
		_, one := collected(t, c, 1)
		for _, workers := range []int{2, 5} {
			if _, many := collected(t, c, workers); dump(many) != dump(one) {
				t.Errorf("%s: %d workers give other batches than one", c.Game, workers)
			}
		}
		c.Seed++
		if _, other := collected(t, c, 2); dump(other) == dump(one) {
			t.Errorf("%s: another seed gives the same batches", c.Game)
		}
	}
}

// An environment that is reset with the episode's seed and given the recorded
// actions shows the recorded columns.
func TestRowsAreWhatAnEnvironmentShows(t *testing.T) {
	for _, c := range []dataset.Config{
		{Game: "kuhn", Agents: []string{"random"}, Episodes: 60, Seed: 1},
		{Game: "leduc", Agents: []string{"scripted", "random"}, Episodes: 60, Seed: 2},
		{Game: "jogu", Agents: []string{"random"}, Episodes: 3, Seed: 4},
		{Game: "connect4", Agents: []string{"random"}, Episodes: 20, Seed: 4, MaxDecisions: 9},
		{Game: "tictactoe", Agents: []string{"random"}, Episodes: 20, Seed: 5, Start: json.RawMessage(`{"board": ["x..", ".o.", "..."]}`)},
	} {
		collector, list := collected(t, c, 2)
		game := collector.Game()
		e, err := env.New(game, env.Options{MaxDecisions: c.MaxDecisions})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.StartFrom(c.Start); err != nil {
			t.Fatal(err)
		}
		d, a, p := collector.Layout().Size, len(game.Spec().Actions), game.Spec().Seats
		obs, mask, episodes := make([]float32, d), make([]uint8, a), int64(0)
		for _, b := range list {
			for i := range b.Rows() {
				if b.Steps[i] == 0 {
					if b.Episodes[i] != episodes {
						t.Fatalf("%s: episode %d follows episode %d", c.Game, b.Episodes[i], episodes-1)
					}
					episodes++
					e.Reset(b.Seeds[i])
				}
				e.Observe(obs, mask)
				if int8(e.Actor()) != b.Actors[i] || !slices.Equal(obs, b.Observations[i*d:(i+1)*d]) || !slices.Equal(mask, b.Masks[i*a:(i+1)*a]) {
					t.Fatalf("%s: episode %d, step %d: actor, observation or mask is not what the environment shows", c.Game, b.Episodes[i], b.Steps[i])
				}
				if err := e.Step(engine.Action(b.Actions[i])); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(e.Rewards(), b.Rewards[i*p:(i+1)*p]) || e.Terminated() != (b.Terminated[i] == 1) || e.Truncated() != (b.Truncated[i] == 1) {
					t.Fatalf("%s: episode %d, step %d: rewards or flags are not what the environment says", c.Game, b.Episodes[i], b.Steps[i])
				}
				if (e.Terminated() || e.Truncated()) && !slices.Equal(e.Returns(), b.Returns[i*p:(i+1)*p]) {
					t.Errorf("%s: episode %d: returns %v, want %v", c.Game, b.Episodes[i], b.Returns[i*p:(i+1)*p], e.Returns())
				}
			}
		}
		if episodes != c.Episodes {
			t.Errorf("%s: %d episodes, want %d", c.Game, episodes, c.Episodes)
		}
	}
}

func TestOtherAgentsHaveNoLogits(t *testing.T) {
	_, list := collected(t, dataset.Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 5, Logits: true}, 1)
	for i, has := range list[0].HasLogits {
		if has != 0 || !math.IsNaN(float64(list[0].Logits[2*i])) || !math.IsNaN(float64(list[0].Logits[2*i+1])) {
			t.Errorf("row %d: a random agent has logits %v", i, list[0].Logits[2*i:2*i+2])
		}
	}
	if len(list[0].Logits) != 2*list[0].Rows() {
		t.Errorf("%d logits for %d rows of 2 actions", len(list[0].Logits), list[0].Rows())
	}
}

func TestCollectStops(t *testing.T) {
	collector, err := dataset.NewCollector(dataset.Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("enough")
	for _, workers := range []int{1, 2, 5} {
		batches := 0
		err := collector.Collect(t.Context(), 0, 1e9, workers, func(*dataset.Batch) error {
			if batches++; batches == 3 {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || batches != 3 {
			t.Errorf("%d workers: error %v after %d batches, want that of the third", workers, err, batches)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = collector.Collect(ctx, 0, 1e9, workers, func(*dataset.Batch) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: error %v after the end of the context, want context.Canceled", workers, err)
		}
	}
}

func TestConfigRefusals(t *testing.T) {
	good := dataset.Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 1}
	for _, c := range []struct {
		name   string
		change func(*dataset.Config)
		want   string
	}{
		{"game", func(c *dataset.Config) { c.Game = "chess" }, `unknown game "chess"; games: kuhn`},
		{"agent", func(c *dataset.Config) { c.Agents = []string{"deep"} }, `unknown agent "deep"; agents: random`},
		{"human", func(c *dataset.Config) { c.Agents = []string{"human"} }, "people do not play datasets"},
		{"no agents", func(c *dataset.Config) { c.Agents = nil }, "0 agents; kuhn takes 1 for all seats or 2"},
		{"three agents", func(c *dataset.Config) { c.Agents = []string{"random", "random", "random"} }, "3 agents; kuhn takes 1"},
		{"no episodes", func(c *dataset.Config) { c.Episodes = 0 }, "0 episodes; want 1 to"},
		{"length", func(c *dataset.Config) { c.MaxDecisions = -1 }, "at most -1 decisions; want 0"},
		{"position", func(c *dataset.Config) { c.Start = json.RawMessage(`{"cards": 3}`) }, "start: "},
		{"end", func(c *dataset.Config) {
			c.Game, c.Start = "tictactoe", json.RawMessage(`{"board": ["xxx", "oo.", "..."]}`)
		}, "start: the game is over"},
		{"two faults", func(c *dataset.Config) { c.Episodes, c.MaxDecisions = 0, -1 }, "want 1 to 1099511627776; at most -1"},
	} {
		config := good
		c.change(&config)
		err := config.Validate()
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v, want one line of wrong usage with %q", c.name, err, c.want)
		}
	}
	if err := good.Validate(); err != nil {
		t.Errorf("a good config is refused: %v", err)
	}
}

// A collector of episodes of at most so many decisions ends where one has more.
func TestAnEpisodeThatIsTooLongEndsTheCollection(t *testing.T) {
	c, err := dataset.NewCollector(dataset.Config{Game: "kuhn", Agents: []string{"random"}, Episodes: 50, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	over, rows, within := errors.New("too long"), 0, 0
	count := func(b *dataset.Batch) error {
		rows += b.Rows()
		return nil
	}
	if err := c.AtMost(3, over).Collect(t.Context(), 0, 50, 1, count); err != nil || rows < 100 {
		t.Errorf("episodes of at most 3 decisions, which all are: %d rows, error %v", rows, err)
	}
	if err := c.AtMost(2, over).Collect(t.Context(), 0, 50, 1, count); !errors.Is(err, over) {
		t.Errorf("episodes of at most 2 decisions: error %v, want %v", err, over)
	}
	rows = 0
	if err := c.Within(func(ctx context.Context, play func(context.Context) error) error {
		within++
		return play(ctx)
	}).Collect(t.Context(), 0, 50, 1, count); err != nil || within != 50 || rows < 100 {
		t.Errorf("%d episodes were played within, %d rows, error %v, want 50", within, rows, err)
	}
	for workers, want := range map[int]int64{1: 1, 4: 1} {
		if got := c.Batches(workers); got != want {
			t.Errorf("%d workers: %d batches, want %d for so few episodes", workers, got, want)
		}
	}
}
