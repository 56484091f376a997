package server_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// play plays an episode against agents with the client's choices by choice, and
// returns its steps.
func play(t *testing.T, e *client.Env, step *protocol.Step, choice uint64) (actors []int64, rewards []float32) {
	t.Helper()
	rewards = slices.Clone(step.Rewards)
	for !step.Terminated && !step.Truncated {
		actors = append(actors, step.Actor)
		choice = uint64(engine.Hash64(choice).Word(1))
		if err := e.Step(t.Context(), protocol.ByNumber(pick(step.Mask, choice)), step); err != nil {
			t.Fatal(err)
		}
		for i, r := range step.Rewards {
			rewards[i] += r
		}
	}
	return actors, rewards
}

func TestAMatchAsksTheClientAtItsOwnSeatsOnly(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, text := range tested {
		for seat := range int64(2) {
			agents := []string{"random", "random"}
			agents[seat] = ""
			e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: text, Agents: agents})
			if err != nil {
				t.Fatal(err)
			}
			step := &e.Made.Step
			for episode := range uint64(20) {
				actors, rewards := play(t, e, step, episode)
				if slices.ContainsFunc(actors, func(p int64) bool { return p != seat }) {
					t.Errorf("%s: the client on seat %d was asked to act for %v", text, seat, actors)
				}
				if !slices.Equal(rewards, []float32(step.Returns)) {
					t.Errorf("%s: the rewards add up to %v, the returns are %v", text, rewards, step.Returns)
				}
				if step.Observer != seat {
					t.Errorf("%s: at the end the client on seat %d is shown the observation of seat %d", text, seat, step.Observer)
				}
				if err := e.Reset(t.Context(), nil, step); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// The decisions that a client is shown, and the cap on them, are its own: how many the
// other seats have had can be a secret, as in Jogu's choice of cards to put aside.
func TestAMatchCountsTheDecisionsOfTheClient(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, limit := range []int64{0, 4} {
		for seat := range int64(2) {
			agents := []string{"random", "random"}
			agents[seat] = ""
			e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "jogu", Agents: agents, MaxDecisions: limit})
			if err != nil {
				t.Fatal(err)
			}
			step := &e.Made.Step
			made := int64(0)
			for ; !step.Terminated && !step.Truncated; made++ {
				if step.Decisions != made {
					t.Fatalf("seat %d: %d decisions are counted after %d of its own", seat, step.Decisions, made)
				}
				if err := e.Step(t.Context(), protocol.ByNumber(pick(step.Mask, uint64(made))), step); err != nil {
					t.Fatal(err)
				}
			}
			if step.Decisions != made || limit > 0 && (made != limit || !step.Truncated) || limit == 0 && !step.Terminated {
				t.Errorf("seat %d, cap %d: ended after %d decisions (%d counted), truncated %t", seat, limit, made, step.Decisions, step.Truncated)
			}
		}
	}
}

func TestAMatchIsTheSameForTheSameSeed(t *testing.T) {
	address, _ := start(t, config())
	seed := uint64(3)
	var want []float32
	for connection := range 2 {
		c := dial(t, address)
		e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "leduc", Seed: &seed, Agents: []string{"random", ""}})
		if err != nil {
			t.Fatal(err)
		}
		step := &e.Made.Step
		for round := range 2 {
			var got []float32
			for range 4 {
				got = append(got, step.Observation...)
				play(t, e, step, 5)
				got = append(append(got, step.Observation...), step.Returns...)
				if err := e.Reset(t.Context(), nil, step); err != nil {
					t.Fatal(err)
				}
			}
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("connection %d, round %d: other episodes than the first time", connection, round)
			}
			if err := e.Reset(t.Context(), &seed, step); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// starts is an agent that tells of each game that it begins.
type starts struct {
	scripted
	told chan<- started
}

type started struct {
	seat engine.Player
	seed uint64
}

func (a *starts) Start(seat engine.Player, seed uint64) { a.told <- started{seat, seed} }

func TestActBeginsAnewForAnotherSeatOrEpisode(t *testing.T) {
	told := make(chan started, 100)
	cfg := config()
	cfg.NewAgent = func(engine.Game, string) (agents.Agent, error) { return &starts{told: told}, nil }
	address, _ := start(t, cfg)
	c := dial(t, address)
	seed := uint64(1)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "first"})
	if err != nil {
		t.Fatal(err)
	}
	step := &e.Made.Step
	seeds := map[uint64]bool{}
	asked := func(what string, begins bool) {
		t.Helper()
		if _, err := a.Act(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		select {
		case s := <-told:
			if !begins || s.seat != engine.Player(step.Actor) || seeds[s.seed] {
				t.Errorf("%s: the agent began a game on seat %d with seed %d; want that: %v, on seat %d, with a seed not yet used", what, s.seat, s.seed, begins,
					step.Actor)
			}
			seeds[s.seed] = true
		default:
			if begins {
				t.Errorf("%s: the agent did not begin a game", what)
			}
		}
	}
	asked("the first time", true)
	asked("the same decision", false)
	if err := e.Step(t.Context(), protocol.ByName("pass"), step); err != nil {
		t.Fatal(err)
	}
	asked("another seat", true)
	if err := e.Step(t.Context(), protocol.ByName("bet"), step); err != nil {
		t.Fatal(err)
	}
	asked("the first seat again", true)
	if err := e.Reset(t.Context(), nil, step); err != nil {
		t.Fatal(err)
	}
	asked("the next episode", true)
	if err := e.Reset(t.Context(), &seed, step); err != nil {
		t.Fatal(err)
	}
	asked("the first episode again", true)
}

// At the end of a match the observation is the client's, not that of the seat
// that Env.Observe would choose. The game ends by a fold, so that no card is
// shown.
func TestAMatchShowsNothingOfTheOtherSeats(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Position: `{"cards":["K","J"],"actions":["pass"]}`, Agents: []string{"first", ""}})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := c.Spec(t.Context(), "kuhn")
	if err != nil {
		t.Fatal(err)
	}
	step := &e.Made.Step
	if err := e.Step(t.Context(), protocol.ByName("bet"), step); err != nil {
		t.Fatal(err)
	}
	state, err := enginetest.Game(t, "kuhn").Load([]byte(`{"cards":["K","J"],"actions":["pass","bet","pass"]}`), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(enginetest.Game(t, "kuhn"))
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float32, spec.Layout.Size)
	encoder.Encode(want, engine.Look(state, 1), 1)
	if !slices.Equal(step.Observation, want) {
		t.Errorf("at the end seat 1 is shown %v, want %v", step.Observation, want)
	}
	zero, one := int64(0), int64(1)
	_, err = e.Text(t.Context(), &zero)
	wantCode(t, "the agent's view", err, protocol.CodeForbidden, "seat 0 is played by an agent")
	_, err = e.Observe(t.Context(), 0)
	wantCode(t, "the agent's observation", err, protocol.CodeForbidden, "seat 0 is played by an agent")
	if seen, err := e.Observe(t.Context(), 1); err != nil || !slices.Equal(seen, want) {
		t.Errorf("seat 1 observes %v, error %v, want %v", seen, err, want)
	}
	for _, seat := range []*int64{nil, &one} {
		text, err := e.Text(t.Context(), seat)
		if err != nil || text != "seat 0: ?\nseat 1: J\nbetting: pass bet pass\n" {
			t.Errorf("the client's view is %q, error %v, want the other card hidden", text, err)
		}
	}
	_, err = e.Position(t.Context())
	wantCode(t, "the position", err, protocol.CodeForbidden, "hide")
}

func TestPositionsAreShownAsConfigured(t *testing.T) {
	for policy, want := range map[server.Positions][2]bool{
		server.PositionsOwn:  {true, false},
		server.PositionsAll:  {true, true},
		server.PositionsNone: {false, false},
	} {
		cfg := config()
		cfg.Positions = policy
		address, _ := start(t, cfg)
		c := dial(t, address)
		for i, agents := range [][]string{nil, {"", "first"}} {
			e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Position: `{"cards":["K","Q"]}`, Agents: agents})
			if err != nil {
				t.Fatal(err)
			}
			position, err := e.Position(t.Context())
			if !want[i] {
				wantCode(t, string(policy), err, protocol.CodeForbidden)
			} else if err != nil || position.Position != `{"cards":["K","Q"],"actions":[]}` {
				t.Errorf("policy %s, agents %q: got %+v, error %v, want the position", policy, agents, position, err)
			}
		}
	}
}

func TestAnAgentThatFailsEndsTheEpisodeOnly(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, what := range []string{"broken", "illegal"} {
		e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Agents: []string{"", what}})
		if err != nil {
			t.Fatal(err)
		}
		step := &e.Made.Step
		wantCode(t, what, e.Step(t.Context(), protocol.ByName("bet"), step), protocol.CodeInternal)
		wantCode(t, what+", then", e.Step(t.Context(), protocol.ByName("bet"), step), protocol.CodeOver, "given up")
		if err := e.Reset(t.Context(), nil, step); err != nil || step.Decisions != 0 {
			t.Errorf("%s: after a reset: %d decisions, error %v, want 0", what, step.Decisions, err)
		}
	}
}

func TestActChoosesForTheActorAndMovesNothing(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	seed := uint64(1)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "leduc", Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "leduc", Agent: "random", Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	if a.Made.Batch {
		t.Error("an agent without ActBatch is said to have it")
	}
	before, err := e.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		action, err := a.Act(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if e.Made.Step.Mask[action] != 1 {
			t.Errorf("the agent chose %d, of which the mask says %d", action, e.Made.Step.Mask[action])
		}
	}
	after, err := e.Position(t.Context())
	if err != nil || *after != *before {
		t.Errorf("after act the position is %v, error %v, want %v", after, err, before)
	}
	for _, what := range []string{"illegal", "broken"} {
		bad, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "leduc", Agent: what})
		if err != nil {
			t.Fatal(err)
		}
		_, err = bad.Act(t.Context(), e)
		wantCode(t, what, err, protocol.CodeInternal)
	}
	step := &e.Made.Step
	for !step.Terminated {
		if err := e.Step(t.Context(), protocol.ByNumber(pick(step.Mask, 0)), step); err != nil {
			t.Fatal(err)
		}
	}
	_, err = a.Act(t.Context(), e)
	wantCode(t, "act after the end", err, protocol.CodeOver)
}

func TestActBatchChoosesForEveryObservation(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	const n = 64
	v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "connect4", Envs: n})
	if err != nil {
		t.Fatal(err)
	}
	var r protocol.VecResult
	if err := v.Reset(t.Context(), 1, &r); err != nil {
		t.Fatal(err)
	}
	a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "connect4", Agent: "batch"})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Made.Batch {
		t.Error("an agent with ActBatch is said to have none")
	}
	width := int(v.Made.Actions)
	for range 50 {
		actions, err := a.ActBatch(t.Context(), r.Observations, r.Masks)
		if err != nil {
			t.Fatal(err)
		}
		moves := make([]engine.Action, n)
		for i, action := range actions {
			if want := slices.Index(r.Masks[i*width:(i+1)*width], 1); int(action) != want {
				t.Fatalf("row %d: got action %d, want %d", i, action, want)
			}
			moves[i] = engine.Action(action)
		}
		if err := v.Step(t.Context(), moves, &r); err != nil {
			t.Fatal(err)
		}
	}
	_, err = a.ActBatch(t.Context(), r.Observations[1:], r.Masks)
	wantCode(t, "a number too few", err, protocol.CodeParams, "n×")
	_, err = a.ActBatch(t.Context(), nil, nil)
	wantCode(t, "nothing", err, protocol.CodeParams, "n at least 1")
	clear(r.Masks[:width])
	_, err = a.ActBatch(t.Context(), r.Observations, r.Masks)
	wantCode(t, "an empty mask", err, protocol.CodeParams, "mask 0 of 64 is 0")
	r.Masks[0] = 2
	_, err = a.ActBatch(t.Context(), r.Observations, r.Masks)
	wantCode(t, "a mask with a 2", err, protocol.CodeParams, "mask 0 of 64 is 2")
	r.Masks[0] = 1
	last := len(r.Observations) - 1
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(1)), -1} {
		r.Observations[last] = x
		_, err = a.ActBatch(t.Context(), r.Observations, r.Masks)
		wantCode(t, fmt.Sprintf("%g in an observation", x), err, protocol.CodeParams, "observation 63 of 64", "from 0 to 1")
	}
	bad, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "bad_batch"})
	if err != nil {
		t.Fatal(err)
	}
	size := len(r.Observations[:11])
	_, err = bad.ActBatch(t.Context(), make([]float32, size), []uint8{1, 0})
	wantCode(t, "an illegal choice", err, protocol.CodeInternal)
}
