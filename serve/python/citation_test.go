package python

import (
	"os"
	"strings"
	"testing"
)

// CITATION.cff cites this version.
func TestCitationIsOfThisVersion(t *testing.T) {
	text, err := os.ReadFile("../../.github/CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\nversion: \"" + Version() + "\"\n"; !strings.Contains(string(text), want) {
		t.Errorf("CITATION.cff lacks the line %q", strings.TrimSpace(want))
	}
}
