package solve_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
)

// The lines between which README.md holds the table of known answers.
const (
	tableBegin = "<!-- known answers: written by go test -update -->\n"
	tableEnd   = "<!-- end of known answers -->"
)

// TestReadmeHasTheKnownAnswers computes the table of README.md.
func TestReadmeHasTheKnownAnswers(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(data), tableBegin)
	_, tail, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		t.Fatalf("README.md lacks the lines %q and %q", tableBegin, tableEnd)
	}
	var b strings.Builder
	b.WriteString("| game | algorithm |")
	for _, n := range checkpoints {
		fmt.Fprintf(&b, " %d |", n)
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" ---: |", len(checkpoints)) + "\n")
	for _, c := range known {
		fmt.Fprintf(&b, "| `%s` | `%s` |", c.game, c.algorithm)
		for k, got := range exploitabilities(t, c.game, c.algorithm) {
			if c.want[k] == "" {
				got += " ¹"
			}
			b.WriteString(" " + got + " |")
		}
		b.WriteString("\n")
	}
	enginetest.Golden(t, "README.md", head+tableBegin+b.String()+tableEnd+tail)
}
