package table

import (
	"cmp"

	"powderkeg/engine"
)

// Reasons for which a move is not taken back.
const (
	UndoNothing = "nothing" // there is none of the seat
	UndoOther   = "other"   // another seat has decided since
	UndoChance  = "chance"  // dice, a draw or a lot have shown something since
	UndoShown   = "shown"   // it has brought hidden information to light, or may have asked somebody in secret
	UndoOver    = "over"    // it ended the game
)

// Move is a move that was made in a game, as far as taking it back is concerned.
type Move struct {
	Actor  engine.Player // a seat or engine.Chance
	Action engine.Action
	// Shows is true of a person's move that brought hidden information to light, or after
	// which somebody may have been asked in secret (Secrets.Stands).
	Shows bool
	// Known is the set of the seats that got to know which move was made, bit p for seat p
	// (Known).
	Known uint8
}

// Undoable returns how many moves would be left if seat p took its last one back. Where it
// may not, why is one of the reasons; in practice every move may be taken back. Both
// follow from what the seat knows: of another seat that was asked in secret and has
// declined it is told neither here.
func Undoable(moves []Move, p engine.Player, practice, over bool) (left int, why string) {
	for left = len(moves) - 1; left >= 0 && moves[left].Actor != p; left-- {
		switch m := moves[left]; {
		case practice:
		case m.Actor == engine.Chance:
			why = cmp.Or(why, UndoChance)
		case m.Known>>p&1 != 0:
			why = cmp.Or(why, UndoOther)
		}
	}
	switch {
	case left < 0:
		return 0, UndoNothing
	case practice:
		return left, ""
	case over:
		return 0, UndoOver
	case why == "" && moves[left].Shows:
		return 0, UndoShown
	}
	return left, why
}

// Known returns the set of the seats that get to know of a move that is about to be made
// in s.
func Known(s engine.State, seats int, a engine.Action) (known uint8) {
	secretive, ok := s.(engine.Secretive)
	for p := range engine.Player(seats) {
		if !ok || p == s.ToAct() || secretive.Shows(p, a) {
			known |= 1 << p
		}
	}
	return known
}
