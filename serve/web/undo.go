package web

import (
	"net/http"
	"sort"

	"powderkeg/agents/table"
	"powderkeg/engine"
)

// undoable returns how many moves would be left if seat p took its last one back, and why
// it may not, "" if it may.
func (t *session) undoable(p engine.Player) (left int, why string) {
	return table.Undoable(t.moves, p, t.practice(), t.ended(p))
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
	t.drop()
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
