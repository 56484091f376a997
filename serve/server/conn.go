package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"
)

// conn is a connection with all that its client has opened. After newConn it
// belongs to the goroutine of run, except for net, whose deadlines and end
// others may bring about. That of a Session has no net and belongs to the Session.
type conn struct {
	server    *Server
	net       net.Conn // nil for a client in this process
	log       *slog.Logger
	address   string // see addressOf
	opened    time.Time
	displaced atomic.Bool // another newcomer has its place

	in   io.Reader // buffered once the client has said hello
	body []byte    // of the request in work
	out  *protocol.Writer
	dec  *protocol.Decoder

	handlers map[string]*handler
	greeted  bool
	thinker  thinking.Owner // of all that its agents think about
	asking   thinking.Gauge // of who may be asked in secret

	// What the client has opened, by handle. Handles of all kinds are drawn from
	// one sequence, so that none can be mistaken for another's.
	lastHandle   uint64
	touched      uint64      // the environment or vec that the request in work is about, 0 for none
	occupied     *sync.Mutex // its lock, which the request holds; nil for none
	session      *Session    // nil for a connection
	envs         map[uint64]*environment
	vecs         map[uint64]*vector
	agents       map[uint64]*agent
	datasets     map[uint64]*stream
	environments int // of envs, vecs and datasets
	seated       int // agents that play seats of envs, vecs and datasets
	memory       int // bytes of all of these, about, and of long requests
	long         int // bytes of memory that are those of long requests
}

func newConn(s *Server, nc net.Conn) *conn {
	c := newClient(s, nc.RemoteAddr().String())
	c.net, c.in, c.address = nc, nc, addressOf(nc.RemoteAddr())
	return c
}

// newClient returns what a connection and a session have in common.
func newClient(s *Server, peer string) *conn {
	c := &conn{
		server: s, log: s.log.With("peer", peer), opened: time.Now(), out: protocol.NewWriter(),
		envs: map[uint64]*environment{}, vecs: map[uint64]*vector{}, agents: map[uint64]*agent{}, datasets: map[uint64]*stream{},
	}
	c.decodes()
	return c
}

// decodes sets up what requests are decoded with.
func (c *conn) decodes() {
	c.dec = protocol.NewDecoder(true)
	c.dec.Room = c.room
	c.handlers = newHandlers(c)
}

// run serves the connection to its end. Agents that think are interrupted when
// ctx ends.
func (c *conn) run(ctx context.Context) {
	c.log.Debug("connection opened")
	defer c.log.Debug("connection closed")
	defer c.close()
	for {
		n, fault := c.receive()
		if fault != nil {
			if fault != errGone {
				c.log.Debug("connection refused to go on", "error", fault)
				c.goodbye(fault)
				if fault != errDisplaced { // whose place is taken
					c.linger()
				}
			}
			return
		}
		begin := time.Now()
		c.server.metrics.receivedBytes.Add(float64(n + protocol.HeaderSize))
		h, fault := c.serve(ctx, c.body)
		c.net.SetWriteDeadline(time.Now().Add(c.server.config.WriteTimeout))
		if err := c.flush(fault); err != nil {
			c.log.Debug("response not delivered", "error", err)
			return
		}
		h.duration.Observe(time.Since(begin).Seconds())
		if fault != nil && fault.Code.Fatal() {
			c.linger()
			return
		}
	}
}

// errGone stands for a client that has left: nobody is there to be told.
var errGone = &protocol.Error{}

// receive reads the next request into c.body and returns its length.
func (c *conn) receive() (int, *protocol.Error) {
	config := &c.server.config
	header, got, wait, err := c.header()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && c.over() != nil:
		return 0, c.over()
	case errors.Is(err, os.ErrDeadlineExceeded) && got == 0:
		return 0, protocol.Errorf(protocol.CodeIdle, "no request came for %v", wait)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, protocol.Errorf(protocol.CodeFrame, "a header of %d bytes was cut short after %d for %v", protocol.HeaderSize, got, wait)
	case err != nil:
		return 0, errGone
	}
	limit := config.FrameBytes
	if !c.greeted {
		limit = min(limit, protocol.MaxHelloBytes)
	}
	n, err := protocol.Length(header, limit)
	if err != nil {
		return 0, protocol.Errorf(protocol.CodeFrame, "%v", err)
	}
	if fault := c.take(n); fault != nil {
		return 0, fault
	}
	if in, ok := c.in.(*bufio.Reader); ok && in.Buffered() < n {
		c.net.SetReadDeadline(time.Now().Add(config.ReadTimeout))
	}
	c.body, err = protocol.ReadBody(c.in, n, c.body)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && c.over() != nil:
		return 0, c.over()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, protocol.Errorf(protocol.CodeFrame, "a request of %d bytes was cut short after %d for %v", n, len(c.body), config.ReadTimeout)
	case err != nil:
		return 0, errGone
	}
	return n, nil
}

// over says why a connection ends whose client has done nothing wrong.
func (c *conn) over() *protocol.Error {
	switch {
	case c.server.state.Load() == draining:
		return errDraining
	case c.displaced.Load():
		return errDisplaced
	}
	return nil
}

// header reads the header of the next request. It returns how much of it has come and how
// long the client was waited for.
func (c *conn) header() (header [protocol.HeaderSize]byte, got int, wait time.Duration, err error) {
	config := &c.server.config
	if !c.greeted {
		// All that comes before hello has one deadline, that of a TLS handshake included,
		// which no deadline may interrupt: it cannot be taken up again.
		wait = config.ReadTimeout
		c.net.SetWriteDeadline(c.opened.Add(wait))
		got, err = c.await(header[:], c.opened.Add(wait))
		return header, got, wait, err
	}
	wait = config.IdleTimeout
	begin, quiet := time.Now(), min(wait, quietTime)
	got, err = c.await(header[:], begin.Add(quiet))
	if got == 0 && quiet < wait && errors.Is(err, os.ErrDeadlineExceeded) {
		c.shed()
		got, err = c.await(header[:], begin.Add(wait))
	}
	return header, got, wait, err
}

// quietTime is how long a connection may be silent before it lets go of large
// buffers.
const quietTime = time.Second

// await reads a header until a deadline.
func (c *conn) await(header []byte, deadline time.Time) (int, error) {
	c.net.SetReadDeadline(deadline)
	// In this order drain and a newcomer cannot slip in between: either it is seen here, or
	// its deadline comes after the one above.
	if c.over() != nil {
		return 0, os.ErrDeadlineExceeded
	}
	return io.ReadFull(c.in, header)
}

var errDraining = protocol.Errorf(protocol.CodeShutdown, "the server is going down")

// flush sends the response that serve has built. fault is the error that it
// holds, if any.
func (c *conn) flush(fault *protocol.Error) error {
	m := c.server.metrics
	size := c.out.Size() + protocol.HeaderSize
	if err := c.out.Flush(c.net, c.server.config.FrameBytes); err != nil {
		return err
	}
	m.sentBytes.Add(float64(size))
	m.answered(fault)
	return nil
}

// goodbye tells the client why the connection ends, as the response to request
// 0, if it takes that soon.
func (c *conn) goodbye(fault *protocol.Error) {
	if secret, ok := c.net.(*tls.Conn); ok && !secret.ConnectionState().HandshakeComplete {
		return // nothing can be said to it yet
	}
	wait := c.server.config.WriteTimeout
	if c.server.state.Load() != draining {
		wait = min(wait, time.Second) // one that has not earned patience
	}
	c.net.SetWriteDeadline(time.Now().Add(wait))
	if err := c.out.Response(0, fault, nil); err != nil {
		c.log.Error("encode", "error", err)
		return
	}
	if err := c.flush(fault); err != nil {
		c.log.Debug("goodbye not delivered", "error", err)
	}
}

// lingerTime bounds how long a connection still reads after its last response,
// except in a shutdown, in which the drain timeout does. A client that has sent
// nothing for lingerSilence is not waited for.
const (
	lingerTime    = 2 * time.Second
	lingerSilence = 100 * time.Millisecond
)

// linger reads on until the client has closed its side or sends no more: a TCP
// connection that is closed with requests unread is reset, which would take
// responses with it that the client has not read yet.
func (c *conn) linger() {
	half, ok := c.net.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	wait := lingerTime
	if c.server.state.Load() == draining {
		wait = c.server.config.DrainTimeout
	}
	scratch := make([]byte, 4<<10)
	for end := time.Now().Add(wait); time.Now().Before(end); {
		c.net.SetReadDeadline(time.Now().Add(lingerSilence))
		if _, err := c.net.Read(scratch); err != nil {
			return
		}
	}
}

// occupy locks the environment or vec that the request in work is about until vacate: beside
// the requests of a Session its fast calls step environments, in other goroutines.
func (c *conn) occupy(mu *sync.Mutex) {
	mu.Lock()
	c.occupied = mu
}

// vacate is for the end of a request whose response, which may be the environment's own
// memory, has been sent.
func (c *conn) vacate() {
	if c.occupied != nil {
		c.occupied.Unlock()
		c.occupied = nil
	}
}

// forget unbinds a handle that is closed, and whose lock is held, from the memory of a session.
func (c *conn) forget(handle uint64) {
	if c.session == nil {
		return
	}
	if b, ok := c.session.bound.LoadAndDelete(handle); ok {
		b.(*binding).gone = true
	}
}

// close gives back all that the client has opened.
func (c *conn) close() {
	c.vacate()
	for _, v := range c.vecs {
		v.close()
	}
	for _, d := range c.datasets {
		d.close()
	}
	for _, e := range c.envs {
		giveAll(e.seats)
	}
	for _, a := range c.agents {
		give(a.agent)
	}
	c.server.release(c.environments)
	c.refund(c.memory)
	c.server.metrics.agents.Sub(float64(len(c.agents) + c.seated))
	if c.net != nil {
		c.net.Close()
	}
}

// newHandle returns a handle that has never been used on this connection.
func (c *conn) newHandle() uint64 {
	c.lastHandle++
	return c.lastHandle
}

// reserve takes n environments of so many bytes together from what the connection
// may have.
func (c *conn) reserve(n, bytes int) *protocol.Error {
	if limit := c.server.config.Environments; n > limit-c.environments {
		return protocol.Errorf(protocol.CodeLimit, "%d more environments; this connection has %d of at most %d", n, c.environments, limit)
	}
	if !c.server.reserve(n) {
		return protocol.Errorf(protocol.CodeLimit, "%d more environments; all connections together have %d of at most %d", n,
			c.server.environments.Load(), c.server.config.AllEnvironments)
	}
	if fault := c.charge(bytes); fault != nil {
		c.server.release(n)
		return fault
	}
	c.environments += n
	return nil
}

func (c *conn) release(n, bytes int) {
	c.refund(bytes)
	c.environments -= n
	c.server.release(n)
}
