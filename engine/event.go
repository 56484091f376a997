package engine

// Event is something that happened in a game: a move, or what the rules carried
// out after it without asking anybody, such as a battle, a score or a move that
// was forced.
type Event struct {
	// Kind is a word for what happened, such as "battle". The kinds of a game stand
	// in its README.md.
	Kind string
	// Rule is the number of the rule by which it happened, such as "R10.2", empty
	// for none.
	Rule string
	// Args say what happened to whom, by the names of the game's positions.
	Args []Arg
	// Seen is the set of the seats that get to know of it, bit p for seat p. What
	// seats see differently is told by an event for each.
	Seen uint8
	// Veiled is true of an event that says less than another one, which tells the same
	// to seats that get to know more.
	Veiled bool
	// Text tells it to people in one sentence, without a final stop.
	Text string
}

// Arg is one named fact of an event. Value is a string, an int, a bool or a list of
// them.
type Arg struct {
	Name  string
	Value any
}

// SeenBy reports whether seat p gets to know of the event.
func (e *Event) SeenBy(p Player) bool { return e.Seen>>p&1 != 0 }

// Opens reports whether the event begins a part of the game that people count by: a round,
// a night, a turn.
func (e *Event) Opens() bool {
	switch e.Kind {
	case "round", "night", "game_turn", "turn", "sunrise", "administration":
		return true
	}
	return false
}

// Narrator is a state that tells what happens as it happens.
type Narrator interface {
	State
	// Listen makes every Apply that succeeds call tell with what happened, in order:
	// the move, in the words of Describe, and what the rules carried out after it. A
	// move that was forced and made unasked is told like one that was chosen, so that
	// a seat cannot tell the two apart, and a secret one when it comes out. The event
	// and what it points to are valid until tell returns. A nil tell ends it; without
	// one, events cost nothing. The listener belongs to the state: CopyFrom does not
	// copy it.
	Listen(tell func(e *Event))
}
