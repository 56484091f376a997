package fleet

import (
	"crypto/rand"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Embedded is a NATS server in this process, for the workers of one machine.
type Embedded struct {
	server *server.Server
	token  string
}

// Embed starts one on a free port of the loopback interface, where only who has URL may enter.
// What it must keep beyond memory goes into dir.
func Embed(dir string) (*Embedded, error) {
	token := rand.Text()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token,
		JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 1 << 20,
	})
	if err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("nats: the embedded server does not start")
	}
	return &Embedded{s, token}, nil
}

// URL is where the server is, with the token that opens it.
func (e *Embedded) URL() string {
	return "nats://" + e.token + "@" + e.server.Addr().String()
}

// Close ends the server.
func (e *Embedded) Close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}
