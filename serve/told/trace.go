package told

import (
	"encoding/json"
	"slices"

	"powderkeg/engine"
)

// TraceFormat names the format of traces and its version. serve/told/README.md describes it.
const TraceFormat = "powderkeg-trace/1"

// Line is a decision of a seat in a trace, as that seat lived it. Nothing in it is known to
// other seats alone.
type Line struct {
	Format string `json:"format"`
	// Game is the game string, Rules the version of the rules; Episode counts the games of a
	// run from 0.
	Game    string `json:"game"`
	Rules   int    `json:"rules"`
	Episode int    `json:"episode"`
	// Seat decides, and Agent is who plays it, "" where that is not known. Step counts the
	// seat's own decisions in the episode from 0: the number of the others' can be a secret.
	Seat  int    `json:"seat"`
	Agent string `json:"agent,omitempty"`
	Step  int    `json:"step"`
	// Events are what the seat was told since its decision before (of the first one, since
	// the episode's begin), its own move first.
	Events []Event `json:"events"`
	// Text is what it sees, in words, and View the same as a position (absent unless asked
	// for).
	Text string          `json:"text,omitempty"`
	View json.RawMessage `json:"view,omitempty"`
	// Question is what it is asked, Legal what it may answer and Chosen what it did.
	Question Question `json:"question"`
	Legal    []Choice `json:"legal"`
	Chosen   Choice   `json:"chosen"`
	// Rewards are what each seat has gained up to the seat's next decision, or the end.
	Rewards []float32 `json:"rewards"`
	// End is how the episode ended, in the seat's last line.
	End *End `json:"end,omitempty"`
}

// End is the end of an episode.
type End struct {
	// Events are what the seat was told after its last decision.
	Events []Event `json:"events"`
	// Returns are what each seat has gained in all; Truncated is true of an episode that was
	// given up before the rules ended it.
	Returns   []float32 `json:"returns"`
	Truncated bool      `json:"truncated"`
	Endings   []string  `json:"endings"`
}

// Tracer writes traces of games that somebody else plays: it is shown each state before the
// move that is made in it. It belongs to one goroutine.
type Tracer struct {
	reader *Reader
	seats  []engine.Player
	agents []string // by seat, or none
	view   bool
	emit   func(*Line) error

	episode int
	state   engine.State // that it listens to
	open    []trace      // by seat
	done    []*Line      // of the episode, in the order of the decisions
}

// trace is what a seat has been told since its last line.
type trace struct {
	line   *Line // whose rewards are still to come, nil before the first
	paid   []float32
	events []Event
	steps  int
}

// NewTracer returns a tracer of the decisions of some seats. agents are who plays, by seat,
// none where that is not known; view adds the JSON of what the seat sees. Each line is
// handed to emit when its episode has ended, in the order of the decisions.
func NewTracer(r *Reader, seats []engine.Player, agents []string, view bool, emit func(*Line) error) *Tracer {
	return &Tracer{reader: r, seats: seats, agents: agents, view: view, emit: emit, open: make([]trace, r.game.Spec().Seats)}
}

// Listen makes the tracer hear what a state tells, in the place of any other listener. It
// comes before the episode begins, so that what chance does first is told.
func (t *Tracer) Listen(s engine.State) {
	t.state = s
	Hear(s, t.seats, func(seat engine.Player, e Event) { t.open[seat].events = append(t.open[seat].events, e) })
}

// Move notes a move that is about to be made in s, of a seat or of chance.
func (t *Tracer) Move(s engine.State, a engine.Action) error {
	if t.state == nil {
		t.Listen(s)
	}
	p := s.ToAct()
	if p < 0 || !slices.Contains(t.seats, p) {
		return nil
	}
	o, v, spec := &t.open[p], engine.Look(s, p), t.reader.game.Spec()
	line := &Line{
		Format: TraceFormat, Game: spec.Text, Rules: spec.Version, Episode: t.episode, Seat: int(p), Step: o.steps,
		Events: append([]Event{}, o.events...), Text: Text(v, p), Question: t.reader.Question(v), Legal: t.reader.Choices(v), Chosen: t.reader.Choice(v, a),
	}
	if len(t.agents) > 0 {
		line.Agent = t.agents[p]
	}
	if t.view {
		var err error
		if line.View, err = v.MarshalJSON(); err != nil {
			return err
		}
	}
	returns := s.Returns(nil)
	o.pay(returns)
	o.line, o.paid, o.events = line, returns, nil
	o.steps++
	t.done = append(t.done, line)
	return nil
}

// pay says what each seat has gained since the open line.
func (o *trace) pay(returns []float32) {
	if o.line == nil {
		return
	}
	o.line.Rewards = slices.Clone(returns)
	for i, before := range o.paid {
		o.line.Rewards[i] -= before
	}
}

// End ends an episode in its last state and hands on its lines. The next one begins after
// it, in the same state.
func (t *Tracer) End(s engine.State) error {
	returns, endings := s.Returns(nil), []string{}
	if e, ok := s.(engine.Ender); ok {
		endings = e.Endings(endings)
	}
	for p := range t.open {
		o := &t.open[p]
		o.pay(returns)
		if o.line != nil {
			o.line.End = &End{append([]Event{}, o.events...), returns, s.ToAct() != engine.Terminal, endings}
		}
		*o = trace{}
	}
	done := t.done
	t.done = nil
	t.episode++
	for _, line := range done {
		if err := t.emit(line); err != nil {
			return err
		}
	}
	return nil
}
