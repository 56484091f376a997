package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
)

// Listen opens a listener on unix:PATH or tcp:HOST:PORT. TCP is for the loopback
// interface alone, since anybody who can connect can play, load agents and use
// up the server's limits. A Unix socket is made for its owner only; one that a
// dead server has left behind is replaced.
func Listen(address string) (net.Listener, error) {
	network, rest, ok := strings.Cut(address, ":")
	switch {
	case ok && network == "unix" && rest != "":
		return listenUnix(rest)
	case ok && network == "tcp":
		return listenTCP(rest)
	}
	return nil, fmt.Errorf("server: %q is no address; have unix:PATH, tcp:127.0.0.1:PORT", address)
}

func listenUnix(path string) (net.Listener, error) {
	l, err := bindUnix(path)
	if errors.Is(err, syscall.EADDRINUSE) && abandoned(path) {
		os.Remove(path)
		l, err = bindUnix(path)
	}
	if err != nil {
		return nil, fmt.Errorf("server: listen on unix:%s: %w", path, errors.Unwrap(err))
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

// abandoned tells whether path is a socket that nobody listens on.
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

func listenTCP(hostPort string) (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", hostPort)
	if err != nil {
		return nil, fmt.Errorf("server: listen on tcp:%s: %w", hostPort, err)
	}
	// Before the port is open, even for a moment.
	if err := checkLocal(addr); err != nil {
		return nil, err
	}
	l, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("server: listen on tcp:%s: %w", hostPort, errors.Unwrap(err))
	}
	return l, nil
}

// checkLocal refuses addresses that other machines can reach.
func checkLocal(addr net.Addr) error {
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		return fmt.Errorf("server: %s can be reached from other machines, and the protocol has neither encryption nor passwords; "+
			"listen on 127.0.0.1 or on a unix socket and forward it, such as with ssh -L", tcp)
	}
	return nil
}
