package table_test

import (
	"testing"

	"powderkeg/agents/table"
	"powderkeg/engine"
)

func TestUndoable(t *testing.T) {
	own, other := table.Move{Actor: 0, Known: 3}, table.Move{Actor: 1, Known: 3}
	secret, chance := table.Move{Actor: 1, Known: 2}, table.Move{Actor: engine.Chance, Known: 3}
	shows := table.Move{Actor: 0, Known: 3, Shows: true}
	for _, c := range []struct {
		moves          []table.Move
		practice, over bool
		left           int
		why            string
	}{
		{nil, false, false, 0, table.UndoNothing},
		{[]table.Move{other, chance}, true, false, 0, table.UndoNothing},
		{[]table.Move{own, own}, false, false, 1, ""},
		{[]table.Move{own, other}, false, false, 0, table.UndoOther},
		{[]table.Move{own, secret}, false, false, 0, ""}, // it would tell that there was a question
		{[]table.Move{own, chance}, false, false, 0, table.UndoChance},
		{[]table.Move{own, other, chance}, false, false, 0, table.UndoChance},
		{[]table.Move{own, shows}, false, false, 0, table.UndoShown},
		{[]table.Move{shows, own}, false, false, 1, ""},
		{[]table.Move{own}, false, true, 0, table.UndoOver},
		{[]table.Move{own, shows, other, chance}, true, true, 1, ""},
	} {
		left, why := table.Undoable(c.moves, 0, c.practice, c.over)
		if why != c.why || why == "" && left != c.left {
			t.Errorf("%v, practice %t, over %t: %d left, why %q, want %d, %q", c.moves, c.practice, c.over, left, why, c.left, c.why)
		}
	}
}
