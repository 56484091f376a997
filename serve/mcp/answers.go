package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
	"powderkeg/serve/teacher"
	"powderkeg/serve/told"
)

// Situation is what the model's seat sees of its game, all of it: the answer of new_game and look.
type Situation struct {
	ID      string   `json:"id" jsonschema:"names the game in the other tools"`
	Game    string   `json:"game" jsonschema:"game string"`
	Title   string   `json:"title"`
	Seat    int      `json:"seat" jsonschema:"your seat"`
	Players []string `json:"players" jsonschema:"who plays each seat: an agent string, or you"`
	// Question is what you are asked; its player is your seat, or -2 at the end.
	Question told.Question `json:"question" jsonschema:"what you are asked and by which rule; player is your seat, -2 at the end"`
	Legal    []string      `json:"legal" jsonschema:"names of the actions that you may take now, none at the end; the tool legal says what each would do"`
	Events   []told.Event  `json:"events" jsonschema:"what you were told since your last decision, in order"`
	Text     string        `json:"text" jsonschema:"what your seat sees, in words"`
	View     any           `json:"view,omitempty" jsonschema:"the same as a position in the format of the game's README, with blanks for what you do not know; from look alone"`
	Over     *Over         `json:"over,omitempty" jsonschema:"how the game ended"`
	GaveUp   string        `json:"gave_up,omitempty" jsonschema:"the game whose place this one has taken, since no more may be open"`
}

// Over says how a game ended.
type Over struct {
	Returns []float32 `json:"returns" jsonschema:"what each seat has gained"`
	Yours   float32   `json:"yours" jsonschema:"what you have gained"`
	Endings []string  `json:"endings" jsonschema:"how the game ended, and what winners won by"`
}

// situation tells the model where its game stands, and how that reads.
func (g *game) situation(gaveUp string) (*Situation, string) {
	spec := g.game.Spec()
	v := g.view()
	s := &Situation{
		ID: g.id, Game: spec.Text, Title: spec.Title, Seat: int(g.seat), Players: g.players, Question: g.reader.Question(v),
		Legal: g.legal(), Events: slices.Concat([]told.Event{}, g.events), Text: told.Text(v, g.seat), Over: g.ending(), GaveUp: gaveUp,
	}
	g.told.situation(s)
	return s, s.read() + g.asks(s.Question, s.Over)
}

// legal returns the names of the actions that the model may take.
func (g *game) legal() []string {
	names := []string{}
	if g.over() {
		return names
	}
	for _, a := range g.env.Legal() {
		names = append(names, g.game.Spec().Actions[a])
	}
	return names
}

// ending says how the game ended, nil as long as it has not.
func (g *game) ending() *Over {
	if !g.over() {
		return nil
	}
	o := &Over{Returns: slices.Clone(g.env.Returns()), Yours: g.env.Returns()[g.seat], Endings: []string{}}
	if e, ok := g.env.State().(engine.Ender); ok {
		o.Endings = e.Endings(o.Endings)
	}
	return o
}

// asks says what is asked and what is legal, or how the game ended.
func (g *game) asks(q told.Question, over *Over) string {
	if over != nil {
		return over.read()
	}
	return "\n" + asked(q) + g.told.choices(q.Name, g.reader.Choices(g.view()))
}

func (o *Over) read() string {
	text := fmt.Sprintf("\nThe game is over. You return %g; returns by seat: %v.", o.Yours, o.Returns)
	if len(o.Endings) > 0 {
		text += fmt.Sprintf(" It ended by: %s.", strings.Join(o.Endings, ", "))
	}
	return text + "\n"
}

// looked adds the JSON of the view.
func (s *Situation) looked(v engine.View) error {
	data, err := v.MarshalJSON()
	s.View = json.RawMessage(data)
	return err
}

// read is what a person, or a model, reads of a situation.
func (s *Situation) read() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s), id %s. You are seat %d", s.Title, s.Game, s.ID, s.Seat)
	for p, who := range s.Players {
		if p != s.Seat {
			fmt.Fprintf(&b, "; seat %d is %s", p, who)
		}
	}
	b.WriteString(".\n")
	if s.GaveUp != "" {
		fmt.Fprintf(&b, "Game %s was given up for it.\n", s.GaveUp)
	}
	if len(s.Events) > 0 {
		b.WriteString("\nSince your last decision:\n")
		for _, e := range s.Events {
			fmt.Fprintf(&b, "- %s\n", sentence(e))
		}
	}
	if s.Text != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(s.Text, "\n"))
	}
	return b.String()
}

// sentence is an event with the number of its rule.
func sentence(e told.Event) string {
	if e.Rule == "" {
		return e.Text
	}
	return fmt.Sprintf("%s (%s)", e.Text, e.Rule)
}

// asked says what is asked.
func asked(q told.Question) string {
	if q.Rule == "" {
		return fmt.Sprintf("You are asked: %s\n", flow.Closed(q.Says))
	}
	text := fmt.Sprintf("%s (%s): %s\n", q.Name, q.Rule, flow.Closed(q.Says))
	if q.Text != "" { // not told before
		text += fmt.Sprintf("%s, %s: %s\n", q.Rule, q.Title, q.Text)
	}
	return text
}

// list writes a line for each choice: number, name, what it would do.
func list(choices []told.Choice) string {
	var b strings.Builder
	b.WriteString("Legal:\n")
	for _, c := range choices {
		b.WriteString(line(c))
	}
	return b.String()
}

func line(c told.Choice) string { return fmt.Sprintf("%5d %s: %s\n", c.Action, c.Name, c.Words) }

// Choices is the answer of legal.
type Choices struct {
	ID       string        `json:"id"`
	Question told.Question `json:"question" jsonschema:"what you are asked and by which rule"`
	Legal    []told.Choice `json:"legal" jsonschema:"the actions that you may take now"`
}

// Hint is the answer of hint.
type Hint struct {
	By string `json:"by" jsonschema:"agent string of who gives the hint; it knows what you know"`
	// Value is what the seat may expect.
	Value       *float32     `json:"value" jsonschema:"what your seat may expect, from 0 (the least return) to 1 (the largest): the mean of the actions' values by their shares; null where it was not found out"`
	Worlds      int          `json:"worlds" jsonschema:"in how many ways what you do not know was dealt to find that out"`
	Suggestions []Suggestion `json:"suggestions" jsonschema:"the likeliest first"`
	// Line is what is to be expected.
	Line []teacher.Step `json:"line" jsonschema:"the choices that are expected if the likeliest action is taken"`
}

// Suggestion is what a teacher thinks of an action.
type Suggestion struct {
	Action int      `json:"action"`
	Name   string   `json:"name"`
	Words  string   `json:"words"`
	Share  float32  `json:"share" jsonschema:"with which probability the teacher would take it"`
	Value  *float32 `json:"value" jsonschema:"what your seat may expect after it, from 0 to 1; null where it was not found out"`
	Error  float32  `json:"error" jsonschema:"standard error of value beside those of other actions"`
}

// suggested is how many actions a hint has at most.
const suggested = 5

// hinted makes a hint of advice.
func (g *game) hinted(a *teacher.Advice) *Hint {
	h := &Hint{By: a.By, Value: a.Value, Worlds: a.Worlds, Suggestions: []Suggestion{}, Line: a.Line}
	opinions := slices.Clone(a.Opinions)
	slices.SortStableFunc(opinions, func(x, y teacher.Opinion) int {
		return cmp.Compare(y.Share, x.Share)
	})
	v := g.view()
	for _, o := range opinions[:min(suggested, len(opinions))] {
		c := g.reader.Choice(v, engine.Action(o.Action))
		h.Suggestions = append(h.Suggestions, Suggestion{c.Action, c.Name, c.Words, o.Share, o.Value, o.Error})
	}
	return h
}

func (h *Hint) read() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, which knows what you know, would play", h.By)
	if h.Value != nil {
		fmt.Fprintf(&b, " (and expects %.2f, from 0 for the worst return to 1 for the best)", *h.Value)
	}
	b.WriteString(":\n")
	for _, s := range h.Suggestions {
		fmt.Fprintf(&b, "%5d %s: %s, with probability %.2f", s.Action, s.Name, s.Words, s.Share)
		if s.Value != nil {
			fmt.Fprintf(&b, ", then expecting %.3f ± %.3f", *s.Value, s.Error)
		}
		b.WriteString("\n")
	}
	for i, s := range h.Line {
		if i == 0 {
			b.WriteString("It expects:\n")
		}
		fmt.Fprintf(&b, "%5d. seat %d: %s\n", i+1, s.Seat, s.Words)
	}
	return b.String()
}

// Rules is the answer of rules.
type Rules struct {
	Game  string          `json:"game"`
	Rules []ruledata.Rule `json:"rules" jsonschema:"in the order of the rulebook, rulings last; without text where all are listed"`
}

func (r *Rules) read() string {
	var b strings.Builder
	for _, rule := range r.Rules {
		fmt.Fprintf(&b, "%s %s", rule.Number, rule.Title)
		if rule.Text != "" {
			fmt.Fprintf(&b, ": %s", rule.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Games is the answer of games.
type Games struct {
	Games []Offer `json:"games"`
}

// Offer is a game that can be played.
type Offer struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Seats     int             `json:"seats" jsonschema:"with the default options"`
	Payoff    string          `json:"payoff" jsonschema:"zero-sum, general-sum or cooperative"`
	Decisions int             `json:"max_decisions" jsonschema:"no game has more"`
	Options   []option.Option `json:"options"`
	Opponents []string        `json:"opponents" jsonschema:"agent strings, from the weakest kind to the strongest"`
}

func (l *Games) read() string {
	var b strings.Builder
	for _, g := range l.Games {
		fmt.Fprintf(&b, "%s: %s, %d seats, %s; opponents: %s\n", g.Name, g.Title, g.Seats, g.Payoff, strings.Join(g.Opponents, ", "))
		for _, o := range g.Options {
			fmt.Fprintf(&b, "    %s: %s (default %s): %s\n", o.Name, o.Wants(), o.Default, o.Help)
		}
	}
	return b.String()
}
