package web

import (
	"context"
	"math/rand/v2"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/thinking"
)

// hush is the while after a move in which, for all that a seat knows, another one may be asked in
// secret. Whether it is or not, the pages of the seat show the same pause, and it lasts as long: a
// bot that is not asked thinks about what it may have been asked, and of a person it is drawn how
// long he might have taken. The game stands still meanwhile, but for the questions themselves. All
// of it follows from what the seats know whose pages pause.
type hush struct {
	pauses []*table.Pause // by seat: what its pages show meanwhile, nil for those that do not pause
	lines  []int          // by page, of those that pause: how many lines of the log it shows
	// owed is, by seat, what a bot may be asked and has not been so far; people are the persons who
	// may be asked and have not been.
	owed   [][]table.Question
	people uint32
	first  engine.Player // of the seats, in the order in which they are asked
	begin  time.Time
	lifted chan struct{} // closed at the end

	// ended is true when something has happened that is to be seen: no question comes any more that
	// belongs to the hush. next is the hush after it, nil for none.
	ended bool
	next  *hush
}

// patience bounds what is noted of how long people take.
const patience = 10 * time.Second

// usual is how long people are taken to think about a question in secret until it is known.
var usual = []time.Duration{1500 * time.Millisecond, 2 * time.Second, 2500 * time.Millisecond, 3500 * time.Millisecond}

// foresee returns the hush after a move that is about to be made, nil for none.
func (t *session) foresee(a engine.Action) *hush {
	if !t.server.config.EvenTime || t.course != nil || !t.game.Spec().AsksInSecret || t.onlyBots() {
		return nil
	}
	var h *hush
	for p := range engine.Player(len(t.seats)) {
		if t.seats[p].Kind == Bot {
			continue
		}
		asked, _ := t.secrets.Asked(t.state, p, a)
		if asked == 0 {
			continue
		}
		if h == nil {
			seats := len(t.seats)
			h = &hush{
				pauses: make([]*table.Pause, seats), owed: make([][]table.Question, seats), lines: make([]int, seats+1),
				begin: time.Now(), lifted: make(chan struct{}), first: engine.Player((max(int(t.state.ToAct()), -1) + 1) % seats),
			}
			h.lines[seats] = len(t.pages[seats].lines) + len(t.lines)
		}
		t.foreseeFor(h, p, asked)
	}
	return h
}

// foreseeFor adds to a hush what follows from what seat p knows, after whose move the seats of the
// set may be asked.
func (t *session) foreseeFor(h *hush, p engine.Player, asked uint32) {
	pause := t.secrets.Pause()
	toAll, watchers := 0, len(t.seats)
	for _, seen := range pause.Told {
		if seen == 1<<len(t.seats)-1 {
			toAll++
		}
	}
	h.pauses[p], h.lines[p] = pause, len(t.pages[p].lines)+len(pause.Told)
	h.lines[watchers] = min(h.lines[watchers], len(t.pages[watchers].lines)+toAll)
	for q := range engine.Player(len(t.seats)) {
		switch {
		case asked>>q&1 == 0:
		case t.seats[q].agent != nil:
			h.owe(q, t.secrets.Questions(q))
		case !t.shared(p) || !t.shared(q): // else the screen is handed round, whoever is asked
			h.people |= 1 << q
		}
	}
}

// owe adds what a seat may be asked, according to one more seat.
func (h *hush) owe(q engine.Player, questions []table.Question) {
	if len(questions) > len(h.owed[q]) {
		h.owed[q] = questions
	}
}

// secret reports whether a move that is about to be made is one that no seat gets to know of whose
// pages pause.
func (h *hush) secret(s engine.State, a engine.Action) bool {
	for p, pause := range h.pauses {
		if pause != nil && (s.ToAct() < 0 || s.(engine.Secretive).Shows(engine.Player(p), a)) {
			return false
		}
	}
	return true
}

// merge adds the hush after an answer that was given in secret, which is one of whoever gave it.
func (h *hush) merge(more *hush) {
	if more == nil {
		return
	}
	watchers := len(h.pauses)
	h.lines[watchers] = min(h.lines[watchers], more.lines[watchers])
	for p, pause := range more.pauses {
		if pause != nil && h.pauses[p] == nil {
			h.pauses[p], h.lines[p] = pause, more.lines[p]
		}
		h.owe(engine.Player(p), more.owed[p])
	}
	h.people |= more.people
}

// step makes a move, of a seat or of chance, and begins the hush after it.
func (t *session) step(a engine.Action, shows bool) error {
	actor, now := t.state.ToAct(), t.hush
	if actor != engine.Chance && !legal(t.state, a) {
		return t.apply(a, shows) // which says why not
	}
	after := t.foresee(a)
	secret := now != nil && now.secret(t.state, a)
	if now == nil {
		t.hush = after
	}
	if err := t.apply(a, shows); err != nil {
		t.hush = now
		return err
	}
	if now == nil {
		return nil
	}
	if actor >= 0 && t.seats[actor].agent == nil {
		now.people &^= 1 << actor
		t.seats[actor].pace.Note(min(time.Since(now.begin), patience))
	}
	if secret {
		now.merge(after)
	} else {
		now.ended, now.next = true, after
	}
	t.look()
	return nil
}

// legal reports whether an action is one of the legal ones.
func legal(s engine.State, a engine.Action) bool {
	for _, b := range s.Legal(nil) {
		if a == b {
			return true
		}
	}
	return false
}

// pause returns what the pages of a seat show in place of what there is, nil for what there is.
func (t *session) pause(p engine.Player) *table.Pause {
	if t.hush == nil || p < 0 {
		return nil
	}
	return t.hush.pauses[p]
}

// turn reports whether a seat is to act, as far as its pages show it.
func (t *session) turn(p engine.Player) bool { return t.state.ToAct() == p && t.pause(p) == nil }

// ended reports whether the game has ended, as far as the pages of a seat, or of those who watch,
// show it.
func (t *session) ended(p engine.Player) bool {
	return t.over() && t.pause(p) == nil && (p != watcher || t.hush == nil)
}

// due reports whether the hush lasts only because nobody is to know that there is no question, or
// one to a seat whose own pages pause, as they do while seats before it may be asked.
func (t *session) due() bool {
	h := t.hush
	return h != nil && (h.ended || !t.secretly() || h.pauses[t.state.ToAct()] != nil)
}

// secretly reports whether a seat is asked without some other's knowing.
func (t *session) secretly() bool {
	actor := t.state.ToAct()
	if actor < 0 {
		return false
	}
	for p := range engine.Player(len(t.seats)) {
		if p != actor && engine.Look(t.state, p).ToAct() == engine.Nobody {
			return true
		}
	}
	return false
}

// paid takes the question that a bot is asked off what it owes.
func (t *session) paid(q engine.Player) {
	if h := t.hush; h != nil && len(h.owed[q]) > 0 {
		h.owed[q] = h.owed[q][:len(h.owed[q])-1]
	}
}

// debt is what is still to be thought before a hush ends, and how long people might take.
type debt struct {
	bot       *seat
	player    engine.Player
	questions []table.Question
	wait      time.Duration
}

// debts takes what is still owed off the hush, of the first n seats that may be asked, and returns it.
func (t *session) debts(n int) (list []debt) {
	h := t.hush
	for i := range n {
		q := (int(h.first) + i) % len(t.seats)
		switch bot := &t.seats[q]; {
		case bot.agent != nil && len(h.owed[q]) > 0:
			list = append(list, debt{bot: bot, player: engine.Player(q), questions: h.owed[q]})
		case h.people>>q&1 != 0:
			list = append(list, debt{wait: bot.pace.Draw()})
		}
		h.owed[q], h.people = nil, h.people&^(1<<q)
	}
	return list
}

// pay has the bots think that may have been asked and were not, with the game unlocked meanwhile,
// and ends the hush. Where a seat is asked whose own pages pause, it has those think that come
// before, and then shows the question.
func (t *session) pay() (err error) {
	h, n, asked := t.hush, len(t.seats), engine.Nobody
	if !h.ended && t.secretly() {
		asked = t.state.ToAct()
		n = (int(asked) - int(h.first) + n) % n
	}
	list := t.debts(n)
	ctx, cancel := context.WithCancel(t.server.ctx)
	t.stop = cancel
	func() {
		t.mu.Unlock()
		defer t.mu.Lock()
		defer cancel()
		defer env.Recover(t.game, &err)
		for i := range list {
			if err = t.settleDebt(ctx, &list[i]); err != nil {
				return
			}
		}
	}()
	switch {
	case t.hush != h || t.asleep: // the move was taken back meanwhile
		return nil
	case err != nil:
		return err
	case asked == engine.Nobody:
		t.lift(h.next)
		return nil
	}
	h.pauses[asked], h.begin = nil, time.Now()
	t.look()
	t.tell()
	return nil
}

// settleDebt thinks, or waits, without the lock.
func (t *session) settleDebt(ctx context.Context, d *debt) error {
	if d.bot == nil {
		select {
		case <-time.After(d.wait):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	for _, q := range d.questions {
		if err := t.pretend(ctx, d.bot, q.View, d.player, q.Legal); err != nil {
			return err
		}
	}
	return nil
}

// pretend has a bot think about what it is not asked, without the lock.
func (t *session) pretend(ctx context.Context, bot *seat, view engine.View, p engine.Player, legal []engine.Action) error {
	switch a := bot.agent.(type) {
	case agents.Pretender:
		return t.server.thinks.Do(ctx, &t.thinker, bot.gauge, func(ctx context.Context) error { return a.Pretend(ctx, view, p, legal) })
	case agents.Stateless:
		return t.server.thinks.Do(ctx, &t.thinker, bot.gauge, func(ctx context.Context) error {
			_, err := a.ActFor(ctx, view, p, legal, rand.NewPCG(rand.Uint64(), 0))
			return err
		})
	}
	return bot.pace.Keep(ctx, time.Now(), true)
}

// lift ends a hush, after which another one may come.
func (t *session) lift(next *hush) {
	close(t.hush.lifted)
	if t.hush = next; next != nil {
		next.begin = time.Now()
	}
	t.look()
	t.tell()
}

// drop ends the hush of a game that goes on otherwise.
func (t *session) drop() {
	if t.hush != nil {
		close(t.hush.lifted)
		t.hush = nil
	}
}

// newPace returns the pace of a person of whom nothing is known.
func newPace() *thinking.Pace {
	p := new(thinking.Pace)
	for _, d := range usual {
		p.Note(d)
	}
	return p
}
