// Package client talks to a powderkeg server.
//
//	c, err := client.Dial(ctx, "unix:/run/powderkeg.sock")
//	...
//	defer c.Close()
//	e, err := c.MakeEnv(ctx, &protocol.EnvMake{Game: "kuhn"})
//	...
//	err = e.Step(ctx, protocol.ByName("bet"), &e.Made.Step)
//
// Results are decoded into structs that the caller owns and whose arrays are
// reused from call to call.
package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"powderkeg/serve/protocol"
)

// Client is a connection to a server. It belongs to one goroutine at a time. A
// call that fails other than by an answer of the server (*protocol.Error), such
// as because its context ends, closes the connection, since what the next bytes
// would answer is lost; there is no reconnection, because the server drops what a
// connection has opened.
type Client struct {
	conn    net.Conn
	in      *bufio.Reader
	body    []byte
	out     *protocol.Writer
	dec     *protocol.Decoder
	limit   int
	id      uint64
	broken  error // why the connection is closed
	welcome protocol.Welcome
}

// ErrClosed is wrapped by the errors of calls on a closed connection.
var ErrClosed = errors.New("client: the connection is closed")

// Options say how to connect. The zero value suits a server of this machine.
type Options struct {
	// Token is sent with hello, if it is not empty.
	Token string
	// TLS, if not nil, encrypts connections to tls:HOST:PORT; nil stands for the
	// certificates that this machine trusts.
	TLS *tls.Config
}

// Dial connects to unix:PATH, tcp:HOST:PORT or tls:HOST:PORT and says hello.
func Dial(ctx context.Context, address string) (*Client, error) {
	return DialWith(ctx, address, Options{})
}

// DialWith is Dial with options.
func DialWith(ctx context.Context, address string, o Options) (*Client, error) {
	network, rest, _ := strings.Cut(address, ":")
	var dialer interface {
		DialContext(ctx context.Context, network, address string) (net.Conn, error)
	} = &net.Dialer{}
	switch network {
	case "unix", "tcp":
	case "tls":
		network, dialer = "tcp", &tls.Dialer{Config: o.TLS}
	default:
		return nil, fmt.Errorf("client: %q is no address; have unix:PATH, tcp:HOST:PORT, tls:HOST:PORT", address)
	}
	conn, err := dialer.DialContext(ctx, network, rest)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return New(ctx, conn, o.Token)
}

// firstLimit bounds the response to hello, in bytes; it tells the limit of all
// others.
const firstLimit = 1 << 20

// New says hello on a connection, which the client then owns, with a token or "".
func New(ctx context.Context, conn net.Conn, token string) (*Client, error) {
	c := &Client{
		conn: conn, in: bufio.NewReaderSize(conn, 64<<10),
		out: protocol.NewWriter(), dec: protocol.NewDecoder(false), limit: firstLimit,
	}
	hello := &protocol.Hello{Versions: protocol.Versions, Client: "powderkeg-go", Token: token}
	if err := c.Call(ctx, protocol.MethodHello, hello, &c.welcome); err != nil {
		conn.Close()
		return nil, err
	}
	c.limit = int(c.welcome.Limits.FrameBytes)
	return c, nil
}

// Welcome returns what the server said to hello.
func (c *Client) Welcome() *protocol.Welcome { return &c.welcome }

// Close ends the connection and with it all that it has opened on the server.
func (c *Client) Close() error {
	if c.broken != nil {
		return nil
	}
	c.broken = ErrClosed
	return c.conn.Close()
}

// Call sends a request and waits for its response. Params points to the struct
// of the method's parameters and result to that of its result. An answer that is
// an error is a *protocol.Error.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	if c.broken != nil {
		return c.broken
	}
	answer, err := c.exchange(ctx, method, params)
	switch {
	case err != nil:
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	case answer.Error != nil && answer.Error.Code.Fatal():
		err = answer.Error
	case answer.Error != nil:
		return fmt.Errorf("client: %s: %w", method, answer.Error)
	default:
		if err = c.dec.Decode(answer.Result, result); err == nil {
			return nil
		}
	}
	c.conn.Close()
	c.broken = fmt.Errorf("%w: %s: %w", ErrClosed, method, err)
	return c.broken
}

// exchange sends a request and reads the response to it.
func (c *Client) exchange(ctx context.Context, method string, params any) (protocol.Response, error) {
	c.id++
	if err := c.out.Request(c.id, method, params); err != nil {
		return protocol.Response{}, err
	}
	c.conn.SetDeadline(time.Time{}) // ctx alone ends the call, its own deadline too
	if ctx.Done() != nil {
		cut := make(chan struct{})
		stop := context.AfterFunc(ctx, func() {
			c.conn.SetDeadline(time.Unix(1, 0))
			close(cut)
		})
		defer func() {
			// A cut that has begun must not reach into the next call.
			if !stop() {
				<-cut
			}
		}()
	}
	// A server that has given up may not have read the request, but it has said why.
	sent := c.out.Flush(c.conn, c.limit)
	if errors.Is(sent, protocol.ErrFrame) {
		return protocol.Response{}, sent
	}
	body, err := protocol.ReadFrame(c.in, c.limit, c.body)
	if err != nil {
		return protocol.Response{}, errors.Join(sent, err)
	}
	c.body = body
	answer, err := protocol.ParseResponse(body)
	if err != nil {
		return protocol.Response{}, err
	}
	if answer.ID != c.id && (answer.ID != 0 || answer.Error == nil) {
		return protocol.Response{}, fmt.Errorf("response %d to request %d", answer.ID, c.id)
	}
	return answer, nil
}
