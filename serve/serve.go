// Package serve runs a powderkeg server: the msgpack socket of package server,
// and metrics and health over HTTP beside it. serve/protocol/PROTOCOL.md
// describes the socket; serve/client (Go) and serve/python are its clients.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Config sets up Run.
type Config struct {
	// Listen are the addresses of the socket, unix:PATH or tcp:HOST:PORT, at least
	// one. A HOST that other machines can reach takes TLS and tokens.
	Listen []string
	// Certificate and Key are the PEM files of the TLS of TCP connections, both or
	// none; Tokens is a file with one token per line, one of which every client must
	// name. They fill in the fields TLS and Tokens of Server.
	Certificate, Key, Tokens string
	// HTTP is where /metrics, /healthz and /readyz are served, HOST:PORT on the loopback
	// interface; empty for nowhere.
	HTTP string
	// Server sets up the server. If its Metrics are nil, Run makes them.
	Server server.Config
	// Ready, if not nil, is called once all addresses take connections, with those
	// of the sockets and that of HTTP (nil if it is off).
	Ready func(sockets []net.Addr, http net.Addr)
}

// Run serves until ctx ends, then lets requests in work finish and returns nil.
func Run(ctx context.Context, c Config) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if c.Server.Metrics == nil {
		c.Server.Metrics = server.NewMetrics(registry)
	}
	if err := c.secure(); err != nil {
		return err
	}
	s, err := server.New(c.Server)
	if err != nil {
		return err
	}
	var sockets []net.Listener
	defer func() {
		for _, l := range sockets {
			l.Close()
		}
	}()
	var addresses []net.Addr
	for _, address := range c.Listen {
		l, err := s.Listen(address)
		if err != nil {
			return err
		}
		sockets = append(sockets, l)
		addresses = append(addresses, l.Addr())
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var web *observer
	if c.HTTP != "" {
		if web, err = observe(c.HTTP, s.Handler(registry), cancel); err != nil {
			return err
		}
		defer web.stop()
	}
	if c.Ready != nil {
		var at net.Addr
		if web != nil {
			at = web.listener.Addr()
		}
		c.Ready(addresses, at)
	}
	if err := s.Serve(ctx, sockets...); err != nil {
		return err
	}
	if cause := context.Cause(ctx); errors.Is(cause, errHTTP) {
		return cause
	}
	return nil
}

// secure reads the files of TLS and tokens.
func (c *Config) secure() (err error) {
	if (c.Certificate == "") != (c.Key == "") {
		return errors.New("serve: a certificate and its key come together; one is missing")
	}
	if c.Certificate != "" {
		if c.Server.TLS, err = server.LoadTLS(c.Certificate, c.Key); err != nil {
			return err
		}
	}
	if c.Tokens != "" {
		c.Server.Tokens, err = server.ReadTokens(c.Tokens)
	}
	return err
}

// errHTTP is wrapped by the error of a metrics server that failed.
var errHTTP = errors.New("serve: http")

// observer is the HTTP server beside the socket. It outlives the socket, so that
// /readyz tells of the drain.
type observer struct {
	listener net.Listener
	server   *http.Server
	done     chan struct{}
}

// observe starts an observer, which stop ends. If it fails, failed is called.
func observe(address string, h http.Handler, failed func(error)) (*observer, error) {
	l, err := server.Listen("tcp:" + address)
	if err != nil {
		return nil, err
	}
	o := &observer{listener: l, done: make(chan struct{}), server: &http.Server{
		Handler: h, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10,
	}}
	go func() {
		defer close(o.done)
		if err := o.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			failed(fmt.Errorf("%w: %w", errHTTP, err))
		}
	}()
	return o, nil
}

func (o *observer) stop() {
	o.server.Close()
	<-o.done
}
