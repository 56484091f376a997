// Package server serves environments and agents over a socket, in the protocol
// of package protocol.
//
//	s, err := server.New(server.Default())
//	...
//	listener, err := server.Listen("unix:/run/powderkeg.sock")
//	...
//	err = s.Serve(ctx, listener) // until ctx ends
//
// Each connection is owned by one goroutine, which reads a request, carries it
// out and writes the response, so that a connection's environments and agents
// need no lock. All that a client can make the server hold is bounded, and a
// client that breaks the protocol loses its connection and nothing else.
package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"powderkeg/serve/inference"
	"powderkeg/serve/thinking"
)

// Server serves connections. Its methods are safe for concurrent use.
type Server struct {
	config  Config
	log     *slog.Logger
	metrics *Metrics
	pool    *inference.Pool
	thinks  *thinking.Pool
	tokens  [][sha256.Size]byte // digests

	environments atomic.Int64 // open, of all connections
	state        atomic.Int32
	running      sync.WaitGroup // owners of connections

	mu        sync.Mutex
	conns     map[*conn]struct{} // that have said hello; guarded by mu, as the next one
	newcomers newcomers          // that have not
}

// The states of a server, in order.
const (
	fresh = iota
	serving
	draining
)

// New returns a server that does not listen yet.
func New(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Server{config: c, log: c.Logger, metrics: c.Metrics, tokens: digests(c.Tokens), conns: map[*conn]struct{}{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.metrics == nil {
		s.metrics = NewMetrics(nil)
	}
	var err error
	if s.thinks, err = thinking.NewPool(c.Thinking, s.metrics.thinking); err != nil {
		return nil, err
	}
	s.pool, err = inference.NewPool(c.Inference, s.log, s.metrics.inference)
	return s, err
}

// Ready reports whether the server takes connections.
func (s *Server) Ready() bool { return s.state.Load() == serving }

// Serve takes connections from the listeners until ctx ends, lets the requests
// in work finish, closes everything and returns nil when all goroutines are
// down. An error means that a listener failed; then all the same is done. A
// server serves once.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	for _, l := range listeners {
		if err := checkReach(l.Addr(), s.config.secured()); err != nil {
			return err
		}
	}
	if len(listeners) == 0 {
		return errors.New("server: nothing to listen on")
	}
	if !s.state.CompareAndSwap(fresh, serving) {
		return errors.New("server: it has served already")
	}
	accepting, stopAccepting := context.WithCancelCause(ctx)
	defer stopAccepting(nil)
	// Requests in work outlive ctx by the drain timeout.
	working, interrupt := context.WithCancel(context.WithoutCancel(ctx))
	defer interrupt()

	var loops sync.WaitGroup
	loops.Go(func() { s.pool.Watch(accepting) })
	for _, l := range listeners {
		s.log.Info("listening", "network", l.Addr().Network(), "address", l.Addr().String())
		loops.Go(func() {
			if err := s.accept(accepting, working, l); err != nil {
				stopAccepting(err)
			}
		})
	}
	<-accepting.Done()
	s.state.Store(draining)
	for _, l := range listeners {
		l.Close()
	}
	loops.Wait()
	s.drain(interrupt)
	if ctx.Err() == nil {
		return context.Cause(accepting)
	}
	return nil
}

// accept starts an owner for each connection until ctx ends.
func (s *Server) accept(ctx, working context.Context, l net.Listener) error {
	const first, longest = 5 * time.Millisecond, time.Second
	pause := first
	for {
		nc, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				nc.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("server: listen on %s: %w", l.Addr(), err)
		case err != nil:
			// Such as no file descriptors left: others may be given back soon.
			s.log.Warn("accept", "address", l.Addr().String(), "error", err, "pause", pause)
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
			pause = min(2*pause, longest)
			continue
		}
		pause = first
		s.start(working, nc)
	}
}

// start hands a connection to an owner of its own.
func (s *Server) start(working context.Context, nc net.Conn) {
	c := newConn(s, s.config.secure(nc))
	s.welcome(c)
	s.metrics.accepted.Inc()
	s.running.Go(func() {
		c.run(working)
		s.leave(c)
	})
}

// drain wakes the owners that wait for a request, gives the others the drain
// timeout and returns when all are down.
func (s *Server) drain(interrupt func()) {
	s.each(func(c *conn) { c.net.SetReadDeadline(time.Now()) })
	cut := time.AfterFunc(s.config.DrainTimeout, func() {
		interrupt()
		s.each(func(c *conn) {
			s.log.Warn("connection cut: its request took longer than the drain timeout", "timeout", s.config.DrainTimeout)
			c.net.Close()
		})
	})
	s.running.Wait()
	s.pool.Wait()
	cut.Stop()
	s.log.Info("stopped")
}

func (s *Server) each(do func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
	for _, c := range s.newcomers {
		do(c)
	}
}

// reserve takes n environments from what all connections share and reports whether
// there were so many left. release gives them back.
func (s *Server) reserve(n int) bool {
	if s.environments.Add(int64(n)) > int64(s.config.AllEnvironments) {
		s.environments.Add(int64(-n))
		return false
	}
	s.metrics.environments.Add(float64(n))
	return true
}

func (s *Server) release(n int) {
	s.environments.Add(int64(-n))
	s.metrics.environments.Sub(float64(n))
}
