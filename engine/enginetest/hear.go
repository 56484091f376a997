package enginetest

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// Hear collects what is told from now on and the seat sees, or for engine.Everything all
// of it, each event as EventText writes it. It panics if the state tells no events.
func Hear(s engine.State, seat engine.Player) *[]string {
	narrator, ok := s.(engine.Narrator)
	if !ok {
		panic(fmt.Sprintf("enginetest.Hear: %T tells no events: it must be an engine.Narrator", s))
	}
	told, seats := &[]string{}, len(s.Returns(nil))
	narrator.Listen(func(e *engine.Event) {
		if seat == engine.Everything || e.SeenBy(seat) {
			*told = append(*told, EventText(e, seats))
		}
	})
	return told
}

// EventText writes an event down in a line: the seats that see it, a dash for each that
// does not, rule, kind, arguments, sentence.
func EventText(e *engine.Event, seats int) string {
	var b strings.Builder
	for p := range engine.Player(seats) {
		if e.SeenBy(p) {
			fmt.Fprint(&b, p)
		} else {
			b.WriteByte('-')
		}
	}
	fmt.Fprintf(&b, " %-6s %s", e.Rule, e.Kind)
	for _, a := range e.Args {
		fmt.Fprintf(&b, " %s=%v", a.Name, a.Value)
	}
	return b.String() + " | " + e.Text
}
