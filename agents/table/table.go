// Package table seats agents at a game and plays it: the one loop in which
// each agent is shown what its seat may see and asked when it is to act.
package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Table plays games of one configured game. It owns its buffers and belongs to
// one goroutine at a time.
type Table struct {
	game     engine.Game
	state    engine.State
	hidden   engine.Hidden     // state, nil where nothing is hidden
	view     engine.View       // what was seen last; state itself where nothing is hidden
	chance   engine.Stochastic // state, nil for a game without chance
	rng      rand.PCG
	legal    []engine.Action
	outcomes []engine.Outcome
	returns  []float32
	logs     []*engine.Log // of the spectators
}

// New returns a table for the game.
func New(g engine.Game) *Table {
	t := &Table{game: g, state: g.New()}
	t.view = t.state
	if t.hidden, _ = t.state.(engine.Hidden); t.hidden != nil {
		t.view = t.hidden.NewView()
	}
	t.chance, _ = t.state.(engine.Stochastic)
	return t
}

// Seeds decide a game as far as chance does. The two are apart so that games with
// the same chance and other agents, or the same agents on other seats, can be
// compared.
type Seeds struct {
	Chance uint64 // of the chance events
	Agents uint64 // of the agents' own choices, mixed with the seat
}

// Options of one game.
type Options struct {
	// Start, if not nil, is the state that the game begins in. It is copied.
	Start engine.State
	// Played are moves that were made before, chance events among them. The game begins with them: they
	// are told like others, and nobody chooses them.
	Played []engine.Action
	// Before, if not nil, is called with every state, secrets included, before anybody
	// chooses in it. Its error ends the game.
	Before func(ctx context.Context, s engine.State) error
	// Each, if not nil, is called with every state, secrets included, before the
	// move that is made in it, chance events among them.
	Each func(s engine.State, a engine.Action)
	// Watch, if not nil, is told all that happens in the game, secrets included.
	Watch *engine.Log
	// Back, if not nil, is called with the error of an agent that was to act. It returns
	// the state that the game goes on from instead, which is copied, or nil if the error
	// ends the game. Agents go on as they are, and chance as it would have.
	Back func(err error) engine.State
}

// chanceStream is the PCG stream of chance events.
const chanceStream = 0x7461626c65

// Play plays one game to its end and returns what each seat has gained, valid
// until the next Play. There is one agent a seat, and each sits on one seat
// only. With agents that use nothing but their seeds the same seeds give the
// same game. The error of an agent names its seat and ends the game; State then
// tells how far it came.
func (t *Table) Play(ctx context.Context, seats []agents.Agent, seeds Seeds, o Options) ([]float32, error) {
	if want := t.game.Spec().Seats; len(seats) != want {
		return nil, fmt.Errorf("table: %d agents sit down to %s, which has %d seats", len(seats), t.game.Spec().Name, want)
	}
	if o.Start == nil {
		o.Start = t.game.New()
	}
	t.state.CopyFrom(o.Start)
	t.rng.Seed(seeds.Chance, chanceStream)
	t.follow(seats, o.Watch)
	for p, a := range seats {
		a.Start(engine.Player(p), uint64(engine.NewHash().Word(seeds.Agents).Word(uint64(p))))
	}
	for _, a := range o.Played {
		t.apply(a, &o)
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := t.state.ToAct()
		if o.Before != nil {
			if err := o.Before(ctx, t.state); err != nil {
				return nil, err
			}
		}
		if p == engine.Terminal {
			t.returns = t.state.Returns(t.returns[:0])
			return t.returns, nil
		}
		a, err := t.choose(ctx, p, seats)
		if err != nil {
			if o.Back != nil {
				if s := o.Back(err); s != nil {
					t.state.CopyFrom(s)
					continue
				}
			}
			return nil, err
		}
		t.apply(a, &o)
	}
}

// apply makes a move, and tells of it.
func (t *Table) apply(a engine.Action, o *Options) {
	if o.Each != nil {
		o.Each(t.state, a)
	}
	for _, l := range t.logs {
		l.Move(t.state, a)
	}
	if err := t.state.Apply(a); err != nil {
		panic(fmt.Sprintf("table: %s refuses a move that it offered: %v", t.game.Spec().Text, err))
	}
}

// State returns the state of the game played last, secrets included. It belongs
// to the table.
func (t *Table) State() engine.State { return t.state }

// choose returns the move of player p, which is a seat or engine.Chance.
func (t *Table) choose(ctx context.Context, p engine.Player, seats []agents.Agent) (engine.Action, error) {
	if p == engine.Chance {
		t.outcomes = t.chance.Outcomes(t.outcomes[:0])
		return engine.Sample(t.outcomes, &t.rng), nil
	}
	t.legal = t.state.Legal(t.legal[:0])
	if t.hidden != nil {
		t.hidden.See(p, t.view)
	}
	a, err := seats[p].Act(ctx, t.view, t.legal)
	if err != nil {
		return 0, fmt.Errorf("seat %d: %w", p, err)
	}
	// Checked before anybody is told of the move; Apply would be too late.
	if _, ok := slices.BinarySearch(t.legal, a); !ok {
		return 0, fmt.Errorf("seat %d: %w: action %s", p, engine.ErrIllegal, engine.MoveName(t.game, t.state, a))
	}
	return a, nil
}

// follow makes the logs of the spectators among the agents, beside that of somebody who
// looks from outside, which may be nil.
func (t *Table) follow(seats []agents.Agent, watch *engine.Log) {
	t.logs = t.logs[:0]
	if watch != nil {
		t.logs = append(t.logs, watch)
	}
	for p, agent := range seats {
		if spectator, ok := agent.(agents.Spectator); ok {
			log := engine.NewLog(t.game, engine.Player(p), spectator.Watch)
			if reader, ok := agent.(agents.Reader); ok {
				log.Headings(reader.Heading)
			}
			t.logs = append(t.logs, log)
		}
	}
	narrator, ok := t.state.(engine.Narrator)
	switch {
	case !ok:
	case len(t.logs) == 0:
		narrator.Listen(nil)
	default:
		narrator.Listen(func(e *engine.Event) {
			for _, l := range t.logs {
				l.Event(e)
			}
		})
	}
}
