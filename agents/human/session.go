package human

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/replay"
)

// Seat says who plays on a seat of a session.
type Seat struct {
	Name  string
	Agent agents.Agent // nil for a person at the terminal
}

// Session is one game at a terminal between any number of people and agents.
type Session struct {
	Game engine.Game
	// Position is the JSON position that Game begins in (engine.StartAt), nil for its own
	// start; a replay needs it.
	Position []byte
	// Played are the moves of a game that is gone on with, chance events among them.
	Played []engine.Action
	Seats  []Seat // one per seat of the game
	Seed   uint64 // of chance and of the agents
	In     io.Reader
	Out    io.Writer
	// Practice allows every move of a person to be taken back, and those of others and of
	// chance with it.
	Practice bool
	// Save, if not nil, writes a replay to the file that the person has named. It is
	// called after the game, finished or not, if the person wants it.
	Save func(name string, data []byte) error
	// Interrupted, if not nil, reports of a context that has ended whether a person at the terminal has
	// ended it, who is then offered the replay too.
	Interrupted func(ctx context.Context) bool
	// Width, if not nil, returns how many columns the terminal has: longer lines are folded between
	// words. 0 is for no end of them.
	Width func() int
	// Draw, if not nil, draws what a person is shown, each time that it is shown. If it
	// fails, the person is told so, and it is not called again for that person.
	Draw func(view engine.View) error
}

// Play plays the session: it greets, plays, tells how the game ended and offers
// to save a replay. Without people it is one to watch, and every secret is told. A game
// that a person has left is no error; one that ctx has ended returns its error once the replay is saved.
func (s Session) Play(ctx context.Context) error {
	spec := s.Game.Spec()
	if len(s.Seats) != spec.Seats {
		return fmt.Errorf("play: %d players for the %d seats of %s", len(s.Seats), spec.Seats, spec.Name)
	}
	terminal := NewTerminal(s.In, s.Out)
	terminal.width = s.Width
	seats, people, names := s.sit(terminal)
	terminal.printf("%s (%s)\n", spec.Title, spec.Text)
	terminal.see(engine.Look(s.Game.New(), 0))
	for i, name := range names {
		terminal.printf("  seat %d: %s\n", i, name)
	}
	record := replay.New(s.Game, names...)
	record.Position = s.Position
	t := table.New(s.Game)
	h := newHandover(s.Game, terminal, people)
	made := newMoves(s.Game, people, s.Practice)
	options := table.Options{Played: s.Played, Each: func(state engine.State, a engine.Action) {
		record.Add(s.Game, state, a)
		made.add(state, a)
		steps(people, state, a)
		if h != nil {
			h.moves(state, a)
		}
	}}
	if h != nil {
		options.Before = h.offer
	}
	if w := newWatcher(s, terminal, people); w != nil {
		options.Before, options.Watch = w.before, w.log
	}
	if len(s.Played) > 0 {
		options.Before = catchUp(terminal, people, options.Before)
	}
	options.Back = func(err error) engine.State {
		if !errors.Is(err, errBack) {
			return nil
		}
		if h != nil {
			h.due = nil
		}
		state := made.rewind()
		record.Moves = record.Moves[:len(made.moves)]
		return state
	}
	returns, err := t.Play(ctx, seats, table.Seeds{Chance: s.Seed, Agents: s.Seed}, options)
	left := errors.Is(err, ErrQuit)
	if err != nil && ctx.Err() != nil && s.Interrupted != nil && s.Interrupted(ctx) {
		terminal.printf("\n")
		left = true
	}
	if err != nil && !left {
		return err
	}
	record.Close(t.State())
	terminal.see(engine.Look(t.State(), 0))
	for _, a := range seats {
		if person, ok := a.(*Agent); ok {
			person.farewell(t.State())
		}
	}
	if left {
		terminal.printf("The game ends here, undecided.\n")
	} else {
		terminal.printf("%s", outcome(spec, names, returns))
	}
	saving := ctx
	if ctx.Err() != nil {
		saving = context.WithoutCancel(ctx)
	}
	return cmp.Or(s.offerSave(saving, terminal, record), ctx.Err())
}

// catchUp returns a table.Options.Before that does not tell people at length of the moves that were
// made before they sat down again, and goes on with another one, or nil.
func catchUp(t *Terminal, people []*Agent, next func(context.Context, engine.State) error) func(context.Context, engine.State) error {
	caught := false
	return func(ctx context.Context, s engine.State) error {
		if !caught {
			caught = true
			t.printf("The game goes on; history tells what has happened in it.\n")
			for _, person := range people {
				if person != nil {
					person.told = len(person.history)
				}
			}
		}
		if next == nil {
			return nil
		}
		return next(ctx, s)
	}
}

// steps notes for the people whether they move step by step, before a move is made. Of a
// move that a person does not get to know it follows nothing.
func steps(people []*Agent, s engine.State, a engine.Action) {
	secretive, _ := s.(engine.Secretive)
	for p, person := range people {
		switch {
		case person == nil || s.ToAct() == engine.Chance:
		case s.ToAct() == engine.Player(p):
			person.steps = true
		case secretive == nil || secretive.Shows(engine.Player(p), a):
			person.steps = false
		}
	}
}

// sit makes the agents of the people, who are nil in people on the other seats.
func (s Session) sit(t *Terminal) (seats []agents.Agent, people []*Agent, names []string) {
	for _, seat := range s.Seats {
		var person *Agent
		if seat.Agent == nil {
			person = New(s.Game, t)
			person.draw = s.Draw
			seat.Agent = person
		}
		people = append(people, person)
		seats = append(seats, seat.Agent)
		names = append(names, seat.Name)
	}
	return seats, people, names
}

// farewell shows a finished game to the person. Of several people in a game with
// secrets only the one who was at the terminal last is shown the end, since the
// end of another may still be secret.
func (a *Agent) farewell(state engine.State) {
	if state.ToAct() != engine.Terminal {
		return
	}
	if _, secrets := state.(engine.Hidden); secrets && a.terminal.last != a {
		return
	}
	a.tellNews()
	a.show(engine.Look(state, a.seat))
}

// outcome says in words who has won: whoever has the highest return, in a
// cooperative game all or nobody.
func outcome(spec *engine.Spec, names []string, returns []float32) string {
	best := returns[0]
	for _, r := range returns {
		best = max(best, r)
	}
	var winners []string
	for i, r := range returns {
		if r == best {
			winners = append(winners, fmt.Sprintf("seat %d (%s)", i, names[i]))
		}
	}
	all := strings.Join(winners, " and ")
	var b strings.Builder
	switch alike := len(winners) == len(returns); {
	case alike && spec.Payoff != engine.ZeroSum && best == spec.MinReturn:
		fmt.Fprintln(&b, "Game over: nobody wins.")
	case alike && spec.Payoff == engine.Cooperative && best == spec.MaxReturn:
		fmt.Fprintln(&b, "Game over: all win together.")
	case alike:
		fmt.Fprintf(&b, "Game over: a draw between %s.\n", all)
	case len(winners) == 1:
		fmt.Fprintf(&b, "Game over: %s wins.\n", all)
	default:
		fmt.Fprintf(&b, "Game over: %s share the win.\n", all)
	}
	for i, r := range returns {
		fmt.Fprintf(&b, "  seat %d (%s): %+g\n", i, names[i], r)
	}
	return b.String()
}

// offerSave asks for a file name until saving works or none is given.
func (s Session) offerSave(ctx context.Context, t *Terminal, record *replay.Record) error {
	if s.Save == nil || len(record.Moves) == 0 {
		return nil
	}
	for {
		t.printf("Save a replay? Give a file name, or press Enter not to: ")
		name, err := t.in.next(ctx)
		if errors.Is(err, io.EOF) || err == nil && name == "" {
			t.printf("\n")
			return nil
		}
		if err != nil {
			return err
		}
		data, err := json.MarshalIndent(record, "", "  ")
		if err == nil {
			err = s.Save(name, data)
		}
		if err == nil {
			t.printf("Saved to %s.\n", name)
			return nil
		}
		t.printf("That did not work: %v\n", err)
	}
}
