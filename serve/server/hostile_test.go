package server_test

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/env"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// frame returns a whole frame around a body.
func frame(body []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// requests returns requests as they cross the wire, hello first.
func requests(t testing.TB, list ...any) []byte {
	t.Helper()
	var out writer
	w := protocol.NewWriter()
	for i := 0; i < len(list); i += 2 {
		if err := w.Request(uint64(i+1), list[i].(string), list[i+1]); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(&out, 1<<26); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// writer collects bytes.
type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// hostile are clients that do what none should, once. Each has a connection of its
// own, which is closed when it returns.
func hostile(t testing.TB) map[string]func(conn net.Conn, rng *rand.Rand) {
	hello := &protocol.Hello{Versions: protocol.Versions}
	greeting := requests(t, protocol.MethodHello, hello)
	vecMake := &protocol.VecMake{Game: "jogu", Envs: 8}
	steps := requests(t, protocol.MethodHello, hello, protocol.MethodVecMake, vecMake, protocol.MethodVecReset, &protocol.VecReset{Vec: 1})
	nan := requests(t, protocol.MethodHello, hello, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "batch"},
		protocol.MethodActBatch, &protocol.ActBatch{Agent: 1, Observations: slices.Repeat([]float32{float32(math.NaN())}, 11), Masks: []uint8{1, 1}})
	offMask := requests(t, protocol.MethodHello, hello, protocol.MethodEnvMake, &protocol.EnvMake{Game: "jogu"},
		protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(1 << 40)})
	text := requests(t, protocol.MethodHello, hello, protocol.MethodGames, &protocol.None{}, protocol.MethodSpec, &protocol.SpecParams{Game: "jogu"})
	read := func(conn net.Conn) { io.Copy(io.Discard, conn) }
	return map[string]func(net.Conn, *rand.Rand){
		"garbage": func(conn net.Conn, rng *rand.Rand) {
			data := make([]byte, 1+rng.IntN(4096))
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			conn.Write(data)
			read(conn)
		},
		"garbage in a frame": func(conn net.Conn, rng *rand.Rand) {
			data := make([]byte, 1+rng.IntN(512))
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			conn.Write(append(slices.Clone(greeting), frame(data)...))
			read(conn)
		},
		"four GiB": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(append(slices.Clone(greeting), 0xff, 0xff, 0xff, 0xff, 0x94))
			read(conn)
		},
		"half a frame": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(append(slices.Clone(greeting), 0x03, 0x00, 0x00, 0x00, 0x94, 0x00)) // 48 MiB of which two bytes come
			read(conn)
		},
		"deep nesting": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(append(slices.Clone(greeting), frame(slices.Repeat([]byte{0x91}, 60000))...))
			read(conn)
		},
		"wrong types": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(append(slices.Clone(greeting), frame([]byte("\x94\x00\x02\xa8env.make\x81\xa4game\x93\x01\x02\x03"))...))
			conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			read(conn)
		},
		"not a number": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(nan)
			conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			read(conn)
		},
		"off the mask": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(offMask)
			conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			read(conn)
		},
		"idle": func(conn net.Conn, _ *rand.Rand) { read(conn) },
		"idle after hello": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(greeting)
			read(conn)
		},
		"never reads": func(conn net.Conn, _ *rand.Rand) {
			conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
			for {
				if _, err := conn.Write(text); err != nil {
					return
				}
			}
		},
		"vanishes in a step": func(conn net.Conn, _ *rand.Rand) {
			conn.Write(append(slices.Clone(steps), requests(t, protocol.MethodVecStep, &protocol.VecStep{Vec: 1, Actions: make([]engine.Action, 8)})...))
		},
	}
}

// plays plays whole games of leduc against an environment of its own until that is
// enough, compares every step, and returns their number and the longest round trip.
func plays(t testing.TB, address string, enough func(steps int) bool) (steps int, slowest time.Duration) {
	c := dial(t, address)
	want, err := env.New(enginetest.Game(t, "leduc"), env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seed, choice := uint64(3), engine.NewHash()
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "leduc", Seed: &seed})
	if err != nil {
		t.Error(err)
		return
	}
	want.Reset(seed)
	step := &e.Made.Step
	for !enough(steps) && !t.Failed() {
		begin := time.Now()
		if step.Terminated {
			want.Restart()
			err = e.Reset(t.Context(), nil, step)
		} else {
			choice = choice.Word(1)
			a := pick(step.Mask, uint64(choice))
			if err = want.Step(a); err == nil {
				err = e.Step(t.Context(), protocol.ByNumber(a), step)
			}
		}
		slowest = max(slowest, time.Since(begin))
		if err != nil {
			t.Errorf("the well-behaved client: step %d: %v", steps, err)
			return
		}
		if step.Actor != int64(want.Actor()) || !slices.Equal(step.Returns, want.Returns()) {
			t.Errorf("the well-behaved client: step %d: actor %d, returns %v, want %d, %v", steps, step.Actor, step.Returns, want.Actor(), want.Returns())
		}
		steps++
	}
	return steps, slowest
}

// A thousand hostile connections (a hundred, unless this is a soak) cost
// themselves at most their connection: a well-behaved client plays on and sees what
// it should, memory stays bounded, and afterwards nothing is left behind.
func TestHostileClientsDisturbNobody(t *testing.T) {
	clients, span := 100, 1500*time.Millisecond
	if soak.On() {
		clients, span = 1000, time.Minute
	}
	c := config()
	c.Connections, c.FrameBytes = clients+10, 64<<20
	c.ReadTimeout, c.WriteTimeout, c.IdleTimeout = time.Second, 500*time.Millisecond, 3*time.Second
	address, _ := start(t, c)
	var stop atomic.Bool
	var running sync.WaitGroup
	kinds := hostile(t)
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	var connections atomic.Int64
	before := heap()
	for i := range clients {
		running.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 7))
			for k := i; !stop.Load(); k++ {
				conn, err := net.Dial("unix", strings.TrimPrefix(address, "unix:"))
				if err != nil {
					time.Sleep(time.Millisecond) // the backlog of the listener is full
					continue
				}
				connections.Add(1)
				conn.SetReadDeadline(time.Now().Add(5 * time.Second))
				kinds[names[k%len(names)]](conn, rng)
				conn.Close()
			}
		})
	}
	// For so long at least; on a busy machine until both have had their turns.
	end := time.Now().Add(span)
	steps, slowest := plays(t, address, func(steps int) bool {
		return time.Now().After(end) && steps >= 100 && connections.Load() >= int64(clients)
	})
	stop.Store(true)
	held := heap() - before
	running.Wait()
	t.Logf("%d hostile connections; the client has played %d steps, the slowest in %v; %d MiB were held", connections.Load(), steps, slowest, held>>20)
	// Far below one frame a client.
	if limit := int64(clients) << 20; held > limit {
		t.Errorf("%d bytes are held, want at most %d", held, limit)
	}
}

// FuzzServer sends bytes to a server as one connection. Whatever they are, what
// comes back are responses, the connection ends when the client does, and the
// server goes on to serve others.
func FuzzServer(f *testing.F) {
	hello := requests(f, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})
	f.Add(requests(f, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions},
		protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}}, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1,
			Action: protocol.ByName("bet")},
		protocol.MethodEnvView, &protocol.EnvText{Env: 1}, protocol.MethodEnvLegal, &protocol.Env{Env: 1},
		protocol.MethodVecMake, &protocol.VecMake{Game: "leduc", Envs: 3}, protocol.MethodVecReset, &protocol.VecReset{Vec: 2},
		protocol.MethodVecSend, &protocol.VecSend{Vec: 2, Slots: []int32{1}, Actions: []engine.Action{0}}, protocol.MethodVecRecv, &protocol.VecRecv{Vec: 2,
			Count: 1},
		protocol.MethodDatasetOpen, &protocol.DatasetOpen{Game: "kuhn", Agents: []string{"random"}, Episodes: 3}, protocol.MethodDatasetNext,
		&protocol.DatasetNext{Dataset: 3},
		protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "net"}, protocol.MethodAct, &protocol.Act{Agent: 4, Env: 1},
		protocol.MethodActBatch, &protocol.ActBatch{Agent: 4, Observations: make([]float32, 11), Masks: []uint8{1, 1}},
		protocol.MethodAgentEvaluate, &protocol.AgentEvaluate{Agent: 4, Observations: make([]float32, 11)}))
	f.Add(append(slices.Clone(hello), 0xff, 0xff, 0xff, 0xff))
	f.Add(append(slices.Clone(hello), frame(slices.Repeat([]byte{0x91}, 100))...))
	f.Add(append(slices.Clone(hello), hello...))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{})
	c := withNetwork()
	c.Agents = []string{"random", "first", "batch", "net"}
	c.Environments, c.AllEnvironments, c.MemoryBytes, c.AgentBytes = 64, 1024, 64<<20, 1<<10
	c.RequestTimeout = time.Second
	address := fuzzed(f, c)
	good := dial(f, address)
	f.Fuzz(func(t *testing.T, data []byte) {
		conn, err := net.Dial("unix", strings.TrimPrefix(address, "unix:"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		var sending sync.WaitGroup
		sending.Go(func() {
			conn.Write(data) // the server may have hung up
			conn.(*net.UnixConn).CloseWrite()
		})
		for {
			body, err := protocol.ReadFrame(conn, 1<<26, nil)
			if err != nil {
				if os.IsTimeout(err) {
					t.Fatalf("%x: the connection hangs", data)
				}
				break
			}
			response, err := protocol.ParseResponse(body)
			if err != nil {
				t.Fatalf("%x gets a response that cannot be parsed: %v", data, err)
			}
			if response.Error != nil && response.Error.Code == protocol.CodeInternal {
				t.Fatalf("%x: %v", data, response.Error)
			}
		}
		sending.Wait()
		if _, err := good.Spec(t.Context(), "kuhn"); err != nil {
			t.Fatalf("%x: another client after that: %v", data, err)
		}
	})
}

// fuzzed is start for a fuzz target, whose worker shares its process with the
// fuzzing engine and so counts no goroutines.
func fuzzed(f *testing.F, c server.Config) string {
	f.Helper()
	s, err := server.New(c)
	if err != nil {
		f.Fatal(err)
	}
	address := "unix:" + filepath.Join(f.TempDir(), "s")
	l, err := s.Listen(address)
	if err != nil {
		f.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- s.Serve(ctx, l) }()
	f.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			f.Error(err)
		}
	})
	return address
}
