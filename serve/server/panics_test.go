package server

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/envtest"
	"powderkeg/env/vec"
	"powderkeg/serve/protocol"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// mined returns a connection with an environment 100 and a vec 101 of a game whose
// engine can be made to break down.
func mined(t *testing.T) (*conn, *bytes.Buffer) {
	t.Helper()
	c := alone(t)
	var logged bytes.Buffer
	c.log = slog.New(slog.NewTextHandler(&logged, nil))
	inner, err := env.New(envtest.Mine{}, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &environment{env: inner, before: make([]float32, 2), step: protocol.Step{
		Observation: make([]float32, 1), Mask: make([]uint8, 2), Rewards: make([]float32, 2), Returns: make([]float32, 2),
	}}
	if _, err := c.begin(t.Context(), e, 1); err != nil {
		t.Fatal(err)
	}
	c.envs[100] = e
	inners, err := vec.New(envtest.Mine{}, vec.Config{Envs: 2, Workers: 2, Autoreset: vec.SameStep})
	if err != nil {
		t.Fatal(err)
	}
	c.vecs[101] = &vector{vec: inners, autoreset: vec.SameStep, buffers: inners.NewBuffers(2), size: 1, actions: 2, seats: 2}
	inners.Reset(1, c.vecs[101].buffers)
	if err := c.reserve(3, 0); err != nil {
		t.Fatal(err)
	}
	return c, &logged
}

// An engine that breaks down costs one environment: the client is told that the server
// is at fault, the log has a report, and the connection goes on.
func TestBrokenEngineCostsItsEnvironment(t *testing.T) {
	c, logged := mined(t)
	ask := func(method string, params any) *protocol.Error {
		t.Helper()
		_, fault := c.serve(t.Context(), request(t, 2, method, params))
		return fault
	}
	step := func(a engine.Action) *protocol.Error {
		return ask(protocol.MethodEnvStep, &protocol.EnvStep{Env: 100, Action: protocol.ByNumber(a)})
	}
	before := testutil.ToFloat64(c.server.metrics.panics)
	if fault := step(envtest.Tread); fault == nil || fault.Code != protocol.CodeInternal || strings.Contains(fault.Message, "mine") {
		t.Fatalf("the step that breaks the engine answers %v, want internal without details", fault)
	}
	for _, part := range []string{"engine broke down", "game=mine", "the mine went off", "mine.go"} {
		if !strings.Contains(logged.String(), part) {
			t.Errorf("the log lacks %q: %s", part, logged)
		}
	}
	if fault := step(envtest.Step); fault == nil || fault.Code != protocol.CodeOver {
		t.Errorf("a step after it answers %v, want over", fault)
	}
	if fault := ask(protocol.MethodEnvReset, &protocol.EnvReset{Env: 100}); fault != nil {
		t.Errorf("a reset after it: %v", fault)
	}
	if fault := step(envtest.Step); fault != nil {
		t.Errorf("a step after the reset: %v", fault)
	}
	if fault := ask(protocol.MethodVecStep, &protocol.VecStep{Vec: 101, Actions: []engine.Action{envtest.Step, envtest.Tread}}); fault == nil ||
		fault.Code != protocol.CodeInternal {
		t.Errorf("the vec answers %v, want internal", fault)
	}
	if fault := ask(protocol.MethodVecStep, &protocol.VecStep{Vec: 101, Actions: []engine.Action{0, 0}}); fault == nil ||
		fault.Code != protocol.CodeHandle {
		t.Errorf("the vec is still there: %v", fault)
	}
	if n := testutil.ToFloat64(c.server.metrics.panics) - before; n != 2 {
		t.Errorf("%g panics are counted, want 2", n)
	}
}

// A panic outside of any engine is survived too.
func TestPanicOfAHandlerCostsTheRequest(t *testing.T) {
	c := alone(t)
	var logged bytes.Buffer
	c.log = slog.New(slog.NewTextHandler(&logged, nil))
	c.envs[1] = nil // so that the handler runs into it
	if _, fault := c.serve(t.Context(), request(t, 2, protocol.MethodEnvObserve, &protocol.EnvObserve{Env: 1})); fault == nil ||
		fault.Code != protocol.CodeInternal {
		t.Errorf("it answers %v, want internal", fault)
	}
	delete(c.envs, 1)
	c.vecs[2] = nil // the same with a step of a vec
	defer delete(c.vecs, 2)
	if _, fault := c.serve(t.Context(), request(t, 3, protocol.MethodVecStep, &protocol.VecStep{Vec: 2})); fault == nil ||
		fault.Code != protocol.CodeInternal {
		t.Errorf("a vec answers %v, want internal", fault)
	}
	if _, fault := c.serve(t.Context(), request(t, 3, protocol.MethodGames, nil)); fault != nil {
		t.Errorf("the connection does not go on: %v", fault)
	}
}
