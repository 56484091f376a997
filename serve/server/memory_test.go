package server_test

import (
	"runtime"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// heap returns the bytes of live memory.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first has made unreachable, such as by a finaliser
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The estimate of a vectorised environment is near what it takes, so that the
// limit means something: not below three quarters of it.
func TestTheMemoryEstimateIsNotFarBelowTheTruth(t *testing.T) {
	for _, text := range tested {
		reg := prometheus.NewRegistry()
		c := config()
		c.Metrics = server.NewMetrics(reg)
		address, stop := start(t, c)
		peer := dial(t, address)
		const envs = 4000
		if _, err := peer.MakeVec(t.Context(), &protocol.VecMake{Game: text, Envs: envs}); err != nil {
			t.Fatal(err)
		}
		said := value(t, reg, "powderkeg_serve_reserved_bytes")
		peer.Close()
		stop()
		before := heap()
		v, err := vec.New(enginetest.Game(t, text), vec.Config{Envs: envs, Workers: 1, Autoreset: vec.SameStep, Env: env.Options{}})
		if err != nil {
			t.Fatal(err)
		}
		buffers := [2]*vec.Buffers{v.NewBuffers(envs), v.NewBuffers(envs)}
		v.Reset(1, buffers[0])
		took := float64(heap() - before)
		if said < 0.75*took || said > 3*took {
			t.Errorf("%s: %d slots are said to take %.0f bytes, they take %.0f", text, envs, said, took)
		}
		runtime.KeepAlive(buffers)
		v.Close()
	}
}

func TestMemoryIsLimitedAndGivenBack(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Metrics = server.NewMetrics(reg)
	c.MemoryBytes, c.AgentBytes = 1<<20, 300<<10
	address, stop := start(t, c)
	peer, ctx := dial(t, address), t.Context()
	_, err := peer.MakeVec(ctx, &protocol.VecMake{Game: "jogu", Envs: 1000})
	wantCode(t, "a large vec", err, protocol.CodeLimit, "bytes of memory", "0 of at most 1048576")
	_, err = peer.OpenDataset(ctx, &protocol.DatasetOpen{Game: "jogu", Agents: []string{"random"}, Episodes: 1})
	wantCode(t, "a large dataset", err, protocol.CodeLimit, "bytes of memory")
	load := func() (*client.Agent, error) {
		return peer.LoadAgent(ctx, &protocol.AgentLoad{Game: "kuhn", Agent: "first"})
	}
	var a *client.Agent
	for range 3 {
		if a, err = load(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = load()
	wantCode(t, "a fourth agent", err, protocol.CodeLimit, "921600 of at most 1048576")
	_, err = peer.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}})
	wantCode(t, "an agent on a seat", err, protocol.CodeLimit, "bytes of memory")
	if err := a.Close(ctx); err != nil {
		t.Fatal(err)
	}
	e, err := peer.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}})
	if err != nil {
		t.Fatalf("after an agent was closed: %v", err)
	}
	if err := e.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if got := value(t, reg, "powderkeg_serve_reserved_bytes"); got != 2*300<<10 {
		t.Errorf("%g bytes are reserved, want those of two agents", got)
	}
	v, err := peer.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err = peer.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 10}); err != nil {
		t.Fatal(err)
	}
	peer.Close()
	stop()
	if got := value(t, reg, "powderkeg_serve_reserved_bytes"); got != 0 {
		t.Errorf("%g bytes are reserved after the last connection, want none", got)
	}
}

// A connection that has sent a long request and then falls silent holds no more
// than one that has not.
func TestASilentConnectionLetsGoOfItsBuffers(t *testing.T) {
	const frame, connections = 4 << 20, 8
	address, _ := start(t, config())
	before := heap()
	var peers []*raw
	actions := make([]engine.Action, frame/4)
	for range connections {
		r := dialRaw(t, address)
		r.greet()
		r.send(2, protocol.MethodVecStep, &protocol.VecStep{Vec: 1, Actions: actions})
		r.wantFault("a long request", 2, protocol.CodeHandle)
		r.w = nil
		peers = append(peers, r)
	}
	held := func() int64 { return heap() - before - frame } // less the actions above
	for range 200 {                                         // two seconds
		if held() < connections*frame/8 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := held(); got > connections*frame/8 {
		t.Errorf("%d silent connections hold %d bytes, want less than an eighth of the %d that they sent", connections, got, connections*frame)
	}
	for i, r := range peers {
		r.w = protocol.NewWriter()
		r.send(3, protocol.MethodGames, nil)
		r.want(3, nil)
		if t.Failed() {
			t.Fatalf("connection %d does not go on", i)
		}
	}
	runtime.KeepAlive(actions)
}
