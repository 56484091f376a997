package server_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// scripted is an agent for tests. What it does follows from its agent string:
//
//	random         a legal action by its seed
//	first          the first legal action
//	illegal        an action that does not exist
//	broken         an error
//	patient        waits for its context to end
//	ponder         thinks for 100 ms and looks at its context every one of them
//	batch          first, also on observations
//	bad_batch      an action that is not legal, on observations
type scripted struct {
	what string
	seed uint64
}

func (a *scripted) Start(seat engine.Player, seed uint64) {
	a.seed = uint64(engine.NewHash().Word(seed).Word(uint64(seat)))
}

func (a *scripted) Act(ctx context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	switch a.what {
	case "random":
		a.seed = uint64(engine.NewHash().Word(a.seed))
		return legal[a.seed%uint64(len(legal))], nil
	case "illegal":
		return 1000, nil
	case "broken":
		return 0, errors.New("out of order")
	case "patient":
		<-ctx.Done()
		return 0, ctx.Err()
	case "ponder":
		for range 100 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			time.Sleep(time.Millisecond)
		}
	}
	return legal[0], nil
}

// batched is a scripted agent that also acts on observations.
type batched struct{ scripted }

func (a *batched) ActBatch(_ context.Context, obs []float32, masks []uint8, n int, actions []int32) error {
	width := len(masks) / n
	for i := range n {
		first := int32(strings.IndexByte(string(masks[i*width:(i+1)*width]), 1))
		if a.what == "bad_batch" {
			first = (first + int32(width) - 1) % int32(width)
		}
		actions[i] = first
	}
	return nil
}

// config is a server's with scripted agents.
func config() server.Config {
	c := server.Default()
	c.Agents = []string{"random", "first", "illegal", "broken", "patient", "ponder", "batch", "bad_batch", "unheard"}
	c.Workers = 2
	c.NewAgent = func(_ engine.Game, text string) (agents.Agent, error) {
		switch text {
		case "unheard":
			return nil, errors.New("unknown agent")
		case "batch", "bad_batch":
			return &batched{scripted{what: text}}, nil
		}
		return &scripted{what: text}, nil
	}
	return c
}

// start serves on a Unix socket until the test ends or stop is called, and
// returns its address. No goroutine may be left then.
func start(t testing.TB, c server.Config) (address string, stop func()) {
	t.Helper()
	before, sockets := runtime.NumGoroutine(), openSockets()
	t.Cleanup(func() { // after all that the test opens later
		if now := openSockets(); now > sockets {
			t.Errorf("%d sockets are open, %d were before", now, sockets)
		}
	})
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	address = "unix:" + filepath.Join(t.TempDir(), "s")
	l, err := server.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("Serve returned %v, want nil after a stop", err)
			}
			noLeak(t, before)
		})
	}
	t.Cleanup(stop)
	return address, stop
}

// openSockets counts the sockets of this process, on systems that list them.
func openSockets() int {
	const list = "/proc/self/fd"
	files, err := os.ReadDir(list)
	if err != nil {
		return 0
	}
	n := 0
	for _, f := range files {
		if to, err := os.Readlink(filepath.Join(list, f.Name())); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// noLeak fails if more goroutines run than before, and shows them. Goroutines
// that have done their work may need a moment to be gone.
func noLeak(t testing.TB, before int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
			return
		}
	}
}

// dial connects to a server until the test ends.
func dial(t testing.TB, address string) *client.Client {
	t.Helper()
	c, err := client.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// wantCode checks that err is an error of the server with this code and that its
// message contains all parts.
func wantCode(t testing.TB, what string, err error, code protocol.Code, parts ...string) {
	t.Helper()
	var fault *protocol.Error
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("%s: got error %v, want code %s", what, err, code)
		return
	}
	for _, part := range parts {
		if !strings.Contains(fault.Message, part) {
			t.Errorf("%s: the message is %q, want it to contain %q", what, fault.Message, part)
		}
	}
	if strings.Contains(fault.Message, "\n") {
		t.Errorf("%s: the message %q has more than one line", what, fault.Message)
	}
}

// raw is a client that sends what it is told to, right or wrong.
type raw struct {
	t    testing.TB
	conn net.Conn
	w    *protocol.Writer
	d    *protocol.Decoder
}

func newRaw(t testing.TB, conn net.Conn) *raw {
	t.Cleanup(func() { conn.Close() })
	return &raw{t, conn, protocol.NewWriter(), protocol.NewDecoder(false)}
}

// dialRaw connects to a server at unix:PATH.
func dialRaw(t testing.TB, address string) *raw {
	t.Helper()
	conn, err := net.Dial("unix", strings.TrimPrefix(address, "unix:"))
	if err != nil {
		t.Fatal(err)
	}
	return newRaw(t, conn)
}

// greet says hello.
func (r *raw) greet() {
	r.t.Helper()
	r.send(1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})
	r.want(1, nil)
}

func (r *raw) send(id uint64, method string, params any) {
	r.t.Helper()
	if err := errors.Join(r.w.Request(id, method, params), r.w.Flush(r.conn, 1<<30)); err != nil {
		r.t.Errorf("send %s: %v", method, err)
	}
}

func (r *raw) receive() (protocol.Response, error) {
	body, err := protocol.ReadFrame(r.conn, 1<<30, nil)
	if err != nil {
		return protocol.Response{}, err
	}
	return protocol.ParseResponse(body)
}

// want receives the response to request id, which must be a result, and decodes
// it if result is not nil.
func (r *raw) want(id uint64, result any) {
	r.t.Helper()
	response, err := r.receive()
	if err == nil && response.Error != nil {
		err = response.Error
	}
	if err == nil && result != nil {
		err = r.d.Decode(response.Result, result)
	}
	if err != nil || response.ID != id {
		r.t.Errorf("response %d: got id %d, error %v", id, response.ID, err)
	}
}

// wantFault receives a response with an error of this code.
func (r *raw) wantFault(what string, id uint64, code protocol.Code, parts ...string) {
	r.t.Helper()
	response, err := r.receive()
	if err != nil {
		r.t.Errorf("%s: got %v, want an error of code %s", what, err, code)
		return
	}
	if response.ID != id {
		r.t.Errorf("%s: got a response to request %d, want %d", what, response.ID, id)
	}
	if response.Error == nil {
		r.t.Errorf("%s: got a result, want an error of code %s", what, code)
		return
	}
	wantCode(r.t, what, response.Error, code, parts...)
}

// wantClosed checks that the server has closed the connection.
func (r *raw) wantClosed(what string) {
	r.t.Helper()
	if response, err := r.receive(); err == nil {
		r.t.Errorf("%s: got response %+v, want a closed connection", what, response)
	}
}
