package engine

import (
	"strconv"
	"strings"
)

// Sided is a view of a game whose seats play sides or factions that people call by name.
type Sided interface {
	View
	// Side returns the name of what seat p plays now, such as "Students" or "Rebel", and "" while that is open.
	// Who plays what is no secret: all views of a state name the same sides, and no two seats play the same one.
	Side(p Player) string
}

// Named returns a text for people: where it speaks of "seat 2" or "player 2", it has the name of that seat. Seats
// whose name is "" stay as they are. Columns after a name keep their place where there is room, and a name is not said
// twice where the text has it before the seat: "The students (seat 2)" becomes "The students".
func Named(text string, name func(Player) string) string {
	var b strings.Builder
	done := 0
	for r, ok := nextReference(text, 0); ok; r, ok = nextReference(text, r.end) {
		named := name(r.seat)
		if named == "" {
			continue
		}
		before, rest, gap := text[done:r.start], text[r.end:], r.end-r.gap
		done = r.end
		if said, found := strings.CutSuffix(before, " ("); found && rest != "" && rest[0] == ')' && gap == 0 && endsIn(said, named) {
			b.WriteString(said)
			done++
			continue
		}
		if said, found := strings.CutSuffix(before, ", "); found && endsIn(said, named) {
			b.WriteString(said + text[r.gap:r.end])
			continue
		}
		b.WriteString(before)
		if gap > 1 && strings.HasPrefix(rest, named) { // a table that has the name in its next column
			b.WriteString(strings.Repeat(" ", r.end-r.start))
			continue
		}
		b.WriteString(named)
		if gap > 1 {
			gap = max(1, gap+r.gap-r.start-len(named))
		}
		b.WriteString(strings.Repeat(" ", gap))
	}
	b.WriteString(text[done:])
	return b.String()
}

// endsIn reports whether a text ends in a word, in capitals or not.
func endsIn(text, word string) bool {
	i := len(text) - len(word)
	return i >= 0 && strings.EqualFold(text[i:], word)
}

// reference is where a text speaks of a seat, as texts and events of all games do: "seat 2", "Player 2".
type reference struct {
	seat            Player
	start, gap, end int // of the word, and of the spaces behind it, which keep columns apart
}

// nextReference returns the first reference from an index on. It is written out because drawings of 100 KB are searched.
func nextReference(text string, from int) (r reference, ok bool) {
	for {
		r.start = -1
		for _, word := range [...]string{"seat ", "Seat ", "player ", "Player "} {
			if i := strings.Index(text[from:], word); i >= 0 && (r.start < 0 || from+i < r.start) {
				r.start, r.gap = from+i, from+i+len(word)
			}
		}
		if r.start < 0 {
			return r, false
		}
		number := r.gap
		for r.gap < len(text) && text[r.gap] >= '0' && text[r.gap] <= '9' {
			r.gap++
		}
		for r.end = r.gap; r.end < len(text) && text[r.end] == ' '; r.end++ {
		}
		seat, err := strconv.Atoi(text[number:r.gap])
		if err == nil && (r.start == 0 || !inWord(text[r.start-1])) && (r.gap == len(text) || !inWord(text[r.gap])) {
			r.seat = Player(seat)
			return r, true
		}
		from = r.gap
	}
}

// inWord reports whether a byte is part of a word or number.
func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
