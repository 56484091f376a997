package newgame

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"powderkeg/engine/option"
)

// model is the game behind which a new one stands in every list.
var model = struct{ name, pkg, list string }{"liars_dice", "liarsdice", "engine/games/games.go"}

// entry is a place of a list where a new game is entered: behind the last line that
// matches, or, where word is not empty, behind that word in the lines that match.
type entry struct {
	line *regexp.Regexp
	word string
	text string
}

// list is a file that has one entry or more for each game.
type list struct {
	path    string
	entries []entry
}

// after makes an entry of a line of its own.
func after(line, text string) entry { return entry{line: regexp.MustCompile(line), text: text} }

// lists are the files into which a new game is entered, in the order of the table in
// .github/CONTRIBUTING.md.
var lists = []list{
	{model.list, []entry{
		after(`^\tliarsdice "`, "\t__alias__\"__module__/engine/__name__\""),
		after(`^\t\tliarsdice\.Family,`, "\t\t__package__.Family,"),
	}},
	{"env/games.go", []entry{
		after(`^\tliarsdice "`, "\t__alias__\"__module__/env/encoding/__name__\""),
		after(`^\t"liars_dice":`, "\t\"__name__\": {{encoder: __package__.For}},"),
	}},
	{"env/drawing/games.go", []entry{
		after(`^\tliarsdice "`, "\t__alias__\"__module__/env/drawing/__name__\""),
		after(`^\t"liars_dice":`, "\t\"__name__\": {draw: of(__package__.Draw)},"),
	}},
	{"agents/scripted/games.go", []entry{
		after(`^\t"liars_dice":`, "\t\"__name__\": plain(func(engine.Game) agents.Policy { return __package__Player{} }),"),
	}},
	{"serve/python/powderkeg/games.py", []entry{after(`^    "liars_dice": `, `    "__name__": 1,`)}},
	{"serve/python/powderkeg/pettingzoo.py", []entry{after("^    liars_dice_v1: GameModule", "    __name___v1: GameModule")}},
	{"README.md", []entry{{regexp.MustCompile("`liars_dice`"), "`liars_dice`", ", `__name__`"}}},
	{"experiments/configs/uses.yaml", []entry{after("^liars_dice/", `__name__/ppo: "a first run"`)}},
	{".github/ISSUE_TEMPLATE/rules.yml", []entry{{regexp.MustCompile(`options: \[`), "liars_dice", ", __name__"}}},
	{"env/pairs_test.go", []entry{after(`"liars_dice"`, "\t\t\"__name__\",")}},
	{"env/drawing/drawing_test.go", []entry{after(`^\t\{"liars_dice`, "\t{\"__name__\", \"\"},")}},
	{"engine/games/mutations_test.go", []entry{after(`"liars_dice"`, "\t\"__name__\",")}},
	{"serve/cli/testdata/games.txtar", []entry{{regexp.MustCompile(`unknown game "chess"`), "liars_dice", ", __name__"}}},
	{"serve/cli/testdata/solve.txtar", []entry{{regexp.MustCompile(`games that have them`), "liars_dice", ", __name__"}}},
}

// Rounds is the file where the events are listed that begin a round, a turn or a night. A game
// is entered there when its README.md tells of one.
const Rounds = "engine/games/opens_test.go"

// Paper is the page that counts the rules, rulings and tests of each game. Its table is written
// by a test.
const Paper = "experiments/paper.md"

// Lists returns the files in which a game is registered, Rounds and Paper among them.
func Lists() []string {
	var paths []string
	for _, l := range lists {
		paths = append(paths, l.path)
	}
	return append(paths, Rounds, Paper)
}

// entered returns the lists with the game entered into them.
func (g Game) entered(module string) ([]file, error) {
	words := strings.NewReplacer(g.words(module)...)
	var done []file
	for _, l := range lists {
		data, err := os.ReadFile(filepath.Join(g.Root, filepath.FromSlash(l.path)))
		if err != nil {
			return nil, option.Wrong(err)
		}
		text := string(data)
		for _, e := range l.entries {
			var ok bool
			if text, ok = e.enter(text, words.Replace(e.text)); !ok {
				return nil, fmt.Errorf("%w: %s has no line of %s that matches %s, behind which the game could be entered",
					option.ErrUsage, l.path, model.name, e.line)
			}
		}
		f := file{path: l.path}
		if f.text, err = formatted(l.path, []byte(text)); err != nil {
			return nil, err
		}
		done = append(done, f)
	}
	return done, nil
}

// enter returns a text with a new line behind the last one that matches, or with new words
// in each that does.
func (e entry) enter(text, words string) (string, bool) {
	lines, last := strings.SplitAfter(text, "\n"), -1
	for i, line := range lines {
		if !e.line.MatchString(strings.TrimSuffix(line, "\n")) || !strings.Contains(line, e.word) {
			continue
		}
		last = i
		if e.word != "" {
			lines[i] = strings.Replace(line, e.word, e.word+words, 1)
		}
	}
	if last >= 0 && e.word == "" {
		lines[last] += words + "\n"
	}
	return strings.Join(lines, ""), last >= 0
}
