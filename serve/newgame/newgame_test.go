package newgame

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

// checkout copies what a game is written beside, and the further folders, into a folder of
// its own, which is returned.
func checkout(t *testing.T, folders ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, l := range lists {
		copied(t, root, l.path)
	}
	copied(t, root, "go.mod")
	copied(t, root, "go.sum")
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, d fs.DirEntry, err error) error {
			rest, _ := filepath.Rel("../..", path)
			switch rest = filepath.ToSlash(rest); {
			case err != nil:
				return err
			case rest == "checkpoints/zoo": // which the tag zoofiles leaves out
				return fs.SkipDir
			case rest == "agents/scripted/strength_test.go": // which needs the trainer
			case d.Type().IsRegular():
				copied(t, root, rest)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"engine", "env/encoding"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func copied(t *testing.T, root, path string) {
	t.Helper()
	to := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(read(t, "../..", path)), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, root, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files returns the files of a folder and what is in them.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rest, _ := filepath.Rel(root, path)
			list[filepath.ToSlash(rest)] = read(t, root, rest)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestLists enters two games into every list: each is there, and no line is lost.
func TestLists(t *testing.T) {
	root := checkout(t)
	before := files(t, root)
	for _, name := range []string{"high_card", "goof2"} {
		if _, err := (Game{Name: name, Title: TitleOf(name), Root: root}).Write(); err != nil {
			t.Fatal(err)
		}
	}
	after := files(t, root)
	entries := strings.NewReplacer(", high_card", "", ", goof2", "", ", `high_card`", "", ", `goof2`", "") // within lines
	for _, l := range lists {
		for _, name := range []string{"high_card", "goof2"} {
			if !strings.Contains(after[l.path], name) {
				t.Errorf("%s lacks %s", l.path, name)
			}
		}
		for line := range strings.Lines(before[l.path]) {
			if words := strings.Fields(entries.Replace(after[l.path])); !contains(words, strings.Fields(line)) {
				t.Errorf("%s has lost the line %q", l.path, line)
			}
		}
	}
	for path, text := range after {
		for i, word := range (Game{}).words("") {
			// A list may have such a word of its own, as Python's modules do.
			if i%2 == 0 && strings.Count(path+text, word) != strings.Count(before[path], word) {
				t.Errorf("%s still has the word %s", path, word)
			}
		}
	}
}

// contains reports whether the words of a line follow one another in a text.
func contains(text, line []string) bool {
	return len(line) == 0 || strings.Contains(" "+strings.Join(text, " ")+" ", " "+strings.Join(line, " ")+" ")
}

// TestModulePath writes a game into a module of another path.
func TestModulePath(t *testing.T) {
	root := checkout(t)
	mod := strings.Replace(read(t, root, "go.mod"), "module powderkeg\n", "module example.com/you/keg\n", 1)
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (Game{Name: "high_card", Title: "High Card", Root: root}).Write(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"engine/high_card/table.go":    `"example.com/you/keg/engine/flow"`,
		"env/encoding/high_card/v1.go": `highcard "example.com/you/keg/engine/high_card"`,
		"engine/games/games.go":        `highcard "example.com/you/keg/engine/high_card"`,
	} {
		if !strings.Contains(read(t, root, path), want) {
			t.Errorf("%s does not import %s", path, want)
		}
	}
}

// TestRefused: what cannot be written leaves the checkout as it was, and the error is a line
// of wrong usage that says why.
func TestRefused(t *testing.T) {
	root := checkout(t, "agents/scripted", "engine/kuhn", "engine/liars_dice")
	broken := checkout(t)
	if err := os.WriteFile(filepath.Join(broken, "env", "games.go"), []byte("package env\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "experiments/configs/left"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "experiments/configs/left/ppo.yaml"), []byte("game: left\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ game, title, root, want string }{
		"empty":            {"", "T", root, `the name is ""`},
		"capitals":         {"Goofspiel", "T", root, "it must be words of a to z"},
		"a path":           {"../goof", "T", root, "it must be words of a to z"},
		"two underscores":  {"a__b", "T", root, "it must be words of a to z"},
		"an option":        {"kuhn(cards=4)", "T", root, "it must be words of a to z"},
		"long":             {strings.Repeat("a", longest+1), "T", root, "40 letters at most"},
		"a keyword":        {"range", "T", root, "already means something"},
		"a keyword in two": {"inter_face", "T", root, "already means something"},
		"a builtin":        {"string", "T", root, "already means something"},
		"a package":        {"engine", "T", root, "already means something"},
		"a test":           {"turing_test", "T", root, "ends in test"},
		"a game":           {"kuhn", "T", root, "the name \"kuhn\" is taken: there is "},
		"its package":      {"liarsdice", "T", root, "the name \"liarsdice\" is taken: there is "},
		"a file":           {"games_test", "T", root, "ends in test"},
		"a folder":         {"menu", "T", root, "taken: there is agents/scripted/menu"},
		"a file there":     {"left", "T", root, "experiments/configs/left/ppo.yaml is there already"},
		"no title":         {"goof", " ", root, "the title is"},
		"quotes":           {"goof", `A "B"`, root, "the title is"},
		"no list":          {"goof", "T", broken, "env/games.go has no line of liars_dice"},
	} {
		t.Run(name, func(t *testing.T) {
			before := files(t, c.root)
			_, err := Game{Name: c.game, Title: c.title, Root: c.root}.Write()
			if err == nil || !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v, want one line of wrong usage with %q", err, c.want)
			}
			if after := files(t, c.root); len(after) != len(before) {
				t.Errorf("%d files have become %d", len(before), len(after))
			}
		})
	}
}

// TestRoot finds the checkout from a folder within it, and no other module.
func TestRoot(t *testing.T) {
	root := checkout(t)
	if got, err := Root(filepath.Join(root, "engine", "games")); err != nil || got != root {
		t.Errorf("the checkout is %q (error %v), want %q", got, err, root)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte("module other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := Root(other); !errors.Is(err, option.ErrUsage) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the checkout of another module is %q, error %v; want wrong usage", got, err)
	}
}

// steps are the tests of a written game and where each fails at first, in the order in which
// they fail.
var steps = [][2]string{
	{"TestRules", "engine/high_card/data/rules.json:2: fill in step 1 "},
	{"TestBadPositions", "engine/high_card/position.go:20: fill in step 2 "},
	{"TestConformance", "engine/high_card/table.go:8: fill in step 3 "},
	{"TestSecretsAreDeclared", "engine/high_card/view.go:27: fill in step 5 "},
	{"TestEvents", "engine/high_card/events.go:5: fill in step 6 "},
	{"TestText", "engine/high_card/text.go:12: fill in step 7 "},
	{"TestEncoderIsFilledIn", "env/encoding/high_card/v1.go:23: fill in step 8 "},
	{"TestScripts", "engine/high_card/testdata/rules/R-01_all_fold.json:3: fill in step 9 "},
	{"TestTreeCounts", "engine/high_card/highcard_test.go:87: fill in step 9 "},
	{"TestPlaythroughs", "testdata/playthroughs/high_card-1.txt"},
	{"TestPlayerIsFilledIn", "agents/scripted/highcard.go:10: fill in step 10 "},
	{"TestRulings", "engine/high_card/RULINGS.md:5: fill in step 10 "},
	{"TestReadme", "engine/high_card/README.md:3: fill in step 10 "},
}

// TestWrittenGame writes a game beside the others and compiles all that it touches. Its
// tests fail in the order of the guide; with the marks gone the stand-in passes them all.
func TestWrittenGame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the engine once more")
	}
	root := checkout(t, "engine", "env", "agents", "checkpoints")
	done, err := Game{Name: "high_card", Title: "High Card", Root: root}.Write()
	if err != nil {
		t.Fatal(err)
	}
	const game, encoder, player = "./engine/high_card", "./env/encoding/high_card", "./agents/scripted"
	if out, ok := goTool(root, "vet", game, encoder, player, "./env/drawing/high_card", "./env", "./env/drawing", "./engine/games"); !ok {
		t.Fatalf("go vet finds faults:\n%s", out)
	}
	out, ok := goTool(root, "test", game)
	if ok {
		t.Error("nothing fails where nothing is filled in")
	}
	for _, step := range steps {
		_, rest, found := strings.Cut(out, "--- FAIL: "+step[0]+" (")
		first, _, _ := strings.Cut(rest, "--- ")
		if !found || !strings.Contains(first, step[1]) {
			t.Fatalf("%s does not fail at %q behind those before it:\n%s", step[0], step[1], out)
		}
		out = rest
	}
	for _, f := range done {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if err := os.WriteFile(path, []byte(unmarked(read(t, root, f.Path))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, ok := goTool(root, "test", game, "-update"); !ok {
		t.Errorf("without its marks the game fails, as it writes its files:\n%s", out)
	}
	if out, ok := goTool(root, "test", "-run", "HighCard|Test[A-Z][a-z]+$", game, encoder); !ok {
		t.Errorf("without its marks the game fails:\n%s", out)
	}
	if out, ok := goTool(root, "test", "-run", "HighCard", player); !ok {
		t.Errorf("without its marks the scripted player fails:\n%s", out)
	}
}

// unmarked returns a text with everything filled in, as far as the marks can tell.
func unmarked(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "// FILL IN") {
			kept = append(kept, line)
		}
	}
	return regexp.MustCompile(`FILL IN, step \d+: [^"\n]*`).ReplaceAllString(strings.Join(kept, ""), "filled in")
}

// goTool runs go in a folder, and returns what it prints and whether it succeeds. Trimmed
// paths let the build cache know the packages again in the next folder.
func goTool(root, verb string, args ...string) (string, bool) {
	cmd := exec.Command("go", append([]string{verb, "-trimpath", "-tags", "zoofiles"}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// templatePaths returns the paths of the files that are written for a game.
func templatePaths(t *testing.T, name string) []string {
	t.Helper()
	var paths []string
	words := strings.NewReplacer(Game{Name: name}.words("")...)
	err := fs.WalkDir(templates, "template", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, words.Replace(strings.TrimSuffix(strings.TrimPrefix(path, "template/"), ".tmpl")))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestModelHasEveryFile: the game that the guide calls the model has every file that is
// written for a new one; of scripts and configurations it has others of their kind.
func TestModelHasEveryFile(t *testing.T) {
	for _, path := range templatePaths(t, model.name) {
		pattern := "../../" + path
		if ext := filepath.Ext(path); ext == ".yaml" || strings.Contains(path, "testdata/") {
			pattern = filepath.Join(filepath.Dir(pattern), "*"+ext)
		}
		if there, err := filepath.Glob(pattern); err != nil || len(there) == 0 {
			t.Errorf("the model lacks %s", path)
		}
	}
}

// TestGuideAndTemplatesAgree: every file that the ten steps name is written.
func TestGuideAndTemplatesAgree(t *testing.T) {
	guide := section(t, "## Adding a game in ten steps", "### Where a game is registered")
	paths := strings.Join(templatePaths(t, "<game>"), "\n") + "\n"
	named := regexp.MustCompile("`((?:engine|env|agents|experiments)/[^`]*<game>[^`]*|[a-z0-9]+\\.go|[A-Z]+\\.md)`").FindAllStringSubmatch(guide, -1)
	if len(named) < 10 {
		t.Fatalf("the guide names %d files only", len(named))
	}
	for _, m := range named {
		if !strings.Contains(paths, m[1]) {
			t.Errorf("the guide names %s, which is not written", m[1])
		}
	}
}

// section returns a part of the guide.
func section(t *testing.T, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "../..", ".github/CONTRIBUTING.md"), from)
	part, _, ended := strings.Cut(rest, to)
	if !found || !ended {
		t.Fatalf("the guide has no part from %q to %q", from, to)
	}
	return part
}

// TestGuideNamesEveryList holds the guide's table of lists against the lists into which a
// game is entered, and both against the code: a file that has an entry for every game, or
// that a test compares with all families, is one of them.
func TestGuideNamesEveryList(t *testing.T) {
	var table []string
	rows := section(t, "### Where a game is registered", "Everything else")
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(rows, -1) {
		for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row[1], -1) {
			table = append(table, m[1])
		}
	}
	if !slices.Equal(table, Lists()) {
		t.Errorf("the guide's table has\n%q, a game is entered into\n%q", table, Lists())
	}
	for _, path := range listsInCode(t) {
		if !slices.Contains(table, path) {
			t.Errorf("%s has an entry for each game, and the guide's table lacks it", path)
		}
	}
}

// listsInCode finds the files of Go that have to be told of a new game.
func listsInCode(t *testing.T) []string {
	t.Helper()
	families := regexp.MustCompile(`(?m)^\t\t(\w+)\.Family,`).FindAllStringSubmatch(read(t, "../..", model.list), -1)
	if len(families) < 10 {
		t.Fatalf("%s lists %d families only", model.list, len(families))
	}
	var found []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			if err == nil && d.IsDir() && slices.Contains([]string{"node_modules", "bin", "newgame", "enginetest"}, d.Name()) {
				return fs.SkipDir
			}
			return err
		}
		rest, _ := filepath.Rel("../..", path)
		text, keys, imported := read(t, "../..", rest), 0, 0
		for _, f := range families {
			if regexp.MustCompile(`"` + f[1] + `":`).MatchString(text) {
				keys++
			}
			if regexp.MustCompile(`/` + f[1] + `"\n`).MatchString(text) {
				imported++
			}
		}
		asks := strings.Contains(text, "games.Families()")
		if strings.Contains(text, "enginetest.HasEveryGame(") || imported >= len(families)-1 || asks && keys >= 4 {
			found = append(found, filepath.ToSlash(rest))
		}
		return nil
	})
	if err != nil || len(found) < 6 {
		t.Fatalf("%d lists in the code (error %v): %q", len(found), err, found)
	}
	return found
}

// TestNothingIsLeftToBeFilledIn looks for marks in the games of this project.
func TestNothingIsLeftToBeFilledIn(t *testing.T) {
	for _, folder := range []string{"engine", "env", "agents/scripted", "experiments/configs"} {
		for path, text := range files(t, filepath.Join("../..", folder)) {
			if strings.Contains(text, "FILL IN, step") && !strings.HasPrefix(path, "enginetest/filled") {
				t.Errorf("%s/%s still has something to be filled in", folder, path)
			}
		}
	}
}
