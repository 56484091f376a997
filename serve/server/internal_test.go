package server

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"net"
	"os"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/serve/protocol"
)

// first is an agent that takes the first legal action.
type first struct{}

func (first) Start(engine.Player, uint64) {}

func (first) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	return legal[0], nil
}

// alone returns a connection that is served by hand and has been greeted.
func alone(t testing.TB) *conn {
	t.Helper()
	config := Default()
	config.NewAgent = func(engine.Game, string) (agents.Agent, error) { return first{}, nil }
	config.Environments, config.AllEnvironments = 64, 64
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	t.Cleanup(func() { theirs.Close() })
	c := newConn(s, ours)
	s.welcome(c)
	t.Cleanup(c.close)
	if _, fault := c.serve(t.Context(), request(t, 1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})); fault != nil {
		t.Fatal(fault)
	}
	return c
}

// request returns the body of a request.
func request(t testing.TB, id uint64, method string, params any) []byte {
	t.Helper()
	w := protocol.NewWriter()
	var frame bytes.Buffer
	if err := w.Request(id, method, params); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(&frame, 1<<20); err != nil {
		t.Fatal(err)
	}
	return frame.Bytes()[protocol.HeaderSize:]
}

// What a step allocates is the msgpack library's look-up of two structs, and
// does not grow with the number of slots.
func TestStepsAllocateNextToNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	const most = 2
	c := alone(t)
	do := func(body []byte) {
		if _, fault := c.serve(t.Context(), body); fault != nil {
			t.Fatal(fault)
		}
	}
	do(request(t, 1, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"}))
	do(request(t, 1, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 60, Autoreset: "next-step"}))
	do(request(t, 1, protocol.MethodVecReset, &protocol.VecReset{Vec: 2}))
	reset := request(t, 2, protocol.MethodEnvReset, &protocol.EnvReset{Env: 1})
	pass := request(t, 3, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(0)})
	all := request(t, 4, protocol.MethodVecStep, &protocol.VecStep{Vec: 2, Actions: make([]engine.Action, 60)})
	for name, bodies := range map[string][][]byte{
		"env.reset, env.step, env.step": {reset, pass, pass}, // passing twice ends a game
		"vec.step":                      {all},
	} {
		got := testing.AllocsPerRun(100, func() {
			for _, body := range bodies {
				do(body)
			}
		})
		if per := got / float64(len(bodies)); per > most {
			t.Errorf("%s: %g allocations per request, want at most %d", name, per, most)
		}
	}
}

// FuzzServe sends bodies to a connection that has something of everything open.
// Whatever they are, each gets a response that a client can parse.
func FuzzServe(f *testing.F) {
	data, err := os.ReadFile("../protocol/testdata/vectors.json")
	if err != nil {
		f.Fatal(err)
	}
	var vectors struct {
		Requests, Refused []struct {
			Hex string `json:"hex"`
		}
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		f.Fatal(err)
	}
	for _, v := range append(vectors.Requests, vectors.Refused...) {
		frame, err := hex.DecodeString(v.Hex)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame[protocol.HeaderSize:], frame[protocol.HeaderSize:])
	}
	for method, params := range map[string]any{
		protocol.MethodEnvStep:       &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(1)},
		protocol.MethodEnvObserve:    &protocol.EnvObserve{Env: 1},
		protocol.MethodEnvText:       &protocol.EnvText{Env: 1},
		protocol.MethodEnvDrawing:    &protocol.EnvText{Env: 1},
		protocol.MethodEnvLegal:      &protocol.Env{Env: 1},
		protocol.MethodEnvPosition:   &protocol.Env{Env: 1},
		protocol.MethodVecStep:       &protocol.VecStep{Vec: 2, Actions: []engine.Action{0, 1}},
		protocol.MethodVecStepSlots:  &protocol.VecSend{Vec: 2, Slots: []int32{1}, Actions: []engine.Action{1}},
		protocol.MethodVecResetSlots: &protocol.VecResetSlots{Vec: 2, Slots: []int32{1}, Seeds: []uint64{3}},
		protocol.MethodAct:           &protocol.Act{Agent: 3, Env: 1},
		protocol.MethodSpec:          &protocol.SpecParams{Game: "leduc"},
	} {
		body := request(f, 1, method, params)
		f.Add(body, body)
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		c := alone(t)
		for _, body := range [][]byte{
			request(t, 2, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}, Seed: new(uint64)}),
			request(t, 3, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 2, Workers: 1, Autoreset: "disabled"}),
			request(t, 4, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "first"}),
			request(t, 5, protocol.MethodVecReset, &protocol.VecReset{Vec: 2, Seed: new(uint64)}),
			one, two, one,
		} {
			_, fault := c.serve(t.Context(), body)
			if fault != nil && fault.Code == protocol.CodeInternal {
				t.Fatalf("%x: %v", body, fault)
			}
			var out bytes.Buffer
			if err := c.out.Flush(&out, c.server.config.FrameBytes); err != nil {
				t.Fatal(err)
			}
			if _, err := protocol.ParseResponse(out.Bytes()[protocol.HeaderSize:]); err != nil {
				t.Fatalf("%x gets a response that cannot be parsed: %v", body, err)
			}
		}
	})
}
