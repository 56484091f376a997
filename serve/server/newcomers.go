package server

import (
	"net"
	"net/netip"
	"slices"
	"time"

	"powderkeg/serve/protocol"
)

// newcomers are the connections that have not said hello, oldest first. Strangers can open
// as many as they like, so they have places of their own, which they take from each other:
// where there is none left, the oldest has had the longest time to say hello and goes. One
// that says it at once therefore gets in, however many there are that do not.
type newcomers []*conn

// addressOf returns what connections of one peer have in common: the address of its machine,
// of IPv6 the network, all of whose addresses are usually one owner's.
func addressOf(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return a.Network()
	}
	ip := tcp.AddrPort().Addr().Unmap()
	if ip.Is6() {
		return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
	}
	return ip.String()
}

// oldest returns the index of the oldest one of an address.
func (n newcomers) oldest(address string) int {
	return slices.IndexFunc(n, func(c *conn) bool { return c.address == address })
}

// most returns the address that has the most, and how many. Of two the older one counts.
func (n newcomers) most() (address string, count int) {
	counts := map[string]int{}
	for _, c := range n {
		counts[c.address]++
	}
	for _, c := range n {
		if counts[c.address] > count {
			address, count = c.address, counts[c.address]
		}
	}
	return address, count
}

// count returns how many an address has.
func (n newcomers) count(address string) int {
	count := 0
	for _, c := range n {
		if c.address == address {
			count++
		}
	}
	return count
}

// welcome gives a connection a place among the newcomers, and takes that of another where
// there is none.
func (s *Server) welcome(c *conn) {
	s.mu.Lock()
	goes := -1
	if s.newcomers.count(c.address) >= s.config.newcomersPerAddress() {
		goes = s.newcomers.oldest(c.address)
	} else if len(s.newcomers) >= s.config.newcomers() {
		address, _ := s.newcomers.most()
		goes = s.newcomers.oldest(address)
	}
	var other *conn
	if goes >= 0 {
		other = s.newcomers[goes]
		s.newcomers = slices.Delete(s.newcomers, goes, goes+1)
	}
	s.newcomers = append(s.newcomers, c)
	s.metrics.newcomers.Set(float64(len(s.newcomers)))
	s.mu.Unlock()
	if other != nil {
		s.metrics.dropped.Inc()
		other.displaced.Store(true)
		other.net.SetReadDeadline(time.Now())
	}
}

// admit gives a newcomer that has said hello a place among the connections.
func (s *Server) admit(c *conn) *protocol.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.Index(s.newcomers, c)
	switch {
	case at < 0:
		return errDisplaced
	case len(s.conns) >= s.config.Connections:
		s.metrics.refused.Inc()
		return protocol.Errorf(protocol.CodeBusy, "the server has %d connections, which is all it takes; try again later", s.config.Connections)
	}
	s.newcomers = slices.Delete(s.newcomers, at, at+1)
	s.metrics.newcomers.Set(float64(len(s.newcomers)))
	s.conns[c] = struct{}{}
	s.metrics.connections.Set(float64(len(s.conns)))
	return nil
}

// leave gives up the place of a connection.
func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.metrics.connections.Set(float64(len(s.conns)))
	if at := slices.Index(s.newcomers, c); at >= 0 {
		s.newcomers = slices.Delete(s.newcomers, at, at+1)
		s.metrics.newcomers.Set(float64(len(s.newcomers)))
	}
}

// errDisplaced is the error of a newcomer whose place another one has taken.
var errDisplaced = protocol.Errorf(protocol.CodeBusy,
	"so many connections that have not said hello are open that this one, which is the oldest, has to go; say hello at once")
