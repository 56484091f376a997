// Package web is the table in the browser: games between people and agents, each a link
// with a name that nobody can guess, over HTTP.
//
// A page gets what its seat sees and is told, and nothing else: Screen is made of
// engine.Look and of the events that the seat gets to know. A change of the game reaches
// it as an event of a stream; moves are posted. The pages are TypeScript in ui, bundled
// into dist, which is embedded.
//
// A game is written down as it is played (journal), so that a server that starts anew goes
// on with all of them, and one that nobody looks at takes no memory.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/serve/thinking"
)

// Config sets up a server. Every limit is at least 1 and every duration but Expire above 0.
type Config struct {
	// Folder is where games are kept; it is made if it is missing.
	Folder string
	// NewAgent makes the agent that an agent string names. It is called from several
	// goroutines.
	NewAgent func(g engine.Game, text string) (agents.Agent, error)
	// Tokens, if there are any, are what a browser must name one of before it gets
	// anything but the page that asks for it.
	Tokens []string
	// Secure is true where the pages come over TLS: cookies are for it alone then, and any
	// host name will do.
	Secure bool

	// Games bounds those that are kept, Awake those in memory at once.
	Games, Awake int
	// Listeners bounds the streams of one game, AllListeners those of all games.
	Listeners, AllListeners int
	// BodyBytes bounds a request, such as a position or a replay.
	BodyBytes int64
	// Think is how long an agent may think about one move, without the time for which it waits.
	Think time.Duration
	// Thinkers bounds the agents and teachers that think for long at once. They take turns,
	// table by table, the one that has waited longest first, and pages and short thoughts go
	// past them. Teachers bounds the hints and reviews that are asked for at once.
	Thinkers, Teachers int
	// EvenTime has bots take as long over a question with one answer as over others where
	// something is hidden, and shows a pause wherever, for all that a seat knows, somebody may
	// have been asked in secret: nobody learns from the time whether they had a choice.
	EvenTime bool
	// Idle is how long a game that nobody looks at stays in memory.
	Idle time.Duration
	// Expire is after how long a game that is not over is removed if nothing has happened in it; 0
	// keeps all.
	Expire time.Duration

	// Logger receives what an operator should look at. Nil discards.
	Logger *slog.Logger
}

// Default returns the configuration for a person's own machine, without a folder and
// without agents.
func Default() Config {
	return Config{
		Games: 10000, Awake: 200, Listeners: 32, AllListeners: 512,
		BodyBytes: 4 << 20, Think: 30 * time.Second, EvenTime: true, Thinkers: thinking.Default().Thinkers, Teachers: runtime.GOMAXPROCS(0), Idle: 5 * time.Minute,
		Expire: 90 * 24 * time.Hour,
	}
}

// Validate returns all faults of the configuration, joined.
func (c *Config) Validate() error {
	var faults []error
	if c.Folder == "" {
		faults = append(faults, errors.New("web: no folder; games have to be kept somewhere"))
	}
	if c.NewAgent == nil {
		faults = append(faults, errors.New("web: nobody makes agents"))
	}
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"games", int64(c.Games)}, {"awake", int64(c.Awake)}, {"listeners", int64(c.Listeners)}, {"all-listeners", int64(c.AllListeners)},
		{"body-bytes", c.BodyBytes}, {"think", int64(c.Think)}, {"thinkers", int64(c.Thinkers)},
		{"teachers", int64(c.Teachers)}, {"idle", int64(c.Idle)},
	} {
		if l.value < 1 {
			faults = append(faults, fmt.Errorf("web: %s is %d, it must be at least 1", l.name, l.value))
		}
	}
	if c.Expire < 0 {
		faults = append(faults, fmt.Errorf("web: expire is %v, it must not be negative", c.Expire))
	}
	return errors.Join(faults...)
}

// Server keeps the games and answers the pages. Close ends it.
type Server struct {
	config  Config
	log     *slog.Logger
	gate    gate
	files   *files
	library library
	carrier carrier

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup // agents that think, and the one that puts games to sleep
	thinks  *thinking.Pool
	lessons chan struct{} // of teachers at work
	trials  int           // of a teacher at most, 0 for as many as there is time for

	mu        sync.Mutex
	awake     map[string]*session
	listeners int
	finished  map[string]bool // games that are over, as far as expire has looked
	seed      func() uint64   // of the games that are made without one
}

// New returns a server of the games in its folder.
func New(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	files, err := bundle()
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: c, log: cmp.Or(c.Logger, slog.New(slog.DiscardHandler)), files: files, gate: newGate(c.Tokens, c.Secure),
		lessons: make(chan struct{}, c.Teachers), awake: map[string]*session{}, finished: map[string]bool{}, seed: seed,
	}
	turns := thinking.Default()
	turns.Thinkers, turns.Limit = c.Thinkers, c.Think
	if s.thinks, err = thinking.NewPool(turns, nil); err != nil {
		return nil, err
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.running.Go(s.watchIdle)
	if c.Expire > 0 {
		s.running.Go(s.watchExpired)
	}
	return s, nil
}

// Close ends all streams and all thinking and waits for them. Every game is written down.
func (s *Server) Close() {
	s.cancel()
	s.mu.Lock()
	for id, t := range s.awake {
		t.mu.Lock()
		t.sleep()
		t.mu.Unlock()
		delete(s.awake, id)
	}
	s.mu.Unlock()
	s.running.Wait()
}

// watchIdle puts games to sleep that nobody has looked at for a while.
func (s *Server) watchIdle() {
	tick := time.NewTicker(max(s.config.Idle/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			s.mu.Lock()
			s.rest(time.Now().Add(-s.config.Idle))
			s.mu.Unlock()
		}
	}
}

// rest puts games to sleep that have been idle since before a moment. The server is
// locked.
func (s *Server) rest(before time.Time) {
	for id, t := range s.awake {
		if !t.mu.TryLock() {
			continue // somebody is at it
		}
		if t.idleSince(before) {
			t.sleep()
			delete(s.awake, id)
		}
		t.mu.Unlock()
	}
}

// errNoGame is the error of a link to a game that is not kept here.
var errNoGame = &problem{http.StatusNotFound, "no_game", "There is no game at this link. One that is left unfinished is removed some day."}

// errBusy is the error of a request that goes beyond a limit of the server.
var errBusy = &problem{http.StatusServiceUnavailable, "busy", "Too many games are being played here at the moment. Try again later."}

// with calls do with the game of that name, locked and awake.
func (s *Server) with(id string, do func(t *session) error) error {
	for {
		t, err := s.find(id)
		if err != nil {
			return err
		}
		t.mu.Lock()
		if t.asleep { // since it was found
			t.mu.Unlock()
			continue
		}
		t.used = time.Now()
		err = do(t)
		t.mu.Unlock()
		return err
	}
}

// find returns the game of that name, woken if it sleeps.
func (s *Server) find(id string) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.awake[id]; t != nil {
		return t, nil
	}
	if !validID(id) {
		return nil, errNoGame
	}
	if err := s.room(); err != nil {
		return nil, err
	}
	t, err := s.wake(id)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoGame
	}
	if err != nil {
		s.log.Error("a game cannot be read", "game", id, "error", err)
		return nil, &problem{http.StatusInternalServerError, "damaged", "This game cannot be read any more: " + err.Error()}
	}
	s.awake[id] = t
	return t, nil
}

// room makes room for one more game in memory. The server is locked.
func (s *Server) room() error {
	if s.ctx.Err() != nil {
		return errBusy
	}
	if len(s.awake) >= s.config.Awake {
		s.rest(time.Now())
	}
	if len(s.awake) >= s.config.Awake {
		return errBusy
	}
	return nil
}
