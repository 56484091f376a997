package engine

import (
	"regexp"
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

// reference is how texts and events of all games speak of a seat, with the spaces that follow it in a table.
var reference = regexp.MustCompile(`\b([Ss]eat|[Pp]layer) (\d+)\b( *)`)

// Named returns a text for people: where it speaks of "seat 2" or "player 2", it has the name of that seat. Seats
// whose name is "" stay as they are. Columns after a name keep their place where there is room, and a name is not said
// twice where the text has it before the seat: "The students (seat 2)" becomes "The students".
func Named(text string, name func(Player) string) string {
	var b strings.Builder
	done := 0
	for _, m := range reference.FindAllStringSubmatchIndex(text, -1) {
		p, err := strconv.Atoi(text[m[4]:m[5]])
		if err != nil {
			continue
		}
		named := name(Player(p))
		if named == "" {
			continue
		}
		before, rest, gap := text[done:m[0]], text[m[1]:], m[7]-m[6]
		done = m[1]
		if said, found := strings.CutSuffix(before, " ("); found && rest != "" && rest[0] == ')' && gap == 0 && endsIn(said, named) {
			b.WriteString(said)
			done++
			continue
		}
		if said, found := strings.CutSuffix(before, ", "); found && endsIn(said, named) {
			b.WriteString(said + text[m[6]:m[7]])
			continue
		}
		b.WriteString(before)
		if gap > 1 && strings.HasPrefix(rest, named) { // a table that has the name in its next column
			b.WriteString(strings.Repeat(" ", m[1]-m[0]))
			continue
		}
		b.WriteString(named)
		if gap > 1 {
			gap = max(1, gap+m[5]-m[0]-len(named))
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
