package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/replay"
	"powderkeg/train/bank"
	"powderkeg/train/luck"
)

// Entry is a game of the archive.
type Entry struct {
	Place
	Record *replay.Record `json:"record,omitempty"`
	// Luck is that of the measured agent's seat, where it is taken out.
	Luck *float64 `json:"luck,omitempty"`
	// Answers are those of the agent in a solved position, and Lost is what each seat loses by them.
	Answers []byte    `json:"answers,omitempty"`
	Lost    []float64 `json:"lost,omitempty"`
}

// Source makes the agents that are measured. An agent belongs to one goroutine and is closed
// after its games if it is an io.Closer.
type Source interface {
	// Name says what the agents come from, for the reader of a row.
	Name() string
	// Agent makes the agent of that name for a game, or says why it cannot play it.
	Agent(ctx context.Context, g engine.Game, name string) (agents.Agent, error)
}

// ours is the Source of the agents of this program that can be asked again: those without a
// memory or a limit on their time.
type ours struct{}

// Name implements Source.
func (ours) Name() string { return "" }

// Agent implements Source.
func (ours) Agent(_ context.Context, g engine.Game, name string) (agents.Agent, error) {
	if _, err := roster.Policies(g, name); err != nil {
		return nil, err
	}
	return roster.New(g, name)
}

// player plays the games of a task and a run, with agents of its own. It belongs to one
// goroutine.
type player struct {
	suite  *Definition
	task   *Task
	run    int
	agent  string
	table  *table.Table
	own    agents.Agent
	others map[int][]agents.Agent // by table
	start  json.RawMessage        // the position of the records, nil for the game's own
	meter  *luck.Meter            // of luck that is taken out, nil where none is
	solved bank.Player            // in solved positions, where nothing else is needed
}

// newPlayer makes the agent for the task and the run of a place, and a table for it.
func newPlayer(ctx context.Context, d *Definition, at Place, source Source, agent string) (*player, error) {
	t := d.Task(at.Task)
	if t.bank != nil {
		solved, err := newSolved(ctx, d, at, source, agent)
		return &player{suite: d, task: t, run: at.Run, solved: solved}, err
	}
	own, err := source.Agent(ctx, t.game, at.agent(agent))
	if err != nil {
		return nil, err
	}
	p := &player{suite: d, task: t, run: at.Run, agent: agent, table: table.New(t.game), own: own, others: map[int][]agents.Agent{}}
	if p.meter, err = t.newMeter(); err != nil {
		return nil, err
	}
	if t.Position != "" {
		if p.start, err = t.game.New().MarshalJSON(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// begins reports whether a record begins in the position of the task, in the words of now or in
// older ones. A moment in the middle of a procedure was once written by what it looks like alone,
// and is no longer read.
func (p *player) begins(position json.RawMessage) bool {
	if reflect.DeepEqual(position, p.start) {
		return true
	}
	begun := p.task.game.New()
	looks, ok := begun.(interface{ Print() ([]byte, error) })
	if !ok || p.start == nil {
		return false
	}
	if older, err := looks.Print(); err == nil && bytes.Equal(position, older) {
		return true
	}
	s, err := p.task.game.Load(position, engine.Lenient)
	return err == nil && s.Hash() == begun.Hash()
}

// close gives the agent up. It may be called of no player.
func (p *player) close() error {
	if p == nil {
		return nil
	}
	if own, ok := p.own.(io.Closer); ok {
		return own.Close()
	}
	return nil
}

// seats returns who sits where in a game.
func (p *player) seats(at Place) ([]agents.Agent, error) {
	others := p.others[at.Table]
	for len(others) < p.task.game.Spec().Seats-1 {
		a, err := roster.New(p.task.game, p.task.Tables[at.Table])
		if err != nil {
			return nil, err
		}
		others = append(others, a)
	}
	p.others[at.Table] = others
	seats := make([]agents.Agent, 0, len(others)+1)
	seats = append(seats, others[:at.Seat]...)
	seats = append(seats, p.own)
	return append(seats, others[at.Seat:]...), nil
}

// play plays the game at a place of the plan and records it, or asks the agent in a solved position.
func (p *player) play(ctx context.Context, at Place) (Entry, error) {
	if p.solved != nil {
		return p.suite.lose(ctx, at, p.solved)
	}
	seats, err := p.seats(at)
	if err != nil {
		return Entry{}, err
	}
	g := p.task.game
	r := replay.New(g, p.task.players(at, p.agent)...)
	r.Position = p.start
	if _, err := p.table.Play(ctx, seats, p.suite.seeds(at), withLuck(p.meter, table.Options{
		Each: func(s engine.State, a engine.Action) { r.Add(g, s, a) },
	})); err != nil {
		return Entry{}, fmt.Errorf("%s: %w", p.agent, err)
	}
	r.Close(p.table.State())
	luck, err := luckOf(p.meter, at.Seat)
	return Entry{Place: at, Record: r, Luck: luck}, err
}

// prove plays a recorded game again: its seats make the moves of the record, and chance is
// drawn anew from the seed of the place. Whatever differs is an error. Of answers in a solved position it works
// out again what they lose.
func (d *Definition) prove(ctx context.Context, e Entry, agent string) error {
	t := d.Task(e.Task)
	if t == nil {
		return fmt.Errorf("suite %s has no task %q", d.Name, e.Task)
	}
	if t.bank != nil {
		return d.proveLost(ctx, e)
	}
	luck, err := d.replay(ctx, t, e, agent)
	if err != nil {
		return err
	}
	return sameLuck(luck, e.Luck)
}

// replay plays a recorded game again and returns its luck, nil where none is taken out.
func (d *Definition) replay(ctx context.Context, t *Task, e Entry, agent string) (*float64, error) {
	start, err := newPlayer(ctx, d, e.Place, ours{}, "random")
	if err != nil {
		return nil, err
	}
	want := t.players(e.Place, agent)
	switch r := e.Record; {
	case r == nil:
		return nil, fmt.Errorf("it has no record")
	case r.Format != replay.Format || r.Game != t.Game || r.Rules != t.Rules:
		return nil, fmt.Errorf("it is %s by version %d of the rules, format %s; the task is %s by version %d, format %s", r.Game, r.Rules, r.Format, t.Game,
			t.Rules, replay.Format)
	case !reflect.DeepEqual(r.Players, want):
		return nil, fmt.Errorf("its players are %v, want %v", r.Players, want)
	case !start.begins(r.Position):
		return nil, fmt.Errorf("it does not begin in the position of the task")
	}
	return start.retell(ctx, e, want)
}

// retell plays the moves of a record.
func (p *player) retell(ctx context.Context, e Entry, want []string) (*float64, error) {
	t := p.task
	again := &retold{game: t.game, record: e.Record}
	seats := make([]agents.Agent, t.game.Spec().Seats)
	for s := range seats {
		seats[s] = again
	}
	played := table.New(t.game)
	fresh := replay.New(t.game, want...)
	fresh.Position = e.Record.Position
	_, err := played.Play(ctx, seats, p.suite.seeds(e.Place), withLuck(p.meter, table.Options{
		Before: func(_ context.Context, s engine.State) error { return again.before(s, fresh.Moves) },
		Each:   func(s engine.State, a engine.Action) { fresh.Add(t.game, s, a) },
	}))
	if err != nil {
		return nil, err
	}
	fresh.Close(played.State())
	switch r := e.Record; {
	case len(fresh.Moves) != len(r.Moves):
		return nil, fmt.Errorf("the game is over after %d moves, the record has %d", len(fresh.Moves), len(r.Moves))
	case fresh.Hash != r.Hash:
		return nil, fmt.Errorf("the last state has hash %s, the record says %s", fresh.Hash, r.Hash)
	case !reflect.DeepEqual(fresh.Returns, r.Returns):
		return nil, fmt.Errorf("the returns are %v, the record says %v", fresh.Returns, r.Returns)
	}
	return luckOf(p.meter, e.Seat)
}

// retold makes the moves of a record, on every seat.
type retold struct {
	game   engine.Game
	record *replay.Record
	next   int          // number of moves made
	state  engine.State // in which the next one is made
}

// before is told of every state. It fails where the move that led to it was not that of the
// record, which only chance can do.
func (r *retold) before(s engine.State, made []string) error {
	r.state, r.next = s, len(made)
	if n := r.next; n > 0 && (n > len(r.record.Moves) || made[n-1] != r.record.Moves[n-1]) {
		return fmt.Errorf("move %d: chance of this seed is %s, not what the record says", n, made[n-1])
	}
	return nil
}

// Start implements agents.Agent.
func (*retold) Start(engine.Player, uint64) {}

// Act implements agents.Agent.
func (r *retold) Act(_ context.Context, _ engine.View, _ []engine.Action) (engine.Action, error) {
	if r.next >= len(r.record.Moves) {
		return 0, fmt.Errorf("the record ends after move %d, the game does not", r.next)
	}
	a, err := engine.FindMove(r.game, r.state, r.record.Moves[r.next])
	if err != nil {
		return 0, fmt.Errorf("move %d: %w", r.next+1, err)
	}
	return a, nil
}
