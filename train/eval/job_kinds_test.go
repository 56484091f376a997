package eval

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/env"
	"powderkeg/train/job"
	"powderkeg/train/job/jobtest"
)

// kinds are the jobs of this package.
var kinds = job.Kinds{MatchKind: DoMatch(players), DeviationKind: DoDeviation(players), TeamKind: DoTeam(players)}

// spoilt are results that cannot be those of any job.
var spoilt = map[string]func([]byte) []byte{
	"as they are":  nil,
	"cut":          func(r []byte) []byte { return r[1:] },
	"nothing":      func([]byte) []byte { return nil },
	"not a number": func(r []byte) []byte { return append([]byte{0, 0, 0xc0, 0x7f}, r[4:]...) },
	"too much":     func(r []byte) []byte { return append(r[:len(r)-4:len(r)-4], 0, 0, 0x7a, 0x44) }, // a return of 1000
}

// TestOthersPlayTheSameDeviations: from an agent that is asked as a policy, by one deviant and by
// one for each seat, to the last digit.
func TestOthersPlayTheSameDeviations(t *testing.T) {
	for _, name := range []string{"leduc", "liars_dice(players=3)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		// As an agent and as a policy a search draws from other seeds.
		policies, err := roster.Policies(g, "mcts(sims=4)")
		if err != nil {
			t.Fatal(err)
		}
		agent := Contestant{Name: "mcts", New: func() (agents.Agent, error) { return agents.FromPolicy(policies()), nil }}
		policy, err := players.NamedPolicy("mcts(sims=4)")
		if err != nil {
			t.Fatal(err)
		}
		list, named := contestants(t, g)
		if seats := g.Spec().Seats; seats == 2 {
			list, named = list[:2], named[:2]
		}
		for _, deviants := range []int{1, len(list)} {
			c := DeviationConfig{Game: g, Agent: agent, Deviant: BySeat(list[:deviants]), Units: 150, Seed: 3}
			want, err := Deviation(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for how, spoil := range spoilt {
				h := &jobtest.Hands{Kinds: kinds, Spoil: spoil}
				c.Elsewhere = &Elsewhere{h, append([]Named{policy}, named[:deviants]...)}
				done := 0
				c.Progress = func(now, _ int) { done = max(done, now) }
				got, err := Deviation(t.Context(), c)
				if err != nil {
					t.Fatalf("%s, %d deviants, %s: %v", name, deviants, how, err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %d deviants, %s: the result is\n%+v, want\n%+v", name, deviants, how, got, want)
				}
				if done != 150 || h.Jobs != mostJobs {
					t.Errorf("%s: %d of 150 units, %d jobs", name, done, h.Jobs)
				}
			}
		}
	}
}

// TestOthersPlayTheSameTeams: in a game that says how it ended, and in one that does not.
func TestOthersPlayTheSameTeams(t *testing.T) {
	for name, fewer := range map[string]string{"bloc(mode=semi_cooperative)": `{"returns":`, "leduc": `{"returns":[`} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		c := TeamConfig{
			Game: g, Games: 20, Seed: 5, Workers: 2,
			Agent: Contestant{Name: "random", New: func() (agents.Agent, error) { return roster.New(g, "random") }},
		}
		want, err := Team(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		change := func(f func(*teamResult)) func([]byte) []byte {
			return func(data []byte) []byte {
				var r teamResult
				if err := json.Unmarshal(data, &r); err != nil {
					t.Error(err)
				}
				if r.Endings == nil {
					r.Endings = map[string]int{}
				}
				f(&r)
				data, err := json.Marshal(r)
				if err != nil {
					t.Error(err)
				}
				return data
			}
		}
		for how, spoil := range map[string]func([]byte) []byte{
			"as they are":   nil,
			"no JSON":       func(r []byte) []byte { return []byte(strings.Replace(string(r), fewer, "", 1)) },
			"a return more": change(func(r *teamResult) { r.Returns = append(r.Returns, 0) }),
			"too much":      change(func(r *teamResult) { r.Returns[0] = 1000 }),
			"many endings":  change(func(r *teamResult) { r.Endings["time out"] = 1000 }),
			"below none":    change(func(r *teamResult) { r.Endings["time out"] = -1 }),
		} {
			h := &jobtest.Hands{Kinds: kinds, Spoil: spoil}
			named, err := players.Named("random")
			if err != nil {
				t.Fatal(err)
			}
			c.Elsewhere = &Elsewhere{h, []Named{named}}
			done := 0
			c.Progress = func(now, _ int) { done = max(done, now) }
			got, err := Team(t.Context(), c)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, how, err)
			}
			if !reflect.DeepEqual(got, want) || done != 20 || h.Jobs != 20 {
				t.Errorf("%s, %s: %d games, %d jobs, the result is\n%+v, want\n%+v", name, how, done, h.Jobs, got, want)
			}
		}
	}
	// A game that ends in some way does so each time.
	g, err := env.NewGame("bloc(mode=semi_cooperative)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (TeamConfig{Game: g}).read(1, []byte(`{"returns": [-1, -1, -1, -1]}`)); !errors.Is(err, job.ErrResult) {
		t.Errorf("a game without an end: error %v", err)
	}
}

func TestJobsOfDeviationsAndTeamsAreChecked(t *testing.T) {
	g, err := env.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	list, named := contestants(t, g)
	named = named[1:] // without weights
	if _, err := Deviation(t.Context(), DeviationConfig{
		Game: g, Agent: list[1], Deviant: list[2], Units: 4, Elsewhere: &Elsewhere{&jobtest.Hands{}, named[:1]},
	}); err == nil || !strings.Contains(err.Error(), "1 agents for an agent and one who deviates") {
		t.Errorf("error %v", err)
	}
	if _, err := Team(t.Context(), TeamConfig{Game: g, Agent: list[1], Games: 4, Elsewhere: &Elsewhere{&jobtest.Hands{}, named}}); err == nil ||
		!strings.Contains(err.Error(), "2 agents for 1 contestants") {
		t.Errorf("error %v", err)
	}
	of := func(to int, agents ...Named) part {
		return part{Game: "leduc", Start: g.New().Hash(), Agents: agents, To: to}
	}
	nobody := Named{Roster: "human", Policy: true}
	for _, c := range []struct {
		kind, want string
		payload    any
	}{
		{DeviationKind, "units 0 to 5 of 4", deviationPayload{of(5, named[0], named[1]), 4}},
		{DeviationKind, "1 agents", deviationPayload{of(4, named[0]), 4}},
		{DeviationKind, "human is no policy", deviationPayload{of(4, nobody, named[1]), 4}},
		{DeviationKind, "cannot unmarshal", 7},
		{TeamKind, "units 0 to 5 of 4", teamPayload{of(5, named[0]), 4}},
		{TeamKind, "a team of 2 agents", teamPayload{of(4, named...), 4}},
		{TeamKind, "cannot unmarshal", 7},
	} {
		data, err := json.Marshal(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kinds.Do(t.Context(), &job.Job{Kind: c.kind, Payload: data}, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.kind, err, c.want)
		}
	}
}
