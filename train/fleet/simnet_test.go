package fleet

import (
	"bytes"
	"errors"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// simNet is one broker or several, and the links to them, all of it in this process and, in a
// bubble of testing/synctest, in simulated time: no link is a socket. (Between brokers there are
// sockets, so that three of them take real time.)
type simNet struct {
	t       *testing.T
	options []func() *server.Options // of the brokers; a directory of one stays the same
	delay   func() time.Duration

	mu      sync.Mutex
	brokers []*server.Server // nil while they are down
	links   map[*simLink]bool
	group   sync.WaitGroup
}

// port is where a process is connected: it knows no other way to the broker.
type port struct {
	net    *simNet
	frozen bool // by simNet.mu, as are the others
	gone   bool
	next   int // the broker that was called last
}

var errUnreachable = errors.New("the simulated broker cannot be reached")

// start starts a broker, which finds what it has kept in its directory.
func (n *simNet) start(at int) {
	o := n.options[at]()
	o.JetStream, o.NoSigs, o.NoLog = true, true, true
	s, err := server.NewServer(o)
	if err != nil {
		n.t.Error(err)
		return
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		n.t.Error("a broker does not start")
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.brokers[at] = s
}

// stop kills a broker; with wipe its directory goes with it.
func (n *simNet) stop(at int, wipe bool) {
	n.mu.Lock()
	s := n.brokers[at]
	n.brokers[at] = nil
	for k := range n.links {
		if k.broker == at {
			k.close()
		}
	}
	n.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if wipe {
		if err := os.RemoveAll(n.options[at]().StoreDir); err != nil {
			n.t.Error(err)
		}
	}
}

// freeze holds up what ports send and get until it is thawed, as with a process that is stopped
// or a network that is split: the links stay, for as long as both ends have patience.
func (n *simNet) freeze(on bool, ports ...*port) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range ports {
		p.frozen = on
		for k := range n.links {
			if k.port == p {
				k.freeze(on)
			}
		}
	}
}

// unplug takes a port away for good, with its links, as the death of a process does.
func (n *simNet) unplug(p *port) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p.gone = true
	for k := range n.links {
		if k.port == p {
			k.close()
		}
	}
}

// InProcessConn implements nats.InProcessConnProvider. It must not wait, since the client holds
// a lock, for which others would wait without letting the time go by.
func (p *port) InProcessConn() (net.Conn, error) {
	n := p.net
	n.mu.Lock()
	defer n.mu.Unlock()
	if p.gone || p.frozen {
		return nil, errUnreachable
	}
	for range n.brokers {
		p.next = (p.next + 1) % len(n.brokers)
		if s := n.brokers[p.next]; s != nil {
			return p.connect(s)
		}
	}
	return nil, errUnreachable
}

// connect makes a link; the caller holds simNet.mu.
func (p *port) connect(s *server.Server) (net.Conn, error) {
	n := p.net
	far, err := s.InProcessConn()
	if err != nil {
		return nil, err
	}
	own, near := net.Pipe()
	k := &simLink{port: p, broker: p.next, near: near, far: far, done: make(chan struct{}), thawed: make(chan struct{})}
	close(k.thawed)
	n.links[k] = true
	k.carry(near, far)
	k.carry(far, near)
	return own, nil
}

// simLink is a connection.
type simLink struct {
	port        *port
	broker      int
	near, far   net.Conn
	done        chan struct{}
	established bool          // the handshake is over
	thawed      chan struct{} // closed unless the link is frozen
}

// close ends a link; the caller holds simNet.mu.
func (k *simLink) close() {
	if k.port.net.links[k] {
		delete(k.port.net.links, k)
		close(k.done)
		_, _ = k.near.Close(), k.far.Close()
	}
}

// freeze is that of a net; the caller holds its lock. A handshake does not survive it, for the
// same reason that InProcessConn must not wait.
func (k *simLink) freeze(on bool) {
	select {
	case <-k.thawed:
		if on {
			k.thawed = make(chan struct{})
		}
	default:
		if !on {
			close(k.thawed)
		}
	}
	if on && !k.established {
		k.close()
	}
}

// carry takes bytes one way. What is under way is read at once, so that no sender waits.
func (k *simLink) carry(from, to net.Conn) {
	n := k.port.net
	queue := make(chan []byte, 1<<12)
	n.group.Go(func() {
		defer close(queue)
		b := make([]byte, 64<<10)
		for {
			size, err := from.Read(b)
			if size > 0 {
				select {
				case queue <- bytes.Clone(b[:size]):
				case <-k.done:
					return
				}
			}
			if err != nil {
				n.mu.Lock()
				k.close()
				n.mu.Unlock()
				return
			}
		}
	})
	n.group.Go(func() {
		for data := range queue {
			n.mu.Lock()
			late, thawed := k.established, k.thawed
			k.established = k.established || from == k.far && bytes.Contains(data, []byte("PONG"))
			n.mu.Unlock()
			if late {
				time.Sleep(n.delay())
			}
			select {
			case <-thawed:
			case <-k.done:
				continue
			}
			_, _ = to.Write(data) // or the link is gone
		}
	})
}
