package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"

	"powderkeg/engine/option"
)

// Listen opens a listener on unix:PATH or tcp:HOST:PORT that other machines cannot
// reach. A Unix socket is made for its owner only; one that a dead server has left
// behind is replaced.
func Listen(address string) (net.Listener, error) { return listen(address, false) }

// Listen opens a listener as the function does, but for addresses that other
// machines can reach too if the server has both TLS and tokens.
func (s *Server) Listen(address string) (net.Listener, error) {
	return listen(address, s.config.secured())
}

func listen(address string, secured bool) (net.Listener, error) {
	network, rest, ok := strings.Cut(address, ":")
	switch {
	case ok && network == "unix" && rest != "":
		return listenUnix(rest)
	case ok && network == "tcp":
		return listenTCP(rest, secured)
	}
	return nil, fmt.Errorf("server: %q is no address; have unix:PATH, tcp:127.0.0.1:PORT", option.Shorten(address))
}

func listenUnix(path string) (net.Listener, error) {
	l, err := bindUnix(path)
	if errors.Is(err, syscall.EADDRINUSE) && abandoned(path) {
		os.Remove(path)
		l, err = bindUnix(path)
	}
	if err != nil {
		return nil, fmt.Errorf("server: listen on unix:%s: %w", option.Shorten(path), errors.Unwrap(err))
	}
	return l, nil
}

func bindUnix(path string) (net.Listener, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// abandoned reports whether path is a socket that nobody listens on.
func abandoned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != os.ModeSocket {
		return false
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		c.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

func listenTCP(hostPort string, secured bool) (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", hostPort)
	if err != nil {
		return nil, fmt.Errorf("server: listen on tcp:%s: %w", option.Shorten(hostPort), err)
	}
	// Before the port is open, even for a moment.
	if err := checkReach(addr, secured); err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("server: listen on tcp:%s: %w", option.Shorten(hostPort), errors.Unwrap(err))
	}
	return l, nil
}

// checkReach refuses addresses that other machines can reach unless the server is
// secured: anybody who can connect can play, load agents and use up its limits.
func checkReach(addr net.Addr, secured bool) error {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && !secured {
		return fmt.Errorf("server: %s can be reached from other machines, which takes both TLS (a certificate and its key) and a file of tokens; "+
			"or listen on 127.0.0.1 or on a unix socket and forward it, such as with ssh -L", tcp)
	}
	return nil
}
