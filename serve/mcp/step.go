package mcp

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents/human"
	"powderkeg/engine/flow"
	"powderkeg/serve/told"
)

// Step is the answer of act: what is new since the answer before it. A model pays for every character that
// it reads, and reads all of them again with each answer that follows.
type Step struct {
	ID string `json:"id"`
	// Question is what is asked; the text of its rule is told once a game.
	Question told.Question `json:"question" jsonschema:"what you are asked and by which rule, whose text is left out if you were told it before; player is your seat, -2 at the end"`
	Legal    []string      `json:"legal" jsonschema:"names of the actions that you may take now, none at the end; the tool legal says what each would do"`
	Events   []string      `json:"events" jsonschema:"what you were told since your decision, in order, with the numbers of rules"`
	Earlier  int           `json:"earlier,omitempty" jsonschema:"how many events are left out that were before these; look tells them too"`
	Changed  []string      `json:"changed" jsonschema:"lines of what your seat sees that were not there before, under the heads of their tables; look shows the whole"`
	Unplayed string        `json:"unplayed,omitempty" jsonschema:"why the rest of a list of actions was not played"`
	Over     *Over         `json:"over,omitempty" jsonschema:"how the game ended"`
}

const (
	// mostEvents is how many events a step tells.
	mostEvents = 40
	// inWords is the largest number of choices that a list says in words what each of them would do.
	inWords = 20
	// inWhole is the number of choices below which all of them are listed each time.
	inWhole = 6
)

// known is what a model has been told of its game, which need not be told again.
type known struct {
	lines  []string           // of the situation
	rules  map[string]bool    // whose text was told
	listed map[string]listing // by question, the last choices of it that were not few
}

// situation notes that all of a situation was told.
func (k *known) situation(s *Situation) {
	*k = known{lines: lines(s.Text)}
	k.rule(s.Question)
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

// rule returns a question without the text of a rule that was told before.
func (k *known) rule(q told.Question) told.Question {
	if k.rules[q.Rule] {
		q.Text = ""
		return q
	}
	if k.rules == nil {
		k.rules = map[string]bool{}
	}
	k.rules[q.Rule] = true
	return q
}

// changed returns what has changed in the situation.
func (k *known) changed(text string) []string {
	now := lines(text)
	changes := human.Changes(k.lines, now)
	k.lines = now
	return slices.Concat([]string{}, changes)
}

// choices lists the answers to a question, and of a list that is much like the last one for the same
// question what has come and gone.
func (k *known) choices(question string, choices []told.Choice) string {
	if len(choices) < inWhole {
		return list(choices)
	}
	now := listing{map[string]string{}, nil}
	for _, c := range choices {
		text := c.Name
		if len(choices) <= inWords {
			text = line(c)
		}
		now.names, now.told[c.Name] = append(now.names, c.Name), text
	}
	if k.listed == nil {
		k.listed = map[string]listing{}
	}
	before := k.listed[question]
	k.listed[question] = now
	gone, come := without(before, now, false), without(now, before, true)
	if len(gone)+len(come) <= len(choices)/2 {
		return like(question, gone, come, now)
	}
	if len(choices) > inWords {
		return fmt.Sprintf("%d legal actions, by name (the tool legal says what each would do): %s\n", len(choices), strings.Join(now.names, " "))
	}
	return list(choices)
}

// listing is a list of choices that was told: their names in order, and what was told of each.
type listing struct {
	told  map[string]string
	names []string
}

// without returns the names of a list that are not in another one, or, if worded, those of which it tells
// something else.
func without(list, other listing, worded bool) (rest []string) {
	for _, name := range list.names {
		if text, ok := other.told[name]; !ok || worded && text != list.told[name] {
			rest = append(rest, name)
		}
	}
	return rest
}

// like tells a list by what is new in it.
func like(question string, gone, come []string, now listing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d legal actions, those listed", len(now.names))
	if question != "" {
		fmt.Fprintf(&b, " for %s", question)
	}
	b.WriteString(" before")
	if len(gone) > 0 {
		fmt.Fprintf(&b, " without %s", strings.Join(gone, " "))
	}
	switch {
	case len(come) == 0:
		b.WriteString(".\n")
	case len(now.names) > inWords:
		fmt.Fprintf(&b, ", and %s.\n", strings.Join(come, " "))
	default:
		b.WriteString(", and:\n")
		for _, name := range come {
			b.WriteString(now.told[name])
		}
	}
	return b.String()
}

// step tells the model what is new, and how that reads.
func (g *game) step(unplayed string) (*Step, string) {
	v, events := g.view(), g.events
	if len(events) > 0 && events[0].Kind == "move" && events[0].Args["action"] == g.played {
		events = events[1:] // which the model knows
	}
	s := &Step{
		ID: g.id, Question: g.told.rule(g.reader.Question(v)), Legal: g.legal(), Events: []string{}, Earlier: max(0, len(events)-mostEvents),
		Unplayed: unplayed, Over: g.ending(),
	}
	s.Changed = slices.DeleteFunc(g.told.changed(told.Text(v, g.seat)), func(line string) bool { return asksOnly(line, s.Question) })
	for _, e := range events[s.Earlier:] {
		s.Events = append(s.Events, sentence(e))
	}
	return s, s.read() + g.asks(s.Question, s.Over)
}

// asksOnly reports whether a line of a text says nothing but who is asked the question, which stands
// beside the text.
func asksOnly(line string, q told.Question) bool {
	who, says, ok := strings.Cut(line, " is asked: ")
	return ok && says == flow.Closed(q.Says) && !strings.ContainsAny(who, ".,;")
}

// read is what a person, or a model, reads of a step.
func (s *Step) read() string {
	var b strings.Builder
	if s.Unplayed != "" {
		fmt.Fprintf(&b, "%s\n", s.Unplayed)
	}
	if s.Earlier > 0 {
		fmt.Fprintf(&b, "%d events, which look tells, and then:\n", s.Earlier)
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, "- %s\n", e)
	}
	if len(s.Changed) > 0 {
		fmt.Fprintf(&b, "\nNew:\n%s\n", strings.Join(s.Changed, "\n"))
	}
	return b.String()
}
