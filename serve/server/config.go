package server

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"
)

// Positions says for which environments env.position answers. A position shows
// what the seats hide from each other.
type Positions string

const (
	// PositionsOwn: those in which the client plays every seat.
	PositionsOwn Positions = "own"
	// PositionsAll: also those in which agents of the server play.
	PositionsAll Positions = "all"
	// PositionsNone: none.
	PositionsNone Positions = "none"
)

// Config sets up a server. Every limit is at least 1 and every timeout above 0.
type Config struct {
	// NewAgent makes the agent that an agent string names. It is called from several
	// goroutines. Nil means that the server has no agents.
	NewAgent func(g engine.Game, text string) (agents.Agent, error)
	// Network returns where the network comes from that an agent string names, and
	// whether it names one. Such agents are not made by NewAgent, but share one copy
	// of the network, which acts for all connections in batches. Nil means that no
	// agent string names a network.
	Network func(g engine.Game, text string) (inference.Source, bool)
	// Inference sets up how networks act.
	Inference inference.Config
	// Thinking sets up how agents that think for long share the processors.
	Thinking thinking.Config
	// Agents are the names (what stands before a bracket or a colon) of the agents
	// that clients may load. "human" would read the server's terminal, and with
	// "checkpoint" clients choose files of the server's machine.
	Agents []string
	// Positions says for which environments clients may read the full state.
	Positions Positions

	// EvenTime hides how long agents on the seats of an environment have thought: over a
	// question with one answer, which would be answered at once, as long as over others, and
	// where a question in secret may have been asked as long as if it had.
	EvenTime bool

	// TLS, if not nil, is what TCP connections are encrypted with; Unix sockets never
	// are.
	TLS *tls.Config
	// Tokens, if there are any, are what clients must name one of, on all kinds of
	// connections. Addresses that other machines can reach take both.
	Tokens []string

	// FrameBytes bounds the body of a frame, either way, from 4 KiB to 1 GiB. A
	// connection holds up to two of them in memory.
	FrameBytes int
	// Connections bounds how many connections that have said hello are open at once.
	Connections int
	// Newcomers bounds the connections that have not said hello, which never take the place
	// of one that has, NewcomersPerAddress those from one address (all Unix sockets count as
	// one). Where there are so many, the oldest has to go. 0 stands for four times
	// Connections, and for Connections.
	Newcomers           int
	NewcomersPerAddress int
	// Environments bounds those of one connection, slots of vectorised ones
	// included, AllEnvironments those of all connections together.
	Environments    int
	AllEnvironments int
	// AgentsPerConnection bounds the agents of one connection, those that play
	// seats of its environments included.
	AgentsPerConnection int
	// MemoryBytes bounds what the environments, agents and datasets of one connection
	// hold, by an estimate from above, and long requests while the client is not silent.
	// Responses come on top of it.
	MemoryBytes int
	// AgentBytes is what one agent holds at most, for MemoryBytes. NewAgent must see
	// to it, such as by a bound on the simulations of a search.
	AgentBytes int
	// Workers bounds the goroutines that step one vectorised environment.
	Workers int

	// IdleTimeout is how long a connection may stay silent between requests.
	IdleTimeout time.Duration
	// ReadTimeout is how long the rest of a request may take once its first bytes
	// are there, and of a new connection the handshake of TLS and hello together.
	ReadTimeout time.Duration
	// WriteTimeout is how long a client may take to accept a response.
	WriteTimeout time.Duration
	// RequestTimeout is how long agents may think in one request, the time included for which
	// they wait for their turn.
	RequestTimeout time.Duration
	// DrainTimeout is how long requests in work may go on once the server is told
	// to stop; then their agents are interrupted and the connections are cut.
	DrainTimeout time.Duration

	// Logger receives connections that come and go (debug) and what an operator
	// should look at. Nil discards.
	Logger *slog.Logger
	// Metrics counts what the server does. Nil counts for nobody.
	Metrics *Metrics
}

// Default returns the configuration for a machine that is not shared with
// strangers, without agents.
func Default() Config {
	return Config{
		Agents:              []string{"random", "scripted", "mcts", "md", "network", "planner", "zoo", "level"},
		Positions:           PositionsOwn,
		EvenTime:            true,
		Inference:           inference.Default(),
		Thinking:            thinking.Default(),
		FrameBytes:          64 << 20,
		Connections:         64,
		Environments:        4096,
		AllEnvironments:     16384,
		AgentsPerConnection: 16,
		MemoryBytes:         1 << 30,
		AgentBytes:          8 << 20,
		Workers:             runtime.GOMAXPROCS(0),
		IdleTimeout:         10 * time.Minute,
		ReadTimeout:         30 * time.Second,
		WriteTimeout:        30 * time.Second,
		RequestTimeout:      time.Minute,
		DrainTimeout:        5 * time.Second,
	}
}

func (c *Config) newcomers() int { return cmp.Or(c.Newcomers, 4*c.Connections) }

func (c *Config) newcomersPerAddress() int { return cmp.Or(c.NewcomersPerAddress, c.Connections) }

// LeastFrame leaves room for the hello and for errors.
const LeastFrame = 4 << 10

// Validate returns all faults of the configuration, joined.
func (c Config) Validate() error {
	faults := []error{c.Inference.Validate(), c.Thinking.Validate()}
	for _, l := range []struct {
		name       string
		value, min int
	}{
		{"frame-bytes", c.FrameBytes, LeastFrame},
		{"connections", c.Connections, 1},
		{"newcomers", c.Newcomers, 0},
		{"newcomers-per-address", c.NewcomersPerAddress, 0},
		{"environments", c.Environments, 1},
		{"all-environments", c.AllEnvironments, c.Environments},
		{"agents-per-connection", c.AgentsPerConnection, 1},
		{"memory-bytes", c.MemoryBytes, 1 << 20},
		{"agent-bytes", c.AgentBytes, 0},
		{"workers", c.Workers, 1},
	} {
		if l.value < l.min {
			faults = append(faults, fmt.Errorf("server: %s is %d, it must be at least %d", l.name, l.value, l.min))
		}
	}
	if c.FrameBytes > protocol.MaxFrameBytes {
		faults = append(faults, fmt.Errorf("server: frame-bytes is %d, it must be at most %d", c.FrameBytes, protocol.MaxFrameBytes))
	}
	for _, l := range []struct {
		name  string
		value time.Duration
	}{
		{"idle-timeout", c.IdleTimeout},
		{"read-timeout", c.ReadTimeout},
		{"write-timeout", c.WriteTimeout},
		{"request-timeout", c.RequestTimeout},
		{"drain-timeout", c.DrainTimeout},
	} {
		if l.value <= 0 {
			faults = append(faults, fmt.Errorf("server: %s is %v, it must be above 0", l.name, l.value))
		}
	}
	for i, token := range c.Tokens {
		if err := checkToken(token); err != nil {
			faults = append(faults, fmt.Errorf("server: token %d: %w", i, err))
		}
	}
	switch c.Positions {
	case PositionsOwn, PositionsAll, PositionsNone:
	default:
		faults = append(faults, fmt.Errorf("server: positions is %q, it must be one of %q", c.Positions,
			[]Positions{PositionsOwn, PositionsAll, PositionsNone}))
	}
	return errors.Join(faults...)
}
