package told

import (
	"slices"
	"sync"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
)

// Reader reads the views of a game. It is immutable and safe for concurrent use.
type Reader struct {
	game    engine.Game
	rules   map[string]ruledata.Rule
	phrases []phrase // by action
}

// NewReader returns a reader of a game.
func NewReader(g engine.Game) *Reader {
	return &Reader{game: g, rules: byNumber(g.Spec().Name), phrases: phrases(g.Spec().Actions)}
}

// shelf keeps the rules of families that were asked for, by number.
var shelf sync.Map

// byNumber returns the rules of a family by number. The map is shared and read-only.
func byNumber(family string) map[string]ruledata.Rule {
	if kept, ok := shelf.Load(family); ok {
		return kept.(map[string]ruledata.Rule)
	}
	rules := map[string]ruledata.Rule{}
	for _, rule := range games.Rules(family) {
		rules[rule.Number] = rule
	}
	kept, _ := shelf.LoadOrStore(family, rules)
	return kept.(map[string]ruledata.Rule)
}

// Question says who decides what, and by which rule.
type Question struct {
	// Player decides: a seat, engine.Chance (-1), Terminal (-2) or, where the seat of the view knows of
	// no question, Nobody (-3).
	Player int `json:"player"`
	// Name is the question as positions and events have it, such as D3, and Rule the number
	// of the rule by which it is put, such as R7.3; both are "" where nothing is asked.
	Name string `json:"question"`
	Rule string `json:"rule"`
	// Says is the question as a sentence to whoever decides, such as "Play a card, or pass"
	// (engine.Teller); "" where nothing is asked.
	Says string `json:"says"`
	// Title and Text are those of the rule, in our own words.
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Question returns what is asked in a view.
func (r *Reader) Question(v engine.View) Question {
	q := Question{Player: int(v.ToAct())}
	if asker, ok := v.(engine.Asker); ok && v.ToAct() >= engine.Chance {
		q.Name, q.Rule = asker.Asks()
		q.Title, q.Text = r.rules[q.Rule].Title, r.rules[q.Rule].Text
	}
	if teller, ok := v.(engine.Teller); ok && v.ToAct() >= 0 {
		q.Says = teller.Question()
	}
	return q
}

// Rule returns a rule or ruling by its number; the zero Rule for one that there is not.
func (r *Reader) Rule(number string) ruledata.Rule { return r.rules[number] }

// Text is what people read of a view, "" for a game that cannot be told in words.
func Text(v engine.View, seat engine.Player) string {
	if t, ok := v.(engine.Teller); ok {
		return t.Text(seat)
	}
	return ""
}

// Event is an event of the engine as one seat is told of it.
type Event struct {
	Kind string         `json:"kind"`
	Rule string         `json:"rule,omitempty"`
	Args map[string]any `json:"args,omitempty"`
	Text string         `json:"text"`
}

// Hear tells hear of every event that one of the seats gets to know, until another listener
// takes its place; of what several of them get to know it tells each. A state of a game
// without events tells nothing.
func Hear(s engine.State, seats []engine.Player, hear func(seat engine.Player, e Event)) {
	narrator, ok := s.(engine.Narrator)
	if !ok {
		return
	}
	narrator.Listen(func(e *engine.Event) {
		for _, seat := range seats {
			if e.SeenBy(seat) {
				hear(seat, eventOf(e))
			}
		}
	})
}

// eventOf copies an event, so that it outlives the moment in which it is told.
func eventOf(e *engine.Event) Event {
	t := Event{Kind: e.Kind, Rule: e.Rule, Text: e.Text}
	if len(e.Args) > 0 {
		t.Args = make(map[string]any, len(e.Args))
		for _, a := range e.Args {
			t.Args[a.Name] = kept(a.Value)
		}
	}
	return t
}

// kept returns the value of an argument with memory of its own.
func kept(value any) any {
	switch list := value.(type) {
	case []string:
		return slices.Clone(list)
	case []int:
		return slices.Clone(list)
	}
	return value
}
