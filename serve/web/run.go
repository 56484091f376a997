package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"powderkeg/serve/server"
)

// RunConfig sets up Run.
type RunConfig struct {
	// Listen is HOST:PORT. A HOST that other machines can reach takes TLS and tokens.
	Listen string
	// Certificate and Key are the PEM files of TLS, both or none; Tokens is a file with one
	// token per line, one of which every browser must name.
	Certificate, Key, Tokens string
	// Server sets up the server; its Tokens and Secure are filled in.
	Server Config
	// Ready, if not nil, is called with the address of the page once it can be opened.
	Ready func(url string)
}

// stopTime is how long requests in work may go on once the server is told to stop.
const stopTime = 3 * time.Second

// Run serves the page until ctx ends. Every game is kept then.
func Run(ctx context.Context, c RunConfig) error {
	if (c.Certificate == "") != (c.Key == "") {
		return errors.New("web: a certificate and its key come together; one is missing")
	}
	var secret *tls.Config
	var err error
	if c.Certificate != "" {
		if secret, err = server.LoadTLS(c.Certificate, c.Key); err != nil {
			return err
		}
		secret.NextProtos = []string{"h2", "http/1.1"} // HTTP/2 has no bound on streams that tabs would meet
	}
	if c.Tokens != "" {
		if c.Server.Tokens, err = server.ReadTokens(c.Tokens); err != nil {
			return err
		}
	}
	c.Server.Secure = secret != nil
	l, err := listen(c.Listen, secret, len(c.Server.Tokens) > 0)
	if err != nil {
		return err
	}
	s, err := New(c.Server)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	if c.Ready != nil {
		scheme := "http"
		if secret != nil {
			scheme = "https"
		}
		c.Ready(fmt.Sprintf("%s://%s/", scheme, l.Addr()))
	}
	select {
	case err = <-done:
		s.Close()
		return fmt.Errorf("web: %w", err)
	case <-ctx.Done():
	}
	s.Close() // which ends the streams
	stop, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if h.Shutdown(stop) != nil {
		h.Close()
	}
	<-done
	return nil
}

// listen opens the page's address. One that other machines can reach takes both TLS and
// tokens: whoever can connect can play, make bots think and use up the limits.
func listen(address string, secret *tls.Config, tokens bool) (net.Listener, error) {
	if secret == nil || !tokens {
		l, err := server.Listen("tcp:" + address)
		if err != nil || secret == nil {
			return l, err
		}
		return tls.NewListener(l, secret), nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return tls.NewListener(l, secret), nil
}
