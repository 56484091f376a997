package server_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"powderkeg/engine"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
)

func TestHelloTellsVersionMethodsAndLimits(t *testing.T) {
	c := config()
	address, _ := start(t, c)
	w := dial(t, address).Welcome()
	if w.Version != protocol.Version || w.Server != "powderkeg" {
		t.Errorf("server %s speaks version %d, want powderkeg and %d", w.Server, w.Version, protocol.Version)
	}
	if !slices.Equal(w.Agents, c.Agents) {
		t.Errorf("agents are %q, want %q", w.Agents, c.Agents)
	}
	if w.Limits.FrameBytes != int64(c.FrameBytes) || w.Limits.Environments != int64(c.Environments) || w.Limits.IdleSeconds != 600 {
		t.Errorf("limits are %+v, want those of the configuration", w.Limits)
	}
	page, err := os.ReadFile("../protocol/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Methods) < 19 {
		t.Errorf("%d methods, want at least 19", len(w.Methods))
	}
	for _, m := range w.Methods {
		if !bytes.Contains(page, []byte("# "+m+"\n")) {
			t.Errorf("PROTOCOL.md has no section on %s", m)
		}
	}
	for _, name := range w.Capabilities {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("PROTOCOL.md does not name capability %s", name)
		}
	}
}

func TestHelloComesFirstAndOnce(t *testing.T) {
	address, _ := start(t, config())
	for _, c := range []struct {
		name   string
		params any
		method string
		code   protocol.Code
		parts  []string
	}{
		{"another method first", &protocol.None{}, protocol.MethodGames, protocol.CodeHello, []string{"games"}},
		{"no version in common", &protocol.Hello{Versions: []int64{7, 9}}, protocol.MethodHello, protocol.CodeVersion, []string{"[7 9]", "[1]"}},
		{"no version", &protocol.Hello{}, protocol.MethodHello, protocol.CodeVersion, []string{"[1]"}},
	} {
		r := dialRaw(t, address)
		r.send(5, c.method, c.params)
		r.wantFault(c.name, 5, c.code, c.parts...)
		r.wantClosed(c.name)
	}
	r := dialRaw(t, address)
	r.greet()
	r.send(6, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})
	r.wantFault("hello twice", 6, protocol.CodeHello, "twice")
	r.wantClosed("hello twice")
}

func TestBadBytesCostTheirConnectionOnly(t *testing.T) {
	c := config()
	c.FrameBytes = 1 << 20
	address, _ := start(t, c)
	good := dial(t, address)
	env, err := good.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"an empty frame":            "00000000",
		"a frame over the limit":    "00100001",
		"the longest claim":         "ffffffff",
		"text":                      hex.EncodeToString([]byte("GET / HTTP/1.1\r\n\r\n")),
		"no msgpack":                "00000001c1",
		"a number":                  "0000000105",
		"a response":                "0000000594010100c0",
		"a hello cut short":         "0000000694000180a568",
		"elements that never come":  "0000000994000180ddffffffff",
		"nesting without end":       "00000401" + strings.Repeat("91", 1024) + "c0",
		"a map of a billion fields": "0000000b940001a567616d6573df40000000"[:30],
	} {
		r := dialRaw(t, address)
		data, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.conn.Write(data); err != nil {
			t.Fatal(err)
		}
		r.wantFault(name, 0, protocol.CodeFrame)
		r.wantClosed(name)
		if err := env.Reset(t.Context(), nil, &env.Made.Step); err != nil {
			t.Fatalf("another client after %s: %v", name, err)
		}
	}
	// Clients that leave in the middle of something.
	for _, text := range []string{"", "0000", "00000010", "000000109400"} {
		r := dialRaw(t, address)
		data, _ := hex.DecodeString(text)
		r.conn.Write(data)
		r.conn.Close()
	}
	if err := env.Reset(t.Context(), nil, &env.Made.Step); err != nil {
		t.Errorf("another client after all of them: %v", err)
	}
}

func TestErrorsSayWhatWouldBeRightAndChangeNothing(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	seed := uint64(1)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "kuhn", Envs: 2})
	if err != nil {
		t.Fatal(err)
	}
	var result protocol.VecResult
	wantCode(t, "a step before the reset", v.Step(t.Context(), []engine.Action{0, 0}, &result), protocol.CodeOver, "vec.reset first")
	if err := v.Reset(t.Context(), 1, &result); err != nil {
		t.Fatal(err)
	}
	a, err := c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "leduc", Agent: "first"})
	if err != nil {
		t.Fatal(err)
	}
	nine := int64(9)
	for _, x := range []struct {
		name   string
		method string
		params any
		code   protocol.Code
		parts  []string
	}{
		{"method", "env.fly", &protocol.None{}, protocol.CodeMethod, []string{`"env.fly"`, "env.step", "vec.make"}},
		{"the label of unknown methods", "unknown", &protocol.None{}, protocol.CodeMethod, []string{"env.step"}},
		{"env handle", protocol.MethodEnvStep, &protocol.EnvStep{Env: 99}, protocol.CodeHandle, []string{"env 99", "open: [1]"}},
		{"a vec's handle for an env", protocol.MethodEnvLegal, &protocol.Env{Env: v.Made.Vec}, protocol.CodeHandle, []string{"open: [1]"}},
		{"vec handle", protocol.MethodVecStep, &protocol.VecStep{}, protocol.CodeHandle, []string{"vec 0"}},
		{"agent handle", protocol.MethodAgentClose, &protocol.Agent{Agent: 77}, protocol.CodeHandle, []string{"agent 77"}},
		{"no game", protocol.MethodSpec, &protocol.SpecParams{}, protocol.CodeParams, []string{"game is missing"}},
		{"game", protocol.MethodSpec, &protocol.SpecParams{Game: "chess"}, protocol.CodeGame, []string{"chess", "kuhn", "leduc"}},
		{"option", protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn(cards=4)"}, protocol.CodeGame, []string{"cards", "its options: none"}},
		{"parameter", protocol.MethodEnvReset, &struct {
			Env  uint64 `msgpack:"env"`
			Sead uint64 `msgpack:"sead"`
		}{1, 2}, protocol.CodeParams, []string{`"sead"`, "seed (uint)"}},
		{"type", protocol.MethodVecMake, &struct {
			Envs string `msgpack:"envs"`
		}{"many"}, protocol.CodeParams, []string{"envs (int)"}},
		{"action number", protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(5)}, protocol.CodeIllegal,
			[]string{"action 5", "0 (pass), 1 (bet)"}},
		{"action number that would wrap", protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(int64(1) << 32)},
			protocol.CodeIllegal, []string{"4294967296"}},
		{"action name", protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("raise")}, protocol.CodeIllegal,
			[]string{`"raise" is unknown`, "pass, bet"}},
		{"no action", protocol.MethodEnvStep, &protocol.EnvStep{Env: 1}, protocol.CodeParams, []string{"action is missing"}},
		{"seat to look through", protocol.MethodEnvObserve, &protocol.EnvObserve{Env: 1, Seat: 2}, protocol.CodeParams, []string{"seat 2", "0 to 1"}},
		{"seat", protocol.MethodEnvText, &protocol.EnvText{Env: 1, Seat: &nine}, protocol.CodeParams, []string{"seat 9", "0 to 1"}},
		{"seat of a drawing", protocol.MethodEnvDrawing, &protocol.EnvText{Env: 1, Seat: &nine}, protocol.CodeParams, []string{"seat 9", "0 to 1"}},
		{"cap", protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", MaxDecisions: -1}, protocol.CodeParams, []string{"max_decisions"}},
		{"position", protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Position: `{"cards":["A"]}`}, protocol.CodePosition, []string{`"A"`}},
		{"number of agents", protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"first"}}, protocol.CodeParams, []string{"2 seats"}},
		{"no seat left", protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"first", "first"}}, protocol.CodeParams,
			[]string{"leave one empty"}},
		{"forbidden agent", protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "checkpoint:/etc/passwd"}, protocol.CodeForbidden,
			[]string{`"checkpoint"`, "random"}},
		{"agent string", protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "unheard"}, protocol.CodeAgent, []string{"unknown agent"}},
		{"agent of another game", protocol.MethodAct, &protocol.Act{Agent: a.Made.Agent, Env: 1}, protocol.CodeAgent, []string{"leduc", "kuhn"}},
		{"agent without batches", protocol.MethodActBatch, &protocol.ActBatch{Agent: a.Made.Agent}, protocol.CodeAgent, []string{"use act"}},
		{"agent without a network", protocol.MethodAgentEvaluate, &protocol.AgentEvaluate{Agent: a.Made.Agent}, protocol.CodeAgent, []string{"no network"}},
		{"no slots", protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn"}, protocol.CodeParams, []string{"envs is 0"}},
		{"workers", protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 1, Workers: 3}, protocol.CodeParams, []string{"from 1 to 2"}},
		{"autoreset", protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 1, Autoreset: "never"}, protocol.CodeParams,
			[]string{`"never"`, "same-step", "next-step", "disabled"}},
		{"too few actions", protocol.MethodVecStep, &protocol.VecStep{Vec: 2, Actions: []engine.Action{0}}, protocol.CodeParams,
			[]string{"1 actions for 2 slots"}},
		{"an illegal action in one slot", protocol.MethodVecStep, &protocol.VecStep{Vec: 2, Actions: []engine.Action{0, 2}}, protocol.CodeIllegal,
			[]string{"slot 1", "no slot has moved"}},
		{"an illegal action in one of some slots", protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{1}, Actions: []engine.Action{-2}},
			protocol.CodeIllegal, []string{"slot 1", "action -2"}},
		{"one of some slots", protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{2}, Actions: []engine.Action{0}}, protocol.CodeParams,
			[]string{"slots 0 to 1"}},
		{"some actions", protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{0}}, protocol.CodeParams, []string{"0 actions for 1 slots"}},
		{"a slot twice", protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{0, 0}, Actions: []engine.Action{0, 0}}, protocol.CodeParams,
			[]string{"slot 0 is named twice"}},
		{"slot", protocol.MethodVecResetSlots, &protocol.VecResetSlots{Vec: 2, Slots: []int32{2}, Seeds: []uint64{0}}, protocol.CodeParams,
			[]string{"slots 0 to 1"}},
		{"seeds", protocol.MethodVecResetSlots, &protocol.VecResetSlots{Vec: 2, Slots: []int32{0}}, protocol.CodeParams, []string{"0 seeds for 1 slots"}},
	} {
		wantCode(t, x.name, c.Call(t.Context(), x.method, x.params, &protocol.None{}), x.code, x.parts...)
	}
	step := &e.Made.Step
	if err := e.Step(t.Context(), protocol.ByName("bet"), step); err != nil || step.Decisions != 1 {
		t.Errorf("after all of that: %d decisions, error %v, want 1", step.Decisions, err)
	}
}

func TestPipelinedRequestsAreAnsweredInOrder(t *testing.T) {
	address, _ := start(t, config())
	r := dialRaw(t, address)
	const n = 500
	var sent sync.WaitGroup
	sent.Go(func() {
		r.send(1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})
		r.send(2, protocol.MethodEnvMake, &protocol.EnvMake{Game: "tictactoe"})
		for id := uint64(3); id < n; id += 2 {
			r.send(id, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(int64(id-3) / 2 % 9)})
			r.send(id+1, "nonsense", nil)
		}
	})
	defer sent.Wait()
	r.want(1, nil)
	r.want(2, nil)
	over := 0
	for id := uint64(3); id < n; id += 2 {
		if response, err := r.receive(); err != nil || response.ID != id {
			t.Fatalf("got response %d, error %v, want %d", response.ID, err, id)
		} else if response.Error != nil {
			over++ // the game ends after seven moves in this order
		}
		r.wantFault("nonsense", id+1, protocol.CodeMethod)
	}
	if want := (n-3+1)/2 - 7; over != want {
		t.Errorf("%d of the steps were refused, want %d", over, want)
	}
}

func TestEveryLimitIsHeldAndGivenBack(t *testing.T) {
	c := config()
	c.Connections, c.Environments, c.AllEnvironments, c.AgentsPerConnection = 2, 4, 5, 2
	c.FrameBytes = 64 << 10
	address, _ := start(t, c)
	ctx := t.Context()
	one, two := dial(t, address), dial(t, address)

	_, err := client.Dial(ctx, address)
	wantCode(t, "a third connection", err, protocol.CodeBusy, "2 connections")

	v, err := one.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 4})
	if err != nil {
		t.Fatal(err)
	}
	_, err = one.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn"})
	wantCode(t, "a fifth environment of one connection", err, protocol.CodeLimit, "4 of at most 4")
	_, err = one.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 5})
	wantCode(t, "a vec larger than all", err, protocol.CodeLimit, "at most 4")
	if _, err := two.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 1}); err != nil {
		t.Fatal(err)
	}
	_, err = two.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn"})
	wantCode(t, "a sixth environment of all", err, protocol.CodeLimit, "5 of at most 5")
	if err := v.Close(ctx); err != nil {
		t.Fatal(err)
	}
	e, err := two.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}})
	if err != nil {
		t.Fatalf("after the vec was closed: %v", err)
	}
	if _, err := two.LoadAgent(ctx, &protocol.AgentLoad{Game: "kuhn", Agent: "first"}); err != nil {
		t.Fatal(err)
	}
	_, err = two.LoadAgent(ctx, &protocol.AgentLoad{Game: "kuhn", Agent: "first"})
	wantCode(t, "a third agent", err, protocol.CodeLimit, "2 of at most 2")
	if err := e.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err = two.LoadAgent(ctx, &protocol.AgentLoad{Game: "kuhn", Agent: "first"}); err != nil {
		t.Errorf("an agent after the env with one was closed: %v", err)
	}

	// All of it comes back with the connection, which another can then take.
	two.Close()
	var three *client.Client
	for three == nil {
		if three, err = client.Dial(ctx, address); err != nil {
			wantCode(t, "until the server has noticed", err, protocol.CodeBusy)
			if t.Failed() {
				return
			}
		}
	}
	defer three.Close()
	if _, err := three.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 4}); err != nil {
		t.Errorf("after a connection has ended: %v", err)
	}
	if _, err := one.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn"}); err != nil {
		t.Errorf("after a connection has ended, all of what it had: %v", err)
	}
}

func TestResponsesFitTheFrame(t *testing.T) {
	c := config()
	c.FrameBytes = 32 << 10
	address, _ := start(t, c)
	cl := dial(t, address)
	_, err := cl.MakeVec(t.Context(), &protocol.VecMake{Game: "connect4", Envs: 4096})
	wantCode(t, "4096 slots", err, protocol.CodeLimit, "longer than a frame", "fit")
	var most int64
	for n := int64(1); ; n++ {
		v, err := cl.MakeVec(t.Context(), &protocol.VecMake{Game: "connect4", Envs: n, MaxDecisions: 1})
		if err != nil {
			break
		}
		most = n
		if err := v.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	v, err := cl.MakeVec(t.Context(), &protocol.VecMake{Game: "connect4", Envs: most, MaxDecisions: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Every episode ends with every step, so that this is the longest response.
	var result protocol.VecResult
	if err := v.Reset(t.Context(), 1, &result); err != nil {
		t.Fatal(err)
	}
	if err := v.Step(t.Context(), make([]engine.Action, most), &result); err != nil {
		t.Errorf("the longest response of the most slots, %d: %v", most, err)
	}
	if len(result.Ended) != int(most) {
		t.Errorf("%d episodes ended, want all %d", len(result.Ended), most)
	}
}
