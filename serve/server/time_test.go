package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

// pipes is a listener of connections inside the process, which a synctest
// bubble can wait for. Writes to them wait until they are read.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

func (p *pipes) dial(t testing.TB) *raw {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return newRaw(t, ours)
}

// inBubble serves in a synctest bubble, in which time passes only while all
// wait, so that deadlines are exact and cost nothing. All goroutines must be
// down at its end. Stop begins the shutdown, wait returns at its end.
func inBubble(t *testing.T, c server.Config, body func(t *testing.T, p *pipes, stop, wait func())) {
	synctest.Test(t, func(t *testing.T) {
		s, err := server.New(c)
		if err != nil {
			t.Fatal(err)
		}
		p := newPipes()
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := s.Serve(ctx, p); err != nil {
				t.Errorf("Serve returned %v, want nil", err)
			}
		}()
		wait := func() { <-done }
		body(t, p, cancel, wait)
		cancel()
		wait()
	})
}

// took checks how much time has passed since begin.
func took(t *testing.T, what string, begin time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(begin); got != want {
		t.Errorf("%s: it took %v, want %v", what, got, want)
	}
}

func TestAConnectionWithoutHelloEndsAfterTheReadTimeout(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		begin := time.Now()
		r := p.dial(t)
		r.wantFault("no hello", 0, protocol.CodeIdle)
		r.wantClosed("no hello")
		took(t, "no hello", begin, c.ReadTimeout)
	})
}

func TestAnIdleConnectionEndsAfterTheIdleTimeout(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		r := p.dial(t)
		r.greet()
		time.Sleep(c.IdleTimeout - time.Second)
		r.send(2, protocol.MethodGames, nil)
		r.want(2, nil)
		begin := time.Now()
		r.wantFault("idle", 0, protocol.CodeIdle, "10m0s")
		r.wantClosed("idle")
		took(t, "idle", begin, c.IdleTimeout)
	})
}

func TestARequestThatStallsEndsItsConnectionOnly(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		slow, other := p.dial(t), p.dial(t)
		slow.greet()
		other.greet()
		if _, err := slow.conn.Write([]byte("\x00\x00\x00\x10half")); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		other.send(2, protocol.MethodGames, nil)
		other.want(2, nil)
		slow.wantFault("half a request", 0, protocol.CodeFrame, "16 bytes", "after 4")
		slow.wantClosed("half a request")
		took(t, "half a request", begin, c.ReadTimeout)
		other.send(3, protocol.MethodGames, nil)
		other.want(3, nil)
	})
}

func TestAClientThatDoesNotReadLosesItsConnectionOnly(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		deaf, other := p.dial(t), p.dial(t)
		deaf.greet()
		other.greet()
		deaf.send(2, protocol.MethodGames, nil)
		other.send(2, protocol.MethodGames, nil)
		other.want(2, nil)
		time.Sleep(c.WriteTimeout + time.Second)
		if _, err := deaf.conn.Write([]byte{0}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("a client that reads nothing for %v: got error %v on writing, want a closed connection", c.WriteTimeout, err)
		}
		other.send(3, protocol.MethodGames, nil)
		other.want(3, nil)
	})
}

func TestAgentsThatThinkTooLongAreInterrupted(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		r := p.dial(t)
		r.greet()
		begin := time.Now()
		r.send(2, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "patient"})
		r.want(2, nil)
		r.send(3, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"})
		r.want(3, nil)
		r.send(4, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
		r.wantFault("act", 4, protocol.CodeTimeout, "1m0s")
		took(t, "act", begin, c.RequestTimeout)

		r.send(5, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "patient"}})
		r.want(5, nil)
		r.send(6, protocol.MethodEnvStep, &protocol.EnvStep{Env: 3, Action: protocol.ByName("bet")})
		r.wantFault("a seat", 6, protocol.CodeTimeout)
		r.send(7, protocol.MethodEnvStep, &protocol.EnvStep{Env: 3, Action: protocol.ByName("bet")})
		r.wantFault("the episode after that", 7, protocol.CodeOver, "given up", "reset first")
		var legal protocol.Legal
		r.send(8, protocol.MethodEnvLegal, &protocol.Env{Env: 3})
		r.want(8, &legal)
		if len(legal.Actions) != 0 {
			t.Errorf("an episode that was given up offers %v, want nothing", legal.Names)
		}
		r.send(9, protocol.MethodEnvReset, &protocol.EnvReset{Env: 3})
		r.want(9, nil)
	})
}

func TestShutdownFinishesRequestsInWork(t *testing.T) {
	c := config()
	c.RequestTimeout = 3 * time.Second // less than DrainTimeout
	inBubble(t, c, func(t *testing.T, p *pipes, stop, _ func()) {
		idle, greeting, half, busy := p.dial(t), p.dial(t), p.dial(t), p.dial(t)
		idle.greet()
		busy.greet()
		half.greet()
		half.conn.Write([]byte("\x00\x00"))
		busy.send(2, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "patient"})
		busy.want(2, nil)
		busy.send(3, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"})
		busy.want(3, nil)
		begin := time.Now()
		busy.send(4, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
		synctest.Wait()
		stop()
		for name, r := range map[string]*raw{"idle": idle, "before hello": greeting, "in half a header": half} {
			r.wantFault(name, 0, protocol.CodeShutdown)
			r.wantClosed(name)
		}
		took(t, "those that wait", begin, 0)
		busy.wantFault("in work", 4, protocol.CodeTimeout)
		took(t, "the one in work", begin, c.RequestTimeout)
		busy.wantFault("in work, then", 0, protocol.CodeShutdown)
		busy.wantClosed("in work")
	})
}

func TestShutdownCutsWhatOutlivesTheDrainTimeout(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, stop, wait func()) {
		thinking, deaf := p.dial(t), p.dial(t)
		thinking.greet()
		deaf.greet()
		thinking.send(2, protocol.MethodAgentLoad, &protocol.AgentLoad{Game: "kuhn", Agent: "patient"})
		thinking.want(2, nil)
		thinking.send(3, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"})
		thinking.want(3, nil)
		begin := time.Now()
		thinking.send(4, protocol.MethodAct, &protocol.Act{Agent: 1, Env: 2})
		deaf.send(2, protocol.MethodGames, nil)
		synctest.Wait()
		stop()
		thinking.wantClosed("an agent that would think for a minute")
		wait()
		took(t, "the cut, the agent's end included", begin, c.DrainTimeout)
	})
}

func TestAVecOutlivesNoConnection(t *testing.T) {
	inBubble(t, config(), func(t *testing.T, p *pipes, _, _ func()) {
		r := p.dial(t)
		r.greet()
		r.send(2, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 8, Workers: 2})
		r.want(2, nil)
		r.send(3, protocol.MethodVecReset, &protocol.VecReset{Vec: 1})
		r.want(3, nil)
		r.send(4, protocol.MethodVecStep, &protocol.VecStep{Vec: 1, Actions: make([]engine.Action, 8)})
		r.want(4, nil)
		r.conn.Close() // the bubble fails if a worker stays
	})
}
