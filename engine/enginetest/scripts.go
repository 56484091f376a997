package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/script"
)

// Scripts runs every script below the folder, demands that everything it says can
// fail, and returns the number of scripts.
func Scripts(t *testing.T, folder string, o script.Options) int {
	t.Helper()
	demand.That(t, folder != "", "folder is empty: it must be one of scripts, such as testdata/rules")
	n := 0
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		n++
		name, _ := filepath.Rel(folder, path)
		t.Run(strings.TrimSuffix(name, ".json"), func(t *testing.T) { runScript(t, path, o) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func runScript(t testing.TB, path string, o script.Options) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := parse(t, data)
	g := Game(t, s.Game)
	defer demand.Calm(t, path)
	result, err := script.Run(g, s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Failures {
		t.Error(f)
	}
	if !t.Failed() {
		perturbed(t, g, data, o)
	}
}

// BadPositions demands that each position is refused in one line that wraps
// engine.ErrPosition and holds the given words.
func BadPositions(t testing.TB, g engine.Game, cases map[string]string) {
	t.Helper()
	demand.Game(t, "the game", g)
	demand.That(t, len(cases) > 0, "cases is empty: there must be one position or more, with words of the error")
	defer demand.Calm(t, g.Spec().Text)
	for text, want := range cases {
		_, err := g.Load([]byte(text), engine.Strict)
		switch {
		case err == nil:
			t.Errorf("%s is accepted", text)
		case !errors.Is(err, engine.ErrPosition):
			t.Errorf("%s: the error %q does not wrap ErrPosition", text, err)
		case !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: the error is %q, want one line with %q", text, err, want)
		}
	}
}

// Game makes the game that a game string names, or fails the test.
func Game(t testing.TB, text string) engine.Game {
	t.Helper()
	g, err := games.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// HasEveryGame fails the test unless a list of game strings, which it plays, names every
// family, with any options.
func HasEveryGame(t testing.TB, texts []string) {
	t.Helper()
	for _, f := range games.Families() {
		if !slices.ContainsFunc(texts, func(text string) bool {
			name, _, err := option.Split(text)
			return err == nil && name == f.Name
		}) {
			t.Errorf("no game string here is of %s", f.Name)
		}
	}
}
