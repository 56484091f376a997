package web

import "strings"

// Piece is a piece of a drawing told by the one before: lines that are the same, or the
// text of others.
type Piece struct {
	// From and Count are of lines of the drawing before, counted from 0; Count is 0 where
	// there is Text, which has no line end behind it.
	From  int    `json:"from,omitempty"`
	Count int    `json:"count,omitempty"`
	Text  string `json:"text,omitempty"`
}

// patch returns the pieces of a drawing whose lines are told by those of the one before,
// nil where that is no shorter. Of a large map a move changes a few lines.
func patch(before, after string) []Piece {
	old, lines := strings.Split(before, "\n"), strings.Split(after, "\n")
	first := make(map[string]int, len(old))
	for i := len(old) - 1; i >= 0; i-- {
		first[old[i]] = i
	}
	var pieces []Piece
	size, next := 0, 0 // next is the line behind the last one that was the same
	for _, line := range lines {
		last := len(pieces) - 1
		at, same := first[line]
		if next < len(old) && old[next] == line {
			at, same = next, true
		}
		switch {
		case same && last >= 0 && pieces[last].Count > 0 && at == next:
			pieces[last].Count++
		case same:
			pieces = append(pieces, Piece{From: at, Count: 1})
			size += len(`{"from":1000,"count":1000},`)
		case last >= 0 && pieces[last].Count == 0:
			pieces[last].Text += "\n" + line
			size += len(line)
		default:
			pieces = append(pieces, Piece{Text: line})
			size += len(line) + len(`{"text":""},`)
		}
		if same {
			next = at + 1
		} else {
			next++ // a line in the place of another
		}
	}
	if size >= len(after) {
		return nil
	}
	return pieces
}
