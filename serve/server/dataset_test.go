package server_test

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
	"powderkeg/train/dataset"

	"github.com/prometheus/client_golang/prometheus"
)

// columns is a dataset as a client puts it together again. NaN is not equal to
// itself, so logits are kept as bits.
type columns struct {
	observations, rewards, returns []float32
	masks, terminated, truncated   []uint8
	actions, steps                 []int32
	actors                         []int8
	episodes                       []int64
	seeds                          []uint64
	opening, chance                [][]int32
	finals                         [][]float32
	logits                         []uint32
	has                            []uint8
	text                           []string
}

func (c *columns) add(r *protocol.DatasetRows) {
	c.observations, c.rewards, c.returns = append(c.observations, r.Observations...), append(c.rewards, r.Rewards...), append(c.returns, r.Returns...)
	c.masks, c.terminated, c.truncated = append(c.masks, r.Masks...), append(c.terminated, r.Terminated...), append(c.truncated, r.Truncated...)
	c.actions, c.steps = append(c.actions, r.Actions...), append(c.steps, r.Steps...)
	c.actors, c.episodes, c.seeds = append(c.actors, r.Actors...), append(c.episodes, r.Episodes...), append(c.seeds, r.Seeds...)
	for i := range r.Actions {
		c.opening = append(c.opening, append([]int32{}, r.Opening.Values[r.Opening.Offsets[i]:r.Opening.Offsets[i+1]]...))
		c.finals = append(c.finals, append([]float32{}, r.Finals.Values[r.Finals.Offsets[i]:r.Finals.Offsets[i+1]]...))
		c.chance = append(c.chance, append([]int32{}, r.Chance.Values[r.Chance.Offsets[i]:r.Chance.Offsets[i+1]]...))
	}
	for _, x := range r.Logits {
		c.logits = append(c.logits, math.Float32bits(x))
	}
	c.has = append(c.has, r.HasLogits...)
	c.text = append(c.text, r.Text...)
}

// read reads a dataset to its end, rows at a time.
func read(t *testing.T, d *client.Dataset, rows int) *columns {
	t.Helper()
	all := &columns{}
	for {
		var r protocol.DatasetRows
		if err := d.Next(t.Context(), rows, &r); err != nil {
			t.Fatal(err)
		}
		if r.Done != (r.Rows == 0) || rows > 0 && r.Rows > int64(rows) || int(r.Rows) != len(r.Actions) {
			t.Fatalf("%d rows, %d actions, done %v, at most %d asked for", r.Rows, len(r.Actions), r.Done, rows)
		}
		if r.Done {
			return all
		}
		all.add(&r)
	}
}

// What comes over the socket are the columns of train/dataset, however many rows
// a client asks for at a time and however little a frame holds.
func TestADatasetIsThatOfTheCollector(t *testing.T) {
	for _, x := range []struct {
		name string
		open protocol.DatasetOpen
	}{
		{"leduc, all columns", protocol.DatasetOpen{Game: "leduc", Agents: []string{"random", "scripted"}, Episodes: 1100, Logits: true, Text: true,
			Workers: 2}},
		{"jogu", protocol.DatasetOpen{Game: "jogu", Agents: []string{"random"}, Episodes: 20}},
		{"kuhn from a position", protocol.DatasetOpen{Game: "kuhn", Agents: []string{"random"}, Episodes: 50,
			Position: `{"cards":["K","Q"],"actions":["bet"]}`}},
		{"connect4, truncated", protocol.DatasetOpen{Game: "connect4", Agents: []string{"scripted"}, Episodes: 30, MaxDecisions: 9}},
	} {
		t.Run(x.name, func(t *testing.T) {
			seed := uint64(6)
			x.open.Seed = &seed
			want := &columns{}
			collector, err := dataset.NewCollector(dataset.Config{Game: x.open.Game, Agents: x.open.Agents, Episodes: x.open.Episodes, Seed: seed,
				Start: []byte(x.open.Position), MaxDecisions: int(x.open.MaxDecisions), Logits: x.open.Logits, Text: x.open.Text})
			if err != nil {
				t.Fatal(err)
			}
			if err := collector.Collect(t.Context(), 0, x.open.Episodes, 1, func(b *dataset.Batch) error {
				want.add(&protocol.DatasetRows{Observations: b.Observations, Masks: b.Masks, Actions: b.Actions, Rewards: b.Rewards, Returns: b.Returns,
					Actors:   b.Actors,
					Episodes: b.Episodes, Steps: b.Steps, Seeds: b.Seeds, Terminated: b.Terminated, Truncated: b.Truncated, Logits: b.Logits, HasLogits: b.HasLogits,
					Text:    b.Text,
					Opening: protocol.Lists[int32]{Values: b.Opening.Values, Offsets: b.Opening.Offsets}, Chance: protocol.Lists[int32]{Values: b.Chance.Values,
						Offsets: b.Chance.Offsets},
					Finals: protocol.Lists[float32]{Values: b.Finals.Values, Offsets: b.Finals.Offsets}})
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for _, frame := range []int{1 << 20, 24 << 10} {
				c := config()
				c.Agents = append(c.Agents, "scripted")
				c.FrameBytes = frame
				address, _ := start(t, c)
				peer := dial(t, address)
				for _, rows := range []int{0, 7} {
					d, err := peer.OpenDataset(t.Context(), &x.open)
					if err != nil {
						t.Fatal(err)
					}
					if d.Opened.Seed != seed {
						t.Errorf("the seed is %d, want %d", d.Opened.Seed, seed)
					}
					if got := read(t, d, rows); !reflect.DeepEqual(got, want) {
						t.Errorf("frames of %d bytes, %d rows at a time: other columns than the collector's", frame, rows)
					}
					if err := d.Close(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestADatasetIsBoundedAndGivenBack(t *testing.T) {
	c := config()
	c.AgentsPerConnection, c.Environments, c.AllEnvironments = 4, 2, 2
	address, stop := start(t, c)
	peer := dial(t, address)
	ctx := t.Context()
	open := func(p protocol.DatasetOpen) (*client.Dataset, error) {
		if p.Game == "" {
			p.Game = "kuhn"
		}
		if p.Agents == nil {
			p.Agents = []string{"random"}
		}
		if p.Episodes == 0 {
			p.Episodes = 1 << 40
		}
		return peer.OpenDataset(ctx, &p)
	}
	for _, x := range []struct {
		name string
		open protocol.DatasetOpen
		code protocol.Code
		part string
	}{
		{"game", protocol.DatasetOpen{Game: "chess"}, protocol.CodeGame, "kuhn"},
		{"agent that is not offered", protocol.DatasetOpen{Agents: []string{"human"}}, protocol.CodeForbidden, "not offered"},
		{"agent that does not exist", protocol.DatasetOpen{Agents: []string{"unheard"}}, protocol.CodeAgent, "unknown agent"},
		{"number of agents", protocol.DatasetOpen{Agents: []string{"random", "random", "random"}}, protocol.CodeParams, "3 agents"},
		{"episodes", protocol.DatasetOpen{Episodes: -1}, protocol.CodeParams, "-1 episodes"},
		{"workers", protocol.DatasetOpen{Workers: 3}, protocol.CodeParams, "from 1 to 2"},
		{"cap", protocol.DatasetOpen{MaxDecisions: -1}, protocol.CodeParams, "max_decisions"},
		{"position", protocol.DatasetOpen{Position: `{"cards":["A"]}`}, protocol.CodeParams, `"A"`},
		{"position that is no JSON", protocol.DatasetOpen{Position: `{`}, protocol.CodeParams, "start"},
	} {
		_, err := open(x.open)
		wantCode(t, x.name, err, x.code, x.part)
	}
	d, err := open(protocol.DatasetOpen{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(protocol.DatasetOpen{})
	wantCode(t, "too many agents", err, protocol.CodeLimit, "4 of at most 4")
	var r protocol.DatasetRows
	wantCode(t, "negative rows", d.Next(ctx, -1, &r), protocol.CodeParams, "rows is -1")
	if err := d.Next(ctx, 0, &r); err != nil || r.Rows == 0 {
		t.Errorf("%d rows, error %v, want some", r.Rows, err)
	}
	if err := d.Close(ctx); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "after its end", d.Next(ctx, 0, &r), protocol.CodeHandle, "dataset 1")
	for range 2 { // of one agent a seat each
		if d, err = open(protocol.DatasetOpen{}); err != nil {
			t.Fatalf("after the first was closed: %v", err)
		}
	}
	if err := d.Next(ctx, 3, &r); err != nil || r.Rows != 3 {
		t.Errorf("%d rows, error %v, want 3", r.Rows, err)
	}
	// In the middle of endless datasets the server stops, and leaves nothing behind.
	stop()
}

// A default server plays an episode of every game, however long the rules allow it to be:
// what is charged follows from the episodes and the decisions that are asked for.
func TestADatasetIsChargedForWhatIsAsked(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Metrics = server.NewMetrics(reg)
	address, _ := start(t, c)
	peer, ctx := dial(t, address), t.Context()
	charged := func(p protocol.DatasetOpen) float64 {
		t.Helper()
		p.Agents = []string{"random"}
		d, err := peer.OpenDataset(ctx, &p)
		if err != nil {
			t.Fatalf("%s, %d episodes, max_decisions %d: %v", p.Game, p.Episodes, p.MaxDecisions, err)
		}
		bytes := value(t, reg, "powderkeg_serve_reserved_bytes")
		if p.MaxDecisions > 0 {
			if got := read(t, d, 0); len(got.actions) == 0 || int64(len(got.actions)) > p.Episodes*p.MaxDecisions {
				t.Errorf("%s: %d rows of %d episodes of at most %d decisions", p.Game, len(got.actions), p.Episodes, p.MaxDecisions)
			}
		}
		if err := d.Close(ctx); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	for _, game := range []string{"bloc", "minuteman", "insurgency", "domination", "jogu"} {
		for _, episodes := range []int64{1, 1000} {
			charged(protocol.DatasetOpen{Game: game, Episodes: episodes})
		}
		one, two := charged(protocol.DatasetOpen{Game: game, Episodes: 1, MaxDecisions: 20}), charged(protocol.DatasetOpen{Game: game, Episodes: 2,
			MaxDecisions: 20})
		double := charged(protocol.DatasetOpen{Game: game, Episodes: 1, MaxDecisions: 40})
		if one >= two || one >= double || double > 64<<20 {
			t.Errorf("%s: %.0f bytes are charged for an episode of 20 decisions, %.0f for two, %.0f for one of 40; want more for more, and little", game, one,
				two, double)
		}
	}
}

// A dataset without a bound leaves room for two more, and for environments beside them.
func TestDatasetsWithoutABoundLeaveRoom(t *testing.T) {
	address, _ := start(t, config())
	for _, game := range []string{"bloc", "minuteman"} {
		peer, ctx := dial(t, address), t.Context()
		for n := range 3 {
			d, err := peer.OpenDataset(ctx, &protocol.DatasetOpen{Game: game, Agents: []string{"random"}, Episodes: 1000})
			if err != nil {
				t.Fatalf("%s, dataset %d: %v", game, n, err)
			}
			if err := d.Next(ctx, 10, new(protocol.DatasetRows)); err != nil {
				t.Fatalf("%s, dataset %d: %v", game, n, err)
			}
		}
		if _, err := peer.MakeVec(ctx, &protocol.VecMake{Game: game, Envs: 16}); err != nil {
			t.Errorf("%s: %v", game, err)
		}
	}
}

// Where the memory does not suffice the error names max_decisions, and what fits is taken.
func TestADatasetThatDoesNotFitNamesMaxDecisions(t *testing.T) {
	c := config()
	c.MemoryBytes, c.AgentBytes = 8<<20, 1<<10
	address, _ := start(t, c)
	peer, ctx := dial(t, address), t.Context()
	open := func(most int64) (*client.Dataset, error) {
		return peer.OpenDataset(ctx, &protocol.DatasetOpen{Game: "bloc", Agents: []string{"random"}, Episodes: 1, MaxDecisions: most})
	}
	_, err := open(0)
	wantCode(t, "no bound", err, protocol.CodeLimit, "bytes of memory for episodes of up to 64004 decisions", "with max_decisions of at most ")
	_, err = open(5000)
	wantCode(t, "a bound that is too high", err, protocol.CodeLimit, "up to 5000 decisions", "with max_decisions of at most ")
	var fault *protocol.Error
	if !errors.As(err, &fault) {
		t.Fatal(err)
	}
	_, tail, _ := strings.Cut(fault.Message, "at most 8388608; with max_decisions of at most ")
	fits, err := strconv.ParseInt(strings.TrimSuffix(tail, " it fits"), 10, 64)
	if err != nil {
		t.Fatalf("%q: %v", fault.Message, err)
	}
	if _, err = open(fits + 1); err == nil {
		t.Errorf("max_decisions of %d fits, the message says at most %d", fits+1, fits)
	}
	if _, err := open(fits); err != nil {
		t.Errorf("max_decisions of %d: %v", fits, err)
	}
}
