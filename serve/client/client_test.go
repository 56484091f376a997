package client_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// patient is an agent that waits for its context to end.
type patient struct{ thinking chan<- struct{} }

func (patient) Start(engine.Player, uint64) {}

func (p patient) Act(ctx context.Context, _ engine.View, _ []engine.Action) (engine.Action, error) {
	p.thinking <- struct{}{}
	<-ctx.Done()
	return 0, ctx.Err()
}

// served dials a server whose agents think as long as they may, and tell when
// they begin. It returns an environment and an agent.
func served(t *testing.T, think time.Duration) (c *client.Client, e *client.Env, a *client.Agent, thinking <-chan struct{}) {
	t.Helper()
	told := make(chan struct{}, 10)
	config := server.Default()
	config.NewAgent = func(engine.Game, string) (agents.Agent, error) { return patient{told}, nil }
	config.RequestTimeout = think
	config.DrainTimeout = time.Millisecond
	s, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	address := "unix:" + filepath.Join(t.TempDir(), "s")
	l, err := server.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if c, err = client.Dial(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if e, err = c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn"}); err != nil {
		t.Fatal(err)
	}
	if a, err = c.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "random"}); err != nil {
		t.Fatal(err)
	}
	return c, e, a, told
}

func TestACallEndsWithItsContextAndClosesTheConnection(t *testing.T) {
	c, e, a, thinking := served(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-thinking
		cancel()
	}()
	if _, err := a.Act(ctx, e); !errors.Is(err, context.Canceled) || !errors.Is(err, client.ErrClosed) {
		t.Errorf("a call whose context was cancelled: got error %v, want %v and %v", err, context.Canceled, client.ErrClosed)
	}
	if _, err := c.Games(t.Context()); !errors.Is(err, client.ErrClosed) {
		t.Errorf("the next call: got error %v, want %v", err, client.ErrClosed)
	}
	if err := c.Close(); err != nil {
		t.Errorf("closing it again: %v", err)
	}
}

func TestACallEndsAtItsDeadline(t *testing.T) {
	_, e, a, _ := served(t, time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := a.Act(ctx, e); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
}

// The context of a call that is over must not reach into the next.
func TestAContextHoldsForItsCallOnly(t *testing.T) {
	c, e, a, thinking := served(t, 50*time.Millisecond)
	first, cancel := context.WithCancel(t.Context())
	if _, err := c.Games(first); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-thinking
		cancel()
	}()
	var fault *protocol.Error
	if _, err := a.Act(t.Context(), e); !errors.As(err, &fault) || fault.Code != protocol.CodeTimeout {
		t.Errorf("a call while another's context ends: got error %v, want the server's %s", err, protocol.CodeTimeout)
	}
	if _, err := c.Games(t.Context()); err != nil {
		t.Errorf("after an answer that was an error: %v", err)
	}
}

func TestBadAddressesAreRefused(t *testing.T) {
	for address, want := range map[string]string{
		"/run/socket":            "have unix:PATH, tcp:HOST:PORT",
		"http:localhost":         "have unix:PATH, tcp:HOST:PORT",
		"unix:/nonexistent/path": "no such file",
	} {
		if _, err := client.Dial(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want it to contain %q", address, err, want)
		}
	}
}

// A server that breaks the protocol costs an error, whatever it sends.
func TestABadServerIsAnError(t *testing.T) {
	var otherID, badResult bytes.Buffer
	w := protocol.NewWriter()
	if err := errors.Join(w.Response(9, nil, &protocol.Welcome{}), w.Flush(&otherID, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Response(1, nil, &struct {
		Version string `msgpack:"version"`
	}{"one"}), w.Flush(&badResult, 1<<20)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ answer, want string }{
		"nothing":              {"", "EOF"},
		"text":                 {"HTTP/1.1 400 Bad Request\r\n", "limit is 1048576"},
		"no msgpack":           {"\x00\x00\x00\x01\xc1", "bad frame"},
		"another response":     {otherID.String(), "response 9 to request 1"},
		"a result of no sense": {badResult.String(), "version (int)"},
	} {
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer theirs.Close()
			if _, err := protocol.ReadFrame(theirs, 1<<20, nil); err == nil {
				theirs.Write([]byte(c.answer))
			}
		}()
		_, err := client.New(t.Context(), ours, "")
		if !errors.Is(err, client.ErrClosed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one that contains %q", name, err, c.want)
		}
		<-done
	}
}
