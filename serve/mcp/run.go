package mcp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"powderkeg/serve/server"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve speaks the protocol with one client over a pair of streams, as on the standard
// streams of a process, until the client ends it or ctx ends. in is closed then.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	session, err := s.protocol.Connect(ctx, &sdk.IOTransport{Reader: in, Writer: open{out}, MaxLineLength: s.config.RequestBytes}, nil)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return session.Close()
	}
}

// open is a stream that stays open when the protocol is done with it.
type open struct{ io.Writer }

// Close implements io.Closer.
func (open) Close() error { return nil }

// Path is where the protocol is spoken over HTTP.
const Path = "/mcp"

// Handler answers the protocol over HTTP (streamable), at Path. Requests stand alone: a game
// is found by its id, which nobody can guess. Pages of other sites are refused, and so is
// whatever names a host other than this machine.
func (s *Server) Handler() http.Handler {
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.protocol },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: int64(s.config.RequestBytes), Logger: s.log})
	mux := http.NewServeMux()
	mux.Handle(Path, http.NewCrossOriginProtection().Handler(h))
	return mux
}

// stopTime is how long calls in work may go on once the server is told to stop.
const stopTime = 3 * time.Second

// ServeHTTP speaks the protocol over HTTP at HOST:PORT until ctx ends. Addresses that other
// machines can reach are refused: whoever can connect can have bots think. ready, if not
// nil, is called with the URL once it answers.
func (s *Server) ServeHTTP(ctx context.Context, address string, ready func(url string)) error {
	l, err := server.Listen("tcp:" + address)
	if err != nil {
		return err
	}
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	if ready != nil {
		ready(fmt.Sprintf("http://%s%s", l.Addr(), Path))
	}
	select {
	case err := <-done:
		return fmt.Errorf("mcp: %w", err)
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if h.Shutdown(stop) != nil {
		h.Close()
	}
	<-done
	return nil
}
