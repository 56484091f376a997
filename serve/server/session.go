package server

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"powderkeg/serve/protocol"
)

// Session is a client in the process of the server: it has all methods of the protocol without
// a socket (Call), and beside them fast calls that step what it has bound to memory of its own
// (Bind). Its methods are safe for concurrent use. A request waits for the one before; a fast
// call waits for what is about the same environment alone.
type Session struct {
	server *Server
	ctx    context.Context // of all that its agents think
	cancel context.CancelFunc

	mu     sync.Mutex // of conn, all but what bound holds the locks of
	conn   *conn
	closed bool

	bound sync.Map // handle to *binding
}

// Open opens a session. The server need not serve; the limits of connections are those of the
// session, which does not count as one. Close gives it back.
func (s *Server) Open() *Session {
	c := &Session{server: s, conn: newClient(s, "process")}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.conn.session = c
	return c
}

// Watch looks for newer checkpoints until ctx ends, which Serve does by itself.
func (s *Server) Watch(ctx context.Context) { s.pool.Watch(ctx) }

// ErrClosed is the error of a session that is closed.
var ErrClosed = errors.New("server: the session is closed")

// Call carries out a request, the body of a frame of the protocol, and returns the body of the
// response, which is the caller's. The first request is hello, as on a connection.
func (s *Session) Call(request []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	defer s.conn.vacate()
	_, fault := s.conn.serve(s.ctx, request)
	var frame bytes.Buffer
	frame.Grow(s.conn.out.Size() + protocol.HeaderSize)
	if err := s.conn.out.Flush(&frame, s.server.config.FrameBytes); err != nil {
		return nil, err
	}
	s.server.metrics.answered(fault)
	return frame.Bytes()[protocol.HeaderSize:], nil
}

// Close interrupts what the session's agents think and gives back all that it has opened. The
// memory of bindings is not written to any more when it returns. It may be called twice.
func (s *Session) Close() {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	var held []*sync.Mutex
	s.bound.Range(func(handle, b any) bool {
		mu := b.(*binding).lock()
		mu.Lock()
		b.(*binding).gone = true
		held = append(held, mu)
		s.bound.Delete(handle)
		return true
	})
	s.conn.close()
	for _, mu := range held {
		mu.Unlock()
	}
}
