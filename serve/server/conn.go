package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"powderkeg/serve/protocol"
)

// conn is a connection with all that its client has opened. After newConn it
// belongs to the goroutine of run, except for net, whose deadlines and end
// others may bring about.
type conn struct {
	server *Server
	net    net.Conn
	log    *slog.Logger

	in   *bufio.Reader
	body []byte // of the request in work
	out  *protocol.Writer
	dec  *protocol.Decoder

	handlers map[string]*handler
	greeted  bool

	// What the client has opened, by handle. Handles of all kinds are drawn from
	// one sequence, so that none can be mistaken for another's.
	lastHandle   uint64
	touched      uint64 // the environment or vec that the request in work is about, 0 for none
	envs         map[uint64]*environment
	vecs         map[uint64]*vector
	agents       map[uint64]*agent
	datasets     map[uint64]*stream
	environments int // of envs, vecs and datasets
	seated       int // agents that play seats of envs, vecs and datasets
	memory       int // bytes of all of these, about
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{
		server: s, net: nc, log: s.log.With("peer", nc.RemoteAddr().String()),
		in: bufio.NewReaderSize(nc, 16<<10), out: protocol.NewWriter(), dec: protocol.NewDecoder(true),
		envs: map[uint64]*environment{}, vecs: map[uint64]*vector{}, agents: map[uint64]*agent{}, datasets: map[uint64]*stream{},
	}
	c.handlers = newHandlers(c)
	return c
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
				c.linger()
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
	wait := config.IdleTimeout
	if !c.greeted {
		wait = config.ReadTimeout
	}
	if !c.greeted {
		c.net.SetWriteDeadline(time.Now().Add(wait)) // of a TLS handshake
	}
	var header [protocol.HeaderSize]byte
	begin, quiet := time.Now(), min(wait, quietTime)
	got, err := c.await(header[:], begin.Add(quiet))
	if got == 0 && quiet < wait && errors.Is(err, os.ErrDeadlineExceeded) {
		c.shed()
		got, err = c.await(header[:], begin.Add(wait))
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && c.server.state.Load() == draining:
		return 0, errDraining
	case errors.Is(err, os.ErrDeadlineExceeded) && got == 0:
		return 0, protocol.Errorf(protocol.CodeIdle, "no request came for %v", wait)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, protocol.Errorf(protocol.CodeFrame, "a header of %d bytes was cut short after %d for %v", protocol.HeaderSize, got, wait)
	case err != nil:
		return 0, errGone
	}
	limit := config.FrameBytes
	if !c.greeted {
		limit = min(limit, protocol.MaxHelloBytes) // nobody knows yet who this is
	}
	n, err := protocol.Length(header, limit)
	if err != nil {
		return 0, protocol.Errorf(protocol.CodeFrame, "%v", err)
	}
	if c.in.Buffered() < n {
		c.net.SetReadDeadline(time.Now().Add(config.ReadTimeout))
	}
	c.body, err = protocol.ReadBody(c.in, n, c.body)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && c.server.state.Load() == draining:
		return 0, errDraining
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, protocol.Errorf(protocol.CodeFrame, "a request of %d bytes was cut short after %d for %v", n, len(c.body), config.ReadTimeout)
	case err != nil:
		return 0, errGone
	}
	return n, nil
}

// quietTime is how long a connection may be silent before it lets go of large
// buffers.
const quietTime = time.Second

// await reads a header until a deadline.
func (c *conn) await(header []byte, deadline time.Time) (int, error) {
	c.net.SetReadDeadline(deadline)
	// In this order drain cannot slip in between: either it is seen here, or its
	// deadline comes after the one above.
	if c.server.state.Load() == draining {
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
	code := codeOK
	if fault != nil {
		code = string(fault.Code)
	}
	m.responses.WithLabelValues(code).Inc()
	return nil
}

// goodbye tells the client why the connection ends, as the response to request
// 0, if it takes that soon.
func (c *conn) goodbye(fault *protocol.Error) {
	wait := c.server.config.WriteTimeout
	if c.server.state.Load() != draining {
		wait = min(wait, time.Second) // one that has not earned patience
	}
	c.net.SetDeadline(time.Now().Add(wait)) // of reading too, for a TLS handshake that has not been yet
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

// close gives back all that the client has opened.
func (c *conn) close() {
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
	c.net.Close()
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
