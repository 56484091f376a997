package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env/drawing"
	"powderkeg/serve/told"
)

// Screen is what a page shows: all that its seat sees and was told, and nothing else.
type Screen struct {
	// Number counts what was shown to the pages of this seat. A move names it.
	Number int `json:"number"`
	// Step is the moment that is shown, counted from 0, of Steps.
	Step  int `json:"step"`
	Steps int `json:"steps"`

	Game  string    `json:"game"`
	Title string    `json:"title"`
	Seat  int       `json:"seat"` // -1 for those who watch
	Seats []Sitting `json:"seats"`
	// Hidden is true of a game in which the seats know different things.
	Hidden   bool   `json:"hidden"`
	Practice bool   `json:"practice"`
	Next     string `json:"next,omitempty"`
	Fault    string `json:"fault,omitempty"`
	// Prompt says who decides what, and by which rule.
	Prompt told.Question `json:"prompt"`
	Legal  []told.Choice `json:"legal"`
	// Chose is the action that the seat chose at a moment of before at which it was asked; Legal are what it
	// could have chosen then.
	Chose *int `json:"chose,omitempty"`
	// Chain are the choices that the seat to act has made since anybody else did.
	Chain []string `json:"chain"`
	// Undo is "" if the seat may take its last move back, else why it may not.
	Undo string `json:"undo"`
	Over *Over  `json:"over,omitempty"`

	// Guide is what a guided first game says.
	Guide *Guide `json:"guide,omitempty"`

	// Handovers are the last times at which a screen that people share is to be offered round.
	Handovers []Handover `json:"handovers,omitempty"`

	// Log are the lines from number Since on; Reset is true where they replace all that
	// the page has.
	Log   []Told `json:"log"`
	Since int    `json:"since"`
	Reset bool   `json:"reset"`

	// Drawing is an SVG, Text what it shows in words; both are empty where the game has
	// none, or those who watch may not see it. View is the JSON form of the view, for
	// those who ask for it.
	// In a stream Pieces may be there instead of the Drawing.
	Drawing string          `json:"drawing"`
	Pieces  []Piece         `json:"pieces,omitempty"`
	Text    string          `json:"text"`
	View    json.RawMessage `json:"view,omitempty"`
}

// Told is a line of the log.
type Told struct {
	Step  int    `json:"step"` // of the replay at which it came
	Kind  string `json:"kind"`
	Rule  string `json:"rule"`
	Title string `json:"title"` // of the rule
	Text  string `json:"text"`
	Move  bool   `json:"move"` // a choice, rather than what followed from one
	// About are names, some of which are those of spaces of the drawing.
	About []string `json:"about,omitempty"`
	// Die is what a die shows that was thrown, Card a card that is seen, as the drawing names it.
	Die  int    `json:"die,omitempty"`
	Card string `json:"card,omitempty"`
}

// Over says how a game ended.
type Over struct {
	Returns []float32 `json:"returns"`
	// Winners are the seats with the highest return; all are alike in a draw.
	Winners []int    `json:"winners"`
	Endings []string `json:"endings"`
	Draw    bool     `json:"draw"`
	// Together is true of a game that all win or lose together.
	Together bool `json:"together"`
}

// tail is how many lines of the log a page gets that has none.
const tail = 400

// frame is a screen of which what takes time is still to be made, without the game.
type frame struct {
	Screen
	game engine.Game
	view engine.View
	seat engine.Player
}

// frame returns what the page of an audience shows at a step (below 0: now), with the lines
// after those that it had at number since.
func (t *session) frame(a *audience, step, since int, looks engine.Player) (*frame, error) {
	last := len(a.marks) - 1
	if step < 0 || step > last {
		step = last
	}
	m := a.marks[step]
	f := &frame{game: t.game, seat: looks, Screen: Screen{
		Number: a.number, Step: step, Steps: last + 1, Game: t.head.Game, Title: t.game.Spec().Title, Seat: int(looks),
		Hidden: t.hides(), Practice: t.practice(), Next: t.next, Fault: t.fault, Legal: []told.Choice{}, Chain: []string{},
		Prompt: told.Question{Player: int(engine.Nobody)},
	}}
	if looks == watcher {
		f.Seat = -1
	}
	s := t.state
	if step < last {
		var err error
		if s, err = t.before(m.moves); err != nil {
			return nil, err
		}
	}
	f.Seats = t.sitting(s)
	pause := t.pause(looks)
	if step < last {
		pause = nil
	}
	if looks >= 0 || !a.hidden {
		if pause != nil {
			f.view = engine.Look(pause.World, looks)
		} else if f.view = s; step == last || a.hidden {
			f.view = t.see(s, max(looks, 0))
		}
		called := drawing.Names(t.game, f.view)
		f.Prompt = t.reader.Question(f.view)
		f.Prompt.Says = engine.Named(f.Prompt.Says, called)
		asked := f.view.ToAct() == looks && looks >= 0
		if asked && step < last && m.moves < len(t.moves) && t.moves[m.moves].Actor == looks {
			chose := int(t.moves[m.moves].Action)
			f.Chose = &chose
		}
		if f.Chose != nil || asked && step == last && t.fault == "" && t.seats[looks].Kind == Person {
			f.Legal = t.reader.Choices(f.view)
			for i := range f.Legal {
				f.Legal[i].Words = engine.Named(f.Legal[i].Words, called)
			}
		}
	}
	if s.ToAct() == engine.Terminal && (step < last || t.ended(looks)) {
		f.Over = t.ending(s)
	}
	if looks >= 0 && step == last {
		f.Handovers, f.Guide = slices.Clone(a.handovers), t.guide(looks)
	}
	f.Undo = table.UndoNothing
	if looks >= 0 && step == last && !t.onlyBots() {
		_, f.Undo = t.undoable(looks)
	}
	t.log(&f.Screen, a, m, since)
	f.Chain = t.chain(a, m, engine.Player(f.Prompt.Player))
	return f, nil
}

// log puts the lines on the screen that the page had not at number since.
func (t *session) log(s *Screen, a *audience, m mark, since int) {
	old, found := a.at(since)
	if s.Since = old.lines; !found || old.lines > m.lines {
		s.Reset, s.Since = true, max(0, m.lines-tail)
	}
	s.Log = make([]Told, 0, m.lines-s.Since)
	for i := s.Since; i < m.lines; i++ {
		s.Log = append(s.Log, t.told(a, i))
	}
}

// told is a line of an audience.
func (t *session) told(a *audience, i int) Told {
	l := &t.lines[a.lines[i]]
	return Told{a.step(i), l.kind, l.rule, t.reader.Rule(l.rule).Title, l.text, l.isMove, l.about, l.die, l.card}
}

// chain returns the last choices of the seat that is to act, as far as nobody else has
// chosen since and the page was told.
func (t *session) chain(a *audience, m mark, p engine.Player) []string {
	const longest = 6
	var words []string
	for i := m.lines - 1; i >= 0 && len(words) < longest; i-- {
		l := &t.lines[a.lines[i]]
		if !l.isMove {
			continue
		}
		if l.mover != p || p < 0 {
			break
		}
		words = append(words, l.words)
	}
	slices.Reverse(words)
	return append([]string{}, words...)
}

// ending says how a game ended.
func (t *session) ending(s engine.State) *Over {
	spec := t.game.Spec()
	o := &Over{Returns: s.Returns(nil), Winners: []int{}, Endings: []string{}}
	best := o.Returns[0]
	for _, r := range o.Returns {
		best = max(best, r)
	}
	for p, r := range o.Returns {
		if r == best {
			o.Winners = append(o.Winners, p)
		}
	}
	o.Draw = len(o.Winners) == len(o.Returns)
	if o.Together = spec.Payoff != engine.ZeroSum && o.Draw; o.Together && best <= spec.MinReturn {
		o.Winners = []int{}
	}
	if e, ok := s.(engine.Ender); ok {
		o.Endings = e.Endings(o.Endings)
	}
	return o
}

// finish makes what takes time, with the game unlocked: the drawing, the text and, if it is
// asked for, the JSON form.
func (f *frame) finish(withView bool) (*Screen, error) {
	if f.view == nil {
		return &f.Screen, nil
	}
	svg, err := drawing.Draw(f.game, f.view)
	if err != nil && !errors.Is(err, drawing.ErrNoDrawing) {
		return nil, err
	}
	f.Drawing = string(svg)
	f.Text = told.Text(f.view, max(f.seat, 0))
	if sided, ok := f.view.(engine.Sided); ok { // without sides, maps of text have the numbers of seats
		f.Text = engine.Named(f.Text, sided.Side)
	}
	if withView {
		if f.View, err = f.view.MarshalJSON(); err != nil {
			return nil, err
		}
	}
	return &f.Screen, nil
}

// seatOf returns whose pages a token opens, and through whose eyes they look: those of
// its seat; without a token those who watch, who may look over the shoulder of a bot where
// only bots play.
func (t *session) seatOf(token string, shoulder int) (*audience, engine.Player, error) {
	if token == "" {
		if shoulder >= 0 && shoulder < len(t.seats) && t.onlyBots() {
			return &t.pages[shoulder], engine.Player(shoulder), nil
		}
		return &t.pages[len(t.seats)], watcher, nil
	}
	for p := range t.seats {
		if t.seats[p].key.fits(token) {
			return &t.pages[p], engine.Player(p), nil
		}
	}
	return nil, 0, &problem{http.StatusForbidden, "no_seat", "This link does not open a seat of this game."}
}
