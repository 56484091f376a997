package enginetest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// The lines between which a game's README.md holds its table of facts.
var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// Readme checks the README.md in the working folder: its table of facts agrees
// with the game's spec (or is rewritten under -update), and every position that
// it shows as a block of JSON can be loaded.
func Readme(t testing.TB, g engine.Game) {
	t.Helper()
	demand.Game(t, "the game", g)
	Section(t, "README.md", "facts", "go test -update", facts(g.Spec()))
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := jsonBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Error("README.md shows no position as a block of JSON")
	}
	for _, b := range blocks {
		if _, err := g.Load([]byte(b[1]), engine.Lenient); err != nil {
			t.Errorf("README.md shows a position that is refused: %v\n%s", err, b[1])
		}
	}
}

// Section checks that a page has a part between the lines "<!-- NAME: written by COMMAND -->" and
// "<!-- end of NAME -->", or writes it there under -update.
func Section(t testing.TB, page, name, command, part string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+": written by "+command+" -->\n", "<!-- end of "+name+" -->"
	head, rest, found := strings.Cut(string(data), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s lacks the lines %q and %q", page, begin, end)
	}
	Golden(t, page, head+begin+part+end+tail)
}

// facts writes the table of a spec.
func facts(s *engine.Spec) string {
	var b strings.Builder
	row := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", what, fmt.Sprintf(format, args...))
	}
	row("fact", "value")
	row("---", "---")
	row("game string", "`%s`", s.Text)
	row("rules version", "%d", s.Version)
	row("players", "%d", s.Seats)
	row("payoff", "%s, returns from %g to %g", s.Payoff, s.MinReturn, s.MaxReturn)
	row("actions", "%d", len(s.Actions))
	row("chance outcomes", "%d", len(s.Outcomes))
	row("most decisions a game", "%d", s.MaxDecisions)
	row("most moves a game, chance events included", "%d", s.MaxMoves)
	return b.String()
}
