package newgame

import (
	"errors"
	"fmt"
	"go/doc"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// namePattern is what the name of a game looks like.
var namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// longest is the most letters of a name.
const longest = 40

// taken are the names of packages that the files of a game import, or stand in.
var taken = []string{
	"agents", "codec", "embed", "encoder", "encoding", "encodingtest", "engine", "enginetest", "env", "drawing", "flow", "fmt", "games", "main",
	"option", "position", "rand", "script", "scripted", "scriptedtest", "sheet", "slices", "strconv", "strings", "svg", "testing",
}

// special are the names of folders that Go treats in a way of its own.
var special = []string{"internal", "testdata", "vendor"}

// checkName says what is wrong with the name of the game.
func (g Game) checkName() error {
	pkg, name := g.pkg(), option.Shorten(g.Name)
	switch {
	case !namePattern.MatchString(g.Name) || len(g.Name) > longest:
		return fmt.Errorf("%w: the name is %q, it must be words of a to z and 0 to 9 with _ between them, %d letters at most, such as liars_dice",
			option.ErrUsage, name, longest)
	case token.IsKeyword(pkg) || doc.IsPredeclared(pkg) || slices.Contains(special, pkg) || slices.Contains(taken, pkg):
		return fmt.Errorf("%w: %q already means something in Go or in the files of a game; choose another name", option.ErrUsage, name)
	case strings.HasSuffix(g.Name, "test"):
		return fmt.Errorf("%w: the name %q ends in test, as only Go's files and packages for tests do; choose another name", option.ErrUsage, name)
	case strings.TrimSpace(g.Title) == "" || strings.ContainsAny(g.Title, "\"\\`|*/\n\r"):
		return fmt.Errorf("%w: the title is %q, it must be words on one line without quotes, strokes and stars", option.ErrUsage, option.Shorten(g.Title))
	}
	for _, folder := range []string{"engine", "env/drawing", "env/encoding", "agents/scripted"} {
		entries, err := os.ReadDir(filepath.Join(g.Root, filepath.FromSlash(folder)))
		if err != nil {
			return option.Wrong(err)
		}
		for _, e := range entries {
			if base, _, _ := strings.Cut(e.Name(), "."); strings.ReplaceAll(base, "_", "") == pkg {
				return fmt.Errorf("%w: the name %q is taken: there is %s/%s", option.ErrUsage, name, folder, e.Name())
			}
		}
	}
	return nil
}

// module returns the path of the module in whose folder the game is to be written.
func (g Game) module() (string, error) {
	text, err := os.ReadFile(filepath.Join(g.Root, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(line, "module "); ok {
			return strings.Trim(strings.TrimSpace(path), `"`), nil
		}
	}
	return "", fmt.Errorf("%w: go.mod names no module", option.ErrUsage)
}

// Root returns the folder of the checkout that a folder lies in: the nearest one upwards that
// has a go.mod and the list of games.
func Root(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if there(dir, "go.mod") && there(dir, model.list) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%w: %s is in no checkout of the sources of powderkeg; change to the folder that has its go.mod", option.ErrUsage, folder)
		}
	}
}

func there(folder, path string) bool {
	_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(path)))
	return !errors.Is(err, fs.ErrNotExist)
}
