package flow

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// Kind is a row of a game's table of events: how a kind of event is told to people.
// README.md of the game lists the same kinds.
type Kind struct {
	// Name is the word that engine.Event carries.
	Name string
	// Text is the sentence, without a final stop. {name} in it stands for the argument of
	// that name, and {} for what Said says.
	Text string
	// Veiled is the sentence for the seats that get to know less, empty for a kind
	// that is told in one way only.
	Veiled string
}

// Told is a kind of event whose arguments are told by their places.
type Told struct {
	Kind
	args []string // the names of the arguments
	open int      // how many of them the veiled sentence has
}

// Tells returns a kind of event. args names its arguments in order; those in brackets, the
// last ones, are not told to the seats that get to know less, as in "faction (card)". The last may be {}: words
// that fill {} in the sentence and are no part of the event.
func Tells(name, args, text string) *Told {
	t := &Told{Kind: Kind{Name: name, Text: text}}
	for _, arg := range strings.Fields(args) {
		bare := strings.Trim(arg, "(){}")
		if t.args = append(t.args, bare); !strings.HasPrefix(arg, "(") {
			t.open++
		}
	}
	return t
}

// Veil adds to a kind the sentence for the seats that get to know less.
func Veil(text string, t *Told) *Told {
	t.Veiled = text
	return t
}

// Everybody is the set of all seats.
const Everybody uint8 = 0xFF

// Kinds is a game's table of events.
type Kinds struct {
	rows map[string]*Kind
	word func(name string, value any) string
}

// NewKinds makes a table of its rows. word says how the value of an argument reads in a
// sentence, such as the printed name of a card for its key; where it returns "", or is
// nil, the value stands there as it is, and a list with commas.
func NewKinds(word func(name string, value any) string, rows []Kind) *Kinds {
	k := &Kinds{rows: make(map[string]*Kind, len(rows)), word: word}
	for i := range rows {
		if k.rows[rows[i].Name] != nil {
			panic("flow: the kind of event " + rows[i].Name + " has two rows")
		}
		k.rows[rows[i].Name] = &rows[i]
	}
	return k
}

// Witness tells a listener what happens where the rules act. A nil Witness stands there
// while nobody listens, or while a position is only tried out; what is to be told is
// asked for behind a test for nil, so that it costs nothing then:
//
//	if w != nil {
//		w.All("draw", "R6.2", flow.Arg("seat", seat), flow.Arg("cards", n))
//	}
type Witness struct {
	kinds *Kinds
	all   uint8
	tell  func(e *engine.Event)
}

// NewWitness returns a witness of a game with that many seats, nil without a listener.
func NewWitness(kinds *Kinds, seats int, tell func(e *engine.Event)) *Witness {
	if tell == nil {
		return nil
	}
	return &Witness{kinds: kinds, all: uint8(1<<seats - 1), tell: tell}
}

// Arg makes an argument of an event.
func Arg(name string, value any) engine.Arg { return engine.Arg{Name: name, Value: value} }

// Said makes an argument that stands last, fills {} in the sentence and is no part of the
// event: words that depend on more than the arguments.
func Said(words string) engine.Arg { return engine.Arg{Value: words} }

// All tells every seat what has happened, and by which rule.
func (w *Witness) All(kind, rule string, args ...engine.Arg) { w.Some(w.all, kind, rule, args...) }

// Some tells the seats of the set, bit p for seat p, what has happened.
func (w *Witness) Some(seats uint8, kind, rule string, args ...engine.Arg) {
	w.event(seats, false, w.kinds.row(kind), rule, args)
}

// Others tells the seats outside the set less than Some told those in it.
func (w *Witness) Others(seats uint8, kind, rule string, args ...engine.Arg) {
	if rest := w.all &^ seats; rest != 0 {
		w.event(rest, true, w.kinds.row(kind), rule, args)
	}
}

// Tell tells the seats of a set all of what has happened, and the others as much as the kind
// lets them know, nothing if it has no veiled sentence. The values are those of the kind's
// arguments; fact returns each as events have it: a word, a number, or a list of them.
func (w *Witness) Tell(seats uint8, t *Told, rule string, fact func(value any) any, values []any) {
	if len(values) != len(t.args) {
		panic(fmt.Sprintf("flow: the kind of event %s has %d arguments, not %d", t.Name, len(t.args), len(values)))
	}
	args := make([]engine.Arg, len(values))
	for i, v := range values {
		args[i] = Arg(t.args[i], fact(v))
	}
	w.event(seats&w.all, false, &t.Kind, rule, args)
	if rest := w.all &^ seats; rest != 0 && t.Veiled != "" {
		w.event(rest, true, &t.Kind, rule, args[:t.open:t.open])
	}
}

func (w *Witness) event(seen uint8, veiled bool, kind *Kind, rule string, args []engine.Arg) {
	e := engine.Event{Kind: kind.Name, Rule: rule, Args: args, Seen: seen, Veiled: veiled, Text: w.kinds.sentence(kind, veiled, args)}
	if last := len(args) - 1; last >= 0 && args[last].Name == "" {
		e.Args = args[:last]
	}
	w.tell(&e)
}

// row returns the row of a kind.
func (k *Kinds) row(kind string) *Kind {
	row := k.rows[kind]
	if row == nil {
		panic("flow: the kind of event " + kind + " has no row")
	}
	return row
}

// sentence fills the arguments into the sentence of a kind.
func (k *Kinds) sentence(kind *Kind, veiled bool, args []engine.Arg) string {
	text := kind.Text
	if veiled {
		text = kind.Veiled
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(k.read(kind.Name, name, args))
		text = after
	}
}

// read says how the argument of a name reads.
func (k *Kinds) read(kind, name string, args []engine.Arg) string {
	for _, a := range args {
		if a.Name == name {
			return k.value(name, a.Value)
		}
	}
	panic("flow: the event " + kind + " has no argument " + name)
}

func (k *Kinds) value(name string, value any) string {
	if k.word != nil {
		if s := k.word(name, value); s != "" {
			return s
		}
	}
	switch list := value.(type) {
	case []string:
		return k.list(name, len(list), func(i int) any { return list[i] })
	case []int:
		return k.list(name, len(list), func(i int) any { return list[i] })
	}
	return fmt.Sprint(value)
}

func (k *Kinds) list(name string, n int, at func(int) any) string {
	if n == 0 {
		return "none"
	}
	words := make([]string, n)
	for i := range words {
		words[i] = k.value(name, at(i))
	}
	return strings.Join(words, ", ")
}

// Counted returns the words of NewKinds for a game one of whose arguments counts things:
// an argument "chips" reads "1 chip" or "2 chips" in a sentence.
func Counted(argument, one, many string) func(name string, value any) string {
	return func(name string, value any) string {
		switch {
		case name != argument:
			return ""
		case value == 1:
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", value, many)
	}
}

// Count writes a number of things, the plural of whose name ends in s: "1 card", "2 cards".
func Count[N ~int | ~int8 | ~int16 | ~uint8 | ~uint16 | ~uint32](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
