package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/teacher"
	"powderkeg/serve/thinking"
	"powderkeg/serve/told"
)

// Kinds of seats.
const (
	Person = "person" // somebody with a page
	Bot    = "bot"    // an agent
	Open   = "open"   // nobody yet: whoever follows the link may take it
)

// Seat says who plays on a seat.
type Seat struct {
	Kind string `json:"kind"`
	// Name is what a person calls himself, and of a bot its agent string.
	Name string `json:"name"`
}

// seat is a seat of a game in progress.
type seat struct {
	Seat
	key   digest       // of the token of a person
	agent agents.Agent // of a bot
	gauge *thinking.Gauge
	pace  *thinking.Pace // of a bot's choices, of a person's answers to what is asked in secret
}

// line is an event that was told.
type line struct {
	moves  int // how many moves had been made with the one that it belongs to
	mover  engine.Player
	isMove bool
	kind   string
	rule   string
	text   string
	words  string // of a move: what was chosen
	about  []string
	die    int
	card   string
	seen   uint8
}

// session is a game in progress. Everything but its names is guarded by mu.
type session struct {
	server *Server
	id     string
	head   head
	game   engine.Game
	reader *told.Reader
	cards  map[string]bool // names of cards on drawings

	mu       sync.Mutex
	seats    []seat
	state    engine.State
	moves    []table.Move
	anchors  []engine.State // the state after every anchorEvery-th move
	lines    []line
	pages    []audience // the seats', then that of those who watch
	changes  uint64     // moves and undos
	next     string     // the name of the rematch
	journal  *journal
	streams  map[chan struct{}]bool
	used     time.Time
	asleep   bool
	thinking bool               // a goroutine plays the bots
	thinker  thinking.Owner     // of what they and the teacher think about
	stop     context.CancelFunc // ends the thought under way
	fault    string             // why the game cannot go on, "" if it can
	teacher  *teacher.Teacher   // made when first asked

	hush   *hush   // nil for none
	course *course // of a guided first game, nil for another one

	secrets  *table.Secrets
	mover    engine.Player // of the move that is being made
	outcomes []engine.Outcome
}

// anchorEvery is how far the states are apart from which moves are played again, to look
// back or to take a move back.
const anchorEvery = 1024

// newSession lays out a game at its start. Nothing has happened yet.
func (s *Server) newSession(id string, h head) (*session, error) {
	g, err := env.NewGame(h.Game)
	if err != nil {
		return nil, err
	}
	if h.Position != nil {
		if g, err = engine.StartAt(g, h.Position); err != nil {
			return nil, err
		}
	}
	t := &session{
		server: s, id: id, head: h, game: g, state: g.New(), reader: told.NewReader(g),
		streams: map[chan struct{}]bool{}, used: time.Now(), secrets: table.NewSecrets(g),
		cards: cardNames(g),
	}
	if h.First {
		if t.course, err = courseOf(g); err != nil {
			return nil, err
		}
	}
	for p, who := range h.Seats {
		own := seat{Seat: who.plain(), key: h.Keys[p], pace: newPace()}
		if who.Kind == Bot {
			if own.agent, err = s.config.NewAgent(g, who.Name); err != nil {
				return nil, err
			}
			own.gauge, own.pace = thinking.GaugeOf(own.agent), new(thinking.Pace)
			own.agent.Start(engine.Player(p), rand.Uint64())
		}
		t.seats = append(t.seats, own)
		t.pages = append(t.pages, newAudience(t.state, engine.Player(p)))
	}
	t.pages = append(t.pages, newAudience(t.state, watcher))
	t.anchors = append(t.anchors, engine.Clone(g, t.state))
	t.listen()
	t.look()
	return t, nil
}

// listen hears what the state tells.
func (t *session) listen() {
	narrator, ok := t.state.(engine.Narrator)
	if !ok {
		return
	}
	narrator.Listen(func(e *engine.Event) {
		t.lines = append(t.lines, line{
			moves: len(t.moves) + 1, mover: t.mover, isMove: e.Kind == "move",
			kind: e.Kind, rule: e.Rule, text: e.Text, about: about(e), die: thrown(e), card: turned(e, t.cards), seen: e.Seen,
		})
	})
}

// make carries out a move and what chance has to say after it, and writes both down.
func (t *session) make(a engine.Action, shows bool) error {
	if err := t.step(a, shows); err != nil {
		return err
	}
	return t.settle()
}

// settle draws what chance has to decide, unless a hush is to end first, and makes the moves that a
// lesson makes unasked.
func (t *session) settle() (err error) {
	defer func() {
		if err != nil && t.fault == "" {
			t.fault = err.Error()
			t.server.log.Error("a game broke down", "game", t.head.Game, "error", err)
		}
		t.tell()
	}()
	for t.hush == nil {
		a, unasked := t.unasked()
		if !unasked && t.state.ToAct() != engine.Chance {
			return nil
		}
		if !unasked {
			a = t.draw()
		}
		if err := t.step(a, false); err != nil {
			return err
		}
	}
	return nil
}

// apply makes a move, of a seat or of chance, and writes it down.
func (t *session) apply(a engine.Action, shows bool) error {
	offers := t.offers(a)
	name := engine.MoveName(t.game, t.state, a)
	if err := t.play(a, shows, offers); err != nil {
		return err
	}
	return t.journal.write(entry{Move: name, Shows: shows, Offers: offers})
}

// play makes a move and looks what every page sees of it.
func (t *session) play(a engine.Action, shows bool, offers []uint32) (err error) {
	defer env.Recover(t.game, &err)
	t.mover = t.state.ToAct()
	known := table.Known(t.state, len(t.seats), a)
	seats, told := t.sitting(t.state), len(t.lines)
	if err := t.state.Apply(a); err != nil {
		return err
	}
	t.name(told, seats)
	t.moves = append(t.moves, table.Move{Actor: t.mover, Action: a, Shows: shows, Known: known})
	if len(t.moves)%anchorEvery == 0 {
		t.anchors = append(t.anchors, engine.Clone(t.game, t.state))
	}
	t.changes++
	t.offer(t.mover, offers)
	t.look()
	return nil
}

// draw samples the outcome of a chance event. It follows from the seed, from how far the
// game has come and from how often moves were taken back, so that what was taken back comes
// otherwise.
func (t *session) draw() engine.Action {
	t.outcomes = t.state.(engine.Stochastic).Outcomes(t.outcomes[:0])
	rng := rand.NewPCG(t.head.Seed, t.changes)
	rng.Uint64() // the first numbers of neighbouring streams are alike
	return engine.Sample(t.outcomes, rng)
}

// before returns the state after the first n moves: a new one, without a listener.
func (t *session) before(n int) (engine.State, error) {
	from := n / anchorEvery
	s := engine.Clone(t.game, t.anchors[from])
	for i := from * anchorEvery; i < n; i++ {
		if err := s.Apply(t.moves[i].Action); err != nil {
			return nil, fmt.Errorf("web: move %d cannot be made again: %w", i+1, err)
		}
	}
	return s, nil
}

// over reports whether the game has ended.
func (t *session) over() bool { return t.state.ToAct() == engine.Terminal }

// practice reports whether moves may be taken back and hints be asked for freely.
func (t *session) practice() bool { return t.head.Practice }

// onlyBots reports whether no person has a secret here.
func (t *session) onlyBots() bool {
	return !slices.ContainsFunc(t.seats, func(s seat) bool { return s.Kind != Bot })
}

// tell wakes all streams.
func (t *session) tell() {
	for c := range t.streams {
		select {
		case c <- struct{}{}:
		default: // it is awake already
		}
	}
}

// idleSince reports whether nobody looks and nobody has since a moment.
func (t *session) idleSince(moment time.Time) bool {
	return len(t.streams) == 0 && !t.thinking && !t.used.After(moment)
}

// sleep lets go of the game. Whoever has found it before finds that it is asleep.
func (t *session) sleep() {
	t.asleep = true
	if t.stop != nil {
		t.stop()
	}
	t.drop()
	t.tell()
	if err := t.journal.close(); err != nil {
		t.server.log.Error("a game cannot be written", "game", t.id, "error", err)
	}
}

// think has a goroutine play the bots if one of them is to act, or a hush to end, and none does.
func (t *session) think() {
	if t.thinking || t.asleep || t.fault != "" || t.server.ctx.Err() != nil || t.bot() == nil && !t.due() {
		return
	}
	t.thinking = true
	t.server.running.Go(t.playBots)
}

// bot returns the bot that is to act, nil if none is.
func (t *session) bot() *seat {
	if p := t.state.ToAct(); p >= 0 && t.seats[p].agent != nil && !t.learning() {
		return &t.seats[p]
	}
	return nil
}

// playBots makes moves of bots until somebody else is to act.
func (t *session) playBots() {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() { t.thinking = false }()
	for !t.asleep && t.fault == "" {
		if t.due() {
			if err := t.endHush(); err != nil {
				t.fail(fmt.Sprintf("A bot has failed: %v", err))
			}
			continue
		}
		bot := t.bot()
		if bot == nil {
			return
		}
		a, at, err := t.choose(bot)
		switch {
		case t.asleep:
		case t.changes != at: // the game has gone on, or back, under the thought
		case err != nil:
			p := t.state.ToAct()
			t.server.log.Error("a bot failed", "game", t.head.Game, "bot", t.seats[p].Name, "error", err)
			t.fail(fmt.Sprintf("The bot on seat %d has failed: %v", p, err))
		default:
			if err := t.make(a, false); err != nil && t.fault == "" {
				t.fail(err.Error())
			}
		}
	}
}

// endHush ends a hush and goes on with what chance has to say.
func (t *session) endHush() error {
	if err := t.pay(); err != nil || t.asleep {
		return err
	}
	return t.settle()
}

// fail says why the game cannot go on.
func (t *session) fail(why string) {
	t.fault = why
	t.drop()
	t.look()
	t.tell()
}

// choose has a bot choose, with the game unlocked meanwhile, and returns to which state
// of the game the choice belongs.
func (t *session) choose(bot *seat) (a engine.Action, at uint64, err error) {
	p := t.state.ToAct()
	t.paid(p)
	view, legal := t.see(t.state, p), t.state.Legal(nil)
	ctx, cancel := context.WithCancel(t.server.ctx)
	at, t.stop = t.changes, cancel
	_, hides := t.state.(engine.Hidden)
	agent, gauge, pace := bot.agent, bot.gauge, bot.pace
	t.mu.Unlock()
	defer t.mu.Lock()
	defer cancel()
	defer env.Recover(t.game, &err)
	begin, forced := time.Now(), len(legal) == 1
	pretends, ok := agent.(agents.Pretender)
	even := hides && t.server.config.EvenTime
	err = t.server.thinks.Do(ctx, &t.thinker, gauge, func(ctx context.Context) error {
		if ok && even && forced {
			if err := pretends.Pretend(ctx, view, p, legal); err != nil {
				return err
			}
		}
		a, err = agent.Act(ctx, view, legal)
		return err
	})
	if err == nil && !ok && even {
		err = pace.Keep(ctx, begin, forced)
	}
	if err == nil && !slices.Contains(legal, a) {
		err = fmt.Errorf("%w: action %d", engine.ErrIllegal, a)
	}
	return a, at, err
}

// see returns what seat p sees of a state: a view that shares nothing with it.
func (t *session) see(s engine.State, p engine.Player) engine.View {
	if _, hides := s.(engine.Hidden); hides {
		return engine.Look(s, p)
	}
	return engine.Clone(t.game, s)
}
