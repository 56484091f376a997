package eval

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// players are those that the matches are played by.
var players = Roster{New: roster.New, Policies: roster.Policies, Weights: roster.Weights}

// contestants are two of the roster and a network.
func contestants(t *testing.T, g engine.Game) (list []Contestant, named []Named) {
	t.Helper()
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(network.Config{
		Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{8}, Activation: network.Tanh,
	}, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	brain, err := learned.NewBrain(g, net)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, Contestant{Name: "net", New: func() (agents.Agent, error) { return brain.NewAgent(0.5), nil }})
	named = append(named, NamedNetwork(net, 0.5))
	for _, name := range []string{"random", "scripted"} {
		list = append(list, Contestant{Name: name, New: func() (agents.Agent, error) { return roster.New(g, name) }})
		own, err := players.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, own)
	}
	return list, named
}

// TestOthersPlayTheSameMatch: whoever plays, the result is the same in every digit, also from a
// position, alone at a table, and where results were refused on the way.
func TestOthersPlayTheSameMatch(t *testing.T) {
	leduc, err := env.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.New(leduc, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Reset(5)
	position, err := e.State().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	started, err := engine.StartAt(leduc, position)
	if err != nil {
		t.Fatal(err)
	}
	dice, err := env.NewGame("liars_dice(players=3)")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Config{
		"two seats":  {Game: leduc, Games: 700},
		"position":   {Game: started, Games: 100},
		"solo":       {Game: dice, Games: 60, Solo: true},
		"few":        {Game: leduc, Games: 1},
		"all at one": {Game: dice, Games: 20},
	} {
		t.Run(name, func(t *testing.T) {
			list, named := contestants(t, c.Game)
			c.Seed, c.Contestants = 7, list
			want, err := Match(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, spoil := range []func([]byte) []byte{nil, func(r []byte) []byte { return r[1:] }, func(r []byte) []byte {
				return append([]byte{0, 0, 0xc0, 0x7f}, r[4:]...) // not a number
			}} {
				h := &jobtest.Hands{Kinds: job.Kinds{MatchKind: DoMatch(players)}, Spoil: spoil}
				c.Elsewhere = &Elsewhere{h, named}
				done := 0
				c.Progress = func(now, total int) { done = max(done, now) }
				got, err := Match(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("the result is\n%+v, want\n%+v", got, want)
				}
				if done != want.Games || h.Jobs > mostJobs {
					t.Errorf("%d of %d games, %d jobs", done, want.Games, h.Jobs)
				}
			}
		})
	}
}

func TestMatchJobsAreChecked(t *testing.T) {
	g, err := env.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	list, named := contestants(t, g)
	c := Config{Game: g, Games: 4, Contestants: list, Elsewhere: &Elsewhere{&jobtest.Hands{}, named[1:]}}
	if _, err := Match(t.Context(), c); err == nil || !strings.Contains(err.Error(), "2 agents for 3 contestants") {
		t.Errorf("error %v", err)
	}
	good := matchPayload{part: part{Game: "leduc", Start: g.New().Hash(), Agents: named, To: 1}, Games: 4}
	weights := named[0].data
	for want, change := range map[string]func(*matchPayload){
		"same rules":            func(m *matchPayload) { m.Start++ },
		"units 0 to 1000":       func(m *matchPayload) { m.To = 1000 },
		"unknown game":          func(m *matchPayload) { m.Game = "chess" },
		"not what they are":     func(m *matchPayload) { m.Agents[0].Weights[0]++ },
		"nobody":                func(m *matchPayload) { m.Agents[1].Roster = "nobody" },
		"no contestants":        func(m *matchPayload) { m.Agents = nil },
		"unknown field":         func(m *matchPayload) { m.Position = json.RawMessage(`{"pot": 1e9}`) },
		"are  here, abcd there": func(m *matchPayload) { m.Agents[1].Digest = "abcd" },
		"inputs is 0":           func(m *matchPayload) { m.Agents[0].Network = &network.Config{} },
	} {
		m := good
		m.Agents = append([]Named{}, good.Agents...)
		change(&m)
		payload, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		_, err = (job.Kinds{MatchKind: DoMatch(players)}).Do(t.Context(), &job.Job{Kind: MatchKind, Payload: payload}, func(job.Digest) ([]byte, error) {
			return weights, nil
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := (job.Kinds{MatchKind: DoMatch(players)}).Do(t.Context(), &job.Job{Kind: "dance"}, nil); !errors.Is(err, job.ErrKind) {
		t.Errorf("error %v, want %v", err, job.ErrKind)
	}
	if _, err := (job.Kinds{"fall": func(context.Context, *job.Job, func(job.Digest) ([]byte, error)) ([]byte, error) {
		panic(math.MaxInt8)
	}}).Do(t.Context(), &job.Job{Kind: "fall"}, nil); err == nil || !strings.Contains(err.Error(), "panic: 127") {
		t.Errorf("error %v", err)
	}
}
