package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/teacher"
	"powderkeg/serve/told"
)

// game is a game in progress, in which a model plays one seat and agents the others.
// Everything but its name is guarded by mu, touched by the server's.
type game struct {
	id      string
	touched uint64

	mu      sync.Mutex
	game    engine.Game
	env     *env.Env
	seat    engine.Player
	players []string       // agent strings, "you" for the model
	agents  []agents.Agent // by seat, nil for the model's
	reader  *told.Reader
	events  []told.Event // what the seat was told since its last decision
	fault   error        // why the game cannot go on
	teacher *teacher.Teacher
	told    known
	played  string // name of the first action of the model's last call
}

// you stands in the place of an agent string for the model itself.
const you = "you"

// sit makes a game with a model on a seat and agents on the others, at its beginning. An
// agent string is for all of them, or there is one for each in the order of the seats.
func (s *Server) sit(eg engine.Game, seat int, opponents []string) (*game, error) {
	spec := eg.Spec()
	if seat < 0 || seat >= spec.Seats {
		return nil, fmt.Errorf("seat is %d; %s has the seats 0 to %d", seat, spec.Text, spec.Seats-1)
	}
	if len(opponents) == 0 {
		opponents = []string{"scripted"}
	}
	if len(opponents) != 1 && len(opponents) != spec.Seats-1 {
		return nil, fmt.Errorf("%d opponents; %s takes %d, or one for all of them", len(opponents), spec.Text, spec.Seats-1)
	}
	g := &game{game: eg, seat: engine.Player(seat), reader: told.NewReader(eg), agents: make([]agents.Agent, spec.Seats),
		players: make([]string, spec.Seats)}
	next := 0
	for p := range spec.Seats {
		if p == seat {
			g.players[p] = you
			continue
		}
		text := opponents[next%len(opponents)]
		next++
		a, err := s.config.NewAgent(eg, text)
		if err != nil {
			return nil, err
		}
		g.agents[p], g.players[p] = a, text
	}
	var err error
	g.env, err = env.New(eg, env.Options{})
	return g, err
}

// begin plays up to the model's first decision, or the end. What happens follows from the
// seed.
func (s *Server) begin(ctx context.Context, g *game, seed uint64) (err error) {
	defer env.Recover(g.game, &err)
	told.Hear(g.env.State(), []engine.Player{g.seat}, func(_ engine.Player, e told.Event) { g.events = append(g.events, e) })
	g.env.Reset(seed)
	for p, a := range g.agents {
		if a != nil {
			a.Start(engine.Player(p), uint64(engine.NewHash().Word(seed).Word(0).Word(uint64(p))))
		}
	}
	return s.play(ctx, g)
}

// drawSeed returns a seed that every language can hold. The model is not told it: all
// chance follows from it.
func drawSeed() uint64 { return rand.Uint64N(1 << 53) }

// play has the agents play up to the model's next decision or the end.
func (s *Server) play(ctx context.Context, g *game) error {
	if g.over() || g.env.Actor() == g.seat {
		return nil
	}
	err := s.thinking(ctx, s.config.Think, func(ctx context.Context) error {
		for !g.over() && g.env.Actor() != g.seat {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("the opponents thought for longer than %v", s.config.Think)
			}
			if err := g.turn(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		g.fault = err
		s.log.Error("a game broke down", "game", g.game.Spec().Text, "error", err)
	}
	return err
}

// turn makes the move of an agent. One that breaks down costs its game.
func (g *game) turn(ctx context.Context) (err error) {
	defer env.Recover(g.game, &err)
	p := g.env.Actor()
	a, err := g.agents[p].Act(ctx, g.env.View(p), g.env.Legal())
	if err == nil && !slices.Contains(g.env.Legal(), a) {
		err = fmt.Errorf("action %d is not legal", a)
	}
	if err != nil {
		return fmt.Errorf("%s on seat %d failed: %w", g.players[p], p, err)
	}
	return g.env.Step(a)
}

func (g *game) over() bool { return g.env.Terminated() || g.env.Truncated() }

// open says why nothing can be done in the game any more.
func (g *game) open() error {
	switch {
	case g.fault != nil:
		return fmt.Errorf("game %s was given up: %w; begin another one with new_game", g.id, g.fault)
	case g.over():
		return fmt.Errorf("game %s is over; look shows how it ended, new_game begins another one", g.id)
	}
	return nil
}

// act plays actions of the model's, by number or by name, and what follows up to its next
// decision. A first action that is not legal changes nothing. Of a list the rest is not played
// once one is not legal, or others have decided since; unplayed says so.
func (s *Server) act(ctx context.Context, g *game, named []json.RawMessage) (unplayed string, err error) {
	if err := g.open(); err != nil {
		return "", err
	}
	for i, name := range named {
		a, err := g.action(name)
		if err != nil && i > 0 {
			return fmt.Sprintf("Played %d of %d actions: %v.", i, len(named), err), nil
		}
		if err != nil {
			return "", err
		}
		if i == 0 {
			g.events, g.played = g.events[:0:0], g.game.Spec().Actions[a]
		}
		if err := g.apply(a); err != nil {
			g.fault = err
			return "", err
		}
		asked := !g.over() && g.env.Actor() == g.seat
		if err := s.play(ctx, g); err != nil {
			return "", err
		}
		if rest := len(named) - i - 1; rest > 0 && (g.over() || !asked) {
			return fmt.Sprintf("Played %d of %d actions: then others decided, or the game was over.", i+1, len(named)), nil
		}
	}
	return "", nil
}

func (g *game) apply(a engine.Action) (err error) {
	defer env.Recover(g.game, &err)
	return g.env.Step(a)
}

// action finds the legal action that a number or a name stands for.
func (g *game) action(named json.RawMessage) (engine.Action, error) {
	var name string
	if len(named) == 0 || string(named) == "null" {
		return 0, fmt.Errorf("action is missing; legal here: %s", g.choices())
	}
	if err := json.Unmarshal(named, &name); err == nil {
		for _, a := range g.env.Legal() {
			if g.game.Spec().Actions[a] == name {
				return a, nil
			}
		}
		if n, err := strconv.ParseInt(name, 10, 64); err == nil { // a number that comes as a string
			return g.numbered(n)
		}
		return 0, fmt.Errorf("action %q is not legal here; legal: %s", shorten(name), g.choices())
	}
	n, err := strconv.ParseInt(string(named), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("action is %s, it must be the number or the name of an action; legal: %s", shorten(string(named)), g.choices())
	}
	return g.numbered(n)
}

// numbered finds the legal action of a number, as the wide number that it came as.
func (g *game) numbered(n int64) (engine.Action, error) {
	for _, a := range g.env.Legal() {
		if int64(a) == n {
			return a, nil
		}
	}
	return 0, fmt.Errorf("action %d is not legal here; legal: %s", n, g.choices())
}

// choices lists the legal actions by number and name, the first ones of many.
func (g *game) choices() string {
	const shown = 20
	var list []string
	legal := g.env.Legal()
	for _, a := range legal[:min(shown, len(legal))] {
		list = append(list, fmt.Sprintf("%d %s", a, g.game.Spec().Actions[a]))
	}
	if n := len(legal) - shown; n > 0 {
		list = append(list, fmt.Sprintf("and %d more, which the tool legal lists", n))
	}
	return strings.Join(list, ", ")
}

// view returns what the model's seat sees. It is valid until the next move.
func (g *game) view() engine.View { return g.env.View(g.seat) }
