package server_test

import (
	"crypto/tls"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
)

// A thousand connections that say nothing take no place of one that does, and a client that
// says hello gets in.
func TestSilentNewcomersKeepNobodyOut(t *testing.T) {
	reg := prometheus.NewRegistry()
	c := config()
	c.Connections, c.Metrics = 4, server.NewMetrics(reg)
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		first := p.dial(t)
		first.greet()
		var silent []*raw
		for range 1000 {
			silent = append(silent, p.dial(t))
		}
		synctest.Wait()
		if got := value(t, reg, "powderkeg_serve_newcomers"); got != 4 {
			t.Errorf("%g connections that say nothing are kept, want 4", got)
		}
		silent[0].wantFault("the oldest one", 0, protocol.CodeBusy, "say hello at once")
		silent[0].wantClosed("the oldest one")
		for range 3 {
			good := p.dial(t)
			good.greet()
			good.send(2, protocol.MethodGames, nil)
			good.want(2, nil)
		}
		full := p.dial(t)
		full.send(1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions})
		full.wantFault("a fifth one", 1, protocol.CodeBusy, "4 connections, which is all")
		full.wantClosed("a fifth one")
		first.send(2, protocol.MethodGames, nil)
		first.want(2, nil)
	})
}

// host is a connection from an address.
type host struct {
	net.Conn
	at net.IP
}

func (h host) RemoteAddr() net.Addr { return &net.TCPAddr{IP: h.at, Port: 1} }
func (h host) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2} }

// dialFrom connects from an address and returns the client's side.
func (p *pipes) dialFrom(at net.IP) net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- host{theirs, at}
	return ours
}

// Newcomers take places from those of their own address first, and from an address that has
// many before one that has few.
func TestNewcomersOfOneAddressTakeEachOthersPlaces(t *testing.T) {
	c := config()
	c.Newcomers, c.NewcomersPerAddress = 6, 4
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		patient := newRaw(t, p.dialFrom(net.IPv4(10, 0, 0, 1)))
		many := net.ParseIP("2001:db8::1")
		for i := range 100 {
			many[15] = byte(i) // of one network
			newRaw(t, p.dialFrom(append(net.IP{}, many...)))
		}
		for range 2 {
			newRaw(t, p.dialFrom(net.IPv4(10, 0, 0, 2)))
			newRaw(t, p.dialFrom(net.IPv4(10, 0, 0, 3)))
		}
		synctest.Wait()
		patient.greet()
	})
}

// A handshake of TLS and hello have the read timeout together, however slow they are within
// it.
func TestASlowHandshakeHasTheReadTimeout(t *testing.T) {
	certificate, key, trust := certified(t)
	c := config()
	var err error
	if c.TLS, err = server.LoadTLS(certificate, key); err != nil {
		t.Fatal(err)
	}
	c.Tokens = []string{goodToken}
	trust.ServerName = "127.0.0.1"
	now := time.Now()
	trust.Time = func() time.Time { return now } // that of the certificate, not of the bubble
	for _, x := range []struct {
		name                  string
		beforehand, afterward time.Duration
		in                    bool
	}{
		{"at once", 0, 0, true}, {"1.2 s before", 1200 * time.Millisecond, 0, true}, {"29 s before", 29 * time.Second, 0, true},
		{"14 s before, 15 s after", 14 * time.Second, 15 * time.Second, true}, {"29 s after", 0, 29 * time.Second, true},
		{"31 s before", 31 * time.Second, 0, false}, {"15 s before, 16 s after", 15 * time.Second, 16 * time.Second, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
				conn := p.dialFrom(net.IPv4(10, 0, 0, 1))
				defer conn.Close()
				time.Sleep(x.beforehand)
				secret := tls.Client(conn, trust)
				if err := secret.Handshake(); err != nil {
					if x.in {
						t.Errorf("handshake: %v", err)
					}
					return
				}
				time.Sleep(x.afterward)
				r := newRaw(t, secret)
				if !x.in {
					if response, err := r.receive(); err == nil && response.Error == nil {
						t.Errorf("too late, and answered: %+v", response)
					}
					return
				}
				r.send(1, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions, Token: goodToken})
				r.want(1, nil)
			})
		})
	}
}

// What comes before hello has one deadline, however often it is tried.
func TestFailedHellosShareADeadline(t *testing.T) {
	c := config()
	inBubble(t, c, func(t *testing.T, p *pipes, _, _ func()) {
		begin := time.Now()
		r := p.dial(t)
		for id := range uint64(5) {
			time.Sleep(5 * time.Second)
			r.send(id+1, protocol.MethodHello, map[string]any{"versoins": []int{1}})
			r.wantFault("a misspelt hello", id+1, protocol.CodeParams, "versoins")
		}
		r.wantFault("then", 0, protocol.CodeIdle)
		r.wantClosed("then")
		took(t, "all of it", begin, c.ReadTimeout)
	})
}

func TestHelloHasSmallFrames(t *testing.T) {
	address, _ := start(t, config())
	r := dialRaw(t, address)
	if _, err := r.conn.Write([]byte{0, 0, 0x10, 1}); err != nil {
		t.Fatal(err)
	}
	r.wantFault("a long hello", 0, protocol.CodeFrame, "the limit is 4096")
	r.wantClosed("a long hello")
}
