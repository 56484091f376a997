package web

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sort"

	"powderkeg/engine"
)

// Reasons for which a move is not taken back.
const (
	undoNothing = "nothing" // there is none of the seat
	undoOther   = "other"   // another seat has decided since
	undoChance  = "chance"  // dice, a draw or a lot have shown something since
	undoShown   = "shown"   // it has brought hidden information to light
	undoOver    = "over"    // it ended the game
)

// undoable returns how many moves would be left if seat p took its last one back. Where
// it may not, why is one of the reasons. Both follow from what the seat knows: of another
// seat that was asked in secret and has declined it is told neither here.
func (t *session) undoable(p engine.Player) (left int, why string) {
	for left = len(t.moves) - 1; left >= 0 && t.moves[left].actor != p; left-- {
		switch m := t.moves[left]; {
		case t.practice():
		case m.actor == engine.Chance:
			why = cmp.Or(why, undoChance)
		case m.known>>p&1 != 0:
			why = cmp.Or(why, undoOther)
		}
	}
	switch {
	case left < 0:
		return 0, undoNothing
	case t.practice():
		return left, ""
	case t.over():
		return 0, undoOver
	case why == "" && t.moves[left].shows:
		return 0, undoShown
	}
	return left, why
}

// undo takes back the last move of seat p and all that followed.
func (t *session) undo(p engine.Player) error {
	left, why := t.undoable(p)
	if why != "" {
		return &problem{http.StatusConflict, "undo_" + why, "This move cannot be taken back."}
	}
	if err := t.rewind(left); err != nil {
		return err
	}
	if err := t.journal.write(entry{Undo: &left}); err != nil {
		return err
	}
	return t.settle()
}

// rewind makes the game what it was after its first n moves.
func (t *session) rewind(n int) error {
	s, err := t.before(n)
	if err != nil {
		return err
	}
	t.state = s
	t.listen()
	t.moves = t.moves[:n]
	t.anchors = t.anchors[:n/anchorEvery+1]
	lines := sort.Search(len(t.lines), func(i int) bool { return t.lines[i].moves > n })
	t.lines = t.lines[:lines]
	for i := range t.pages {
		t.pages[i].back(n, lines)
	}
	t.look() // it may be a pause
	t.changes++
	t.fault = ""
	if t.stop != nil {
		t.stop()
	}
	return nil
}

// worldsTried is in how many worlds a move is tried to find out whether it brought
// something to light.
const worldsTried = 64

// brings reports whether a move that a seat is about to make brings hidden information
// to light: whether in some world that a seat holds to be possible the move, which that
// seat gets to know, could not be made, or would show the seat something else. What chance
// decides comes after it and does not count.
func (t *session) brings(a engine.Action) (shows bool, err error) {
	hidden, ok := t.state.(engine.Hidden)
	if !ok {
		return false, nil
	}
	after := engine.Clone(t.game, t.state)
	if err := after.Apply(a); err != nil {
		return false, err
	}
	mover := t.state.ToAct()
	secretive, _ := t.state.(engine.Secretive)
	rng := rand.NewPCG(t.head.Seed, t.changes)
	world := t.game.New().(engine.Hidden)
	for p := range engine.Player(len(t.seats)) {
		known := p == mover || secretive != nil && secretive.Shows(p, a)
		before, want := engine.Look(hidden, p), engine.Look(after, p).Hash()
		for range worldsTried {
			world.Redeal(before, rng)
			if world.ToAct() != mover || !slices.Contains(world.Legal(nil), a) {
				if known {
					return true, nil
				}
				continue
			}
			if err := world.Apply(a); err != nil {
				return false, fmt.Errorf("web: a legal move is refused: %w", err)
			}
			if engine.Look(world, p).Hash() != want {
				return true, nil
			}
		}
	}
	return false, nil
}
