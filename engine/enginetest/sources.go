package enginetest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/demand"
)

// sourceMarks say where a fact of a game's data comes from. mixed is the mark of a
// record whose parts have their own.
var sourceMarks = []string{"rulebook", "public", "reconstructed", "mixed"}

// Sources checks the marks (ruledata.Source) in all data files of a game: they are known, a
// public fact cites where it stands, and a reconstructed one gives its reason, itself or
// in a record around it.
func Sources(t testing.TB, files fs.FS) {
	t.Helper()
	demand.Something(t, files, "files", "the game's folder, in which data is")
	names, err := fs.Glob(files, "data/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("data: %d files, %v", len(names), err)
	}
	marks := 0
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w := sourceWalk{fail: func(where, what string) { t.Errorf("%s: %s: %s", path.Base(name), where, what) }}
		w.walk("", v, false)
		marks += w.marks
	}
	if marks == 0 {
		t.Error("no record says where it comes from")
	}
}

// sourceWalk goes through one file.
type sourceWalk struct {
	fail  func(where, what string)
	marks int
}

// walk checks a value. backed is true if a record around it cites something or gives a
// reason.
func (w *sourceWalk) walk(where string, v any, backed bool) {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			w.walk(fmt.Sprintf("%s[%d]", where, i), e, backed)
		}
	case map[string]any:
		backed = backed || given(v["cite"]) || given(v["why"])
		if mark, ok := v["source"]; ok {
			w.mark(where, mark, backed)
		}
		for key, e := range v {
			if key != "source" {
				w.walk(where+"."+key, e, backed)
			}
		}
	}
}

// given reports whether a cite or why says anything.
func given(v any) bool { return v != nil && v != "" }

// mark checks one mark: a word with which it begins, or an object with one for each part of the
// record.
func (w *sourceWalk) mark(where string, mark any, backed bool) {
	w.marks++
	switch mark := mark.(type) {
	case string:
		word, _, _ := strings.Cut(mark, " ")
		switch word = strings.TrimRight(word, ":,;"); {
		case !slices.Contains(sourceMarks, word):
			w.fail(where, fmt.Sprintf("source %q is none of %s", mark, strings.Join(sourceMarks, ", ")))
		case !backed && (word == "public" || word == "reconstructed"):
			w.fail(where, word+" without a cite or why")
		}
	case map[string]any:
		if len(mark) == 0 {
			w.fail(where, "source has no parts")
		}
		for part, e := range mark {
			w.mark(where+"."+part, e, backed)
		}
	default:
		w.fail(where, fmt.Sprintf("source %v is no word", mark))
	}
}
