package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env/vec"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// roomy is withNetwork with room for the agents of a vec, and with two agents of the roster,
// which have no memory.
func roomy() server.Config {
	c := withNetwork()
	c.AgentsPerConnection = 64
	c.Agents = append(c.Agents, "scripted", "mcts")
	others := c.NewAgent
	c.NewAgent = func(g engine.Game, text string) (agents.Agent, error) {
		if name, _, _ := strings.Cut(text, "("); name == "scripted" || name == "mcts" {
			return roster.New(g, text)
		}
		return others(g, text)
	}
	return c
}

// A slot of a vec with agents shows, decision for decision, what a single environment with
// the slot's seed and the same agents does, whoever they are and however many workers play.
func TestVecWithAgentsEqualsSingleEnvironments(t *testing.T) {
	address, _ := start(t, roomy())
	c := dial(t, address)
	const n, seed, most = 5, 11, 4
	for _, x := range []struct {
		game     string
		agents   []string
		position string
		workers  int64
	}{
		{"leduc", []string{"", "random"}, "", 1},
		{"leduc", []string{"random", ""}, "", 2},
		{"jogu", []string{"first", ""}, "", 2},
		{"liars_dice(players=4)", []string{"random", "", "first", ""}, "", 2},
		{"jogu", []string{"", "scripted(slips=0.5)"}, "", 2},
		{"leduc", []string{"mcts(sims=3)", ""}, "", 2},
		{"connect4", []string{"net", ""}, "", 1},
		{"jogu", []string{"", "advised"}, "", 2},
		{"liars_dice(players=4)", []string{"net", "mcts(sims=2)", "", "net"}, "", 2},
		{"tictactoe", []string{"random", ""}, `{"board":["x..",".o.","..."]}`, 2},
	} {
		if (slices.Contains(x.agents, "net") || slices.Contains(x.agents, "advised")) && network.ForeignBLAS {
			continue // OpenBLAS rounds by the size of the batch
		}
		for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
			t.Run(fmt.Sprint(x.game, x.agents, mode), func(t *testing.T) {
				v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: x.game, Envs: n, Workers: x.workers, Autoreset: string(mode),
					MaxDecisions: most, Position: x.position, Agents: x.agents})
				if err != nil {
					t.Fatal(err)
				}
				var all protocol.VecResult
				if err := v.Reset(t.Context(), seed, &all); err != nil {
					t.Fatal(err)
				}
				var singles []*client.Env
				for i := range n {
					seed := vec.SlotSeed(seed, i)
					e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: x.game, Seed: &seed, MaxDecisions: most, Position: x.position, Agents: x.agents})
					if err != nil {
						t.Fatal(err)
					}
					if step := &e.Made.Step; step.Terminated {
						again(t, e)
					}
					singles = append(singles, e)
				}
				ended := compareSlots(t, v, &all, singles, mode)
				if ended < 10 {
					t.Errorf("%d episodes have ended, want 10 at least to have been compared", ended)
				}
				for _, e := range singles {
					if err := e.Close(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if err := v.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// compareSlots plays a vec and single environments beside it and returns how many episodes
// have ended.
func compareSlots(t *testing.T, v *client.Vec, all *protocol.VecResult, singles []*client.Env, mode vec.Autoreset) (ended int) {
	t.Helper()
	n, d, a, p := len(singles), int(v.Made.ObservationSize), int(v.Made.Actions), int(v.Made.Seats)
	actions := make([]engine.Action, n)
	for round := range 40 {
		for i, e := range singles {
			step := &e.Made.Step
			if !slices.Equal(all.Observations[i*d:(i+1)*d], step.Observation) || !slices.Equal(all.Masks[i*a:(i+1)*a], step.Mask) ||
				int64(all.Actors[i]) != step.Actor {
				t.Fatalf("round %d: slot %d shows another decision, of seat %d, want seat %d", round, i, all.Actors[i], step.Actor)
			}
			actions[i] = pick(step.Mask, uint64(engine.NewHash().Word(uint64(i)).Word(uint64(round))))
		}
		if err := v.Step(t.Context(), actions, all); err != nil {
			t.Fatal(err)
		}
		for i, e := range singles {
			step := &e.Made.Step
			if step.Terminated || step.Truncated { // of next-step
				again(t, e)
				continue
			}
			if err := e.Step(t.Context(), protocol.ByNumber(actions[i]), step); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(all.Rewards[i*p:(i+1)*p], step.Rewards) || all.Terminated[i] == 1 != step.Terminated || all.Truncated[i] == 1 != step.Truncated {
				t.Fatalf("round %d: slot %d gains %v, ends %d %d; want %v, %v %v", round, i, all.Rewards[i*p:(i+1)*p], all.Terminated[i], all.Truncated[i],
					step.Rewards, step.Terminated, step.Truncated)
			}
			row := slices.Index(all.Ended, int32(i))
			if row < 0 {
				continue
			}
			ended++
			if !slices.Equal(all.Returns[row*p:(row+1)*p], step.Returns) || int64(all.Lengths[row]) != step.Decisions {
				t.Errorf("round %d: slot %d ends with %v after %d decisions, want %v after %d", round, i, all.Returns[row*p:(row+1)*p], all.Lengths[row],
					step.Returns, step.Decisions)
			}
			if mode == vec.SameStep {
				// A truncated episode shows the first seat of the client, a single environment the one to act.
				if step.Terminated && !slices.Equal(all.Final[row*d:(row+1)*d], step.Observation) {
					t.Errorf("round %d: slot %d ends with another observation", round, i)
				}
				again(t, e)
			}
		}
	}
	return ended
}

// again begins the next episode in which the client has a decision.
func again(t *testing.T, e *client.Env) {
	t.Helper()
	for over := true; over; over = e.Made.Step.Terminated {
		if err := e.Reset(t.Context(), nil, &e.Made.Step); err != nil {
			t.Fatal(err)
		}
	}
}

// In whatever order slots with agents come back, each shows what it shows when all are
// stepped together.
func TestSendAndReceiveWithAgents(t *testing.T) {
	address, _ := start(t, roomy())
	c := dial(t, address)
	const envs, n = 6, 30
	for _, agents := range [][]string{{"", "random"}, {"net", ""}} {
		if slices.Contains(agents, "net") && network.ForeignBLAS {
			continue
		}
		p := &protocol.VecMake{Game: "connect4", Envs: envs, MaxDecisions: 5, Agents: agents}
		var shown [2][][]row
		for i := range shown {
			v, err := c.MakeVec(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var r protocol.VecReceived
			shown[i] = history(t, v, n, func(slots []int32, actions []engine.Action) *protocol.VecReceived {
				pending := 0
				switch {
				case i == 0:
					err = v.StepSlots(t.Context(), slots, actions, &r)
				case len(slots) > 0:
					pending, err = v.Send(t.Context(), slots, actions)
					fallthrough
				default:
					if err == nil {
						err = v.Receive(t.Context(), max(1, min(2, pending)), &r)
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				return &r
			})
		}
		for slot := range envs {
			if !slices.EqualFunc(shown[0][slot], shown[1][slot], func(a, b row) bool {
				return a.actor == b.actor && a.ended == b.ended && slices.Equal(a.mask, b.mask) && slices.Equal(a.obs, b.obs) && slices.Equal(a.reward, b.reward)
			}) {
				t.Errorf("%v, slot %d: rows by vec.recv differ from those by vec.step_slots", agents, slot)
			}
		}
	}
}

func TestVecWithAgentsIsRefused(t *testing.T) {
	cfg := roomy()
	cfg.AgentsPerConnection = 16
	address, _ := start(t, cfg)
	c := dial(t, address)
	seat := int64(0)
	for what, x := range map[string]struct {
		p     protocol.VecMake
		code  protocol.Code
		parts []string
	}{
		"too few agents": {protocol.VecMake{Game: "kuhn", Envs: 1, Agents: []string{"random"}}, protocol.CodeParams,
			[]string{"1 agents; kuhn has 2 seats"}},
		"no seat left": {protocol.VecMake{Game: "kuhn", Envs: 1, Agents: []string{"random", "first"}}, protocol.CodeParams,
			[]string{"leave one empty"}},
		"an agent's observer": {protocol.VecMake{Game: "kuhn", Envs: 1, Agents: []string{"random", ""}, Observer: &seat}, protocol.CodeForbidden,
			[]string{"observer is 0"}},
		"not offered": {protocol.VecMake{Game: "kuhn", Envs: 1, Agents: []string{"human", ""}}, protocol.CodeForbidden, []string{"human"}},
		"unheard of":  {protocol.VecMake{Game: "kuhn", Envs: 2, Agents: []string{"", "unheard"}}, protocol.CodeAgent, []string{"unknown agent"}},
		"too many": {protocol.VecMake{Game: "kuhn", Envs: 17, Agents: []string{"", "random"}}, protocol.CodeLimit,
			[]string{"17 more agents", "0 of at most 16"}},
		"a broken position": {protocol.VecMake{Game: "kuhn", Envs: 2, Position: "{", Agents: []string{"", "net"}}, protocol.CodePosition, nil},
	} {
		_, err := c.MakeVec(t.Context(), &x.p)
		wantCode(t, what, err, x.code, x.parts...)
	}
	// All that was refused has been given back, and agents without memory count once.
	for _, agent := range []string{"net", "scripted", "mcts", "net"} {
		v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "kuhn", Envs: 4000, Agents: []string{agent, ""}})
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Agents that fail cost the episodes of their vec and nothing else. Their limits are given
// back with the vec or the connection.
func TestAgentsThatFailInAVec(t *testing.T) {
	cfg := roomy()
	cfg.RequestTimeout = 50 * time.Millisecond
	reg := prometheus.NewRegistry()
	cfg.Metrics = server.NewMetrics(reg)
	address, stop := start(t, cfg)
	c := dial(t, address)
	ctx := t.Context()
	var r protocol.VecResult
	for what, code := range map[string]protocol.Code{"broken": protocol.CodeInternal, "illegal": protocol.CodeInternal,
		"patient": protocol.CodeTimeout} {
		v, err := c.MakeVec(ctx, &protocol.VecMake{Game: "tictactoe", Envs: 6, Agents: []string{"", what}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := v.Reset(ctx, 1, &r); err != nil {
				t.Fatal(err)
			}
			wantCode(t, what, v.Step(ctx, make([]engine.Action, 6), &r), code)
			wantCode(t, what+", a step after it", v.Step(ctx, make([]engine.Action, 6), &r), protocol.CodeOver, "given up", "vec.reset first")
			wantCode(t, what+", slots reset", v.ResetSlots(ctx, []int32{0}, []uint64{1}, &r), protocol.CodeOver, "vec.reset first")
		}
		if err := v.Reset(ctx, 1, &r); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Send(ctx, []int32{0, 5}, make([]engine.Action, 2)); err != nil {
			t.Fatal(err)
		}
		var received protocol.VecReceived
		for range 2 {
			if err := v.Receive(ctx, 1, &received); err == nil {
				t.Errorf("%s: vec.recv gives a row", what)
			}
		}
		_, err = v.Send(ctx, []int32{1}, []engine.Action{0})
		wantCode(t, what+", vec.send", err, protocol.CodeOver, "vec.reset first")
		if err := v.Reset(ctx, 1, &r); err != nil {
			t.Errorf("%s: a reset: %v", what, err)
		}
		first, err := c.MakeVec(ctx, &protocol.VecMake{Game: "tictactoe", Envs: 2, Agents: []string{what, ""}})
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, what+", at the reset", first.Reset(ctx, 1, &r), code)
		if err := v.Close(ctx); err != nil {
			t.Error(err)
		}
	}
	if n := value(t, reg, "powderkeg_serve_agents"); n != 3*2 {
		t.Errorf("%g agents play, want those of three vecs of 2", n)
	}
	// What thinks when the connection ends is interrupted; start looks for goroutines.
	v, err := c.MakeVec(ctx, &protocol.VecMake{Game: "tictactoe", Envs: 6, Agents: []string{"", "patient"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Reset(ctx, 1, &r); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Send(ctx, []int32{0, 1, 2, 3, 4, 5}, make([]engine.Action, 6)); err != nil {
		t.Fatal(err)
	}
	c.Close()
	stop()
	if n := value(t, reg, "powderkeg_serve_agents"); n != 0 {
		t.Errorf("%g agents play after the last connection", n)
	}
	if n := value(t, reg, "powderkeg_serve_reserved_bytes"); n != 0 {
		t.Errorf("%g bytes are reserved after the last connection", n)
	}
}
