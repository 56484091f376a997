// Package pictogram has a pictogram of our own for every card, unit, occupation, Force and
// marker of the games: one path of one colour that reads at 14 pixels and is good to look
// at at 60.
//
// Pictograms are recipes in text files, one file per game and one for the shapes that several
// share; recipe.go says how a recipe is written. They are cut like a poster or a linocut: solid
// shapes, strokes of two units on a square of 24, sharp ends, details cut out.
package pictogram

import (
	"embed"
	"iter"
	"strings"
	"sync"

	"powderkeg/env/drawing/svg"
)

// grid is the side of the square that recipes are drawn on.
const grid = 24

//go:embed *.txt
var files embed.FS

// games are the games that have pictograms.
var games = [...]string{"bloc", "domination", "insurgency", "jogu", "minuteman"}

// paths has for each game the path data of its pictograms by name, made when it is first asked for.
var paths = make(map[string]func() map[string]string, len(games))

func init() {
	for _, game := range games {
		paths[game] = sync.OnceValue(func() map[string]string {
			all := make(map[string]string)
			for name, drawing := range load(game) {
				all[name] = string(drawing.appendPath(nil))
			}
			return all
		})
	}
}

// shared has the shapes that several pictograms use.
var shared = sync.OnceValue(func() map[string]shape {
	all := make(map[string]shape)
	read(text("shapes"), all, all)
	return all
})

// load reads the pictograms of a game.
func load(game string) map[string]shape {
	own := make(map[string]shape)
	read(text(game), own, shared())
	return own
}

// path returns the path data of a pictogram.
func path(game, name string) (string, bool) {
	all, ok := paths[game]
	if !ok {
		return "", false
	}
	data, ok := all()[name]
	return data, ok
}

func text(name string) string {
	b, err := files.ReadFile(name + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// Draw draws the pictogram of a name in a square of the side size around x, y, in the colours
// of a class of the drawing ("f-ink", "f-on"). Names are those of drawing.Cards and, beside
// them, of the pieces, markers and sides that drawings show. It reports whether there is one;
// without one it draws nothing.
func Draw(d *svg.Doc, game, name string, x, y, size float64, class string) bool {
	data, ok := path(game, name)
	if ok {
		d.Shape(x-size/2, y-size/2, size/grid, data, class)
	}
	return ok
}

// Has reports whether a name of a game has a pictogram.
func Has(game, name string) bool {
	_, ok := path(game, name)
	return ok
}

// read adds the pictograms of a text to own; their recipes may use what stands above them and
// the shared shapes.
func read(text string, own, shared map[string]shape) {
	for names, recipe := range recipes(text) {
		drawing := cook(recipe, either(own, shared))
		for name := range strings.SplitSeq(names, ",") {
			own[strings.TrimSpace(name)] = drawing
		}
	}
}

// either finds a shape among a game's own or, failing that, the shared ones.
func either(own, shared map[string]shape) func(name string) (shape, bool) {
	return func(name string) (shape, bool) {
		s, ok := own[name]
		if !ok {
			s, ok = shared[name]
		}
		return s, ok
	}
}

// recipes yields the lines of a text, "name, other name = recipe", in two parts. Indented lines
// continue the one before. Lines that begin with # are comments.
func recipes(text string) iter.Seq2[string, string] {
	return func(yield func(names, recipe string) bool) {
		for line := range strings.Lines(strings.ReplaceAll(text, "\n ", " ")) {
			names, recipe, ok := strings.Cut(line, "=")
			if ok && line[0] != '#' && !yield(names, recipe) {
				return
			}
		}
	}
}
