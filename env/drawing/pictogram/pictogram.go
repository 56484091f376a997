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

//go:embed shapes.txt bloc.txt domination.txt insurgency.txt jogu.txt
var files embed.FS

// games are the games that have pictograms.
var games = [...]string{"bloc", "domination", "insurgency", "jogu"}

// paths has the path data of all pictograms, by game and name.
var paths = sync.OnceValue(func() map[string]map[string]string {
	all := make(map[string]map[string]string, len(games))
	for _, game := range games {
		all[game] = make(map[string]string)
		for name, drawing := range load(game) {
			all[game][name] = string(drawing.appendPath(nil))
		}
	}
	return all
})

// load reads the pictograms of a game.
func load(game string) map[string]shape {
	shared := make(map[string]shape)
	read(text("shapes"), shared, shared)
	own := make(map[string]shape)
	read(text(game), own, shared)
	return own
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
	path, ok := paths()[game][name]
	if ok {
		d.Shape(x-size/2, y-size/2, size/grid, path, class)
	}
	return ok
}

// Has reports whether a name of a game has a pictogram.
func Has(game, name string) bool {
	_, ok := paths()[game][name]
	return ok
}

// read adds the pictograms of a text to own; their recipes may use what stands above them and
// the shared shapes.
func read(text string, own, shared map[string]shape) {
	for names, recipe := range recipes(text) {
		drawing := cook(recipe, func(name string) (shape, bool) {
			if s, ok := own[name]; ok {
				return s, true
			}
			s, ok := shared[name]
			return s, ok
		})
		for name := range strings.SplitSeq(names, ",") {
			own[strings.TrimSpace(name)] = drawing
		}
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
