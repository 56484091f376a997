package engine

import "fmt"

// Log tells in sentences what happens in a game, as one seat gets to know it, or all of
// it. It reads events where the game has them (Narrator), else the moves themselves. It
// belongs to one state.
type Log struct {
	game Game
	seat Player
	tell func(line string)
	open func(line string) // for events that open a part of the game, nil: tell
}

// Everything stands in the place of a seat for somebody who looks from outside: NewLog
// tells it what nobody but a mover knows, too, and Hidden.See shows it every secret.
const Everything Player = Nobody

// NewLog returns a log of what seat p gets to know, or of Everything. Each line is
// handed to tell.
func NewLog(g Game, p Player, tell func(line string)) *Log {
	return &Log{game: g, seat: p, tell: tell}
}

// Headings hands the lines of events that open a part of the game (Event.Opens) to open
// instead.
func (l *Log) Headings(open func(line string)) { l.open = open }

// Event tells an event of a game that has them.
func (l *Log) Event(e *Event) {
	if l.seat == Everything && !e.Veiled || l.seat != Everything && e.SeenBy(l.seat) {
		if l.open != nil && e.Opens() {
			l.open(e.Text)
			return
		}
		l.tell(e.Text)
	}
}

// Move tells the move a that is about to be made in s. In a game that has events they
// tell it, and Move does nothing.
func (l *Log) Move(s State, a Action) {
	if _, ok := s.(Narrator); ok || !l.shows(s, a) {
		return
	}
	who := fmt.Sprintf("seat %d", s.ToAct())
	if s.ToAct() == Chance {
		who = "chance"
	}
	if d, ok := s.(Describer); ok {
		l.tell(who + ": " + d.Describe(a))
		return
	}
	l.tell(who + ": " + MoveName(l.game, s, a))
}

// shows reports whether the seat gets to know of a move: of its own, and of those of
// others that the game shows to it. Of a game with hidden information that does not say
// what it shows, all moves of others count as hidden. Even that there was a hidden move
// may be a secret, such as the number of cards put aside.
func (l *Log) shows(s State, a Action) bool {
	if l.seat == Everything || s.ToAct() == l.seat {
		return true
	}
	if secretive, ok := s.(Secretive); ok {
		return secretive.Shows(l.seat, a)
	}
	_, hides := s.(Hidden)
	return !hides
}
