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
	w.event(seats, false, kind, rule, args)
}

// Others tells the seats outside the set less than Some told those in it.
func (w *Witness) Others(seats uint8, kind, rule string, args ...engine.Arg) {
	if rest := w.all &^ seats; rest != 0 {
		w.event(rest, true, kind, rule, args)
	}
}

func (w *Witness) event(seen uint8, veiled bool, kind, rule string, args []engine.Arg) {
	e := engine.Event{Kind: kind, Rule: rule, Args: args, Seen: seen, Veiled: veiled, Text: w.kinds.sentence(kind, veiled, args)}
	if last := len(args) - 1; last >= 0 && args[last].Name == "" {
		e.Args = args[:last]
	}
	w.tell(&e)
}

// sentence fills the arguments into the sentence of a kind.
func (k *Kinds) sentence(kind string, veiled bool, args []engine.Arg) string {
	row := k.rows[kind]
	if row == nil {
		panic("flow: the kind of event " + kind + " has no row")
	}
	text := row.Text
	if veiled {
		text = row.Veiled
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(k.read(kind, name, args))
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
