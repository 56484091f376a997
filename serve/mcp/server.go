// Package mcp lets language models play: a server of the Model Context Protocol (by its
// official Go SDK) whose tools list the games, read rules, begin a game against agents,
// look, list the legal actions, act and ask for a hint.
//
// A model plays one seat of a game, and every answer is made of what that seat sees
// (engine.Look) and is told (events), nothing else. Whatever goes wrong in a call is an
// answer that says in one line what was wrong and what would be right, so that the model can
// mend it; it is never an error of the protocol.
package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/python"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config sets up a server. Every limit is at least 1 and every duration above 0.
type Config struct {
	// NewAgent makes the agent that an agent string names. It is called from several
	// goroutines.
	NewAgent func(g engine.Game, text string) (agents.Agent, error)
	// Games bounds those that are open at once. A new one beyond it takes the place of the
	// one that has not been touched for longest.
	Games int
	// RequestBytes bounds a request, in bytes.
	RequestBytes int
	// Think is how long the agents may think in one call, Hint how long a hint may take.
	Think, Hint time.Duration
	// Thinkers bounds the calls in which agents think, or hints are thought of, at once.
	Thinkers int
	// Logger receives what an operator should look at. Nil discards.
	Logger *slog.Logger
}

// Default returns the configuration for a person's own machine, without agents.
func Default() Config {
	return Config{
		Games: 16, RequestBytes: 1 << 20, Think: 30 * time.Second, Hint: 800 * time.Millisecond, Thinkers: runtime.GOMAXPROCS(0),
	}
}

// Validate returns all faults of the configuration, joined.
func (c *Config) Validate() error {
	var faults []error
	if c.NewAgent == nil {
		faults = append(faults, errors.New("mcp: nobody makes agents"))
	}
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"games", int64(c.Games)}, {"request-bytes", int64(c.RequestBytes)}, {"think", int64(c.Think)}, {"hint", int64(c.Hint)}, {"thinkers",
			int64(c.Thinkers)},
	} {
		if l.value < 1 {
			faults = append(faults, fmt.Errorf("mcp: %s is %d, it must be at least 1", l.name, l.value))
		}
	}
	return errors.Join(faults...)
}

// Server keeps the games and answers the tools. It is safe for concurrent use.
type Server struct {
	config   Config
	log      *slog.Logger
	protocol *sdk.Server
	thinkers chan struct{}
	listed   func() (*Games, error) // the answer of games, made once

	mu    sync.Mutex
	games map[string]*game
	clock uint64 // counts touches
}

// New returns a server without games.
func New(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Server{config: c, log: cmp.Or(c.Logger, slog.New(slog.DiscardHandler)), thinkers: make(chan struct{}, c.Thinkers), games: map[string]*game{}}
	s.protocol = sdk.NewServer(&sdk.Implementation{Name: "powderkeg", Title: "Powderkeg", Version: python.Version()},
		&sdk.ServerOptions{Instructions: instructions, Logger: s.log})
	s.listed = sync.OnceValues(s.list)
	if err := s.addTools(); err != nil {
		return nil, err
	}
	return s, nil
}

// keep gives a game a name that nobody can guess, so that of several models at one server
// each plays its own, and returns the name of the game whose place it takes, "" for none.
func (s *Server) keep(g *game) (gone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.games) >= s.config.Games {
		for id, other := range s.games {
			if gone == "" || other.touched < s.games[gone].touched {
				gone = id
			}
		}
		delete(s.games, gone)
	}
	const letters = 12 // 60 bits
	g.id = g.game.Spec().Name + "-" + strings.ToLower(rand.Text()[:letters])
	s.clock++
	g.touched = s.clock
	s.games[g.id] = g
	return gone
}

// find returns the game of that name.
func (s *Server) find(id string) (*game, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.games[id]; g != nil {
		s.clock++
		g.touched = s.clock
		return g, nil
	}
	if id == "" {
		return nil, errors.New("id is missing; it is the id that new_game has answered with")
	}
	return nil, fmt.Errorf("no game %q is open; ids come from new_game, and at most %d games are open, the ones touched last", shorten(id),
		s.config.Games)
}

// thinking does something that takes a while, within the limits.
func (s *Server) thinking(ctx context.Context, limit time.Duration, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case s.thinkers <- struct{}{}: // even if there is hardly any time
	default:
		select {
		case s.thinkers <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("the server is busy; try again")
		}
	}
	defer func() { <-s.thinkers }()
	return do(ctx)
}
