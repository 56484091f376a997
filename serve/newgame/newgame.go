package newgame

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// templates are the files of a game, where they stand in the module. In paths and texts
// the words of Game.words stand for what differs from game to game.
//
//go:embed all:template
var templates embed.FS

// Game is a game to be written.
type Game struct {
	Name  string // as game strings and folders have it
	Title string // for people
	Root  string // the folder of the module
}

// Written says what was done to one file.
type Written struct {
	Path string // from the folder of the module, with slashes
	// List is true of a file that was there, and into which the game was entered.
	List bool
}

// Write writes the files of the game and enters it into the lists. Where it cannot do all of
// that it does nothing; errors that say why wrap option.ErrUsage. It never writes over a file
// that is no list.
func (g Game) Write() ([]Written, error) {
	module, err := g.module()
	if err != nil {
		return nil, err
	}
	if err := g.checkName(); err != nil {
		return nil, err
	}
	files, err := g.files(module)
	if err != nil {
		return nil, err
	}
	entered, err := g.entered(module)
	if err != nil {
		return nil, err
	}
	var done []Written
	for _, f := range files {
		done = append(done, Written{Path: f.path})
	}
	for _, f := range entered {
		done = append(done, Written{Path: f.path, List: true})
	}
	for _, f := range slices.Concat(files, entered) {
		path := filepath.Join(g.Root, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.text, 0o666); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// Report says what was done, and what its author does next.
func (g Game) Report(w io.Writer, done []Written) {
	for _, f := range done {
		verb := "wrote"
		if f.List {
			verb = "entered"
		}
		fmt.Fprintf(w, "%-8s %s\n", verb, f.Path)
	}
	fmt.Fprintf(w, `
next     go test -failfast ./engine/%[1]s
         says what to fill in first, and when that is done what comes next; then
         go test ./engine/%[1]s -update    writes the facts into README.md, and a playthrough
         go test ./engine/games -run TestReleasedFiles -update    keeps a game that later versions must read
         go test ./env/encoding/%[1]s ./agents/scripted ./engine/games ./env ./env/drawing
         go run . train experiments/configs/%[1]s/ppo.yaml --record experiments/records/%[1]s/ppo.json
         go test ./train/evidence -run TestConfigTable -update    enters what was learned into experiments/README.md
         go test ./train/suite -run TestPaper -update    writes the game's row into %[3]s
         go test ./serve ./serve/cli -run 'TestEveryGameIsAtHome|TestSessions'
look     go run . play %[1]s --drawing table.svg
rounds   a game whose README.md tells of an event that begins one is entered into %[2]s
`, g.Name, Rounds, Paper)
}

// file is a file as it is to be.
type file struct {
	path string
	text []byte
}

// files returns the files of the game. None of them may be there yet.
func (g Game) files(module string) ([]file, error) {
	var list []file
	words := strings.NewReplacer(g.words(module)...)
	err := fs.WalkDir(templates, "template", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates, path)
		if err != nil {
			return err
		}
		f := file{words.Replace(strings.TrimSuffix(strings.TrimPrefix(path, "template/"), ".tmpl")), []byte(words.Replace(string(text)))}
		if _, err := os.Lstat(filepath.Join(g.Root, filepath.FromSlash(f.path))); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s is there already; choose another name, or delete what is left of an earlier try", option.ErrUsage, f.path)
		}
		if f.text, err = formatted(f.path, f.text); err != nil {
			return err
		}
		list = append(list, f)
		return nil
	})
	return list, err
}

// formatted returns a file of Go as gofmt would leave it, and every other as it is.
func formatted(path string, text []byte) ([]byte, error) {
	if filepath.Ext(path) != ".go" {
		return text, nil
	}
	text, err := format.Source(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// words returns the pairs of what stands in the templates and what it stands for.
func (g Game) words(module string) []string {
	pkg, alias := g.pkg(), ""
	if pkg != g.Name {
		alias = pkg + " "
	}
	return []string{
		"__name__", g.Name, "__package__", pkg, "__alias__", alias, "__module__", module,
		"__Title__", g.Title, "__Pascal__", pascal(g.Name),
	}
}

// pkg returns the name of the game's packages: Go's have no underscores.
func (g Game) pkg() string { return strings.ReplaceAll(g.Name, "_", "") }

// pascal returns a name such as LiarsDice of one such as liars_dice.
func pascal(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// TitleOf returns a title for a name: "Liars Dice" for liars_dice.
func TitleOf(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		words[i] = pascal(w)
	}
	return strings.Join(words, " ")
}
