package web

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every word that the page shows stands in strings.ts, so that a translation is one file: no
// other source has words between tags, in attributes that people read or hear, or as a text
// of several words.
func TestAllWordsAreInOneFile(t *testing.T) {
	files, err := filepath.Glob("ui/src/*.ts*")
	if err != nil || len(files) < 10 {
		t.Fatalf("the sources of the page are %v: %v", files, err)
	}
	for _, name := range files {
		if filepath.Base(name) == "strings.ts" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range loose(string(data)) {
			t.Errorf("%s has the words %q, which belong to strings.ts", name, found)
		}
	}
	// What it looks for it finds.
	for text, want := range map[string]int{
		`<p>Some words</p>`: 1, "<p>\n\tSome words{\" \"}\n</p>": 1, `<a title="Go">{x}</a>`: 1, `say("Two words");`: 1, "say(`Seat ${p} moves`)": 1,
		`<p class="loose words">{strings.go}</p>`: 0, "// a comment\nconst x = \"word\";": 0, `a => b < c && c > d`: 0, "<b>×</b>": 0,
	} {
		if got := loose(text); len(got) != want {
			t.Errorf("in %s it finds %q", text, got)
		}
	}
}

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)(^|[\t ;{])//.*$`)
	// Words between tags, or between a tag and what is filled in.
	between = regexp.MustCompile(`(?:/|"|\}|<[a-z][a-z0-9]*|\w)>\s*([A-Z][a-z]*[^<>{}=;()]*)\s*[<{]`)
	heard   = regexp.MustCompile(`\b(?:title|aria-label|alt|placeholder)="([^"]+)"`)
	quoted  = regexp.MustCompile("\"([^\"\\n]*)\"|`([^`]*)`")
	phrase  = regexp.MustCompile(`^[A-Z][a-z]+(?: |$).*[a-z] [a-z]+|^[A-Z][a-z]+ [a-z$]`)
)

// loose returns the words of a source that people would read.
func loose(source string) (found []string) {
	source = comments.ReplaceAllString(source, "$1")
	for _, m := range between.FindAllStringSubmatch(source, -1) {
		found = append(found, strings.TrimSpace(m[1]))
	}
	for _, m := range heard.FindAllStringSubmatch(source, -1) {
		found = append(found, m[1])
	}
	for _, m := range quoted.FindAllStringSubmatch(source, -1) {
		if text := m[1] + m[2]; phrase.MatchString(text) {
			found = append(found, text)
		}
	}
	return found
}
